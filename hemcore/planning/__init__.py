"""Which HEMs to read together: plans of measurement with few subexperiments."""

from hemcore.planning.bounds import few_groups, schonheim
from hemcore.planning.plan import Plan
from hemcore.planning.planner import plan_subexperiments

__all__ = ["Plan", "few_groups", "plan_subexperiments", "schonheim"]
