"""Means and products by program, against the rows themselves."""

import numpy as np
import pytest

from hemcore.prediction.models import thinning
from hemcore.prediction.models.program_moments import Moments
from hemcore.prediction.models.thinning import at_most, some_of_each
from tests.core.prediction.few_programs import rows_of


def test_two_programs_of_two_rows_by_hand() -> None:
    # Feature 1, 3 | 6, 10 with targets 1, 5 | 6, 8: means 5 and 5, products of differences 46 and 22 over four rows.
    found = Moments.of(np.array([[1.0], [3.0], [6.0], [10.0]]), np.array([1.0, 5.0, 6.0, 8.0]), np.array([0, 0, 1, 1]))
    assert (found.sizes.tolist(), found.means.tolist()) == ([2, 2], [[2, 3], [8, 7]])
    assert found.products.tolist() == [[[2, 4], [4, 8]], [[8, 4], [4, 2]]]
    every = found.standardized()
    assert (every.middle.tolist(), every.mean) == ([5], 5)
    assert every.units == pytest.approx([np.sqrt(46 / 4)])
    assert every.against == pytest.approx([32 / 4 / np.sqrt(46 / 4)])
    assert every.gram.tolist() == [[pytest.approx(1)]]
    # The second alone: mean 8, standard deviation 2, and 4 / 2 of product per row in its units.
    second = found.standardized(np.array([False, True]))
    assert (second.middle.tolist(), second.units.tolist(), second.against.tolist(), second.mean) == ([8], [2], [1], 7)


def test_a_feature_that_hardly_varies_is_still_in_units_of_how_it_does() -> None:
    assert Moments.of(np.array([[998.0], [1_002.0]]), np.array([1.0, 3.0]), np.array([0, 0])).standardized().units.tolist() == [2]


def test_a_constant_feature_has_the_unit_1_and_a_missing_program_no_weight() -> None:
    found = Moments.of(np.array([[7.0], [7.0]]), np.array([1.0, 3.0]), np.array([0, 2]))
    assert found.sizes.tolist() == [1, 0, 1]
    both = found.standardized()
    assert (both.units.tolist(), both.gram.tolist(), both.against.tolist(), both.mean) == ([1], [[0]], [0], 2)


def test_a_program_a_million_times_as_large_costs_the_others_no_digits() -> None:
    random = np.random.default_rng(0)
    X, group = random.gamma(2.0, 1.0, (60, 2)), np.arange(60) % 3
    X[group == 2] *= 1e9
    found = Moments.of(X, X.sum(axis=1), group).standardized(np.array([True, True, False]))
    own = X[group != 2]
    scaled = (own - own.mean(axis=0)) / own.std(axis=0)
    np.testing.assert_allclose(found.gram, scaled.T @ scaled / len(own), rtol=1e-12)


def test_some_phases_of_each_program_evenly() -> None:
    # Five phases of program 0: every third; two of program 1: both. Rows of programs may be mixed.
    assert some_of_each(np.array([0, 1, 0, 0, 1, 0, 0]), 2).tolist() == [True, True, False, False, True, True, False]


def test_large_programs_are_thinned_to_their_share(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinning, "COMPARED", 2)
    rows = rows_of(y=[1] * 10, x=range(10), programs=[0] * 8 + [1] * 2)
    assert at_most(rows, 10) is rows
    # Of nine together four each: every second of eight, both of two. Never fewer than two.
    assert at_most(rows, 9).X.ravel().tolist() == [0, 2, 4, 6, 8, 9]
    assert at_most(rows, 1).X.ravel().tolist() == [0, 4, 8, 9]
