"""Metrics by phase as a table of cells: which rows are shown where there are many, and how far each is from the usual."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from hemcore.errors import UnknownNameError
from hemcore.metrics.results import MetricRows

MOST_ROWS, MOST_METRICS = 200, 60


@dataclass(frozen=True, kw_only=True, eq=False)
class PhaseCells:
    """values: a row per phase, run of phases or program, a column per metric, times scale (in the metric's unit). standard: the same less
    the column's mean, in its standard deviations (0 where all are equal). labels: of the rows. each: what a row is, as text. left_out: how
    many metrics are not shown.
    """

    actual: pd.DataFrame
    standard: pd.DataFrame
    labels: list[str]
    each: str
    left_out: int


def phase_cells(found: MetricRows, names: list[str], *, program: str = "", granularity: str = "", load: str = "") -> PhaseCells:
    """The metrics `names` (those with a value, at most 60) of the phases chosen; empty choices: all programs, the first granularity, load.

    Of more than 200 phases of several programs a row is a program, its mean over phases; of one program, a run of successive phases.
    Raises UnknownNameError for a program without such phases.
    """
    rows = found.rows
    granularities = rows["granularity"].astype(str)
    rows = rows[granularities == (granularity or granularities.iloc[0])]
    rows = rows[rows["load"] == (load if load in set(rows["load"]) else rows["load"].iloc[0])]
    if program:
        rows = rows[rows["program"] == program]
        if not len(rows):
            raise UnknownNameError(f"program: {program[:60]!r} has no phase of this granularity and load. Choose another.")
    valued = [name for name in names if rows[name].notna().any()]
    shown = valued[:MOST_METRICS]
    scale = found.about.set_index("metric")["scale"].reindex(shown)
    several = rows["program"].nunique() > 1
    if len(rows) <= MOST_ROWS:
        phases = rows["phase"].astype(str)
        if "region" in rows:
            numbered = rows["region"].astype(str) + " (" + phases + ")"
            phases = numbered.where(rows.duplicated(["program", "region"], keep=False), rows["region"].astype(str))
        labels = [f"{name} {phase}" if several else phase for name, phase in zip(rows["program"], phases, strict=True)]
        values, each = rows[shown].reset_index(drop=True), "program and phase" if several else "a phase"
    elif several:
        values = rows.groupby("program", sort=False)[shown].mean().head(MOST_ROWS)
        labels, each = [str(name) for name in values.index], "a program, the mean of its phases"
        values = values.reset_index(drop=True)
    else:
        part = np.arange(len(rows)) * MOST_ROWS // len(rows)
        first = rows["phase"].groupby(part).agg(["first", "last"])
        labels = [f"{start} to {end}" for start, end in first.to_numpy().tolist()]
        values, each = rows[shown].groupby(part).mean().reset_index(drop=True), "the mean of successive phases"
    values = values * scale
    spread = values.std(ddof=0)
    standard = ((values - values.mean()) / spread.where(spread > 0, 1.0)).clip(-99, 99)
    return PhaseCells(actual=values, standard=standard, labels=labels, each=each, left_out=len(valued) - len(shown))
