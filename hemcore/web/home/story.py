"""Home's walk through the pages: a numbered card each, with what one does there."""

from collections.abc import Sequence

import streamlit as st

from hemcore.web.home.showcase import open_link
from hemcore.web.page import Page
from hemcore.web.sentences import as_text


def story(pages: Sequence[Page]) -> None:
    """A card for each page that has a story, in this order."""
    with st.container(key="home-story"):
        for number, page in enumerate((page for page in pages if page.story), 1):
            with st.container(border=True, height="stretch", gap="small"):
                st.markdown(f"**{number}\\. {as_text(page.title)}**")
                st.markdown(as_text(page.story))
                open_link(page, f"Open {page.title}")
