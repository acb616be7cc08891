"""A report as PDF: its offline page, printed by a Chromium that is installed here."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Literal, get_args

from hemcore.errors import HemError

Paper = Literal["A4", "Letter"]
PAPERS: tuple[Paper, ...] = get_args(Paper)
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_TIME_LIMIT_S = 300.0
# The page fetches nothing, by its own security policy; these keep the browser itself quiet too.
_OPTIONS = (
    "--headless",
    "--disable-gpu",
    "--disable-extensions",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-dev-shm-usage",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--no-pdf-header-footer",
    "--generate-pdf-document-outline",
    # Fonts are read and pictures are drawn before it prints.
    "--virtual-time-budget=10000",
)


def browser() -> str | None:
    """The path of the browser that prints: chromium, chromium-browser or google-chrome; None if none is installed."""
    return next((found for name in _BROWSERS if (found := shutil.which(name)) is not None), None)


def missing() -> str:
    """Why no PDF can be made here, a sentence; "" if it can."""
    if browser() is not None:
        return ""
    return "PDF: no Chromium is installed here. Install chromium or google-chrome, or print the HTML page from your browser."


def render_pdf(page: bytes, paper: Paper = "A4", *, time_limit_s: float = _TIME_LIMIT_S) -> bytes:
    """The page of `render_html` as PDF, with one sheet of `paper` per item.

    Raises HemError, one sentence, if there is no browser, and if it fails or takes longer than time_limit_s seconds.
    """
    if paper not in PAPERS:
        raise HemError(f"paper: {str(paper)[:60]!r} is not known; there are {', '.join(PAPERS)}.")
    found = browser()
    if found is None:
        raise HemError(missing())
    sized = page.replace(b"<html", f'<html data-paper="{paper}"'.encode(), 1)
    sized = sized.replace(b"</head>", f"<style>@page {{ size: {paper}; }}</style>\n</head>".encode(), 1)
    with tempfile.TemporaryDirectory(prefix="hem-pdf-", ignore_cleanup_errors=True) as folder:
        source, made = Path(folder, "report.html"), Path(folder, "report.pdf")
        source.write_bytes(sized)
        _print(found, source, made, time_limit_s)
        content = made.read_bytes() if made.is_file() else b""
    if not content.startswith(b"%PDF-"):
        raise HemError(f"PDF: {Path(found).name} wrote no PDF. Print the HTML page from your browser instead.")
    return content


def _print(found: str, source: Path, made: Path, time_limit_s: float) -> None:
    # As root, in a container, Chromium does not start with its sandbox; the page is ours and runs nothing that a user typed.
    as_root = ["--no-sandbox"] if getattr(os, "geteuid", lambda: 1)() == 0 else []
    profile = f"--user-data-dir={source.parent / 'profile'}"
    command = [found, *_OPTIONS, *as_root, profile, f"--print-to-pdf={made}", source.as_uri()]
    name = Path(found).name
    try:
        done = subprocess.run(command, capture_output=True, timeout=time_limit_s, check=False)
    except subprocess.TimeoutExpired:
        raise HemError(
            f"PDF: {name} took longer than {time_limit_s:g} s. Print the HTML page from your browser, or remove items."
        ) from None
    except OSError as error:
        raise HemError(f"PDF: {name} cannot be started ({error.strerror or error}). Print the HTML page from your browser.") from None
    if done.returncode != 0:
        raise HemError(f"PDF: {name} failed with exit code {done.returncode}. Print the HTML page from your browser instead.")
