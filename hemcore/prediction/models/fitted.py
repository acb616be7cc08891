"""Fitted models: frozen arrays and how they predict a row. They contain no objects of other libraries, so they can be saved as data."""

from dataclasses import dataclass

import numba
import numpy as np
from scipy.spatial import cKDTree

from hemcore.prediction.arrays import Floats, Whole
from hemcore.prediction.model_rows import Rows
from hemcore.prediction.models.clslr import local_predictions, units_of
from hemcore.prediction.models.curve_features import cost_features
from hemcore.prediction.models.feature_forms import FORMS


@dataclass(frozen=True, kw_only=True, eq=False)
class Linear:
    """unit * (features @ theta + intercept), with the features of a form. names: of the features."""

    form: str
    names: tuple[str, ...]
    theta: Floats
    intercept: float = 0.0

    def predict(self, rows: Rows) -> Floats:
        """The target of each row; shape (n,)."""
        form = FORMS[self.form]
        found: Floats = form.unit(rows) * (form.of(rows) @ self.theta + self.intercept)
        return found


@dataclass(frozen=True, kw_only=True, eq=False)
class Local:
    """CLSLR: the training points X (n, k) in a form, y (n,), and its settings.

    With several neighborhood sizes and penalties (fractions of the smallest at which all coefficients are 0): the geometric mean.
    """

    form: str
    X: Floats
    y: Floats
    sizes: tuple[int, ...]
    alphas: tuple[float, ...]
    positive: bool

    def predict(self, rows: Rows) -> Floats:
        """The target of each row; shape (n,)."""
        form = FORMS[self.form]
        found = local_predictions(self.X, self.y, form.of(rows), self.sizes, self.alphas, positive=self.positive)
        return form.unit(rows) * geometric_mean(list(found.reshape(len(rows), -1).T))


@dataclass(frozen=True, kw_only=True, eq=False)
class Trees:
    """unit * exp(sum of trees over a form's features).

    starts: where each tree's nodes begin. Of each node: feature, threshold, left and right (indices in the tree; left < 0: a leaf), value.
    """

    form: str
    start_value: float
    starts: Whole
    feature: Whole
    threshold: Floats
    left: Whole
    right: Whole
    value: Floats

    def predict(self, rows: Rows) -> Floats:
        """The target of each row; shape (n,)."""
        form = FORMS[self.form]
        X = np.ascontiguousarray(form.of(rows))
        summed = sum_of_trees(X, self.starts, self.feature, self.threshold, self.left, self.right, self.value)
        found: Floats = form.unit(rows) * np.exp(np.clip(self.start_value + summed, -700, 700))
        return found


@dataclass(frozen=True, kw_only=True, eq=False)
class Curves:
    """unit * (curve features of a form's features @ theta), theta >= 0: it never falls with more of an event per instruction.

    knots (k, d), pairs (p, 2) and scales (p,): as `cost_features` takes them; theta: ((k + 1) d + p,).
    """

    form: str
    knots: Floats
    pairs: Whole
    scales: Floats
    theta: Floats

    def predict(self, rows: Rows) -> Floats:
        """The target of each row; shape (n,)."""
        form = FORMS[self.form]
        found: Floats = form.unit(rows) * (cost_features(form.of(rows), self.knots, self.pairs, self.scales) @ self.theta)
        return found


@dataclass(frozen=True, kw_only=True, eq=False)
class NearestMean:
    """The mean of y / unit over the rows with the nearest standardized features; X (n, k) in a form, y (n,)."""

    form: str
    X: Floats
    y: Floats
    n_neighbors: int

    def predict(self, rows: Rows) -> Floats:
        """The target of each row; shape (n,)."""
        form = FORMS[self.form]
        middle, units = self.X.mean(axis=0), units_of(self.X)
        tree = cKDTree((self.X - middle) / units)
        n = min(self.n_neighbors, len(self.y))
        _, near = tree.query((form.of(rows) - middle) / units, k=np.arange(1, n + 1))
        return form.unit(rows) * self.y[near].mean(axis=1)


@dataclass(frozen=True, kw_only=True, eq=False)
class Together:
    """The geometric mean of other models' predictions, using only those above 0."""

    members: tuple["AnyFitted", ...]

    def predict(self, rows: Rows) -> Floats:
        """The target of each row; shape (n,)."""
        return geometric_mean([each.predict(rows) for each in self.members])


@dataclass(frozen=True, kw_only=True, eq=False)
class Copied:
    """The target of the same phase under another load; NaN if not available."""

    def predict(self, rows: Rows) -> Floats:
        """The target of each row; shape (n,)."""
        return rows.copied.copy()


AnyFitted = Linear | Local | Trees | Curves | NearestMean | Together | Copied


def geometric_mean(predictions: list[Floats]) -> Floats:
    """The geometric mean of the positive values at each place; the first prediction if none is positive."""
    stacked = np.stack(predictions)
    above = stacked > 0
    logs = np.log(np.where(above, stacked, 1.0)).sum(axis=0)
    n = above.sum(axis=0)
    found: Floats = np.where(n > 0, np.exp(logs / np.maximum(n, 1)), stacked[0])
    return found


@numba.njit(cache=True, nogil=True)
def sum_of_trees(X: Floats, starts: Whole, feature: Whole, threshold: Floats, left: Whole, right: Whole, value: Floats) -> Floats:
    """The sum of the values of the leaves reached by each row; shape (n,)."""
    summed = np.zeros(len(X))
    for row in range(len(X)):
        for start in starts:
            node = start
            while left[node] >= 0:
                node = start + (left[node] if X[row, feature[node]] <= threshold[node] else right[node])
            summed[row] += value[node]
    return summed
