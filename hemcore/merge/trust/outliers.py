"""Which runs of a subexperiment are outliers."""

import math

import numpy as np
from numpy.typing import NDArray

from hemcore.errors import ParameterError

OUTLIER_ZSCORE = 3.0


def unit_for_squares(lowest: float, highest: float) -> float:
    """The divisor for readings from `lowest` to `highest` before they are squared: 1 for any value a counter can hold.

    Above 2**200 a power of two, which changes no digit: outliers are found by squares of squares, which would overflow.
    """
    exponent = math.frexp(max(abs(lowest), abs(highest)))[1]
    return 1.0 if exponent <= 200 else 2.0 ** (exponent - 1)


def squared_deviations(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """(value - mean)^2 of each of `values` (shape (n,), divided by `unit_for_squares`), shape (n,)."""
    centred = values - float(values.mean())
    return centred * centred


def joint_deviations(first: NDArray[np.float64], second: NDArray[np.float64], first_unit: float, second_unit: float) -> NDArray[np.float64]:
    """The sum of two HEMs' `squared_deviations`, each in its own unit, in the larger of the two units."""
    if first_unit == second_unit:
        return first + second
    if first_unit < second_unit:
        first, second, first_unit, second_unit = second, first, second_unit, first_unit
    ratio = second_unit / first_unit
    return first + second * ratio * ratio


def inliers(distances: NDArray[np.float64], outlier_zscore: float) -> NDArray[np.bool_]:
    """Which of the squared distances (shape (n,)) are less than outlier_zscore standard deviations (n - 1) above their mean.

    All of them if they do not vary or there is only one.
    """
    if len(distances) < 2:
        return np.ones(len(distances), bool)
    spread = distances.std(ddof=1)
    if not spread > 0:
        return np.ones(len(distances), bool)
    return distances < distances.mean() + outlier_zscore * spread


def check_outlier_zscore(outlier_zscore: float) -> None:
    """Raise ParameterError unless it is above 0 (infinity keeps every run)."""
    if math.isnan(outlier_zscore) or outlier_zscore <= 0:
        raise ParameterError(f"outlier_zscore: {outlier_zscore} must be above 0, in standard deviations (inf leaves no run out).")
