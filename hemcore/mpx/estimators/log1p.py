"""Straight lines through log(1 + count)."""

import numpy as np

from hemcore.mpx.estimators.estimator import Estimator
from hemcore.mpx.sampled import Floats, Sampled


def fill(sampled: Sampled) -> Floats:
    """Between two counts in equal steps of log(1 + count): a jump of many times does not reach into the slots before it."""
    before, after, way = sampled.gaps
    low = np.log1p(before)
    between = np.expm1(low + (np.log1p(after) - low) * way)
    return np.clip(between, np.minimum(before, after), np.maximum(before, after))


LOG1P = Estimator(
    name="log1p",
    title="log(1 + y)",
    description="Straight lines through log(1 + count).",
    source="this project",
    fill=fill,
)
