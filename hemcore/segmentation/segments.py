"""The segmentation of one series, at a threshold or by a rule that needs none."""

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
    """The segmentation of `series` that minimises the sum of segment costs + threshold * number of change points; exact.

    series: shape (n,), n >= 1, finite. A series shorter than 2 * min_distance is one segment.
    threshold: the penalty per change point, >= 0 (MinThreshold in MATLAB's findchangepts). None: statistic and threshold are chosen by
        the rule below.
    statistic: the cost of L samples. "rms": L * log(sum(x**2) / L); "std": the same with the population variance; "mean": L times the
        population variance. If the sum S is below realmin = 2.2e-308, the first two cost L * (log(realmin) - log(L)). None: "rms", or the
        rule's choice without a threshold.
    min_distance: the minimum segment length in samples, at least 1 for mean, 2 for rms and std. None: 2, or 10 for std (a quarter of a
        series shorter than 40), since the deviation of few samples is often close to 0 by chance.
    early_exit: return no change point if threshold exceeds the gain of the best single one, as findchangepts does, although two together
        may pay. Default: the true optimum.

    The rule first sets single far samples aside: one that is more than 7 standard deviations of the noise from the median of the 7 around
    it counts as that median. It takes all optimal segmentations for the mean, whatever the penalty, with a minimum segment length of 5
    samples (a tenth of a series shorter than 50) and at most one change point per 8 samples. It chooses the one with the lowest residual
    sum of squares + 4 k log(n) s^2, where k is the number of change points and s^2 the long-run variance of the noise: first that of
    neighbours' differences, then up to three times v / (1 - a)^2, with v the mean square of the residuals after a first-order
    autoregression and a its coefficient (0 to .95). Its steps are kept if n log(v) + 3 k log(n), with a up to .5, is lower than without
    any step and than for a straight line at the price of one change point. They are not if the same fails with a up to 1 and the share of
    the variance that they leave is at least 1.2 (1 - a) / (k + 1), as it is of steps through a walk or a slow wave, nor if lines from the
    middle of each segment to the next leave less. Unless a straight line was better, what is left is compared with steps, as many or
    fewer, beside a slow wave (a parabola and cosines with 1 to 10 half periods over the series) whose parts cost 2 log(n) each, with a up
    to .5, or up to 1 if the steps were not kept; the lowest is chosen. If no step is left, the standard deviation is tried (minimum
    segment length 10 samples or a twentieth of the series): the segmentation with the lowest sum of L log(v) over segments + 8 k log(n),
    of innovations with a up to 1.
    With a statistic and no threshold, mean or std, only that statistic is tried. The result's chosen_by states the choice in a sentence;
    `segment` with its threshold, statistic and min_distance finds the same, where no sample was set aside. Measured on simulated and real
    series with known changes: see benchmarks/bench_default_segmentation.py.

    Raises ParameterError for a series that is empty, not one-dimensional, not numeric, not finite or above 1e140, for a threshold below 0,
    for a min_distance that is too small, and for rms or early_exit without a threshold, since there is no rule for them.
    Time grows about linearly for rms and mean if samples vary; for std, and if samples repeat exactly, with the square of the segments'
    lengths. The rule takes up to 160 searches.
    Source: Imtiaz et al. (2022); Killick et al. 2012, doi:10.1080/01621459.2012.737745, with pruning delayed by min_distance; for rms and
    mean also Maidstone et al. 2017, doi:10.1007/s11222-016-9636-3. The rule: 3 k log(n) as in Zhang and Siegmund 2007,
    doi:10.1111/j.1541-0420.2006.00662.x, with the noise model of Chakar et al. 2017, doi:10.3150/15-BEJ782; far samples as in Hampel
    1974, doi:10.2307/2285666.
    """
    samples = checked_series(series)
    if threshold is None:
        if early_exit:
            raise ParameterError("early_exit: it compares the threshold with the gain of one change point. Give a threshold too.")
        return by_rule(samples, statistic, min_distance)
    statistic = statistic or "rms"
    least = least_segment(min_distance, statistic, len(samples))
    check_search(threshold, statistic, least)
    if early_exit and threshold > single_gain(samples, statistic, least):
        points: NDArray[np.int64] = np.empty(0, dtype=np.int64)
    else:
        points = search(samples, threshold, statistic, least)
    return described(samples, points, threshold=threshold, statistic=statistic, min_distance=least, early_exit=early_exit)
