"""Dynamic time warping: how far two curves are apart once either may wait for the other (Wang et al. 2022, section 4.2)."""

import numpy as np
from numba import njit
from numpy.typing import ArrayLike

from hemcore.errors import ParameterError
from hemcore.mpx.estimate_scores import counts_of
from hemcore.mpx.sampled import Floats, Places

MOST_CELLS = 50_000_000


def dtw_cost(mpx: ArrayLike, ocoe: ArrayLike, *, log10: bool = True) -> float:
    """The DTW-cost: the least sum of |a - b| along a path of steps (1, 0), (0, 1) and (1, 1) from the first slots to the last.

    mpx, ocoe: shape (m,) and (n,), counts per slot; the lengths may differ. log10: of log10(1 + count), which is the scale of the paper's
    costs (20 to 50 over 200 to 700 slots); False: of the counts. Every slot counts, hidden or not. In [0, inf); 0 where one curve is the
    other, held in places. The plain sum of |a - b|: dtaidistance calls it inner_dist="euclidean".

    Raises ParameterError for missing, negative or infinite values.
    """
    return float(cost_of_logs(_scaled(mpx, "mpx", log10), _scaled(ocoe, "ocoe", log10)))


def dtw_path(mpx: ArrayLike, ocoe: ArrayLike, *, log10: bool = True) -> Places:
    """The path of least cost: shape (steps, 2), which slot of `mpx` is paired with which of `ocoe`, both ascending.

    Raises as dtw_cost, and for more than 50 million pairs of slots.
    """
    one, other = _scaled(mpx, "mpx", log10), _scaled(ocoe, "ocoe", log10)
    if len(one) * len(other) > MOST_CELLS:
        raise ParameterError(f"mpx, ocoe: {len(one):,} x {len(other):,} slots are too many to align; at most {MOST_CELLS:,} pairs.")
    path: Places = _path(one, other)
    return path


def _scaled(values: ArrayLike, name: str, log10: bool) -> Floats:
    found = counts_of(values, name)
    if np.isnan(found).any():
        place = int(np.isnan(found).argmax())
        raise ParameterError(f"{name}: slot {place} was not counted. Estimate the hidden slots first, or leave them out.")
    return np.log10(1 + found) if log10 else found


@njit(cache=True, fastmath={"nnan", "ninf", "nsz"})
def _step(now: Floats, up: Floats, left: Floats, diagonal: Floats, one: Floats, other: Floats) -> None:
    for i in range(len(now)):
        now[i] = min(min(up[i], left[i]), diagonal[i]) + abs(one[i] - other[i])


@njit(cache=True, fastmath={"nnan", "ninf", "nsz"})
def cost_of_logs(one: Floats, other: Floats) -> float:
    """dtw_cost of what is log10(1 + count) already; at least one slot each, none NaN."""
    # Along the diagonals of the grid, whose cells do not depend on one another: that runs several at a time.
    m, n = len(one), len(other)
    backwards = other[::-1].copy()
    # Cell (i, d - i) of diagonal d is at i + 1; what is outside the grid is out of reach.
    last, before, now = np.full(m + 1, 1e300), np.full(m + 1, 1e300), np.full(m + 1, 1e300)
    last[1] = abs(one[0] - other[0])
    for d in range(1, m + n - 1):
        low, high = max(0, d - n + 1), min(m - 1, d)
        shift = n - 1 - d
        _step(
            now[low + 1 : high + 2],
            last[low : high + 1],
            last[low + 1 : high + 2],
            before[low : high + 1],
            one[low : high + 1],
            backwards[low + shift : high + shift + 1],
        )
        now[low] = 1e300
        before, last, now = last, now, before
    return last[m]


@njit(cache=True)
def _path(one: Floats, other: Floats) -> Places:
    m, n = len(one), len(other)
    came = np.zeros((m, n), dtype=np.uint8)
    row = np.empty(n)
    for j in range(n):
        row[j] = abs(one[0] - other[j]) + (row[j - 1] if j else 0.0)
        came[0, j] = 2
    for i in range(1, m):
        diagonal = row[0]
        row[0] += abs(one[i] - other[0])
        came[i, 0] = 1
        for j in range(1, n):
            up, left = row[j], row[j - 1]
            best, step = diagonal, 0
            if up < best:
                best, step = up, 1
            if left < best:
                best, step = left, 2
            row[j] = best + abs(one[i] - other[j])
            came[i, j] = step
            diagonal = up
    path = np.empty((m + n - 1, 2), dtype=np.int64)
    i, j, steps = m - 1, n - 1, 0
    while True:
        path[steps, 0], path[steps, 1] = i, j
        steps += 1
        if i == 0 and j == 0:
            break
        step = came[i, j]
        if step != 2:
            i -= 1
        if step != 1:
            j -= 1
    return path[:steps][::-1].copy()
