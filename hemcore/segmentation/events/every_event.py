"""The profile of all events of an application."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from hemcore.analysis import Progress
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ParameterError
from hemcore.segmentation.chosen import runs_of, with_event
from hemcore.segmentation.event_runs import RunSamples, application_shape
from hemcore.segmentation.events.event_profile import profile_events, ranked
from hemcore.segmentation.params import SegmentationParams
from hemcore.segmentation.results import searched, segmented


def events_to_profile(table: CounterSeries, params: SegmentationParams) -> list[SegmentationParams]:
    """Parameters of the profile for each event that a run of the application counted."""
    params = with_event(table, params)
    return [params.but(event=event) for event in application_shape(table, params.application).events]


def profile_of_event(table: CounterSeries, params: SegmentationParams, progress: Progress | None = None) -> pd.DataFrame:
    """The row of `profile_events` for one event, with default bounds; `judged` applies others.

    If the data has true boundaries, with recall_true and precision_true of the median run within params.tolerance.
    """
    params = with_event(table, params)
    runs: Sequence[RunSamples]
    try:
        runs = runs_of(table, params)
    except ParameterError:
        runs = ()  # nothing is left after trimming
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
    """The rows of all events as one table, in the order of `ranked`."""
    return ranked(pd.concat(rows, ignore_index=True))
