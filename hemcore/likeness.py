"""How similar two tables of runs are: energy distance and classifier AUC, both on ranks and so independent of units; errors of r."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.spatial.distance import cdist, pdist

from hemcore.errors import TableError

Matrix = NDArray[np.float64]

MEASURES = ["auc", "energy", "spearman_mse", "pearson_mse"]
_FOLDS = 5
_TREES = 60
_FEWEST_ROWS = 2 * _FOLDS
_MOST_ROWS = 2_000


def compared(merged: pd.DataFrame, real: pd.DataFrame, seed: int = 0, *, at_most: int | None = None) -> dict[str, float]:
    """MEASURES of `merged` against rows read together, over the HEMs that both have; NaN where these are fewer than two.

    auc (of a classifier of merged against read rows; 0.5 = indistinguishable), energy (distance, 0 = the same distribution), spearman_mse
    and pearson_mse (mean squared difference of r over the pairs that have one in both). at_most: how many rows of `merged` are classified.
    """
    hems = [hem for hem in real.columns if hem in merged.columns]
    if len(hems) < 2:
        return dict.fromkeys(MEASURES, np.nan)
    merged, real = merged[hems], real[hems]
    # Quantiles are spread more evenly than readings are, and a classifier sees it; rows drawn from more of them are as uneven.
    drawn = merged if at_most is None or len(merged) <= at_most else merged.sample(at_most, random_state=seed)
    found = classifier_auc(real, drawn, seed=seed), energy_distance(real, merged), _mse(merged.rank(), real.rank()), _mse(merged, real)
    return dict(zip(MEASURES, found, strict=True))


def energy_distance(one: pd.DataFrame, other: pd.DataFrame) -> float:
    """The energy distance of two tables over the columns of `one`, each column as the share of both tables' values below.

    2 E|X - Y| - E|X - X'| - E|Y - Y'| as a U-statistic: 0 on average if both come from the same distribution, where it can be slightly
    negative. Of more than 2,000 rows, 2,000 evenly spread ones are taken. NaN where a table has fewer than two rows.
    Source: G. J. Székely and M. L. Rizzo 2013, "Energy statistics: a class of statistics based on distances",
    DOI 10.1016/j.jspi.2013.03.018.
    """
    first, second = _shares(one, other)
    if min(len(first), len(second)) < 2:
        return float("nan")
    return float(2 * cdist(first, second).mean() - pdist(first).mean() - pdist(second).mean())


def classifier_auc(one: pd.DataFrame, other: pd.DataFrame, *, seed: int = 0) -> float:
    """The AUC of gradient boosted trees that classify rows as `one` or `other`, over the columns of `one`.

    0.5: indistinguishable; 1: always right. Each row is judged by trees that were grown on the other four fifths of the rows (five folds);
    columns are ranks within both tables together. Of more than 2,000 rows, 2,000 evenly spread ones are used. NaN for fewer than 10 rows
    in a table.
    Source: J. H. Friedman 2003, "On multivariate goodness-of-fit and two-sample testing", SLAC-PUB-10325.
    """
    # Half a second to import.
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.metrics import roc_auc_score
    from sklearn.model_selection import StratifiedKFold
    from threadpoolctl import threadpool_limits

    first, second = _shares(one, other)
    if min(len(first), len(second)) < _FEWEST_ROWS:
        return float("nan")
    rows, belongs = np.vstack([first, second]), np.repeat([0, 1], [len(first), len(second)])
    scores = np.empty(len(rows))
    # On one thread: so few rows gain nothing by more, and on a busy machine these wait for each other.
    with threadpool_limits(1):
        for train, judged in StratifiedKFold(_FOLDS, shuffle=True, random_state=seed).split(rows, belongs):
            trees = HistGradientBoostingClassifier(max_iter=_TREES, min_samples_leaf=10, early_stopping=False, random_state=seed)
            scores[judged] = trees.fit(rows[train], belongs[train]).predict_proba(rows[judged])[:, 1]
    return float(roc_auc_score(belongs, scores))


def _shares(one: pd.DataFrame, other: pd.DataFrame) -> tuple[Matrix, Matrix]:
    lacking = [name for name in one.columns if name not in other.columns]
    if lacking:
        raise TableError(f"other: it has no column {lacking[0]!r}, which the first table has. Give tables of the same HEMs.")
    parts = [thinned(frame[list(one.columns)].to_numpy(dtype=float), _MOST_ROWS) for frame in (one, other)]
    both = np.vstack(parts)
    shares = np.empty_like(both)
    for column, share in zip(both.T, shares.T, strict=True):
        order = np.argsort(column, kind="stable")
        share[order] = mid_shares(column[order])
    return shares[: len(parts[0])], shares[len(parts[0]) :]


def thinned(values: NDArray[np.float64], most: int) -> NDArray[np.float64]:
    """`values` (shape (n, ...)) as they are up to n = `most` (>= 1) rows; of more rows `most` of them, evenly spread from the first on."""
    n = len(values)
    return values if n <= most else values[np.arange(most) * n // most]


def mid_shares(ordered: NDArray[np.number]) -> Matrix:
    """(rank - 1/2) / n of each of the sorted `ordered` (shape (n,)), equal ones sharing the mean of their ranks."""
    n = len(ordered)
    if n == 0:
        return np.empty(0)
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    if len(starts) == n:
        return (np.arange(n) + 0.5) / n
    lengths = np.diff(np.append(starts, n))
    return np.repeat((starts + lengths / 2) / n, lengths)


def _mse(merged: pd.DataFrame, real: pd.DataFrame) -> float:
    """Mean squared difference of r over the pairs that have one in both."""
    apart = (merged.corr() - real.corr()).to_numpy()[np.triu_indices(merged.shape[1], 1)]
    return float(np.nanmean(apart * apart)) if np.isfinite(apart).any() else np.nan
