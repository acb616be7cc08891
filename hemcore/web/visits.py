"""Which page a visitor is on and came from, and the title of the browser's tab."""

import streamlit as st

from hemcore.web.page import Page

TITLE = "HEM Workbench"
# In the session: the page that is run, and that of the run before.
_NOW, _BEFORE = "navigation:now", "navigation:before"
# The title of the browser's tab, and whether the page of this run has named it.
_TITLE, _NAMED = "navigation:title", "navigation:named"


def is_new() -> bool:
    """Whether nothing was shown to this visitor yet."""
    return _TITLE not in st.session_state


def begin_run() -> None:
    """A run begins; no page has named the tab yet."""
    st.session_state[_NAMED] = False


def end_run() -> None:
    """A run ends: a tab that the page did not name has the program's name."""
    if not st.session_state[_NAMED]:
        _entitle(TITLE)


def come_to(page: Page) -> None:
    """This run is of `page`."""
    state = st.session_state
    state[_BEFORE], state[_NOW] = state.get(_NOW), page.name


def now() -> str | None:
    """The name of the page that is run; None before the first."""
    return st.session_state.get(_NOW)


def just_opened(page: Page) -> bool:
    """Whether the run before this one, if there was any, was of another page."""
    return st.session_state.get(_BEFORE) != page.name


def name_tab(page: Page, what: str) -> None:
    """Name the browser's tab after what the page shows."""
    st.session_state[_NAMED] = True
    _entitle(f"{what} · {page.title} · {TITLE}")


def _entitle(title: str) -> None:
    # Only where it changes: the browser works on each of these messages for 10 ms.
    if st.session_state.get(_TITLE) != title:
        st.session_state[_TITLE] = title
        st.set_page_config(page_title=title)
