"""The segmentation of one series: at a threshold, or by a rule that needs none."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hemcore.errors import ParameterError
from hemcore.segmentation.params import Statistic
from hemcore.segmentation.search.penalty_rule import by_rule
from hemcore.segmentation.search.searches import Segmentation, check_search, checked_series, described, least_segment, search, single_gain


def segment(
    series: ArrayLike,
    threshold: float | None = None,
    *,
    statistic: Statistic | None = None,
    min_distance: int | None = None,
    early_exit: bool = False,
) -> Segmentation:
    """The segmentation of `series` with the least sum of segment costs + threshold * number of change points; exact.

    series: shape (n,), n >= 1, finite. A series shorter than 2 * min_distance is one segment.
    threshold: the penalty of a change point, >= 0 (MinThreshold of MATLAB's findchangepts). None: statistic and threshold are chosen, by
        the rule below.
    statistic: the cost of L samples. "rms": L * log(sum(x**2) / L); "std": the same with the population variance; "mean": L times the
        population variance. Where the sum S is below realmin = 2.2e-308 the first two cost L * (log(realmin) - log(L)). None: "rms", or,
        where no threshold is given, what the rule chooses.
    min_distance: samples that a segment has at least: 1 for mean, 2 for rms and std, or more. None: 2, for std 10 (a quarter of a series
        shorter than 40), since the deviation of few samples is often close to 0 by chance.
    early_exit: return no change point when threshold is above what the best single one gains, as findchangepts does, although two
        together may pay. Default: the true optimum.

    The rule. Of all optimal segmentations for the mean, whatever the penalty (least segment 5 samples, a tenth of a series shorter than
    50; a change point for 8 samples at most), the one with the least n log(v) + 3 k log(n): k change points, v the mean square of what a
    first-order autoregression leaves of the residuals, its coefficient between 0 and .95. So a slow wave or a walk is taken for correlated
    noise where that explains it as well as steps do; and a straight line, at the price of one change point, for no change where it leaves
    less than all steps. Where no step pays, the standard deviation is tried (least segment 10
    samples, a twentieth of the series): the segmentation with the least sum of L log(v) of segments + 8 k log(n), taken if that is below
    the other. A statistic given without a threshold is held to: mean or std. chosen_by of the result says it in a sentence, and `segment`
    at its threshold, statistic and min_distance finds the same. Measured on made and real series with known changes: see
    benchmarks/bench_default_segmentation.py.

    Raises ParameterError for a series that is empty, not one-dimensional, not numbers, not finite or above 1e140, for a threshold below 0,
    for a min_distance too small, and without a threshold for rms and early_exit, for which there is no rule.
    Time grows about as n for rms and mean where samples vary; for std, and where they repeat exactly, with the square of segments' lengths.
    The rule takes up to 160 searches.
    Source: document 002; Killick et al. 2012, doi:10.1080/01621459.2012.737745, with pruning delayed by min_distance; for rms and mean
    also Maidstone et al. 2017, doi:10.1007/s11222-016-9636-3. The rule: 3 k log(n) as in Zhang and Siegmund 2007,
    doi:10.1111/j.1541-0420.2006.00662.x, under the noise of Chakar et al. 2017, doi:10.3150/15-BEJ782.
    """
    samples = checked_series(series)
    if threshold is None:
        if early_exit:
            raise ParameterError("early_exit: it compares a threshold with the best single change point. Give a threshold too.")
        return by_rule(samples, statistic, min_distance)
    statistic = statistic or "rms"
    least = least_segment(min_distance, statistic, len(samples))
    check_search(threshold, statistic, least)
    if early_exit and threshold > single_gain(samples, statistic, least):
        points: NDArray[np.int64] = np.empty(0, dtype=np.int64)
    else:
        points = search(samples, threshold, statistic, least)
    return described(samples, points, threshold=threshold, statistic=statistic, min_distance=least, early_exit=early_exit)


def warm() -> None:
    """Compile the searches, or load them where this machine has compiled them before. Takes up to a few seconds the first time."""
    statistic: Statistic
    for statistic in ("rms", "std", "mean"):
        segment(np.arange(1.0, 9.0), 1.0, statistic=statistic, min_distance=2, early_exit=True)
