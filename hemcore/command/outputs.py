"""Tables to files or standard output, and NAME=VALUE to parameters."""

import argparse
import io
import json
import sys
from pathlib import Path
from typing import Any

from hemcore.errors import ParameterError, StoreError

FORMATS = ("csv", "parquet", "json")


def choice_of(pair: str) -> tuple[str, Any]:
    """The name and the value of NAME=VALUE; a value is JSON where it is (20, true, null), else text.

    Raises argparse.ArgumentTypeError for one without "=".
    """
    name, mark, text = pair.partition("=")
    if not mark or not name.isidentifier():
        raise argparse.ArgumentTypeError(f"{pair[:60]!r} must be NAME=VALUE, for example threshold=20")
    try:
        return name, json.loads(text)
    except (ValueError, RecursionError):
        return name, text


def long_table(table: Any) -> Any:
    """The whole of a typed table as one frame; of subexperiments with a column that says which."""
    import pandas as pd

    from hemcore.datasets.tables import kinds

    frames = kinds.frames(table)
    if len(frames) == 1:
        return next(iter(frames.values()))
    return pd.concat([frame.assign(subexperiment=name) for name, frame in frames.items()], ignore_index=True)


def write(table: Any, out: Path | None, form: str | None) -> None:
    """`table` (DataFrame) to `out`, atomically, or to standard output. Raises ParameterError for a format, StoreError for a place."""
    by_name = out.suffix.lower().removeprefix(".") if out is not None else "csv"
    chosen = form or by_name
    if chosen not in FORMATS:
        raise ParameterError(f"-o: {out} does not end in .csv, .parquet or .json. Name it so, or add --as csv.")
    content = _bytes(table, chosen)
    if out is None:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    from hemcore.datasets.shelf.durable import put_in_place

    try:
        put_in_place(out, content)
    except OSError as error:
        raise StoreError(f"{out}: it cannot be written ({error.strerror or error}). Name another place.") from None


def _bytes(table: Any, form: str) -> bytes:
    if form == "csv":
        return str(table.to_csv(index=False)).encode()
    if form == "json":
        return (str(table.to_json(orient="records", date_format="iso", double_precision=15, force_ascii=False)) + "\n").encode()
    made = io.BytesIO()
    table.to_parquet(made, index=False)
    return made.getvalue()
