"""Metrics as columns of typed tables, which other pages take: kept parts of answers.

Columns hold the values of the formulas. A table's counts are never negative, so a metric that is somewhere is left out.
"""

import re
from collections.abc import Collection
from dataclasses import replace

import numpy as np
import pandas as pd

from hemcore.datasets.tables.checks import LARGEST
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.phase_table import KEYS as PHASE_KEYS
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.datasets.tables.signature_table import METRICS as OF_SIGNATURES
from hemcore.datasets.tables.signature_table import SignatureTable
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import TableError
from hemcore.events.hardware_tree import adds_up
from hemcore.events.spelling import EventColumns
from hemcore.metrics.metric_values import evaluate
from hemcore.metrics.results import MetricRows, MetricsReport
from hemcore.metrics.sets.definition_sets import with_events
from hemcore.metrics.sets.used_definitions import definitions_for

# Units of ratios: a percentage, or so many per something.
_RATIO = re.compile(r"%|\bper\b")


def metric_columns(values: pd.DataFrame, taken: Collection[str]) -> pd.DataFrame:
    """The columns of `values` that can stand in a table: with a value, never negative; one whose name is in `taken` is "NAME (metric)".

    Raises TableError if there is none.
    """
    kept = _fitting(values)
    if not kept.shape[1]:
        raise TableError("metrics: none has a value and is never negative, so there is nothing to keep. Choose other definitions.")
    return kept.rename(columns=lambda name: f"{name} (metric)" if name in taken else name)


def _fitting(values: pd.DataFrame) -> pd.DataFrame:
    numbers = values.to_numpy(dtype=float)
    with np.errstate(invalid="ignore"):
        fits = np.isfinite(numbers).any(axis=0) & ~((numbers < 0) | (numbers > LARGEST)).any(axis=0)
    return values.loc[:, fits]


def _ratios_named(found: MetricRows) -> pd.DataFrame:
    """The values of the metrics; a ratio that its name does not show is "NAME (metric)": sums over cores or over time tell by names what
    does not add up."""
    about = found.about[["metric", "unit", "formula"]].astype(str).itertuples(index=False, name=None)
    ratios = [name for name, unit, formula in about if _RATIO.search(unit) or (not unit and "/" in formula)]
    return found.rows[list(found.names)].rename(columns={name: f"{name} (metric)" for name in ratios if adds_up(name)})


def as_series(found: MetricRows, table: CounterSeries) -> CounterSeries:
    """The series with metrics in place of events. Raises TableError if no metric fits."""
    return replace(table, counts=metric_columns(_ratios_named(found), ()), share=None, truth=None, finer=None)


def phases_with_metrics(found: MetricRows, table: PhaseTable) -> PhaseTable:
    """The phases with their counters and, as further counters, the metrics. Raises TableError if no metric fits."""
    added = metric_columns(_ratios_named(found), list(table.frame.columns))
    return PhaseTable(frame=pd.concat([table.frame, added], axis=1), counters=(*table.counters, *added.columns))


def phases_of_metrics(found: MetricRows, table: PhaseTable) -> PhaseTable:
    """The phases with the metrics in place of counters. Raises TableError if no metric fits."""
    others = table.frame.drop(columns=list(table.counters))
    added = metric_columns(_ratios_named(found), list(others.columns))
    return PhaseTable(frame=pd.concat([others, added], axis=1), counters=tuple(added.columns))


def with_signature_metrics(found: MetricRows, table: SignatureTable) -> SignatureTable:
    """The signatures with the metrics: CPI, TPI, MEM_GBS and GFLOPS where the signature has no value of its own, others as further columns.

    Raises TableError if no metric fits.
    """
    values = metric_columns(found.rows[list(found.names)], ())
    own = [name for name in OF_SIGNATURES if name in values]
    others = values.drop(columns=own).rename(columns=lambda name: f"{name} (metric)" if name in table.frame else name)
    filled = {name: table.frame[name].fillna(values[name]) for name in own}
    return SignatureTable(frame=pd.concat([table.frame.assign(**filled), others], axis=1))


def phases_as_signatures(found: MetricRows, table: PhaseTable) -> SignatureTable:
    """One signature per phase or whole run: the metrics CPI, TPI, MEM_GBS and GFLOPS, those not defined unknown, and the counters.

    Raises TableError if none of CPI, MEM_GBS and GFLOPS is a metric with a value that is never negative.
    """
    values = _fitting(found.rows[list(found.names)])
    if not any(name in values for name in OF_SIGNATURES if name != "TPI"):
        raise TableError("signatures: they need metrics named CPI, MEM_GBS and GFLOPS, of which none has a value. Define them so.")
    job = table.frame[list(PHASE_KEYS)].astype(str).agg(" / ".join, axis=1)
    measured = {name: values.get(name, np.nan) for name in OF_SIGNATURES}
    counters = table.frame[[name for name in table.counters if name not in (*OF_SIGNATURES, "JOBID")]]
    return SignatureTable(frame=pd.concat([pd.DataFrame({"JOBID": job} | measured), counters], axis=1))


def runs_with_metrics(found: MetricsReport, table: Subexperiments) -> Subexperiments:
    """The subexperiments with, as further HEMs, the metrics of each run whose events that subexperiment read together.

    Raises TableError if no subexperiment reads all events of a metric that varies.
    """
    definitions, _ = definitions_for(found.params, EventColumns(table.hems))

    def added(frame: pd.DataFrame, wanted: Collection[str] = tuple(found.worked)) -> pd.DataFrame:
        names = [name for name in with_events(definitions, EventColumns(frame.columns)) if name in wanted]
        values = _fitting(evaluate(definitions, frame, constants=found.params.constant_values, metrics=names)) if names else frame[[]]
        return values.loc[:, values.nunique() > 1].rename(columns=lambda name: f"{name} (metric)" if name in table.hems else name)

    more = [added(frame) for frame in table.frames]
    names = {str(name) for each in more for name in each.columns}
    if not names:
        raise TableError("metrics: no subexperiment read all events of a metric together, so no run has one. Plan for metrics.")
    frames = tuple(pd.concat([frame, own], axis=1) for frame, own in zip(table.frames, more, strict=True))
    truth = None if table.truth is None else pd.concat([table.truth, added(table.truth, names)], axis=1)
    return replace(table, frames=frames, n_pmcs=max(table.n_pmcs, *(frame.shape[1] for frame in frames)), truth=truth, places=None)
