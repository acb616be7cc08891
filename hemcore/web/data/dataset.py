"""The open dataset: what it holds, what can be done with it, its columns and rows, what was repaired, and where it comes from."""

from pathlib import Path

import streamlit as st

from hemcore.datasets.importing.tool_totals import are_totals_by_place
from hemcore.datasets.shelf.library import Entry
from hemcore.datasets.shelf.records import DatasetRecord
from hemcore.datasets.tables import kinds
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.kinds import KINDS, Table
from hemcore.datasets.tables.metric_definitions import MetricDefinitions
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.web import sentences, shelf
from hemcore.web.data import PAGE, columns, counted_box, definitions, manage, opening_page, origin, place_totals, sets_apart
from hemcore.web.pages import pages_for
from hemcore.web.visits import name_tab

_TABS = ("Columns", "Preview", "Repairs", "Origin")
_into_view = st.components.v2.component(
    "hemcore.into_view", js=Path(__file__).with_name("into_view.js").read_text(encoding="utf-8"), isolate_styles=False
)


def show(entry: Entry, record: DatasetRecord | None) -> None:
    """Draw it. One whose files cannot be read is told in a sentence, and can still be renamed and deleted."""
    name_tab(PAGE, entry.name)
    table = None
    with st.container(border=True):
        head = st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="data-head")
        with sentences.show_errors(stop=False):
            table = shelf.table(entry.id)
        with head:
            st.subheader(sentences.as_text(entry.name), anchor=False)
            with st.container(horizontal=True, width="content", gap="small"):
                if isinstance(table, CounterSeries) and not entry.bundled:
                    counted_box.popover(entry, table)
                manage.actions(entry, readable=table is not None)
        if table is not None:
            _what_it_is(entry, table)
            _tabs(entry, record, table)
    if opening_page.was_added():
        _into_view(key=PAGE.key(f"into-view-{entry.id[:8]}"))


def _what_it_is(entry: Entry, table: Table) -> None:
    kind = KINDS[entry.kind].words
    st.caption(sentences.as_text(f"{kind[:1].upper()}{kind[1:]}: {kinds.shape(table)}"))
    leads = pages_for(entry.kind)
    taking = [page for page in leads if page.takes(table)]
    unless = [page.unless for page in leads if page.unless and page not in taking]
    if unless:
        st.caption(sentences.as_text(" ".join(unless)))
    if leads and not taking:
        st.caption(f"No page can analyse these {kind}, because each run is one total. You can inspect and download them.")
        return
    if entry.kind == definitions.KIND:
        return
    if not leads:
        st.caption(f"No page analyses {kind} yet. You can inspect and download them here.")
        return
    with st.container(horizontal=True):
        for page in taking:
            if page.name == "multiplexing" and not _hides(table):
                continue
            query = page.query(entry.label, page.opening(table, bundled=entry.bundled))
            st.page_link(page.script, label=page.leads, icon=":material/arrow_forward:", query_params=query)
        if isinstance(table, Subexperiments) and not entry.bundled and sets_apart.are_sets(table):
            sets_apart.button(entry, table)
        if isinstance(table, CounterSeries) and not entry.bundled and are_totals_by_place(table):
            place_totals.button(entry)


def _hides(table: Table) -> bool:
    """Whether events of a series were counted in turns: counts are hidden, or scaled from a part of the time."""
    if not isinstance(table, CounterSeries) or table.mode != "MPX":
        return False
    return table.share is not None or bool(table.counts.isna().to_numpy().any())


def _tabs(entry: Entry, record: DatasetRecord | None, table: Table) -> None:
    names = columns.parts(entry.id)
    key = PAGE.key(f"part-{entry.id}")
    of_metrics = isinstance(table, MetricDefinitions)
    tabs = st.tabs([*(["Metrics"] if of_metrics else []), *_TABS], key=PAGE.key("view"), on_change="rerun", bind="query-params")
    if isinstance(table, MetricDefinitions):
        first, tabs = tabs[0], tabs[1:]
        if first.open:
            with first:
                definitions.show(entry, table)
    of_parts = len(names) > 1 and any(tab.open for tab in tabs[:2])
    if of_parts:
        # One choice for both tabs; it is drawn in the open one.
        with next(tab for tab in tabs[:2] if tab.open):
            part = st.selectbox("Part", names, key=key)
    else:
        part = names[0]
    for tab, draw in zip(tabs, (columns.show_figures, columns.show_preview), strict=False):
        if tab.open:
            with tab:
                draw(entry.id, part)
    if tabs[2].open:
        with tabs[2]:
            _repairs(entry, record)
    if tabs[3].open:
        with tabs[3]:
            origin.show(entry, record)


def _repairs(entry: Entry, record: DatasetRecord | None) -> None:
    if record is None:
        st.write("A bundled sample: nothing was repaired or dropped.")
        return
    made = None
    with sentences.show_errors(stop=False):
        made = shelf.store().repairs(entry.id)
    if made is None:
        return
    if made.empty:
        st.write("Nothing was repaired or dropped.")
    else:
        st.dataframe(made, hide_index=True, alt="Every repair and drop made during reading")
        if entry.kind == "Subexperiments":
            st.caption("Every row and column left out during reading, and why. Upload again with other options to keep them.")
        else:
            st.caption("Everything repaired or left out during reading: the value found and the limit it broke.")
    for note in record.notes:
        st.caption(sentences.as_text(note))
