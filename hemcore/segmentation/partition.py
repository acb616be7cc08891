"""Optimal partitioning with pruning, exact with a least segment length; compiled.

PELT: Killick, Fearnhead and Eckley 2012, doi:10.1080/01621459.2012.737745. Two things are not as printed there. A candidate that is beaten
at sample t is kept for min_distance more samples: until then the segment from t that beats it would be too short. And sums are kept per
candidate and grow with each sample instead of being differences of prefix sums, so that counts of 1 after counts of 2**53 lose no digit.

While nothing changes PELT drops no candidate, so that a segment takes time with the square of its length. For rms and mean, whose segments
have one parameter, a level, candidates are also dropped when no level is left at which they are the best one (functional pruning, Maidstone
et al. 2017, doi:10.1007/s11222-016-9636-3). The levels at which a candidate is no worse than a later one are an interval; what is kept is
the part that all of them leave. Levels that earlier candidates take away are not kept account of.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from hemcore.segmentation.fast_log import fast_log

RMS, STD, MEAN = 0, 1, 2
REALMIN = 2.2250738585072014e-308
LOG_REALMIN = -708.3964185322641
# A segment without energy costs log(realmin) instead of log(0), and then the inequality behind pruning does not hold: such candidates stay.
_PRUNABLE_ENERGY = REALMIN * 2.0**80
_NEVER = 2**62
# Candidates that differ by rounding alone are equal; the earliest, which has fewer change points, is taken.
_ROUNDING = 1e-13
# Looking for beaten candidates costs as much as it saves when it is done at each sample.
_PRUNE_EVERY = 4


@njit(inline="always", error_model="numpy", fastmath={"nnan", "nsz"})
def _least(value: NDArray[np.float64], n: int) -> float:
    """The least of value[:n]; four chains, since each min waits for the one before it."""
    a = b = c = d = value[0]
    for k in range(0, n - 3, 4):
        a, b, c, d = min(a, value[k]), min(b, value[k + 1]), min(c, value[k + 2]), min(d, value[k + 3])
    for k in range(n - n % 4, n):
        a = min(a, value[k])
    return min(min(a, b), min(c, d))


@njit(cache=True, error_model="numpy", nogil=True, fastmath={"nnan", "nsz"})
def optimal_partition(x: NDArray[np.float64], statistic: int, threshold: float, min_distance: int) -> NDArray[np.int64]:
    """The last change points: entry t is where the last segment of the best partition of x[:t] starts (0: no change).

    x: shape (n,), finite, |x| <= 1e140. Entries below min_distance are 0. n >= 1.
    """
    n = len(x)
    # Sums of squares have the data's own scale, logarithms have none.
    unit = threshold if statistic == MEAN else 1.0 + threshold
    last = np.zeros(n + 1, dtype=np.int64)
    best = np.empty(n + 1)
    best[0] = -threshold
    start = np.empty(n + 1, dtype=np.int64)  # candidates, ascending: where the last segment may start
    base = np.empty(n + 1)  # best[start]
    length = np.empty(n + 1)
    first = np.empty(n + 1)  # the candidate's first sample, from which its mean is measured
    mean = np.empty(n + 1)
    energy = np.empty(n + 1)  # sum of squares (rms), of squared deviations from the mean (std, mean)
    value = np.empty(n + 1)
    lowest, highest = np.empty(n + 1), np.empty(n + 1)  # the levels at which no later candidate was better so far
    until = np.empty(n + 1, dtype=np.int64)  # the sample at which a beaten candidate may go
    candidates = 0
    soonest = _NEVER
    for t in range(1, n + 1):
        sample = x[t - 1]
        began = t - 1
        if began == 0 or began >= min_distance:
            start[candidates], base[candidates], until[candidates] = began, best[began], _NEVER
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
        if statistic == MEAN:
            for k in range(ready):
                value[k] = base[k] + energy[k]
        else:
            for k in range(ready):
                value[k] = base[k] + length[k] * fast_log(max(energy[k], REALMIN) / length[k])
            # What holds for realmin alone can be below it when divided. Later candidates have less energy, so these are the last ones.
            k = ready - 1
            while k >= 0 and energy[k] <= _PRUNABLE_ENERGY:
                value[k] = base[k] + length[k] * (np.log(max(energy[k], REALMIN)) - np.log(length[k]))
                k -= 1
        least = _least(value, ready)
        least_unrounded = least + _ROUNDING * (unit + abs(least))
        chosen = 0
        while value[chosen] > least_unrounded:
            chosen += 1
        best[t] = value[chosen] + threshold
        last[t] = start[chosen]
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
                # In terms of 1 / square: w - 1 - log(w) <= better lies between these two, w the level over the one that suits best.
                level = length[k] / max(energy[k], _PRUNABLE_ENERGY)
                better = max(best[t] - value[k] + margin, 0.0) / length[k]
                reach = np.sqrt(2.0 * better)
                low = max(lowest[k], level * (1.0 - reach) * (1.0 - 1e-14))
                high = min(highest[k], level * (1.0 + reach + better) * (1.0 + 1e-14))
                lowest[k] = low if energy[k] > _PRUNABLE_ENERGY else lowest[k]
                highest[k] = high if energy[k] > _PRUNABLE_ENERGY else highest[k]
        for k in range(ready):
            beaten = value[k] > best[t] + margin or lowest[k] > highest[k]
            if beaten and until[k] == _NEVER and (statistic == MEAN or energy[k] > _PRUNABLE_ENERGY):
                until[k] = t + min_distance
                soonest = min(soonest, until[k])
        if t + 1 >= soonest:
            soonest = _NEVER
            kept = 0
            for k in range(candidates):
                if until[k] > t + 1:
                    start[kept], base[kept], until[kept] = start[k], base[k], until[k]
                    length[kept], mean[kept], energy[kept], first[kept] = length[k], mean[k], energy[k], first[k]
                    lowest[kept], highest[kept] = lowest[k], highest[k]
                    soonest = min(soonest, until[k])
                    kept += 1
            candidates = kept
    return last
