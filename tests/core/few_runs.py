"""Readings of few runs, for what takes long on all of a sample's."""

from dataclasses import replace

from hemcore.datasets.tables.subexperiments import Subexperiments


def of_few_runs(table: Subexperiments, runs: int = 60, *, rows_of_truth: int = 0) -> Subexperiments:
    """The first `runs` runs of each subexperiment, and of the truth as many rows; 0: without it."""
    truth = None if table.truth is None or not rows_of_truth else table.truth.head(rows_of_truth)
    return replace(table, frames=tuple(frame.head(runs) for frame in table.frames), truth=truth)
