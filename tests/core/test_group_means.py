"""The chance of means that differ, against numbers worked out by hand."""

import numpy as np
import pytest

from hemcore.group_means import p_of_groups


def test_by_hand() -> None:
    # Means 2 and 4 of 1, 3 and 3, 5: between 4, within 4, F = 4 / (4 / 2) = 2, and P(F(1, 2) > 2) = 1 - sqrt(1 / 2).
    assert p_of_groups(np.array([1.0, 3, 3, 5]), np.array(["a", "a", "b", "b"])) == pytest.approx(1 - 0.5**0.5)


def test_without_a_group_of_two_or_a_spread_within() -> None:
    assert p_of_groups(np.array([1.0, 2, 3]), np.array([1, 2, 3])) == 1
    assert p_of_groups(np.array([1.0, 2, 3]), np.array([1, 1, 1])) == 1
    assert p_of_groups(np.array([1.0, 1, 2, 2]), np.array([1, 1, 2, 2])) == 0
