"""Unexpected exceptions: a sentence and a report to copy on the page, a traceback in the log; other pages keep working."""

import logging
import platform
import traceback
from importlib import metadata
from pathlib import Path

import streamlit as st

from hemcore.errors import HemError
from hemcore.resources import PACKAGE
from hemcore.web import sentences
from hemcore.web.page import Page

SENTENCE = "Unexpected error: this is a bug in the program, not in your data. Your data is unchanged."
_REMEDY = (
    "Other pages still work. Try again or change a choice; if it happens again, send the report below. It has no readings and no names."
)
_PACKAGES = ("hem-workbench", "streamlit", "pandas", "numpy", "pyarrow", "plotly")
_ROOT = PACKAGE.parent
_FRAMES = 12
_log = logging.getLogger(__name__)


def tell(error: Exception, page: Page | None) -> None:
    """Log `error` and show it; a HemError that the page did not catch is shown as its sentence. The page ends here."""
    if isinstance(error, HemError):
        sentences.show(str(error))
        return
    _log.error("unexpected error on page %s", page.name if page is not None else "?", exc_info=error)
    sentences.show(f"{SENTENCE} {_REMEDY}")
    st.code(report(error, page), language=None, wrap_lines=True)


def report(error: BaseException, page: Page | None) -> str:
    """The report: exception type and place, versions, page, kind and shape of the dataset. Not the message, which may quote data."""
    inside = error.args[0] if error.args and isinstance(error.args[0], Exception) else None  # raised in a fragment
    raised = inside or error
    frames = traceback.extract_tb(raised.__traceback__)[-_FRAMES:]
    lines = [
        f"{type(raised).__name__} on the page {page.title if page is not None else '(unknown)'}",
        *(f"  {_place(frame.filename)}:{frame.lineno} {frame.name}" for frame in frames),
        f"Dataset: {_dataset(page)}",
        ", ".join([f"Python {platform.python_version()}", *(_version(package) for package in _PACKAGES), platform.system()]),
    ]
    return "\n".join(lines)


def _place(file_name: str) -> str:
    path = Path(file_name)
    return str(path.relative_to(_ROOT)) if path.is_relative_to(_ROOT) and "site-packages" not in path.parts else "/".join(path.parts[-2:])


def _version(package: str) -> str:
    try:
        return f"{package} {metadata.version(package)}"
    except metadata.PackageNotFoundError:
        return f"{package} (not installed)"


def _dataset(page: Page | None) -> str:
    try:
        from hemcore.datasets.shelf import library
        from hemcore.web import shelf

        chosen = page and st.session_state.get(page.key("dataset"))
        entry = next((each for each in library.entries(shelf.store()) if each.label == chosen), None)
        return "none chosen" if entry is None else f"{entry.kind}, {shelf.shape(entry.id)}"
    except Exception as error:  # this may be the very thing that failed
        return f"unknown ({type(error).__name__})"
