"""Features of readings and their mean products, by hand."""

import numpy as np
import pytest

from hemcore.merge.copula.moments import _mean_product, features_of


def test_features_are_legendre_polynomials_of_the_rank() -> None:
    # At -1, 0 and 1: x times the root of 3, (3 x^2 - 1) / 2 times the root of 5; their mean squares over all ranks are 1.
    found = features_of(np.array([0, 0.5, 1]), np.array([7.0, 8, 9]), 3)
    assert found[:, 0].tolist() == [7, 8, 9]
    assert (found[:, 1] / 3**0.5).tolist() == pytest.approx([-1, 0, 1])
    assert (found[:, 2] / 5**0.5).tolist() == pytest.approx([1, -0.5, 1])


def test_a_mean_product_of_too_few_runs_for_a_regression() -> None:
    # Products 2 and 12: mean 7, variance 25, of two runs 12.5.
    mean, noise = _mean_product(np.array([[1.0], [3]]), np.array([[2.0], [4]]))
    assert (mean.tolist(), noise.tolist()) == ([[7]], [[12.5]])
    # Products that do not vary have the variance of independent features, 1.
    assert _mean_product(np.ones((2, 1)), np.ones((2, 1)))[1].tolist() == [[0.5]]
