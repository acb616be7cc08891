"""Other searches on one run: by the event alone, and by all events that were counted with it."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from hemcore.analysis import Progress
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import HemError
from hemcore.segmentation.chosen import run_of, with_event_and_run
from hemcore.segmentation.compare.peer_searches import BINSEG, CHANGEFOREST, SEARCHES, WINDOW, changeforest_points, compare_searches, timed
from hemcore.segmentation.detrend import events_without_trend
from hemcore.segmentation.joint.joint_readings import readings
from hemcore.segmentation.joint.joint_search import segment_jointly
from hemcore.segmentation.params import SegmentationParams
from hemcore.segmentation.results import searched
from hemcore.segmentation.search.searches import least_segment
from hemcore.segmentation.segments import segment
from hemcore.segmentation.warm_up import warm

JOINTLY, CHANGEFOREST_ALL, OWN_RULE = "HEM Workbench, all events", "changeforest, all events", "HEM Workbench, own rule"
# Above this many samples Pelt and KernelCPD take minutes: their time grows with the square.
NOT_FOR_PYTHON = 20_000


def peers(table: CounterSeries, params: SegmentationParams, progress: Progress | None = None) -> pd.DataFrame:
    """`compare_searches` on one run, against the true boundaries if the data has them; with the cost of params.statistic.

    Further rows, each with its own penalty: `segment` without a threshold and, if several events vary in these samples, `segment_jointly`
    and changeforest on all events. Pelt and KernelCPD are left out above 20,000 samples. seconds: wall time of one search (see `timed`),
    of ours too.
    """
    params = with_event_and_run(table, params)
    samples = run_of(table, params)
    assert params.run is not None
    series, statistic = searched(samples, params.statistic), params.statistic
    min_distance = least_segment(params.min_distance, statistic, len(samples.counts))
    warm()
    ours, seconds = timed(lambda: segment(series, params.threshold, **params.search))
    counts = table.run(params.application, params.run).counts.iloc[samples.positions].reset_index(drop=True)
    every = events_without_trend(counts, samples.positions, params.detrend)
    compared = compare_searches(
        series,
        ours.change_points,
        params.threshold,
        min_distance=min_distance,
        tolerance=params.tolerance,
        statistic=statistic,
        true_change_points=samples.boundaries,
        searches=SEARCHES if len(samples.counts) <= NOT_FOR_PYTHON else (BINSEG, WINDOW, CHANGEFOREST),
        others={OWN_RULE: lambda: segment(samples.counts).change_points, **_of_all_events(every)},
        progress=progress,
    )
    compared.loc[0, "seconds"] = seconds
    return compared


def _of_all_events(counts: pd.DataFrame) -> dict[str, Callable[[], tuple[int, ...]]]:
    try:
        read = readings(counts)
    except HemError:  # too large to be standardised
        return {}
    if len(read.events) < 2:
        return {}
    found: dict[str, Callable[[], tuple[int, ...]]] = {JOINTLY: lambda: segment_jointly(counts).change_points}
    whole = read.counted.all(axis=1)
    if whole.sum() > 1:
        found[CHANGEFOREST_ALL] = lambda: changeforest_points(np.ascontiguousarray(read.samples[whole].T))
    return found
