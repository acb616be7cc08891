"""The rms cost of a segment, for every search of ruptures."""

import math
from itertools import accumulate
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from ruptures.base import BaseCost
from ruptures.exceptions import NotEnoughPoints

from hemcore.errors import ParameterError
from hemcore.segmentation.partition import LOG_REALMIN


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
        values = one_series(signal, argument="signal")
        ratios = [value.as_integer_ratio() for value in values.tolist()]
        # A float is a whole number over a power of two: over the largest of those powers, every sample is a whole number.
        denominator = max(under for _, under in ratios)
        squares = ((over * (denominator // under)) ** 2 for over, under in ratios)
        self.signal = values.reshape(-1, 1)
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


def one_series(values: ArrayLike, *, argument: str) -> NDArray[np.float64]:
    """A copy of `values` (shape (n,) or (n, 1), n >= 1) as float64 of shape (n,).

    Raises ParameterError, naming `argument`, for another shape, for no sample, and for a sample that is NaN or infinite (counted from 1).
    """
    try:
        series = np.array(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ParameterError(f"{argument} is not a series of numbers ({error}); pass the counts of one event.") from None
    if series.ndim == 2 and series.shape[1] == 1:
        series = series[:, 0].copy()
    if series.ndim != 1:
        raise ParameterError(f"{argument} has shape {series.shape}; shape (n,) or (n, 1) is needed: pass the counts of one event.")
    if not len(series):
        raise ParameterError(f"{argument} has no sample; at least one is needed.")
    unknown = np.flatnonzero(~np.isfinite(series))
    if len(unknown):
        raise ParameterError(
            f"{argument} is {series[unknown[0]]:g} at sample {unknown[0] + 1} (counted from 1), the first of {len(unknown)} such; "
            "fill in or cut out what was not counted before segmenting."
        )
    return series
