"""How each model is fitted: (rows, name of a form, settings) -> fitted model."""

from collections.abc import Callable, Sequence

import numpy as np

from hemcore.prediction.arrays import Flags, Floats, Settings, Whole
from hemcore.prediction.explore.event_groups import costs_time, is_miss, is_time
from hemcore.prediction.model_rows import Rows
from hemcore.prediction.models.clslr import local_predictions, units_of
from hemcore.prediction.models.coordinate import lasso as lasso_from_gram
from hemcore.prediction.models.curve_features import cost_features, knots_of, pairs_of
from hemcore.prediction.models.feature_forms import FORMS
from hemcore.prediction.models.fitted import Curves, Linear, Local, NearestMean, Trees
from hemcore.prediction.models.program_moments import Moments, Standardized
from hemcore.prediction.models.relative_nnls import COARSE, equal_weights, relative_fit
from hemcore.prediction.models.thinning import at_most

# Parts of one curve share their cost where few phases tell them apart.
_CURVE_RIDGE = 1e-3
_BINS = 255
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
    return _from_moments(_lassos, rows, form, [settings])[0]


def lasso_over(rows: Rows, tried: Flags, form: str, grid: Sequence[Settings], left_out: Sequence[Whole]) -> Floats:
    """The predictions of `lasso` with each setting for the `tried` rows (n,), by the fit without their program; (n tried, settings).

    left_out: the programs that are left out together. The rows are looked at once, whatever their number.
    """
    return _over_programs(_lassos, rows, tried, form, grid, left_out)


def ridge(rows: Rows, form: str, settings: Settings) -> Linear:
    """Ridge of standardized features; alpha: the penalty per row."""
    return _from_moments(_ridges, rows, form, [settings])[0]


def ridge_over(rows: Rows, tried: Flags, form: str, grid: Sequence[Settings], left_out: Sequence[Whole]) -> Floats:
    """As `lasso_over`, of `ridge`."""
    return _over_programs(_ridges, rows, tried, form, grid, left_out)


def nnls(rows: Rows, form: str, settings: Settings) -> Linear:
    """RelativeNnls of all features."""
    X, y, names = _features(rows, form)
    theta, _ = relative_fit(X, y, equal_weights(rows.group))
    return Linear(form=form, names=names, theta=theta)


def nnls_few(rows: Rows, form: str, settings: Settings) -> Linear:
    """RelativeNnls of settings["n"] features, added one at a time: always the one with the smallest training loss.

    Which ones is found on LEARNED phases at most, their costs on all.
    """
    few = at_most(rows)
    X, y, names = _features(few, form)
    weights, own = equal_weights(few.group), list[int]()
    for _ in range(min(settings["n"], X.shape[1])):
        tried = {j: relative_fit(X[:, [*own, j]], y, weights, roundings=COARSE)[1] for j in range(X.shape[1]) if j not in own}
        own.append(min(tried, key=lambda j: (tried[j], j)))
    X, y, _ = _features(rows, form)
    theta = np.zeros(X.shape[1])
    theta[own] = relative_fit(X[:, own], y, equal_weights(rows.group))[0]
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
    """CLSLR of the form's features, not scaled, of LEARNED phases at most."""
    X, y, _ = _features(at_most(rows), form)
    return Local(form=form, X=X, y=y, sizes=settings["sizes"], alphas=settings["alphas"], positive=settings["positive"])


def clslr_over(train: Rows, test: Rows, form: str, grid: Sequence[Settings]) -> Floats:
    """The predictions of `clslr` with settings of one size and one penalty each; neighbors are found once. Shape (n, settings)."""
    X, y, _ = _features(at_most(train), form)
    sizes, alphas = sorted({each["sizes"][0] for each in grid}), sorted({each["alphas"][0] for each in grid})
    found = local_predictions(X, y, FORMS[form].of(test), sizes, alphas, positive=grid[0]["positive"])
    picked = [found[:, sizes.index(each["sizes"][0]), alphas.index(each["alphas"][0])] for each in grid]
    return np.column_stack(picked) * FORMS[form].unit(test)[:, None]


