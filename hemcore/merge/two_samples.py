"""Can two tables of runs be told apart? Energy distance and the AUC of a classifier, both on ranks, so that no unit matters."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.spatial.distance import cdist, pdist

from hemcore.errors import TableError
from hemcore.merge.ranks import thinned
from hemcore.merge.scores import mid_shares

Matrix = NDArray[np.float64]

_FOLDS = 5
_TREES = 60
_FEWEST_ROWS = 2 * _FOLDS
_MOST_ROWS = 2_000


def energy_distance(one: pd.DataFrame, other: pd.DataFrame) -> float:
    """The energy distance of two tables over the columns of `one`, each column as the share of both tables' values below.

    2 E|X - Y| - E|X - X'| - E|Y - Y'| as a U-statistic: 0 on average where rows of both come from the same law, and then a little below or
    above. Of more than 2,000 rows, 2,000 evenly spread ones are taken. NaN where a table has fewer than two rows.
    Source: G. J. Székely and M. L. Rizzo 2013, "Energy statistics: a class of statistics based on distances",
    DOI 10.1016/j.jspi.2013.03.018.
    """
    first, second = _shares(one, other)
    if min(len(first), len(second)) < 2:
        return float("nan")
    return float(2 * cdist(first, second).mean() - pdist(first).mean() - pdist(second).mean())


def told_apart(one: pd.DataFrame, other: pd.DataFrame, *, seed: int = 0) -> float:
    """The AUC with which gradient boosted trees tell rows of `other` from rows of `one`, over the columns of `one`.

    0.5: they cannot; 1: always. Each row is judged by trees that were grown on the other four fifths of the rows (five folds); columns are
    ranks within both tables together. Of more than 2,000 rows, 2,000 evenly spread ones are taken. NaN for fewer than 10 rows in a table.
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
