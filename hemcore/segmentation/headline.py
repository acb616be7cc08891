"""The headline figures and the verdict of a segmented run."""

import math

from hemcore.headline import Card, Trust, Verdict
from hemcore.segmentation.compare.segment_order import order_sentence
from hemcore.segmentation.results import RunsAtThreshold, SegmentedRun

# Covering and recall that leave no doubt, and that leave little to believe.
_GOOD, _POOR = 0.85, 0.5
# Of a threshold, up to a million.
_EVERY_DIGIT = ",.10g"


def cards(found: SegmentedRun) -> list[Card]:
    """Segments, threshold, residual error, agreement of runs, and true boundaries where the data knows them."""
    n = found.run.segmentation.n_change_points
    fewest, most = found.params.bounds
    optimal = found.thresholds.optimal.threshold
    runs, least = found.found, found.run.segmentation.min_distance
    each = f"; at least {least:,} intervals each" if least > 2 else ""
    return [
        Card(
            label="Segments",
            value=n + 1,
            note=f"{_many(n, 'change point')}, {'within' if fewest <= n <= most else 'outside'} {fewest} to {most}{each}",
            help="A change point is the first interval of a new segment. Unless a least segment is chosen, one has at least 2 intervals, "
            "10 where the statistic is std: the deviation of fewer is often close to 0 by chance.",
        ),
        Card(
            label="Threshold",
            value=found.params.threshold,
            form=_EVERY_DIGIT,
            note="Algorithm 1's" if found.params.threshold == optimal else f"Algorithm 1's: {optimal:,}",
            help="Algorithm 1's threshold is the primary threshold of the run with the median residual error (Algorithm 1).",
        ),
        Card(
            label="Variation explained",
            value=_known(found.run.explained),
            form=".0%",
            note=f"residual error {found.run.segmentation.residual:,.0f}{_spread(runs)}",
            help="How much of the ups and downs of the counts the segments' means account for; 100 %: each count is its segment's mean. "
            "The residual error is the sum of segment costs without the penalty; for rms and std it is a logarithm and can be negative.",
            better="higher",
            of=_samples(found),
        ),
        _agreement(found),
        _truth(found),
    ]


def verdict(found: SegmentedRun) -> Verdict:
    """Which phases the run has, and whether the truth (where the data knows it) and the other runs bear that out."""
    n, params = found.run.segmentation.n_change_points, found.params
    of = f"run {found.run.samples.run} of {params.application}"
    if n == 0:
        answer = f"{params.event} shows no phases in {of} at threshold {params.threshold:{_EVERY_DIGIT}}."
        return Verdict(answer=answer, trust="Another event, a lower threshold or the statistic mean may show some.", level="poor")
    truth = found.run.truth(params.tolerance)
    answer = f"{params.event} shows {_many(n + 1, 'phase')} in {of}."
    level: Trust = "good"
    words = []
    if truth is not None and truth.n_true:
        hits = round(truth.recall * truth.n_true)
        boundaries = "true boundary is" if truth.n_true == 1 else "true boundaries are"
        words.append(f"{hits} of {truth.n_true} {boundaries} found, {truth.precision:.0%} of the change points are one.")
        level = _worse(level, min(truth.recall, truth.precision))
    covering = _covering(found)
    if covering is not None and found.found is not None:
        in_order, change = found.found.median_in_order
        words.append(order_sentence(covering, in_order, change, good=_GOOD))
        # Where the truth is known it decides: runs of other inputs differ in length and are right.
        level = _worse(level, max(covering, in_order if math.isfinite(in_order) else 0.0)) if truth is None or not truth.n_true else level
    fewest, most = params.bounds
    if not fewest <= n <= most:
        are = "is" if n == 1 else "are"
        words.append(f"{_many(n, 'change point')} {are} {'more' if n > most else 'fewer'} than a profile is made of ({fewest} to {most}).")
        level = "limited" if level == "good" else level
    if found.run.n_constant:
        words.append("Segments of one value only are found at any threshold.")
    return Verdict(answer=answer, trust=" ".join(words), level=level)


def _samples(found: SegmentedRun) -> str:
    """What a share of variation is a share of."""
    params, samples = found.params, found.run.samples
    return f"{len(samples.counts)} {params.event}, {params.application}, run {samples.run}, from {params.trim_head}"


def _spread(runs: RunsAtThreshold | None) -> str:
    if runs is None or not math.isfinite(runs.residual_cov_percent):
        return ""
    spread = runs.residual_cov_percent
    return f"; its CoV over {len(runs.runs)} runs {f'{spread:,.0f}' if spread >= 10 else f'{spread:.2g}'} %"


def _agreement(found: SegmentedRun) -> Card:
    told = (
        "Segments of another run that come in the order of the first run's, at alike levels, whatever they last. Covering: how much each "
        "segment of the first run overlaps the one that fits it best in another run, once both are as long."
    )
    label, runs = "Agreement of runs", found.thresholds.runs
    covering = _covering(found)
    if covering is None or found.found is None:
        why = "one run only" if len(runs) < 2 else "open All runs" if found.found is None else f"run {runs[0]} is one segment"
        return Card(label=label, value=None, note=why, help=told)
    in_order, change = found.found.median_in_order
    if not math.isfinite(in_order):
        return Card(label=label, value=covering, form=".0%", note=f"covering of run {runs[0]}, median run", help=told, better="higher")
    vary = f"durations vary by {change:.0%}, " if math.isfinite(change) else ""
    note = f"in the same order; {vary}covering {covering:.0%} (median run)"
    return Card(label=label, value=in_order, form=".0%", note=note, help=told, better="higher")


def _truth(found: SegmentedRun) -> Card:
    truth, samples = found.run.truth(found.params.tolerance), found.run.samples
    if truth is None:
        return Card(label="Samples", value=len(samples.counts), note=found.left_out_sentence or "every interval counted")
    if not truth.n_true:
        return Card(label="True boundaries", value=None, text="none", note="the run has one stage")
    runs = found.found
    every = runs.median_truth if runs is not None and len(runs.runs) > 1 else None
    precision = f"precision {truth.precision:.0%}" if truth.n_found else "no change point"
    hits = round(truth.recall * truth.n_true)
    return Card(
        label="True boundaries",
        value=hits,
        text=f"{hits} of {truth.n_true}",
        note=precision + ("" if every is None else f"; median run {every[0]:.0%}, {every[1]:.0%}"),
        help="The data knows when the program went over to another stage. Found: a change point lies at most "
        f"{truth.tolerance} samples away. The median run: share of its boundaries found, and precision.",
        better="higher",
        of=f"{truth.n_true} boundaries",
    )


def _covering(found: SegmentedRun) -> float | None:
    runs = found.found
    if runs is None or len(runs.runs) < 2 or not runs.runs[0].segmentation.change_points:
        return None
    return runs.median_covering


def _known(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _worse(level: Trust, share: float) -> Trust:
    return "poor" if share < _POOR else "limited" if share < _GOOD else level


def _many(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
