"""The visitor's current and previous page, and the title of the browser tab."""

from typing import NoReturn

import streamlit as st

from hemcore.web.page import Page

TITLE = "HEM Workbench"
# In the session: the page of this run, and of the previous one.
_NOW, _BEFORE = "navigation:now", "navigation:before"
# The title of the browser tab, whether this run has set it, and whether the run came to its end.
_TITLE, _NAMED, _WHOLE = "navigation:title", "navigation:named", "navigation:whole"


class Ended(BaseException):
    """The page has shown all that it can for now."""


def end_page() -> NoReturn:
    """End the page; what stands around it is still drawn, which `st.stop` does not allow."""
    raise Ended


def begin_run() -> bool:
    """Start a run: no page has named the tab yet. Returns whether the browser may not know title and icon of the tab.

    A new visitor's does not; and what a run sends can be dropped if the next one cuts it short.
    """
    state = st.session_state
    unknown = not state.get(_WHOLE, False)
    if unknown:
        state[_TITLE] = None
    state[_NAMED] = state[_WHOLE] = False
    return unknown


def end_run(page: Page | None) -> None:
    """End a run that was not cut short: a tab that the page did not name gets the name of `page`."""
    st.session_state[_WHOLE] = True
    if not st.session_state[_NAMED]:
        _entitle(_title(page))


def come_to(page: Page) -> None:
    """Record that this run shows `page`."""
    state = st.session_state
    state[_BEFORE], state[_NOW] = state.get(_NOW), page.name
    if just_opened(page):
        state[_TITLE] = None  # Streamlit has given the tab the title of the navigation
        _entitle(_title(page))


def now() -> str | None:
    """The name of the current page; None before the first."""
    return st.session_state.get(_NOW)


def just_opened(page: Page) -> bool:
    """Whether the previous run, if any, showed another page."""
    return st.session_state.get(_BEFORE) != page.name


def name_tab(page: Page, what: str) -> None:
    """Name the browser tab after what the page shows."""
    st.session_state[_NAMED] = True
    _entitle(f"{page.title} · {what} · {TITLE}")


def _title(page: Page | None) -> str:
    return TITLE if page is None or page.name == "home" else f"{page.title} · {TITLE}"


def _entitle(title: str) -> None:
    # Only if it changes: each of these messages costs the browser 10 ms.
    if st.session_state.get(_TITLE) != title:
        st.session_state[_TITLE] = title
        st.set_page_config(page_title=title)
