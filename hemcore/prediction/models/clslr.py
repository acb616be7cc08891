"""CLSLR: a separate Lasso for every point, fitted to the most similar points (Mahajan 2018, section 6.8.3)."""

from collections.abc import Sequence
from typing import Literal, Self

import numba
import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial import cKDTree
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from hemcore.prediction.arrays import Floats, Whole
from hemcore.prediction.models.coordinate import lasso

# With fewer rows, or when many neighbors are needed, computing all distances is faster than the tree.
_TREE_ROWS, _TREE_SHARE = 20_000, 20
_BLOCK = 256
# Additional neighbors whose distances are computed exactly.
_MARGIN = 32


class Clslr(RegressorMixin, BaseEstimator):
    """Constrained locally sparse linear regression: a Lasso without intercept on the neighbors of x predicts x' theta.

    n_neighbors: number of neighbors by the Euclidean distance of unit vectors; all points if there are fewer.
    alpha: the L1 penalty in sum (y - x' theta)^2 / 2m + alpha |theta|_1, as in scikit-learn's Lasso.
    scale: None (features are not scaled) or "std" (each is divided by its standard deviation in training, for distance and penalty).
    positive: no coefficient below 0. relative: alpha is a fraction of the smallest penalty at which all coefficients of a point are 0.

    Neighbors come from a k-d tree on unit vectors (from all distances if there are few points), coefficients from compiled coordinate
    descent with an exact active-set step. They agree to 1e-6 with NearestNeighbors and Lasso(fit_intercept=False) if the neighbors'
    features are independent. A vector of zeros has the same distance to all others, and its prediction is 0.

    Fitted: X_ (n, d), y_ (n,), units_ (d,): what the features were divided by, n_neighbors_: the number of neighbors used.
    """

    def __init__(
        self,
        n_neighbors: int = 1000,
        alpha: float = 1.0,
        *,
        scale: Literal["std"] | None = None,
        positive: bool = True,
        relative: bool = False,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.alpha = alpha
        self.scale = scale
        self.positive = positive
        self.relative = relative

    @classmethod
    def thesis(cls, alpha: float = 1.0) -> "Clslr":
        """The variant of Mahajan (2018): 100 neighbors, coefficients of either sign."""
        return cls(n_neighbors=100, alpha=alpha, positive=False)

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Store the points. X: shape (n, d); y: shape (n,). Raises ValueError as scikit-learn's estimators do, and for invalid settings."""
        if self.n_neighbors < 1:
            raise ValueError(f"n_neighbors: {self.n_neighbors} is too few; it must be at least 1.")
        if not self.alpha >= 0:
            raise ValueError(f"alpha: {self.alpha} must be at least 0.")
        if self.scale not in (None, "std"):
            raise ValueError(f"scale: {self.scale!r} is not known; it is None or 'std'.")
        points, values = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        self.units_ = units_of(points) if self.scale == "std" else np.ones(points.shape[1])
        self.X_ = np.ascontiguousarray(points / self.units_)
        self.y_ = np.asarray(values, dtype=np.float64)
        self.n_neighbors_ = min(int(self.n_neighbors), len(points))
        self._near = Neighbours(self.X_)
        return self

    def predict(self, X: ArrayLike) -> Floats:
        """The target of each row; shape (n,)."""
        return self._local(X)[0]

    def theta(self, X: ArrayLike) -> Floats:
        """The coefficients of each row's own Lasso, shape (n, d), in target units per feature unit: predict is the row sum of X * theta."""
        found: Floats = self._local(X)[1] / self.units_
        return found

    def _local(self, X: ArrayLike) -> tuple[Floats, Floats]:
        check_is_fitted(self)
        points = np.ascontiguousarray(validate_data(self, X, dtype=np.float64, reset=False) / self.units_)
        sizes, alphas = np.array([self.n_neighbors_]), np.array([float(self.alpha)])
        predicted, thetas = np.empty((len(points), 1, 1)), np.empty((len(points), 1, 1, points.shape[1]))
        rows, targets = compiled_for(self.X_), compiled_for(self.y_)
        for start in range(0, len(points), _BLOCK):
            block = slice(start, start + _BLOCK)
            near, _ = self._near.of(points[block], self.n_neighbors_)
            local_lassos(rows, targets, points[block], near, sizes, alphas, self.relative, self.positive, predicted[block], thetas[block])
        return predicted[:, 0, 0], thetas[:, 0, 0]

    def __getstate__(self) -> dict[str, object]:
        state: dict[str, object] = dict(super().__getstate__())
        state.pop("_near", None)
        return state

    def __setstate__(self, state: dict[str, object]) -> None:
        super().__setstate__(state)
        if "X_" in state:
            self._near = Neighbours(self.X_)


def local_predictions(X: Floats, y: Floats, points: Floats, sizes: Sequence[int], alphas: Sequence[float], *, positive: bool) -> Floats:
    """CLSLR predictions for each neighborhood size and each relative penalty; neighbors are found once.

    X: (n, d), y: (n,), points: (m, d). Returns shape (m, sizes, alphas). A size above n means n.
    """
    X, y, points = compiled_for(X), compiled_for(y), compiled_for(points)
    used = np.array(sorted({min(size, len(y)) for size in sizes}))
    falling = np.array(sorted(set(alphas), reverse=True))
    units, of_points = np.ascontiguousarray(unit_vectors(X).T), unit_vectors(points)
    found = np.empty((len(points), len(used), len(falling)))
    for start in range(0, len(points), _BLOCK):
        block = slice(start, start + _BLOCK)
        near = _nearest(units, of_points[block], used)
        thetas = np.empty((*found[block].shape, X.shape[1]))
        local_lassos(X, y, points[block], near, used, falling, True, positive, found[block], thetas)
    own = [int(np.searchsorted(used, min(size, len(y)))) for size in sizes]
    penalties = [int(np.flatnonzero(falling == alpha)[0]) for alpha in alphas]
    return found[:, own][:, :, penalties]


class Neighbours:
    """Nearest-neighbor search among `points` (n, d) by the distance of unit vectors."""

    def __init__(self, points: Floats) -> None:
        self._units = unit_vectors(points)
        self._tree: cKDTree | None = None

    def of(self, points: Floats, n: int) -> tuple[Whole, Floats]:
        """The `n` nearest rows of each point, nearest first (the earlier row in a tie), and their distances; both (m, n)."""
        rows, units = len(self._units), unit_vectors(points)
        if rows > _TREE_ROWS and n * _TREE_SHARE <= rows:
            if self._tree is None:
                self._tree = cKDTree(self._units)
            distances, near = self._tree.query(units, k=np.arange(1, n + 1), workers=-1)
            return near.astype(np.int64), distances
        squares = (self._units**2).sum(axis=1)[None] - 2 * (units @ self._units.T)
        more = min(n + _MARGIN, rows)
        near = np.argpartition(squares, more - 1, axis=1)[:, :more] if more < rows else np.tile(np.arange(rows), (len(units), 1))
        near = np.sort(near, axis=1)
        # Exact distances of these candidates: the products above lose digits for similar vectors.
        distances = np.sqrt(((self._units[near] - units[:, None]) ** 2).sum(axis=2))
        order = np.argsort(distances, axis=1, kind="stable")[:, :n]
        return np.take_along_axis(near, order, axis=1).astype(np.int64), np.take_along_axis(distances, order, axis=1)


@numba.njit(cache=True, nogil=True)
def _nearest(units: Floats, points: Floats, sizes: Whole) -> Whole:
    """Each point's nearest rows (m, last size): first the sizes[0] nearest, by their numbers, then what sizes[1] adds, and so on.

    units: (d, n); points: (m, d); sizes: ascending, at most n. Of rows as far away the earlier ones are nearer.
    """
    d, n = units.shape
    near = np.empty((len(points), sizes[-1]), dtype=np.int64)
    squares = np.empty(n)
    limits, places, free = np.empty(len(sizes)), np.empty(len(sizes), dtype=np.int64), np.empty(len(sizes), dtype=np.int64)
    for at in range(len(points)):
        squares[:] = 0.0
        for j in range(d):
            own = points[at, j]
            for row in range(n):
                off = units[j, row] - own
                squares[row] += off * off
        rest = squares
        for number in range(len(sizes) - 1, -1, -1):
            if sizes[number] < len(rest):
                rest = np.partition(rest, sizes[number] - 1)[: sizes[number]]
            limits[number] = rest.max()
            free[number] = sizes[number] - (rest < limits[number]).sum()  # places for those at the limit itself
            places[number] = sizes[number - 1] if number else 0
        for row in range(n):
            for number in range(len(sizes)):
                if squares[row] < limits[number] or (squares[row] == limits[number] and free[number] > 0):
                    near[at, places[number]] = row
                    places[number] += 1
                    for other in range(number, len(sizes)):
                        if squares[row] == limits[other]:
                            free[other] -= 1
                    break
    return near


def compiled_for(values: Floats) -> Floats:
    """`values`, or a copy in one piece that is not read-only: `local_lassos` would be compiled anew for any other array, for seconds."""
    return np.require(values, np.float64, ["C", "W"])


def unit_vectors(points: Floats) -> Floats:
    """Each row scaled to length 1; a row of zeros stays."""
    largest = np.abs(points).max(axis=1, keepdims=True, initial=0.0)
    # By the largest first: squares of counts above 1e154 are over what a float holds.
    scaled = np.divide(points, largest, out=np.zeros_like(points), where=largest > 0)
    length = np.sqrt((scaled**2).sum(axis=1, keepdims=True))
    found: Floats = np.divide(scaled, length, out=scaled, where=length > 0)
    return found


def units_of(points: Floats) -> Floats:
    """The standard deviation of each column; 1 where the column is constant."""
    spread = points.std(axis=0)
    found: Floats = np.where(spread > 1e-12 * np.abs(points).max(axis=0, initial=0.0), spread, 1.0)
    return found


@numba.njit(cache=True, nogil=True)
def local_lassos(
    X: Floats,
    y: Floats,
    points: Floats,
    near: Whole,
    sizes: Whole,
    alphas: Floats,
    relative: bool,
    positive: bool,
    predicted: Floats,
    thetas: Floats,
) -> None:
    """Compute each point's Lassos on its nearest rows into `predicted` (points, sizes, alphas) and `thetas` (points, sizes, alphas, d).

    near: shape (points, at least the last size), the nearest of each size first. sizes: ascending. alphas: descending; each starts from
    the previous solution.
    """
    d = X.shape[1]
    for at in range(len(points)):
        gram, against = np.zeros((d, d)), np.zeros(d)
        done = 0
        for number in range(len(sizes)):
            size = sizes[number]
            part = np.empty((size - done, d))
            values = np.empty(size - done)
            for row in range(done, size):
                for j in range(d):
                    part[row - done, j] = X[near[at, row], j]
                values[row - done] = y[near[at, row]]
            gram += part.T @ part
            against += part.T @ values
            done = size
            top = 0.0
            for j in range(d):
                top = max(top, against[j] / size if positive else abs(against[j] / size))
            theta = np.zeros(d)
            for place in range(len(alphas)):
                lasso(gram / size, against / size, alphas[place] * (top if relative else 1.0), positive, theta)
                value = 0.0
                for j in range(d):
                    thetas[at, number, place, j] = theta[j]
                    value += theta[j] * points[at, j]
                predicted[at, number, place] = value
