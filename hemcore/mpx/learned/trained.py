"""A model, of whichever kind, as the estimators that it is."""

from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.mpx.estimators import Predictor
from hemcore.mpx.learned.network import TrainedModel
from hemcore.mpx.learned.paper import PaperTrained
from hemcore.mpx.learned.prediction import READOUTS, Trained, predicted


def predictors(model: TrainedModel) -> list[Predictor]:
    """What can be asked of `model`: its two readouts where it is one for all events, else itself alone."""
    if model.kind == "all events":
        return [Trained(model=model, readout=readout) for readout in READOUTS]
    return [PaperTrained(model=model)]


def everywhere(model: TrainedModel) -> list[Predictor]:
    """The same, correcting programs that it has not seen, too; empty for networks that do so anyway."""
    return [Trained(model=model, readout=readout, everywhere=True) for readout in READOUTS] if model.kind == "all events" else []


def trained_estimates(model: TrainedModel, sampled: CounterSeries) -> dict[str, CounterSeries]:
    """What `model` says of `sampled`, by the names "trained curve" and "trained counts"; a network of one readout gives it under both."""
    if model.kind == "all events":
        return {f"trained {readout}": found for readout, found in predicted(model, sampled).items()}
    found = PaperTrained(model=model).predict(sampled)
    return {f"trained {readout}": found for readout in READOUTS}
