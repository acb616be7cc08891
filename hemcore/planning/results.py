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
class MetricWidths:
    """What fewer subexperiments cost the metrics' intervals.

    rows: one per plan and way to spend its runs: plan ("each event once" ... "every pair in a metric", "this plan"), runs are ("same runs
    each", "same total time"), subexperiments, runs (of each), width (median over the metrics of the 80% interval's width as a fraction of
    the value), metrics (that have one), whole metrics (read in one subexperiment). n_metrics, n_hems: of the list. typical: the HEMs that
    the pilot did not read. runs: of each subexperiment at "same runs each".
    """

    rows: pd.DataFrame
    n_metrics: int
    n_hems: int
    typical: tuple[str, ...]
    runs: int


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
