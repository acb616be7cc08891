"""Counts without their trend: a line, a curve or a season is subtracted, so that levels on it can be segmented."""

from dataclasses import replace

import numpy as np
import pandas as pd

from hemcore.segmentation.event_runs import RunSamples
from hemcore.segmentation.params import Detrend
from hemcore.segmentation.smooth_courses import Floats, level_changes, season_of

_FEWEST = 12  # samples, as for a smooth course
_ROUNDS = 12
# Parts of the largest count that differ by rounding alone.
_ROUNDING = 1e-9


def without_trend(samples: RunSamples, detrend: Detrend) -> RunSamples:
    """`samples` with their trend subtracted and their mean kept, without trimmed samples; unchanged for "nothing"."""
    if detrend == "nothing":
        return samples
    counts = detrended(samples.counts, samples.positions, detrend)
    return replace(samples, counts=counts, outside=samples.outside[:0], outside_counts=samples.outside_counts[:0])


def events_without_trend(counts: pd.DataFrame, positions: np.ndarray, detrend: Detrend) -> pd.DataFrame:
    """`counts` of several events, one row per entry of `positions`, each `detrended` in the rows in which it was counted."""
    if detrend == "nothing":
        return counts
    found = counts.astype(float)
    for place in range(found.shape[1]):
        values = found.iloc[:, place].to_numpy(na_value=np.nan)
        inside = np.isfinite(values)
        found.isetitem(place, np.full(len(values), np.nan))
        found.iloc[inside, place] = detrended(values[inside], positions[inside], detrend)
    return found


def detrended(counts: Floats, positions: np.ndarray, detrend: Detrend) -> Floats:
    """`counts`, shape (n,), of the intervals `positions`, shape (n,), without their trend; they keep their mean.

    detrend: "line"; "curve", a polynomial of degree 3; "season", a line and a sine with its second harmonic. The trend and the levels are
    fitted together, by least squares and in turns with the change points of what remains: a step tilts a line that is fitted alone.
    Unchanged for "nothing", for fewer than 12 samples and for counts of one value.
    """
    if detrend == "nothing" or len(counts) < _FEWEST or counts.min() == counts.max():
        return counts
    smooth = _smooth(counts, positions - positions[0], detrend)
    rest, points, seen = counts, np.empty(0, dtype=int), set()
    for _ in range(_ROUNDS):
        # Within the segments, whose means are the levels.
        within = _without_means(np.column_stack([smooth, counts]), points)
        rest = counts - smooth @ np.linalg.lstsq(within[:, :-1], within[:, -1], rcond=None)[0]
        seen.add(tuple(points.tolist()))
        points = np.array(level_changes(rest), dtype=int)
        if tuple(points.tolist()) in seen:
            break
    unit = _ROUNDING * float(np.abs(counts).max())
    found: Floats = np.round((rest - rest.mean()) / unit) * unit + counts.mean()
    return found


def _without_means(columns: Floats, points: np.ndarray) -> Floats:
    starts = np.array([0, *points])
    lengths = np.diff([*starts, len(columns)])
    means: Floats = np.add.reduceat(columns, starts, axis=0) / lengths[:, None]
    return columns - np.repeat(means, lengths, axis=0)


def _smooth(counts: Floats, at: np.ndarray, detrend: Detrend) -> Floats:
    """The columns that are fitted, shape (n, columns), without a constant, which the levels have."""
    time = 2 * at / at[-1] - 1
    if detrend == "curve":
        return np.column_stack([time, time**2, time**3])
    if detrend == "line":
        return time[:, None]
    line = np.polyval(np.polyfit(time, counts, 1), time)
    every = np.interp(np.arange(at[-1] + 1), at, counts - line)
    period = season_of(every)
    if not np.isfinite(period):
        return time[:, None]
    turns = 2 * np.pi * at / period
    return np.column_stack([time, np.cos(turns), np.sin(turns), np.cos(2 * turns), np.sin(2 * turns)])
