"""Fields and transversal designs, by their own laws."""

from itertools import combinations

import numpy as np
import pytest

from hemcore.planning.search.algebra import prime_powers, steiner, transversal


def test_prime_powers() -> None:
    assert prime_powers(17) == (2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 17)


@pytest.mark.parametrize("q", [2, 3, 4, 5, 8, 9, 16, 25, 27])
def test_two_points_of_different_rows_are_in_one_group(q: int) -> None:
    groups = transversal(q + 1, q)
    assert groups.shape == (q * q, q + 1)
    for first, second in combinations(range(q + 1), 2):
        assert len(np.unique(groups[:, first] * (q * q + q) + groups[:, second])) == q * q
    assert (groups // q == np.arange(q + 1)).all()


@pytest.mark.parametrize(("n", "groups"), [(25, 50), (28, 63)])
def test_a_steiner_system_has_each_pair_once(n: int, groups: int) -> None:
    """n (n - 1) / 2 pairs, 6 in a group of 4: 300 / 6 and 378 / 6."""
    system = steiner(n)
    assert system is not None
    pairs = [pair for group in system.tolist() for pair in combinations(sorted(group), 2)]
    assert len(system) == groups
    assert sorted(pairs) == list(combinations(range(n), 2))


def test_the_first_groups_of_25_points_by_hand() -> None:
    """Point 5 x + y; {(0, 0), (0, 1), (1, 0), (2, 2)} and the same moved by (0, 1)."""
    system = steiner(25)
    assert system is not None
    assert system[:2].tolist() == [[0, 1, 5, 12], [1, 2, 6, 13]]
    assert steiner(26) is None
