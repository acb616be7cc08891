"""Phases: how their counters go together, which of them stand for the others, which counters to read together (document 003)."""

from hemcore.prediction.correlate import Correlations, correlate
from hemcore.prediction.explore_params import ExploreParams
from hemcore.prediction.grouping import CounterGroup, CounterGroups, group_counters
from hemcore.prediction.project import Projection, project
from hemcore.prediction.representatives import representatives

__all__ = [
    "Correlations",
    "CounterGroup",
    "CounterGroups",
    "ExploreParams",
    "Projection",
    "correlate",
    "group_counters",
    "project",
    "representatives",
]
