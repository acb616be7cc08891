"""Whether the means of groups differ by more than chance: a one-way analysis of variance."""

import numpy as np
from numpy.typing import NDArray
from scipy.special import fdtrc


def p_of_groups(values: NDArray[np.float64], groups: NDArray[np.generic]) -> float:
    """The probability that groups without a difference have means as far apart, by the F test.

    values: shape (n,), finite; groups: shape (n,), the group of each. 1 for one group, and where no group has two values; 0 if the values
    differ between groups alone.
    """
    codes = np.unique(groups, return_inverse=True)[1].ravel()
    n, sizes = len(values), np.bincount(codes)
    k = len(sizes)
    if k < 2 or n == k:
        return 1.0
    means = np.bincount(codes, weights=values) / sizes
    between = float(sizes @ (means - values.mean()) ** 2)
    within = float(((values - means[codes]) ** 2).sum())
    return float(fdtrc(k - 1, n - k, between / (k - 1) / (within / (n - k)))) if within > 1e-24 * between else 0.0
