"""All events of every run of an application, cut jointly: results, figures and verdict."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.headline import Card, Trust, Verdict
from hemcore.segmentation.compare.segment_agreement import Agreement, agreement
from hemcore.segmentation.compare.segment_order import order_sentence
from hemcore.segmentation.joint.joint_search import PENALTY, JointPath, JointSegmentation
from hemcore.segmentation.params import SegmentationParams

_GOOD, _POOR = 0.85, 0.5


@dataclass(frozen=True, kw_only=True, eq=False)
class JointRun:
    """One run, all events. positions: shape (n,), the interval of each sample, from 0 at the start of the run, before trimming.

    boundaries: places among the samples at which a new stage begins, None where the data does not know them. levels: shape (segments,
    events of the table), mean counts, NaN where an event was not counted in a segment.
    """

    run: int
    positions: NDArray[np.int64]
    segmentation: JointSegmentation
    boundaries: tuple[int, ...] | None
    levels: NDArray[np.float64]

    def truth(self, tolerance: int) -> Agreement | None:
        """Agreement with the true boundaries, in samples; None where the data does not know them."""
        if self.boundaries is None:
            return None
        return agreement(self.boundaries, self.segmentation.change_points, len(self.positions), tolerance=tolerance)


@dataclass(frozen=True, kw_only=True, eq=False)
class RunJointPath:
    """One run at every joint penalty. unit: the penalty that a factor of 1 stands for in this run: log(n) an event."""

    run: int
    path: JointPath
    unit: float
    params: SegmentationParams


@dataclass(frozen=True, kw_only=True, eq=False)
class JointlySegmented:
    """Every run of an application by all of its events.

    runs: one entry a run. factor: their penalty, in log(n) an event; tried, agreeing: how it was chosen (see JointRuns), agreeing NaN for
    one run. agreement: a row a run against the first one, as RunsAtThreshold has it, with explained, and f1_true beside the other three.
    explained: one row an event that was searched in some run, those explained best first: event, explained (median run).
    segments: one row a segment of each run: application, run, segment (from 1), start, stop (intervals from 0), n_samples, unit.
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
        """The run that params name, the first where they name none or one of which nothing was counted."""
        return next((each for each in self.runs if each.run == self.params.run), self.runs[0])


def joint_cards(found: JointlySegmented) -> list[Card]:
    """Segments, penalty, variation explained, agreement of runs, and true boundaries where the data knows them."""
    shown, n_runs = found.shown.segmentation, len(found.runs)
    truth = found.shown.truth(found.params.tolerance)
    numbers = [each.segmentation.n_change_points + 1 for each in found.runs]
    chosen = not found.tried.empty
    return [
        Card(
            label="Segments",
            value=shown.n_change_points + 1,
            note="one run" if n_runs == 1 else f"{min(numbers)} to {max(numbers)} in {n_runs} runs",
            help="Of all events together: a change point is where their levels change at once.",
        ),
        Card(
            label="Penalty",
            value=found.factor,
            form=".3g",
            note=f"{found.agreeing:.0%} of the runs agree" if chosen else "the default" if found.factor == PENALTY else "as chosen",
            help="What a change point has to take off the squared deviations, in log(samples) an event. Chosen where runs agree in their "
            "number of segments.",
        ),
        Card(
            label="Variation explained",
            value=shown.explained if np.isfinite(shown.explained) else None,
            form=".0%",
            note=f"residual {shown.residual:,.0f}; {len(shown.events)} {'event' if len(shown.events) == 1 else 'events'}",
            help="How much of the ups and downs of all events together the segments' means account for.",
            better="higher",
        ),
        _agreement(found),
        Card(label="Samples", value=len(found.shown.positions), note=f"least segment {shown.min_segment}")
        if truth is None
        else Card(
            label="True boundaries",
            value=round(truth.recall * truth.n_true) if truth.n_true else None,
            text=f"{round(truth.recall * truth.n_true)} of {truth.n_true}" if truth.n_true else "none",
            note=f"precision {truth.precision:.0%}; F1 of {n_runs} {'run' if n_runs == 1 else 'runs'} "
            f"{found.agreement['f1_true'].mean():.2f}"
            if truth.n_true
            else "the run has one stage",
            help=f"Found: a change point lies at most {truth.tolerance} samples away.",
            better="higher",
            of=f"{truth.n_true} boundaries",
        ),
    ]


def joint_verdict(found: JointlySegmented) -> Verdict:
    """Which phases the events show together, and whether the truth and the other runs bear that out."""
    shown, run = found.shown.segmentation, found.shown
    of = f"run {run.run} of {found.params.application}"
    if not shown.events:
        return Verdict(answer=f"No event varies in {of}.", trust="Choose another run, or trim less.", level="poor")
    events = f"{len(shown.events)} events together show" if len(shown.events) > 1 else f"{shown.events[0]} shows"
    if not shown.change_points:
        return Verdict(answer=f"{events} no phases in {of}.", trust="A lower penalty may show some.", level="poor")
    level: Trust = "good"
    words = []
    truth = run.truth(found.params.tolerance)
    if truth is not None and truth.n_true:
        boundaries = "true boundary is" if truth.n_true == 1 else "true boundaries are"
        hits = round(truth.recall * truth.n_true)
        words.append(f"{hits} of {truth.n_true} {boundaries} found, {truth.precision:.0%} of the change points are one.")
        level = _level(min(truth.recall, truth.precision))
    if len(found.runs) > 1:
        others = found.agreement.iloc[1:].median(numeric_only=True)
        words.append(order_sentence(others["covering"], others["in_order"], others["duration_change"], good=_GOOD))
        if truth is None or not truth.n_true:
            level = _level(np.nanmax([others["covering"], others["in_order"]]))
    n = shown.n_change_points + 1
    return Verdict(answer=f"{events} {n} phases in {of}.", trust=" ".join(words), level=level)


def _agreement(found: JointlySegmented) -> Card:
    label, told = "Agreement of runs", "Segments of another run that come in the order of the first run's, at alike levels of all events."
    if len(found.runs) < 2:
        return Card(label=label, value=None, note="one run only", help=told)
    others = found.agreement.iloc[1:].median(numeric_only=True)
    if not np.isfinite(others["in_order"]):
        return Card(label=label, value=float(others["covering"]), form=".0%", note="covering, median run", help=told, better="higher")
    vary = f"durations vary by {others['duration_change']:.0%}, " if np.isfinite(others["duration_change"]) else ""
    note = f"in the same order; {vary}covering {others['covering']:.0%} (median run)"
    return Card(label=label, value=float(others["in_order"]), form=".0%", note=note, help=told, better="higher")


def _level(share: float) -> Trust:
    return "poor" if share < _POOR else "limited" if share < _GOOD else "good"
