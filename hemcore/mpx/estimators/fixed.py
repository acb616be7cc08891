"""The fixed estimator of PAPI: a count stands for every slot until the next one (Wang et al. 2022, Eq. 2; May 2001)."""

from hemcore.mpx.estimators.estimator import Estimator
from hemcore.mpx.sampled import Floats, Sampled


def fill(sampled: Sampled) -> Floats:
    """Each count is held until the next: over a rotation of K slots that is the count times K."""
    return sampled.gaps.before


FIXED = Estimator(
    name="fixed",
    title="fixed",
    description="Holds each count until the next one, as PAPI does: count times slots per rotation.",
    source="May 2001; Wang et al. (2022), Eq. 2",
    fill=fill,
)
