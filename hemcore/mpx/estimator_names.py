"""Title and description of every estimator, trained ones too."""

from dataclasses import dataclass

from hemcore.mpx.estimators import ESTIMATORS


@dataclass(frozen=True)
class EstimatorInfo:
    """Title and one-sentence description of an estimator; control: as Estimator's."""

    title: str
    description: str
    control: bool = False


_TRAINED = {
    "trained curve": EstimatorInfo("trained curve", "A network for all events corrects harmonic, for the programs it was trained on."),
    "trained curve, everywhere": EstimatorInfo("trained curve, everywhere", "The same, also for programs it was not trained on."),
    "trained counts, everywhere": EstimatorInfo("trained counts, everywhere", "The same, also for programs it was not trained on."),
    "trained counts": EstimatorInfo("trained counts", "A network for all events corrects log(1 + y), for the programs it was trained on."),
}


def info_of(name: str) -> EstimatorInfo:
    """Title and description of the estimator `name`; an unknown name is its own title."""
    if name in ESTIMATORS:
        return EstimatorInfo(ESTIMATORS[name].title, ESTIMATORS[name].description, ESTIMATORS[name].control)
    return _TRAINED.get(name, EstimatorInfo(name, ""))
