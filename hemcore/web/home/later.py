"""What of Home has to wait: its text is drawn at once; links and pictures, which need the datasets and plotly, go to their places after."""

from collections.abc import Callable, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from hemcore.web.page import Page

# Where it goes, and what draws it there.
Later = tuple[DeltaGenerator, Callable[[], None]]


def fill(waiting: Sequence[Later]) -> None:
    """Draw what has waited, in this order."""
    for place, draw in waiting:
        with place:
            draw()


def link_place(page: Page, label: str) -> Later:
    """A place, here, for the link to `page` on its first start's sample, where it has one that is here."""
    return st.container(), lambda: open_link(page, label)


def open_link(page: Page, label: str) -> None:
    """The link itself."""
    from hemcore.web import shelf

    entry = shelf.start_entry(page.start[0]) if page.start else None
    query = page.query(entry.label, page.start[0].choices) if entry is not None else None
    st.page_link(page.script, label=label, icon=":material/play_arrow:", query_params=query)