def boosting(rows: Rows, form: str, settings: Settings) -> Trees:
    """Histogram gradient boosting of the logarithm of the target per instruction, from counts per instruction.

    It never falls with more of an event that costs time; of a target that is no time, with more misses. It learns from LEARNED phases at
    most, and from the numbers of their bins: binning weighted rows took scikit-learn four times as long as all of its trees.
    """
    from sklearn.ensemble import HistGradientBoostingRegressor
    from threadpoolctl import threadpool_limits

    rows = at_most(rows)
    X, y, _ = _features(rows, "rates")
    weights = equal_weights(rows.group)
    edges = [_bin_edges(column, weights) for column in X.T]
    bins = np.column_stack([np.searchsorted(each, column) for each, column in zip(edges, X.T, strict=True)])
    costs = costs_time if is_time(rows.target) else is_miss
    monotone = [int(costs(name)) for name in rows.counters]
    learner = HistGradientBoostingRegressor(monotonic_cst=monotone, **_BOOSTING)
    with threadpool_limits(1):  # threads cost more than they gain here, and workers are processes
        found = learner.fit(bins, np.log(y), sample_weight=weights)
    nodes = [tree.nodes for stage in found._predictors for tree in stage]
    starts = np.concatenate([[0], np.cumsum([len(each) for each in nodes])])[:-1].astype(np.int64)
    every = np.concatenate(nodes)
    leaf, feature = every["is_leaf"].astype(bool), every["feature_idx"].astype(np.int64)
    # Between two numbers of bins is the edge of the lower one.
    threshold = [0.0 if ends else edges[at][int(value)] for ends, at, value in zip(leaf, feature, every["num_threshold"], strict=True)]
    return Trees(
        form="rates",
        start_value=float(np.ravel(found._baseline_prediction)[0]),
        starts=starts,
        feature=feature,
        threshold=np.array(threshold, dtype=np.float64),
        left=np.where(leaf, -1, every["left"].astype(np.int64)),
        right=np.where(leaf, -1, every["right"].astype(np.int64)),
        value=every["value"].astype(np.float64),
    )


def _bin_edges(values: Floats, weights: Floats) -> Floats:
    """The upper edges of at most 255 bins of about the same weight, halfway between two values; ascending, (bins - 1,)."""
    distinct, of = np.unique(values, return_inverse=True)
    between = (distinct[:-1] + distinct[1:]) / 2
    if len(distinct) <= _BINS:
        return between
    below = np.cumsum(np.bincount(of, weights=weights))
    cuts = np.searchsorted(below, below[-1] * np.arange(1, _BINS) / _BINS)
    found: Floats = between[np.unique(np.minimum(cuts, len(between) - 1))]
    return found


def nearest(rows: Rows, form: str, settings: Settings) -> NearestMean:
    """The mean target per instruction of the rows with the nearest standardized rates."""
    X, y, _ = _features(rows, "rates")
    return NearestMean(form="rates", X=X, y=y, n_neighbors=settings["n_neighbors"])


def _lassos(seen: Standardized, alphas: Sequence[float]) -> list[Floats]:
    """The coefficients of standardized features for each penalty, from the largest on."""
    top, theta, found = float(np.abs(seen.against).max()), np.zeros(len(seen.against)), {}
    for alpha in sorted(set(alphas), reverse=True):
        lasso_from_gram(seen.gram, seen.against, alpha * top, False, theta)
        found[alpha] = theta.copy()
    return [found[alpha] for alpha in alphas]


def _ridges(seen: Standardized, alphas: Sequence[float]) -> list[Floats]:
    """The coefficients of standardized features for each penalty, from one decomposition."""
    values, vectors = np.linalg.eigh(seen.gram)
    return [vectors @ ((vectors.T @ seen.against) / (values + alpha)) for alpha in alphas]


_Solve = Callable[[Standardized, Sequence[float]], list[Floats]]


def _from_moments(solve: _Solve, rows: Rows, form: str, grid: Sequence[Settings]) -> list[Linear]:
    X, y, names = _features(rows, form)
    seen = Moments.of(X, y, rows.group).standardized()
    return [_linear(form, names, theta, seen.mean, seen.middle, seen.units) for theta in solve(seen, [each["alpha"] for each in grid])]


def _over_programs(solve: _Solve, rows: Rows, tried: Flags, form: str, grid: Sequence[Settings], left_out: Sequence[Whole]) -> Floats:
    X, y, _ = _features(rows, form)
    moments, alphas = Moments.of(X, y, rows.group), [each["alpha"] for each in grid]
    codes, group = np.arange(len(moments.sizes)), rows.group[tried]
    points, found = X[tried], np.full((int(tried.sum()), len(grid)), np.nan)
    for held in left_out:
        seen, own = moments.standardized((moments.sizes > 0) & ~np.isin(codes, held)), np.isin(group, held)
        found[own] = (points[own] - seen.middle) / seen.units @ np.column_stack(solve(seen, alphas)) + seen.mean
    return found * FORMS[form].unit(rows)[tried, None]


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
