"""The compiled greedy start: one group after another, each filled with the points that cover the most pairs."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from hemcore.planning.search.kernels import _below

# More than the open pairs a point can have.
_OPEN_AT_MOST = 1 << 14


@njit(inline="always", error_model="numpy")
def _largest(values):  # type: ignore[no-untyped-def]
    best = values[0]
    for v in range(1, len(values)):
        best = max(best, values[v])
    return best


@njit(cache=True, nogil=True, error_model="numpy")
def greedy_groups(
    wanted: NDArray[np.bool_],
    places: int,
    rules: NDArray[np.uint64],
    most: NDArray[np.int64],
    covered: NDArray[np.bool_],
    room: int,
    random: NDArray[np.uint64],
) -> NDArray[np.int32]:
    """Groups, one after another, each filled with the point that covers the most wanted pairs; ties: most open pairs, then at random.

    covered: (n, n) pairs already covered; updated. At most `room` groups, fewer if every wanted pair is covered earlier.
    """
    n = len(wanted)
    groups = np.full((64, places), -1, dtype=np.int32)
    open_pairs = np.zeros((n, n), dtype=np.uint8)
    degree = np.zeros(n, dtype=np.int32)
    for i in range(n):
        for j in range(n):
            open_pairs[i, j] = wanted[i, j] and not covered[i, j]
            degree[i] += open_pairs[i, j]
    left = degree.astype(np.int64).sum() // 2
    made = 0
    # The gain of a point, then its open pairs, in one number; below 0 for a point that cannot be added.
    gain, worth, held = np.zeros(n, dtype=np.int32), np.zeros(n, dtype=np.int32), np.zeros(len(most), dtype=np.int64)
    while left > 0 and made < room:
        if made == len(groups):
            longer = np.full((2 * made, places), -1, dtype=np.int32)
            for group in range(made):
                for s in range(places):
                    longer[group, s] = groups[group, s]
            groups = longer
        gain[:], held[:] = 0, 0
        full = np.uint64(0)
        for rule in range(len(most)):
            if most[rule] <= 0:
                full |= np.uint64(1) << np.uint64(rule)
        for s in range(places):
            for v in range(n):
                worth[v] = gain[v] * _OPEN_AT_MOST + degree[v]
            if full != 0:
                for v in range(n):
                    if rules[v] & full:
                        worth[v] = -1
            best = _largest(worth)
            if best < (_OPEN_AT_MOST if s > 0 else 1):
                break
            ties = 0
            for v in range(n):
                ties += worth[v] == best
            chosen, skip = -1, _below(random, ties) + 1
            while skip > 0:
                chosen += 1
                skip -= worth[chosen] == best
            groups[made, s] = chosen
            left -= gain[chosen]
            for rule in range(len(most)):
                bit = np.uint64(1) << np.uint64(rule)
                if rules[chosen] & bit:
                    held[rule] += 1
                    if held[rule] >= most[rule]:
                        full |= bit
            for t in range(s):
                u = groups[made, t]
                degree[u] -= open_pairs[u, chosen]
                degree[chosen] -= open_pairs[u, chosen]
                open_pairs[u, chosen] = open_pairs[chosen, u] = 0
                covered[u, chosen] = covered[chosen, u] = True
            row = open_pairs[chosen]
            for v in range(n):
                gain[v] += row[v]
            # Never again in this group, whatever its gain.
            gain[chosen] = -_OPEN_AT_MOST
        made += 1
    return groups[:made].copy()
