"""RelativeNnls: non-negative coefficients with the smallest mean relative error, with equal weight for each program.

The loss is the sum over programs of the mean over its rows of |y - x' theta| / y, theta >= 0. A coefficient is in target units per event.
"""

from typing import Self

import numba
import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from hemcore.prediction.arrays import Floats, Whole
from hemcore.prediction.models.coordinate import lasso

_ROUNDS = 200
# The loss is smoothed below these relative errors, one after the other; each starts from the previous solution.
_ROUNDINGS = np.array([1e-1, 3e-2, 1e-2, 3e-3, 1e-3, 1e-4])
# Of more rows than this the first roundings alone.
_MANY, _FIRST = 20_000, 3
_BLOCK = 512  # rows that stay in the cache
# Enough where the features are many.
COARSE = _ROUNDINGS[:1]
_STILL = 1e-7
# So small that it affects only counters that are correlated in training (first-level and last-level instruction misses).
RIDGE = 1e-8


class RelativeNnls(RegressorMixin, BaseEstimator):
    """Non-negative least absolute relative error, without an intercept.

    ridge: ridge / 2 * sum of theta^2 is added to the loss, so correlated counters share their cost.
    Solved by reweighted least squares with coordinate descent; its loss is within 1e-4 of the linear program's optimum. Rows whose
    target is 0 have no relative error and are left out of the fit. Fitted: coef_ (d,), loss_: the mean relative error in training.
    """

    def __init__(self, ridge: float = RIDGE) -> None:
        self.ridge = ridge

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None, groups: ArrayLike | None = None) -> Self:
        """X: shape (n, d); y: shape (n,). sample_weight: of each row; groups: the program of each row; programs have equal weight.

        A row with weight 2 counts as two rows, one with weight 0 as none. Raises ValueError as scikit-learn's estimators do.
        """
        points, values = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        weights = np.ones(len(values)) if sample_weight is None else _weights(sample_weight, len(values))
        if groups is not None:
            weights = weights * equal_weights(np.unique(np.asarray(groups), return_inverse=True)[1])
        # The search ends near the optimum, and where depends on the rows: equal ones are one, so that weights are what copies would be.
        rows, of_row = np.unique(np.column_stack([points, values])[weights > 0], axis=0, return_inverse=True)
        together = np.bincount(of_row.ravel(), weights=weights[weights > 0]).astype(np.float64)
        self.coef_, self.loss_ = relative_fit(np.ascontiguousarray(rows[:, :-1]), rows[:, -1].copy(), together, self.ridge)
        return self

    def predict(self, X: ArrayLike) -> Floats:
        """The target of each row; shape (n,)."""
        check_is_fitted(self)
        found: Floats = validate_data(self, X, dtype=np.float64, reset=False) @ self.coef_
        return found

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.regressor_tags.poor_score = True  # without an intercept and signs
        return tags


def _weights(sample_weight: ArrayLike, n: int) -> Floats:
    """The weights, shape (n,). Raises ValueError for another shape, a weight that is negative or not finite, and for zeros alone."""
    found: Floats = np.asarray(sample_weight, dtype=np.float64)
    found = np.full(n, float(found)) if found.ndim == 0 else found
    if found.shape != (n,):
        raise ValueError(f"sample_weight: shape {found.shape} does not fit {n} rows; it must be ({n},).")
    if not np.isfinite(found).all() or (found < 0).any():
        raise ValueError("sample_weight: every weight must be finite and at least 0.")
    if not (found > 0).any():
        raise ValueError("sample_weight: sample weights must contain at least one non-zero number.")
    return found


def equal_weights(codes: Whole) -> Floats:
    """The weight of each row from the code of its program (0 to k): the weights of a program sum to rows / programs."""
    sizes = np.bincount(codes)
    found: Floats = (len(codes) / np.count_nonzero(sizes) / np.maximum(sizes, 1))[codes]
    return found


def relative_fit(X: Floats, y: Floats, weights: Floats, ridge: float = RIDGE, roundings: Floats = _ROUNDINGS) -> tuple[Floats, float]:
    """The coefficients, shape (d,), and the weighted mean relative error; zeros and 0.0 if no row has a target.

    roundings: the relative errors below which the loss is smoothed, one after the other.
    """
    counted = (y != 0) & (weights > 0)
    if not counted.any():
        return np.zeros(X.shape[1]), 0.0
    shares = np.ascontiguousarray(X[counted] / np.abs(y[counted])[:, None])
    # Each feature in units of its mean, so the stopping rule is the same for large and small counts.
    units = np.abs(shares).mean(axis=0)
    units = np.where(units > 0, units, 1.0)
    own = weights[counted] / weights[counted].sum()
    shares, goal = shares / units, np.sign(y[counted])
    if len(goal) > _MANY:
        roundings = roundings[:_FIRST]  # finer ones change the loss by millionths and take most of the time
    theta, loss = _absolute(shares, goal, own, ridge / units**2, roundings, True)
    return theta / units, float(loss)


@numba.njit(cache=True, nogil=True)
def _absolute(shares: Floats, goal: Floats, weights: Floats, ridge: Floats, roundings: Floats, positive: bool) -> tuple[Floats, float]:
    """theta >= 0 that minimizes sum of weights * |goal - shares theta| + sum of ridge / 2 * theta^2, and the first sum.

    positive: True; were it written below, `lasso` would be compiled once more for it.
    """
    n, d = shares.shape
    theta, best = np.zeros(d), np.zeros(d)
    least, kept = np.inf, 0.0
    now, weighted = weights.copy(), np.empty((_BLOCK, d))
    for rounding in roundings:
        for _ in range(_ROUNDS):
            gram, against = np.zeros((d, d)), np.zeros(d)
            for first in range(0, n, _BLOCK):
                own, part = shares[first : first + _BLOCK], goal[first : first + _BLOCK]
                for row in range(len(own)):
                    for j in range(d):
                        weighted[row, j] = own[row, j] * now[first + row]
                gram += weighted[: len(own)].T @ own
                against += weighted[: len(own)].T @ part
            for j in range(d):
                gram[j, j] += ridge[j]
            before = theta.copy()
            lasso(gram, against, 0.0, positive, theta)
            loss = 0.0
            gap = goal - shares @ theta
            for row in range(n):
                loss += weights[row] * abs(gap[row])
                now[row] = weights[row] / max(abs(gap[row]), rounding)
            whole = loss
            for j in range(d):
                whole += ridge[j] / 2 * theta[j] ** 2
            if whole < least:
                least, kept = whole, loss
                for j in range(d):
                    best[j] = theta[j]
            moved = 0.0
            for j in range(d):
                moved = max(moved, abs(theta[j] - before[j]))
            if moved < _STILL:
                break
    return best, kept
