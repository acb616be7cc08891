"""What can be asked of a counter series: thresholds, paths, segments of every run, a profile of all events, other searches."""

import time
from collections.abc import Sequence
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd

from hemcore.analysis import Analysis, Kept, Progress
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import HemError, ParameterError
from hemcore.segmentation.agreement import agreement_between_runs
from hemcore.segmentation.export import segments_json
from hemcore.segmentation.headline import cards, verdict
from hemcore.segmentation.kept import segments_as_phases, series_with_segments
from hemcore.segmentation.params import LOWEST_THRESHOLD, SegmentationParams
from hemcore.segmentation.path import threshold_path
from hemcore.segmentation.peers import BINSEG, SEARCHES, WINDOW, compare_searches
from hemcore.segmentation.profile import profile_events
from hemcore.segmentation.results import EventThresholds, RunPath, RunsAtThreshold, SegmentedRun, searched, segmented, segments_table
from hemcore.segmentation.runs import RunSamples, application_runs, application_shape, run_samples
from hemcore.segmentation.segments import segment
from hemcore.segmentation.thresholds import optimal_threshold

_taken: WeakKeyDictionary[CounterSeries, tuple[tuple[str, str, int, int], tuple[RunSamples, ...]]] = WeakKeyDictionary()
# Samples of one run, and of all runs, that a search takes in about a second on a laptop; ruptures' searches run in Python.
_QUICK_SAMPLES, _QUICK_ALL_RUNS, _QUICK_RUPTURES = 20_000, 200_000, 1_000
_NOT_FOR_PYTHON = 20_000


def named(table: CounterSeries, params: SegmentationParams) -> SegmentationParams:
    """`params` with application, event and run filled in where they are empty: the first application, the first event that one of its
    runs counted, and the first run that the trims leave a count of it.

    Raises UnknownNameError for an application that is not in the table, ParameterError for one of which nothing was counted.
    """
    asked = _of_event(table, params)
    if asked.run is not None:
        return asked
    try:
        return asked.but(run=_runs(table, asked)[0].run)
    except HemError:  # no run has a count of it: what is computed says so, with the reason
        return asked.but(run=application_shape(table, asked.application).runs[0])


def thresholds(table: CounterSeries, params: SegmentationParams, progress: Progress | None = None) -> EventThresholds:
    """Algorithm 1 over all runs of the event. Raises as application_runs and optimal_threshold do."""
    _tell(progress, "primary thresholds")
    asked = _of_event(table, params)
    runs = _runs(table, asked)
    optimal = optimal_threshold([searched(each, asked.statistic) for each in runs], asked.max_threshold, **asked.search)
    return EventThresholds(optimal=optimal, runs=tuple(each.run for each in runs), params=asked)


def path(table: CounterSeries, params: SegmentationParams, progress: Progress | None = None) -> RunPath:
    """Every segmentation of one run from threshold 1 to max_threshold. Raises as run_samples and threshold_path do."""
    asked = named(table, params)
    samples = _run(table, asked)
    found = threshold_path(searched(samples, asked.statistic), LOWEST_THRESHOLD, asked.max_threshold, **asked.search, progress=progress)
    return RunPath(samples=samples, path=found, params=asked)


def at_threshold(table: CounterSeries, params: SegmentationParams, progress: Progress | None = None) -> RunsAtThreshold:
    """Every run of the event at params.threshold, compared with the first one. Raises as application_runs and segment do."""
    _tell(progress, "segments of every run")
    params = _of_event(table, params)
    found = [segmented(samples, params.threshold, params) for samples in _runs(table, params)]
    against_first = agreement_between_runs(
        [(each.segmentation.change_points, len(each.samples.counts)) for each in found],
        tolerance=params.tolerance,
        labels=[str(each.samples.run) for each in found],
    ).assign(residual=[each.segmentation.residual for each in found])
    truths = [each.truth(params.tolerance) for each in found]
    if any(truth is not None for truth in truths):
        for name in ("covering", "precision", "recall"):
            against_first[f"{name}_true"] = [np.nan if truth is None else getattr(truth, name) for truth in truths]
    return RunsAtThreshold(
        runs=tuple(found),
        agreement=against_first,
        segments=segments_table(found, table.interval_unit, params),
        params=params,
    )


def segmented_run(
    table: CounterSeries,
    params: SegmentationParams,
    progress: Progress | None,
    event: EventThresholds,
    path: RunPath,
    found: RunsAtThreshold | None,
) -> SegmentedRun:
    """One run at params.threshold, with what the thresholds of its event and the other runs say of it; found: None where not at hand."""
    asked = named(table, params)
    return SegmentedRun(
        run=path.at(asked.threshold),
        thresholds=event,
        path=path,
        found=found,
        params=asked,
        unit=table.interval_unit,
        events=tuple(table.events),
    )


def events_to_profile(table: CounterSeries, params: SegmentationParams) -> list[SegmentationParams]:
    """What a profile asks of each event that a run of the application counted."""
    asked = _of_event(table, params)
    return [asked.but(event=event) for event in application_shape(table, asked.application).events]


def profile_of_event(table: CounterSeries, params: SegmentationParams, progress: Progress | None = None) -> pd.DataFrame:
    """The row of `profile_events`, with its own bounds, of one event; `judged` applies others.

    Where the data knows the true boundaries, with recall_true and precision_true of the median run within params.tolerance.
    """
    params = _of_event(table, params)
    runs: Sequence[RunSamples]
    try:
        runs = _runs(table, params)
    except ParameterError:
        runs = ()  # the trims leave nothing of it
    series = {params.event: [searched(each, params.statistic) for each in runs]}
    row = profile_events(series, params.max_threshold, **params.search, progress=progress)
    threshold = row["optimal_threshold"].iloc[0]
    if not any(each.boundaries for each in runs):
        return row
    found = [segmented(each, threshold, params).truth(params.tolerance) for each in runs] if np.isfinite(threshold) else []
    known = [(truth.recall, truth.precision) for truth in found if truth is not None]
    recall, precision = np.median(known, axis=0) if known else (np.nan, np.nan)
    return row.assign(recall_true=[recall], precision_true=[precision])


