"""The result of planning: the plan, and how long measuring it takes."""

from dataclasses import dataclass

import pandas as pd

from hemcore.planning.params import PlanParams
from hemcore.planning.plan import Plan


@dataclass(frozen=True, kw_only=True, eq=False)
class Cuts:
    """The effect of fewer runs and fewer subexperiments: `quality_against_time` at one second per run; pilot: the dataset's id."""

    rows: pd.DataFrame
    pilot: str


@dataclass(frozen=True, kw_only=True, eq=False)
class PlanReport:
    """plan: the measurement plan. seconds: total duration of its runs. params: the parameters."""

    plan: Plan
    seconds: float
    params: PlanParams

    @property
    def table(self) -> pd.DataFrame:
        """The plan, one row per subexperiment."""
        return self.plan.table
