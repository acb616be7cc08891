"""Which of many findings hold when the share of false ones among them is bounded."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def adjusted(probabilities: ArrayLike) -> NDArray[np.float64]:
    """Benjamini and Hochberg's adjusted p-values, shape as given; NaN stays NaN and counts for nothing.

    A finding is made at the false discovery rate q where the adjusted value is at most q. Empty for none. Source: Y. Benjamini,
    Y. Hochberg 1995, Controlling the False Discovery Rate, doi 10.1111/j.2517-6161.1995.tb02031.x.
    """
    given = np.asarray(probabilities, dtype=float)
    found = np.full(given.shape, np.nan)
    known = np.flatnonzero(np.isfinite(given))
    order = known[np.argsort(given[known], kind="stable")]
    ratios = given[order] * len(order) / np.arange(1, len(order) + 1)
    found[order] = np.minimum(np.minimum.accumulate(ratios[::-1])[::-1], 1.0)
    return found
