"""How each model is fitted: (rows, name of a form, settings) -> fitted model."""

import warnings
from collections.abc import Sequence

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from hemcore.prediction.arrays import Floats, Settings
from hemcore.prediction.explore.event_groups import costs_time, is_miss, is_time
from hemcore.prediction.model_rows import Rows
from hemcore.prediction.models.clslr import local_predictions, units_of
from hemcore.prediction.models.curve_features import cost_features, knots_of, pairs_of
from hemcore.prediction.models.feature_forms import FORMS
from hemcore.prediction.models.fitted import Curves, Linear, Local, NearestMean, Trees
from hemcore.prediction.models.relative_nnls import COARSE, equal_weights, relative_fit

# Parts of one curve share their cost where few phases tell them apart.
_CURVE_RIDGE = 1e-3
# Chosen once, for tables of a few thousand phases.
_BOOSTING: dict[str, object] = {
    "learning_rate": 0.05,
    "max_iter": 150,
    "max_leaf_nodes": 15,
    "min_samples_leaf": 20,
    "l2_regularization": 1.0,
    "early_stopping": False,
    "random_state": 0,
}


def ols(rows: Rows, form: str, settings: Settings) -> Linear:
    """Ordinary least squares with an intercept."""
    from sklearn.linear_model import LinearRegression

    X, y, names = _features(rows, form)
    middle, units = X.mean(axis=0), units_of(X)
    found = LinearRegression().fit((X - middle) / units, y)
    return _linear(form, names, found.coef_, float(found.intercept_), middle, units)


def lasso(rows: Rows, form: str, settings: Settings) -> Linear:
    """Lasso of standardized features; alpha: a fraction of the smallest penalty at which every coefficient is 0."""
    return _lassos(rows, form, [settings])[0]


def lasso_over(train: Rows, test: Rows, form: str, grid: Sequence[Settings]) -> Floats:
    """The predictions of `lasso` with each setting; shape (n, settings)."""
    return np.column_stack([each.predict(test) for each in _lassos(train, form, grid)])


def ridge(rows: Rows, form: str, settings: Settings) -> Linear:
    """Ridge of standardized features; alpha: the penalty per row."""
    return _ridges(rows, form, [settings])[0]


def ridge_over(train: Rows, test: Rows, form: str, grid: Sequence[Settings]) -> Floats:
    """The predictions of `ridge` with each setting, from one decomposition; shape (n, settings)."""
    return np.column_stack([each.predict(test) for each in _ridges(train, form, grid)])


def nnls(rows: Rows, form: str, settings: Settings) -> Linear:
    """RelativeNnls of all features."""
    X, y, names = _features(rows, form)
    theta, _ = relative_fit(X, y, equal_weights(rows.group))
    return Linear(form=form, names=names, theta=theta)


def nnls_few(rows: Rows, form: str, settings: Settings) -> Linear:
    """RelativeNnls of settings["n"] features, added one at a time: always the one with the smallest training loss."""
    X, y, names = _features(rows, form)
    weights = equal_weights(rows.group)
    own: list[int] = []
    theta = np.zeros(X.shape[1])
    for _ in range(min(settings["n"], X.shape[1])):
        tried = {j: relative_fit(X[:, [*own, j]], y, weights) for j in range(X.shape[1]) if j not in own}
        best = min(tried, key=lambda j: (tried[j][1], j))
        own.append(best)
        theta = np.zeros(X.shape[1])
        theta[own] = tried[best][0]
    return Linear(form=form, names=names, theta=theta)


def nnls_curves(rows: Rows, form: str, settings: Settings) -> Curves:
    """RelativeNnls of the curve features of counts per instruction; settings["pairs"]: with products of two kinds of misses."""
    X, y, _ = _features(rows, "rates")
    knots, pairs = knots_of(X), pairs_of(rows.counters) if settings["pairs"] else np.zeros((0, 2), dtype=np.int64)
    scales = np.maximum(X.mean(axis=0)[pairs[:, 1]], 1e-300)
    features = cost_features(X, knots, pairs, scales)
    # In units of their share of the target, so that the penalty is the same for rare and frequent events.
    units = (features / y[:, None]).mean(axis=0)
    units = np.where(units > 0, units, 1.0)
    theta, _ = relative_fit(np.ascontiguousarray(features / units), y, equal_weights(rows.group), _CURVE_RIDGE, COARSE)
    return Curves(form="rates", knots=knots, pairs=pairs, scales=scales, theta=theta / units)


def clslr(rows: Rows, form: str, settings: Settings) -> Local:
    """CLSLR of the form's features, not scaled."""
    X, y, _ = _features(rows, form)
    return Local(form=form, X=X, y=y, sizes=settings["sizes"], alphas=settings["alphas"], positive=settings["positive"])


