"""Data: upload readings, see what is in them and what was repaired, keep them on the shelf."""

import streamlit as st

from hemcore.datasets.shelf import library
from hemcore.web import errors, shelf, uploader, views
from hemcore.web.navigation import enter

enter()

st.title("Data")
st.caption("Readings come in here, are checked once, and stay on the shelf through refresh and restart.")

left, right = st.columns([1, 2.6], gap="large")
with left:
    uploader.panel()
with right:
    entries = {entry.label: entry for entry in library.entries(shelf.store())}
    views.damaged_note(shelf.store().damaged())
    chosen = views.shelf_table(list(entries.values()))
    if chosen is None:
        st.info(
            "Click a row of the shelf to see the dataset: its preview, its columns and every repair that was made.", icon=":material/info:"
        )
        st.stop()
    st.subheader(errors.as_text(chosen.name), anchor=False)
    table = None
    with errors.shown_as_sentence(stop=False):
        table = shelf.table(chosen.id)
    if table is None:
        views.damaged_tabs(chosen)
    else:
        views.table_tabs(chosen, table)
