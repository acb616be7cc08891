"""Every estimator by its name before people, trained ones too."""

from dataclasses import dataclass

from hemcore.mpx.estimators import ESTIMATORS


@dataclass(frozen=True)
class Told:
    """What is said of an estimator; control: as Estimator's."""

    title: str
    description: str
    control: bool = False


_TRAINED = {
    "trained curve": Told("trained curve", "A network for all events corrects harmonic, for programs that it has learned from."),
    "trained curve, everywhere": Told("trained curve, everywhere", "The same, of programs that it has not seen, too."),
    "trained counts, everywhere": Told("trained counts, everywhere", "The same, of programs that it has not seen, too."),
    "trained counts": Told("trained counts", "A network for all events corrects log(1 + y), for programs that it has learned from."),
}


def told(name: str) -> Told:
    """What is said of the estimator `name`; the name itself for one that nobody knows."""
    if name in ESTIMATORS:
        return Told(ESTIMATORS[name].title, ESTIMATORS[name].description, ESTIMATORS[name].control)
    return _TRAINED.get(name, Told(name, ""))
