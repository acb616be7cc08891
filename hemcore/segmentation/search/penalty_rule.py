"""Chooses the statistic and penalty of a series by the rule that `segment` describes; no truth is used."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from hemcore.errors import ParameterError
from hemcore.segmentation.params import Statistic
from hemcore.segmentation.search.path_by_threshold import ThresholdPath, threshold_path
from hemcore.segmentation.search.searches import LEAST_STD, Segmentation, check_search, described

# The gain that a change of the mean and of the standard deviation needs, in units of log n.
MEAN_GAIN, STD_GAIN = 3.0, 8.0
# The highest autocorrelation of residuals: above it everything looks like a random walk.
MOST_CORRELATED = 0.95
LEAST_MEAN = 5
# The lowest number of samples per change point.
_SAMPLES_PER_CHANGE = 8
_MOST_SEGMENTATIONS, _MOST_STD_CHANGES = 80, 6
# A smaller variance of standardised samples is rounding.
_NO_VARIANCE = 1e-24


def by_rule(samples: NDArray[np.float64], statistic: Statistic | None = None, min_distance: int | None = None) -> Segmentation:
    """The segmentation of checked samples by the rule of `segment`; raises as described there."""
    if statistic == "rms":
        raise ParameterError(
            "statistic: rms has no rule to choose its threshold. Give a threshold (see optimal_threshold), or use mean or std."
        )
    n = len(samples)
    for each in ("mean", "std") if statistic is None else (statistic,):
        check_search(0.0, each, _least(each, n, min_distance))
    # Standardised, so that a penalty means the same for every series.
    largest = float(np.abs(samples).max())
    unit = largest if largest > 0 else 1.0
    standard = samples / unit - float(np.mean(samples / unit))
    spread = float(standard.std())
    if samples.min() == samples.max() or not spread > 1e-14 or n < 4:
        chosen = statistic or "mean"
        none = np.empty(0, dtype=np.int64)
        found = described(samples, none, threshold=MEAN_GAIN * np.log(max(2, n)), statistic=chosen,
                          min_distance=_least(chosen, n, min_distance), early_exit=False)  # fmt: skip
        return replace(found, chosen_by="Nothing varies: one segment." if n >= 4 else f"{n} samples are too few: one segment.")
    standard /= spread
    best, reason = np.inf, "No change of the standard deviation."
    path: ThresholdPath | None = None
    row = 0
    if statistic != "std":
        path = threshold_path(standard, 0.5 * np.log(n), n + 1.0, statistic="mean", min_distance=_least("mean", n, min_distance),
                              max_segmentations=_MOST_SEGMENTATIONS)  # fmt: skip
        row, best = _least_of(
            path, lambda points: n * np.log(_left(_without_steps(standard, points))), MEAN_GAIN * np.log(n), n // _SAMPLES_PER_CHANGE
        )
        reason = "Changes of the mean: lowest n log(v) + 3 k log(n), with autocorrelated residuals."
        # A line competes at the price of one change point: n log(v) + 3 log(n).
        line = n * np.log(_left(_without_line(standard))) + MEAN_GAIN * np.log(n)
        if line < best and len(path.points[row]):
            row, best, reason = len(path.points) - 1, line, "A straight line fits better than steps of the mean: one segment."
    if statistic == "std" or (statistic is None and path is not None and not len(path.points[row])):
        noise = _innovations(standard)
        path_std = threshold_path(standard, 2 * np.log(n), 60.0 * n, statistic="std", min_distance=_least("std", n, min_distance),
                                  max_segmentations=_MOST_SEGMENTATIONS)  # fmt: skip
        row_std, value = _least_of(path_std, lambda points: _spreads(noise, points), STD_GAIN * np.log(n), _MOST_STD_CHANGES)
        if statistic == "std" or (len(path_std.points[row_std]) and value < best):
            path, row, reason = path_std, row_std, "Changes of the standard deviation: lowest sum of L log(v) + 8 k log(n)."
    assert path is not None
    start, stop = path.intervals["threshold_from"].iloc[row], path.intervals["threshold_to"].iloc[row]
    middle = float(np.sqrt(start * stop))
    found = described(
        samples,
        path.points[row].astype(np.int64),
        threshold=middle * (unit * spread) ** 2 if path.statistic == "mean" else middle,
        statistic=path.statistic,
        min_distance=path.min_distance,
        early_exit=False,
    )
    return replace(found, chosen_by=reason)


def _least(statistic: str, n: int, min_distance: int | None) -> int:
    if min_distance is not None:
        return min_distance
    return max(1, min(LEAST_MEAN, n // 10)) if statistic == "mean" else max(2, min(max(LEAST_STD, n // 20), n // 4))


def _least_of(path: ThresholdPath, misfit: Callable[[NDArray[np.int32]], float], penalty: float, most: int) -> tuple[int, float]:
    """The row of the path with the lowest misfit + penalty * change points, with at most `most` change points, and that value.

    Of ties, the one with fewer change points. The last row, with the fewest, is always considered.
    """
    best, at = np.inf, len(path.points) - 1
    for row in range(len(path.points) - 1, -1, -1):
        points = path.points[row]
        if len(points) > max(4, most) and row < len(path.points) - 1:
            break
        value = misfit(points) + penalty * len(points)
        if value < best:
            best, at = value, row
    return at, float(best)


def _innovations(left: NDArray[np.float64]) -> NDArray[np.float64]:
    """The innovations of residuals under a first-order autoregression, shape (n,); the first equals the first residual."""
    energy = float(left[:-1] @ left[:-1])
    correlation = min(max(float(left[:-1] @ left[1:]) / energy, 0.0), MOST_CORRELATED) if energy > 0 else 0.0
    return np.concatenate([left[:1], left[1:] - correlation * left[:-1]])


def _left(residuals: NDArray[np.float64]) -> float:
    """The mean square of the innovations of residuals, without the first."""
    left = _innovations(residuals)[1:]
    return max(float(left @ left) / len(left), _NO_VARIANCE)


def _without_steps(samples: NDArray[np.float64], points: NDArray[np.integer]) -> NDArray[np.float64]:
    left = samples.copy()
    for start, stop in pairwise([0, *points.tolist(), len(samples)]):
        left[start:stop] -= left[start:stop].mean()
    return left


def _without_line(samples: NDArray[np.float64]) -> NDArray[np.float64]:
    at = np.linspace(-1, 1, len(samples))
    centred = samples - samples.mean()
    return centred - float(at @ centred) / float(at @ at) * at


def _spreads(noise: NDArray[np.float64], points: NDArray[np.integer]) -> float:
    edges = pairwise([0, *points.tolist(), len(noise)])
    return float(sum((stop - start) * np.log(max(float(np.mean(noise[start:stop] ** 2)), _NO_VARIANCE)) for start, stop in edges))
