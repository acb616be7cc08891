"""The two quantiles that merging uses; both are by rank, neither interpolates."""

import numpy as np
from numpy.typing import NDArray


def even_quantiles(values: NDArray[np.number], n: int) -> NDArray[np.float64]:
    """Quantiles of `values` (shape (m,), m >= 1, any order) at n probabilities from 0 to 1 in even steps, R's type 2; shape (n,).

    The smallest reading whose share of readings reaches the probability, or the mean of two readings where it is met exactly. For n = 1
    the median. Type 2 of Hyndman and Fan 1996 (DOI 10.1080/00031305.1996.10473566).
    """
    ordered = np.sort(values)
    size = len(ordered)
    # Whole-number arithmetic: at i = k * (n - 1) / size the probability is met exactly, and floating point would miss it.
    numerators, denominator = (np.array([size]), 2) if n == 1 else (np.arange(n, dtype=np.int64) * size, n - 1)
    below, rest = np.divmod(numerators, denominator)
    upper = ordered[np.minimum(below, size - 1)].astype(float)
    lower = ordered[np.maximum(below - 1, 0)].astype(float)
    exact = (rest == 0) & (below > 0) & (below < size)
    return np.where(exact, (lower + upper) / 2, upper)


def mid_quantiles(ordered: NDArray[np.number], n: int) -> NDArray[np.number]:
    """Quantiles of the sorted readings `ordered` (shape (m,), m >= 1) at (i + 1/2) / n, each one a reading; shape (n,), ascending.

    For n = m these are the readings themselves.
    """
    ranks = ((2 * np.arange(n, dtype=np.int64) + 1) * len(ordered) + 2 * n - 1) // (2 * n) - 1
    return ordered[ranks]
