"""Estimators of hidden counts, one file a family; a trained model joins them as anything with a name and `predict`."""

from hemcore.datasets.tables.checks import listed
from hemcore.errors import UnknownNameError
from hemcore.mpx.estimators.estimator import Estimator, Predictor
from hemcore.mpx.estimators.event_choice import BY_EVENT, Choice, as_chosen, by_event, choice_of
from hemcore.mpx.estimators.fixed import FIXED
from hemcore.mpx.estimators.gate import GATE
from hemcore.mpx.estimators.harmonic import HARMONIC
from hemcore.mpx.estimators.kalman import KALMAN
from hemcore.mpx.estimators.linear import LINEAR
from hemcore.mpx.estimators.log1p import LOG1P
from hemcore.mpx.estimators.minimum import MINIMUM
from hemcore.mpx.estimators.neompx import CAM, DCAM
from hemcore.mpx.estimators.pchip import PCHIP
from hemcore.mpx.sampled import Sampled
from hemcore.plugins import offered

_CANDIDATES = (FIXED, LINEAR, CAM, DCAM, PCHIP, LOG1P, HARMONIC, GATE, KALMAN)
ESTIMATORS: dict[str, Estimator] = {each.name: each for each in (*_CANDIDATES, by_event(_CANDIDATES), MINIMUM)}
for _plugged in offered("hemcore.estimators", Estimator):
    ESTIMATORS.setdefault(_plugged.name, _plugged)  # a plugin does not replace what is there
"""The estimators that need no training, by name; the first is the baseline of the paper, the last of ours a control."""


def estimator_named(name: str) -> Estimator:
    """The untrained estimator `name`. Raises UnknownNameError if there is none."""
    if name not in ESTIMATORS:
        raise UnknownNameError(f"method: {name[:60]!r} is no estimator; they are {listed(ESTIMATORS)}.")
    return ESTIMATORS[name]


def settled(name: str, sampled: Sampled) -> Estimator:
    """As `estimator_named`; "by event" chooses for `sampled` alone, whatever it fills then."""
    return by_event(_CANDIDATES, sampled) if name == BY_EVENT else estimator_named(name)


def choice_by_event(sampled: Sampled) -> tuple[Choice, tuple[str, ...]]:
    """What "by event" chooses for each event of each run, and the names of what it chooses from."""
    return choice_of(sampled, _CANDIDATES), tuple(each.name for each in _CANDIDATES)


__all__ = ["ESTIMATORS", "Estimator", "Predictor", "as_chosen", "choice_by_event", "estimator_named", "settled"]
