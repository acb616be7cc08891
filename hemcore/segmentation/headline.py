"""The headline figures and the verdict of a segmented run."""

import math
from dataclasses import replace

import numpy as np

from hemcore.errors import Remedy
from hemcore.headline import (
    Card,
    Doubt,
    Verdict,
    amount,
    doubted,
    few_counts,
    few_runs,
    percent,
    total_too_few,
    with_step,
)
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
from hemcore.segmentation.next_steps import at_threshold, further, more_phases
from hemcore.segmentation.params import Detrend, SegmentationParams
from hemcore.segmentation.results import RunsAtThreshold, SegmentedRun
from hemcore.segmentation.smooth_courses import Gradual, Kind, bursts, spikes

# A share of the variance that finer segments may be needed for.
_MUCH_LEFT = 0.02
# Thresholds go up to a million.
_EVERY_DIGIT = ",.10g"


def cards(found: SegmentedRun) -> list[Card]:
    """Segments, threshold, variation explained, agreement of runs, and true boundaries if the data has them."""
    n = found.run.segmentation.n_change_points
    fewest, most = found.params.bounds
    optimal = found.thresholds.optimal.threshold
    runs, least = found.found, found.run.segmentation.min_distance
    minimum = f"; at least {least:,} intervals each" if least > 2 else ""
    return [
        Card(
            label="Segments",
            value=n + 1,
            note=f"{counted(n, 'change point')}, {'within' if fewest <= n <= most else 'outside'} {fewest} to {most}{minimum}",
            help="A change point is the first interval of a new segment. By default a segment has at least 2 intervals, or 10 if the "
            "statistic is std, because the deviation of fewer is often close to 0 by chance.",
        ),
        Card(
            label="Threshold",
            value=found.params.threshold,
            form=_EVERY_DIGIT,
            note="Algorithm 1's" if found.params.threshold == optimal else f"Algorithm 1's: {optimal:,}",
            help="Algorithm 1 of Imtiaz et al. (2022) takes the primary threshold of the run with the median residual error.",
        ),
        Card(
            label="Variation explained",
            value=_finite(found.run.explained),
            form=".0%",
            note=f"residual error {found.run.segmentation.residual:,.0f}{_spread(runs)}",
            help="The share of the counts' variance that the segments' means explain; at 100% each count equals its segment's mean. The "
            "residual error is the sum of the segments' costs without the penalty; for rms and std it is a logarithm and can be negative.",
            better="higher",
            of=_samples(found),
        ),
        _agreement(found),
        _truth(found),
    ]


def verdict(found: SegmentedRun) -> Verdict:
    """How many phases the run has, and whether the truth (if known) and the other runs confirm them; how even the cores are, if known."""
    about = _phases_verdict(found)
    return about if not found.balance else replace(about, why=(f"{found.balance}.", *about.why))


