"""Small charts of a dataset's columns: course, distribution, and where values are missing."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from hemcore.charts.colours import MUTED, TEXT
from hemcore.charts.look import figure, short

POINTS = 60
_BARS = 24
_STRIPS = 30
_PIXELS = 200


@dataclass(frozen=True, kw_only=True)
class MissingStrip:
    """Where values are missing. names: at most 30 columns with missing values, (m,); share: missing share per stretch of rows, (m, b).

    rows: number of rows; n_columns: number of columns with missing values, of which `names` are the first.
    """

    names: tuple[str, ...]
    share: NDArray[np.float64]
    rows: int
    n_columns: int


def course(values: NDArray[np.float64], at: NDArray[np.float64] | None = None) -> list[float]:
    """At most 60 points of `values` (n,) at equal distances in time, since that is how they are drawn.

    at: when each value was read, ascending; None: at equal distances. Points are means over stretches of time, moved to equal distances
    on the straight lines between them, which also bridge what was not measured (NaN): a straight course stays straight. The values
    themselves if there are at most 60, all measured, at equal distances; empty if nothing was measured.
    """
    values = np.asarray(values, dtype=float)
    when = np.arange(len(values), dtype=float) if at is None else np.asarray(at, dtype=float)
    known = np.isfinite(values) & np.isfinite(when)
    values, when = values[known], when[known]
    if len(values) < 2 or not when[-1] > when[0]:
        return [float(each) for each in values[:POINTS]]
    # Counts up to the largest allowed must not overflow in the sums.
    bins = np.minimum(((when - when[0]) / (when[-1] - when[0]) * POINTS).astype(int), POINTS - 1) if len(values) > POINTS else None
    if bins is not None:
        sizes = np.bincount(bins, minlength=POINTS)
        filled = sizes > 0
        values, when = ((np.bincount(bins, each, POINTS)[filled] / sizes[filled]) for each in (values, when))
    even = np.linspace(when[0], when[-1], min(len(known), POINTS))
    return [float(each) for each in np.interp(even, when, values)]


def row_times(intervals: pd.DataFrame) -> NDArray[np.float64]:
    """When each row of a series was read, shape (n,), run after run: by its times where each run has ascending ones, else by its intervals.

    intervals: CounterSeries.intervals. A run begins one usual step (the median) after the run before it.
    """
    name = "time" if "time" in intervals.columns and intervals["time"].notna().all() else "interval"
    steps = np.diff(intervals[name].to_numpy(dtype=float), prepend=np.nan)
    runs = intervals[["application", "run"]].ne(intervals[["application", "run"]].shift()).any(axis=1).to_numpy()
    inside = steps[~runs]
    usual = float(np.median(inside)) if len(inside) and np.isfinite(inside).all() and (inside > 0).all() else 0.0
    if not usual > 0:
        return np.arange(len(intervals), dtype=float)
    return np.cumsum(np.where(runs, usual, steps))


def distribution(values: NDArray[np.float64]) -> list[float]:
    """The number of `values` (n,) in each of 24 equal bins of their range, without NaN; one bar if all are equal.

    Empty if nothing was measured.
    """
    values = np.asarray(values, dtype=float)
    finite = values[np.isfinite(values)]
    if not len(finite):
        return []
    least, largest = float(finite.min()), float(finite.max())
    if least + (largest - least) / _BARS == least:
        return [float(len(finite))]
    counts, _ = np.histogram(finite, bins=_BARS, range=(least, largest))
    return [float(each) for each in counts]


def missing_strip(frame: pd.DataFrame) -> MissingStrip | None:
    """Where values of `frame` are missing, in at most 200 stretches of rows; None if none is."""
    lacking = [name for name in frame.columns if frame[name].isna().any()]
    if not lacking:
        return None
    absent = frame[lacking[:_STRIPS]].isna().to_numpy()
    starts = np.unique(np.linspace(0, len(frame), min(len(frame), _PIXELS), endpoint=False).astype(int))
    sizes = np.diff(np.append(starts, len(frame)))
    share = np.add.reduceat(absent.astype(float), starts, axis=0) / sizes[:, None]
    return MissingStrip(names=tuple(str(name) for name in lacking[:_STRIPS]), share=share.T, rows=len(frame), n_columns=len(lacking))


def missing(strip: MissingStrip, *, uirevision: str = "") -> go.Figure:
    """One strip per column, from the first row to the last: faint where every value is there, solid where none is."""
    count, stretches = strip.share.shape
    width = strip.rows / stretches
    heatmap = {
        "type": "heatmap",
        "x0": width / 2,
        "dx": width,
        "y": list(range(count)),
        "z": strip.share.astype(np.float32),
        "zmin": 0,
        "zmax": 1,
        "colorscale": ((0.0, "rgba(124, 138, 151, 0.16)"), (1.0, TEXT)),
        "showscale": False,
        "ygap": 2,
        "text": [[short(name)] * stretches for name in strip.names],
        "hovertemplate": "%{text}: %{z:.0%} missing around row %{x:,.0f}<extra></extra>",
    }
    rest = f"; the first {count} of {strip.n_columns:,} columns with missing values" if strip.n_columns > count else ""
    return figure(
        [heatmap],
        title="Where are values missing?",
        subtitle=f"solid: missing, faint: present{rest}",
        height=60 + 20 * count,
        uirevision=uirevision,
        xaxis={"title": "row, from the first to the last", "range": [0, strip.rows], "tickcolor": MUTED, "showgrid": False},
        yaxis={
            "tickvals": list(range(count)),
            "ticktext": [short(name, 24) for name in strip.names],
            "range": [count - 0.5, -0.8],
            "showgrid": False,
        },
    )
