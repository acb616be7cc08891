"""Analyses of a counter series: thresholds, paths, segments of every run, a profile of all events, other searches."""

import pandas as pd

from hemcore.analysis import Analysis, Kept, Progress
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.segmentation.chosen import report_start, run_of, runs_of, with_event, with_event_and_run
from hemcore.segmentation.compare.other_searches import peers
from hemcore.segmentation.event_runs import application_shape
from hemcore.segmentation.events.event_ranking import EventRanking, rank_events, seconds_of_ranking
from hemcore.segmentation.events.event_tracks import EventTracks, events_to_cut, thresholds_of_events, tracks
from hemcore.segmentation.events.every_event import events_to_profile, profile_of_event, profile_table
from hemcore.segmentation.every_run import at_threshold, by_rule
from hemcore.segmentation.headline import cards, verdict
from hemcore.segmentation.joint.joint_answers import jointly, run_joint_path
from hemcore.segmentation.joint.joint_results import JointlySegmented, RunJointPath, joint_cards, joint_verdict
from hemcore.segmentation.params import LOWEST_THRESHOLD, SegmentationParams
from hemcore.segmentation.results import EventThresholds, RunPath, RunsAtThreshold, SegmentedRun, searched
from hemcore.segmentation.search.path_by_threshold import threshold_path
from hemcore.segmentation.search.thresholds import optimal_threshold
from hemcore.segmentation.segment_datasets import segments_as_phases, series_with_segments
from hemcore.segmentation.segments_export import segments_json

# Samples of one run, and of all runs, that take about a second on a laptop; ruptures' searches run in Python.
_QUICK_SAMPLES, _QUICK_ALL_RUNS, _QUICK_RUPTURES = 20_000, 200_000, 1_000


def thresholds(table: CounterSeries, params: SegmentationParams, progress: Progress | None = None) -> EventThresholds:
    """Algorithm 1 over all runs of the event. Raises as application_runs and optimal_threshold do."""
    report_start(progress, "primary thresholds")
    params = with_event(table, params)
    runs = runs_of(table, params)
    optimal = optimal_threshold([searched(each, params.statistic) for each in runs], params.max_threshold, **params.search)
    return EventThresholds(optimal=optimal, runs=tuple(each.run for each in runs), params=params)


def path(table: CounterSeries, params: SegmentationParams, progress: Progress | None = None) -> RunPath:
    """Every segmentation of one run from threshold 1 to max_threshold. Raises as run_samples and threshold_path do."""
    params = with_event_and_run(table, params)
    samples = run_of(table, params)
    found = threshold_path(searched(samples, params.statistic), LOWEST_THRESHOLD, params.max_threshold, **params.search, progress=progress)
    return RunPath(samples=samples, path=found, params=params)


def segmented_run(
    table: CounterSeries,
    params: SegmentationParams,
    progress: Progress | None,
    event: EventThresholds,
    path: RunPath,
    found: RunsAtThreshold | None,
) -> SegmentedRun:
    """One run at params.threshold, with the thresholds of its event and, if computed already, the other runs (found)."""
    params = with_event_and_run(table, params)
    return SegmentedRun(
        run=path.at(params.threshold),
        thresholds=event,
        path=path,
        found=found,
        params=params,
        unit=table.interval_unit,
        events=tuple(table.events),
    )


def _seconds(table: CounterSeries, params: SegmentationParams) -> float:
    lengths = application_shape(table, params.application or table.applications[0]).lengths
    return max(max(lengths) / _QUICK_SAMPLES, sum(lengths) / _QUICK_ALL_RUNS)


def _seconds_of_rule(table: CounterSeries, params: SegmentationParams) -> float:
    # Up to 160 searches per run.
    return 40 * _seconds(table, params)


def _seconds_of_joint(table: CounterSeries, params: SegmentationParams) -> float:
    # 12 penalties, each with every event.
    return 4 * len(table.events) * _seconds(table, params)


def _seconds_of_peers(table: CounterSeries, params: SegmentationParams) -> float:
    return max(application_shape(table, params.application or table.applications[0]).lengths) / _QUICK_RUPTURES


def _seconds_of_profile(table: CounterSeries, params: SegmentationParams) -> float:
    return 0.6 * _seconds(table, params) * len(table.events)


def _seconds_of_event_thresholds(table: CounterSeries, params: SegmentationParams) -> float:
    return 0.3 * _seconds(table, params) * len(table.events)


def _seconds_of_tracks(table: CounterSeries, params: SegmentationParams) -> float:
    lengths = application_shape(table, params.application or table.applications[0]).lengths
    return max(lengths) * len(table.events) / _QUICK_ALL_RUNS


_SEARCH = ("application", "event", "statistic", "min_distance", "early_exit", "trim_head", "trim_tail")

