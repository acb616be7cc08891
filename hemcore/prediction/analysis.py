"""The analyses of phases."""

from hemcore.prediction.evaluate.predictions import (
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
from hemcore.prediction.explore.analyses import CELLS, CORRELATE, CURVE, EXPLORE, MEASURE, PROJECT, REPRESENT, TOTALS
from hemcore.prediction.power.power_analyses import POWER, WATTS

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
    "POWER",
    "PROGRAM_INTERVALS",
    "PROJECT",
    "REPRESENT",
    "TOTALS",
    "WATTS",
    "WHAT_IF",
]
