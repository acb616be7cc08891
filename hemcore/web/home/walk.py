"""Home's walk through the pages: a numbered card each, with what one does there."""

from collections.abc import Sequence

import streamlit as st

from hemcore.web.home.later import Later, link_place
from hemcore.web.page import Page
from hemcore.web.sentences import as_text


def story(pages: Sequence[Page]) -> list[Later]:
    """A card for each page that has a story, in this order; the links later."""
    links = []
    with st.container(key="home-story"):
        for number, page in enumerate((page for page in pages if page.story), 1):
            with st.container(border=True, height="stretch", gap="small"):
                st.markdown(f"**{number}\\. {as_text(page.title)}**")
                st.markdown(as_text(page.story))
                links.append(link_place(page, f"Open {page.title}"))
    return links
