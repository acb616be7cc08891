"""Every run of one event, segmented at a threshold or by the rule that needs none."""

from collections.abc import Sequence

import numpy as np

from hemcore.analysis import Progress
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.segmentation.chosen import report_start, runs_of, with_event
from hemcore.segmentation.compare.segment_agreement import agreement_between_runs
from hemcore.segmentation.compare.segment_order import runs_in_order
from hemcore.segmentation.params import SegmentationParams
from hemcore.segmentation.results import RunsAtThreshold, RunSegments, segmented, segments_of, segments_table
from hemcore.segmentation.segments import segment


def at_threshold(table: CounterSeries, params: SegmentationParams, progress: Progress | None = None) -> RunsAtThreshold:
    """Every run of the event at params.threshold, compared with the first one. Raises as application_runs and segment do."""
    report_start(progress, "segments of every run")
    params = with_event(table, params)
    return _compared([segmented(samples, params.threshold, params) for samples in runs_of(table, params)], table.interval_unit, params)


def by_rule(table: CounterSeries, params: SegmentationParams, progress: Progress | None = None) -> RunsAtThreshold:
    """Every run of the event, each with the statistic and threshold that `segment` chooses by itself.

    For the mean, thresholds are in squared counts. Raises as application_runs and segment do.
    """
    params = with_event(table, params)
    runs = runs_of(table, params)
    found = []
    for number, samples in enumerate(runs):
        if progress is not None:
            progress(number / len(runs), f"run {samples.run}")
        found.append(segments_of(samples, segment(samples.counts)))
    return _compared(found, table.interval_unit, params)


def _compared(found: Sequence[RunSegments], unit: str, params: SegmentationParams) -> RunsAtThreshold:
    ordered = runs_in_order([(each.segmentation.change_points, len(each.samples.counts), each.models[:, 3]) for each in found])
    against_first = agreement_between_runs(
        [(each.segmentation.change_points, len(each.samples.counts)) for each in found],
        tolerance=params.tolerance,
        labels=[str(each.samples.run) for each in found],
    ).assign(
        in_order=ordered["in_order"],
        duration_change=ordered["duration_change"],
        residual=[each.segmentation.residual for each in found],
        explained=[each.explained for each in found],
    )
    truths = [each.truth(params.tolerance) for each in found]
    if any(truth is not None for truth in truths):
        for name in ("covering", "precision", "recall"):
            against_first[f"{name}_true"] = [np.nan if truth is None else getattr(truth, name) for truth in truths]
    return RunsAtThreshold(runs=tuple(found), agreement=against_first, segments=segments_table(list(found), unit, params), params=params)
