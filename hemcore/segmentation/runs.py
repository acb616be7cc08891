"""Series of a counter table as a segmentation takes them: one event of one run, what was not counted left out, ends trimmed."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.datasets.checks import listed
from hemcore.datasets.counter_series import CounterSeries
from hemcore.errors import ParameterError, UnknownNameError


@dataclass(frozen=True, kw_only=True, eq=False)
class RunSamples:
    """The counted samples of one event in one run.

    run: which run. counts: shape (n,), counts an interval. positions: shape (n,), the interval of each sample, counted from 0 at the start
    of the run (before trimming), ascending. n_intervals: intervals of the whole run. not_counted: how many of those between the trims were
    not counted and are left out.
    boundaries: places among the samples at which a new stage begins, where the data knows them; None: it does not.
    stages: the name of each stage, one more than boundaries; empty where not known.
    edges: shape (n_intervals + 1,), s, where interval i reaches from edges[i] to edges[i + 1]; None where the data has no times.
    outside, outside_counts: positions and counts of the counted samples that the trims leave out.
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
        """The interval at which the sample at each place begins; place n is the interval after the last sample."""
        return np.append(self.positions, self.positions[-1] + 1)[np.asarray(places, dtype=np.int64)]

    def seconds(self, places: Sequence[int] | NDArray[np.int64]) -> NDArray[np.float64] | None:
        """`interval` in s from the start of the run; None where the data has no times."""
        return None if self.edges is None else self.edges[self.interval(places)]


def application_runs(table: CounterSeries, application: str, event: str, *, trim_head: int = 0, trim_tail: int = 0) -> list[RunSamples]:
    """The samples of `event` in every run of `application` that counted it, in the order of the table.

    Raises UnknownNameError for an unknown application or event, ParameterError where no run has a sample left.
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
    if not found:
        trimmed = f" once {trim_head:,} intervals are trimmed at the head and {trim_tail:,} at the tail" if trim_head or trim_tail else ""
        raise ParameterError(
            f"{application}: {event!r} was counted in no interval of its {len(runs)} run(s){trimmed}. Choose another event, or trim less."
        )
    return found


def run_samples(table: CounterSeries, application: str, event: str, run: int, *, trim_head: int = 0, trim_tail: int = 0) -> RunSamples:
    """The samples of `event` in one run. Raises as application_runs, and UnknownNameError when that run has none."""
    runs = application_runs(table, application, event, trim_head=trim_head, trim_tail=trim_tail)
    for each in runs:
        if each.run == run:
            return each
    raise UnknownNameError(
        f"run: {run} of {application!r} has no counted interval of {event!r}; runs that have: {listed(each.run for each in runs)}."
    )


def events_of(table: CounterSeries, application: str) -> list[str]:
    """The events that some run of `application` counted. Raises UnknownNameError when there is no such application."""
    table.runs(application)
    counted = table.counts[(table.intervals["application"] == application).to_numpy()].notna().any()
    return [event for event in table.events if counted[event]]


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
        edges=_edges(times),
    )


def _edges(times: NDArray | None) -> NDArray[np.float64] | None:
    """Times are ends of intervals; the first interval is as long as the usual one, and begins at 0 or later."""
    if times is None or len(times) == 0:
        return None
    ends = times.astype(float)
    if not np.isfinite(ends).all():
        return None
    usual = float(np.median(np.diff(ends))) if len(ends) > 1 else ends[0]
    return np.concatenate([[max(0.0, ends[0] - usual)], ends])
