"""Totals that depend on where a rotation starts: the sign of a program that repeats with the rotation's period."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pandas as pd

from hemcore.group_means import p_of_groups
from hemcore.mpx.sampled import Floats, Sampled

JUMPS = ("event", "low", "high")
# A false alarm in at most one series in a thousand, and no jump that nobody would mind.
_RISK, _LEAST = 1e-3, 0.2
# So many events tell how large a run's input was.
_FEWEST_EVENTS = 4


def jumping_totals(sampled: Sampled, truth: Floats | None) -> pd.DataFrame:
    """The events whose run totals differ by the slot in which a run first counted them: JUMPS, largest jump first.

    low, high: the lowest and the highest mean total of the runs that start alike, relative to the mean of all, less 1. truth: shape
    (events, slots) of the same runs, by which each total is divided; None: not known. Only events counted every k slots, k the same in all
    runs, are looked at, and not those that are 0 in half of their counted slots: where a program counts only when it starts, any rotation
    gives such totals. A one-way analysis of variance of the totals per slot (of their logs where all are above 0, since longer inputs
    multiply them) by the first counted slot decides, at a risk of 0.1% for all events together; differences below 20% are left out, and
    those that the second halves of the runs do not have: a program that counts most in its first slots. Without a truth, and with four
    events or more, totals are also judged relative to their run's size, the median of all events. Empty for one run, and where all runs
    start alike.
    """
    runs = len(sampled.starts) - 1
    later = np.concatenate([np.arange(start, end) >= (start + end) // 2 for start, end in pairwise(sampled.starts.tolist())])
    known: dict[int, tuple[tuple[Floats, Floats], tuple[Floats, Floats]]] = {}
    for event, counts in enumerate(sampled.counts):
        seen = counts[~np.isnan(counts)]
        if not len(seen) or np.median(seen) <= 0:
            continue
        own = None if truth is None else truth[event]
        found = _means_and_starts(counts, own, sampled)
        half = _means_and_starts(np.where(later, counts, np.nan), None if own is None else np.where(later, own, np.nan), sampled)
        if found is not None and half is not None:
            known[event] = found, half
    ways: list[tuple[Floats, Floats] | None] = [None]
    if truth is None:
        sizes, later_sizes = (_sizes([each[part][0] for each in known.values()], runs) for part in (0, 1))
        if sizes is not None and later_sizes is not None:
            ways.append((sizes, later_sizes))
    rows = []
    for event, (found, half) in known.items():
        for way in ways:
            if way is not None and (len(found[0]) != runs or len(half[0]) != runs):
                continue
            means, last = (found[0], half[0]) if way is None else (found[0] / way[0], half[0] / way[1])
            between = _between(means, found[1])
            judged = np.log(means) if means.min() > 0 else means
            lasting = np.ptp(_between(last, half[1])) >= _LEAST
            if lasting and np.ptp(between) >= _LEAST and p_of_groups(judged, found[1]) < _RISK / len(sampled.counts) / len(ways):
                rows.append((event, float(between.min()), float(between.max())))
                break
    rows.sort(key=lambda row: row[1] - row[2])
    return pd.DataFrame(rows, columns=list(JUMPS))


def _sizes(means: Sequence[Floats], runs: int) -> Floats | None:
    """How much more or less than usual each run counts, the median over the events whose means, shape (runs,), are all above 0; None for
    fewer than four such events."""
    logs = [np.log(each) for each in means if len(each) == runs and each.min() > 0]
    if len(logs) < _FEWEST_EVENTS:
        return None
    sizes: Floats = np.exp(np.median([each - each.mean() for each in logs], axis=0))
    return sizes


def _between(means: Floats, starts: Floats) -> Floats:
    """The mean of the runs that start alike, relative to the mean of all, less 1."""
    return np.array([means[starts == start].mean() for start in np.unique(starts)]) / means.mean() - 1


def _means_and_starts(counts: Floats, truth: Floats | None, sampled: Sampled) -> tuple[Floats, Floats] | None:
    """(mean count a counted slot, relative to the true one where known; first counted slot modulo k) of each run; None if irregular."""
    means, starts, apart = [], [], set()
    for start, end in zip(sampled.starts[:-1].tolist(), sampled.starts[1:].tolist(), strict=True):
        places = np.flatnonzero(~np.isnan(counts[start:end]))
        if len(places) < 2:
            continue
        apart |= set(np.diff(places).tolist())
        mean = float(counts[start:end][places].mean())
        true = 1.0 if truth is None else float(np.nanmean(truth[start:end])) if not np.isnan(truth[start:end]).all() else 0.0
        if true > 0:
            means.append(mean / true)
            starts.append(int(places[0]))
    if len(apart) != 1 or min(apart) < 2 or sum(means) <= 0:
        return None
    groups = np.array(starts, dtype=float) % min(apart)
    return (np.array(means), groups) if len(set(groups)) > 1 else None
