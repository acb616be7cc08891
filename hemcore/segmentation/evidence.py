"""Figures and verdicts that the segments of one event and of all events share: truth, agreement between runs, levels of trust."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd

from hemcore.errors import Remedy
from hemcore.headline import LITTLE_EXPLAINED, TRUST_WORDS, Card, Doubt, Trust, Verdict, percent
from hemcore.segmentation.compare.phase_groups import RunGroup, boundaries_text, groups_text, largest_share
from hemcore.segmentation.compare.segment_agreement import Agreement

# Shares of agreement from which a verdict is good, and below which it is poor.
GOOD, POOR = 0.85, 0.5
# Fewer runs that agree with each other may do so by chance.
_FEWEST_RUNS = 3
# The share of a run within reach of a change point from which boundaries are found by chance.
_BY_CHANCE = 0.5
_LEVELS: tuple[Trust, ...] = ("poor", "limited", "good")


class Reason(NamedTuple):
    """A reason to trust a verdict: the level that it allows, and its sentence."""

    level: Trust
    sentence: str


class RunAgreement(NamedTuple):
    """The first run compared with the others: how many runs there are, and medians over the others.

    in_order and duration_change are NaN if there are too many segments to align. groups: of all runs, by their number of phases. alike: the
    share of the other runs whose segments overlap or recur in order as well as a good answer needs (`share_alike`).
    """

    n_runs: int
    covering: float
    in_order: float
    duration_change: float
    groups: tuple[RunGroup, ...] = ()
    alike: float = 1.0


def share_alike(covering: pd.Series, in_order: pd.Series) -> float:
    """The share of runs that agree to GOOD in covering or in order (NaN: unknown), one value per run; 1 for no runs."""
    return float((covering.ge(GOOD) | in_order.ge(GOOD)).mean()) if len(covering) else 1.0


def level_of(share: float) -> Trust:
    """The level that a share of agreement allows."""
    return "poor" if share < POOR else "limited" if share < GOOD else "good"


def judged_verdict(answer: str, reasons: Sequence[Reason], why: Sequence[str]) -> Verdict:
    """The verdict at the worst level of `reasons`; their sentences go into its trust, worst first, while there is room, then into why."""
    level = min((each.level for each in reasons), key=_LEVELS.index)
    trust: list[str] = []
    rest: list[str] = []
    for reason in sorted(reasons, key=lambda each: _LEVELS.index(each.level)):
        fits = len(" ".join([*trust, reason.sentence]).split()) <= TRUST_WORDS
        (trust if fits and not rest else rest).append(reason.sentence)
    return Verdict(answer=answer, trust=" ".join(trust), why=(*rest, *why), level=level)


def unexplained(share: float, step: Remedy) -> list[Doubt]:
    """The doubt about segments whose means explain little of the variance, and what to do then; NaN is none."""
    sentence = f"The segments explain only {percent(share)} of the variation."
    return [Doubt(sentence=sentence, remedy=step)] if share < LITTLE_EXPLAINED else []


def truth_reason(truth: Agreement, n_samples: int) -> Reason:
    """How many of the true boundaries were found.

    Known boundaries may be a subset: a change within a stage is an inner phase, no false alarm. Change points so many that they would find
    half of the boundaries wherever they were are "limited".
    """
    hits = round(truth.recall * truth.n_true)
    boundaries = "boundary" if truth.n_true == 1 else "boundaries"
    further = truth.n_found - hits
    level = level_of(truth.recall)
    if truth.n_found * (2 * truth.tolerance + 1) >= _BY_CHANCE * n_samples:
        return Reason(min(level, "limited", key=_LEVELS.index), f"{hits} of {truth.n_true} true {boundaries} found, as by chance.")
    inner = f"; {counted(further, 'further change')} may be inner phases" if further else ""
    return Reason(level, f"{hits} of {truth.n_true} true {boundaries} found{inner}.")


def truth_detail(truth: Agreement) -> str:
    """When a boundary is found, and what further change points are."""
    further = " The known boundaries may be a subset: changes within a stage are not false." if truth.precision < 1 else ""
    return f"A change point finds a true boundary if it is at most {counted(truth.tolerance, 'sample')} away.{further}"


def runs_reason(agreement: RunAgreement, *, truth_known: bool) -> Reason:
    """How well the other runs agree. Known truth decides instead: runs with other inputs differ in length and can still be right."""
    covering, in_order = agreement.covering, agreement.in_order
    if covering >= GOOD or not math.isfinite(in_order):
        sentence = f"{percent(covering)} overlap with the segments of the other runs."
    else:
        sentence = f"{'' if in_order >= GOOD else 'Only '}{percent(in_order)} of the segments recur in order in other runs."
    level = level_of(max(covering, in_order if math.isfinite(in_order) else 0.0))
    if largest_share(agreement.groups) < GOOD and level != "poor":
        # Medians over the runs say nothing of a second kind of run.
        level, sentence = "limited", groups_text(agreement.groups)
        return Reason("good" if truth_known else level, sentence)
    if agreement.alike < GOOD and level == "good":
        # So do runs with as many phases at other places.
        others = agreement.n_runs - 1
        level, sentence = "limited", f"Only {round(agreement.alike * others):,} of {counted(others, 'other run')} have these segments."
        return Reason("good" if truth_known else level, sentence)
    if level == "good" and agreement.n_runs < _FEWEST_RUNS and not truth_known:
        level, sentence = "limited", f"Only {agreement.n_runs} runs: {sentence[0].lower()}{sentence[1:]}"
    return Reason("good" if truth_known else level, sentence)


def runs_detail(agreement: RunAgreement, first_run: int) -> str:
    """All figures of the agreement between runs, in a sentence, and the groups of runs if there is more than one."""
    order = "" if not math.isfinite(agreement.in_order) else f", {percent(agreement.in_order)} of the segments in the same order"
    change = "" if not math.isfinite(agreement.duration_change) else f", durations differ by {percent(agreement.duration_change)}"
    several = len(agreement.groups) > 1
    groups = f" {groups_text(agreement.groups)} {boundaries_text(agreement.groups)}" if several else ""
    return (
        f"The median run against run {first_run}, {agreement.n_runs} runs: covering {percent(agreement.covering)}{order}{change}.{groups}"
    )


def agreement_card(agreement: RunAgreement | None, help: str, *, missing: str, against: str = "") -> Card:
    """Agreement between runs as a headline figure. missing: the note if there is none; against: what covering is measured against."""
    label = "Agreement of runs"
    if agreement is None:
        return Card(label=label, value=None, note=missing, help=help)
    covering, in_order, change = agreement.covering, agreement.in_order, agreement.duration_change
    groups = f"{groups_text(agreement.groups)} " if len(agreement.groups) > 1 else ""
    if not math.isfinite(in_order):
        return Card(
            label=label,
            value=covering,
            form=".0%",
            note=f"{groups}{'Covering' if groups else 'covering'}{against}, median run",
            help=help,
            better="higher",
        )
    vary = f"durations differ by {percent(change)}, " if math.isfinite(change) else ""
    note = f"{groups}{'In' if groups else 'in'} the same order; {vary}covering {percent(covering)} (median run)"
    return Card(label=label, value=in_order, form=".0%", note=note, help=help, better="higher")


def truth_card(truth: Agreement, note: str, help: str) -> Card:
    """True boundaries that were found, with `note` and `help` if the run has any."""
    if not truth.n_true:
        return Card(label="True boundaries", value=None, text="none", note="the run has one stage")
    hits = round(truth.recall * truth.n_true)
    return Card(
        label="True boundaries",
        value=hits,
        text=f"{hits} of {truth.n_true}",
        note=note,
        help=help,
        better="higher",
        of=f"{truth.n_true} boundaries",
    )


def counted(number: int, noun: str) -> str:
    """`number` and its noun, which takes an s: "1 run", "1,200 runs"."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
