"""The navigation, which works whichever page is opened first.

With a `pages/` folder next to app.py, Streamlit runs the script of a deep link without app.py until someone has opened "/". So each page
begins with `enter()`, which starts the navigation (and that the page) unless the navigation started the page.
"""

import gc
import os
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from hemcore.errors import HemError
from hemcore.web import last_resort, sentences, visits
from hemcore.web.everywhere import corner
from hemcore.web.page import Page, TableT
from hemcore.web.pages import PAGES

if TYPE_CHECKING:
    from hemcore.web.frame import Frame

_HERE = Path(__file__).parent
_started_here: ContextVar[bool] = ContextVar("started_here", default=False)
# Seconds without a page run after which the warm-up of other pages starts.
_QUIET = 3.0


@dataclass
class _Visits:
    """runs: how many pages are running; ended: when the last one ended; page: the name of the last one."""

    runs: int = 0
    ended: float = 0.0
    page: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def count(self, by: int) -> None:
        with self.lock:
            self.runs, self.ended = self.runs + by, time.monotonic()


_visits = _Visits()


def run() -> None:
    """Show the navigation and run the page in the URL."""
    if visits.begin_run():
        # An icon from our folder, before the navigation: the browser would fetch the icon of its page from another host.
        st.set_page_config(page_icon=str(_HERE / "favicon.svg"), layout="wide")
    sentences.warn_in(None)
    st.html(_HERE / "look.css")
    refusal = _refusal()
    if refusal is not None:
        # First, so that the address stays what it is, and the button that is drawn is the same one in the next run.
        st.navigation(_entries(), position="hidden")
        refusal()
        return
    with _shelf_of_run():
        _show_page()


def _shelf_of_run() -> AbstractContextManager[None]:
    """On a team's server: whose shelf it is is asked once a run, not by each of its hundred looks at the shelf."""
    if not _is_team():
        return nullcontext()
    from hemcore.datasets.owners import whose

    return whose.within(whose.folder())


def _show_page() -> None:
    jobs = corner.begin()
    chosen = st.navigation(_entries(), position="top")
    token, began = _started_here.set(True), time.monotonic()
    _visits.count(1)
    try:
        _run_to_its_end(chosen)
    finally:
        _started_here.reset(token)
        _visits.count(-1)
        if _is_team():
            from hemcore.web.team.server_metrics import RERUNS

            RERUNS.add(time.monotonic() - began)
        corner.end(jobs)
        # Only now: its imports would delay the first page by half a second or more.
        _warm_up()


def _run_to_its_end(chosen: StreamlitPage) -> None:
    try:
        chosen.run()
    except visits.Ended:
        pass
    except Exception as error:  # st.rerun does not raise one
        last_resort.tell(error, _shown())
        if _is_team() and not isinstance(error, HemError):
            from hemcore.web.team.server_metrics import RERUNS

            RERUNS.failed()
    visits.end_run(_shown())


def _is_team() -> bool:
    return bool(os.environ.get("HEM_AUTH"))


def _refusal() -> Callable[[], None] | None:
    """None if the visitor may see a page; on a team's server who is not signed in sees where to."""
    if not _is_team():
        return None
    from hemcore.web.team import session_owner

    return session_owner.refusal()


def _shown() -> Page | None:
    return next((page for page in PAGES if page.name == visits.now()), None)


def begin(page: Page) -> None:
    """First statement of a page without a frame. See the docstring of this module."""
    if not _started_here.get():
        run()
        st.stop()
    visits.come_to(page)
    _visits.page = page.name


def enter(page: Page[TableT]) -> "Frame[TableT]":
    """First statement of every other page: returns its frame, with the heading drawn."""
    begin(page)
    # Imported here: Home is drawn before plotly and pandas are loaded.
    from hemcore.web.frame import Frame

    return Frame(page)


@st.cache_resource(max_entries=1, show_spinner=False)
def _warm_up() -> None:
    """Run the pages' warm-ups in the background."""
    threading.Thread(target=_warm, name="warm-up", daemon=True).start()


def _warm() -> None:
    # Loads plotly, pandas and the analyses, which Home does not need.
    import hemcore.web.frame  # noqa: F401
    from hemcore import glossary, plugins

    glossary.explain("")  # compiles the pattern that finds glossary names in texts
    plugins.packages()  # looks through all that is installed
    waiting = {page.name: page.warm for page in PAGES if page.warm is not None}
    while waiting:
        name = _next(list(waiting))
        if name is None:
            time.sleep(0.05)
        else:
            waiting.pop(name)()
    # Modules and what they hold stay: the collector would look at them for .13 s, in the middle of a slider's answer.
    gc.collect()
    gc.freeze()


def _next(waiting: list[str]) -> str | None:
    """The page to warm up now: the visited one between two runs, any other after a quiet moment; None: wait."""
    if _visits.runs:
        return None
    if _visits.page in waiting:
        return _visits.page
    return waiting[0] if time.monotonic() - _visits.ended > _QUIET else None


def _entries() -> list[st.Page]:
    entries = [_entry(page, default=number == 0) for number, page in enumerate(PAGES)]
    if _is_team():
        from hemcore.web.team import session_owner

        if session_owner.is_admin():
            from hemcore.web.team import admin_page

            entries.append(_entry(admin_page.PAGE, default=False))
    return entries


def _entry(page: Page, *, default: bool) -> st.Page:
    return st.Page(
        page.script, title=page.title, icon=page.icon, url_path=None if default else page.name, default=default, help=page.answers
    )
