"""A multiplexed series as estimators take it: one row per event, the runs one after the other, NaN where a slot is hidden."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pandas as pd
from numba import njit
from numpy.typing import NDArray

from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ParameterError

Floats = NDArray[np.float64]
Places = NDArray[np.int64]
Flags = NDArray[np.bool_]


class Gaps(NamedTuple):
    """What lies next to each slot, arrays of the shape of Sampled.counts.

    before, after: the counts of the last counted slot up to it and of the first one from it on; both are the nearest count at the ends of a
    run, where there is one on one side only, and the count itself in a counted slot. way: how far the slot is from the first to the
    second, in [0, 1); 0 in counted slots and at the ends. NaN where the run has no count of the event.
    """

    before: Floats
    after: Floats
    way: Floats


@dataclass(frozen=True, kw_only=True, eq=False)
class Sampled:
    """Counts of slots, some of them hidden.

    counts: shape (events, slots), counts per slot, at least 0, NaN = hidden. starts: shape (runs + 1,), ascending from 0 to slots: run r is
    the slots from starts[r] to starts[r + 1].
    """

    counts: Floats
    starts: Places

    @cached_property
    def hidden(self) -> Flags:
        """Which slots are hidden, the shape of counts."""
        return np.isnan(self.counts)

    @cached_property
    def gaps(self) -> Gaps:
        """What lies next to each slot; made once for all estimators."""
        found = Gaps(*(np.empty(self.counts.shape) for _ in range(3)))
        _look_aside(self.counts, self.starts, *found)
        return found


class Rows(NamedTuple):
    """Where the runs of a series are: order: its rows sorted by run, starts as Sampled.starts, keys: (application, run) of each run."""

    order: Places
    starts: Places
    keys: list[tuple[str, int]]


def rows_of(intervals: pd.DataFrame) -> Rows:
    """The runs of CounterSeries.intervals, in the order of first appearance."""
    groups = intervals.groupby(["application", "run"], sort=False)
    number = groups.ngroup().to_numpy()
    order = np.argsort(number, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(number))])
    first = intervals.iloc[order[starts[:-1]]]
    return Rows(order, starts, [(str(name), int(run)) for name, run in zip(first["application"], first["run"], strict=True)])


def matrix_of(frame: pd.DataFrame, order: Places | slice = slice(None)) -> Floats:
    """Rows `order` of a frame of a series, an event per row: shape (events, slots)."""
    return np.ascontiguousarray(frame.to_numpy(dtype=float, na_value=np.nan)[order].T)


def sampled_of(series: CounterSeries) -> tuple[Sampled, Rows]:
    """The counts of `series` as Sampled, and where its runs are. Raises ParameterError where every slot is hidden."""
    rows = rows_of(series.intervals)
    found = Sampled(counts=matrix_of(series.counts, rows.order), starts=rows.starts)
    if found.hidden.all():
        raise ParameterError("sampled: every slot is hidden, so there is nothing to estimate from. Is it the right file?")
    return found, rows


def with_estimates(sampled: CounterSeries, filled: Floats) -> CounterSeries:
    """`sampled` with `filled` as its counts (its rows and columns); its share says which were counted, its truth what was.

    Where it had none of either: a slot that has a count was counted all the time, and what an OCOE series counted is the truth.
    """
    columns = sampled.counts.columns
    return CounterSeries(
        intervals=sampled.intervals,
        counts=pd.DataFrame(filled, columns=columns),
        mode="MPX",
        share=sampled.share if sampled.share is not None else sampled.counts.notna().astype(float),
        interval_unit=sampled.interval_unit,
        truth=sampled.truth if sampled.truth is not None or sampled.mode == "MPX" else sampled.counts,
    )


@njit(cache=True)
def _look_aside(values: Floats, starts: Places, before: Floats, after: Floats, way: Floats) -> None:
    for event in range(values.shape[0]):
        for run in range(len(starts) - 1):
            first, end = starts[run], starts[run + 1]
            left = -1
            for slot in range(first, end):
                if np.isnan(values[event, slot]):
                    continue
                count = values[event, slot]
                old = values[event, left] if left >= 0 else count
                begin = left + 1 if left >= 0 else first
                for place in range(begin, slot):
                    before[event, place], after[event, place] = old, count
                    way[event, place] = (place - left) / (slot - left) if left >= 0 else 0.0
                before[event, slot] = after[event, slot] = count
                way[event, slot] = 0.0
                left = slot
            last = values[event, left] if left >= 0 else np.nan
            for place in range(left + 1 if left >= 0 else first, end):
                before[event, place] = after[event, place] = last
                way[event, place] = 0.0 if left >= 0 else np.nan
