"""Every distinct segmentation between two thresholds, from which a slider reads."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from hemcore.errors import ParameterError
from hemcore.segmentation.params import Statistic
from hemcore.segmentation.search.crops import MAX_SEGMENTATIONS, optima
from hemcore.segmentation.search.searches import (
    Segmentation,
    check_search,
    checked_series,
    described,
    least_segment,
    residual_at,
    search,
    single_gain,
)

# Objectives that differ by less count as equal.
_ROUNDING = 1e-14


@dataclass(frozen=True, kw_only=True, eq=False)
class ThresholdPath:
    """The segmentations of one series between min_threshold (the lowest in the path, see `threshold_path`) and max_threshold.

    intervals: one row per distinct segmentation, thresholds ascending: threshold_from (included), threshold_to (excluded except in the last
        row), n_change_points (strictly decreasing), residual. At least one row.
    points: the change points of each row, shape (n_change_points,).
    series: the samples, shape (n,), read-only. statistic, min_distance, early_exit: the arguments.
    """

    intervals: pd.DataFrame
    points: tuple[NDArray[np.int32], ...] = field(repr=False)
    series: NDArray[np.float64] = field(repr=False)
    statistic: Statistic
    min_distance: int
    early_exit: bool

    @property
    def change_points(self) -> tuple[tuple[int, ...], ...]:
        """The change points of each row."""
        return tuple(tuple(each.tolist()) for each in self.points)

    @property
    def min_threshold(self) -> float:
        """The lowest threshold of the path."""
        return float(self.intervals["threshold_from"].iloc[0])

    @property
    def max_threshold(self) -> float:
        """The highest threshold of the path."""
        return float(self.intervals["threshold_to"].iloc[-1])

    def at(self, threshold: float) -> Segmentation:
        """The result of `segment` at `threshold`, without another search. Raises ParameterError outside the path."""
        if not self.min_threshold <= threshold <= self.max_threshold:
            raise ParameterError(
                f"threshold: {threshold:g} is outside this path, {self.min_threshold:g} to {self.max_threshold:g}. Compute a wider path."
            )
        row = int(np.searchsorted(self.intervals["threshold_from"].to_numpy(), threshold, side="right")) - 1
        return self._segmentation(row, threshold)

    def with_at_most(self, n_change_points: int) -> Segmentation:
        """The segmentation with the most change points, but at most `n_change_points` (MaxNumChanges in findchangepts).

        It may have fewer, since not every number is optimal at some threshold. Raises ParameterError if all in the path have more.
        """
        few = np.flatnonzero(self.intervals["n_change_points"].to_numpy() <= n_change_points)
        if not len(few):
            raise ParameterError(
                f"n_change_points: none up to threshold {self.max_threshold:g} has at most {n_change_points}. Raise max_threshold."
            )
        return self._segmentation(int(few[0]), float(self.intervals["threshold_from"].iloc[few[0]]))

    def _segmentation(self, row: int, threshold: float) -> Segmentation:
        return described(
            self.series,
            self.points[row].astype(np.int64),
            threshold=threshold,
            statistic=self.statistic,
            min_distance=self.min_distance,
            early_exit=self.early_exit,
        )


def threshold_path(
    series: ArrayLike,
    min_threshold: float,
    max_threshold: float,
    *,
    statistic: Statistic = "rms",
    min_distance: int | None = None,
    early_exit: bool = False,
    max_segmentations: int = MAX_SEGMENTATIONS,
    progress: Callable[[float, str], object] | None = None,
) -> ThresholdPath:
    """Every distinct segmentation of `series` for thresholds from min_threshold to max_threshold, both included.

    The arguments are those of `segment`. The search goes from the highest threshold downwards. At more than max_segmentations, or 20
    million change points in total, it ends and the path begins at the lowest threshold reached.
    progress(share, note): share of the range of numbers of change points that is done, 0 to 1.
    Raises ParameterError as `segment` does, and if min_threshold > max_threshold.
    Source: CROPS (Haynes, Eckley and Fearnhead 2017, doi:10.1080/10618600.2015.1116445).
    """
    samples = checked_series(series)
    min_distance = least_segment(min_distance, statistic, len(samples))
    check_search(min_threshold, statistic, min_distance, name="min_threshold")
    check_search(max_threshold, statistic, min_distance, name="max_threshold")
    if min_threshold > max_threshold:
        raise ParameterError(f"min_threshold: {min_threshold:g} is above max_threshold, {max_threshold:g}. Swap them.")
    searcher = _Search(samples, statistic, min_distance)
    order, starts = optima(searcher, min_threshold, max_threshold, max_segmentations=max_segmentations, progress=progress)
    if early_exit:
        order, starts = searcher.exited(order, starts, float(max_threshold))
    samples = samples.copy()
    samples.flags.writeable = False
    return ThresholdPath(
        intervals=pd.DataFrame(
            {
                "threshold_from": starts,
                "threshold_to": [*starts[1:], float(max_threshold)],
                "n_change_points": order,
                "residual": [searcher.residual[number] for number in order],
            }
        ),
        points=tuple(searcher.points[number] for number in order),
        series=samples,
        statistic=statistic,
        min_distance=min_distance,
        early_exit=early_exit,
    )


class _Search:
    """Searches of one series, cached by the number of change points: the optimum at a threshold is the best with its number."""

    def __init__(self, samples: NDArray[np.float64], statistic: str, min_distance: int) -> None:
        self._samples, self._statistic, self._min_distance = samples, statistic, min_distance
        self.residual: dict[int, float] = {}
        self.points: dict[int, NDArray[np.int32]] = {}
        self.lowest: dict[int, float] = {}  # the lowest threshold at which this number was found
        self.n_points = 0

    def run(self, threshold: float) -> int:
        points = search(self._samples, threshold, self._statistic, self._min_distance)
        residual = residual_at(self._samples, points, self._statistic)
        number = len(points)
        if number not in self.residual or residual < self.residual[number]:
            self.n_points += number if number not in self.residual else 0
            self.residual[number], self.points[number] = residual, points.astype(np.int32)
        self.lowest[number] = min(float(threshold), self.lowest.get(number, np.inf))
        return number

    def better(self, number: int, than: int, threshold: float) -> bool:
        unit = 0.0 if self._statistic == "mean" else 1.0
        ours, theirs = (self.residual[each] + threshold * each for each in (number, than))
        return ours < theirs - _ROUNDING * (unit + abs(theirs) + abs(self.residual[than]))

    def exited(self, order: list[int], starts: list[float], highest: float) -> tuple[list[int], list[float]]:
        """The path with early exit, as in findchangepts: no change point at thresholds above the gain of the best single one."""
        gain = single_gain(self._samples, self._statistic, self._min_distance)
        if gain >= highest or order == [0]:
            return order, starts
        none = np.empty(0, dtype=np.int64)
        self.residual.setdefault(0, residual_at(self._samples, none, self._statistic))
        self.points.setdefault(0, none.astype(np.int32))
        kept = [(number, start) for number, start in zip(order, starts, strict=True) if start <= gain and number > 0]
        # Just above the gain, because a threshold equal to the gain still pays.
        kept.append((0, float(np.nextafter(gain, np.inf)) if kept else starts[0]))
        return [number for number, _ in kept], [start for _, start in kept]
