"""Phases of programs: correlations of their counters, and prediction of a target for unseen programs.

Main source: R. G. Mahajan, Learning Based Performance Prediction For Embedded Hardware, master thesis, Technische Universität Chemnitz and
Robert Bosch GmbH, 2018; elsewhere "Mahajan (2018)".
"""

from hemcore.prediction.evaluate.by_program import Evaluation, evaluate_models
from hemcore.prediction.evaluate.causes_of_loss import causes_by_size, programs_by_loss
from hemcore.prediction.evaluate.cycle_costs import CostStack, cost_stack
from hemcore.prediction.evaluate.leakage import Leak, leak
from hemcore.prediction.evaluate.prediction_intervals import Intervals, intervals
from hemcore.prediction.explore.correlations import Correlations, correlate
from hemcore.prediction.explore.counter_groups import CounterGroup, CounterGroups, group_counters
from hemcore.prediction.explore.params import ExploreParams
from hemcore.prediction.explore.principal_components import Projection, project
from hemcore.prediction.explore.representative_phases import representatives
from hemcore.prediction.models.clslr import Clslr
from hemcore.prediction.models.relative_nnls import RelativeNnls
from hemcore.prediction.models.trained_models import FittedModels, fitted_models
from hemcore.prediction.params import PredictionParams

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
    "causes_by_size",
    "correlate",
    "cost_stack",
    "evaluate_models",
    "fitted_models",
    "group_counters",
    "intervals",
    "leak",
    "programs_by_loss",
    "project",
    "representatives",
]
