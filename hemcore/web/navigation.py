"""The page table, and the way into it that works whichever page a fresh server is asked for first.

A `pages/` folder beside app.py makes Streamlit run the script of a deep link by itself, without app.py, until someone has opened "/".
So each page begins with `enter()`: where the page was not started from the table, it starts the table, which starts the page.
"""

import threading
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

_PAGES = Path(__file__).resolve().parents[2] / "pages"
_started_here: ContextVar[bool] = ContextVar("started_here", default=False)


@dataclass(frozen=True)
class PageEntry:
    """A page of the table: its script under pages/, its title, icon and section, and the question that it answers."""

    script: str
    title: str
    icon: str
    section: str
    answers: str

    @property
    def url_path(self) -> str:
        return self.script.removesuffix(".py")


HOME = PageEntry("home.py", "Home", ":material/home:", "", "What each page answers, and a way to start it.")
PAGES = (
    PageEntry(
        "data.py",
        "Data",
        ":material/database:",
        "Prepare",
        "Which readings do I have, and what had to be repaired? Upload files, see what is in them, keep them on the shelf.",
    ),
    PageEntry(
        "merge.py",
        "Merge",
        ":material/merge:",
        "Analyse",
        "How do HEMs go together that were never read together? Subexperiments become one table, around an anchor HEM or for all pairs.",
    ),
    PageEntry(
        "segmentation.py",
        "Segmentation",
        ":material/view_week:",
        "Analyse",
        "Which phases does a run have? Change points of every event, at a threshold one can see, and a model of each segment.",
    ),
)


def run() -> None:
    """Show the navigation and run the page that the address names."""
    _warm_up()
    st.set_page_config(page_title="HEM Workbench", page_icon=":material/monitoring:", layout="wide")
    table: dict[str, list] = {"": [_page(HOME, default=True)]}
    for entry in PAGES:
        table.setdefault(entry.section, []).append(_page(entry))
    page = st.navigation(table)
    token = _started_here.set(True)
    try:
        page.run()
    finally:
        _started_here.reset(token)


def enter() -> None:
    """First statement of every page: see this module's docstring."""
    if not _started_here.get():
        run()
        st.stop()


@st.cache_resource(max_entries=1, show_spinner=False)
def _warm_up() -> None:
    """Compile the searches beside the first page, so that nobody waits for it."""
    threading.Thread(target=_compile, name="warm-up", daemon=True).start()


def _compile() -> None:
    # Imported here: the start of the server does not wait for numba either.
    from hemcore.segmentation import warm

    warm()


def _page(entry: PageEntry, *, default: bool = False) -> object:
    return st.Page(
        _PAGES / entry.script,
        title=entry.title,
        icon=entry.icon,
        url_path=None if default else entry.url_path,
        default=default,
        help=entry.answers,
    )


def script(url_path: str) -> Path:
    """The script of the page with this url path, for links."""
    return _PAGES / f"{url_path}.py"
