"""A model, of whichever kind, as the estimators that it is."""

from hemcore.mpx.estimators import Predictor
from hemcore.mpx.learned.model import TrainedModel
from hemcore.mpx.learned.paper import PaperTrained
from hemcore.mpx.learned.prediction import READOUTS, Trained


def predictors(model: TrainedModel) -> list[Predictor]:
    """What can be asked of `model`: its two readouts where it is one for all events, else itself alone."""
    if model.kind == "all events":
        return [Trained(model=model, readout=readout) for readout in READOUTS]
    return [PaperTrained(model=model)]
