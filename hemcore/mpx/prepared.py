"""The runs of one application, cleaned and with k slots per count, as all analyses use them."""

from collections import OrderedDict
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd

from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ParameterError, Remedy, UnknownNameError
from hemcore.headline import percent
from hemcore.mpx.cleaning import REMOVED, run_shares, tails
from hemcore.mpx.counted_share import measured
from hemcore.mpx.params import MpxParams
from hemcore.mpx.sampled import Floats, Places, Sampled, matrix_of, rows_of
from hemcore.mpx.virtual import counted_slots

USUAL_SLOTS_PER_COUNT = 4
_REMEMBERED = 4


@dataclass(frozen=True, kw_only=True, eq=False)
class Prepared:
    """The runs of `application` that are estimated.

    runs: their numbers. rows: the rows of the table that are left, run by run, in the order of `sampled`. sampled: what is seen of them,
    (events, slots). truth: the same shape, NaN = not known; None where nothing is. same_run: whether the truth is of the runs themselves;
    False: of other runs; None: no truth. virtual: whether slots were hidden here, of counts that are known. extrapolated: whether they
    were hidden here, of values that the tool made up. slots_per_count: of an event, on average. removed: as Cleaned.removed.
    ends: shape (runs,), slots of each run before its tail was cut off.
    """

    application: str
    runs: tuple[int, ...]
    events: tuple[str, ...]
    rows: Places
    sampled: Sampled
    truth: Floats | None
    same_run: bool | None
    virtual: bool
    extrapolated: bool
    slots_per_count: float
    removed: pd.DataFrame
    ends: Places

    def series(self, table: CounterSeries) -> CounterSeries:
        """What is seen, as a series of its own, for estimators that take one."""
        counts = pd.DataFrame(self.sampled.counts.T, columns=list(self.events))
        share = counts.notna().astype(float) if self.virtual or self.extrapolated or table.share is None else table.share.iloc[self.rows]
        truth = None if self.truth is None else pd.DataFrame(self.truth.T, columns=list(self.events))
        intervals = table.intervals.iloc[self.rows]
        return CounterSeries(intervals=intervals, counts=counts, mode="MPX", share=share, interval_unit=table.interval_unit, truth=truth)


@dataclass(frozen=True, kw_only=True, eq=False)
class _Taken:
    """The part of an application that does not depend on k."""

    runs: tuple[int, ...]
    numbers: tuple[int, ...]  # of the runs that are left, among all of the application
    rows: Places
    starts: Places
    counts: Floats
    truth: Floats | None
    removed: pd.DataFrame
    ends: Places


_taken: WeakKeyDictionary[CounterSeries, "OrderedDict[object, _Taken]"] = WeakKeyDictionary()
_prepared: WeakKeyDictionary[CounterSeries, "OrderedDict[object, Prepared]"] = WeakKeyDictionary()


def named(table: CounterSeries, params: MpxParams) -> MpxParams:
    """`params` with the application filled in where it is empty: the first. Raises UnknownNameError for one that is not there."""
    resolved = params if params.application else params.but(application=str(table.applications[0]))
    if resolved.application not in table.applications:
        table.runs(resolved.application)
    return resolved


def prepare(table: CounterSeries, params: MpxParams, *, only: int | None = None) -> Prepared:
    """The application of `params` at its k, as many runs as params.most_runs says; the last few are remembered with their table.

    only: this run alone, whichever are scored.

    Raises UnknownNameError for an unknown application, ParameterError where no run or no hidden slot is left, or k does not fit.
    """
    resolved = named(table, params)
    key = (*_cleaning_of(resolved), resolved.slots_per_count, resolved.start, resolved.most_runs, only)
    known = _prepared.setdefault(table, OrderedDict())
    if key not in known:
        taken = _take(table, resolved)
        known[key] = _at(table, resolved, _part(taken, _chosen(taken, resolved, only)))
        if len(known) > _REMEMBERED:
            known.popitem(last=False)
    return known[key]


