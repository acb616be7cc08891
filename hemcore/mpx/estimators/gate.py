"""A gate by how bursty an event is: the harmonic estimator for bursts, a weighted median of the counts around a slot for the rest."""

import numpy as np
from numba import njit

from hemcore.mpx.estimators import harmonic
from hemcore.mpx.estimators.estimator import Estimator
from hemcore.mpx.sampled import Flags, Floats, Places, Sampled

# Bursty: the 98th percentile of the counts seen is more than this many times their median.
_BURST = 2.0
# Counts on either side of a slot whose median is taken.
_SIDE = 4


def fill(sampled: Sampled) -> Floats:
    """Harmonic where the 98th percentile of a run's counts is over twice their median, or any of them is 0; else the local median."""
    out = harmonic.fill(sampled)
    _medians(sampled.counts, sampled.starts, _steady(sampled), _SIDE, out)
    return out


def _steady(sampled: Sampled) -> Flags:
    """Shape (events, runs): where no burst was seen."""
    return _are_steady(sampled.counts, sampled.starts, _BURST)


@njit(cache=True)
def _are_steady(values: Floats, starts: Places, burst: float) -> Flags:
    found = np.zeros((values.shape[0], len(starts) - 1), dtype=np.bool_)
    for event in range(values.shape[0]):
        for run in range(len(starts) - 1):
            part = values[event, starts[run] : starts[run + 1]]
            seen = np.sort(part[~np.isnan(part)])
            if len(seen) and seen[0] > 0:
                # The order statistic at or below the quantile: one high count of few (a start) is no burst.
                high, middle = seen[int(0.98 * (len(seen) - 1))], seen[(len(seen) - 1) // 2]
                found[event, run] = high / burst <= middle
    return found


@njit(cache=True)
def _medians(values: Floats, starts: Places, steady: Flags, side: int, out: Floats) -> None:
    """The median of the counts next to each hidden slot, each weighted by 1 / count and by its nearness: what makes RA's sum least."""
    places = np.empty(values.shape[1], dtype=np.int64)
    near, weight = np.empty(2 * side), np.empty(2 * side)
    for event in range(values.shape[0]):
        for run in range(len(starts) - 1):
            if not steady[event, run]:
                continue
            n = 0
            for slot in range(starts[run], starts[run + 1]):
                if not np.isnan(values[event, slot]):
                    places[n] = slot
                    n += 1
            after = 0
            for slot in range(starts[run], starts[run + 1]):
                if after < n and places[after] == slot:
                    after += 1
                    continue
                m = 0
                for i in range(max(0, after - side), min(n, after + side)):
                    count = values[event, places[i]]
                    w = 1.0 / abs(places[i] - slot)
                    # Sorted in as they come: they are few.
                    j = m
                    while j > 0 and near[j - 1] > count:
                        near[j], weight[j] = near[j - 1], weight[j - 1]
                        j -= 1
                    near[j], weight[j] = count, w
                    m += 1
                lowest, total = near[0], 0.0
                for i in range(m):
                    weight[i] *= lowest / near[i]
                    total += weight[i]
                passed = 0.0
                for i in range(m):
                    passed += weight[i]
                    if passed >= 0.5 * total:
                        out[event, slot] = near[i]
                        break


GATE = Estimator(
    name="gate",
    title="gate",
    description="Harmonic for bursty events, a weighted median of the counts around for steady ones.",
    source="this project",
    fill=fill,
)
