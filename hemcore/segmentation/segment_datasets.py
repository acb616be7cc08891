"""Segments as new datasets: phases for a regression, or the series with its segments as stages."""

from itertools import pairwise

import numpy as np
import pandas as pd

from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.events.hardware_tree import adds_up
from hemcore.segmentation.results import RunSegments, SegmentedRun


def segments_as_phases(found: SegmentedRun, table: CounterSeries) -> PhaseTable:
    """One row per segment: the sum of each event over the segment's intervals, NaN if one of them was not counted; of ratios, temperatures,
    frequencies and powers the mean.

    program: the application; granularity: "segment"; load: the run ("run 3"); phase: the segment, from 0. Covers every run if they were
    computed, otherwise the run shown. Raises TableError for an event with the name of a column of phases.
    """
    keys, sums = [], []
    summed = np.array([adds_up(event) for event in table.events])
    for each in _runs(found):
        counts = table.run(found.params.application, each.samples.run).counts
        edges = zip(
            each.samples.interval(each.models[:, 0].astype(int)), each.samples.interval_end(each.models[:, 1].astype(int)), strict=True
        )
        for number, (start, stop) in enumerate(edges):
            part = counts.iloc[start:stop]
            load = f"run {each.samples.run}"
            keys.append((found.params.application, "segment", load, number, int(stop - start)))
            sums.append(part.sum(skipna=False).where(summed, part.mean(skipna=False)))
    names = pd.DataFrame(keys, columns=["program", "granularity", "load", "phase", "intervals"])
    return PhaseTable(frame=pd.concat([names, pd.DataFrame(sums).reset_index(drop=True)], axis=1), counters=tuple(table.events))


def series_with_segments(found: SegmentedRun, table: CounterSeries) -> CounterSeries:
    """The segmented runs with every event and a column `stage`: "segment 1" and so on, or "trimmed".

    An interval in which the event was not counted belongs to the segment before it, or to the first one at the start of a run.
    """
    intervals, counts, shares = [], [], []
    for each in _runs(found):
        part = table.run(found.params.application, each.samples.run)
        stage = np.full(len(part.counts), "trimmed", dtype=object)
        begins = [found.params.trim_head, *each.samples.interval(each.models[1:, 0].astype(int))]
        for number, (start, stop) in enumerate(pairwise([*begins, len(stage) - found.params.trim_tail]), 1):
            stage[start:stop] = f"segment {number}"
        intervals.append(part.intervals.assign(stage=stage))
        counts.append(part.counts)
        shares.append(part.share)
    return CounterSeries(
        intervals=pd.concat(intervals, ignore_index=True),
        counts=pd.concat(counts, ignore_index=True),
        mode=table.mode,
        share=None if table.share is None else pd.concat([share for share in shares if share is not None], ignore_index=True),
        interval_unit=table.interval_unit,
    )


def _runs(found: SegmentedRun) -> tuple[RunSegments, ...]:
    return found.found.runs if found.found is not None else (found.run,)
