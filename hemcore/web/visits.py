"""The visitor's current and previous page, and the title of the browser tab."""

import streamlit as st

from hemcore.web.page import Page

TITLE = "HEM Workbench"
# In the session: the page of this run, and of the previous one.
_NOW, _BEFORE = "navigation:now", "navigation:before"
# The title of the browser tab, and whether this run has set it.
_TITLE, _NAMED = "navigation:title", "navigation:named"


def is_new() -> bool:
    """Whether this is the visitor's first run."""
    return _TITLE not in st.session_state


def begin_run() -> None:
    """Start a run: no page has named the tab yet."""
    st.session_state[_NAMED] = False


def end_run() -> None:
    """End a run: a tab that the page did not name gets the program's name."""
    if not st.session_state[_NAMED]:
        # Each time: Streamlit goes back to the title of the navigation.
        st.session_state[_TITLE] = TITLE
        st.set_page_config(page_title=TITLE)


def come_to(page: Page) -> None:
    """Record that this run shows `page`."""
    state = st.session_state
    state[_BEFORE], state[_NOW] = state.get(_NOW), page.name


def now() -> str | None:
    """The name of the current page; None before the first."""
    return st.session_state.get(_NOW)


def just_opened(page: Page) -> bool:
    """Whether the previous run, if any, showed another page."""
    return st.session_state.get(_BEFORE) != page.name


def name_tab(page: Page, what: str) -> None:
    """Name the browser tab after what the page shows."""
    st.session_state[_NAMED] = True
    _entitle(f"{what} · {page.title} · {TITLE}")


def _entitle(title: str) -> None:
    # Only if it changes: each of these messages costs the browser 10 ms.
    if st.session_state.get(_TITLE) != title:
        st.session_state[_TITLE] = title
        st.set_page_config(page_title=title)
