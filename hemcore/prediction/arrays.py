"""Types used throughout the room: arrays, and the settings of models."""

from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
Flags = NDArray[np.bool_]


class Settings(TypedDict, total=False):
    """What is chosen for a model before it is fitted; each model has some of these.

    alpha, alphas: penalties. n: number of counters. n_neighbors, sizes: numbers of neighbors. positive: no coefficient below 0.
    pairs: products of two kinds of misses.
    """

    alpha: float
    n: int
    n_neighbors: int
    sizes: tuple[int, ...]
    alphas: tuple[float, ...]
    positive: bool
    pairs: bool
