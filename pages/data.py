"""Data: upload readings, see what is in them and what was repaired, keep them."""

import streamlit as st

from hemcore.datasets.shelf import library
from hemcore.web import sentences, shelf
from hemcore.web.data import PAGE, upload, views
from hemcore.web.navigation import enter

enter(PAGE)

left, right = st.columns([1, 2.6], gap="large")
with left:
    upload.panel()
with right:
    entries = {entry.label: entry for entry in library.entries(shelf.store())}
    views.damaged_note(shelf.store().damaged())
    chosen = views.shelf_table(list(entries.values()))
    if chosen is None:
        st.info("Click a row to see the dataset: its preview, its columns and every repair that was made.", icon=":material/info:")
        st.stop()
    st.subheader(sentences.as_text(chosen.name), anchor=False)
    table = None
    with sentences.shown_as_sentence(stop=False):
        table = shelf.table(chosen.id)
    if table is None:
        views.damaged_tabs(chosen)
    else:
        views.table_tabs(chosen, table)
