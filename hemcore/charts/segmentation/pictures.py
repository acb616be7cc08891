"""The pictures of a segmented run, one per tab."""

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import event_colour
from hemcore.charts.picture import Picture, Scene
from hemcore.charts.segmentation import core_heatmaps
from hemcore.charts.segmentation.event_picker import has_several, several, several_caption, span_table
from hemcore.charts.segmentation.joint_cut import together, together_caption
from hemcore.charts.segmentation.path_steps import threshold_path
from hemcore.charts.segmentation.peer_curves import searches
from hemcore.charts.segmentation.profile_rows import event_profile
from hemcore.charts.segmentation.run_curve import curve, live
from hemcore.charts.segmentation.run_stack import all_runs
from hemcore.charts.series import POINTS
from hemcore.headline import amount
from hemcore.segmentation.analysis import CORES, JOINT, PEERS, PROFILE, SEGMENTS, TRACKS
from hemcore.segmentation.compare.phase_groups import boundaries_text, groups_text
from hemcore.segmentation.events.event_profile import contradiction, judged, ranked
from hemcore.segmentation.evidence import counted
from hemcore.segmentation.headline import what_may_show_phases
from hemcore.segmentation.params import LOWEST_THRESHOLD
from hemcore.segmentation.results import RunsAtThreshold, SegmentedRun


def _segments(scene: Scene[SegmentedRun]) -> list[go.Figure]:
    found: SegmentedRun = scene.result
    params = found.params
    removed = "" if params.detrend == "nothing" else f" without its {params.detrend}"
    return [
        curve(
            found.run,
            event=params.event,
            unit=found.unit,
            colour=event_colour(found.events, params.event),
            title=f"Which phases does run {found.run.samples.run} of {params.application} have?",
            subtitle=_with_baseline(scene, f"{params.event}{removed}, threshold {params.threshold:g}"),
            uirevision=_uirevision(scene),
            baseline=_comparable(scene),
        )
    ]


def _uirevision(scene: Scene[SegmentedRun], *, of_run: bool = True) -> str:
    """The picture's identity: its zoom stays while this stays the same."""
    params = scene.result.params
    return "|".join([scene.question.dataset, params.application, params.event, *([str(params.run)] if of_run else [])])


def _with_baseline(scene: Scene[SegmentedRun], text: str) -> str:
    if scene.baseline is None:
        return text
    if _comparable(scene) is None:
        return f"{text}; the baseline has another time axis"
    return f"{text}; baseline: {scene.baseline_words}" if scene.baseline_words else f"{text}; baseline dotted"


def _comparable(scene: Scene[SegmentedRun]) -> SegmentedRun | None:
    """The baseline, if it shares the time axis: the same application, both in seconds or both in intervals."""
    pinned, found = scene.baseline, scene.result
    if pinned is None or pinned.params.application != found.params.application or pinned.unit != found.unit:
        return None
    return pinned if (pinned.run.samples.edges is None) == (found.run.samples.edges is None) else None


def _segments_caption(scene: Scene[SegmentedRun]) -> str:
    found: SegmentedRun = scene.result
    unit = "" if found.unit == "interval" else f"An interval is {found.unit}."
    edges = "start: first interval of the segment, from 0; stop: first interval after it."
    return " ".join([*notes(found), edges, *([unit] if unit else [])])


def notes(found: SegmentedRun) -> list[str]:
    """Notes on the curve, one sentence each."""
    run, samples = found.run, found.run.samples
    sentences = [found.left_out_sentence]
    if found.params.detrend != "nothing":
        sentences.append(f"Drawn and described: the counts without their {found.params.detrend}, with their mean.")
    if len(samples.counts) > POINTS:
        sentences.append(f"Minimum and maximum of {POINTS // 2:,} bins of {len(samples.counts):,} samples are drawn, so spikes stay.")
    if samples.time_gaps:
        sentences.append(f"The run has {counted(len(samples.time_gaps), 'time gap')}; the curve breaks there.")
    if not samples.counts.any():
        sentences.append(f"{found.params.event} never occurred in this run.")
    elif run.n_constant:
        same = "only zeros" if run.segmentation.statistic == "rms" else "only one value"
        sentences.append(
            f"{run.n_constant} of {counted(len(run.models), 'segment')} {'has' if run.n_constant == 1 else 'have'} {same}, which with "
            f"{run.segmentation.statistic} makes segments at any threshold. To avoid it, use the mean or a larger minimum segment length."
        )
    elif len(run.models) == 1:
        sentences += what_may_show_phases(found)
    return [each for each in sentences if each]


def _path(scene: Scene[SegmentedRun]) -> list[go.Figure]:
    found: SegmentedRun = scene.result
    return [
        threshold_path(
            found.path,
            found.thresholds.optimal,
            found.thresholds.runs,
            chosen=found.params.threshold,
            bounds=found.params.bounds,
            title=f"What does each threshold find in run {found.run.samples.run}?",
            subtitle=f"{found.params.event}, {found.params.application}",
            uirevision=_uirevision(scene),
        )
    ]


def _path_caption(scene: Scene[SegmentedRun]) -> str:
    found: SegmentedRun = scene.result
    sentences = ["Grey band: numbers of change points within the bounds. Triangles: primary thresholds, with their numbers of runs."]
    least = found.path.path.min_threshold
    if least > LOWEST_THRESHOLD:
        sentences.append(
            f"Below threshold {amount(least, 4)} there are too many segmentations to list; the slider still finds each of them."
        )
    per_run = found.thresholds.optimal.per_run
    unsettled = int((~per_run["settled"]).sum())
    if unsettled:
        sentences.append(
            f"For {unsettled} of {counted(len(per_run), 'run')} no two neighbouring thresholds up to {found.params.max_threshold} gave "
            "the same residual; the primary threshold stays 1. Raise the maximum threshold."
        )
    return " ".join(sentences)


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
            title="Do all runs have the same segments?",
            subtitle=". ".join(
                filter(None, (f"{params.event} of {params.application}, threshold {params.threshold:g}", groups_text(found.groups)))
            ),
            uirevision=_uirevision(scene, of_run=False),
        )
    ]


