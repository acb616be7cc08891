"""Segments as new datasets: phases for a regression, or the series with its segments as stages."""

from itertools import pairwise

import numpy as np
import pandas as pd

from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.hardware_levels import INTERVALS, PROGRAM, SEGMENTS_OF, WHOLE, levels, tasks, tree_columns
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.events.hardware_tree import adds_up
from hemcore.segmentation.results import RunSegments, SegmentedRun


def segments_as_phases(found: SegmentedRun, table: CounterSeries) -> PhaseTable:
    """One row per segment: the sum of each event over the segment's intervals, NaN if one of them was not counted; of ratios, temperatures,
    frequencies and powers the mean.

    program: the application; granularity: "segment"; load: the run ("run 3"); phase: the segment, from 0. Covers every run if they were
    computed, otherwise the run shown. Where the series tells places of the machine apart, also if it is the sums of them, there is a row
    per segment and place, as fine as they were measured, with the columns of hardware_levels: each place over the segments of the
    application. Raises TableError for an event with the name of a column of phases.
    """
    application = found.params.application
    parts, columns = _places(table, application)
    members, free = parts.intervals.groupby(["application", "run"], sort=False).indices, tasks(parts)
    runs = [(each.samples.run, _segment_of(each, table.run(application, each.samples.run))) for each in _runs(found)]
    momentary = [event for event in table.events if not adds_up(event)]
    names, values = [], []
    for place in parts.applications:
        for run, segment in runs:
            own = members.get((place, run), np.array([], dtype=np.intp))
            counts = parts.counts.iloc[own].groupby(segment.reindex(parts.intervals["interval"].iloc[own]).to_numpy())
            sums = counts.sum(min_count=1)
            sums[momentary] = counts.mean()[momentary]
            sizes = segment.value_counts().reindex(sums.index)
            # A task that did not run in an interval counted nothing in it.
            values.append(sums if free[own].any() else sums.where(counts.count().eq(sizes, axis=0)))
            keys = {"program": place, "granularity": "segment", "load": f"run {run}", "phase": sizes.index.astype(int)}
            of_place = {WHOLE if name == PROGRAM else name: parts.intervals[name].iloc[own[0]] for name in columns if len(own)}
            names.append(pd.DataFrame(keys | {INTERVALS: sizes.to_numpy()} | of_place))
    keys_of_rows = pd.concat(names, ignore_index=True)
    if columns:
        keys_of_rows[SEGMENTS_OF] = application
    return PhaseTable(frame=pd.concat([keys_of_rows, pd.concat(values, ignore_index=True)], axis=1), counters=tuple(table.events))


def _places(table: CounterSeries, application: str) -> tuple[CounterSeries, list[str]]:
    """(the places, as fine as they were measured, of the program of `application`, the columns that tell them apart); where there are no
    two of them, the application alone, and no columns."""
    finest = table.finer or table
    own = (table.intervals["application"] == application).to_numpy()
    if not levels(finest):
        return table.where(own), []
    program = table.intervals.loc[own, PROGRAM].iloc[0]
    places = finest.where((finest.intervals[PROGRAM] == program).to_numpy())
    return (places, [PROGRAM, *tree_columns(places.intervals)]) if levels(places) else (table.where(own), [])


def _segment_of(each: RunSegments, run: CounterSeries) -> "pd.Series[int]":
    """The segment of each interval of the run that is in one, by the interval's number. run: all its intervals."""
    numbers = run.intervals["interval"]
    starts, stops = each.samples.interval(each.models[:, 0].astype(int)), each.samples.interval_end(each.models[:, 1].astype(int))
    parts = [pd.Series(segment, index=numbers.iloc[a:b]) for segment, (a, b) in enumerate(zip(starts, stops, strict=True))]
    return pd.concat(parts)


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
