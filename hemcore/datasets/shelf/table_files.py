"""A typed table as Parquet files in a folder, and back."""

import hashlib
import json
from pathlib import Path

import pandas as pd
import pyarrow as pa

from hemcore.datasets.shelf.samples import Table
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.datasets.tables.signature_table import SignatureTable
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import TableError

_SUMS = "SHA256SUMS"


def write(folder: Path, table: Table) -> None:
    """Write the frames of `table` as numbered Parquet files, table.json with what is not in a frame, and SHA256SUMS of them all.

    Raises TableError for a column of values that Parquet does not keep, OSError when the disk does not take a file.
    """
    if isinstance(table, Subexperiments):
        frames, rest = list(table.frames), {"n_pmcs": table.n_pmcs, "labels": table.labels}
    elif isinstance(table, CounterSeries):
        frames = [table.intervals, table.counts, *([] if table.share is None else [table.share])]
        rest = {"mode": table.mode, "interval_unit": table.interval_unit}
    elif isinstance(table, PhaseTable):
        frames, rest = [table.frame], {"counters": table.counters}
    else:
        frames, rest = [table.frame], {}
    for number, frame in enumerate(frames):
        _write_frame(frame, folder / f"{number:04d}.parquet")
    (folder / "table.json").write_text(json.dumps({"files": len(frames), **rest}))
    sums = {path.name: _digest(path) for path in sorted(folder.glob("[0-9][0-9][0-9][0-9].parquet"))} | {
        "table.json": _digest(folder / "table.json")
    }
    (folder / _SUMS).write_text("".join(f"{digest}  {name}\n" for name, digest in sums.items()))


def read(folder: Path, kind: str) -> Table:
    """The table that `write` wrote; `kind` is the name of its type. Raises OSError, KeyError or ValueError where files are damaged."""
    _check_sums(folder)
    try:
        rest = json.loads((folder / "table.json").read_text())
        frames = [pd.read_parquet(folder / f"{number:04d}.parquet") for number in range(rest["files"])]
        return _table(kind, frames, rest)
    except (TableError, TypeError, IndexError, pa.ArrowException) as error:
        raise ValueError(str(error)) from None


def _check_sums(folder: Path) -> None:
    """A bit that the disk flipped shall be told and not shown as a count. Folders of before there were sums are taken as they are."""
    if not (folder / _SUMS).exists():
        return
    for line in (folder / _SUMS).read_text(errors="replace").splitlines():
        digest, _, name = line.partition("  ")
        if digest != _digest(folder / Path(name).name):
            raise ValueError(f"{Path(name).name} is not what was written")


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _table(kind: str, frames: list[pd.DataFrame], rest: dict) -> Table:
    if kind == "Subexperiments":
        return Subexperiments(frames=tuple(frames), n_pmcs=rest["n_pmcs"], labels=tuple(rest["labels"]))
    if kind == "CounterSeries":
        share = frames[2] if len(frames) > 2 else None
        return CounterSeries(intervals=frames[0], counts=frames[1], share=share, mode=rest["mode"], interval_unit=rest["interval_unit"])
    if kind == "PhaseTable":
        return PhaseTable(frame=frames[0], counters=tuple(rest["counters"]))
    if kind == "SignatureTable":
        return SignatureTable(frame=frames[0])
    raise ValueError(f"kind {kind!r} is not known")


def _write_frame(frame: pd.DataFrame, path: Path) -> None:
    try:
        frame.to_parquet(path, index=False)
    except (pa.ArrowException, TypeError, OverflowError):
        for name in frame.columns:
            try:
                pa.array(frame[name], from_pandas=True)
            except (pa.ArrowException, TypeError, OverflowError) as error:
                raise TableError(f"column {name!r} cannot be kept ({error}). Correct its values or leave the column out.") from None
        raise
