"""The rms cost of a segment, for every search of ruptures."""

import math
import sys
from itertools import accumulate
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from ruptures.base import BaseCost
from ruptures.exceptions import NotEnoughPoints

from hemcore.segmentation.search.optimal_partition import LOG_REALMIN
from hemcore.segmentation.search.searches import checked_series


class CostRms(BaseCost):
    """L * max(log(realmin) - log(L), log(S / L)) of samples start..end-1: L how many they are, S the sum of their squares; natural log.

    The rms statistic of MATLAB's findchangepts: L log(mean square), twice the negative log-likelihood of a normal with mean 0, without
    its constants. A log of counts: it may be negative, and readings scaled by c add 2 n log(c) to the sum over all segments.

    Use it as `ruptures.Pelt(custom_cost=CostRms(), jump=1)`, and so in Binseg, BottomUp, Window and Dynp. `error` is O(1) on prefix sums
    kept as whole numbers, hence exact: counts of 1 beside counts of 2**53 keep all their digits.

    Source: Lavielle 2005, doi:10.1016/j.sigpro.2005.01.012; the statistic's name and guard as in MathWorks' page on findchangepts.
    """

    model = "rms"
    min_size = 2

    def __init__(self) -> None:
        self.signal: NDArray[np.float64] = np.empty((0, 1))
        self._prefix: list[int] = [0]
        self._unit = 1

    def fit(self, signal: ArrayLike) -> Self:
        """Take the readings, shape (n,) or (n, 1), n >= 1; they are copied.

        Raises ParameterError for another shape, for no sample, and for a sample that is NaN or infinite.
        """
        values = checked_series(signal, "signal", column=True, largest=sys.float_info.max)
        ratios = [value.as_integer_ratio() for value in values.tolist()]
        # A float is a whole number over a power of two: over the largest of those powers, every sample is a whole number.
        denominator = max(under for _, under in ratios)
        squares = ((over * (denominator // under)) ** 2 for over, under in ratios)
        self.signal = values.reshape(-1, 1).copy()
        self._prefix = list(accumulate(squares, initial=0))
        self._unit = denominator**2
        return self

    def error(self, start: int, end: int) -> float:
        """The cost of samples start..end-1 (from 0); finite for every segment. NotEnoughPoints when they are fewer than two."""
        # Window passes numpy integers, which overflow beside whole numbers of more than 64 bits.
        length = int(end) - int(start)
        if length < self.min_size:
            raise NotEnoughPoints(
                f"the rms cost of samples {start} to {end} (end excluded): {length} samples, at least {self.min_size} needed"
            )
        energy, unit = self._prefix[end] - self._prefix[start], length * self._unit
        floor = LOG_REALMIN - math.log(length)
        try:
            mean_square = energy / unit
        except OverflowError:  # samples above 1e154: the square is no float, its logarithm is
            return length * (math.log(energy) - math.log(unit))
        return length * max(floor, math.log(mean_square)) if mean_square else length * floor
