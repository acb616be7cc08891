"""Cumulative counters into counts per interval, and which columns beside them are none."""

from collections.abc import Collection

import numpy as np
import pandas as pd

from hemcore.datasets.importing.header_words import is_called_cumulative
from hemcore.datasets.readers.repairs import Repair
from hemcore.datasets.readers.series.cumulative_csv import differences, wraps
from hemcore.datasets.tables.checks import listed
from hemcore.errors import ReadError
from hemcore.events.hardware_tree import is_momentary

_KEYS = ["application", "run"]


def rises_and_falls(counts: pd.DataFrame, runs: pd.Series) -> tuple[pd.Series, pd.Series]:
    """How often each counter grew, and fell, from row to row within a run; one that wraps at 32 bits grows."""
    steps = (counts.groupby(runs.to_numpy(), sort=False).diff() if bool((runs != runs.iloc[0]).any()) else counts.diff()).to_numpy(
        dtype=float
    )
    wrapped = wraps(steps, counts.max().to_numpy(dtype=float))
    rises, falls = ((steps > 0) | wrapped).sum(axis=0), ((steps < 0) & ~wrapped).sum(axis=0)
    return pd.Series(rises, index=counts.columns), pd.Series(falls, index=counts.columns)


def states_beside(counts: pd.DataFrame, runs: pd.Series) -> set[str]:
    """The columns that are no counters, since they fall or stay the same above 0, beside others that are called cumulative."""
    called = [is_called_cumulative(str(name)) for name in counts]
    if all(called) or not any(called):
        return set()
    rises, falls = rises_and_falls(counts, runs)
    unlike = (falls > 0) | ((rises == 0) & (counts.max() > 0))
    return {str(name) for name, other, named in zip(counts, unlike, called, strict=True) if other and not named}


def per_interval(
    rows: pd.DataFrame, values: pd.DataFrame, momentary: Collection[str], repairs: list[Repair]
) -> tuple[pd.DataFrame, pd.DataFrame, None]:
    """Differences of the cumulative counters; of `momentary` ones and other states, which are none, the values at the ends of the
    intervals. rows: application, run and interval of each reading. Raises ReadError where each run has one."""
    run = rows.groupby(_KEYS, sort=False).ngroup()
    states = {str(name) for name in values if name in momentary or is_momentary(str(name))} | states_beside(values, run)
    before = pd.Series(np.arange(len(rows))).groupby(run.to_numpy()).shift(1).to_numpy()
    ends = np.flatnonzero(~np.isnan(before))
    if not len(ends):
        raise ReadError("cumulative counters: each run has one reading; at least 2 are needed. Choose counts per interval.")
    starts = before[ends].astype(np.int64)
    after = rows.iloc[ends].reset_index(drop=True)
    if bool((rows.groupby(run)["interval"].transform("first") == 1).all()):
        after["interval"] -= 1
    made: list[Repair] = []
    counts = pd.DataFrame(
        {name: values[name].to_numpy()[ends] if name in states else differences(values[name], starts, ends, after, made) for name in values}
    )
    repairs.append(Repair("all runs", "", "cumulative counters became counts per interval", len(ends)))
    if states:
        repairs.append(Repair("all runs", listed(sorted(states)), "not cumulative: its values at the ends of the intervals", len(ends)))
    repairs += made
    return after, counts, None
