"""Optimal partitioning with pruning, exact with a minimum segment length; compiled.

PELT: Killick, Fearnhead and Eckley 2012, doi:10.1080/01621459.2012.737745, with two changes. A candidate that is beaten at sample t stays
for min_distance more samples, because until then the segment from t that beats it is too short. And each candidate has its own sums, which
grow with each sample, instead of differences of prefix sums: counts of 1 after counts of 2**53 lose no digit.

While nothing changes, PELT drops no candidate, so a segment takes time with the square of its length. For rms and mean, whose segments have
one parameter, the level, a candidate is also dropped when there is no level left at which it is the best (functional pruning, Maidstone
et al. 2017, doi:10.1007/s11222-016-9636-3). The levels at which a candidate is no worse than a later one form an interval; the intersection
of these intervals is stored. Levels at which earlier candidates are better are not tracked.

In a long series most candidates are set aside in groups, see candidates_aside.py.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from hemcore.segmentation.search.candidates_aside import (
    BOUND,
    ITS_UNTIL,
    MOST_GROUPS,
    SINCE,
    SIZE,
    least_of_groups,
    look_into,
    put_in_order,
    set_aside,
)
from hemcore.segmentation.search.segment_costs import (
    BASE,
    ENERGY,
    FIRST,
    HIGHEST,
    LENGTH,
    LOWEST,
    MEAN,
    NEVER,
    OF_MEAN,
    PRUNABLE_ENERGY,
    RMS,
    ROWS,
    START,
    UNTIL,
    least_value,
    set_values,
)

# Candidates that differ by rounding alone count as equal, and the earliest, with the fewest change points, is taken: about five units in
# the last place, since a sum of squares can be large compared with the gain of a change point.
_ROUNDING = 1e-15
# Pruning at every sample would cost as much as it saves.
_PRUNE_EVERY = 4


@njit(inline="always", error_model="numpy")
def _within_zeros(
    energy: NDArray[np.float64], start: NDArray[np.float64], until: NDArray[np.float64], ready: int, t: int, min_distance: int
) -> float:
    """Mark the candidates within a run of zeros up to t; returns the sample at which they may be dropped (never: infinity).

    The cost of the segments on both sides of a change point is concave in its position among zeros, so it is lowest at an end of the
    allowed range: at the first zeros (two segments of zeros have at most min_distance each) or min_distance before the end.
    """
    first = ready
    while first > 0 and energy[first - 1] == 0.0:
        first -= 1
    for k in range(first, ready):
        if start[k] > start[first] + 2 * min_distance and start[k] < t - min_distance and until[k] == NEVER:
            until[k] = t
    return t if first < ready else NEVER


@njit(cache=True, error_model="numpy", nogil=True, fastmath={"nnan", "nsz"})
def optimal_partition(x: NDArray[np.float64], statistic: int, threshold: float, min_distance: int, window: int) -> NDArray[np.int64]:
    """The last change points: entry t is where the last segment of the best partition of x[:t] starts (0: no change).

    x: shape (n,), finite, |x| <= 1e140. Entries below min_distance are 0. n >= 1. window: candidates are set aside once in so many samples;
    0: never, which is faster in a short series.
    """
    n = len(x)
    # Sums of squares have the scale of the data, logarithms have none.
    unit = threshold if statistic == MEAN else 1.0 + threshold
    last = np.zeros(n + 1, dtype=np.int64)
    best = np.empty(n + 1)
    best[0] = -threshold
    rows = np.empty((ROWS, n + 1))  # candidates, by their start
    start, base, length, first, mean, energy = rows[START], rows[BASE], rows[LENGTH], rows[FIRST], rows[OF_MEAN], rows[ENERGY]
    lowest, highest, until = rows[LOWEST], rows[HIGHEST], rows[UNTIL]
    value = np.empty(n + 1)
    aside = np.empty((ROWS, n + 1 if window else 1))
    groups = np.zeros((11, MOST_GROUPS + 1))
    candidates = n_groups = 0
    soonest = NEVER
    for t in range(1, n + 1):
        sample = x[t - 1]
        began = t - 1
        if began == 0 or began >= min_distance:
            start[candidates], base[candidates], until[candidates] = began, best[began], NEVER
            length[candidates], mean[candidates], energy[candidates], first[candidates] = 0.0, 0.0, 0.0, sample
            lowest[candidates], highest[candidates] = -np.inf, np.inf
            candidates += 1
        if statistic == RMS:
            square = sample * sample
            for k in range(candidates):
                energy[k] += square
                length[k] += 1.0
        else:
            for k in range(candidates):
                length[k] += 1.0
                deviation = (sample - first[k]) - mean[k]
                mean[k] += deviation / length[k]
                energy[k] += deviation * ((sample - first[k]) - mean[k])
        if t < min_distance:
            continue
        ready = candidates
        while ready > 0 and start[ready - 1] > t - min_distance:
            ready -= 1
        set_values(rows, value, ready, statistic)
        least = least_value(value, ready) if ready else np.inf
        if n_groups and least_of_groups(groups, n_groups, sample, statistic, unit) <= least + _ROUNDING * (unit + abs(least)):
            ordered, limit = candidates, least + _ROUNDING * (unit + abs(least))
            for g in range(n_groups):
                if groups[BOUND, g] <= limit:
                    candidates = look_into(groups, g, aside, rows, candidates, least, threshold, statistic, t, min_distance)
            put_in_order(rows, ordered, candidates)
            soonest = t + 1
            ready = candidates
            while ready > 0 and start[ready - 1] > t - min_distance:
                ready -= 1
            set_values(rows, value, ready, statistic)
            least = least_value(value, ready)
        least_unrounded = least + _ROUNDING * (unit + abs(least))
        chosen = 0
        while value[chosen] > least_unrounded:
            chosen += 1
        best[t] = value[chosen] + threshold
        last[t] = np.int64(start[chosen])
        if t % _PRUNE_EVERY:
            continue
        margin = _ROUNDING * (unit + abs(best[t]))
        if statistic == MEAN:
            for k in range(ready):
                level = first[k] + mean[k]
                reach = np.sqrt(max(best[t] - value[k] + margin, 0.0) / length[k]) + 1e-15 * abs(level)
                lowest[k], highest[k] = max(lowest[k], level - reach), min(highest[k], level + reach)
        elif statistic == RMS:
            for k in range(ready):
                # In terms of 1 / square: with w the level over the best one, w - 1 - log(w) <= better holds only between these two.
                level = length[k] / max(energy[k], PRUNABLE_ENERGY)
                better = max(best[t] - value[k] + margin, 0.0) / length[k]
                reach = np.sqrt(2.0 * better)
                low = max(lowest[k], level * (1.0 - reach) * (1.0 - 1e-14))
                high = min(highest[k], level * (1.0 + reach + better) * (1.0 + 1e-14))
                lowest[k] = low if energy[k] > PRUNABLE_ENERGY else lowest[k]
                highest[k] = high if energy[k] > PRUNABLE_ENERGY else highest[k]
        if statistic == RMS:
            soonest = min(soonest, _within_zeros(energy, start, until, ready, t, min_distance))
        for k in range(ready):
            beaten = value[k] > best[t] + margin or lowest[k] > highest[k]
            if beaten and until[k] == NEVER and (statistic == MEAN or energy[k] > PRUNABLE_ENERGY):
                until[k] = t + min_distance
                soonest = min(soonest, until[k])
        kept = 0
        for g in range(n_groups):
            if groups[SINCE, g] > 0.0 and groups[BOUND, g] > best[t]:
                groups[ITS_UNTIL, g] = min(groups[ITS_UNTIL, g], t + min_distance)
            if groups[SIZE, g] > 0.0 and groups[ITS_UNTIL, g] > t + 1:
                for field in range(len(groups)):
                    groups[field, kept] = groups[field, g]
                kept += 1
        n_groups = kept
        if t + 1 >= soonest:
            soonest = NEVER
            kept = 0
            for k in range(candidates):
                if until[k] > t + 1:
                    start[kept], base[kept], until[kept] = start[k], base[k], until[k]
                    length[kept], mean[kept], energy[kept], first[kept] = length[k], mean[k], energy[k], first[k]
                    lowest[kept], highest[kept] = lowest[k], highest[k]
                    soonest = min(soonest, until[k])
                    kept += 1
            candidates = kept
        if window and t % window == 0 and threshold > 0.0:
            n_groups, candidates = set_aside(groups, n_groups, aside, rows, candidates, least, threshold, statistic, t, min_distance)
            soonest = t + 1
    return last
