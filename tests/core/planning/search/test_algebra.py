"""Fields and transversal designs, by their own laws."""

from itertools import combinations

import numpy as np
import pytest

from hemcore.planning.search.algebra import prime_powers, transversal


def test_prime_powers() -> None:
    assert prime_powers(17) == (2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 17)


@pytest.mark.parametrize("q", [2, 3, 4, 5, 8, 9, 16, 25, 27])
def test_two_points_of_different_rows_are_in_one_group(q: int) -> None:
    groups = transversal(q + 1, q)
    assert groups.shape == (q * q, q + 1)
    for first, second in combinations(range(q + 1), 2):
        assert len(np.unique(groups[:, first] * (q * q + q) + groups[:, second])) == q * q
    assert (groups // q == np.arange(q + 1)).all()