def _cleaning_of(params: MpxParams) -> tuple[object, ...]:
    """What _Taken depends on."""
    return params.application, params.tail, params.tail_share, params.tail_steps, params.min_share


def _take(table: CounterSeries, params: MpxParams) -> _Taken:
    known, key = _taken.setdefault(table, OrderedDict()), _cleaning_of(params)
    if key not in known:
        known[key] = _read(table, params)
        if len(known) > _REMEMBERED:
            known.popitem(last=False)
    return known[key]


def _read(table: CounterSeries, params: MpxParams) -> _Taken:
    own = np.flatnonzero((table.intervals["application"] == params.application).to_numpy())
    rows = rows_of(table.intervals.iloc[own])
    runs = [run for _, run in rows.keys]
    order = own[rows.order]
    values = matrix_of(table.counts, order)
    truth = None if table.truth is None else matrix_of(table.truth, order)
    removed = []
    lengths = np.diff(rows.starts)
    shares = run_shares(values, rows.starts, [params.application] * len(runs))
    gone = set(np.flatnonzero(shares < params.min_share).tolist())
    for run in sorted(gone):
        why = f"its counts are {percent(shares[run])} of the largest run's, under {percent(params.min_share)}"
        removed.append((params.application, runs[run], "run", int(lengths[run]), why))
    share, steps = {"last slot": (0.0, 1), "paper": (params.tail_share, params.tail_steps), "nothing": (0.0, 0)}[params.tail]
    cuts = tails(rows.starts, share, steps)
    places, kept = [], []
    for run, (start, end) in enumerate(zip(rows.starts[:-1].tolist(), rows.starts[1:].tolist(), strict=True)):
        if run in gone:
            continue
        if cuts[run]:
            why = "the last slot is partial" if params.tail == "last slot" else f"the last {percent(share)} and {steps} slots"
            removed.append((params.application, runs[run], "tail", int(cuts[run]), why))
        places.append(np.arange(start, end - cuts[run]))
        kept.append(run)
    chosen = np.concatenate(places)
    return _Taken(
        runs=tuple(runs[run] for run in kept),
        numbers=tuple(kept),
        rows=order[chosen],
        starts=np.concatenate([[0], np.cumsum([len(each) for each in places])]),
        counts=np.ascontiguousarray(values[:, chosen]),
        truth=None if truth is None else np.ascontiguousarray(truth[:, chosen]),
        removed=pd.DataFrame(removed, columns=list(REMOVED)),
        ends=lengths[kept],
    )


def _chosen(taken: _Taken, params: MpxParams, only: int | None) -> list[int]:
    """Which of the runs: `only`, else params.most_runs evenly chosen. Raises UnknownNameError where `only` is none of them."""
    n, most = len(taken.runs), params.most_runs
    if only is None:
        return list(range(n)) if not most or n <= most else np.unique(np.linspace(0, n - 1, most).round().astype(int)).tolist()
    if only not in taken.runs:
        few = ", ".join(str(each) for each in taken.runs[:8])
        raise UnknownNameError(f"run: {only} of {params.application!r} is not there, or was discarded; the runs are {few}.")
    return [taken.runs.index(only)]


def _part(taken: _Taken, runs: list[int]) -> _Taken:
    """These runs alone; what was removed is reported for all."""
    if len(runs) == len(taken.runs):
        return taken
    lengths = np.diff(taken.starts)[runs]
    places = np.concatenate([np.arange(taken.starts[run], taken.starts[run + 1]) for run in runs])
    return replace(
        taken,
        runs=tuple(taken.runs[run] for run in runs),
        numbers=tuple(taken.numbers[run] for run in runs),
        rows=taken.rows[places],
        starts=np.concatenate([[0], np.cumsum(lengths)]),
        counts=np.ascontiguousarray(taken.counts[:, places]),
        truth=None if taken.truth is None else np.ascontiguousarray(taken.truth[:, places]),
        ends=taken.ends[runs],
    )


