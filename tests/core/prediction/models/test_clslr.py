"""CLSLR is what NearestNeighbors and Lasso of scikit-learn give, point by point."""

import pickle
import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Lasso
from sklearn.neighbors import NearestNeighbors
from sklearn.preprocessing import normalize

from hemcore.prediction import Clslr
from hemcore.prediction.models import clslr
from hemcore.prediction.models.coordinate import lasso


def drawn(n: int, d: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    X = random.gamma(2.0, 1.0, (n, d)) * np.logspace(2, 0, d)
    return X, X @ random.uniform(-1, 3, d) * random.uniform(0.9, 1.1, n)


def by_sklearn(X: np.ndarray, y: np.ndarray, points: np.ndarray, n: int, alpha: float, positive: bool) -> tuple[np.ndarray, np.ndarray]:
    _, near = NearestNeighbors(n_neighbors=n).fit(normalize(X)).kneighbors(normalize(points))
    thetas = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        for rows in near:
            found = Lasso(alpha=alpha, fit_intercept=False, positive=positive, tol=1e-13, max_iter=200_000).fit(X[rows], y[rows])
            thetas.append(found.coef_)
    return (points * np.array(thetas)).sum(axis=1), np.array(thetas)


@pytest.mark.slow
@pytest.mark.parametrize("positive", [True, False])
@pytest.mark.parametrize(("n", "alpha"), [(40, 0.0), (40, 1.0), (40, 200.0), (200, 5.0)])
def test_it_is_the_lasso_of_the_nearest_unit_vectors(n: int, alpha: float, positive: bool) -> None:
    X, y = drawn(400, 6)
    points, _ = drawn(15, 6, seed=1)
    found = Clslr(n, alpha, positive=positive).fit(X, y)
    predicted, thetas = by_sklearn(X, y, points, n, alpha, positive)
    np.testing.assert_allclose(found.predict(points), predicted, rtol=1e-6, atol=1e-6 * np.abs(y).max())
    np.testing.assert_allclose(found.theta(points), thetas, rtol=1e-5, atol=1e-6 * np.abs(thetas).max())


def test_the_tree_gives_the_same_neighbours_as_all_distances(monkeypatch: pytest.MonkeyPatch) -> None:
    X, _ = drawn(600, 5)
    points, _ = drawn(20, 5, seed=2)
    own = clslr.Neighbours(X).of(points, 12)
    monkeypatch.setattr(clslr, "_TREE_ROWS", 10)
    by_tree = clslr.Neighbours(X).of(points, 12)
    np.testing.assert_array_equal(own[0], by_tree[0])
    np.testing.assert_allclose(own[1], by_tree[1], rtol=1e-12)


def test_a_theta_is_kept_for_every_point_and_explains_its_prediction() -> None:
    X, y = drawn(300, 4)
    for scale in (None, "std"):
        found = Clslr(50, 1e-3, scale=scale, relative=True).fit(X, y)  # type: ignore[arg-type]
        assert found.theta(X[:9]).shape == (9, 4)
        np.testing.assert_allclose((X[:9] * found.theta(X[:9])).sum(axis=1), found.predict(X[:9]), rtol=1e-9)


def test_of_fewer_rows_than_neighbours_all_are_used() -> None:
    X, y = drawn(30, 3)
    np.testing.assert_array_equal(Clslr(1000, 0.1).fit(X, y).predict(X), Clslr(30, 0.1).fit(X, y).predict(X))


def test_vectors_of_zeros_are_predicted_as_nothing() -> None:
    X, y = drawn(50, 3)
    X[3] = 0
    found = Clslr(10, 0.1).fit(X, y).predict(np.vstack([np.zeros(3), X[:2]]))
    assert found[0] == 0
    assert np.isfinite(found).all()


def test_counters_that_are_the_same_share_a_prediction() -> None:
    X, y = drawn(200, 3)
    twice = np.column_stack([X, X[:, 0]])
    for positive in (True, False):
        one, two = (Clslr(60, 1.0, positive=positive).fit(each, y).predict(each[:9]) for each in (X, twice))
        np.testing.assert_allclose(one, two, rtol=1e-9)


def test_it_can_be_copied_to_another_process() -> None:
    X, y = drawn(100, 3)
    found = Clslr(20, 0.1).fit(X, y)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(found)).predict(X), found.predict(X))  # noqa: S301


