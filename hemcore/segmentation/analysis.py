"""Analyses of a counter series: thresholds, paths, segments of every run, a profile of all events, other searches."""

import pandas as pd

from hemcore.analysis import Analysis, Kept, Progress
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.segmentation.chosen import report_start, run_of, runs_of, with_event, with_event_and_run
from hemcore.segmentation.compare.other_searches import peers
from hemcore.segmentation.events.event_ranking import EventRanking, rank_events
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
from hemcore.segmentation.uneven_cores import (
    CoreBalance,
    balance_cards,
    balance_sentence,
    balance_verdict,
    capital,
    core_balance,
    has_places,
)


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
        balance=capital(balance_sentence(core_balance(table, params))) if has_places(table) else "",
    )


_SEARCH = ("application", "event", "detrend", "statistic", "min_distance", "early_exit", "trim_head", "trim_tail")
# The bound of the least segment hangs on the statistic, whether or not a search takes that.
_LEAST = ("statistic", "min_distance")

THRESHOLDS: Analysis[CounterSeries, SegmentationParams, EventThresholds] = Analysis(
    name="segmentation.thresholds",
    title="thresholds of an event",
    params=SegmentationParams,
    reads=(*_SEARCH, "max_threshold"),
    compute=thresholds,
)
PATH: Analysis[CounterSeries, SegmentationParams, RunPath] = Analysis(
    name="segmentation.path",
    title="threshold path of a run",
    params=SegmentationParams,
    reads=(*_SEARCH, "max_threshold", "run"),
    compute=path,
)
SEGMENTS: Analysis[CounterSeries, SegmentationParams, RunsAtThreshold] = Analysis(
    name="segmentation.segments",
    title="segments of every run",
    params=SegmentationParams,
    reads=(*_SEARCH, "threshold", "tolerance"),
    compute=at_threshold,
    gives="segments",
    json=segments_json,
)
BY_RULE: Analysis[CounterSeries, SegmentationParams, RunsAtThreshold] = Analysis(
    name="segmentation.by_rule",
    title="segments of every run, without a threshold",
    params=SegmentationParams,
    reads=("application", "event", "detrend", "trim_head", "trim_tail", "tolerance"),
    compute=by_rule,
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
        Kept(
            name="segments",
            description="the segments as phases with the counts of every event, for Prediction",
            kind="PhaseTable",
            make=segments_as_phases,
        ),
        Kept(
            name="series in segments",
            description="the series with these segments as its stages, to compare other events with",
            kind="CounterSeries",
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
)
PROFILE: Analysis[CounterSeries, SegmentationParams, pd.DataFrame] = Analysis(
    name="segmentation.profile",
    title="profile of all events",
    params=SegmentationParams,
    reads=("application", "statistic", "min_distance", "early_exit", "trim_head", "trim_tail", "max_threshold", "tolerance"),
    part=PROFILE_EVENT,
    parts=events_to_profile,
    gather=profile_table,
)
PEERS: Analysis[CounterSeries, SegmentationParams, pd.DataFrame] = Analysis(
    name="segmentation.peers",
    title="comparison with other searches",
    params=SegmentationParams,
    reads=(*_SEARCH, "run", "threshold", "tolerance"),
    compute=peers,
)
JOINT: Analysis[CounterSeries, SegmentationParams, JointlySegmented] = Analysis(
    name="segmentation.joint",
    title="joint segmentation of all events",
    params=SegmentationParams,
    reads=("application", "run", "detrend", *_LEAST, "trim_head", "trim_tail", "tolerance", "joint_penalty", "joint_bursts"),
    added=("detrend", "statistic"),
    compute=jointly,
    gives="segments",
    named_by=("application",),
    cards=joint_cards,
    verdict=joint_verdict,
)
JOINT_PATH: Analysis[CounterSeries, SegmentationParams, RunJointPath] = Analysis(
    name="segmentation.joint_path",
    title="joint penalty path of a run",
    params=SegmentationParams,
    reads=("application", "run", "detrend", *_LEAST, "trim_head", "trim_tail", "joint_bursts"),
    added=("detrend", "statistic"),
    compute=run_joint_path,
)
RANKING: Analysis[CounterSeries, SegmentationParams, EventRanking] = Analysis(
    name="segmentation.ranking",
    title="ranking of the events",
    params=SegmentationParams,
    reads=("application",),
    compute=rank_events,
)
EVENT_THRESHOLDS: Analysis[CounterSeries, SegmentationParams, dict[str, int]] = Analysis(
    name="segmentation.event_thresholds",
    title="thresholds of all events",
    params=SegmentationParams,
    reads=("application", "statistic", "min_distance", "early_exit", "trim_head", "trim_tail", "max_threshold"),
    part=THRESHOLDS,
    parts=events_to_cut,
    gather=thresholds_of_events,
)
CORES: Analysis[CounterSeries, SegmentationParams, CoreBalance] = Analysis(
    name="segmentation.cores",
    title="balance over cores",
    params=SegmentationParams,
    reads=("application", "event", "run"),
    compute=core_balance,
    gives="events",
    named_by=("application", "event"),
    cards=balance_cards,
    verdict=balance_verdict,
)
TRACKS: Analysis[CounterSeries, SegmentationParams, EventTracks] = Analysis(
    name="segmentation.tracks",
    title="segments of every event",
    params=SegmentationParams,
    reads=("application", "statistic", "min_distance", "early_exit", "trim_head", "trim_tail", "max_threshold", "run"),
    inputs=(EVENT_THRESHOLDS,),
    compute=tracks,
)
