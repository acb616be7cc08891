"""Which points are together in groups, and the connected components of the points."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

_AT_ONCE = 16


def together(groups: NDArray[np.int32], n: int) -> NDArray[np.int64]:
    """(n, n): number of groups with both points; on the diagonal, number with the point. groups: (groups, places) points or -1."""
    pairs = [(s, t) for s in range(groups.shape[1]) for t in range(s + 1)]
    counts = np.zeros(n * n, np.int64)
    # One pass over the square for several pairs of places at once.
    for start in range(0, len(pairs), _AT_ONCE):
        first, second = (groups[:, list(places)].astype(np.int64).ravel() for places in zip(*pairs[start : start + _AT_ONCE], strict=True))
        both = (first >= 0) & (second >= 0)
        counts += np.bincount(first[both] * n + second[both], minlength=n * n)
    square = counts.reshape(n, n)
    diagonal = np.diag(square).copy()
    square = square + square.T
    np.fill_diagonal(square, diagonal)
    return square


def as_groups(members: Iterable[Sequence[int]]) -> NDArray[np.int32]:
    """Groups of points as an array, padded with -1; shape (0, 1) for none."""
    every = list(members)
    if len({len(group) for group in every}) == 1:
        return np.array(every, np.int32).reshape(len(every), -1)
    groups = np.full((len(every), max((len(group) for group in every), default=1)), -1, np.int32)
    for row, group in enumerate(every):
        groups[row, : len(group)] = group
    return groups


def components_of(members: Iterable[Sequence[int]], n: int) -> list[list[int]]:
    """The connected components of the points, largest first; a point in no group is a component by itself."""
    root = list(range(n))

    def find(point: int) -> int:
        while root[point] != point:
            root[point] = root[root[point]]
            point = root[point]
        return point

    for group in members:
        for point in group[1:]:
            root[find(point)] = find(group[0])
    parts: dict[int, list[int]] = {}
    for point in range(n):
        parts.setdefault(find(point), []).append(point)
    return sorted(parts.values(), key=len, reverse=True)
