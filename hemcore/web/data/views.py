"""The shelf as a table, and what a dataset holds: preview, columns, repairs, and what can be done with it."""

from collections.abc import Sequence

import streamlit as st

from hemcore.datasets.shelf.library import Entry
from hemcore.datasets.shelf.records import DatasetRecord
from hemcore.datasets.tables import kinds
from hemcore.datasets.tables.kinds import KINDS, Table
from hemcore.web import sentences, shelf
from hemcore.web.pages import pages_for

_PREVIEW_ROWS = 200


def damaged_note(ids: Sequence[str]) -> None:
    """Say which stored datasets cannot be read; nothing is deleted."""
    if ids:
        sentences.show(
            f"{len(ids)} dataset(s) on disk cannot be read and are left out: {', '.join(each[:8] for each in ids)}. Upload them again."
        )


def shelf_table(entries: Sequence[Entry]) -> Entry | None:
    """The shelf; returns the dataset that is open: the one whose row was clicked or that was uploaded last. None when there is none."""
    records = {record.id: record for record in shelf.store().records()}
    rows = [
        {
            "Name": entry.name,
            "Kind": KINDS[entry.kind].words,
            "Holds": records[entry.id].shape if entry.id in records else shelf.shape(entry.id),
            "From": _source(records[entry.id]) if entry.id in records else "bundled sample",
            "Added": records[entry.id].created[:16].replace("T", " ") if entry.id in records else "",
        }
        for entry in entries
    ]
    ids = [entry.id for entry in entries]
    opened = _opened(ids)
    st.dataframe(
        rows,
        hide_index=True,
        height=min(39 + 35 * len(rows), 320),
        on_select="rerun",
        selection_mode="single-row",
        key="shelf",
        alt="The dataset shelf",
    )
    return entries[ids.index(opened)] if opened in ids else None


def _source(record: DatasetRecord) -> str:
    if record.lineage is not None:
        return f"{record.lineage.gives} of {record.lineage.parent_name or record.lineage.parent[:8]}"
    return ", ".join(record.source_names)


def _opened(ids: Sequence[str]) -> str | None:
    """The id of the open dataset. A click names a row by its number in the shelf that was on the screen, which may have changed since."""
    state = st.session_state
    clicked = list(state["shelf"]["selection"]["rows"]) if "shelf" in state else []
    if clicked != state.get("shelf_clicked", []):
        shown = state.get("shelf_ids", ids)
        state["opened"] = shown[clicked[0]] if clicked and clicked[0] < len(shown) else None
    opened = state.get("opened")
    # The mark goes with the dataset when rows move.
    marked = [ids.index(opened)] if opened in ids else []
    state["shelf"] = {"selection": {"rows": marked, "columns": [], "cells": []}}
    state["shelf_clicked"], state["shelf_ids"] = marked, list(ids)
    return opened


def damaged_tabs(entry: Entry) -> None:
    """What can still be done with a dataset whose files cannot be read."""
    with st.container(border=True):
        _manage(entry)


def table_tabs(entry: Entry, table: Table) -> None:
    """Preview, columns and repairs of a dataset, and what can be done with it."""
    st.caption(kinds.shape(table))
    for page in pages_for(entry.kind):
        st.page_link(page.script, label=page.leads, icon=":material/arrow_forward:", query_params=page.query(entry.label))
    preview, columns, repairs, manage = st.tabs(["Preview", "Columns", "Repairs", "Rename or delete"])
    frames = kinds.frames(table)
    with preview:
        part = next(iter(frames)) if len(frames) == 1 else st.selectbox("Part", list(frames), key="preview_part")
        frame = frames[part]
        st.dataframe(frame.head(_PREVIEW_ROWS), height=360, alt=f"First rows of {part}")
        if len(frame) > _PREVIEW_ROWS:
            st.caption(f"The first {_PREVIEW_ROWS} of {len(frame):,} rows.")
    with columns:
        figures = kinds.columns(frames[part])
        numbers = dict.fromkeys(figures.columns[1:], st.column_config.NumberColumn(format="localized"))
        shares = {"CoV %": st.column_config.NumberColumn(format="%.1f")}
        st.dataframe(figures, hide_index=True, height=420, alt=f"Figures of each column of {part}", column_config=numbers | shares)
        st.caption(f"Figures of {part}; missing = not counted, never 0. CoV: standard deviation over mean.")
    with repairs:
        _repairs(entry)
    with manage:
        _manage(entry)


def _repairs(entry: Entry) -> None:
    if entry.bundled:
        st.write("A bundled sample: nothing had to be repaired or dropped.")
        return
    made = None
    with sentences.shown_as_sentence(stop=False):
        made = shelf.store().repairs(entry.id)
    if made is None:
        return
    if made.empty:
        st.write("Nothing had to be repaired or dropped.")
    else:
        st.dataframe(made, hide_index=True, alt="Every repair and drop that reading made")
        if entry.kind == "Subexperiments":
            st.caption("Every row and column that reading left out, and why. Upload again with other options to keep them.")
        else:
            st.caption("All that reading mended or left out: value is what was found, bound what it broke.")
    for note in shelf.store().record(entry.id).notes:
        st.caption(sentences.as_text(note))


def _manage(entry: Entry) -> None:
    if entry.bundled:
        st.write("Bundled samples stay as they are.")
        return
    name = st.text_input("Name", value=entry.name, max_chars=120, key=f"name-{entry.id}")
    with st.container(horizontal=True):
        if st.button("Rename", key=f"rename-{entry.id}", disabled=not name.strip() or name == entry.name):
            with sentences.shown_as_sentence():
                shelf.store().rename(entry.id, name.strip())
            st.rerun()
        sure = st.checkbox("I want to delete it", key=f"sure-{entry.id}")
        if st.button("Delete", key=f"delete-{entry.id}", disabled=not sure, icon=":material/delete:"):
            with sentences.shown_as_sentence():
                shelf.store().delete(entry.id)
            shelf.table.clear()
            st.rerun()
