"""Optimal partitioning with pruning, exact with a minimum segment length; compiled.

PELT: Killick, Fearnhead and Eckley 2012, doi:10.1080/01621459.2012.737745, with two changes. A candidate that is beaten at sample t stays
for min_distance more samples, because until then the segment from t that beats it is too short. And each candidate has its own sums, which
grow with each sample, instead of differences of prefix sums: counts of 1 after counts of 2**53 lose no digit.

While nothing changes, PELT drops no candidate, so a segment takes time with the square of its length. For rms and mean, whose segments have
one parameter, the level, a candidate is also dropped when there is no level left at which it is the best (functional pruning, Maidstone
et al. 2017, doi:10.1007/s11222-016-9636-3). The levels at which a candidate is no worse than a later one form an interval; the intersection
of these intervals is stored. Levels at which earlier candidates are better are not tracked.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

RMS, STD, MEAN = 0, 1, 2
# The smallest normal float64, used as the energy of a segment of zeros so that its cost is finite.
REALMIN = 2.2250738585072014e-308
LOG_REALMIN = -708.3964185322641
# Without energy a segment costs log(realmin) instead of log(0), and the inequality behind pruning does not hold: such candidates stay.
_PRUNABLE_ENERGY = REALMIN * 2.0**80
_NEVER = 2**62
# Candidates that differ by rounding alone count as equal, and the earliest, with the fewest change points, is taken: about five units in
# the last place, since a sum of squares can be large compared with the gain of a change point.
_ROUNDING = 1e-15
# Pruning at every sample would cost as much as it saves.
_PRUNE_EVERY = 4

# The polynomial of FreeBSD's e_log.c (Sun Microsystems 1993), accurate to one unit in the last place.
_L1, _L2, _L3, _L4 = 6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01, 2.222219843214978396e-01
_L5, _L6, _L7 = 1.818357216161805012e-01, 1.531383769920937332e-01, 1.479819860511658591e-01
_LN2_HIGH, _LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
_ONE = 0x3FF0000000000000
_ROOT_HALF = 0x3FE6A09E667F3BCD
_MANTISSA = 0x000FFFFFFFFFFFFF
_TWO_52 = 0x4330000000000000


@njit(inline="always", error_model="numpy")
def _log(x: float) -> float:
    """log(x) of a normal positive number, within one unit in the last place, by arithmetic alone so that loops over it are vectorised.

    It is in this file because numba's cache checks only the file of the function that it is compiled into.
    """
    bits = np.float64(x).view(np.int64) + (_ONE - _ROOT_HALF)
    # The exponent as a float without a conversion, which AVX2 lacks: its bits below those of 2**52.
    exponent = np.int64((bits >> 52) | _TWO_52).view(np.float64) - 4503599627371519.0
    f = np.int64((bits & _MANTISSA) + _ROOT_HALF).view(np.float64) - 1.0
    s = f / (2.0 + f)
    z = s * s
    rest = z * (_L1 + z * (_L2 + z * (_L3 + z * (_L4 + z * (_L5 + z * (_L6 + z * _L7))))))
    half = 0.5 * f * f
    return exponent * _LN2_HIGH - ((half - (s * (half + rest) + exponent * _LN2_LOW)) - f)


@njit(inline="always", error_model="numpy", fastmath={"nnan", "nsz"})
def _least(value: NDArray[np.float64], n: int) -> float:
    """The minimum of value[:n], in four chains because each min waits for the previous one."""
    a = b = c = d = value[0]
    for k in range(0, n - 3, 4):
        a, b, c, d = min(a, value[k]), min(b, value[k + 1]), min(c, value[k + 2]), min(d, value[k + 3])
    for k in range(n - n % 4, n):
        a = min(a, value[k])
    return min(min(a, b), min(c, d))


@njit(inline="always", error_model="numpy")
def _within_zeros(
    energy: NDArray[np.float64], start: NDArray[np.int64], until: NDArray[np.int64], ready: int, t: int, min_distance: int
) -> int:
    """Mark the candidates within a run of zeros up to t; returns the sample at which they may be dropped (never: 2**62).

    The cost of the segments on both sides of a change point is concave in its position among zeros, so it is lowest at an end of the
    allowed range: at the first zeros (two segments of zeros have at most min_distance each) or min_distance before the end.
    """
    first = ready
    while first > 0 and energy[first - 1] == 0.0:
        first -= 1
    for k in range(first, ready):
        if start[k] > start[first] + 2 * min_distance and start[k] < t - min_distance and until[k] == _NEVER:
            until[k] = t
    return t if first < ready else _NEVER


@njit(cache=True, error_model="numpy", nogil=True, fastmath={"nnan", "nsz"})
def optimal_partition(x: NDArray[np.float64], statistic: int, threshold: float, min_distance: int) -> NDArray[np.int64]:
    """The last change points: entry t is where the last segment of the best partition of x[:t] starts (0: no change).

    x: shape (n,), finite, |x| <= 1e140. Entries below min_distance are 0. n >= 1.
    """
    n = len(x)
    # Sums of squares have the scale of the data, logarithms have none.
    unit = threshold if statistic == MEAN else 1.0 + threshold
    last = np.zeros(n + 1, dtype=np.int64)
    best = np.empty(n + 1)
    best[0] = -threshold
    start = np.empty(n + 1, dtype=np.int64)  # candidates, ascending: possible starts of the last segment
    base = np.empty(n + 1)  # best[start]
    length = np.empty(n + 1)
    first = np.empty(n + 1)  # the candidate's first sample; its mean is relative to it
    mean = np.empty(n + 1)
    energy = np.empty(n + 1)  # sum of squares (rms), of squared deviations from the mean (std, mean)
    value = np.empty(n + 1)
    lowest, highest = np.empty(n + 1), np.empty(n + 1)  # the levels at which no later candidate has been better
    until = np.empty(n + 1, dtype=np.int64)  # the sample at which a beaten candidate may be dropped
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
                value[k] = base[k] + length[k] * _log(max(energy[k], REALMIN) / length[k])
            # Energies near realmin can underflow when divided. Later candidates have less energy, so these are the last ones.
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
                # In terms of 1 / square: with w the level over the best one, w - 1 - log(w) <= better holds only between these two.
                level = length[k] / max(energy[k], _PRUNABLE_ENERGY)
                better = max(best[t] - value[k] + margin, 0.0) / length[k]
                reach = np.sqrt(2.0 * better)
                low = max(lowest[k], level * (1.0 - reach) * (1.0 - 1e-14))
                high = min(highest[k], level * (1.0 + reach + better) * (1.0 + 1e-14))
                lowest[k] = low if energy[k] > _PRUNABLE_ENERGY else lowest[k]
                highest[k] = high if energy[k] > _PRUNABLE_ENERGY else highest[k]
        if statistic == RMS:
            soonest = min(soonest, _within_zeros(energy, start, until, ready, t, min_distance))
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
