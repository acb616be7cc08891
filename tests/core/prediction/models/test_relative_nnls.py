"""RelativeNnls against the linear programme that it solves."""

import numpy as np
import pytest
from scipy.optimize import linprog

from hemcore.prediction import RelativeNnls
from hemcore.prediction.models.relative_nnls import equal_weights


def drawn(n: int = 120, d: int = 5, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    X = random.gamma(1.5, 1.0, (n, d)) * np.logspace(3, 0, d)
    y = X @ random.uniform(0, 2, d) * random.lognormal(0, 0.2, n)
    return X, y, np.repeat([0, 1, 2], [n // 2, n // 4, n - n // 2 - n // 4])


def least_loss(X: np.ndarray, y: np.ndarray, weights: np.ndarray) -> float:
    shares = X / y[:, None]
    n = len(y)
    found = linprog(
        np.concatenate([np.zeros(X.shape[1]), weights, weights]),
        A_eq=np.hstack([shares, np.eye(n), -np.eye(n)]),
        b_eq=np.ones(n),
        bounds=(0, None),
        method="highs",
    )
    return float(found.fun)


@pytest.mark.parametrize("seed", range(5))
def test_its_loss_is_the_least_there_is(seed: int) -> None:
    X, y, groups = drawn(seed=seed)
    weights = equal_weights(groups)
    weights = weights / weights.sum()
    found = RelativeNnls(ridge=0.0).fit(X, y, groups=groups)
    assert found.loss_ == pytest.approx((weights * np.abs(1 - (X / y[:, None]) @ found.coef_)).sum())
    assert found.loss_ <= least_loss(X, y, weights) * (1 + 1e-4)
    assert (found.coef_ >= 0).all()


def test_programs_weigh_the_same_whatever_their_phases() -> None:
    X, y, groups = drawn()
    many = np.concatenate([np.arange(len(y)), *[np.flatnonzero(groups == 2)] * 4])
    one, other = RelativeNnls().fit(X, y, groups=groups), RelativeNnls().fit(X[many], y[many], groups=groups[many])
    np.testing.assert_allclose(one.coef_, other.coef_, rtol=1e-5, atol=1e-9)


def test_counters_that_go_together_share_their_cost() -> None:
    X, y, _ = drawn()
    found = RelativeNnls().fit(np.column_stack([X, X[:, 0]]), y).coef_
    assert found[0] == pytest.approx(found[-1], rel=1e-4)


def test_known_costs_are_found() -> None:
    X, _, _ = drawn()
    costs = np.array([0.3, 5.0, 0.0, 12.0, 40.0])
    np.testing.assert_allclose(RelativeNnls().fit(X, X @ costs).coef_, costs, rtol=1e-3, atol=1e-3)


def test_rows_without_a_target_are_left_out() -> None:
    X, y, _ = drawn()
    y[:4] = 0
    np.testing.assert_allclose(RelativeNnls().fit(X, y).coef_, RelativeNnls().fit(X[4:], y[4:]).coef_, rtol=1e-9)
    assert (RelativeNnls().fit(X, np.zeros(len(X))).coef_ == 0).all()
