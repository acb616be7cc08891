"""The rms cost of a segment for the searches of ruptures. Importing this needs ruptures, of the extra `peers`."""

import math
from itertools import accumulate
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from ruptures.base import BaseCost
from ruptures.exceptions import NotEnoughPoints

from hemcore.segmentation.search.searches import checked_series
from hemcore.segmentation.search.segment_costs import LOG_REALMIN


class CostRms(BaseCost):
    """L * max(log(realmin) - log(L), log(S / L)) of samples start..end-1, with L their number and S the sum of their squares; natural log.

    The rms statistic of MATLAB's findchangepts: L log(mean square), twice the negative log-likelihood of a normal distribution with mean 0,
    without its constants. It may be negative, and samples scaled by c add 2 n log(c) to the sum over all segments.

    Use it as `ruptures.Pelt(custom_cost=CostRms(), jump=1)`; likewise in Binseg, BottomUp, Window and Dynp. `error` is O(1) and exact,
    because its prefix sums are whole numbers: counts of 1 next to counts of 2**53 lose no digit.

    Source: Lavielle 2005, doi:10.1016/j.sigpro.2005.01.012; the statistic's name and lower bound as in MathWorks' page on findchangepts.
    """

    model = "rms"
    min_size = 2

    def __init__(self) -> None:
        self.signal: NDArray[np.float64] = np.empty((0, 1))
        self._prefix: list[int] = [0]
        self._unit = 1

    def fit(self, signal: ArrayLike) -> Self:
        """Set the samples, shape (n,) or (n, 1), n >= 1; they are copied.

        Raises ParameterError for another shape, for no sample, and for a sample that is NaN, infinite or above 1e140.
        """
        values = checked_series(signal, "signal", column=True)
        ratios = [value.as_integer_ratio() for value in values.tolist()]
        # A float is a whole number over a power of two: over the largest of those powers every sample is whole.
        denominator = max(under for _, under in ratios)
        squares = ((over * (denominator // under)) ** 2 for over, under in ratios)
        self.signal = values.reshape(-1, 1).copy()
        self._prefix = list(accumulate(squares, initial=0))
        self._unit = denominator**2
        return self

    def error(self, start: int, end: int) -> float:
        """The cost of samples start..end-1 (from 0); finite for every segment. Raises NotEnoughPoints for fewer than two."""
        # Window passes NumPy integers, which overflow with whole numbers of more than 64 bits.
        length = int(end) - int(start)
        if length < self.min_size:
            raise NotEnoughPoints(
                f"the rms cost of samples {start} to {end} (end excluded): {length} samples, at least {self.min_size} needed"
            )
        energy, unit = self._prefix[end] - self._prefix[start], length * self._unit
        floor = LOG_REALMIN - math.log(length)
        mean_square = energy / unit
        return length * max(floor, math.log(mean_square)) if mean_square else length * floor
