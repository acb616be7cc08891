"""What can be asked of phases."""

from hemcore.prediction.explore_analysis import CELLS, CORRELATE, CURVE, EXPLORE, MEASURE, PROJECT, REPRESENT
from hemcore.prediction.predict_analysis import (
    COST_STACK,
    EVALUATION,
    FOLD,
    GRANULARITIES,
    INTERVALS,
    LEAK,
    MODELS_READY,
    PROGRAM_INTERVALS,
    WHAT_IF,
)

__all__ = [
    "CELLS",
    "CORRELATE",
    "COST_STACK",
    "CURVE",
    "EVALUATION",
    "EXPLORE",
    "FOLD",
    "GRANULARITIES",
    "INTERVALS",
    "LEAK",
    "MEASURE",
    "MODELS_READY",
    "PROGRAM_INTERVALS",
    "PROJECT",
    "REPRESENT",
    "WHAT_IF",
]
