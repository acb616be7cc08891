"""Measurement plans: which HEMs to read together in as few subexperiments as possible."""

from hemcore.datasets.tables.hem_list import HemList
from hemcore.planning.cut_quality import quality_against_time
from hemcore.planning.metric_hems import hems_for_metrics
from hemcore.planning.metric_widths import widths_against_subexperiments
from hemcore.planning.params import PlanParams
from hemcore.planning.plan import Plan
from hemcore.planning.planner import plan_subexperiments
from hemcore.planning.search.lower_bounds import few_groups, schonheim

__all__ = [
    "HemList",
    "Plan",
    "PlanParams",
    "few_groups",
    "hems_for_metrics",
    "plan_subexperiments",
    "quality_against_time",
    "schonheim",
    "widths_against_subexperiments",
]