def test_for_rows_that_are_read_only_or_in_another_order_nothing_is_compiled_anew() -> None:
    X, y = drawn(100, 3)
    expected = Clslr(20, 0.1).fit(X, y).predict(X)
    compiled = len(clslr.local_lassos.signatures)
    other = Clslr(20, 0.1).fit(np.asfortranarray(X), np.repeat(y, 2)[::2])
    other.X_.flags.writeable = other.y_.flags.writeable = False  # as from a file that is mapped into memory
    np.testing.assert_array_equal(other.predict(X), expected)
    by_size = clslr.local_predictions(other.X_, other.y_, other.X_, [20], [0.1], positive=True)
    np.testing.assert_array_equal(by_size, clslr.local_predictions(X, y, X, [20], [0.1], positive=True))
    assert len(clslr.local_lassos.signatures) == compiled


@pytest.mark.parametrize("positive", [True, False])
def test_the_conditions_of_the_optimum_hold_on_hard_matrices(positive: bool) -> None:
    random = np.random.default_rng(3)
    for _ in range(200):
        d = int(random.integers(1, 9))
        X = random.normal(size=(12, d)) @ random.normal(size=(d, d)) + 3 * random.normal(size=(12, 1))
        y = random.normal(size=12) * 10
        gram, against = X.T @ X / 12, X.T @ y / 12
        alpha = float(random.choice([0.0, 0.1, 2.0]))
        theta = np.zeros(d)
        lasso(gram, against, alpha, positive, theta)
        slope, units = against - gram @ theta, np.sqrt(np.diag(gram))
        slack = 1e-7 * np.abs(against / units).max() * units
        assert (np.abs(slope - alpha * np.sign(theta)) <= slack)[theta != 0].all()
        assert ((slope if positive else np.abs(slope)) <= alpha + slack)[theta == 0].all()
        assert not positive or (theta >= 0).all()


def test_of_two_counters_that_go_together_the_larger_is_taken() -> None:
    # One row, x = 1 and 1.1 x, y = 3, penalty 1: the second alone, 1.1 (3 - 1.1 t) = 1, explains as much for a smaller t than the first.
    theta = np.array([2.0, 0.0])
    lasso(np.array([[1.0, 1.1], [1.1, 1.21]]), np.array([3.0, 3.3]), 1.0, True, theta)
    assert theta.tolist() == pytest.approx([0, 2.3 / 1.21])


@pytest.mark.parametrize("wrong", [{"n_neighbors": 0}, {"alpha": -1.0}, {"scale": "unit"}])
def test_settings_that_mean_nothing_are_refused(wrong: dict) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Clslr(**wrong).fit(*drawn(20, 2))


def test_the_nearest_of_each_size_come_first_and_earlier_rows_win_ties() -> None:
    units = np.array([[0.0, 3.0, 1.0, 1.0, 2.0, 1.0]])
    # From 0 the rows are 0, 3, 1, 1, 2 and 1 away: the nearest two are rows 0 and 2, the next two 3 and 5, then 1 and 4.
    near = clslr._nearest(units, np.array([[0.0]]), np.array([2, 4, 6]))
    assert near.tolist() == [[0, 2, 3, 5, 1, 4]]
    # One, then two, of which the second is the first of three ties; all rows in the end.
    assert clslr._nearest(units, np.array([[0.0]]), np.array([1, 2, 6])).tolist() == [[0, 2, 1, 3, 4, 5]]


def test_the_variant_of_the_thesis() -> None:
    made = Clslr.thesis(0.5)
    assert (made.n_neighbors, made.alpha, made.positive, made.scale) == (100, 0.5, False, None)
