"""What a model of a course leaves of its samples, and how much noise that is."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

# A smaller variance of standardised samples is rounding.
_NO_VARIANCE = 1e-24


def correlation(left: NDArray[np.float64], most: float) -> float:
    energy = float(left[:-1] @ left[:-1])
    return min(max(float(left[:-1] @ left[1:]) / energy, 0.0), most) if energy > 0 else 0.0


def innovations(left: NDArray[np.float64], most: float) -> NDArray[np.float64]:
    """The innovations of residuals under a first-order autoregression of at most `most`, shape (n,); the first is the first residual."""
    return np.concatenate([left[:1], left[1:] - correlation(left, most) * left[:-1]])


def mean_square_left(residuals: NDArray[np.float64], most: float) -> float:
    """The mean square of the `innovations` of residuals, without the first."""
    left = innovations(residuals, most)[1:]
    return max(float(left @ left) / len(left), _NO_VARIANCE)


def without_steps(samples: NDArray[np.float64], points: NDArray[np.integer]) -> NDArray[np.float64]:
    left = samples.copy()
    for start, stop in pairwise([0, *points.tolist(), len(samples)]):
        left[start:stop] -= left[start:stop].mean()
    return left


def without_line(samples: NDArray[np.float64]) -> NDArray[np.float64]:
    at = np.linspace(-1, 1, len(samples))
    centred = samples - samples.mean()
    return centred - float(at @ centred) / float(at @ at) * at


def without_bends(samples: NDArray[np.float64], points: NDArray[np.integer]) -> NDArray[np.float64]:
    """`samples` minus lines from the mean of each segment, at its middle, to the next; level before the first and after the last."""
    edges = np.concatenate([[0], points, [len(samples)]])
    means = np.add.reduceat(samples, edges[:-1]) / np.diff(edges)
    return samples - np.interp(np.arange(len(samples)), (edges[:-1] + edges[1:] - 1) / 2, means)


def spreads(noise: NDArray[np.float64], points: NDArray[np.integer]) -> float:
    edges = pairwise([0, *points.tolist(), len(noise)])
    return float(sum((stop - start) * np.log(max(float(np.mean(noise[start:stop] ** 2)), _NO_VARIANCE)) for start, stop in edges))
