"""Which runs of a subexperiment are outliers."""

import math

import numpy as np
from numpy.typing import NDArray

from hemcore.errors import ParameterError

OUTLIER_ZSCORE = 3.0


def squared_deviations(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """(value - mean)^2 of each of `values`, shape (..., n), with the mean over the last axis."""
    centred = values - values.mean(axis=-1, keepdims=True)
    return centred * centred


def inliers(distances: NDArray[np.float64], outlier_zscore: float) -> NDArray[np.bool_]:
    """Which of the squared distances, shape (..., n), are less than outlier_zscore standard deviations (n - 1) above the mean of the n.

    All of them if they do not vary or there is only one.
    """
    if distances.shape[-1] < 2:
        return np.ones(distances.shape, bool)
    spread = distances.std(axis=-1, ddof=1, keepdims=True)
    with np.errstate(invalid="ignore"):  # infinity times no spread
        return (distances < distances.mean(axis=-1, keepdims=True) + outlier_zscore * spread) | ~(spread > 0)


def check_outlier_zscore(outlier_zscore: float) -> None:
    """Raise ParameterError unless it is above 0 (infinity keeps every run)."""
    if math.isnan(outlier_zscore) or outlier_zscore <= 0:
        raise ParameterError(f"outlier_zscore: {outlier_zscore} must be above 0, in standard deviations (inf leaves no run out).")