def _phases_verdict(found: SegmentedRun) -> Verdict:
    """How many phases the run has, and whether the truth (if known) and the other runs confirm them."""
    n, params = found.run.segmentation.n_change_points, found.params
    where = f"run {found.run.samples.run} of {params.application}"
    if params.detrend != "nothing":
        where += f", its {params.detrend} removed"
    if n == 0:
        none = f"No change point lowers the residual error by more than the threshold, {params.threshold:{_EVERY_DIGIT}}."
        if found.path.course is not None:
            return with_step(_smooth_verdict(params, where, found.path.course, "No segments are found.", (none,)), further(found))
        tried, may_show = what_may_show_phases(found)
        return Verdict(
            answer=f"{params.event} shows no phases in {where}.",
            trust=tried,
            why=(may_show, none),
            level="poor",
            remedies=(more_phases(found),),
        )
    truth, agreement = found.run.truth(params.tolerance), _compared(found)
    too_few = total_too_few(params.event, found.run.samples.counts)
    if too_few and not (truth is not None and truth.n_true):
        answer = f"{params.event} is counted too seldom in {where} to show phases."
        single = ("Segments of so few counts bound single counts.",)
        return Verdict(answer=answer, trust=too_few, why=single, level="poor", remedies=(further(found),))
    reasons, why = [], []
    if truth is not None and truth.n_true:
        reasons.append(truth_reason(truth, len(found.run.samples.counts)))
        why.append(truth_detail(truth))
    if agreement is not None:
        reasons.append(runs_reason(agreement, truth_known=bool(reasons)))
        why.append(runs_detail(agreement, found.thresholds.runs[0]))
    if truth is not None and not truth.n_true and any(found.run.samples.stages):
        reasons.append(Reason("limited", "The data has one stage in this run."))
    if not reasons:
        reasons.append(Reason("limited", _unconfirmed(found)))
    fewest, most = params.bounds
    if not fewest <= n <= most:
        side = "above" if n > most else "below"
        reasons.append(Reason("limited", f"{counted(n, 'change point')}: {side} the bounds, {fewest} to {most}."))
    constant = found.run.n_constant
    if constant:
        why.append(f"{counted(constant, 'segment')} of one value: found at any threshold.")
    known = truth is not None and truth.n_true > 0
    doubts = [
        *_shape_doubts(found),
        *([] if known else _finer(found)),
        *unexplained(found.run.explained, further(found)),
        *few_runs(len(found.thresholds.runs)),
    ]
    course = None if known else found.path.course
    if course is not None:
        segments = f"{counted(n + 1, 'segment')} explain {percent(found.run.explained)}."
        behind = (*(doubt.sentence for doubt in doubts), *(reason.sentence for reason in reasons), *why)
        return with_step(_smooth_verdict(params, where, course, segments, behind), further(found))
    shown = f"{params.event} shows {counted(n + 1, 'phase')} in {where}."
    n_spikes = spikes(found.run.models)
    if n <= 2 * n_spikes and not known and not few_counts(params.event, found.run.samples.counts):
        short = "It lasts" if n_spikes == 1 else "Each lasts"
        return Verdict(
            answer=f"{params.event} has {counted(n_spikes, 'spike')} in {where}, no phases.",
            trust=f"{short} at most 3 intervals, and the level is the same before and after.",
            why=(*(doubt.sentence for doubt in doubts[1:]), *(reason.sentence for reason in reasons), *why),
            level="limited",
            remedies=(further(found),),
        )
    n_bursts, samples = (0, 0) if known else bursts(found.run.models)
    if n_bursts:
        shown = f"{params.event} has {n_bursts:,} bursts over one level in {where}."
        whole = len(found.run.samples.counts)
        why.insert(0, f"The bursts last {samples:,} of {whole:,} intervals; with the level between them they make {n + 1:,} segments.")
    return with_step(doubted(judged_verdict(shown, reasons, why), doubts), further(found))


def what_may_show_phases(found: SegmentedRun) -> tuple[str, str]:
    """Of a run without a change point at the threshold: whether any has one, and what else to try; what was tried already is not named."""
    flat = bool((found.path.path.intervals["n_change_points"] == 0).all())
    others = ["Another event", *([] if flat else ["a lower threshold"])]
    others += [] if found.run.segmentation.statistic == "mean" else ["the statistic mean"]
    *first, last = others
    try_these = f"{', '.join(first)} or {last}" if first else last
    return f"{'No' if flat else 'This'} threshold gives {'a' if flat else 'no'} change point.", f"{try_these} may show some."


def _smooth_verdict(params: SegmentationParams, where: str, course: Gradual, segments: str, why: tuple[str, ...]) -> Verdict:
    """A smooth course has no levels, whatever segments fit it. segments: a sentence about them."""
    smooth = "A season" if course.kind == "season" else "A line" if course.kind == "slope" else "A smooth curve"
    return Verdict(
        answer=f"{params.event} {course.text} in {where}: no levels to segment.",
        trust=f"{smooth} explains {percent(course.explained)} of the variation. {segments}",
        why=why,
        level="limited",
        remedies=_detrended(course.kind, params.detrend),
    )


def _detrended(kind: Kind, now: Detrend) -> tuple[Remedy, ...]:
    """The next step for a smooth course: to remove it, unless that was done."""
    what: Detrend = "line" if kind == "slope" else kind
    return (Remedy(label=f"Remove the {what}", choose={"detrend": what}),) if what != now else ()


