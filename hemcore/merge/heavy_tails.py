"""Whether the counts of a HEM have tails so heavy that a few runs decide its Pearson correlations."""

import numpy as np
from numpy.typing import NDArray

# L-skewness and L-kurtosis from which on intervals around Pearson's r hold the truth too rarely (benchmarks/bench_intervals.py):
# exponential counts have 0.33 and 0.17, gamma ones of shape 4 have 0.16 and 0.14, normal ones 0 and 0.12.
SKEWED, PEAKED = 0.25, 0.2
_FEWEST = 4


def heavy_tailed(readings: NDArray[np.float64]) -> bool:
    """Whether `readings`, shape (n,), have an L-skewness beyond 0.25 or an L-kurtosis above 0.2; False for one value or fewer than 4."""
    skewness, kurtosis = l_ratios(readings)
    return abs(skewness) > SKEWED or kurtosis > PEAKED


def l_ratios(readings: NDArray[np.float64]) -> tuple[float, float]:
    """L-skewness and L-kurtosis of `readings`, shape (n,); both 0 for one value or fewer than 4 readings.

    L-moments are sums of sorted readings, so they are known well from a hundred of them, where the usual kurtosis is not: a sample of heavy
    tails mostly lacks its largest counts. Source: J. R. M. Hosking 1990, doi 10.1111/j.2517-6161.1990.tb01775.x.
    """
    n = len(readings)
    if n < _FEWEST:
        return 0.0, 0.0
    ordered, at = np.sort(readings), np.arange(n, dtype=float)
    unit = float(np.abs(ordered).max())
    ordered = ordered / unit if unit > 0 else ordered
    weights = [np.ones(n), at / (n - 1), at * (at - 1) / ((n - 1) * (n - 2)), at * (at - 1) * (at - 2) / ((n - 1) * (n - 2) * (n - 3.0))]
    b0, b1, b2, b3 = (float(ordered @ each) / n for each in weights)
    scale = 2 * b1 - b0
    if not scale > 1e-12:
        return 0.0, 0.0
    return (6 * b2 - 6 * b1 + b0) / scale, (20 * b3 - 30 * b2 + 12 * b1 - b0) / scale