def clslr_over(train: Rows, test: Rows, form: str, grid: Sequence[Settings]) -> Floats:
    """The predictions of `clslr` with settings of one size and one penalty each; neighbors are found once. Shape (n, settings)."""
    X, y, _ = _features(train, form)
    sizes, alphas = sorted({each["sizes"][0] for each in grid}), sorted({each["alphas"][0] for each in grid})
    found = local_predictions(X, y, FORMS[form].of(test), sizes, alphas, positive=grid[0]["positive"])
    picked = [found[:, sizes.index(each["sizes"][0]), alphas.index(each["alphas"][0])] for each in grid]
    return np.column_stack(picked) * FORMS[form].unit(test)[:, None]


def boosting(rows: Rows, form: str, settings: Settings) -> Trees:
    """Histogram gradient boosting of the logarithm of the target per instruction, from counts per instruction.

    It never falls with more of an event that costs time; of a target that is no time, with more misses.
    """
    from sklearn.ensemble import HistGradientBoostingRegressor
    from threadpoolctl import threadpool_limits

    X, y, _ = _features(rows, "rates")
    costs = costs_time if is_time(rows.target) else is_miss
    monotone = [int(costs(name)) for name in rows.counters]
    learner = HistGradientBoostingRegressor(monotonic_cst=monotone, **_BOOSTING)
    with threadpool_limits(1):  # threads cost more than they gain here, and workers are processes
        found = learner.fit(X, np.log(y), sample_weight=equal_weights(rows.group))
    nodes = [tree.nodes for stage in found._predictors for tree in stage]
    starts = np.concatenate([[0], np.cumsum([len(each) for each in nodes])])[:-1].astype(np.int64)
    every = np.concatenate(nodes)
    leaf = every["is_leaf"].astype(bool)
    return Trees(
        form="rates",
        start_value=float(np.ravel(found._baseline_prediction)[0]),
        starts=starts,
        feature=every["feature_idx"].astype(np.int64),
        threshold=every["num_threshold"].astype(np.float64),
        left=np.where(leaf, -1, every["left"].astype(np.int64)),
        right=np.where(leaf, -1, every["right"].astype(np.int64)),
        value=every["value"].astype(np.float64),
    )


def nearest(rows: Rows, form: str, settings: Settings) -> NearestMean:
    """The mean target per instruction of the rows with the nearest standardized rates."""
    X, y, _ = _features(rows, "rates")
    return NearestMean(form="rates", X=X, y=y, n_neighbors=settings["n_neighbors"])


def _lassos(rows: Rows, form: str, grid: Sequence[Settings]) -> list[Linear]:
    from sklearn.linear_model import lasso_path

    X, y, names = _features(rows, form)
    middle, units = X.mean(axis=0), units_of(X)
    scaled, goal = (X - middle) / units, y - y.mean()
    largest = float(np.abs(scaled.T @ goal).max()) / len(y)
    if not largest > 0:
        return [Linear(form=form, names=names, theta=np.zeros(X.shape[1]), intercept=float(y.mean())) for _ in grid]
    shares = sorted({each["alpha"] for each in grid}, reverse=True)
    with warnings.catch_warnings():
        # It stops early for small penalties, close enough to the optimum.
        warnings.simplefilter("ignore", ConvergenceWarning)
        _, path, _ = lasso_path(
            np.asfortranarray(scaled), goal / largest, alphas=np.array(shares), precompute=scaled.T @ scaled, max_iter=5_000, tol=1e-5
        )
    found = {share: _linear(form, names, path[:, place] * largest, float(y.mean()), middle, units) for place, share in enumerate(shares)}
    return [found[each["alpha"]] for each in grid]


def _ridges(rows: Rows, form: str, grid: Sequence[Settings]) -> list[Linear]:
    X, y, names = _features(rows, form)
    middle, units = X.mean(axis=0), units_of(X)
    scaled, mean = (X - middle) / units, float(y.mean())
    values, vectors = np.linalg.eigh(scaled.T @ scaled)
    against = vectors.T @ (scaled.T @ (y - mean))
    found = [vectors @ (against / (values + each["alpha"] * len(y))) for each in grid]
    return [_linear(form, names, theta, mean, middle, units) for theta in found]


def _linear(form: str, names: tuple[str, ...], coefficients: Floats, intercept: float, middle: Floats, units: Floats) -> Linear:
    """The linear model of the unscaled features from the coefficients of the standardized ones."""
    theta = coefficients / units
    return Linear(form=form, names=names, theta=theta, intercept=intercept - float(middle @ theta))


def _features(rows: Rows, name: str) -> tuple[Floats, Floats, tuple[str, ...]]:
    """(features, target, names of the features) in a form."""
    form = FORMS[name]
    form.check(rows)
    X, names = form.make(rows)
    return np.ascontiguousarray(X), rows.y / form.unit(rows), names
