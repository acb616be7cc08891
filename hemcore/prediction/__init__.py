"""Phases of programs: how their counters go together, and a target predicted for programs that nobody has seen (document 003)."""

from hemcore.prediction.clslr import Clslr
from hemcore.prediction.correlate import Correlations, correlate
from hemcore.prediction.cost_stack import CostStack, cost_stack
from hemcore.prediction.evaluate import Evaluation, evaluate_models
from hemcore.prediction.explore_params import ExploreParams
from hemcore.prediction.fitted_models import FittedModels, fitted_models
from hemcore.prediction.grouping import CounterGroup, CounterGroups, group_counters
from hemcore.prediction.intervals import Intervals, intervals
from hemcore.prediction.leak import Leak, leak
from hemcore.prediction.params import PredictionParams
from hemcore.prediction.project import Projection, project
from hemcore.prediction.relative_nnls import RelativeNnls
from hemcore.prediction.representatives import representatives

__all__ = [
    "Clslr",
    "Correlations",
    "CostStack",
    "CounterGroup",
    "CounterGroups",
    "Evaluation",
    "ExploreParams",
    "FittedModels",
    "Intervals",
    "Leak",
    "PredictionParams",
    "Projection",
    "RelativeNnls",
    "correlate",
    "cost_stack",
    "evaluate_models",
    "fitted_models",
    "group_counters",
    "intervals",
    "leak",
    "project",
    "representatives",
]
