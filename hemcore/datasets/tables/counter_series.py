"""Counts of events over the intervals of runs, counted all the time (OCOE) or in turns (MPX)."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.datasets.tables.checks import (
    check_column_names,
    check_columns_present,
    check_counts,
    check_has_rows,
    check_no_missing,
    check_size,
    check_unique_rows,
    listed,
)
from hemcore.datasets.tables.typed_table import TypedTable
from hemcore.errors import TableError, UnknownNameError

KEYS = ("application", "run", "interval")
MODES = ("OCOE", "MPX")


def run_of(intervals: pd.DataFrame) -> pd.Series:
    """The number of each row's run, from 0 in order of first appearance; of millions of rows, texts are compared, not counted.

    intervals: columns application and run.
    """
    keys = [name for name in ("application", "run") if not bool((intervals[name] == intervals[name].iloc[:1].squeeze()).all())]
    return intervals.groupby(keys, sort=False).ngroup() if keys else pd.Series(np.zeros(len(intervals), np.int8), index=intervals.index)


def steps(values: pd.Series, run: pd.Series) -> pd.Series:
    """By how much each value is above the one before it in its run, NaN for the first of each. run: as run_of gives it."""
    codes = run.to_numpy()
    if values.dtype.kind not in "iuf" or bool((codes[1:] < codes[:-1]).any()):  # the rows of a run are apart
        return values.groupby(run).diff()
    found = values.diff()
    if codes.any():
        found.iloc[np.flatnonzero(codes[1:] != codes[:-1]) + 1] = np.nan
    return found


def beyond_gaps(distance: NDArray[np.float64], usual: NDArray[np.float64] | float) -> NDArray[np.bool_]:
    """Which rows follow a missing one: further from the row before than 1.5 times the usual distance, where more than three
    quarters of the distances are within a tenth of it; none in a series whose distances vary more.

    distance: shape (n,), NaN = not known.
    """
    with np.errstate(divide="ignore", invalid="ignore"):  # the same time again and again
        share = distance / usual
    known = share[np.isfinite(share)]
    if not len(known) or float((np.abs(known - 1) > 0.1).mean()) >= 0.25:
        return np.zeros(len(distance), dtype=bool)
    found: NDArray[np.bool_] = share > 1.5
    return found


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CounterSeries(TypedTable):
    """Intervals of one or more runs of one or more applications; row i of every frame is the same interval.

    intervals: which interval a row is: columns `application` (text), `run` (whole number) and `interval` (whole number, ascending
        within a run); further columns describe it (`stage`: what the program was doing, if known).
    counts: columns are events; counts per interval, at least 0, NaN = not counted.
    mode: "OCOE" (one counter, one event: nothing was time-sliced) or "MPX" (multiplexed).
    share: the fraction of its interval during which each value was counted, in [0, 1], the same columns as `counts`;
        None = always (1 where counted).
    interval_unit: what an interval is, as text ("10,000 basic blocks", "0.5 s").
    truth: the real counts, with the rows and columns of `counts`, NaN = not known, for judging estimates of a multiplexed series, which
        never
        use them; None if they are not known. With OCOE, `counts` are the truth.
    finer: the series that these counts are sums of, by core or thread (hardware_levels.at_level); None of a series as it was read; never
        stored.

    Raises TableError where one of these does not hold; at least one row and one event. The frames are copies.
    """

    intervals: pd.DataFrame
    counts: pd.DataFrame
    mode: Literal["OCOE", "MPX"]
    share: pd.DataFrame | None = None
    interval_unit: str = "interval"
    truth: pd.DataFrame | None = None
    finer: "CounterSeries | None" = None

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise TableError(f"mode: {self.mode!r} must be one of {listed(MODES)}.")
        check_has_rows(self.counts, "counts")
        check_column_names(self.counts.columns, "counts")
        check_counts(self.counts, "counts")
        check_column_names(self.intervals.columns, "intervals")
        check_columns_present(self.intervals, KEYS, "intervals")
        check_size(self.intervals, "intervals")
        if len(self.intervals) != len(self.counts):
            raise TableError(f"intervals: {len(self.intervals)} rows, but counts has {len(self.counts)}; row i of both is one interval.")
        keys = self.intervals[list(KEYS)]
        check_no_missing(keys, "intervals")
        intervals = self.intervals.reset_index(drop=True)
        apart = steps(intervals["interval"], run_of(intervals)).to_numpy()
        if bool((apart <= 0).any()):
            check_unique_rows(keys, "intervals")
        descending = apart < 0
        if descending.any():
            row = int(descending.argmax())
            interval = intervals["interval"][row]
            raise TableError(f"intervals: row {row + 1}: interval {interval} comes after a larger one. Sort each run by interval.")
        if self.share is not None:
            if list(self.share.columns) != list(self.counts.columns) or len(self.share) != len(self.counts):
                raise TableError("share: must have the rows and the columns of counts, in the same order.")
            check_counts(self.share, "share")
            over = (self.share > 1).to_numpy()
            if over.any():
                row, column = (int(place[0]) for place in over.nonzero())
                name, value = self.share.columns[column], self.share.to_numpy()[row, column]
                raise TableError(
                    f"share: column {name!r}, row {row + 1}: {value:g} must be at most 1."
                    " Give a fraction of the interval, not a percentage."
                )
            object.__setattr__(self, "share", self.share.reset_index(drop=True))
        if self.truth is not None:
            if list(self.truth.columns) != list(self.counts.columns) or len(self.truth) != len(self.counts):
                raise TableError("truth: must have the rows and the columns of counts, in the same order.")
            check_counts(self.truth, "truth")
            object.__setattr__(self, "truth", self.truth.reset_index(drop=True))
        object.__setattr__(self, "intervals", intervals)
        object.__setattr__(self, "counts", self.counts.reset_index(drop=True))

    @property
    def events(self) -> list[str]:
        """The events, in the order of the columns."""
        return list(self.counts.columns)

    @property
    def applications(self) -> list[str]:
        """The applications, in the order of first appearance."""
        return list(self._applications)

    @cached_property
    def _applications(self) -> tuple[str, ...]:
        return tuple(self.intervals["application"].unique())

    @cached_property
    def n_runs(self) -> int:
        """How many runs there are, of all applications together."""
        return len(self.intervals[["application", "run"]].drop_duplicates())

    def runs(self, application: str) -> list[int]:
        """The runs of `application`, in the order of first appearance; UnknownNameError when there is no such application."""
        chosen = self.intervals["application"] == application
        if not chosen.any():
            raise UnknownNameError(f"application: {application!r} is not in this series; it has {listed(self.applications)}.")
        return list(self.intervals.loc[chosen, "run"].unique())

    def run(self, application: str, run: int) -> "CounterSeries":
        """The series of one run alone; UnknownNameError when there is no such application or run."""
        runs = self.runs(application)
        if run not in runs:
            raise UnknownNameError(f"run: {run!r} is not a run of {application!r}; its runs are {listed(runs)}.")
        return self.where(((self.intervals["application"] == application) & (self.intervals["run"] == run)).to_numpy())

    def counted(self, mode: Literal["OCOE", "MPX"], share: float | None = None) -> "CounterSeries":
        """The same counts, read as counted all the time (OCOE) or in turns (MPX).

        share: of MPX, the fraction of its interval in (0, 1] in which each value was counted; None: only the blanks were not counted.
        Raises TableError for another mode or share.
        """
        if share is not None and not 0 < share <= 1:
            raise TableError(f"share: {share:g} must be above 0 and at most 1. Give a fraction of the interval.")
        shares = None if mode == "OCOE" or share is None else self.counts.notna() * share
        return replace(self, mode=mode, share=shares)

    def where(self, keep: NDArray[np.bool_]) -> "CounterSeries":
        """The series of the intervals that are kept, at least one; keep: shape (intervals,)."""
        return replace(
            self,
            intervals=self.intervals[keep],
            counts=self.counts[keep],
            share=None if self.share is None else self.share[keep],
            truth=None if self.truth is None else self.truth[keep],
        )
