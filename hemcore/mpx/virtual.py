"""Virtual multiplexing: hiding slots of a series that was counted all the time, so that the hidden truth is known."""

import numpy as np
import pandas as pd

from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ParameterError


def counted_slots(n_slots: int, n_events: int, slots_per_count: int, *, start: int = 0) -> np.ndarray:
    """Which slots a round robin schedule counts: a boolean array, n_slots x n_events.

    The events are dealt into `slots_per_count` groups of neighbours, as equal as possible; slot i counts group
    (i + start) mod slots_per_count. Each event is then counted in exactly 1 of every `slots_per_count` slots.

    n_slots may be 0 (an empty array). Raises ParameterError unless 1 <= slots_per_count <= n_events.
    """
    if not 1 <= slots_per_count <= n_events:
        raise ParameterError(f"slots_per_count: {slots_per_count} must be from 1 to the number of events, {n_events}.")
    group = np.arange(n_events) * slots_per_count // n_events
    turn = (np.arange(n_slots) + start) % slots_per_count
    return turn[:, None] == group[None, :]


def virtual_multiplex(series: CounterSeries, slots_per_count: int, *, start: int = 0) -> CounterSeries:
    """`series` as a multiplexing tool would have seen it: NaN in the slots that the schedule of counted_slots hides, run by run.

    The counts that stay are those of their slot, not extrapolated; `share` is 1 where counted and 0 where hidden; `truth` has every count.
    Run number r of an application (from 0) starts its rotation at `start` + r. Raises ParameterError as counted_slots does.
    """
    counted = np.zeros(series.counts.shape, dtype=bool)
    keys = [series.intervals["application"], series.intervals["run"]]
    passed: dict[str, int] = {}
    for rows in pd.Series(np.arange(len(series.counts))).groupby(keys, sort=False).indices.values():
        application = str(keys[0].iloc[rows[0]])
        number = passed[application] = passed.get(application, -1) + 1
        counted[rows] = counted_slots(len(rows), len(series.events), slots_per_count, start=start + number)
    return CounterSeries(
        intervals=series.intervals,
        counts=series.counts.astype(float).where(counted),
        mode="MPX",
        share=pd.DataFrame(counted.astype(float), columns=series.counts.columns),
        interval_unit=series.interval_unit,
        truth=series.counts,
    )
