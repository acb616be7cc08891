"""Samples to segment: one event of one run, without intervals that were not counted and without the trimmed ends."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.datasets.tables.checks import listed
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ParameterError, UnknownNameError
from hemcore.headline import counted_noun

# Time without a reading is a gap if it is longer than this many usual intervals.
_GAP = 5.0
# A run that starts later than this many times its own length was timed by a clock, not a stopwatch.
_CLOCK = 10.0
_shapes: WeakKeyDictionary[CounterSeries, dict[str, "ApplicationShape"]] = WeakKeyDictionary()


@dataclass(frozen=True, kw_only=True, eq=False)
class RunSamples:
    """The counted samples of one event in one run.

    run: its number. counts: shape (n,), counts per interval. positions: shape (n,), the interval of each sample, counted from 0 at the
    start of the run (before trimming), ascending. n_intervals: intervals of the whole run. not_counted: how many intervals between the
    trims were not counted and are left out.
    boundaries: indices of the samples at which a new stage begins; None if the data has no stages.
    stages: the name of each stage, one more than boundaries; empty if the data has none.
    edges: shape (n_intervals + 1,), in s from the start of the run: interval i lasts from edges[i] to edges[i + 1]; None if a run of the
        application has no times, or times that do not ascend.
    outside, outside_counts: positions and counts of the counted samples that are trimmed.
    """

    run: int
    counts: NDArray[np.float64]
    positions: NDArray[np.int64]
    n_intervals: int
    not_counted: int
    boundaries: tuple[int, ...] | None
    stages: tuple[str, ...]
    edges: NDArray[np.float64] | None
    outside: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    outside_counts: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))

    def interval(self, places: Sequence[int] | NDArray[np.int64]) -> NDArray[np.int64]:
        """The interval of the sample at each index; for index n the interval after the last sample."""
        return np.append(self.positions, self.positions[-1] + 1)[np.asarray(places, dtype=np.int64)]

    def interval_end(self, places: Sequence[int] | NDArray[np.int64]) -> NDArray[np.int64]:
        """The interval after the sample before each index (1 to n): the end of a segment up to that index."""
        return self.positions[np.asarray(places, dtype=np.int64) - 1] + 1

    def seconds(self, places: Sequence[int] | NDArray[np.int64]) -> NDArray[np.float64] | None:
        """Start of the sample at each index, in s from the start of the run; for index n the end of the last sample. None without times.

        After a gap in the times a sample starts one usual interval before its end, not at the end of the previous sample.
        """
        if self._begins is None or self.edges is None:
            return None
        begins = np.append(self._begins[self.positions], self.edges[self.positions[-1] + 1])
        return begins[np.asarray(places, dtype=np.int64)]

    def seconds_end(self, places: Sequence[int] | NDArray[np.int64]) -> NDArray[np.float64] | None:
        """End of the sample before each index (1 to n), in s: the end of a segment up to that index. None without times."""
        return None if self.edges is None else self.edges[self.interval_end(places)]

    @cached_property
    def time_gaps(self) -> tuple[int, ...]:
        """Indices of the samples before which more than five usual intervals of time were lost. Empty without times."""
        if self.edges is None or self._begins is None or len(self.positions) < 2:
            return ()
        lost = self._begins[self.positions[1:]] - self.edges[self.positions[:-1] + 1]
        return tuple((np.flatnonzero(lost > _GAP * self._usual) + 1).tolist())

    @cached_property
    def _usual(self) -> float:
        return 0.0 if self.edges is None else float(np.median(np.diff(self.edges)))

    @cached_property
    def _begins(self) -> NDArray[np.float64] | None:
        if self.edges is None:
            return None
        long = np.diff(self.edges) > _GAP * self._usual
        return np.where(long, self.edges[1:] - self._usual, self.edges[:-1])


def application_runs(table: CounterSeries, application: str, event: str, *, trim_head: int = 0, trim_tail: int = 0) -> list[RunSamples]:
    """The samples of `event` in every run of `application` that counted it, in the order of the table.

    Raises UnknownNameError for an unknown application or event, ParameterError if no run has a sample left.
    """
    if event not in table.events:
        raise UnknownNameError(f"event: {event!r} is not in this series; it has {listed(table.events)}.")
    runs = table.runs(application)
    chosen = (table.intervals["application"] == application).to_numpy()
    intervals = table.intervals[chosen]
    values = table.counts[event].to_numpy(dtype=float, na_value=np.nan)[chosen]
    run_of = intervals["run"].to_numpy()
    times = intervals["time"].to_numpy(dtype=float) if "time" in intervals.columns else None
    stages, names = None, np.empty(0, dtype=object)
    if "stage" in intervals.columns:
        stages, names = pd.factorize(intervals["stage"].fillna("").astype(str).to_numpy(dtype=object))
    found = []
    for run in runs:
        rows = np.flatnonzero(run_of == run)
        part = _samples(
            int(run),
            values[rows],
            None if stages is None else stages[rows],
            names,
            None if times is None else times[rows],
            trim_head,
            trim_tail,
        )
        if len(part.counts):
            found.append(part)
    if len({each.edges is None for each in found}) > 1:
        # Intervals of one run and seconds of another must not share an axis.
        found = [replace(each, edges=None) for each in found]
    if not found:
        trimmed = f" after trimming {trim_head:,} intervals at the head and {trim_tail:,} at the tail" if trim_head or trim_tail else ""
        raise ParameterError(
            f"{application}: {event!r} was counted in no interval of its {counted_noun(len(runs), 'run')}{trimmed}."
            " Choose another event, or trim less."
        )
    return found


def run_samples(table: CounterSeries, application: str, event: str, run: int, *, trim_head: int = 0, trim_tail: int = 0) -> RunSamples:
    """The samples of `event` in one run. Raises as application_runs does, and UnknownNameError if that run has none."""
    runs = application_runs(table, application, event, trim_head=trim_head, trim_tail=trim_tail)
    for each in runs:
        if each.run == run:
            return each
    trimmed = f" after trimming {trim_head:,} at the head and {trim_tail:,} at the tail" if trim_head or trim_tail else ""
    raise UnknownNameError(
        f"run: {run} of {application!r} has no counted interval of {event!r}{trimmed}; runs that have: {listed(each.run for each in runs)}."
    )


@dataclass(frozen=True, kw_only=True)
class ApplicationShape:
    """An application's runs: their numbers, their lengths in intervals (aligned), and the events that at least one run counted."""

    runs: tuple[int, ...]
    lengths: tuple[int, ...]
    events: tuple[str, ...]


