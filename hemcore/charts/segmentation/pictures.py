"""The pictures of a segmented run, a tab each."""

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import event_colour
from hemcore.charts.picture import Picture, Scene
from hemcore.charts.segmentation.event_picker import has_several, several, several_words, span_table
from hemcore.charts.segmentation.event_profile import event_profile
from hemcore.charts.segmentation.joint_cut import together, together_words
from hemcore.charts.segmentation.path_steps import threshold_path
from hemcore.charts.segmentation.peer_curves import searches
from hemcore.charts.segmentation.run_stack import all_runs
from hemcore.charts.segmentation.segments import curve, live
from hemcore.charts.series import POINTS
from hemcore.segmentation.analysis import JOINT, PEERS, PROFILE, SEGMENTS, TRACKS
from hemcore.segmentation.events.event_profile import contradiction, judged, ranked
from hemcore.segmentation.params import LOWEST_THRESHOLD
from hemcore.segmentation.results import RunsAtThreshold, SegmentedRun


def _segments(scene: Scene[SegmentedRun]) -> list[go.Figure]:
    found: SegmentedRun = scene.result
    params = found.params
    return [
        curve(
            found.run,
            event=params.event,
            unit=found.unit,
            colour=event_colour(found.events, params.event),
            title=f"Which phases does run {found.run.samples.run} of {params.application} have?",
            subtitle=_with_baseline(scene, f"{params.event}, threshold {params.threshold:g}"),
            uirevision=_uirevision(scene),
            baseline=_comparable(scene),
        )
    ]


def _uirevision(scene: Scene[SegmentedRun], *, of_run: bool = True) -> str:
    """What makes it a picture of something else, so that its zoom goes."""
    params = scene.result.params
    return "|".join([scene.question.dataset, params.application, params.event, *([str(params.run)] if of_run else [])])


def _with_baseline(scene: Scene[SegmentedRun], words: str) -> str:
    if scene.baseline is None:
        return words
    if _comparable(scene) is None:
        return f"{words}; the baseline has another time axis"
    return f"{words}; baseline: {scene.baseline_words}" if scene.baseline_words else f"{words}; baseline dotted"


def _comparable(scene: Scene[SegmentedRun]) -> SegmentedRun | None:
    """The baseline, where its time axis is that of the result: the same application, both in seconds or both in intervals."""
    pinned, found = scene.baseline, scene.result
    if pinned is None or pinned.params.application != found.params.application or pinned.unit != found.unit:
        return None
    return pinned if (pinned.run.samples.edges is None) == (found.run.samples.edges is None) else None


def _segments_words(scene: Scene[SegmentedRun]) -> str:
    found: SegmentedRun = scene.result
    unit = "" if found.unit == "interval" else f"An interval is {found.unit}."
    edges = "start: first interval of the segment, counted from 0; stop: the first one after it."
    return " ".join([*notes(found), edges, *([unit] if unit else [])])


def notes(found: SegmentedRun) -> list[str]:
    """What a reader of the curve has to know, a sentence each."""
    run, samples = found.run, found.run.samples
    said = [found.left_out_sentence]
    if len(samples.counts) > POINTS:
        said.append(f"Least and largest of {POINTS // 2:,} bins of {len(samples.counts):,} samples are drawn: spikes stay.")
    if samples.time_gaps:
        said.append(f"Time was lost {_many(len(samples.time_gaps), 'time')} in the run; the curve breaks there.")
    if not samples.counts.any():
        said.append(f"{found.params.event} never occurred in this run.")
    elif run.n_constant:
        same = "zeros only" if run.segmentation.statistic == "rms" else "one value only"
        said.append(
            f"{run.n_constant} of {_many(len(run.models), 'segment')} {'is' if run.n_constant == 1 else 'are'} {same}: to "
            f"{run.segmentation.statistic} such a segment pays at any threshold. The statistic mean, or a larger "
            "least segment, does without."
        )
    elif len(run.models) == 1:
        highest = found.path.path.max_threshold
        flat = bool((found.path.path.intervals["n_change_points"] == 0).all())
        said.append(
            f"No change point gains as much as any threshold up to {highest:g}. Another event, or the statistic mean, may show phases."
            if flat
            else "No change point gains as much as the threshold. A lower threshold, or the statistic mean or std, may find phases."
        )
    return [each for each in said if each]


