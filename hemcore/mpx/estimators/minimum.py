"""The lower of the two counts next to a slot: not an estimator but a control that games the relative accuracy."""

import numpy as np

from hemcore.mpx.estimators.estimator import Estimator
from hemcore.mpx.sampled import Floats, Sampled


def fill(sampled: Sampled) -> Floats:
    """Always low: an error of a small count is then at most 100%, and RA has no idea of what is missing in the total."""
    before, after, _ = sampled.gaps
    return np.minimum(before, after)


MINIMUM = Estimator(
    name="minimum",
    title="minimum (control)",
    description="The lower of the two counts next to a slot: a control that games RA, seen by its total.",
    source="this project, a control",
    fill=fill,
    control=True,
)