def application_shape(table: CounterSeries, application: str) -> ApplicationShape:
    """The shape of `application`, cached with its table. Raises UnknownNameError if there is no such application."""
    known = _shapes.setdefault(table, {})
    if application not in known:
        known[application] = _shape(table, application)
    return known[application]


def _shape(table: CounterSeries, application: str) -> ApplicationShape:
    runs = table.runs(application)
    chosen = (table.intervals["application"] == application).to_numpy()
    lengths = table.intervals.loc[chosen, "run"].value_counts()
    counted = table.counts[chosen].notna().any()
    return ApplicationShape(
        runs=tuple(int(run) for run in runs),
        lengths=tuple(int(lengths[run]) for run in runs),
        events=tuple(event for event in table.events if counted[event]),
    )


def events_of(table: CounterSeries, application: str) -> list[str]:
    """The events that at least one run of `application` counted. Raises UnknownNameError if there is no such application."""
    return list(application_shape(table, application).events)


def _samples(
    run: int, values: NDArray[np.float64], stages: NDArray | None, names: NDArray, times: NDArray | None, head: int, tail: int
) -> RunSamples:
    inside = slice(head, max(head, len(values) - tail))
    counted = np.isfinite(values)
    positions = np.flatnonzero(counted[inside]) + head
    counted[inside] = False
    outside = np.flatnonzero(counted)
    boundaries: tuple[int, ...] | None = None
    passed: tuple[str, ...] = ()
    if stages is not None and len(positions):
        known = stages[positions]
        begins = np.flatnonzero(np.diff(known)) + 1
        boundaries = tuple(begins.tolist())
        passed = tuple(names[known[[0, *boundaries]]])
    return RunSamples(
        run=run,
        counts=values[positions],
        positions=positions,
        n_intervals=len(values),
        not_counted=len(values[inside]) - len(positions),
        outside=outside,
        outside_counts=values[outside],
        boundaries=boundaries,
        stages=passed,
        edges=interval_edges(times),
    )


def interval_edges(times: NDArray | None) -> NDArray[np.float64] | None:
    """Edges of intervals from their end times; None without times that ascend.

    The first interval has the usual length and starts at 0 or later; a run timed by a clock starts at 0.
    """
    if times is None or len(times) == 0:
        return None
    ends = times.astype(float)
    apart = np.diff(ends)
    if not np.isfinite(ends).all() or (apart <= 0).any():
        return None
    usual = float(np.median(apart)) if len(ends) > 1 else abs(float(ends[0]))
    edges = np.concatenate([[min(ends[0], max(0.0, ends[0] - usual))], ends])
    return edges - edges[0] if edges[0] < 0 or edges[0] > _CLOCK * (ends[-1] - edges[0]) else edges
