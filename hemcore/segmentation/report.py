"""What the segmentation page asks of a counter table: one function a view, each of (table, params)."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ParameterError
from hemcore.segmentation.agreement import Agreement, agreement, agreement_between_runs
from hemcore.segmentation.params import ComparisonParams, EventParams, PathParams, ProfileParams, RunsParams, SearchParams
from hemcore.segmentation.path import ThresholdPath, threshold_path
from hemcore.segmentation.peers import BINSEG, SEARCHES, WINDOW, compare_searches
from hemcore.segmentation.profile import profile_events, relative_spread
from hemcore.segmentation.runs import RunSamples, application_runs, events_of, run_samples
from hemcore.segmentation.segments import MODEL_COLUMNS, Segmentation, described, segment
from hemcore.segmentation.thresholds import OptimalThreshold, optimal_threshold

Progress = Callable[[float, str], object]
LOWEST_THRESHOLD = 1.0  # where Algorithm 1 begins
_taken: WeakKeyDictionary[CounterSeries, tuple[tuple[str, str, int, int], tuple[RunSamples, ...]]] = WeakKeyDictionary()
_QUICK_RUPTURES = 1_000
_NOT_FOR_PYTHON = 20_000


@dataclass(frozen=True, kw_only=True, eq=False)
class EventThresholds:
    """The thresholds of one event: `optimal` over its runs; `runs`: which run each row of optimal.per_run is."""

    optimal: OptimalThreshold
    runs: tuple[int, ...]
    params: EventParams


@dataclass(frozen=True, kw_only=True, eq=False)
class RunPath:
    """One run of one event at every threshold from 1 to max_threshold."""

    samples: RunSamples
    path: ThresholdPath
    params: PathParams

    def at(self, threshold: float) -> "RunSegments":
        """The run's segments at `threshold`, read from the path; searched for where that lies below what the path knows."""
        if threshold < self.path.min_threshold:
            return _segmented(self.samples, threshold, self.params)
        return _segments(self.samples, self.path.at(threshold))


@dataclass(frozen=True, kw_only=True, eq=False)
class RunSegments:
    """One run of one event at one threshold.

    segmentation: of the samples (for the statistic mean, of the samples in units of the run's standard deviation).
    models: shape (segments, 8), as Segmentation.models, of the counts themselves.
    """

    samples: RunSamples
    segmentation: Segmentation
    models: NDArray[np.float64]

    @property
    def n_constant(self) -> int:
        """Segments whose cost is that of log(realmin): all zeros for rms, all the same for std. Such a segment pays at any threshold."""
        if self.segmentation.statistic == "mean":
            return 0
        least, largest = self.models[:, 6], self.models[:, 7]
        return int(((least == largest) & ((least == 0) | (self.segmentation.statistic == "std"))).sum())

    def truth(self, tolerance: int) -> Agreement | None:
        """Agreement with the true boundaries, in samples; None where the data does not know them."""
        if self.samples.boundaries is None:
            return None
        return agreement(self.samples.boundaries, self.segmentation.change_points, len(self.samples.counts), tolerance=tolerance)


@dataclass(frozen=True, kw_only=True, eq=False)
class RunsAtThreshold:
    """Every run of one event at one threshold.

    runs: one entry a run. agreement: a row a run as `agreement_between_runs` gives, with its residual and, where the data knows the true
    boundaries, covering_true, precision_true and recall_true. segments: one row a segment of each run, ready to be exported: application,
    event, run, segment (from 1), start, stop (first interval after it; intervals counted from 0), unit (what an interval is), n_samples,
    mean, std, rms, min, max and, where the data has times, start_s and stop_s.
    """

    runs: tuple[RunSegments, ...]
    agreement: pd.DataFrame
    segments: pd.DataFrame
    params: RunsParams

    @property
    def median_covering(self) -> float:
        """The covering of the first run by the median one of the others; NaN for one run."""
        return float(self.agreement["covering"].iloc[1:].median())

    @property
    def median_truth(self) -> tuple[float, float] | None:
        """(recall, precision) of the true boundaries in the median run; None where the data does not know them."""
        if "recall_true" not in self.agreement.columns:
            return None
        return float(self.agreement["recall_true"].median()), float(self.agreement["precision_true"].median())

    @property
    def residual_cov_percent(self) -> float:
        """100 * sigma / |mu| of the residual over runs, sigma with n - 1; NaN for one run and where mu is 0."""
        residuals = self.agreement["residual"].to_numpy()
        return 100 * relative_spread(residuals)


def comparison_is_long(samples: RunSamples) -> bool:
    """Whether ruptures' searches, which run in Python, take over about a second for this run."""
    return len(samples.counts) > _QUICK_RUPTURES


def thresholds(table: CounterSeries, params: EventParams, progress: Progress | None = None) -> EventThresholds:
    """Algorithm 1 over all runs of the event. Raises as application_runs and optimal_threshold do."""
    _told(progress, "primary thresholds")
    runs = _runs(table, params)
    optimal = optimal_threshold([_searched(each, params.statistic) for each in runs], params.max_threshold, **params.search)
    return EventThresholds(optimal=optimal, runs=tuple(each.run for each in runs), params=params)


def path(table: CounterSeries, params: PathParams, progress: Progress | None = None) -> RunPath:
    """Every segmentation of one run from threshold 1 to max_threshold. Raises as run_samples and threshold_path do."""
    samples = run_samples(
        table, params.application, params.event, params.run, trim_head=params.trim_head, trim_tail=params.trim_tail
    )  # fmt: skip
    series = _searched(samples, params.statistic)
    found = threshold_path(series, LOWEST_THRESHOLD, params.max_threshold, **params.search, progress=progress)
    return RunPath(samples=samples, path=found, params=params)


