"""What multiplexed counts give: frozen results, one class a view."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from hemcore.mpx.params import MpxParams
from hemcore.mpx.sampled import Flags, Floats, Places


@dataclass(frozen=True, kw_only=True, eq=False)
class RunCurves:
    """One run, seen, estimated and true.

    run: which. events: the rows of every matrix. positions: shape (slots,), the interval of each slot, counted from 0 at the start of the
    run. counted: shape (events, slots), which slots were really counted. estimates: method -> counts of every slot, shape
    (events, slots), counted ones as they are; NaN where the event was never counted. truth: the same shape, NaN = not known; None where
    nothing is. outliers: counted slots far off those around them; they are kept. n_slots: of the whole run, its tail included.
    """

    run: int
    events: tuple[str, ...]
    positions: Places
    counted: Flags
    estimates: dict[str, Floats]
    truth: Floats | None
    outliers: Flags
    n_slots: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Multiplexed:
    """One application's hidden counts, estimated and, where the truth is known, scored.

    curves: the run that is drawn. scores, ceiling: as Evaluation's, of the runs that are scored; both empty where no truth is known.
    by_method: their `means`, a row per method; by_event: a row per event and method.
    same_run: whether the truth is of the runs themselves; None: no truth. virtual: whether slots were hidden here, of a series that
    counted them; extrapolated: of values that the tool made up, for it had one for every slot. slots_per_count: k. chosen: which untrained
    estimator suits each event: event, method, sure (False: halfway to harmonic), and the ra, wa of that in the scored runs with every
    second count hidden as well, NaN where fewer than 20 counts above 0 were. jumps: the events whose totals depend on the first counted
    slot (`jumping_totals`, by name).
    not_corrected: why the trained model left parts of the runs to the untrained estimate. removed: as Cleaned.removed, of the whole
    application. runs: those that are scored; all_runs: how many there are. application: its name.
    """

    curves: RunCurves
    scores: pd.DataFrame
    by_method: pd.DataFrame
    by_event: pd.DataFrame
    ceiling: pd.DataFrame
    chosen: pd.DataFrame
    jumps: pd.DataFrame
    not_corrected: tuple[str, ...]
    removed: pd.DataFrame
    application: str
    runs: tuple[int, ...]
    all_runs: int
    same_run: bool | None
    virtual: bool
    extrapolated: bool
    slots_per_count: float
    unit: str
    params: MpxParams

    def of(self, method: str) -> dict[str, float]:
        """The means of one method: ra, wa, total, off, series, left_out; empty where nothing is scored."""
        rows = self.by_method[self.by_method["method"] == method]
        if not len(rows):
            return {}
        return {str(name): float(value) for name, value in rows.iloc[0].drop("method").items()}

    @property
    def scored_events(self) -> pd.DataFrame:
        """The rows of by_event by params.method that have a score; empty where the truth is not known."""
        return self.by_event[(self.by_event["method"] == self.params.method) & self.by_event["ra"].notna()]

    @property
    def expected_ra(self) -> float:
        """RA of what is chosen where every second count is hidden as well, mean over events; NaN if none has a score."""
        return float(self.chosen["ra"].mean())

    @property
    def perfect(self) -> tuple[float, float]:
        """(RA, WA) of perfect counts against another OCOE run; NaN if there is none."""
        return (float(self.ceiling["ra"].mean()), float(self.ceiling["wa"].mean())) if len(self.ceiling) else (np.nan, np.nan)

    @cached_property
    def telling(self) -> tuple[str, ...]:
        """The events that say most when few are shown: the chosen one, then by their RA the middle one, the worst and the best.

        Without a truth: the chosen one, then the events of the run in their order, those with hidden counts first.
        """
        ranked = [str(name) for name in self.scored_events.sort_values("ra", kind="stable")["event"]]
        first = [ranked[len(ranked) // 2], ranked[0], ranked[-1]] if ranked else []
        by_hidden = sorted(zip(self.curves.events, self.curves.counted, strict=True), key=lambda each: bool(each[1].all()))
        seen = [name for name, counted in by_hidden if counted.any()]
        every = dict.fromkeys([*([self.params.event] if self.params.event else []), *first, *seen])
        return tuple(name for name in every if name in seen)

    @property
    def estimated(self) -> pd.DataFrame:
        """One row per event and slot of the run that is drawn: run, interval (from 0), event, counted, estimate (by params.method) and,
        where it is known everywhere, ocoe. Without the events that the run never counted."""
        curves = self.curves
        values = curves.estimates[self.params.method]
        known = ~np.isnan(values)
        event, slot = np.nonzero(known)
        table = pd.DataFrame(
            {
                "run": curves.run,
                "interval": curves.positions[slot],
                "event": np.array(curves.events, dtype=object)[event],
                "counted": curves.counted[known],
                "estimate": values[known],
            }
        )
        if curves.truth is not None and not np.isnan(curves.truth[known]).any():
            table["ocoe"] = curves.truth[known]
        return table


@dataclass(frozen=True, kw_only=True, eq=False)
class WhatIf:
    """Accuracy against k: what would be lost with fewer counters.

    rows: one row a k and method: slots_per_count, method, and the columns of `means`; of trained models at their own k alone. runs: how
    many were scored.
    """

    rows: pd.DataFrame
    application: str
    runs: int
    params: MpxParams


@dataclass(frozen=True, kw_only=True, eq=False)
class Aligned:
    """An estimated curve beside the true one, each free to wait for the other.

    event, run, method: whose. estimate, truth: shape (slots,), log10(1 + count). path: shape (steps, 2), which slot of the estimate stands
    beside which of the truth. cost: the DTW-cost, the sum of what is between them along the path. apart: the same without waiting.
    """

    event: str
    run: int
    method: str
    estimate: Floats
    truth: Floats
    path: Places
    cost: float
    params: MpxParams

    @property
    def apart(self) -> float:
        """The sum of |estimate - truth| slot by slot, in the same logs."""
        return float(np.abs(self.estimate - self.truth).sum())

    @property
    def late(self) -> Floats:
        """For each slot of the truth, shape (slots,), how many slots later the matching ones of the estimate are, on average."""
        shift, at = self.path[:, 0] - self.path[:, 1], self.path[:, 1]
        return np.bincount(at, weights=shift, minlength=len(self.truth)) / np.maximum(1, np.bincount(at, minlength=len(self.truth)))

    @property
    def longest_wait(self) -> int:
        """The most slots that one side is ahead of the other along the path."""
        return int(np.abs(self.path[:, 0] - self.path[:, 1]).max())
