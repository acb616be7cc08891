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


def course(values: NDArray[np.float64]) -> list[float]:
    """At most 60 points of `values` (n,) in their order: the values themselves, or means over stretches of them.

    A stretch without a measured value (all NaN) gives no point; empty if there is none at all.
    """
    values = np.asarray(values, dtype=float)
    stretches = values[:, None] if len(values) <= POINTS else np.array_split(values, POINTS)
    measured = (each[np.isfinite(each)] for each in stretches)
    return [float(np.mean(each)) for each in measured if len(each)]


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
    """One strip per column, from the first row to the last: pale where every value is there, dark where none is."""
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
        subtitle=f"dark: missing, pale: present{rest}",
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
