"""The analyses of a list of HEMs: which to read together, and how long that takes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pandas as pd

from hemcore.analysis import Analysis, Progress
from hemcore.datasets.shelf import library
from hemcore.datasets.tables.hem_list import HemList
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import ParameterError
from hemcore.events.spelling import EventColumns
from hemcore.planning.cut_quality import Halves
from hemcore.planning.headline import cards, verdict
from hemcore.planning.metric_widths import widths_against_subexperiments
from hemcore.planning.pairs_text import wanted_pairs
from hemcore.planning.params import SEARCH_FIELDS, PlanParams
from hemcore.planning.pilot_widths import widths_by_runs
from hemcore.planning.plan import Plan
from hemcore.planning.planner import plan_subexperiments
from hemcore.planning.results import Cuts, MetricWidths, PlanReport

if TYPE_CHECKING:
    from hemcore.merge.params import CopulaParams
    from hemcore.merge.results import MergeReport
    from hemcore.metrics.params import MetricsParams
    from hemcore.metrics.results import MetricsReport


def search(table: HemList, params: PlanParams, progress: Progress | None = None) -> Plan:
    """`plan_subexperiments` of the HEMs with their counters and limits. Raises as it does."""
    anchored = params.goal == "anchor" or (params.goal == "budget" and params.anchor)
    return plan_subexperiments(
        table.hems,
        params.n_pmcs,
        goal=params.goal,
        anchor=(params.anchor or table.hems[0]) if anchored else None,
        groups=params.groups if params.goal == "budget" else None,
        wanted=wanted_pairs(params.wanted, table.hems),
        counters=table.counters,
        limits=table.limits,
        metrics=table.metrics,
        time_limit=params.time_limit,
        seed=params.seed,
        progress=progress,
    )


def report(table: HemList, params: PlanParams, progress: Progress | None = None, plan: Plan | None = None) -> PlanReport:
    """The plan and how long its runs take. plan: if already computed."""
    plan = plan if plan is not None else search(table, params, progress)
    return PlanReport(plan=plan, seconds=plan.estimated_time(params.seconds_per_run, params.runs), params=params)


def every_cut(table: HemList, params: PlanParams) -> list[PlanParams]:
    """The parameters of each piece of `quality_against_time`: the plans before some of the judges, then the same before the others. Raises
    as it does, and ParameterError for no or another pilot."""
    halves = Halves(_pilot(params))
    return [params.but(cut=number) for number in range(halves.shares * len(halves.plans))]


def cut(table: HemList, params: PlanParams, progress: Progress | None = None) -> list[dict[str, float]]:
    """What some judges of the pilot readings say of one plan, a dict of figures per judge. Raises as `every_cut` does."""
    halves = Halves(_pilot(params))
    share, number = divmod(params.cut, len(halves.plans))
    if share >= halves.shares:
        most = halves.shares * len(halves.plans)
        raise ParameterError(f"cut: {params.cut} is out of bounds; there are {most}, from 0 on.")
    return halves.figures(number, share, progress=progress, shares=halves.shares)


def cuts(table: HemList, params: PlanParams, found: Sequence[list[dict[str, float]]]) -> Cuts:
    """`quality_against_time` of the pilot readings."""
    halves = Halves(_pilot(params))
    plans = range(len(halves.plans))
    rows = [halves.row(number, [one for each in found[number :: len(plans)] for one in each]) for number in plans]
    return Cuts(rows=pd.DataFrame(rows), pilot=params.pilot)


def by_runs(table: HemList, params: PlanParams, progress: Progress | None = None) -> pd.DataFrame:
    """`widths_by_runs` of the pilot readings. Raises as it does, and ParameterError if none is chosen or it is of another kind."""
    return widths_by_runs(_pilot(params))


def widths(table: HemList, params: PlanParams, progress: Progress | None = None, plan: Plan | None = None) -> MetricWidths:
    """`widths_against_subexperiments` of a list for metrics and the pilot readings; plan: the one to show too.

    Raises as it does, and ParameterError for a list that names no metrics, and if no pilot is chosen or it is of another kind.
    """
    from hemcore.metrics.params import MetricsParams
    from hemcore.metrics.sets.used_definitions import definitions_for  # as above

    if not table.metrics:
        raise ParameterError("HEMs: the list names no metrics. Make one with For metrics, or add the column metrics.")
    pilot = _pilot(params)
    definitions, _ = definitions_for(MetricsParams(definitions=params.definitions), EventColumns(table.hems))
    return widths_against_subexperiments(
        definitions, table, pilot, params.n_pmcs, runs=params.runs, plan=plan, seed=params.seed, progress=progress
    )


def _pilot(params: PlanParams) -> Subexperiments:
    if not params.pilot:
        raise ParameterError("pilot: none is chosen. Choose subexperiments already measured; a short pilot is enough.")
    pilot = library.load(params.pilot)
    if not isinstance(pilot, Subexperiments):
        raise ParameterError(f"pilot: {params.pilot[:60]!r} contains no subexperiments. Choose readings that Merge accepts.")
    return pilot


def _asked_by_cuts() -> "tuple[Analysis[Subexperiments, CopulaParams, MergeReport]]":
    from hemcore.merge.analysis import COPULA  # who plans without readings does not wait for it

    return (COPULA,)


def _asked_by_widths() -> (
    "tuple[Analysis[Subexperiments, CopulaParams, MergeReport], Analysis[Subexperiments, MetricsParams, MetricsReport]]"
):
    from hemcore.metrics.analysis import METRICS

    return (*_asked_by_cuts(), METRICS)


SEARCH: Analysis[HemList, PlanParams, Plan] = Analysis(
    name="planning.search",
    title="planning",
    params=PlanParams,
    reads=SEARCH_FIELDS,
    compute=search,
    repeats=("time_limit",),
    gives="table",
)
PLAN: Analysis[HemList, PlanParams, PlanReport] = Analysis(
    name="planning.plan",
    title="Measurement plan",
    params=PlanParams,
    reads=(*SEARCH_FIELDS, "runs", "seconds_per_run"),
    named_by=("n_pmcs", "goal"),
    compute=report,
    inputs=(SEARCH,),
    gives="table",
    cards=cards,
    verdict=verdict,
)
CUT: Analysis[HemList, PlanParams, list[dict[str, float]]] = Analysis(
    name="planning.cut",
    title="what one cut costs",
    params=PlanParams,
    reads=("pilot", "cut"),
    compute=cut,
    asks=_asked_by_cuts,
)
CUTS: Analysis[HemList, PlanParams, Cuts] = Analysis(
    name="planning.cuts",
    title="What cuts cost",
    params=PlanParams,
    reads=("pilot",),
    part=CUT,
    parts=every_cut,
    gather=cuts,
    asks=_asked_by_cuts,
    gives="rows",
)
WIDTHS: Analysis[HemList, PlanParams, MetricWidths] = Analysis(
    name="planning.widths",
    title="Fewer subexperiments for metrics",
    params=PlanParams,
    reads=(*SEARCH_FIELDS, "runs", "pilot", "definitions"),
    compute=widths,
    inputs=(SEARCH,),
    asks=_asked_by_widths,
    gives="rows",
)
WIDTHS_BY_RUNS: Analysis[HemList, PlanParams, pd.DataFrame] = Analysis(
    name="planning.widths_by_runs",
    title="r by runs",
    params=PlanParams,
    reads=("pilot",),
    compute=by_runs,
)
