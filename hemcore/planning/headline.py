"""The headline figures and the verdict of a plan: how near it is to what is possible, what it leaves out, and how long it takes."""

from hemcore.datasets.tables.checks import listed
from hemcore.headline import Card, Verdict
from hemcore.planning.results import PlanReport

_PARTS_SHOWN = 3


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
            help="Collections of runs; in each the same HEMs are read together.",
            better="lower",
        ),
        Card(
            label="At least needed",
            value=plan.bound,
            note=plan.bound_name,
            help="No plan reads every wanted pair together with fewer subexperiments, by this argument; often no plan reaches it.",
        ),
        Card(
            label="Pairs together",
            value=plan.coverage,
            form=".1%",
            note=f"{plan.pairs_read:,} of {len(plan.wanted):,} {_wanted(report)}pairs",
            help="Pairs of HEMs that are read together in at least one subexperiment, of those that can be.",
            better="higher",
        ),
        Card(
            label="More than greedy" if budget else "Fewer than greedy",
            value=saved,
            note=f"greedy: {plan.greedy:,} {'pairs' if budget else 'subexperiments'}",
            help="A greedy plan fills one subexperiment after the other with the HEMs that add most new pairs.",
            better="higher",
        ),
        Card(
            label="Time of all runs, h",
            value=report.seconds / 3600,
            form=",.2f",
            note=f"{report.params.runs:,} runs each of {report.params.seconds_per_run:g} s",
            help="Subexperiments x runs x the time of a run; starting the program is not counted.",
            better="lower",
        ),
    ]


def verdict(report: PlanReport) -> Verdict:
    """How near the plan is to the best there can be, what no subexperiment holds, and whether a merge can use it whole."""
    plan = report.plan
    groups, hems = len(plan.subexperiments), f"{len(plan.hems):,} HEMs"
    many = f"{groups:,} subexperiment{'' if groups == 1 else 's'}"
    if groups == 1 and plan.coverage == 1:
        answer = f"All {hems} fit into one subexperiment: there is nothing to merge."
    elif plan.goal == "budget":
        answer = f"{many} read {plan.pairs_read:,} of {len(plan.wanted):,} {_wanted(report)}pairs of {hems} together ({plan.coverage:.0%})."
    else:
        with_anchor = f", each with {plan.anchor}" if plan.anchor is not None else ""
        answer = f"{many} read every {_wanted(report)}pair of {hems} together with {plan.n_pmcs:,} PMCs{with_anchor}."
    if len(plan.parts) > 1:
        return Verdict(answer=answer, trust=_apart(report), level="poor")
    trust = [_nearness(report)]
    if plan.never:
        pair = f"{plan.never[0][0]} with {plan.never[0][1]}"
        trust.append(
            f"{len(plan.never):,} pair{'' if len(plan.never) == 1 else 's'} cannot be read together by the counters and limits ({pair}"
            f"{' and others' if len(plan.never) > 1 else ''}); a merge fills them by its model."
        )
    level = "limited" if plan.never or (plan.goal == "budget" and plan.coverage < 1) else "good"
    return Verdict(answer=answer, trust=" ".join(each for each in trust if each), level=level)  # type: ignore[arg-type]


def duration(seconds: float) -> str:
    """A time in words: "45 s", "12 min", "3.4 h", "2.1 days"."""
    for most, unit, words in ((120, 1, "s"), (7_200, 60, "min"), (172_800, 3_600, "h")):
        if seconds < most:
            return f"{seconds / unit:.3g} {words}"
    return f"{seconds / 86_400:,.1f} days"


def _wanted(report: PlanReport) -> str:
    return "wanted " if report.params.wanted.strip() else ""


def _nearness(report: PlanReport) -> str:
    plan = report.plan
    groups = len(plan.subexperiments)
    if plan.goal == "budget":
        if plan.coverage == 1:
            return ""
        return f"All of them take {plan.bound:,} subexperiments or more ({plan.bound_name}); a merge fills the others by its model."
    if groups <= plan.bound:
        return f"No plan needs fewer ({plan.bound_name})." if groups > 1 else ""
    over = f"{groups / plan.bound - 1:.1%} over the bound of {plan.bound:,} ({plan.bound_name}), which may be out of reach"
    slow = " The clock ended the search: another time it may get further." if plan.ended == "time" else ""
    return f"It is {over}.{slow}"


def _apart(report: PlanReport) -> str:
    parts = report.plan.parts
    named = "; ".join(listed(part) for part in parts[:_PARTS_SHOWN])
    more = f"; and {len(parts) - _PARTS_SHOWN:,} more" if len(parts) > _PARTS_SHOWN else ""
    apart = f"It falls into {len(parts):,} parts that no subexperiment joins, so no merge can use it whole: {named}{more}."
    return f"{apart} Allow more subexperiments."
