"""Straight lines through 1 / count: the weighted harmonic mean of the counts on either side."""

import numpy as np
from numba import njit

from hemcore.mpx.estimators.estimator import Estimator
from hemcore.mpx.sampled import Floats, Sampled


def fill(sampled: Sampled) -> Floats:
    """Between two counts in equal steps of 1 / count; 0 next to a count of 0, which is what the harmonic mean goes to."""
    before, after, way = sampled.gaps
    out = np.empty_like(before)
    _means(before.ravel(), after.ravel(), way.ravel(), out.ravel())
    return out


@njit(cache=True)
def _means(before: Floats, after: Floats, way: Floats, out: Floats) -> None:
    for place in range(len(before)):
        a, b, w = before[place], after[place], way[place]
        if w == 0 or a == b:
            out[place] = a
        elif a == 0 or b == 0:
            out[place] = 0.0
        elif a < b:
            # Divided through by the smaller count, so that no reciprocal overflows.
            out[place] = a / ((1 - w) + w * (a / b))
        else:
            out[place] = b / (w + (1 - w) * (b / a)) if a == a else np.nan


HARMONIC = Estimator(
    name="harmonic",
    title="harmonic",
    description="Straight lines through 1 / count: near the lower of the two counts, where a slot most likely is.",
    source="this project",
    fill=fill,
)
