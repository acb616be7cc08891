"""Optimal partitioning of several series at one set of change points, exact with a minimum segment length; compiled.

The cost of a segment is the sum of squared deviations from each series' own mean over its counted samples. Pruning is as in
`optimal_partition`: PELT's, delayed by the minimum segment length (Killick, Fearnhead and Eckley 2012, doi:10.1080/01621459.2012.737745),
and functional: the levels at which a candidate is no worse than a later one form a ball (an ellipsoid if series were not counted equally
often), which is bounded by a box; a candidate is dropped when its boxes have no level in common (Runge 2020, arXiv:2002.09736). A box is
larger than its ball, so it may keep a candidate longer but never drops one that is needed.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

_NEVER = 2**62
# As in `optimal_partition`: candidates that differ by rounding alone are equal, and pruning runs every few samples.
_ROUNDING = 1e-15
_PRUNE_EVERY = 4
# Initial capacity for candidates; it doubles when full.
_ROOM = 1024


@njit(cache=True, error_model="numpy", nogil=True, fastmath={"nnan", "nsz"})
def joint_partition(
    x: NDArray[np.float64], counted: NDArray[np.bool_], penalties: NDArray[np.float64], min_segment: int
) -> NDArray[np.int64]:
    """The last change points: entry t is where the last segment of the best partition of x[:, :t] starts (0: no change).

    x: shape (events, n), n >= 1, finite, near unit scale, 0 where `counted` (same shape) is False. Entries below min_segment are 0.
    """
    events, n = x.shape
    last = np.zeros(n + 1, dtype=np.int64)
    best = np.empty(n + 1)
    best[0] = 0.0
    room = min(n + 1, _ROOM)
    start, until = np.empty(room, dtype=np.int64), np.empty(room, dtype=np.int64)
    base, energy, value = np.empty(room), np.empty(room), np.empty(room)
    length, mean = np.empty((events, room)), np.empty((events, room))
    lowest, highest = np.empty((events, room)), np.empty((events, room))
    candidates = 0
    soonest = _NEVER
    for t in range(1, n + 1):
        began = t - 1
        if began == 0 or began >= min_segment:
            if candidates == room:
                start, until = _wider(start), _wider(until)
                base, energy, value = _wider(base), _wider(energy), _wider(value)
                length, mean, lowest, highest = _wider_rows(length), _wider_rows(mean), _wider_rows(lowest), _wider_rows(highest)
                room *= 2
            start[candidates], base[candidates], until[candidates] = began, best[began], _NEVER
            energy[candidates] = 0.0
            for e in range(events):
                length[e, candidates], mean[e, candidates] = 0.0, 0.0
                lowest[e, candidates], highest[e, candidates] = -np.inf, np.inf
            candidates += 1
        for e in range(events):
            if not counted[e, t - 1]:
                continue
            sample = x[e, t - 1]
            lengths, means = length[e], mean[e]
            for k in range(candidates):
                lengths[k] += 1.0
                deviation = sample - means[k]
                means[k] += deviation / lengths[k]
                energy[k] += deviation * (sample - means[k])
        if t < min_segment:
            continue
        ready = candidates
        while ready > 0 and start[ready - 1] > t - min_segment:
            ready -= 1
        least = np.inf
        for k in range(ready):
            value[k] = base[k] + energy[k]
            least = min(least, value[k])
        unrounded = least + _ROUNDING * (penalties[t] + abs(least))
        chosen = 0
        while value[chosen] > unrounded:
            chosen += 1
        best[t] = value[chosen] + penalties[t]
        last[t] = start[chosen]
        if t % _PRUNE_EVERY:
            continue
        margin = _ROUNDING * (penalties[t] + abs(best[t]))
        for e in range(events):
            lengths, means, low, high = length[e], mean[e], lowest[e], highest[e]
            for k in range(ready):
                # A series without a counted sample so far can have any level.
                reach = np.sqrt(max(best[t] - value[k] + margin, 0.0) / max(lengths[k], 1e-300)) + 1e-15 * abs(means[k])
                low[k], high[k] = max(low[k], means[k] - reach), min(high[k], means[k] + reach)
        for k in range(ready):
            beaten = value[k] > best[t] + margin
            for e in range(events):
                beaten = beaten or lowest[e, k] > highest[e, k]
            if beaten and until[k] == _NEVER:
                until[k] = t + min_segment
                soonest = min(soonest, until[k])
        if t + 1 >= soonest:
            soonest = _NEVER
            kept = 0
            for k in range(candidates):
                if until[k] > t + 1:
                    start[kept], base[kept], until[kept], energy[kept] = start[k], base[k], until[k], energy[k]
                    for e in range(events):
                        length[e, kept], mean[e, kept] = length[e, k], mean[e, k]
                        lowest[e, kept], highest[e, kept] = lowest[e, k], highest[e, k]
                    soonest = min(soonest, until[k])
                    kept += 1
            candidates = kept
    return last


@njit(inline="always", error_model="numpy")
def _wider(values: NDArray) -> NDArray:
    wider = np.empty(2 * len(values), dtype=values.dtype)
    for k in range(len(values)):  # compiles in a tenth of the time of a slice
        wider[k] = values[k]
    return wider


@njit(inline="always", error_model="numpy")
def _wider_rows(values: NDArray) -> NDArray:
    wider = np.empty((values.shape[0], 2 * values.shape[1]), dtype=values.dtype)
    for e in range(values.shape[0]):
        for k in range(values.shape[1]):
            wider[e, k] = values[e, k]
    return wider


@njit(cache=True, error_model="numpy", nogil=True)
def joint_energies(x: NDArray[np.float64], counted: NDArray[np.bool_], change_points: NDArray[np.int64]) -> NDArray[np.float64]:
    """Shape (events,): each series' sum of squared deviations from the means of its segments; arguments as for `joint_partition`."""
    events, n = x.shape
    found = np.zeros(events)
    for e in range(events):
        start = 0
        for number in range(len(change_points) + 1):
            stop = change_points[number] if number < len(change_points) else n
            many, total = 0, 0.0
            for i in range(start, stop):
                if counted[e, i]:
                    many += 1
                    total += x[e, i]
            for i in range(start, stop):
                if counted[e, i]:
                    found[e] += (x[e, i] - total / many) ** 2
            start = stop
    return found
