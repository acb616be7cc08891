"""What can be asked of a list of HEMs: which of them to read together, and how long that takes."""

from hemcore.analysis import Analysis, Progress
from hemcore.datasets.tables.hem_list import HemList
from hemcore.planning.headline import cards, verdict
from hemcore.planning.params import SEARCH_FIELDS, PlanParams
from hemcore.planning.plan import Plan
from hemcore.planning.planner import SHORT_S, is_short, plan_subexperiments
from hemcore.planning.results import PlanReport

# Up to here a search ends by itself at once.
_FEW = 10


def search(table: HemList, params: PlanParams, progress: Progress | None = None) -> Plan:
    """`plan_subexperiments` of the HEMs with their counters and limits. Raises as it does."""
    anchored = params.goal == "anchor" or (params.goal == "budget" and params.anchor)
    return plan_subexperiments(
        table.hems,
        params.n_pmcs,
        goal=params.goal,
        anchor=(params.anchor or table.hems[0]) if anchored else None,
        groups=params.groups if params.goal == "budget" else None,
        counters=table.counters,
        limits=table.limits,
        time_limit=params.time_limit,
        seed=params.seed,
        progress=progress,
    )


def report(table: HemList, params: PlanParams, progress: Progress | None = None, plan: Plan | None = None) -> PlanReport:
    """The plan and how long its runs take. plan: where it is at hand."""
    plan = plan if plan is not None else search(table, params, progress)
    return PlanReport(plan=plan, seconds=plan.estimated_time(params.seconds_per_run, params.runs), params=params)


def _seconds(table: HemList, params: PlanParams) -> float:
    hems, beside = len(table.hems), params.goal == "anchor"
    if hems <= max(_FEW, params.n_pmcs):
        return 0.0
    if params.goal != "budget" and not table.limits and not table.counters and is_short(hems - beside, params.n_pmcs - beside):
        return min(SHORT_S, params.time_limit)
    return 0.5 * params.time_limit + 2e-6 * hems**2


SEARCH = Analysis(
    name="planning.search", title="planning", params=PlanParams, reads=SEARCH_FIELDS, compute=search, seconds=_seconds, gives="table"
)
PLAN = Analysis(
    name="planning.plan",
    title="Plan of measurement",
    params=PlanParams,
    reads=(*SEARCH_FIELDS, "runs", "seconds_per_run"),
    named_by=("n_pmcs", "goal"),
    compute=report,
    inputs=(SEARCH,),
    gives="table",
    cards=cards,
    verdict=verdict,
)