def overview(table: CounterSeries, params: PathParams, progress: Progress | None = None) -> tuple[EventThresholds, RunPath]:
    """`thresholds` of the event and `path` of the run, in one piece of work. Raises as they do."""
    event = EventParams(**params.model_dump(include=set(EventParams.model_fields)))
    found = thresholds(table, event, progress)
    return found, path(table, params, progress)


def at_threshold(table: CounterSeries, params: RunsParams, progress: Progress | None = None) -> RunsAtThreshold:
    """Every run of the event at params.threshold, compared with the first one. Raises as application_runs and segment do."""
    _told(progress, "segments of every run")
    found = [_segmented(samples, params.threshold, params) for samples in _runs(table, params)]
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


def profile(table: CounterSeries, params: ProfileParams, progress: Progress | None = None) -> pd.DataFrame:
    """`profile_events`, with its own bounds, of every event that a run of the application counted; `judged` applies others.

    Where the data knows the true boundaries, with recall_true and precision_true of the median run within params.tolerance.
    """
    runs_by_event: dict[str, tuple[RunSamples, ...]] = {}
    shared = params.model_dump(include=set(SearchParams.model_fields)) | {"application": params.application}
    for event in events_of(table, params.application):
        try:
            runs_by_event[event] = _runs(table, EventParams(**shared, event=event))
        except ParameterError:
            runs_by_event[event] = ()  # the trims leave nothing of it
    profiled = profile_events(
        {event: [_searched(each, params.statistic) for each in runs] for event, runs in runs_by_event.items()},
        params.max_threshold,
        **params.search,
        progress=progress,
    )
    if not any(each.boundaries for runs in runs_by_event.values() for each in runs):
        return profiled
    truths = []
    for event, threshold in zip(profiled["event"], profiled["optimal_threshold"], strict=True):
        runs = runs_by_event[event] if np.isfinite(threshold) else ()
        found = [_segmented(samples, threshold, params).truth(params.tolerance) for samples in runs]
        known = [(truth.recall, truth.precision) for truth in found if truth is not None]
        truths.append(np.median(known, axis=0) if known else (np.nan, np.nan))
    return profiled.assign(recall_true=[recall for recall, _ in truths], precision_true=[precision for _, precision in truths])


def comparison(table: CounterSeries, params: ComparisonParams, progress: Progress | None = None) -> pd.DataFrame:
    """`compare_searches` on one run, with the true boundaries where the data knows them. The rms cost whatever params.statistic says.

    Above 20,000 samples without Pelt and KernelCPD, whose time grows with the square of that.
    """
    samples = run_samples(
        table, params.application, params.event, params.run, trim_head=params.trim_head, trim_tail=params.trim_tail
    )  # fmt: skip
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


def _told(progress: Progress | None, note: str) -> None:
    if progress is not None:
        progress(0.02, note)


def _runs(table: CounterSeries, params: EventParams) -> tuple[RunSamples, ...]:
    """The event's runs; those taken last are remembered with their table, since each move of the slider asks for the same."""
    key = (params.application, params.event, params.trim_head, params.trim_tail)
    taken = _taken.get(table)
    if taken is None or taken[0] != key:
        taken = key, tuple(application_runs(table, *key[:2], trim_head=params.trim_head, trim_tail=params.trim_tail))
        _taken[table] = taken
    return taken[1]


def _searched(samples: RunSamples, statistic: str) -> NDArray[np.float64]:
    """What is searched: the counts; for the mean in units of the run's standard deviation, since squared counts have no common scale."""
    spread = float(np.std(samples.counts)) if statistic == "mean" else 0.0
    return samples.counts / spread if spread > 0 else samples.counts


def _segmented(samples: RunSamples, threshold: float, params: SearchParams) -> RunSegments:
    return _segments(samples, segment(_searched(samples, params.statistic), threshold, **params.search))


def _segments(samples: RunSamples, segmentation: Segmentation) -> RunSegments:
    models = segmentation.models
    if segmentation.statistic == "mean":
        models = described(
            samples.counts,
            np.array(segmentation.change_points, dtype=np.int64),
            threshold=segmentation.threshold,
            statistic="mean",
            min_distance=segmentation.min_distance,
            early_exit=segmentation.early_exit,
        ).models
    return RunSegments(samples=samples, segmentation=segmentation, models=models)


def segments_table(runs: list[RunSegments], unit: str, params: RunsParams) -> pd.DataFrame:
    """One row a segment of each run, as RunsAtThreshold.segments says. At least one run."""
    models = np.concatenate([each.models for each in runs])
    sizes = [len(each.models) for each in runs]
    edges = [(each.models[:, 0].astype(int), each.models[:, 1].astype(int)) for each in runs]
    columns: dict[str, object] = {
        "application": params.application,
        "event": params.event,
        "run": np.repeat([each.samples.run for each in runs], sizes),
        "segment": np.concatenate([np.arange(1, size + 1) for size in sizes]),
        "start": np.concatenate([each.samples.interval(starts) for each, (starts, _) in zip(runs, edges, strict=True)]),
        "stop": np.concatenate([each.samples.interval_end(stops) for each, (_, stops) in zip(runs, edges, strict=True)]),
        "unit": unit,
        **{name: models[:, place].astype(kind) for place, (name, kind) in enumerate(MODEL_COLUMNS.items()) if place > 1},
    }
    begin = [each.samples.seconds(starts) for each, (starts, _) in zip(runs, edges, strict=True)]
    end = [each.samples.seconds_end(stops) for each, (_, stops) in zip(runs, edges, strict=True)]
    for name, seconds in (("start_s", begin), ("stop_s", end)):
        known = [each for each in seconds if each is not None]
        if len(known) == len(runs):
            columns[name] = np.concatenate(known)
    return pd.DataFrame(columns)
