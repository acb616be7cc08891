"""A typed table as Parquet files in a folder, and back."""

import json
from pathlib import Path

import pandas as pd

from hemcore.datasets.counter_series import CounterSeries
from hemcore.datasets.phase_table import PhaseTable
from hemcore.datasets.samples import Table
from hemcore.datasets.signature_table import SignatureTable
from hemcore.datasets.subexperiments import Subexperiments


def write(folder: Path, table: Table) -> None:
    """Write the frames of `table` as numbered Parquet files, and table.json with what is not in a frame."""
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
        frame.to_parquet(folder / f"{number:04d}.parquet", index=False)
    (folder / "table.json").write_text(json.dumps(rest))


def read(folder: Path, kind: str) -> Table:
    """The table that `write` wrote; `kind` is the name of its type. Raises OSError, KeyError or ValueError where files are damaged."""
    frames = [pd.read_parquet(path) for path in sorted(folder.glob("[0-9]*.parquet"))]
    rest = json.loads((folder / "table.json").read_text())
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
