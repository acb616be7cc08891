"""Features whose non-negative combinations are cost curves: a cost per instruction that never falls with more of an event.

The counts per instruction are cut at a few knots (a piecewise linear curve per event: it may flatten where misses overlap, or grow
steeper), and the products of two kinds of misses may be added (a misprediction that waits for a load). With coefficients of at least 0
every curve rises (non-negative I-splines of order 1: Ramsay, Monotone regression splines in action, 1988, DOI 10.1214/ss/1177012761).
"""

from itertools import combinations, pairwise

import numpy as np

from hemcore.prediction.arrays import Floats, Whole
from hemcore.prediction.explore.event_groups import is_miss

_KNOTS = (1 / 3, 2 / 3)


def knots_of(rates: Floats) -> Floats:
    """The knots of each column of `rates` (n, d): its terciles; shape (2, d)."""
    found: Floats = np.quantile(rates, _KNOTS, axis=0)
    return found


def pairs_of(counters: tuple[str, ...]) -> Whole:
    """The pairs of counters of misses, as columns; shape (p, 2)."""
    misses = [place for place, name in enumerate(counters) if is_miss(name)]
    return np.array(list(combinations(misses, 2)), dtype=np.int64).reshape(-1, 2)


def cost_features(rates: Floats, knots: Floats, pairs: Whole, scales: Floats) -> Floats:
    """The part of each rate below, between and above its knots, then the products of pairs in units of `scales` (p,).

    rates: (n, d); knots: (k, d); the result has shape (n, (k + 1) d + p), and none of its columns falls if a rate rises.
    """
    edges = np.vstack([np.zeros(rates.shape[1]), knots, np.full(rates.shape[1], np.inf)])
    parts = [np.clip(rates - low, 0.0, high - low) for low, high in pairwise(edges)]
    if len(pairs):
        parts.append(rates[:, pairs[:, 0]] * rates[:, pairs[:, 1]] / scales)
    return np.concatenate(parts, axis=1)
