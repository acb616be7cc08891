"""Totals of runs by core or thread (perf stat -A), kept as subexperiments of the whole machine or of one place, for Merge."""

import streamlit as st

from hemcore.datasets.importing.tool_totals import runs_at
from hemcore.datasets.shelf.library import Entry
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import HemError
from hemcore.events.hardware_tree import MACHINE
from hemcore.web import sentences, shelf
from hemcore.web.data import PAGE, opening_page


def popover(entry: Entry, table: CounterSeries) -> None:
    """The choice of the place, and a button that keeps its runs."""
    with st.popover("Runs to merge", icon=":material/merge:", help="Keep the totals of the whole machine, or of one place, for Merge."):
        key = PAGE.key(f"merge-of-{entry.id}")
        st.selectbox("Totals of", [MACHINE, *table.applications], format_func=_named, key=key)
        st.caption("Of the whole machine, counts are summed; ratios, frequencies and temperatures are averaged. This dataset stays.")
        st.button("Keep as subexperiments", key=PAGE.key("merge-kept"), type="primary", on_click=_keep, args=(entry, key))


def _named(place: str) -> str:
    return "the whole machine" if place == MACHINE else place


def _keep(entry: Entry, key: str) -> None:
    place = _named(str(st.session_state[key]))
    try:
        table = shelf.table(entry.id)
        assert isinstance(table, CounterSeries)
        result = runs_at(table, str(st.session_state[key]))
        name = f"{entry.name[: max(1, 118 - len(place[:60]))]}: {place[:60]}"
        record = shelf.store().take(
            result.table, name=name, source=f"{entry.name} ({entry.id[:8]}), totals of {place}", repairs=result.repairs
        )
        opening_page.ask(record.id)
        st.toast(sentences.as_text(f"Kept: {name}"), icon=":material/check:")
    except HemError as error:
        st.toast(sentences.as_text(str(error)), icon=":material/error:")
