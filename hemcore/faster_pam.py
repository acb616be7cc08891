"""FasterPAM: k-medoids by eager swaps.

Source: Schubert E., Rousseeuw P. J.: Fast and eager k-medoids clustering: O(k) runtime improvement of the PAM, CLARA, and CLARANS
algorithms. Information Systems 101, 2021, 101804, https://doi.org/10.1016/j.is.2021.101804 (FasterPAM; the removal loss of section 4).
"""

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from hemcore.errors import ParameterError

Distances = NDArray[np.float32] | NDArray[np.float64]
Places = NDArray[np.intp]

# A swap must gain more than the rounding of the sums it is judged by, or two that gain nothing would alternate without end.
_LEAST_GAIN = 1e-11


@dataclass(frozen=True, kw_only=True)
class KMedoids:
    """Medoids of n points. medoids: their k row numbers, all different. labels: the nearest medoid of each point, 0 to k - 1.

    loss: the sum of the distances of all points to their medoids. swaps: exchanges of a medoid for another point.
    """

    medoids: Places
    labels: Places
    loss: float
    swaps: int


def fasterpam(distances: Distances, start: NDArray[np.integer], order: NDArray[np.integer] | None = None) -> KMedoids:
    """The medoids that FasterPAM reaches from `start`: no exchange of one medoid for one other point lowers the loss any further.

    distances: symmetric, shape (n, n), float32 or float64, finite. start: row numbers of the k first medoids, 1 <= k <= n, all different.
    order: the order in which points are tried, a permutation of 0 to n - 1; None: by their number. The best single medoid (k = 1) does
    not depend on the start. The same arguments give the same medoids. Raises ParameterError for a start or an order that does not fit.
    """
    n = len(distances)
    medoids = np.array(start, dtype=np.intp)
    tried = np.arange(n) if order is None else np.asarray(order, dtype=np.intp)
    if distances.shape != (n, n):
        raise ParameterError(f"distances: the shape is {distances.shape}; it must be square.")
    if not len(medoids) or len(np.unique(medoids)) < len(medoids) or medoids.min() < 0 or medoids.max() >= n:
        raise ParameterError(f"start: {medoids.tolist()[:8]} must be different row numbers, 1 to {n:,} of them, from 0 to {n - 1:,}.")
    if not np.array_equal(np.sort(tried), np.arange(n)):
        raise ParameterError(f"order: it must name each of the {n:,} points once.")
    if len(medoids) == 1:
        medoids = distances.sum(axis=1, dtype=np.float64).argmin(keepdims=True).astype(np.intp)
        return KMedoids(
            medoids=medoids, labels=np.zeros(n, dtype=np.intp), loss=float(distances[medoids[0]].sum(dtype=np.float64)), swaps=0
        )
    labels, loss, swaps = _swapped(np.ascontiguousarray(distances), medoids, tried)
    return KMedoids(medoids=medoids, labels=labels, loss=float(loss), swaps=int(swaps))


@njit(cache=True, nogil=True)
def _swapped(distances, medoids, order):  # type: ignore[no-untyped-def]
    """Swaps in place until `medoids` cannot be bettered. Returns the label of each point, the loss and the number of swaps."""
    n, k = len(distances), len(medoids)
    near, second = np.empty(n, np.intp), np.empty(n, np.intp)
    to_near, to_second = np.empty(n), np.empty(n)
    removal, change = np.empty(k), np.empty(k)
    is_medoid = np.zeros(n, np.bool_)
    is_medoid[medoids] = True
    for point in range(n):
        _look_up(distances, medoids, point, near, second, to_near, to_second)
    loss = _removal_losses(near, to_near, to_second, removal)
    swaps, last, place = 0, -1, 0
    while True:
        candidate = order[place]
        place = (place + 1) % n
        if candidate == last:
            return near, loss, swaps
        # The first pass ends where it began, unless a swap moves the end.
        if last < 0:
            last = candidate
        if is_medoid[candidate]:
            continue
        row = distances[candidate]
        for number in range(k):
            change[number] = removal[number]
        shared = 0.0
        for point in range(n):
            apart = np.float64(row[point])  # numba computes with single precision otherwise, and gains would round
            if apart < to_near[point]:
                shared += apart - to_near[point]
                change[near[point]] += to_near[point] - to_second[point]
            elif apart < to_second[point]:
                change[near[point]] += apart - to_second[point]
        leaves = change.argmin()
        if change[leaves] + shared >= -_LEAST_GAIN * (loss + removal[leaves]):
            continue
        is_medoid[medoids[leaves]] = False
        is_medoid[candidate] = True
        medoids[leaves] = candidate
        for point in range(n):
            apart = np.float64(row[point])
            if near[point] == leaves or second[point] == leaves:
                _look_up(distances, medoids, point, near, second, to_near, to_second)
            elif apart < to_near[point]:
                second[point], to_second[point] = near[point], to_near[point]
                near[point], to_near[point] = leaves, apart
            elif apart < to_second[point]:
                second[point], to_second[point] = leaves, apart
        loss = _removal_losses(near, to_near, to_second, removal)
        swaps, last = swaps + 1, candidate


@njit(cache=True, nogil=True)
def _look_up(distances, medoids, point, near, second, to_near, to_second):  # type: ignore[no-untyped-def]
    """Writes the numbers of the nearest and the second nearest medoid of a point, and the distances to them."""
    row = distances[point]
    first, other = -1, -1
    for number in range(len(medoids)):
        apart = row[medoids[number]]
        if first < 0 or apart < row[medoids[first]]:
            first, other = number, first
        elif other < 0 or apart < row[medoids[other]]:
            other = number
    near[point], second[point] = first, other
    to_near[point], to_second[point] = row[medoids[first]], row[medoids[other]]


@njit(cache=True, nogil=True)
def _removal_losses(near, to_near, to_second, removal):  # type: ignore[no-untyped-def]
    """Writes what the loss rises by when each medoid is removed; returns the loss."""
    removal[:] = 0.0
    loss = 0.0
    for point in range(len(near)):
        loss += to_near[point]
        removal[near[point]] += to_second[point] - to_near[point]
    return loss
