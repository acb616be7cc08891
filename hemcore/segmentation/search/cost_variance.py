"""The costs of the statistics mean and std for the searches of ruptures. Importing this needs ruptures, of the extra `peers`."""

import math
from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from ruptures.base import BaseCost
from ruptures.exceptions import NotEnoughPoints

from hemcore.segmentation.search.searches import LEAST_MIN_DISTANCE, checked_series
from hemcore.segmentation.search.segment_costs import LOG_REALMIN


class CostVariance(BaseCost):
    """L * V ("mean") or L * max(log(realmin) - log(L), log(V)) ("std") of L samples with the population variance V; natural log.

    The statistics mean and std of MATLAB's findchangepts, as `segment` has them. Use it as CostRms. `error` is O(1), by prefix sums of
    the samples minus their median.
    """

    model = "variance"

    def __init__(self, statistic: Literal["mean", "std"]) -> None:
        self.statistic, self.min_size = statistic, LEAST_MIN_DISTANCE[statistic]
        self.signal: NDArray[np.float64] = np.empty((0, 1))
        self._sums = self._squares = np.zeros(1)

    def fit(self, signal: ArrayLike) -> Self:
        """Set the samples, shape (n,) or (n, 1), n >= 1; they are copied. Raises ParameterError as CostRms does."""
        values = checked_series(signal, "signal", column=True)
        self.signal = values.reshape(-1, 1).copy()
        around = values - np.median(values)
        self._sums, self._squares = (np.concatenate([[0.0], np.cumsum(each)]) for each in (around, around**2))
        return self

    def error(self, start: int, end: int) -> float:
        """The cost of samples start..end-1 (from 0). Raises NotEnoughPoints for too few."""
        length = int(end) - int(start)
        if length < self.min_size:
            raise NotEnoughPoints(f"the {self.statistic} cost of samples {start} to {end} (end excluded): at least {self.min_size} needed")
        total = self._sums[end] - self._sums[start]
        spread = max(float(self._squares[end] - self._squares[start] - total**2 / length), 0.0)
        if self.statistic == "mean":
            return spread
        floor = LOG_REALMIN - math.log(length)
        return length * (max(floor, math.log(spread / length)) if spread > 0 else floor)
