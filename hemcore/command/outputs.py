"""Writes tables to files or standard output, and parses NAME=VALUE."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from hemcore.errors import ParameterError, StoreError

if TYPE_CHECKING:
    import pandas as pd

FORMATS = ("csv", "parquet", "json")


def choice_of(pair: str) -> tuple[str, object]:
    """The name and the value of NAME=VALUE; the value is parsed as JSON (20, true, null), or else is text.

    Raises argparse.ArgumentTypeError without "=".
    """
    name, mark, text = pair.partition("=")
    if not mark or not name.isidentifier():
        raise argparse.ArgumentTypeError(f"{pair[:60]!r} must be NAME=VALUE, for example threshold=20")
    try:
        return name, json.loads(text)
    except (ValueError, RecursionError):
        return name, text


def write(table: "pd.DataFrame", out: Path | None, form: str | None) -> None:
    """Write `table` to `out`, atomically, or to standard output. Raises ParameterError for an unknown format, StoreError if it fails."""
    by_name = out.suffix.lower().removeprefix(".") if out is not None else "csv"
    chosen = form or by_name
    if chosen not in FORMATS:
        raise ParameterError(f"-o: {out} does not end in .csv, .parquet or .json. Rename it, or add --as csv.")
    from hemcore.datasets.tables.frame_files import frame_bytes

    content = frame_bytes(table, chosen)
    if out is None:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    from hemcore.datasets.shelf.durable import put_in_place

    try:
        put_in_place(out, content)
    except OSError as error:
        raise StoreError(f"{out}: it cannot be written ({error.strerror or error}). Name another place.") from None
