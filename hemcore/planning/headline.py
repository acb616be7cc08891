"""The headline figures and the verdict of a plan: how close it is to the minimum, what it leaves out, and how long it takes."""

from hemcore.datasets.tables.checks import listed
from hemcore.errors import Remedy
from hemcore.events.spelling import TOPDOWN, event_key
from hemcore.headline import Card, Trust, Verdict, counted_noun, formatted, percent, with_step
from hemcore.params import control
from hemcore.planning.params import PlanParams
from hemcore.planning.results import PlanReport

_COMPONENTS_SHOWN = 3
_EVERY_PAIR = Remedy(label="Read every pair", choose={"goal": "pairs"})
_SHOW_PAIRS = Remedy(label="Show these pairs", choose={"view": "Pairs together"})


def cards(report: PlanReport) -> list[Card]:
    """The headline figures of a plan."""
    plan = report.plan
    groups, budget = len(plan.subexperiments), plan.goal == "budget"
    saved = plan.pairs_read - plan.greedy if budget else plan.greedy - groups
    return [
        Card(
            label="Subexperiments",
            value=groups,
            note=f"for {len(plan.hems):,} HEMs with {plan.n_pmcs:,} PMCs",
            help="A subexperiment is a set of runs that read the same HEMs together.",
            better="lower",
        ),
        Card(
            label="Lower bound",
            value=plan.bound,
            note=plan.bound_name,
            help="No plan reads every wanted pair together with fewer subexperiments. Often no plan reaches this bound.",
        ),
        Card(
            label="Pairs together",
            value=plan.coverage,
            form=".1%",
            note=f"{plan.pairs_read:,} of {len(plan.wanted):,} {_wanted(report)}pairs",
            help="Fraction of the pairs of HEMs that at least one subexperiment reads together, out of those that can be.",
            better="higher",
        ),
        *_metrics_card(report),
        Card(
            label="More than greedy" if budget else "Fewer than greedy",
            value=saved,
            note=f"greedy: {plan.greedy:,} {'pairs' if budget else 'subexperiments'}",
            help="A greedy plan fills one subexperiment after the other with the HEMs that add the most new pairs.",
            better="higher",
        ),
        Card(
            label="Total measurement time",
            value=report.seconds / 3600,
            text=f"{formatted(report.seconds / 3600, ',.2f')} h",
            form=",.2f",
            note=f"{report.params.runs:,} runs each of {report.params.seconds_per_run:g} s",
            help="Subexperiments x runs x time per run, without the time to start the program.",
            better="lower",
        ),
    ]


def _metrics_card(report: PlanReport) -> list[Card]:
    plan = report.plan
    if not plan.metrics:
        return []
    return [
        Card(
            label="Whole metrics",
            value=len(plan.whole_metrics),
            note=f"of {len(plan.metrics):,}; a merge puts the others together",
            help="Metrics whose HEMs one subexperiment reads all: their value needs no merge.",
            better="higher",
        )
    ]


def verdict(report: PlanReport) -> Verdict:
    """How close the plan is to the minimum, which pairs it leaves out, and whether a merge can use all of it."""
    plan = report.plan
    groups, hems = len(plan.subexperiments), f"{len(plan.hems):,} HEMs"
    many = f"{groups:,} subexperiment{'' if groups == 1 else 's'}"
    verb = "reads" if groups == 1 else "read"
    if groups == 1 and plan.coverage == 1:
        answer = f"All {hems} fit into one subexperiment: there is nothing to merge."
    elif plan.goal == "budget":
        pairs = f"{plan.pairs_read:,} of {len(plan.wanted):,} {_wanted(report)}pairs {_of_what(report)}"
        answer = f"{many} {verb} {pairs} together ({percent(plan.coverage)})."
    elif plan.anchor is not None:
        answer = f"{many}, each with {plan.anchor}, {verb} every {_wanted(report)}pair {_of_what(report)} together."
    else:
        answer = f"{many} {verb} every {_wanted(report)}pair {_of_what(report)} together with {plan.n_pmcs:,} PMCs."
    why = _reasons(report)
    if len(plan.components) > 1 and not plan.metrics:  # of metrics, whatever a merge puts together is connected
        trust = f"Its {len(plan.components):,} unconnected groups of HEMs cannot be merged."
        return Verdict(answer=answer, trust=trust, why=why, level="poor", remedies=(_EVERY_PAIR if plan.goal == "budget" else _SHOW_PAIRS,))
    incomplete = bool(plan.never) or (plan.goal == "budget" and plan.coverage < 1)
    unfinished = plan.goal != "budget" and groups > plan.bound and plan.ended == "time"
    level: Trust = "limited" if incomplete or unfinished else "good"
    return with_step(Verdict(answer=answer, trust=_trust(report), why=why, level=level), _next_step(report))


