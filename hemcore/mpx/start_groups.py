"""Totals that depend on where a rotation starts: the sign of a program that repeats with the rotation's period."""

from itertools import pairwise

import numpy as np
import pandas as pd

from hemcore.group_means import p_of_groups
from hemcore.mpx.sampled import Floats, Sampled

JUMPS = ("event", "low", "high")
# A false alarm in at most one series in a thousand, and no jump that nobody would mind.
_RISK, _LEAST = 1e-3, 0.2


def jumping_totals(sampled: Sampled, truth: Floats | None) -> pd.DataFrame:
    """The events whose run totals differ by the slot in which a run first counted them: JUMPS, largest jump first.

    low, high: the lowest and the highest mean total of the runs that start alike, relative to the mean of all, less 1. truth: shape
    (events, slots) of the same runs, by which each total is divided; None: not known. Only events counted every k slots, k the same in all
    runs, are looked at, and not those that are 0 in half of their counted slots: where a program counts only when it starts, any rotation
    gives such totals. A one-way analysis of variance of the totals per slot (of their logs where all are above 0, since longer inputs
    multiply them) by the first counted slot decides, at a risk of 0.1% for all events together; differences below 20% are left out, and
    those that the second halves of the runs do not have: a program that counts most in its first slots. Empty for one run, and where all
    runs start alike.
    """
    rows = []
    later = np.concatenate([np.arange(start, end) >= (start + end) // 2 for start, end in pairwise(sampled.starts.tolist())])
    for event, counts in enumerate(sampled.counts):
        seen = counts[~np.isnan(counts)]
        if not len(seen) or np.median(seen) <= 0:
            continue
        own = None if truth is None else truth[event]
        found = _means_and_starts(counts, own, sampled)
        half = _means_and_starts(np.where(later, counts, np.nan), None if own is None else np.where(later, own, np.nan), sampled)
        if found is None or half is None:
            continue
        between = _between(*found)
        judged = np.log(found[0]) if found[0].min() > 0 else found[0]
        lasting = np.ptp(_between(*half)) >= _LEAST
        if lasting and np.ptp(between) >= _LEAST and p_of_groups(judged, found[1]) < _RISK / len(sampled.counts):
            rows.append((event, float(between.min()), float(between.max())))
    rows.sort(key=lambda row: row[1] - row[2])
    return pd.DataFrame(rows, columns=list(JUMPS))


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
