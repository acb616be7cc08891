"""Every event of one run, each segmented at its own threshold, to be drawn over one time axis."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

import numpy as np

from hemcore.analysis import Progress
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import HemError
from hemcore.segmentation.detrend import without_trend
from hemcore.segmentation.event_runs import RunSamples, application_runs, application_shape
from hemcore.segmentation.joint.joint_results import JointlySegmented
from hemcore.segmentation.params import SegmentationParams
from hemcore.segmentation.results import EventThresholds, RunSegments, searched, segments_of
from hemcore.segmentation.segments import Segmentation, described, segment

_run_of: WeakKeyDictionary[CounterSeries, tuple[tuple[str, int], CounterSeries]] = WeakKeyDictionary()


@dataclass(frozen=True, kw_only=True, eq=False)
class EventTracks:
    """One run segmented by each event alone.

    cuts: event -> the run's segmentation at Algorithm 1's threshold of that event; without events that the run did not count.
    params: the parameters, with application and run filled in.
    """

    cuts: Mapping[str, Segmentation]
    params: SegmentationParams

    def segments(self, table: CounterSeries, event: str) -> RunSegments | None:
        """The run's samples of `event` and its segments; None if the run did not count it."""
        samples = _samples(table, self.params, event) if event in self.cuts else None
        return None if samples is None else segments_of(samples, self.cuts[event])


def events_to_cut(table: CounterSeries, params: SegmentationParams) -> list[SegmentationParams]:
    """Parameters for each event that a run of the application counted."""
    params = params.but(application=params.application or table.applications[0])
    return [params.but(event=event) for event in application_shape(table, params.application).events]


def thresholds_of_events(table: CounterSeries, params: SegmentationParams, found: Sequence[EventThresholds]) -> dict[str, int]:
    """Event -> Algorithm 1's threshold over its runs."""
    return {each.params.event: each.optimal.threshold for each in found}


def tracks(table: CounterSeries, params: SegmentationParams, progress: Progress | None, thresholds: Mapping[str, int]) -> EventTracks:
    """The run (default: the application's first) segmented by each event at that event's threshold.

    Raises UnknownNameError for an application or a run that is not in the table.
    """
    application = params.application or table.applications[0]
    run = application_shape(table, application).runs[0] if params.run is None else params.run
    params = params.but(application=application, run=run)
    cuts = {}
    for number, (event, threshold) in enumerate(thresholds.items()):
        if progress is not None:
            progress(number / len(thresholds), f"{event} ({number + 1} of {len(thresholds)})")
        samples = _samples(table, params, event)
        if samples is not None:
            cuts[event] = segment(searched(samples, params.statistic), threshold, **params.search)
    return EventTracks(cuts=cuts, params=params)


def _samples(table: CounterSeries, params: SegmentationParams, event: str) -> RunSamples | None:
    """The samples of `event` in params.run; None if it has none. The run's own table is cached, since every event needs it."""
    assert params.run is not None
    key = (params.application, params.run)
    cached = _run_of.get(table)
    if cached is None or cached[0] != key:
        cached = key, table.run(*key)
        _run_of[table] = cached
    try:
        (found,) = application_runs(cached[1], params.application, event, trim_head=params.trim_head, trim_tail=params.trim_tail)
    except HemError:
        return None
    return without_trend(found, params.detrend)


def with_axis_of(run: RunSegments, other: RunSamples) -> RunSegments:
    """`run` on the time axis of `other`, which has no times if another run of the application has none."""
    return replace(run, samples=replace(run.samples, edges=None)) if other.edges is None else run


def cut_together(table: CounterSeries, found: JointlySegmented, event: str) -> RunSegments | None:
    """The samples of `event` in the shown run, segmented at the joint change points; None if the run did not count it.

    A change point between two of its samples moves to the second.
    """
    run = found.shown
    samples = _samples(table, found.params.but(run=run.run), event)
    if samples is None:
        return None
    begins = run.positions[np.array(run.segmentation.change_points, dtype=int)]
    places = np.unique(np.searchsorted(samples.positions, begins))
    inside = places[(places > 0) & (places < len(samples.counts))].astype(np.int64)
    cut = described(samples.counts, inside, threshold=found.factor, statistic="mean", min_distance=1, early_exit=False)
    return segments_of(samples, cut)
