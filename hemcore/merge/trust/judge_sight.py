"""What a classifier of merged rows against rows read together can notice: a small judge sees little, and its 0.5 means little."""

import numpy as np
from scipy.special import ndtr, ndtri

# The standard deviation of the AUC of the trees of `classifier_auc` on rows of one distribution, in units of that of a score that was not
# trained on other rows of the same two tables; and the correlation of two judges' AUC, which share the merged table and an anchor.
# Measured by benchmarks/bench_judges.py.
_SPREAD, _TOGETHER = 1.35, 0.04
# Normal quantiles: exceeded by chance in 1 of 20; and 9 of 10 above.
_BY_CHANCE, _NEARLY_ALWAYS = 1.645, 1.282


def auc_told(rows: int, judges: int) -> float:
    """The mean AUC of `judges` judges that rows read together exceed in 1 of 20 collections; at most 1. rows: of each table of a judge.

    From the variance of the Mann-Whitney statistic, (n + m + 1) / (12 n m). Source: J. A. Hanley and B. J. McNeil 1982, "The meaning and
    use of the area under a receiver operating characteristic (ROC) curve", DOI 10.1148/radiology.143.1.7063747.
    """
    return min(1.0, 0.5 + _BY_CHANCE * _spread(rows, judges))


def auc_seen(rows: int, judges: int) -> float:
    """The mean AUC that `judges` judges of `rows` rows each tell from 0.5 in 9 of 10 collections; at most 1."""
    return min(1.0, 0.5 + (_BY_CHANCE + _NEARLY_ALWAYS) * _spread(rows, judges))


def auc_of_all(auc: float, hems: int, n_hems: int) -> float:
    """About the AUC of a judge of all `n_hems` HEMs where judges of `hems` (at least 2) have the mean `auc`; it may be more.

    As if each pair added the same to the squared distance of two normal scores, of which an AUC is Phi(distance / sqrt 2). More rows teach
    the trees more: on made populations a judge of 20 HEMs and 1,000 rows had as much, or up to .2 more.
    """
    return float(ndtr(ndtri(auc) * np.sqrt(n_hems * (n_hems - 1) / (hems * (hems - 1)))))


def _spread(rows: int, judges: int) -> float:
    """The standard deviation of the mean AUC."""
    alone = _SPREAD * np.sqrt((2 * rows + 1) / (12 * rows * rows))
    return float(alone * np.sqrt((1 + _TOGETHER * (judges - 1)) / judges))