def _next_step(report: PlanReport) -> Remedy:
    """To read the pairs that a limit on subexperiments leaves out, to see those that cannot be read, or to search longer."""
    plan, most = report.plan, control(PlanParams, "time_limit").high
    if plan.goal == "budget" and plan.pairs_read < len(plan.wanted):
        return _EVERY_PAIR
    longer = min(2 * report.params.time_limit, float(most))
    return _SHOW_PAIRS if plan.never else Remedy(label=f"Search for {longer:g} s", choose={"time_limit": longer})


def _wanted(report: PlanReport) -> str:
    return ("possible " if report.plan.never else "") + ("wanted " if report.params.wanted.strip() else "")


def _of_what(report: PlanReport) -> str:
    plan = report.plan
    if plan.metrics and not report.params.wanted.strip():
        return f"inside {len(plan.metrics):,} metric{'' if len(plan.metrics) == 1 else 's'}"
    return f"of {len(plan.hems):,} HEMs"


def _trust(report: PlanReport) -> str:
    plan = report.plan
    if plan.metrics:
        return _trust_in_metrics(report)
    if plan.never:
        return f"Counters and limits keep {counted_noun(len(plan.never), 'pair')} apart."
    if plan.goal == "budget":
        missed = len(plan.wanted) - plan.pairs_read
        return f"{missed:,} pair{'' if missed == 1 else 's'} must be filled by a merge's model." if missed else ""
    return _distance(report)


def _distance(report: PlanReport) -> str:
    """How far the plan is from its bound."""
    plan = report.plan
    groups = len(plan.subexperiments)
    if groups <= plan.bound:
        return "No plan needs fewer." if groups > 1 else ""
    over = f"{percent(groups / plan.bound - 1, 1)} above the lower bound of {plan.bound:,}, which may be unreachable."
    return f"{over} More time may help: the clock ended the search." if plan.ended == "time" else over


def _trust_in_metrics(report: PlanReport) -> str:
    plan = report.plan
    whole, never = len(plan.whole_metrics), len(plan.never)
    merged = len(plan.metrics) - whole
    if whole and merged:
        text = f"{whole:,} metric{' needs' if whole == 1 else 's need'} no merge, {merged:,} {'does' if merged == 1 else 'do'}"
    else:
        text = "No metric needs a merge" if whole else "Every metric needs a merge"
    return f"{text}; {never:,} pair{'' if never == 1 else 's'} cannot be read together." if never else f"{text}."


def _reasons(report: PlanReport) -> tuple[str, ...]:
    """What the answer and the trust are based on, a sentence each."""
    plan = report.plan
    reasons = []
    if len(plan.components) > 1:
        named = "; ".join(listed(part) for part in plan.components[:_COMPONENTS_SHOWN])
        more = len(plan.components) - _COMPONENTS_SHOWN
        reasons.append(f"Groups of HEMs that no subexperiment connects: {named}{f'; and {more:,} more' if more > 0 else ''}.")
    if len(plan.subexperiments) > 1:
        reasons.append(f"Reading every {_wanted(report)}pair together takes at least {plan.bound:,} subexperiments ({plan.bound_name}).")
    if plan.never:
        first, second = plan.never[0]
        others = f" and {len(plan.never) - 1:,} more" if len(plan.never) > 1 else ""
        reasons.append(f"Pairs that cannot be read together, filled by a merge's model: {first} with {second}{others}.")
    if plan.metrics:
        if plan.goal != "budget" and (distance := _distance(report)):
            reasons.append(distance)
        merged = [name for name in plan.metrics if name not in {*plan.whole_metrics}]
        reasons += [f"Put together by merging: {listed(merged)}."] if merged else []
        if any(event_key(hem).base in TOPDOWN for hem in plan.hems):
            reasons.append("Topdown events take no PMC: every subexperiment reads them, led by slots.")
        reasons.append("On Intel, the kernel's NMI watchdog takes a counter: switch it off while measuring, or plan with one PMC less.")
    return tuple(reasons)
