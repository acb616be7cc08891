"""Figures and verdicts that the segments of one event and of all events share: truth, agreement between runs, levels of trust."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from hemcore.headline import TRUST_WORDS, Card, Trust, Verdict, percent
from hemcore.segmentation.compare.segment_agreement import Agreement

# Shares of agreement from which a verdict is good, and below which it is poor.
GOOD, POOR = 0.85, 0.5
# Fewer runs that agree with each other may do so by chance.
FEW_RUNS = 3
_LEVELS: tuple[Trust, ...] = ("poor", "limited", "good")


class Reason(NamedTuple):
    """A reason to trust a verdict: the level that it allows, and its sentence."""

    level: Trust
    sentence: str


class RunAgreement(NamedTuple):
    """The first run compared with the others: how many runs there are, and medians over the others.

    in_order and duration_change are NaN if there are too many segments to align.
    """

    n_runs: int
    covering: float
    in_order: float
    duration_change: float


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


def truth_reason(truth: Agreement) -> Reason:
    """How many of the true boundaries were found."""
    hits = round(truth.recall * truth.n_true)
    boundaries = "boundary" if truth.n_true == 1 else "boundaries"
    sentence = f"{hits} of {truth.n_true} true {boundaries} found, precision {percent(truth.precision)}."
    return Reason(level_of(min(truth.recall, truth.precision)), sentence)


def runs_reason(agreement: RunAgreement, *, truth_known: bool) -> Reason:
    """How well the other runs agree. Known truth decides instead: runs with other inputs differ in length and can still be right."""
    covering, in_order = agreement.covering, agreement.in_order
    if covering >= GOOD or not math.isfinite(in_order):
        sentence = f"{percent(covering)} overlap with the segments of the other runs."
    else:
        sentence = f"{'' if in_order >= GOOD else 'Only '}{percent(in_order)} of the segments recur in order in other runs."
    level = level_of(max(covering, in_order if math.isfinite(in_order) else 0.0))
    if level == "good" and agreement.n_runs < FEW_RUNS and not truth_known:
        level, sentence = "limited", f"Only {agreement.n_runs} runs: {sentence[0].lower()}{sentence[1:]}"
    return Reason("good" if truth_known else level, sentence)


def runs_detail(agreement: RunAgreement, first_run: int) -> str:
    """All figures of the agreement between runs, in a sentence."""
    order = "" if not math.isfinite(agreement.in_order) else f", {percent(agreement.in_order)} of the segments in the same order"
    change = "" if not math.isfinite(agreement.duration_change) else f", durations differ by {percent(agreement.duration_change)}"
    return f"The median run against run {first_run}, {agreement.n_runs} runs: covering {percent(agreement.covering)}{order}{change}."


def agreement_card(agreement: RunAgreement | None, help: str, *, missing: str, against: str = "") -> Card:
    """Agreement between runs as a headline figure. missing: the note if there is none; against: what covering is measured against."""
    label = "Agreement of runs"
    if agreement is None:
        return Card(label=label, value=None, note=missing, help=help)
    covering, in_order, change = agreement.covering, agreement.in_order, agreement.duration_change
    if not math.isfinite(in_order):
        return Card(label=label, value=covering, form=".0%", note=f"covering{against}, median run", help=help, better="higher")
    vary = f"durations differ by {percent(change)}, " if math.isfinite(change) else ""
    note = f"in the same order; {vary}covering {percent(covering)} (median run)"
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
