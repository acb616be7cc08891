"""A small example of each format that can be read."""

import streamlit as st

from hemcore.datasets.readers.formats import FORMATS
from hemcore.datasets.tables.kinds import KINDS
from hemcore.web import sentences
from hemcore.web.data import PAGE


def show() -> None:
    """An expander with the example of one format at a time, to be copied."""
    by_title = {each.title: each for each in FORMATS if each.example}
    with st.expander("File formats", icon=":material/description:"):
        title = st.selectbox("Format of the example", list(by_title), key=PAGE.key("example"))
        chosen = by_title[title]
        st.caption(sentences.as_text(f"Read as {KINDS[chosen.kind].words}. Files may be longer, and packed as .gz or .zip."))
        for name, text in chosen.example.items():
            st.caption(sentences.as_text(name))
            st.code(text, language=None)
