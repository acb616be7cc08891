"""Multiplexed counts: cleaning, estimators of hidden counts, and their accuracy.

Source: Wang Y., Wang L., Lin X.: Hardware counter multiplexing estimation algorithm using deep learning (in Chinese). Journal of
National University of Defense Technology 44(5), 2022, 114-123; "Wang et al. (2022)" in this package.
"""

from hemcore.mpx.cleaning import Cleaned, discard_incomplete_runs, outliers, truncate_tail
from hemcore.mpx.dtw import dtw_cost, dtw_path
from hemcore.mpx.estimate_scores import pearson_r, relative_accuracy, scored_slots, signed_total_error, weighted_accuracy
from hemcore.mpx.estimators import ESTIMATORS, Estimator, Predictor, estimator_named
from hemcore.mpx.evaluation import Evaluation, evaluate
from hemcore.mpx.hidden_slots import estimate
from hemcore.mpx.learned.params import TrainParams
from hemcore.mpx.ocoe_pairs import Paired, pair
from hemcore.mpx.params import MpxParams, PairParams
from hemcore.mpx.virtual import counted_slots, virtual_multiplex
from hemcore.mpx.warm_up import warm

__all__ = [
    "ESTIMATORS",
    "Cleaned",
    "Estimator",
    "Evaluation",
    "MpxParams",
    "PairParams",
    "Paired",
    "Predictor",
    "TrainParams",
    "counted_slots",
    "discard_incomplete_runs",
    "dtw_cost",
    "dtw_path",
    "estimate",
    "estimator_named",
    "evaluate",
    "outliers",
    "pair",
    "pearson_r",
    "relative_accuracy",
    "scored_slots",
    "signed_total_error",
    "truncate_tail",
    "virtual_multiplex",
    "warm",
    "weighted_accuracy",
]