def _shape_doubts(found: SegmentedRun) -> list[Doubt]:
    """Too few counts, and change points that are spikes."""
    few = few_counts(found.params.event, found.run.samples.counts)
    doubts = [Doubt(sentence=few, remedy=further(found))] if few else []
    n = spikes(found.run.models)
    if 4 * n >= found.run.segmentation.n_change_points:
        verb = "is a spike" if n == 1 else "are spikes"
        sentence = f"{n:,} of {counted(len(found.run.models), 'segment')} {verb} of at most 3 intervals, not phases."
        doubts.append(Doubt(sentence=sentence, remedy=further(found)))
    return doubts


def _finer(found: SegmentedRun) -> list[Doubt]:
    """The doubt that the threshold is too high: at most twice as many segments leave less than a quarter of the variance unexplained."""
    path, n, left = found.path.path, found.run.segmentation.n_change_points, 1 - found.run.explained
    numbers = path.intervals["n_change_points"].to_numpy()
    rows = np.flatnonzero((numbers > n) & (numbers <= 2 * n + 1))
    if not len(rows) or not left >= _MUCH_LEFT:
        return []
    low, high = (float(path.intervals[end].iloc[rows[0]]) for end in ("threshold_from", "threshold_to"))
    finer = found.path.at(low)
    if 1 - finer.explained >= left / 4:
        return []
    phases = int(numbers[rows[0]]) + 1
    show = at_threshold(phases, low, high)
    return [Doubt(sentence=f"{phases} segments explain {percent(finer.explained)} instead of {percent(1 - left)}.", remedy=show)]


def _unconfirmed(found: SegmentedRun) -> str:
    runs = found.thresholds.runs
    if len(runs) < 2:
        return "One run only: no other run confirms these phases."
    if found.found is None:
        return "Not compared with the other runs yet: open All runs."
    return f"Run {runs[0]}, which the others are compared with, is one segment."


def _samples(found: SegmentedRun) -> str:
    """The samples that a share of variation belongs to; shares of other samples are not compared."""
    params, samples = found.params, found.run.samples
    return f"{len(samples.counts)} {params.event}, {params.application}, run {samples.run}, from {params.trim_head}"


def _spread(runs: RunsAtThreshold | None) -> str:
    if runs is None or not math.isfinite(runs.residual_cov_percent):
        return ""
    spread = runs.residual_cov_percent
    return f"; its CoV over {len(runs.runs)} runs {f'{spread:,.0f}' if spread >= 10 else f'{amount(spread, 2)}'}%"


def _agreement(found: SegmentedRun) -> Card:
    runs = found.thresholds.runs
    why = "one run only" if len(runs) < 2 else "open All runs" if found.found is None else f"run {runs[0]} is one segment"
    return agreement_card(
        _compared(found),
        "The share of segments of another run that follow in the order of the first run's at similar levels, whatever their durations. "
        "Covering: the mean overlap of each segment of the first run with the best matching segment of another run, scaled to its length.",
        missing=why,
        against=f" of run {runs[0]}",
    )


def _truth(found: SegmentedRun) -> Card:
    truth, samples = found.run.truth(found.params.tolerance), found.run.samples
    if truth is None:
        return Card(label="Samples", value=len(samples.counts), note=found.left_out_sentence or "every interval counted")
    runs = found.found
    every = runs.median_truth if runs is not None and len(runs.runs) > 1 else None
    precision = f"precision {percent(truth.precision)}" if truth.n_found else "no change point"
    return truth_card(
        truth,
        precision + ("" if every is None else f"; median run {percent(every[0])}, {percent(every[1])}"),
        "The data records when the program entered another stage. A boundary is found if a change point is at most "
        f"{counted(truth.tolerance, 'sample')} away. Median run: share of its boundaries found, and precision.",
    )


def _compared(found: SegmentedRun) -> RunAgreement | None:
    """The agreement between runs; None if it is not known or there is nothing to compare."""
    runs = found.found
    if runs is None or len(runs.runs) < 2 or not runs.runs[0].segmentation.change_points:
        return None
    rows = runs.agreement.iloc[1:]
    alike = share_alike(rows["covering"], rows["in_order"])
    return RunAgreement(len(runs.runs), runs.median_covering, *runs.median_in_order, runs.groups, alike)


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
