"""What a table counted, as columns that formulas are evaluated over."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.datasets.tables.signature_table import SignatureTable
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import TableError
from hemcore.events.spelling import EventColumns
from hemcore.metrics.run_means import RunMeans

Floats = NDArray[np.float64]
Measured = Subexperiments | CounterSeries | PhaseTable | SignatureTable | pd.DataFrame
# perf counts its own clock in nanoseconds, formulas want seconds.
_PERF_CLOCK = ("duration_time", "user_time", "system_time")


@dataclass(frozen=True, kw_only=True)
class Counts:
    """columns: the counts of each event, shape (rows,), NaN = not counted. index: of the rows. durations: seconds per row, if known.

    where: how a message says that an event is not there.
    """

    columns: Mapping[str, Floats]
    index: pd.Index
    where: str = "which the table does not have"
    durations: Floats | None = field(default=None, repr=False)

    @cached_property
    def events(self) -> EventColumns:
        """The columns, found under any spelling."""
        return EventColumns(self.columns)


def event_names(table: object) -> list[str]:
    """What `table` counted, by name, without reading a count; empty for a table without counts."""
    if isinstance(table, Subexperiments):
        return list(table.hems)
    if isinstance(table, CounterSeries):
        return list(table.events)
    if isinstance(table, PhaseTable):
        return list(table.counters)
    return list(table.first.columns) if isinstance(table, SignatureTable) else []


def counts_of(table: Measured, anchor: str | None = None) -> Counts:
    """What `table` counted, a row per interval, phase, signature or row of a frame; of subexperiments, one row of means over runs.

    anchor: of subexperiments, as in RunMeans. Raises TableError for another kind of table and a frame without numbers, ParameterError
    for an anchor that is not there.
    """
    if isinstance(table, Subexperiments):
        means = RunMeans(table, anchor)
        return Counts(columns=means.observed(), index=pd.RangeIndex(1), where="read in no subexperiment")
    if isinstance(table, CounterSeries):
        return Counts(columns=_columns(table.counts, clock=1e-9), index=table.counts.index, durations=_durations(table))
    if isinstance(table, PhaseTable):
        return Counts(columns=_columns(table.frame[list(table.counters)], clock=1e-9), index=table.frame.index)
    if isinstance(table, SignatureTable):
        frame = table.frame
        seconds = pd.to_numeric(frame["TIME_SEC"], errors="coerce").to_numpy(dtype=float) if "TIME_SEC" in frame.columns else None
        return Counts(columns=_columns(frame), index=frame.index, durations=seconds)
    if isinstance(table, pd.DataFrame):
        if not all(isinstance(name, str) for name in table.columns) or not table.columns.is_unique:
            raise TableError("metrics: every column of the frame needs a text of its own as name: that of its event. Rename the columns.")
        return Counts(columns=_columns(table), index=table.index)
    raise TableError(
        f"metrics: a {type(table).__name__} holds no counts. Give Subexperiments, a CounterSeries, a PhaseTable, a SignatureTable or a"
        " DataFrame with a column per event."
    )


def _columns(frame: pd.DataFrame, clock: float = 1.0) -> dict[str, Floats]:
    numbers = {}
    for name in frame.columns:
        column = frame[name]
        if pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column) and not pd.api.types.is_complex_dtype(column):
            values = column.to_numpy(dtype=float, na_value=np.nan)
            numbers[str(name)] = values * clock if name in _PERF_CLOCK and clock != 1.0 else values
    if not numbers:
        raise TableError("metrics: no column of numbers. Give a column of counts per event.")
    return numbers


def _durations(table: CounterSeries) -> Floats | None:
    """Seconds per interval, from the times at which intervals end; None if they are not known. Missing intervals take a share."""
    if "time" not in table.intervals.columns or not pd.api.types.is_numeric_dtype(table.intervals["time"]):
        return None
    apart = table.intervals.groupby(["application", "run"], sort=False)[["time", "interval"]].diff()
    found = (apart["time"] / (apart["interval"] / apart["interval"].median()).clip(lower=1.0)).to_numpy(dtype=float, copy=True)
    known = found[found > 0]
    usual = float(np.median(known)) if len(known) else np.nan
    first = np.isnan(found)
    ends = table.intervals["time"].to_numpy(dtype=float)
    # A run that begins at 0 says how long its first interval was; another's is taken to be as long as the others.
    found[first] = np.where((ends[first] > 0) & ~(ends[first] > 1.5 * usual), ends[first], usual)
    return found if bool((found > 0).any()) else None
