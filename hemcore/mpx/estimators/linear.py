"""Straight lines from count to count (Mathur and Cook 2005, the trapezoid)."""

from hemcore.mpx.estimators.estimator import Estimator
from hemcore.mpx.sampled import Floats, Sampled


def fill(sampled: Sampled) -> Floats:
    """Between two counts in equal steps; held at the ends of a run."""
    before, after, way = sampled.gaps
    return before + (after - before) * way


LINEAR = Estimator(
    name="linear",
    title="linear",
    description="Straight lines from count to count; its totals are right on average.",
    source="Mathur and Cook 2005",
    fill=fill,
)
