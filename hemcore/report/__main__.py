"""The command `hem-workbench report FILE`, or `python -m hemcore.report FILE`: a report's HTML page, PDF and notebook in scripts."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from hemcore.datasets.shelf.durable import put_in_place
from hemcore.errors import HemError, ReadError, StoreError
from hemcore.report.answers import answering
from hemcore.report.html_page import render_html
from hemcore.report.notebook import render_notebook
from hemcore.report.pdf import PAPERS, missing, render_pdf
from hemcore.report.report_model import MOST_BYTES, Report, report_from_json

_BAD_INPUT = 2


def main(given: Sequence[str] | None = None, prog: str = "python -m hemcore.report") -> int:
    """Write the requested files; returns the exit code: 0, or 2 after one sentence on stderr if the input cannot be used."""
    parser = argparse.ArgumentParser(prog=prog, description="Write the page, PDF or notebook of a report from its JSON file.")
    parser.add_argument("file", type=Path, metavar="FILE", help="the report: a file from the shelf, or saved from the Report page")
    parser.add_argument(
        "-o", type=Path, metavar="OUT.html", dest="page", help="the page (default: FILE.html, unless --notebook or --pdf is given)"
    )
    parser.add_argument("--pdf", type=Path, metavar="OUT.pdf", help="the page as PDF; needs chromium or google-chrome")
    parser.add_argument("--paper", choices=PAPERS, default=PAPERS[0], help=f"of the PDF (default: {PAPERS[0]})")
    parser.add_argument("--notebook", type=Path, metavar="OUT.ipynb", help="the notebook")
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="the folder of the datasets (default: HEM_DATA_DIR, else your user data folder)"
    )
    arguments = parser.parse_args(given)
    try:
        if arguments.data is not None and not arguments.data.is_dir():
            raise ReadError(f"--data: {arguments.data} is not a folder. Name the folder of the datasets.")
        report = _read(arguments.file)
        if arguments.pdf is not None and missing():
            raise HemError(missing())
        page = arguments.page or (None if arguments.notebook or arguments.pdf else arguments.file.with_suffix(".html"))
        # One computation for all files.
        answer_of, table_of = answering(arguments.data)
        if page is not None or arguments.pdf is not None:
            content = render_html(report, answer_of, _show_progress, table_of=table_of, root=arguments.data)
            if page is not None:
                _write(page, content)
            if arguments.pdf is not None:
                _write(arguments.pdf, render_pdf(content, arguments.paper))
        if arguments.notebook is not None:
            _write(arguments.notebook, render_notebook(report, answer_of, _show_progress, table_of=table_of, root=arguments.data))
    except HemError as error:
        print(error, file=sys.stderr)
        return _BAD_INPUT
    return 0


def _show_progress(share: float, note: str) -> None:
    print(f"{share:4.0%} {note}", file=sys.stderr)


def _read(path: Path) -> Report:
    try:
        with path.open("rb") as file:
            return report_from_json(file.read(MOST_BYTES + 1))
    except OSError as error:
        raise ReadError(f"{path}: it cannot be read ({error.strerror or error}). Name the JSON file of a report.") from None
    except HemError as error:
        raise type(error)(f"{path}: {error}") from None


def _write(path: Path, content: bytes) -> None:
    try:
        put_in_place(path, content)
    except OSError as error:
        raise StoreError(f"{path}: it cannot be written ({error.strerror or error}). Name another place.") from None
    print(f"{path}: {len(content):,} bytes", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
