"""Results of segmenting a counter series."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.segmentation.compare.phase_groups import RunGroup, run_groups
from hemcore.segmentation.compare.segment_agreement import Agreement, agreement
from hemcore.segmentation.event_runs import RunSamples
from hemcore.segmentation.events.event_profile import relative_spread
from hemcore.segmentation.params import SegmentationParams
from hemcore.segmentation.search.path_by_threshold import ThresholdPath
from hemcore.segmentation.search.searches import MODEL_COLUMNS, Segmentation, described, explained_by
from hemcore.segmentation.search.thresholds import OptimalThreshold
from hemcore.segmentation.segments import segment
from hemcore.segmentation.smooth_courses import Gradual, gradual


@dataclass(frozen=True, kw_only=True, eq=False)
class EventThresholds:
    """The thresholds of one event. optimal: over its runs; runs: the run of each row of optimal.per_run."""

    optimal: OptimalThreshold
    runs: tuple[int, ...]
    params: SegmentationParams


@dataclass(frozen=True, kw_only=True, eq=False)
class RunPath:
    """One run of one event at every threshold from 1 to max_threshold."""

    samples: RunSamples
    path: ThresholdPath
    params: SegmentationParams

    @cached_property
    def course(self) -> Gradual | None:
        """The smooth curve that fits the run better than any levels; it does not depend on the threshold, which a slider moves."""
        return gradual(self.samples.counts)

    def at(self, threshold: float) -> "RunSegments":
        """The run's segments at `threshold`, read from the path; searched for outside the path's range."""
        if not self.path.min_threshold <= threshold <= self.path.max_threshold:
            return segmented(self.samples, threshold, self.params)
        return segments_of(self.samples, self.path.at(threshold))


@dataclass(frozen=True, kw_only=True, eq=False)
class RunSegments:
    """One run of one event at one threshold.

    segmentation: of the samples (for the statistic mean, of the samples divided by the run's standard deviation).
    models: shape (segments, 8), like Segmentation.models, of the counts themselves.
    """

    samples: RunSamples
    segmentation: Segmentation
    models: NDArray[np.float64]

    @property
    def n_constant(self) -> int:
        """Segments of one value (zeros for rms, any value for std): their cost is that of log(realmin), which pays at any threshold."""
        if self.segmentation.statistic == "mean":
            return 0
        least, largest = self.models[:, 6], self.models[:, 7]
        return int(((least == largest) & ((least == 0) | (self.segmentation.statistic == "std"))).sum())

    @property
    def explained(self) -> float:
        """The share of the counts' variance that the segments' means explain, 0 to 1; NaN for counts of one value."""
        return explained_by(self.models)

    def truth(self, tolerance: int) -> Agreement | None:
        """Agreement with the true boundaries, in samples; None if the data does not have them."""
        if self.samples.boundaries is None:
            return None
        return agreement(self.samples.boundaries, self.segmentation.change_points, len(self.samples.counts), tolerance=tolerance)


@dataclass(frozen=True, kw_only=True, eq=False)
class RunsAtThreshold:
    """Every run of one event at one threshold.

    runs: one entry per run. agreement: one row per run, from `agreement_between_runs`, with in_order and duration_change of
    `runs_in_order`, residual, explained and, if the data has true boundaries, covering_true, precision_true and recall_true.
    segments: one row per segment of each run, ready for export: application, event, run, segment (from 1), start, stop (the first
    interval after it; intervals count from 0), unit (of an interval), n_samples, mean, std, rms, min, max and, if the data has times,
    start_s and stop_s.
    """

    runs: tuple[RunSegments, ...]
    agreement: pd.DataFrame
    segments: pd.DataFrame
    params: SegmentationParams

    @cached_property
    def groups(self) -> tuple[RunGroup, ...]:
        """The runs by their number of phases, the largest group first."""
        return run_groups([(each.segmentation.change_points, len(each.samples.counts)) for each in self.runs])

    @property
    def median_covering(self) -> float:
        """Median over the other runs of their covering of the first run; NaN for one run."""
        return float(self.agreement["covering"].iloc[1:].median())

    @property
    def median_in_order(self) -> tuple[float, float]:
        """Medians over the other runs: (share of segments in the order of the first run's, difference of their durations)."""
        return float(self.agreement["in_order"].iloc[1:].median()), float(self.agreement["duration_change"].iloc[1:].median())

    @property
    def median_truth(self) -> tuple[float, float] | None:
        """Medians over runs: (recall, precision) of the true boundaries; None if the data does not have them."""
        if "recall_true" not in self.agreement.columns:
            return None
        return float(self.agreement["recall_true"].median()), float(self.agreement["precision_true"].median())

    @property
    def residual_cov_percent(self) -> float:
        """100 * sigma / |mu| of the residual over runs, sigma with n - 1; NaN for one run or if mu is 0."""
        residuals = self.agreement["residual"].to_numpy()
        return 100 * relative_spread(residuals)


@dataclass(frozen=True, kw_only=True, eq=False)
class SegmentedRun:
    """One run at one threshold, with its event's thresholds and the other runs: everything the page shows first.

    run: its segments. thresholds: of the event, over all runs. path: the run at every threshold. found: every run at the threshold; None
    if that takes long and was not computed. unit: of an interval. events: of the series, in its order. balance: how even the event is over
    the cores, without a full stop; "" where they are not told apart.
    """

    run: RunSegments
    thresholds: EventThresholds
    path: RunPath
    found: RunsAtThreshold | None
    params: SegmentationParams
    unit: str
    events: tuple[str, ...]
    balance: str = ""

    @property
    def segments(self) -> pd.DataFrame:
        """One row per segment of every run if they were computed, otherwise of this run; columns as RunsAtThreshold.segments."""
        return self.found.segments if self.found is not None else segments_table([self.run], self.unit, self.params)

    @property
    def own_segments(self) -> pd.DataFrame:
        """The segments of this run alone, without the columns that are equal in each row."""
        table = segments_table([self.run], self.unit, self.params)
        return table.drop(columns=["application", "event", "run", "unit"])

    @property
    def left_out_sentence(self) -> str:
        """A sentence about the intervals that were left out; empty if none was."""
        samples, params = self.run.samples, self.params
        missing = samples.not_counted
        left_out = [
            *([f"{missing:,} interval{'s that were' if missing > 1 else ' that was'} not counted"] if missing else []),
            *([f"{params.trim_head:,} at the head"] if params.trim_head else []),
            *([f"{params.trim_tail:,} at the tail"] if params.trim_tail else []),
        ]
        return f"Left out: {', '.join(left_out)}." if left_out else ""


def searched(samples: RunSamples, statistic: str) -> NDArray[np.float64]:
    """The counts to search; for the mean divided by the run's standard deviation, since squared counts have no common scale."""
    return in_units(samples.counts, statistic)


def in_units(counts: NDArray[np.float64], statistic: str) -> NDArray[np.float64]:
    """`counts`, shape (n,); for the mean divided by their standard deviation unless that is 0 or n is 0."""
    spread = float(np.std(counts)) if statistic == "mean" and len(counts) else 0.0
    return counts / spread if spread > 0 else counts


def segmented(samples: RunSamples, threshold: float, params: SegmentationParams) -> RunSegments:
    """The run at `threshold`. Raises as `segment` does."""
    return segments_of(samples, segment(searched(samples, params.statistic), threshold, **params.search))


def segments_of(samples: RunSamples, segmentation: Segmentation) -> RunSegments:
    """The run with its segmentation, described in counts."""
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


def segments_table(runs: list[RunSegments], unit: str, params: SegmentationParams) -> pd.DataFrame:
    """RunsAtThreshold.segments of at least one run."""
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
