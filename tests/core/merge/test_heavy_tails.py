"""Heavy tails by L-moments."""

import numpy as np
import pytest

from hemcore.merge.heavy_tails import heavy_tailed


def test_l_moments_by_hand() -> None:
    """Sorted 0, 0, 0, 12: b0 = 3, b1 = 12 / 4 = 3, b2 = 3, b3 = 3; l2 = 2 b1 - b0 = 3, l3 = 6 b2 - 6 b1 + b0 = 3: L-skewness 1.
    0, 1, 2, 3: b0 = 1.5, b1 = (0 + 1 / 3 + 4 / 3 + 3) / 4 = 7 / 6, b2 = (2 / 3 + 3) / 4 = 11 / 12, b3 = 3 / 4: l3 = 0, l4 = 0."""
    assert heavy_tailed(np.array([12.0, 0, 0, 0]))
    assert heavy_tailed(-np.array([12.0, 0, 0, 0]))
    assert not heavy_tailed(np.arange(4.0))


@pytest.mark.parametrize(("name", "heavy"), [("normal", False), ("uniform", False), ("exponential", True), ("lognormal", True)])
def test_known_distributions(name: str, heavy: bool) -> None:
    """L-skewness 0, 0, 1 / 3 and 0.46."""
    for seed in range(20):
        readings = getattr(np.random.default_rng(seed), name)(size=400)
        assert heavy_tailed(readings) == heavy
        assert heavy_tailed(-readings) == heavy  # as far below as it was above


def test_symmetric_tails_count_too() -> None:
    """Student's t of 2 degrees: L-skewness 0, L-kurtosis 0.375."""
    assert heavy_tailed(np.random.default_rng(0).standard_t(2, 2_000))


def test_too_few_one_value_and_large_counts() -> None:
    assert not heavy_tailed(np.array([0.0, 0, 9]))
    assert not heavy_tailed(np.full(50, 7.0))
    assert not heavy_tailed(1e30 * (1 + np.arange(50.0)))
