"""Lower bounds of the number of groups that cover every wanted pair."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

# For small b: the largest n / k for which b groups can be enough.
_FEW = {
    3: Fraction(3, 2), 4: Fraction(5, 3), 5: Fraction(9, 5), 6: Fraction(2), 7: Fraction(7, 3), 8: Fraction(12, 5), 9: Fraction(5, 2),
    10: Fraction(8, 3), 11: Fraction(14, 5), 12: Fraction(3), 13: Fraction(13, 4),
}  # fmt: skip


def schonheim(n: int, k: int) -> int:
    """A lower bound of the groups of k that cover every pair of n points (Schönheim 1964, doi:10.2140/pjm.1964.14.1405).

    0 for fewer than 2 points. k: at least 2.
    """
    return 0 if n < 2 else _up(n * _up(n - 1, k - 1), k) if n > k else 1


def few_groups(n: int, k: int) -> int:
    """The same from the coverings by at most 13 groups, which are all known (Mills 1979, Todorov 1985); 14 if more are needed."""
    if n <= k:
        return int(n > 1)
    return next((groups for groups, ratio in _FEW.items() if Fraction(n, k) <= ratio), 14)


def lower_bound(
    wanted: NDArray[np.bool_], places: int, sets: Sequence[tuple[str, NDArray[np.int64], int]], *, every_point: bool = False
) -> tuple[int, str]:
    """The largest lower bound for a plan that covers `wanted`, and its name.

    wanted: (n, n), symmetric. places: points per group. sets: (name, its points, maximum of them per group). every_point: whether points
    without a wanted pair must be in a group too. (0, "") if nothing is to be covered.
    """
    n = len(wanted)
    found = [(0, ""), *_of_points(wanted, np.arange(n), places, "")]
    for name, points, most in sets:
        found += [] if most < 2 or most >= len(points) else _of_points(wanted, points, most, f" of {name}")
    # The number of groups that each point needs, by its strictest constraint.
    needs = np.maximum(-(-wanted.sum(axis=1) // max(places - 1, 1)), int(every_point))
    for _, points, most in sets:
        if most >= 2:
            needs[points] = np.maximum(needs[points], -(-wanted[np.ix_(points, points)].sum(axis=1) // (most - 1)))
    found.append((_up(int(needs.sum()), places), "places needed by every HEM"))
    for name, points, most in sets:
        if most >= 1:
            found.append((_up(int(needs[points].sum()), most), f"places needed in {name}"))
    return max(found, key=lambda bound: bound[0])


def _of_points(wanted: NDArray[np.bool_], points: NDArray[np.int64], places: int, what: str) -> list[tuple[int, str]]:
    m = len(points)
    within = wanted[np.ix_(points, points)]
    if m < 2 or places < 2 or int(within.sum()) < m * (m - 1):
        return []
    return [(schonheim(m, places), f"Schönheim{what}"), (few_groups(m, places), f"Mills and Todorov{what}")]


def _up(a: int, b: int) -> int:
    return -(-a // b)
