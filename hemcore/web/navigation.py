"""The navigation, and the way into it that works whichever page a fresh server is asked for first.

A `pages/` folder beside app.py makes Streamlit run the script of a deep link by itself, without app.py, until someone has opened "/".
So each page begins with `enter()`: where the page was not started from the navigation, it starts the navigation, which starts the page.
"""

import threading
import time
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from hemcore.web import last_resort, visits
from hemcore.web.page import Page, TableT
from hemcore.web.pages import PAGES

if TYPE_CHECKING:
    from hemcore.web.frame import Frame

_HERE = Path(__file__).parent
_started_here: ContextVar[bool] = ContextVar("started_here", default=False)
# Seconds without a page's run after which what other pages want is done too.
_QUIET = 3.0


@dataclass
class _Visits:
    """What the visitors do. runs: how many pages run now; ended: when the last one ended; page: the name of the last one."""

    runs: int = 0
    ended: float = 0.0
    page: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def count(self, by: int) -> None:
        with self.lock:
            self.runs, self.ended = self.runs + by, time.monotonic()


_visits = _Visits()


def run() -> None:
    """Show the navigation and run the page that the address names."""
    if visits.is_new():
        # The icon comes from our own folder: a named one would be fetched from another host.
        st.set_page_config(page_icon=str(_HERE / "favicon.svg"), layout="wide")
    visits.begin_run()
    st.html(_HERE / "look.css")
    table: dict[str, list] = {}
    for number, page in enumerate(PAGES):
        table.setdefault(page.section, []).append(_entry(page, default=number == 0))
    chosen = st.navigation(table)
    token = _started_here.set(True)
    _visits.count(1)
    try:
        chosen.run()
    except Exception as error:  # st.stop and st.rerun are none
        last_resort.tell(error, next((page for page in PAGES if page.name == visits.now()), None))
    finally:
        _started_here.reset(token)
        _visits.count(-1)
        visits.end_run()
        # Only now: what it imports would hold up the first visitor's page by half a second and more.
        _warm_up()


def begin(page: Page) -> None:
    """First statement of a page that draws itself. See this module's docstring."""
    if not _started_here.get():
        run()
        st.stop()
    visits.come_to(page)
    _visits.page = page.name


def enter(page: Page[TableT]) -> "Frame[TableT]":
    """First statement of every other page: its frame, with the heading drawn."""
    begin(page)
    # Imported here: what Home needs is drawn before plotly and pandas are there.
    from hemcore.web.frame import Frame

    return Frame(page)


@st.cache_resource(max_entries=1, show_spinner=False)
def _warm_up() -> None:
    """Do what the pages want done beside the first visit, so that nobody waits for it."""
    threading.Thread(target=_warm, name="warm-up", daemon=True).start()


def _warm() -> None:
    # plotly, pandas and the analyses come in beside the first visit; Home does not need them.
    import hemcore.web.frame  # noqa: F401
    from hemcore import glossary

    glossary.explain("")  # makes the pattern by which hovers find the field's words
    waiting = {page.name: page.warm for page in PAGES if page.warm is not None}
    while waiting:
        name = _next(list(waiting))
        if name is None:
            time.sleep(0.05)
        else:
            waiting.pop(name)()


def _next(waiting: list[str]) -> str | None:
    """The page whose wishes are to be met now: the visited one's between two runs, another's when nobody has asked anything for a while."""
    if _visits.runs:
        return None
    if _visits.page in waiting:
        return _visits.page
    return waiting[0] if time.monotonic() - _visits.ended > _QUIET else None


def _entry(page: Page, *, default: bool) -> object:
    return st.Page(
        page.script, title=page.title, icon=page.icon, url_path=None if default else page.name, default=default, help=page.answers
    )
