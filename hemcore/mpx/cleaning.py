"""Cleaning of multiplexed runs before any estimate: incomplete runs, and tails (Wang et al. 2022, sections 2.2 and 2.3)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ParameterError
from hemcore.headline import percent
from hemcore.mpx.sampled import Flags, Floats, Places, rows_of

# Of the median distance from the local median, beyond which a count is an outlier (Hampel's rule); counts on either side; and of the
# run's usual count, less than which is nothing.
_FAR, _SIDE, _LEAST = 6.0, 5, 0.1


@dataclass(frozen=True, kw_only=True, eq=False)
class Cleaned:
    """A series without what was removed.

    series: what is left. removed: one row a thing removed: application, run, what ("run" or "tail"), slots (how many), why (words).
    Empty where nothing was.
    """

    series: CounterSeries
    removed: pd.DataFrame


REMOVED = ("application", "run", "what", "slots", "why")


def discard_incomplete_runs(runs: CounterSeries, min_share: float = 0.2) -> Cleaned:
    """The runs whose counts add up to at least `min_share` of the largest sum, for every event they are compared on.

    A run is compared with the other runs of its application, event by event, by its mean count a counted slot times its slots; it is
    discarded where the median of its shares is under min_share: one event alone that is rare in a run is no fault. Events that no
    run has a count above 0 of are not compared. Raises ParameterError unless 0 <= min_share <= 1.
    """
    if not 0 <= min_share <= 1:
        raise ParameterError(f"min_share: {min_share:g} must be from 0 to 1, a share of the largest run's counts.")
    rows = rows_of(runs.intervals)
    shares = run_shares(runs.counts.to_numpy(dtype=float, na_value=np.nan)[rows.order].T, rows.starts, [name for name, _ in rows.keys])
    dropped = np.flatnonzero(shares < min_share)
    lengths = np.diff(rows.starts)
    removed = [
        (
            *rows.keys[run],
            "run",
            int(lengths[run]),
            f"its counts are {percent(shares[run])} of the largest run's, under {percent(min_share)}",
        )
        for run in dropped.tolist()
    ]
    keep = np.ones(len(rows.order), dtype=bool)
    for run in dropped.tolist():
        keep[rows.order[rows.starts[run] : rows.starts[run + 1]]] = False
    return _without(runs, keep, removed)


def truncate_tail(series: CounterSeries, share: float = 0.02, steps: int = 5) -> Cleaned:
    """Each run without its last `share` of slots (rounded) and `steps` more: there, estimates go on where the program has ended.

    At least one slot of each run stays. Raises ParameterError unless 0 <= share < 1 and steps >= 0.
    """
    if not 0 <= share < 1:
        raise ParameterError(f"share: {share:g} must be from 0 to under 1, a share of the run's slots.")
    if steps < 0:
        raise ParameterError(f"steps: {steps} must be at least 0.")
    rows = rows_of(series.intervals)
    keep = np.ones(len(rows.order), dtype=bool)
    removed = []
    for run, cut in enumerate(tails(rows.starts, share, steps).tolist()):
        if cut:
            end = rows.starts[run + 1]
            keep[rows.order[end - cut : end]] = False
            removed.append((*rows.keys[run], "tail", cut, f"the last {percent(share)} and {steps} slots"))
    return _without(series, keep, removed)


def tails(starts: Places, share: float, steps: int) -> NDArray[np.int64]:
    """Slots to cut off each run, at most all but one."""
    lengths = np.diff(starts)
    cut: NDArray[np.int64] = np.minimum(np.rint(share * lengths).astype(np.int64) + steps, lengths - 1)
    return cut


def run_shares(values: Floats, starts: Places, applications: list[str]) -> Floats:
    """Of each run, the median over the events of its mean count times its slots, over the largest of its application; NaN without any."""
    known = ~np.isnan(values)
    counted = np.add.reduceat(known, starts[:-1], axis=1)
    sums = np.add.reduceat(np.where(known, values, 0.0), starts[:-1], axis=1)
    totals = np.where(counted > 0, sums / np.maximum(counted, 1) * np.diff(starts), np.nan)
    shares = np.full(len(starts) - 1, np.nan)
    names = np.array(applications, dtype=object)
    for name in dict.fromkeys(applications):
        own = names == name
        part = totals[:, own]
        largest = np.nanmax(np.where(np.isnan(part), 0.0, part), axis=1)
        part = part[largest > 0] / largest[largest > 0, None]
        usable = ~np.isnan(part).all(axis=0)
        median = np.full(own.sum(), np.nan)
        if len(part) and usable.any():
            median[usable] = np.nanmedian(part[:, usable], axis=0)
        shares[own] = median
    return shares


def outliers(counts: NDArray[np.float64]) -> Flags:
    """Which counts of one event in one run lie far from those around them; they are kept, and marked.

    counts: shape (slots,), NaN = hidden. Marked: the count differs from the median of the 11 counts around it by more than 6 of their
    median distances from it, by more than half of it, and by more than a tenth of the run's median count above 0 (Wang et al. 2022 keeps
    outliers: their cause is not known). False for hidden slots, and everywhere where there are fewer than 11 counts.
    """
    found = np.zeros(len(counts), dtype=bool)
    places = np.flatnonzero(~np.isnan(counts))
    width = 2 * _SIDE + 1
    if len(places) < width:
        return found
    values = counts[places]
    around = np.lib.stride_tricks.sliding_window_view(np.pad(values, _SIDE, mode="reflect"), width)
    middle = np.median(around, axis=1)
    distance = np.median(np.abs(around - middle[:, None]), axis=1)
    off = np.abs(values - middle)
    usual = float(np.median(values[values > 0])) if (values > 0).any() else 0.0
    found[places] = (off > _FAR * distance) & (off > middle / 2) & (off > _LEAST * usual)
    return found


def _without(series: CounterSeries, keep: Flags, removed: Sequence[tuple[object, ...]]) -> Cleaned:
    table = pd.DataFrame(removed, columns=list(REMOVED))
    return Cleaned(series=series if keep.all() else series.where(keep), removed=table)
