"""Totals of runs by core or thread (perf stat -A), kept as subexperiments for Merge, where the place is chosen."""

import streamlit as st

from hemcore.datasets.importing.tool_totals import runs_at
from hemcore.datasets.shelf.library import Entry
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import HemError
from hemcore.events.hardware_tree import MACHINE
from hemcore.web import sentences, shelf
from hemcore.web.data import PAGE, opening_page

_HELP = (
    "Keeps the totals of each run for Merge: of the whole machine, where counts are summed and ratios, frequencies and temperatures are"
    " averaged, or of one place, chosen there. This dataset stays."
)


def button(entry: Entry) -> None:
    """A button that keeps the runs of the machine and of its places."""
    key, icon = PAGE.key("merge-kept"), ":material/merge:"
    st.button("Keep as subexperiments", key=key, icon=icon, type="tertiary", help=_HELP, on_click=_keep, args=(entry,))


def _keep(entry: Entry) -> None:
    try:
        table = shelf.table(entry.id)
        assert isinstance(table, CounterSeries)
        result, name = runs_at(table, MACHINE), f"{entry.name[:110]}: runs"
        source = f"{entry.name} ({entry.id[:8]}), totals of its runs"
        record = shelf.store().take(result.table, name=name, source=source, repairs=result.repairs)
        opening_page.ask(record.id)
        st.toast(sentences.as_text(f"Kept: {name}"), icon=":material/check:")
    except HemError as error:
        st.toast(sentences.as_text(str(error)), icon=":material/error:")
