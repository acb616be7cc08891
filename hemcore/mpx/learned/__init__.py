"""Trained estimators of hidden counts: one network for all events, and the paper's, one per event. Only training needs jax."""

from hemcore.mpx.learned.all_events import AllEventsEstimator
from hemcore.mpx.learned.kept_networks import ModelShelf
from hemcore.mpx.learned.network import TrainedModel, load_model
from hemcore.mpx.learned.paper import BiGruEstimator, MlpEstimator, PaperTrained
from hemcore.mpx.learned.params import TrainParams
from hemcore.mpx.learned.prediction import Trained
from hemcore.mpx.learned.split import split_runs, without_programs
from hemcore.mpx.learned.trained import predictors

__all__ = [
    "AllEventsEstimator",
    "BiGruEstimator",
    "MlpEstimator",
    "ModelShelf",
    "PaperTrained",
    "TrainParams",
    "Trained",
    "TrainedModel",
    "load_model",
    "predictors",
    "split_runs",
    "without_programs",
]