THRESHOLDS: Analysis[CounterSeries, SegmentationParams, EventThresholds] = Analysis(
    name="segmentation.thresholds",
    title="thresholds of an event",
    params=SegmentationParams,
    reads=(*_SEARCH, "max_threshold"),
    compute=thresholds,
    seconds=_seconds,
)
PATH: Analysis[CounterSeries, SegmentationParams, RunPath] = Analysis(
    name="segmentation.path",
    title="threshold path of a run",
    params=SegmentationParams,
    reads=(*_SEARCH, "max_threshold", "run"),
    compute=path,
    seconds=_seconds,
)
SEGMENTS: Analysis[CounterSeries, SegmentationParams, RunsAtThreshold] = Analysis(
    name="segmentation.segments",
    title="segments of every run",
    params=SegmentationParams,
    reads=(*_SEARCH, "threshold", "tolerance"),
    compute=at_threshold,
    seconds=_seconds,
    gives="segments",
    json=segments_json,
)
BY_RULE: Analysis[CounterSeries, SegmentationParams, RunsAtThreshold] = Analysis(
    name="segmentation.by_rule",
    title="segments of every run, without a threshold",
    params=SegmentationParams,
    reads=("application", "event", "trim_head", "trim_tail", "tolerance"),
    compute=by_rule,
    seconds=_seconds_of_rule,
    gives="segments",
)
SEGMENTATION: Analysis[CounterSeries, SegmentationParams, SegmentedRun] = Analysis(
    name="segmentation.segmentation",
    title="segmentation",
    params=SegmentationParams,
    reads=(*_SEARCH, "max_threshold", "run", "threshold", "tolerance", "min_change_points", "max_change_points"),
    inputs=(THRESHOLDS, PATH),
    optional=(SEGMENTS,),
    compute=segmented_run,
    gives="segments",
    table_from=SEGMENTS,
    named_by=("application", "event", "threshold"),
    keeps=(
        Kept(name="segments", description="the segments as phases with the counts of every event, for Prediction", make=segments_as_phases),
        Kept(
            name="series in segments",
            description="the series with these segments as its stages, to compare other events with",
            make=series_with_segments,
        ),
    ),
    cards=cards,
    verdict=verdict,
)
PROFILE_EVENT: Analysis[CounterSeries, SegmentationParams, pd.DataFrame] = Analysis(
    name="segmentation.profile_event",
    title="profile of one event",
    params=SegmentationParams,
    reads=(*_SEARCH, "max_threshold", "tolerance"),
    compute=profile_of_event,
    seconds=_seconds,
)
PROFILE: Analysis[CounterSeries, SegmentationParams, pd.DataFrame] = Analysis(
    name="segmentation.profile",
    title="profile of all events",
    params=SegmentationParams,
    reads=("application", "statistic", "min_distance", "early_exit", "trim_head", "trim_tail", "max_threshold", "tolerance"),
    part=PROFILE_EVENT,
    parts=events_to_profile,
    gather=profile_table,
    seconds=_seconds_of_profile,
)
PEERS: Analysis[CounterSeries, SegmentationParams, pd.DataFrame] = Analysis(
    name="segmentation.peers",
    title="comparison with other searches",
    params=SegmentationParams,
    reads=(*_SEARCH, "run", "threshold", "tolerance"),
    compute=peers,
    seconds=_seconds_of_peers,
)
JOINT: Analysis[CounterSeries, SegmentationParams, JointlySegmented] = Analysis(
    name="segmentation.joint",
    title="joint segmentation of all events",
    params=SegmentationParams,
    reads=("application", "run", "min_distance", "trim_head", "trim_tail", "tolerance", "joint_penalty", "joint_bursts"),
    compute=jointly,
    seconds=_seconds_of_joint,
    gives="segments",
    named_by=("application",),
    cards=joint_cards,
    verdict=joint_verdict,
)
JOINT_PATH: Analysis[CounterSeries, SegmentationParams, RunJointPath] = Analysis(
    name="segmentation.joint_path",
    title="joint penalty path of a run",
    params=SegmentationParams,
    reads=("application", "run", "min_distance", "trim_head", "trim_tail", "joint_bursts"),
    compute=run_joint_path,
    seconds=_seconds_of_joint,
)
RANKING: Analysis[CounterSeries, SegmentationParams, EventRanking] = Analysis(
    name="segmentation.ranking",
    title="ranking of the events",
    params=SegmentationParams,
    reads=("application",),
    compute=rank_events,
    seconds=seconds_of_ranking,
)
EVENT_THRESHOLDS: Analysis[CounterSeries, SegmentationParams, dict[str, int]] = Analysis(
    name="segmentation.event_thresholds",
    title="thresholds of all events",
    params=SegmentationParams,
    reads=("application", "statistic", "min_distance", "early_exit", "trim_head", "trim_tail", "max_threshold"),
    part=THRESHOLDS,
    parts=events_to_cut,
    gather=thresholds_of_events,
    seconds=_seconds_of_event_thresholds,
)
TRACKS: Analysis[CounterSeries, SegmentationParams, EventTracks] = Analysis(
    name="segmentation.tracks",
    title="segments of every event",
    params=SegmentationParams,
    reads=("application", "statistic", "min_distance", "early_exit", "trim_head", "trim_tail", "max_threshold", "run"),
    inputs=(EVENT_THRESHOLDS,),
    compute=tracks,
    seconds=_seconds_of_tracks,
)
