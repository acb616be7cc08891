"""The mixture's prior, by hand."""

import numpy as np
import pytest

from hemcore.merge.copula.copula_fit import fitted_mixture


def test_a_component_without_spread_has_its_priors() -> None:
    """All 20 runs are 0, so neither component has any spread of its own. The prior adds 20 runs of 0.3 times the copula's covariance, 1:
    the component that ends with all runs has 20 * 0.3 / (20 + 20) = 0.15, the empty one 20 * 0.3 / 20 = 0.3."""
    mixture = fitted_mixture([np.array([0])], [np.zeros((20, 1))], np.eye(1), 2)
    assert mixture.covariances.ravel().tolist() == pytest.approx([0.15, 0.3], rel=1e-6)
    assert mixture.weights.tolist() == pytest.approx([1, 0], abs=1e-6)
