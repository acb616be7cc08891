"""The results of metrics over readings."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.metrics.params import MetricsParams
from hemcore.metrics.tree import TopDown


@dataclass(frozen=True, kw_only=True, eq=False)
class MetricsReport:
    """Metrics over whole runs.

    rows: as `metric_intervals`, with a column `truth` if it is known. shares: as `variance_shares`. identities: as `check_identities`.
    tree: None if no metric is on a level. needs: by metric, what it lacks. constants: those used. anchor: the HEM whose ratios tie the
    subexperiments together, None without one. runs: by subexperiment. worked: by metric, the formula with numbers put in. draws: by metric,
    shape (draws,), the values of the bootstrap. event_means: by event, what tells one set of readings from another. truth: by metric, its
    value over the runs that read all HEMs together; empty if there are none. truth_runs: how many they are.
    """

    rows: pd.DataFrame
    shares: pd.DataFrame
    identities: pd.DataFrame
    tree: TopDown | None
    needs: Mapping[str, tuple[str, ...]]
    constants: pd.DataFrame
    anchor: str | None
    runs: Mapping[str, int]
    worked: Mapping[str, str]
    draws: Mapping[str, NDArray[np.float64]]
    event_means: Mapping[str, float]
    definitions: str
    params: MetricsParams
    truth: Mapping[str, float] = field(default_factory=dict)
    truth_runs: int = 0


@dataclass(frozen=True, kw_only=True, eq=False)
class MetricRows:
    """Metrics in each row of a table. rows: what names the row, then a column per metric. names: the metrics, in order.

    about: one row per metric: metric, unit, scale, level, parent, group, formula, description (values times scale are in unit); over the
        rows, low, median, high (10 %, 50 % and 90 % of the values are below) and known (how many have a value).
    needs, notes, constants: as in Evaluation. definitions: the id or name of those that were used.
    """

    rows: pd.DataFrame
    names: tuple[str, ...]
    about: pd.DataFrame
    needs: Mapping[str, tuple[str, ...]]
    notes: Mapping[str, tuple[str, ...]]
    constants: pd.DataFrame
    definitions: str
    params: MetricsParams


@dataclass(frozen=True, kw_only=True, eq=False)
class MetricCourse:
    """One metric over one run, and its segments.

    course: one row per interval: `begin` and `end` on the time axis, `value` (NaN = no value). segments: one row each: `begin`, `end`,
    `mean`, `deviation` (population), `intervals` (those with a value); empty if nothing can be segmented, `why` then says why.
    in_seconds: whether the axis is in seconds from the start of the run; else it is intervals. chosen_by: how the segments were found.
    """

    metric: str
    application: str
    run: int
    course: pd.DataFrame
    segments: pd.DataFrame
    in_seconds: bool
    chosen_by: str
    why: str
    params: MetricsParams
