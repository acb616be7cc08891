"""Algorithm 1 of Imtiaz et al. (2022): the threshold of one run, and one threshold for all runs of an event."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from hemcore.errors import ParameterError
from hemcore.segmentation.params import Statistic
from hemcore.segmentation.search.searches import LEAST_STD, check_search, checked_series, least_segment, residual_at, search, single_gain


@dataclass(frozen=True, kw_only=True)
class PrimaryThreshold:
    """The primary threshold of one run.

    threshold: a whole number of at least 1. residual, n_change_points: of the segmentation at it.
    settled: whether two neighbouring whole thresholds gave the same residual; False: none did up to max_threshold, and threshold is 1.
    """

    threshold: int
    residual: float
    n_change_points: int
    settled: bool


@dataclass(frozen=True, kw_only=True, eq=False)
class OptimalThreshold:
    """One threshold for all runs of an event.

    per_run: one row per run, in the order given: threshold, residual (at its primary threshold), n_change_points, settled.
    median_residual: the median of the primary residuals. threshold: the optimal one.
    max_threshold, statistic, early_exit: the arguments. min_distance: that of the longest run.
    """

    per_run: pd.DataFrame
    median_residual: float
    threshold: int
    max_threshold: int
    statistic: Statistic
    min_distance: int
    early_exit: bool


def primary_threshold(
    series: ArrayLike, max_threshold: float, *, statistic: Statistic = "rms", min_distance: int | None = None, early_exit: bool = False
) -> PrimaryThreshold:
    """The first whole threshold t from 2 to max_threshold whose residual error equals that of t - 1 (lines 3 to 12 of Algorithm 1).

    Reading of the printed lines: lastResError is reset for each run, which the paper leaves out. Residuals are equal if the change points
    are, whatever the rounding. If no two neighbours up to max_threshold are equal, the threshold stays 1, as set in lines 5 to 7, and
    `settled` is False. Thresholds are whole numbers as printed; the result depends on that step, and, since gains grow with the number of
    samples, it does not apply to runs of another length.

    Raises ParameterError as `segment` does, and if max_threshold is below 1.
    """
    samples = checked_series(series)
    min_distance = least_segment(min_distance, statistic, len(samples))
    check_algorithm(max_threshold, statistic, min_distance)
    gain = single_gain(samples, statistic, min_distance) if early_exit else np.inf
    before = None
    for threshold in range(1, int(max_threshold) + 1):
        points = search(samples, threshold, statistic, min_distance) if threshold <= gain else np.empty(0, dtype=np.int64)
        if before is None:
            first = points
        elif np.array_equal(points, before):
            return _primary(threshold, residual_at(samples, points, statistic), len(points), True)
        before = points
    return _primary(1, residual_at(samples, first, statistic), len(first), False)


def optimal_threshold(
    runs: Sequence[ArrayLike],
    max_threshold: float,
    *,
    statistic: Statistic = "rms",
    min_distance: int | None = None,
    early_exit: bool = False,
) -> OptimalThreshold:
    """The primary threshold of the run whose primary residual is the median one (lines 13 and 18 to 24 of Algorithm 1).

    Reading of the printed lines: they compare each residual with the next one, which finds the median only if residuals ascend, reads past
    the last one, and returns 0 if none matches. Here residuals are sorted (with their thresholds; of equal residuals the smaller threshold
    first) and the last one that is not above the median is taken: the median itself for an odd number of runs, its lower neighbour for an
    even number. A single run gives its own threshold.

    runs: one series per run, of any lengths, at least one. Raises ParameterError as `primary_threshold` does; the message names the run.
    """
    if len(runs) == 0:
        raise ParameterError("runs: empty; at least one is needed. Give one series per run.")
    found, longest = [], 0
    for number, run in enumerate(runs, start=1):
        samples = checked_series(run, name=f"run {number}")
        longest = max(longest, len(samples))
        found.append(primary_threshold(samples, max_threshold, statistic=statistic, min_distance=min_distance, early_exit=early_exit))
    per_run = pd.DataFrame([(each.threshold, each.residual, each.n_change_points, each.settled) for each in found],
                           columns=["threshold", "residual", "n_change_points", "settled"])  # fmt: skip
    median = float(np.median(per_run["residual"]))
    ascending = per_run.sort_values(["residual", "threshold"], kind="stable")
    # Never -1: half the sum of two floats, however rounded, is not below the lower one.
    not_above = int((ascending["residual"] <= median).sum()) - 1
    return OptimalThreshold(
        per_run=per_run,
        median_residual=median,
        threshold=int(ascending["threshold"].iloc[not_above]),
        max_threshold=int(max_threshold),
        statistic=statistic,
        min_distance=least_segment(min_distance, statistic, longest),
        early_exit=early_exit,
    )


def check_algorithm(max_threshold: float, statistic: str, min_distance: int | None) -> None:
    """Raises ParameterError unless the three are within the bounds of Algorithm 1."""
    check_search(max_threshold, statistic, LEAST_STD if min_distance is None else min_distance, name="max_threshold")
    if max_threshold < 1:
        raise ParameterError(f"max_threshold: {max_threshold:g} must be at least 1, where Algorithm 1 starts.")


def _primary(threshold: int, residual: float, n_change_points: int, settled: bool) -> PrimaryThreshold:
    return PrimaryThreshold(threshold=threshold, residual=residual, n_change_points=n_change_points, settled=settled)