def _all_runs_caption(scene: Scene[SegmentedRun]) -> str:
    found = _every_run(scene)
    if found is None:
        return ""
    first, tolerance = found.runs[0].samples.run, counted(found.params.tolerance, "sample")
    truth = " The truth columns compare each run with its own true boundaries." if "covering_true" in found.agreement else ""
    groups = f"Median {boundaries_text(found.groups)} " if len(found.groups) > 1 else ""
    compared = f"Each run is compared with run {first}, scaled to its length; change points match within {tolerance}."
    return f"{groups}Color: mean of the segment. {compared}{truth}"


def _agreement(scene: Scene[SegmentedRun]) -> pd.DataFrame | None:
    found = _every_run(scene)
    return None if found is None else found.agreement


def _judged(scene: Scene[SegmentedRun]) -> pd.DataFrame | None:
    """The profile under the bounds: the events that find or explain most on top, whether kept or not."""
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
    subtitle = f"{params.application}; the events that find most are on top"
    uirevision = f"{scene.question.dataset}|{params.application}"
    return [event_profile(profile, bounds=params.bounds, chosen=params.event, subtitle=subtitle, uirevision=uirevision)]


def _profile_caption(scene: Scene[SegmentedRun]) -> str:
    profile = _judged(scene)
    if profile is None:
        return ""
    fewest, most = scene.result.params.bounds
    truth = " Recall is the share of true boundaries found; recall and precision are of the median run." if "recall_true" in profile else ""
    return (
        f"{int(profile['kept'].sum())} of {len(profile)} events have {fewest} to {most} change points (median run) and are kept. The "
        f"residual error is a sum over intervals, so its CoV grows if runs differ in length; CoV per sample does not.{truth}"
        f" {contradiction(profile)}"
    ).strip()


def _peers(scene: Scene[SegmentedRun]) -> list[go.Figure]:
    if scene.more is None:
        return []
    samples = scene.result.run.samples
    title, params = f"Where do other searches split run {samples.run}?", scene.result.params
    subtitle = f"{params.event}, {params.application}, threshold {params.threshold:g}"
    return [searches(scene.more, samples, unit=scene.result.unit, title=title, subtitle=subtitle, uirevision=_uirevision(scene))]


def _compared(scene: Scene[SegmentedRun]) -> pd.DataFrame | None:
    if scene.more is None:
        return None
    unknown = [] if scene.result.run.samples.boundaries is not None else ["covering_true", "f1_true"]
    empty = [] if scene.more["note"].any() else ["note"]
    return scene.more.drop(columns=["change_points", *unknown, *empty])


def _peers_caption(scene: Scene[SegmentedRun]) -> str:
    if scene.more is None:
        return ""
    params = scene.result.params
    return (
        f"Pelt, Binseg and Window use the statistic {params.statistic}, as the page does. "
        f"objective: residual error + threshold x change points, lower is better. covering, Hausdorff and F1 (within "
        f"{counted(params.tolerance, 'sample')}): agreement with our change points. KernelCPD gets our number of change points."
    )


PICTURES: Sequence[Picture[SegmentedRun]] = (
    Picture(
        name="segments",
        tab="Segments",
        draw=_segments,
        caption=_segments_caption,
        hint="Drag to zoom, double-click to reset.",
        table=lambda scene: scene.result.own_segments,
        live=lambda scene: live(scene.result.path),
    ),
    Picture(
        name="path",
        tab="Threshold path",
        draw=_path,
        caption=_path_caption,
        hint="Click a point to choose its threshold.",
    ),
    Picture(
        name="tracks",
        tab="Several events",
        draw=several,
        needs=TRACKS,
        caption=several_caption,
        table=span_table,
        hint="Drag to zoom all events, double-click to reset. With Dragging: compare, drag to compare a span with the rest of the run.",
        shown=has_several,
        view=("events", "drag", "span"),
    ),
    Picture(
        name="cores",
        tab="Balance",
        draw=core_heatmaps.cores,
        needs=CORES,
        judged=True,
        caption=core_heatmaps.caption,
        arranged=lambda scene: "stack",
        table=lambda scene: None if scene.more is None else scene.more.events,
        shown=core_heatmaps.shown,
    ),
    Picture(
        name="together",
        tab="All events together",
        draw=together,
        needs=JOINT,
        judged=True,
        caption=together_caption,
        arranged=lambda scene: "stack",
        table=lambda scene: None if scene.more is None else scene.more.explained,
        hint="Drag to zoom all events, double-click to reset.",
        shown=has_several,
        view=("events",),
    ),
    Picture(name="all_runs", tab="All runs", draw=_all_runs, needs=SEGMENTS, caption=_all_runs_caption, table=_agreement),
    Picture(
        name="profile",
        tab="All events",
        draw=_profile,
        needs=PROFILE,
        caption=_profile_caption,
        table=_judged,
        hint="Move the bounds to keep or prune events; click a row of the table to open its event.",
    ),
    Picture(name="peers", tab="Other searches", draw=_peers, needs=PEERS, caption=_peers_caption, table=_compared),
)
