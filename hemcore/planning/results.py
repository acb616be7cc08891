"""The answer about a plan: the plan, and what measuring it takes."""

from dataclasses import dataclass

import pandas as pd

from hemcore.planning.params import PlanParams
from hemcore.planning.plan import Plan


@dataclass(frozen=True, kw_only=True, eq=False)
class Cuts:
    """What fewer runs and fewer subexperiments cost: rows of `quality_against_time`, a run one second; pilot: the dataset's id."""

    rows: pd.DataFrame
    pilot: str


@dataclass(frozen=True, kw_only=True, eq=False)
class PlanReport:
    """plan: what is read together. seconds: how long all its runs take. params: as asked."""

    plan: Plan
    seconds: float
    params: PlanParams

    @property
    def table(self) -> pd.DataFrame:
        """The plan, a row a subexperiment."""
        return self.plan.table