def profile_table(table: CounterSeries, params: SegmentationParams, rows: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """The rows of all events as one table, in the order of the events."""
    return pd.concat(rows, ignore_index=True)


def peers(table: CounterSeries, params: SegmentationParams, progress: Progress | None = None) -> pd.DataFrame:
    """`compare_searches` on one run, with the true boundaries where the data knows them. The rms cost whatever params.statistic says.

    Above 20,000 samples without Pelt and KernelCPD, whose time grows with the square of that.
    """
    params = named(table, params)
    samples = _run(table, params)
    min_distance = max(2, params.min_distance)
    started = time.perf_counter()
    ours = segment(samples.counts, params.threshold, min_distance=min_distance, early_exit=params.early_exit)
    seconds = time.perf_counter() - started
    compared = compare_searches(
        samples.counts,
        ours.change_points,
        params.threshold,
        min_distance=min_distance,
        tolerance=params.tolerance,
        true_change_points=samples.boundaries,
        searches=SEARCHES if len(samples.counts) <= _NOT_FOR_PYTHON else (BINSEG, WINDOW),
        progress=progress,
    )
    compared.loc[0, "seconds"] = seconds
    return compared


def _tell(progress: Progress | None, note: str) -> None:
    if progress is not None:
        progress(0.02, note)


def _of_event(table: CounterSeries, params: SegmentationParams) -> SegmentationParams:
    """`params` with application and event filled in, as `named` does."""
    if params.application and params.event:
        return params
    application = params.application or table.applications[0]
    events = application_shape(table, application).events
    if not events:
        raise ParameterError(f"application: no event of {application!r} was counted in any interval. Choose another application.")
    return params.but(application=application, event=params.event or events[0])


def _runs(table: CounterSeries, params: SegmentationParams) -> tuple[RunSamples, ...]:
    """The event's runs; those taken last are remembered with their table, since each move of the slider asks for the same."""
    key = (params.application, params.event, params.trim_head, params.trim_tail)
    taken = _taken.get(table)
    if taken is None or taken[0] != key:
        taken = key, tuple(application_runs(table, *key[:2], trim_head=params.trim_head, trim_tail=params.trim_tail))
        _taken[table] = taken
    return taken[1]


def _run(table: CounterSeries, params: SegmentationParams) -> RunSamples:
    assert params.run is not None
    trims = {"trim_head": params.trim_head, "trim_tail": params.trim_tail}
    return run_samples(table, params.application, params.event, params.run, **trims)


def _seconds(table: CounterSeries, params: SegmentationParams) -> float:
    lengths = application_shape(table, params.application or table.applications[0]).lengths
    return max(max(lengths) / _QUICK_SAMPLES, sum(lengths) / _QUICK_ALL_RUNS)


def _seconds_of_peers(table: CounterSeries, params: SegmentationParams) -> float:
    return max(application_shape(table, params.application or table.applications[0]).lengths) / _QUICK_RUPTURES


def _seconds_of_profile(table: CounterSeries, params: SegmentationParams) -> float:
    return 0.4 * _seconds(table, params) * len(table.events)


_SEARCH = ("application", "event", "statistic", "min_distance", "early_exit", "trim_head", "trim_tail")

THRESHOLDS = Analysis(
    name="segmentation.thresholds",
    title="thresholds of an event",
    params=SegmentationParams,
    reads=(*_SEARCH, "max_threshold"),
    compute=thresholds,
    seconds=_seconds,
)
PATH = Analysis(
    name="segmentation.path",
    title="threshold path of a run",
    params=SegmentationParams,
    reads=(*_SEARCH, "max_threshold", "run"),
    compute=path,
    seconds=_seconds,
)
SEGMENTS = Analysis(
    name="segmentation.segments",
    title="segments of every run",
    params=SegmentationParams,
    reads=(*_SEARCH, "threshold", "tolerance"),
    compute=at_threshold,
    seconds=_seconds,
    gives="segments",
    json=segments_json,
)
SEGMENTATION = Analysis(
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
        Kept(name="segments", says="the segments as phases, every event counted over each, for Prediction", make=segments_as_phases),
        Kept(
            name="series in segments",
            says="the series with these segments as its stages, to judge other events by",
            make=series_with_segments,
        ),
    ),
    cards=cards,
    verdict=verdict,
)
PROFILE_EVENT = Analysis(
    name="segmentation.profile_event",
    title="profile of one event",
    params=SegmentationParams,
    reads=(*_SEARCH, "max_threshold", "tolerance"),
    compute=profile_of_event,
    seconds=_seconds,
)
PROFILE = Analysis(
    name="segmentation.profile",
    title="profile of all events",
    params=SegmentationParams,
    reads=("application", "statistic", "min_distance", "early_exit", "trim_head", "trim_tail", "max_threshold", "tolerance"),
    part=PROFILE_EVENT,
    parts=events_to_profile,
    gather=profile_table,
    seconds=_seconds_of_profile,
)
PEERS = Analysis(
    name="segmentation.peers",
    title="comparison with ruptures",
    params=SegmentationParams,
    reads=(*_SEARCH, "run", "threshold", "tolerance"),
    compute=peers,
    seconds=_seconds_of_peers,
)
