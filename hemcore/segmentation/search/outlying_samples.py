"""Samples far from those around them: too short for a segment, and enough to hide one."""

import numpy as np
from numpy.typing import NDArray

# Samples to either side, and the distance from their median, in standard deviations of the noise, from which a sample is far.
_AROUND, _FAR = 3, 7.0
# Of the median of absolute normal values.
_NORMAL = 0.6745


def without_outlying(samples: NDArray[np.float64]) -> NDArray[np.float64]:
    """`samples`, shape (n,), with each that is more than 7 standard deviations of the noise from the median of the 7 around it (itself
    among them; at the ends the last one is repeated) replaced by that median.

    The noise: the larger of two estimates by medians, of the distances that are not 0 and of the differences of neighbours. At most 3
    samples in a row can be replaced, so steps and segments of 4 or more stay. The same array where none is far, and for n < 14.
    Source: F. R. Hampel 1974, DOI 10.2307/2285666.
    """
    if len(samples) < 2 * (2 * _AROUND + 1):
        return samples
    from scipy.ndimage import median_filter  # 0.1 s to import

    middle = median_filter(samples, 2 * _AROUND + 1, mode="nearest")
    apart = np.abs(samples - middle)
    if not apart.any():
        return samples
    by_difference = float(np.median(np.abs(np.diff(samples)))) / np.sqrt(2)
    noise = max(float(np.median(apart[apart > 0])), by_difference) / _NORMAL
    far = apart > _FAR * noise
    return np.where(far, middle, samples) if far.any() else samples