def _at(table: CounterSeries, params: MpxParams, taken: _Taken) -> Prepared:
    truth, k = taken.truth, params.slots_per_count
    share = None if table.mode == "OCOE" else measured(table)
    extrapolated = share is not None and share.extrapolated
    virtual = share is None or bool(k and truth is not None and not extrapolated)
    if share is None:
        truth = taken.counts
    elif extrapolated:
        k = k or share.whole(len(table.events))
        if not k:
            few = min(USUAL_SLOTS_PER_COUNT, len(table.events))
            remedies = [Remedy(label=f"1 in {few}", choose={"slots_per_count": few})] if few > 1 else []
            raise ParameterError(_nothing_hidden(table, params, k), remedies=remedies)
    elif k and not virtual:
        raise ParameterError(
            f"slots_per_count: {k} cannot be tried: the series is multiplexed and its truth is not known. Choose 0, or an OCOE series.",
            remedies=[Remedy(label="As measured", choose={"slots_per_count": 0})],
        )
    hidden_here = truth if virtual else taken.counts if extrapolated else None
    if hidden_here is not None:
        k = k or min(USUAL_SLOTS_PER_COUNT, len(table.events))
        seen = np.where(_schedule(table, params, taken, k), hidden_here, np.nan)
        # What was never counted is no truth, and hides nothing.
        sampled, known = Sampled(counts=seen, starts=taken.starts), ~np.isnan(hidden_here)
        slots_per_count = float(k)
    else:
        sampled, known = Sampled(counts=taken.counts, starts=taken.starts), None
        counted = ~sampled.hidden
        ever = counted.any(axis=1)
        if not ever.any():
            raise ParameterError(f"counts: every slot of {params.application!r} is hidden; nothing can be estimated. Is it the right file?")
        slots_per_count = float(1 / counted[ever].mean())
    hidden = sampled.hidden if known is None else sampled.hidden & known
    if not hidden.any():
        raise ParameterError(_nothing_hidden(table, params, k))
    same = None if truth is None else virtual or _agrees(sampled.counts, truth)
    return Prepared(
        application=params.application,
        runs=taken.runs,
        events=tuple(table.events),
        rows=taken.rows,
        sampled=sampled,
        truth=truth,
        same_run=same,
        virtual=virtual,
        extrapolated=extrapolated,
        slots_per_count=slots_per_count,
        removed=taken.removed,
        ends=taken.ends,
    )


def _schedule(table: CounterSeries, params: MpxParams, taken: _Taken, k: int) -> np.ndarray:
    n_events = len(table.events)
    if k > n_events:
        raise ParameterError(
            f"slots_per_count: {k} does not fit {n_events} events: each slot would have to count one. Choose at most {n_events}.",
            remedies=[Remedy(label=f"1 in {n_events}", choose={"slots_per_count": n_events})] if n_events > 1 else [],
        )
    parts = [
        counted_slots(length, n_events, k, start=params.start + number).T
        for length, number in zip(np.diff(taken.starts).tolist(), taken.numbers, strict=True)
    ]
    return np.concatenate(parts, axis=1)


def _nothing_hidden(table: CounterSeries, params: MpxParams, k: int) -> str:
    if table.mode == "MPX" and not k:
        return (
            f"counts: no slot of {params.application!r} is hidden: the values are already a tool's estimates, and the file does not "
            "record how often an event was counted. Choose the slots per count, or an OCOE series."
        )
    if len(table.events) == 1:
        return "counts: a single event cannot be multiplexed. Choose a series with several events."
    many = "1 slot" if k == 1 else f"{k} slots"
    return f"slots_per_count: with {many} per count nothing is hidden in {params.application!r}. Choose more, or longer runs."


def _agrees(values: Floats, truth: Floats) -> bool:
    """Whether the counts that were seen are those of the truth, so that it is of the same runs."""
    both = ~np.isnan(values) & ~np.isnan(truth)
    return bool(both.any() and (np.abs(values[both] - truth[both]) <= 1e-9 * truth[both]).all())


def first_run(table: CounterSeries, params: MpxParams) -> int:
    """The first run of the application that is left. Raises as `prepare`."""
    return _take(table, named(table, params)).runs[0]
