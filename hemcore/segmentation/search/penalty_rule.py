"""Chooses the statistic and penalty of a series by the rule that `segment` describes; no truth is used."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from hemcore.errors import ParameterError
from hemcore.headline import counted_noun
from hemcore.segmentation.params import Statistic
from hemcore.segmentation.search.outlying_samples import without_outlying
from hemcore.segmentation.search.path_by_threshold import ThresholdPath, threshold_path
from hemcore.segmentation.search.residuals import (
    correlation,
    innovations,
    mean_square_left,
    spreads,
    without_bends,
    without_line,
    without_steps,
)  # fmt: skip
from hemcore.segmentation.search.searches import LEAST_STD, Segmentation, check_search, described
from hemcore.segmentation.search.slow_waves import beside_a_wave

# The gain that a change of the mean and of the standard deviation needs, in units of log n.
MEAN_GAIN, STD_GAIN = 3.0, 8.0
# The highest autocorrelation of residuals: where the noise is measured, and where steps, a line and nothing at all are compared. If it were
# freer there, the residuals without any step would pass for autocorrelated noise.
MOST_CORRELATED, MOST_COMPARED = 0.95, 0.5
# Steps through a walk leave a variance of about 1 / (k + 1) of the whole, and residuals that are strongly autocorrelated: this many times
# (1 - a) / (k + 1) is left where a walk is believed. Levels with passages between them leave less. Chosen on made series.
WALK_LEAVES = 1.2
# The gain that a change of the mean needs in variances of the long-run noise, in units of log n, and how often that noise is measured.
NOISE_GAIN, _ROUNDS = 4.0, 4
LEAST_MEAN = 5
# The lowest number of samples per change point.
_SAMPLES_PER_CHANGE = 8
_MOST_SEGMENTATIONS, _MOST_STD_CHANGES = 80, 6
_LINE = "A straight line fits better than steps of the mean: one segment."


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
        few = f"{counted_noun(n, 'sample')} {'is' if n == 1 else 'are'} too few: one segment."
        return replace(found, chosen_by="Nothing varies: one segment." if n >= 4 else few)
    standard /= spread
    near = without_outlying(standard)
    aside = int((near != standard).sum()) if float(near.std()) > 0 else 0
    if aside:
        standard, spread = (near - near.mean()) / near.std(), spread * float(near.std())
    reason = "No change of the standard deviation."
    path: ThresholdPath | None = None
    row = 0
    if statistic != "std":
        path = threshold_path(standard, 0.5 * np.log(n), n + 1.0, statistic="mean", min_distance=_least("mean", n, min_distance),
                              max_segmentations=_MOST_SEGMENTATIONS)  # fmt: skip
        row, reason = _above_noise(standard, path), "Changes of the mean, each more than 4 log(n) times the long-run variance of the noise."
        steps = len(path.points[row])
        instead = _without_any_step(standard, path.points[row]) if steps else ""
        if instead:
            row, reason = len(path.points) - 1, instead
        most = 1.0 if instead else MOST_COMPARED
        beside = beside_a_wave(standard, path.points, row, steps, most) if steps and instead != _LINE else None
        if beside is not None:
            row, reason = beside, "Steps of the mean beside a slow wave, which explains the others."
    if statistic == "std" or (statistic is None and path is not None and not len(path.points[row])):
        # Free of drift, which would read as a growing deviation.
        noise = innovations(standard, 1.0)
        noise[0] = noise[1]
        noise -= noise.mean()
        path_std = threshold_path(standard, 2 * np.log(n), 60.0 * n, statistic="std", min_distance=_least("std", n, min_distance),
                                  max_segmentations=_MOST_SEGMENTATIONS)  # fmt: skip
        row_std = _least_of(path_std, lambda points: spreads(noise, points), STD_GAIN * np.log(n), _MOST_STD_CHANGES)
        if statistic == "std" or len(path_std.points[row_std]):
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
    far = f" {counted_noun(aside, 'sample')} far from those around {'it' if aside == 1 else 'them'} set aside." if aside else ""
    return replace(found, chosen_by=reason + far)


def _least(statistic: str, n: int, min_distance: int | None) -> int:
    if min_distance is not None:
        return min_distance
    return max(1, min(LEAST_MEAN, n // 10)) if statistic == "mean" else max(2, min(max(LEAST_STD, n // 20), n // 4))


def _least_of(path: ThresholdPath, misfit: Callable[[NDArray[np.int32]], float], penalty: float, most: int) -> int:
    """The row of the path with the lowest misfit + penalty * change points, with at most `most` change points.

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
    return at


def _above_noise(samples: NDArray[np.float64], path: ThresholdPath) -> int:
    """The row of the path with the lowest residual sum of squares + 4 k log(n) s^2, s^2 the long-run variance of its own residuals.

    The first s^2 is from the differences of neighbours, so the noise is measured after the steps are taken out, from the fine side.
    """
    n = len(samples)
    variance = (float(np.median(np.abs(np.diff(samples)))) / 0.6745) ** 2 / 2
    row = -1
    for _ in range(_ROUNDS):
        found = _least_of(
            path,
            lambda points: float((without_steps(samples, points) ** 2).sum()),
            NOISE_GAIN * np.log(n) * variance,
            n // _SAMPLES_PER_CHANGE,
        )
        if found == row:
            break
        row = found
        left = without_steps(samples, path.points[row])
        variance = mean_square_left(left, MOST_CORRELATED) / (1 - correlation(left, MOST_CORRELATED)) ** 2
    return row


def _without_any_step(samples: NDArray[np.float64], points: NDArray[np.integer]) -> str:
    """Why the steps at `points` are not kept, a sentence; "" if they are."""
    left = without_steps(samples, points)
    lefts = left, without_line(samples), samples
    steps, line, none = _fits(lefts, len(points), MOST_COMPARED)
    if steps >= min(line, none):
        return _LINE if line < none else "Autocorrelated noise explains the steps of the mean: one segment."
    steps, line, none = _fits(lefts, len(points), 1.0)
    much = float(left @ left) / len(samples) * (len(points) + 1)
    if steps >= min(line, none) and much >= WALK_LEAVES * (1 - correlation(left, 1.0)):
        return "A walk or a slow wave fits as well as steps of the mean: one segment."
    bent = without_bends(samples, points)
    if float(bent @ bent) < float(left @ left):
        return "Lines from the middle of each segment to the next fit better than steps of the mean: one segment."
    return ""


def _fits(lefts: Sequence[NDArray[np.float64]], k: int, most: float) -> tuple[float, float, float]:
    """n log(v) + 3 k log(n) of what k steps, a line at the price of one change point, and nothing at all leave; v with a up to `most`."""
    n, price = len(lefts[0]), MEAN_GAIN * np.log(len(lefts[0]))
    steps, line, none = (n * float(np.log(mean_square_left(each, most))) for each in lefts)
    return steps + price * k, line + price, none
