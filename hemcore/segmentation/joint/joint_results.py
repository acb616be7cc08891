"""Joint segmentation of every run of an application: results, headline figures and verdict."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.errors import Remedy
from hemcore.headline import ADD_RUNS, Card, Doubt, Verdict, doubted, few_runs, percent, with_step
from hemcore.segmentation.compare.phase_groups import run_groups
from hemcore.segmentation.compare.segment_agreement import Agreement, agreement
from hemcore.segmentation.evidence import (
    Reason,
    RunAgreement,
    agreement_card,
    counted,
    judged_verdict,
    runs_detail,
    runs_reason,
    share_alike,
    truth_card,
    truth_detail,
    truth_reason,
    unexplained,
)
from hemcore.segmentation.joint.joint_search import PENALTY, JointPath, JointSegmentation
from hemcore.segmentation.next_steps import ADD_EVENTS
from hemcore.segmentation.params import SegmentationParams

# Half of the lowest penalty that the runs can choose.
_LOWEST = 0.9
# Where the runs differ at the penalty chosen by hand, and at the one at which most agree: which event shows the same in all of them.
_AGREEING = Remedy(label="Let the runs choose", choose={"joint_penalty": 0.0})
_CLEAREST = Remedy(label="Event by event", choose={"view": "All events"})


@dataclass(frozen=True, kw_only=True, eq=False)
class JointRun:
    """One run, all events.

    positions: shape (n,), the interval of each sample, counted from 0 at the start of the run, before trimming. boundaries: indices of the
    samples at which a new stage begins; None if the data does not have them. levels: shape (segments, events of the table), mean counts,
    NaN if an event was not counted in a segment.
    """

    run: int
    positions: NDArray[np.int64]
    segmentation: JointSegmentation
    boundaries: tuple[int, ...] | None
    levels: NDArray[np.float64]

    def truth(self, tolerance: int) -> Agreement | None:
        """Agreement with the true boundaries, in samples; None if the data does not have them."""
        if self.boundaries is None:
            return None
        return agreement(self.boundaries, self.segmentation.change_points, len(self.positions), tolerance=tolerance)


@dataclass(frozen=True, kw_only=True, eq=False)
class RunJointPath:
    """One run at every joint penalty. unit: the penalty for a factor of 1 in this run, log(n) per event."""

    run: int
    path: JointPath
    unit: float
    params: SegmentationParams


@dataclass(frozen=True, kw_only=True, eq=False)
class JointlySegmented:
    """Every run of an application, segmented by all of its events.

    runs: one entry per run. factor: their penalty, in log(n) per event; tried, agreeing: how it was chosen (see JointRuns), agreeing NaN
    for one run. agreement: one row per run, compared with the first, as in RunsAtThreshold, with f1_true as well. explained: one row per
    event that varies in some run, the best explained first: event, explained (median run).
    segments: one row per segment of each run: application, run, segment (from 1), start, stop (intervals from 0), n_samples, unit.
    """

    runs: tuple[JointRun, ...]
    factor: float
    agreeing: float
    tried: pd.DataFrame
    agreement: pd.DataFrame
    explained: pd.DataFrame
    segments: pd.DataFrame
    params: SegmentationParams

    @property
    def shown(self) -> JointRun:
        """The run that params name; the first if they name none, or one in which nothing was counted."""
        return next((each for each in self.runs if each.run == self.params.run), self.runs[0])

    @property
    def trend_text(self) -> str:
        """What was subtracted from the shown run: "its line", "their lines"; empty for nothing."""
        what = self.params.detrend
        if what == "nothing":
            return ""
        return f"their {what}s" if len(self.shown.segmentation.events) > 1 else f"its {what}"


def joint_cards(found: JointlySegmented) -> list[Card]:
    """Segments, penalty, variation explained, agreement of runs, and true boundaries if the data has them."""
    shown, n_runs = found.shown.segmentation, len(found.runs)
    truth = found.shown.truth(found.params.tolerance)
    numbers = [each.segmentation.n_change_points + 1 for each in found.runs]
    chosen = not found.tried.empty
    return [
        Card(
            label="Segments",
            value=shown.n_change_points + 1,
            note="one run" if n_runs == 1 else f"{min(numbers)} to {max(numbers)} in {n_runs} runs",
            help="Segments of all events together: at a change point their levels change at once.",
        ),
        Card(
            label="Penalty",
            value=found.factor,
            form=".3g",
            note=f"{percent(found.agreeing)} of the runs agree" if chosen else "the default" if found.factor == PENALTY else "as chosen",
            help="How much a change point must lower the sum of squared deviations, in log(samples) per event. By default the penalty at "
            "which most runs have the same number of segments.",
        ),
        Card(
            label="Variation explained",
            value=shown.explained if np.isfinite(shown.explained) else None,
            form=".0%",
            note=f"residual {shown.residual:,.0f}; {counted(len(shown.events), 'event')}",
            help="The share of the variance of all events together that the segments' means explain.",
            better="higher",
        ),
        agreement_card(
            _compared(found),
            "The share of segments of another run that follow in the order of the first run's at similar levels of all events.",
            missing="one run only",
        ),
        Card(label="Samples", value=len(found.shown.positions), note=f"minimum segment length {shown.min_segment}")
        if truth is None
        else truth_card(
            truth,
            f"precision {percent(truth.precision)}; F1 of {counted(n_runs, 'run')} {found.agreement['f1_true'].mean():.2f}",
            f"A boundary is found if a change point is at most {counted(truth.tolerance, 'sample')} away.",
        ),
    ]


def joint_verdict(found: JointlySegmented) -> Verdict:
    """How many phases all events together show, and whether the truth (if known) and the other runs confirm them."""
    shown, run = found.shown.segmentation, found.shown
    where = f"run {run.run} of {found.params.application}"
    if not shown.events:
        trimmed = found.params.trim_head or found.params.trim_tail
        step = Remedy(label="Trim nothing", choose={"trim_head": 0, "trim_tail": 0}) if trimmed else ADD_RUNS
        return Verdict(answer=f"No event varies in {where}.", trust="Choose another run, or trim less.", level="poor", remedies=(step,))
    if found.trend_text:
        where += f", {found.trend_text} removed"
    events = f"{len(shown.events)} events together show" if len(shown.events) > 1 else f"{shown.events[0]} shows"
    if not shown.change_points:
        lower = (_lower_penalty(found),)
        return Verdict(answer=f"{events} no phases in {where}.", trust="A lower penalty may show some.", level="poor", remedies=lower)
    reasons, why = [], []
    truth, agreement = run.truth(found.params.tolerance), _compared(found)
    if truth is not None and truth.n_true:
        reasons.append(truth_reason(truth, len(run.positions)))
        why.append(truth_detail(truth))
    if agreement is not None:
        reasons.append(runs_reason(agreement, truth_known=bool(reasons)))
        why.append(runs_detail(agreement, found.runs[0].run))
    if not reasons:
        reasons.append(Reason("limited", "One run only: no other run confirms these phases."))
    if shown.constant:
        why.append(f"{counted(len(shown.constant), 'event')} left out, because nothing varies: {', '.join(shown.constant)}.")
    doubts = [*unexplained(shown.explained, _lower_penalty(found)), *few_runs(len(found.runs))]
    if len(found.runs) == 2:
        chosen = not found.tried.empty
        little = "Only 2 runs, and the penalty was chosen so that they agree: that confirms little."
        alone = little if chosen else "Only 2 runs: that they agree confirms little."
        doubts = [Doubt(sentence=alone, remedy=ADD_RUNS), *doubts]
        judged = judged_verdict(f"{events} {counted(shown.n_change_points + 1, 'phase')} in {where}.", reasons, why)
        # First, whatever else there is to say: it is what all other figures rest on.
        level = "limited" if judged.level == "good" else judged.level
        return replace(doubted(replace(judged, level="good"), doubts), level=level)
    shown_phases = f"{events} {counted(shown.n_change_points + 1, 'phase')} in {where}."
    return with_step(doubted(judged_verdict(shown_phases, reasons, why), doubts), _CLEAREST if found.tried.size else _AGREEING)


def _lower_penalty(found: JointlySegmented) -> Remedy:
    """The step from a high penalty chosen by hand to that of the runs; else to half of it, in tenths as the field has it; then to other
    events, since a lower one only finds noise."""
    if found.params.joint_penalty > PENALTY:
        return _AGREEING
    half = round((found.params.joint_penalty or found.factor) / 2, 1)
    lower = Remedy(label=f"Lower the penalty to {half:g}", choose={"joint_penalty": half})
    return lower if half >= _LOWEST else ADD_EVENTS


def _compared(found: JointlySegmented) -> RunAgreement | None:
    if len(found.runs) < 2:
        return None
    rows = found.agreement.iloc[1:]
    others, alike = rows.median(numeric_only=True), share_alike(rows["covering"], rows["in_order"])
    groups = run_groups([(each.segmentation.change_points, len(each.positions)) for each in found.runs])
    covering, in_order, change = (float(others[name]) for name in ("covering", "in_order", "duration_change"))
    return RunAgreement(len(found.runs), covering, in_order, change, groups, alike)
