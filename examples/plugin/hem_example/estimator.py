"""The last count is repeated until the next one."""

from hemcore.mpx.estimators.estimator import Estimator
from hemcore.mpx.sampled import Floats, Sampled


def fill(sampled: Sampled) -> Floats:
    """The count before each slot."""
    before, _, _ = sampled.gaps
    return before


LAST = Estimator(
    name="last-value", title="last value", description="Repeats the last count until the next one.", source="common practice", fill=fill
)