def _many(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _path(scene: Scene[SegmentedRun]) -> list[go.Figure]:
    found: SegmentedRun = scene.result
    return [
        threshold_path(
            found.path,
            found.thresholds.optimal,
            found.thresholds.runs,
            chosen=found.params.threshold,
            bounds=found.params.bounds,
            title=f"What would each threshold find in run {found.run.samples.run}?",
            subtitle=f"{found.params.event}, {found.params.application}",
            uirevision=_uirevision(scene),
        )
    ]


def _path_words(scene: Scene[SegmentedRun]) -> str:
    found: SegmentedRun = scene.result
    said = ["The grey band: numbers of change points within the bounds. Each triangle: runs whose primary threshold lies there."]
    least = found.path.path.min_threshold
    if least > LOWEST_THRESHOLD:
        said.append(f"Below threshold {least:.4g} there are too many segmentations to list; the slider finds each one there.")
    per_run = found.thresholds.optimal.per_run
    unsettled = int((~per_run["settled"]).sum())
    if unsettled:
        said.append(
            f"For {unsettled} of {_many(len(per_run), 'run')} no two neighbouring thresholds up to {found.params.max_threshold} gave "
            "the same residual; the primary threshold stays 1. Raise the largest threshold."
        )
    return " ".join(said)


def _every_run(scene: Scene[SegmentedRun]) -> RunsAtThreshold | None:
    return scene.more if scene.more is not None else scene.result.found


def _all_runs(scene: Scene[SegmentedRun]) -> list[go.Figure]:
    found = _every_run(scene)
    if found is None:
        return []
    params = found.params
    return [
        all_runs(
            found,
            unit=scene.result.unit,
            colour=event_colour(scene.result.events, params.event),
            title="Do other executions have the same segments?",
            subtitle=f"{params.event}, {_many(len(found.runs), 'run')} of {params.application}, threshold {params.threshold:g}",
            uirevision=_uirevision(scene, of_run=False),
        )
    ]


def _all_runs_words(scene: Scene[SegmentedRun]) -> str:
    found = _every_run(scene)
    if found is None:
        return ""
    against = f"Each run against run {found.runs[0].samples.run}, stretched to its length, within {_many(found.params.tolerance, 'sample')}"
    truth = "; truth: against the true boundaries of the run" if "covering_true" in found.agreement else ""
    return f"{against}{truth}."


def _agreement(scene: Scene[SegmentedRun]) -> pd.DataFrame | None:
    found = _every_run(scene)
    return None if found is None else found.agreement


def _judged(scene: Scene[SegmentedRun]) -> pd.DataFrame | None:
    """The profile under the bounds: the events that find most of the truth, or explain most, on top, whether they are kept or not."""
    if scene.more is None:
        return None
    profile = judged(scene.more, *scene.result.params.bounds)
    ordered = ranked(profile)
    first = [name for name in ("event", "kept", "why", "recall_true", "precision_true", "explained") if name in ordered.columns]
    return ordered[[*first, *(name for name in ordered.columns if name not in first)]]


def _profile(scene: Scene[SegmentedRun]) -> list[go.Figure]:
    profile = _judged(scene)
    if profile is None or profile.empty:
        return []
    params = scene.result.params
    subtitle = f"{params.application}; events that find most on top"
    uirevision = f"{scene.question.dataset}|{params.application}"
    return [event_profile(profile, bounds=params.bounds, chosen=params.event, subtitle=subtitle, uirevision=uirevision)]


def _profile_words(scene: Scene[SegmentedRun]) -> str:
    profile = _judged(scene)
    if profile is None:
        return ""
    fewest, most = scene.result.params.bounds
    truth = (
        " recall and precision: share of the true boundaries found, and precision, in the median run." if "recall_true" in profile else ""
    )
    return (
        f"{int(profile['kept'].sum())} of {len(profile)} events have {fewest} to {most} change points (median run) and are kept. The "
        f"residual error is a sum over intervals, so its CoV grows where runs differ in length; CoV per sample does not.{truth}"
        f" {contradiction(profile)}"
    ).strip()


def _peers(scene: Scene[SegmentedRun]) -> list[go.Figure]:
    if scene.more is None:
        return []
    samples = scene.result.run.samples
    title, params = f"Where do other searches cut run {samples.run}?", scene.result.params
    subtitle = f"{params.event}, {params.application}, threshold {params.threshold:g}"
    return [searches(scene.more, samples, unit=scene.result.unit, title=title, subtitle=subtitle, uirevision=_uirevision(scene))]


def _compared(scene: Scene[SegmentedRun]) -> pd.DataFrame | None:
    if scene.more is None:
        return None
    unknown = [] if scene.result.run.samples.boundaries is not None else ["covering_true", "f1_true"]
    silent = [] if scene.more["note"].any() else ["note"]
    return scene.more.drop(columns=["change_points", *unknown, *silent])


def _peers_words(scene: Scene[SegmentedRun]) -> str:
    if scene.more is None:
        return ""
    params = scene.result.params
    rms = (
        ""
        if params.statistic == "rms"
        else "Compared with the rms statistic, whatever is chosen, since that is the cost which they share. "
    )
    return (
        f"{rms}objective: residual error + threshold x change points, lower is better. covering, Hausdorff distance and F1 within "
        f"{_many(params.tolerance, 'sample')}: agreement with our change points. KernelCPD is asked for as many change points as ours."
    )


PICTURES: Sequence[Picture[SegmentedRun]] = (
    Picture(
        name="segments",
        tab="Segments",
        draw=_segments,
        caption=_segments_words,
        hint="Drag in the picture to zoom, double-click to go back.",
        table=lambda scene: scene.result.own_segments,
        live=lambda scene: live(scene.result.path),
    ),
    Picture(
        name="path",
        tab="Threshold path",
        draw=_path,
        caption=_path_words,
        hint="Click a point to choose its threshold.",
    ),
    Picture(
        name="tracks",
        tab="Several events",
        draw=several,
        needs=TRACKS,
        caption=several_words,
        table=span_table,
        hint="Drag in one of them to zoom all, double-click to go back; with Dragging: compare, to set a span against the rest of the run.",
        shown=has_several,
        view=("events", "drag", "span"),
    ),
    Picture(
        name="together",
        tab="All events together",
        draw=together,
        needs=JOINT,
        caption=together_words,
        arranged=lambda scene: "stack",
        table=lambda scene: None if scene.more is None else scene.more.explained,
        hint="Drag in one of them to zoom all, double-click to go back.",
        shown=has_several,
        view=("events",),
    ),
    Picture(name="all_runs", tab="All runs", draw=_all_runs, needs=SEGMENTS, caption=_all_runs_words, table=_agreement),
    Picture(
        name="profile",
        tab="All events",
        draw=_profile,
        needs=PROFILE,
        caption=_profile_words,
        table=_judged,
        hint="Move the bounds to see what falls in or out; click a row of the table to open its event.",
    ),
    Picture(name="peers", tab="Other searches", draw=_peers, needs=PEERS, caption=_peers_words, table=_compared),
)
