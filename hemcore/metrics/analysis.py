"""The analyses of metrics: over whole runs with intervals and the tree, and row by row of series, phases and signatures."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from hemcore.analysis import Analysis, Kept, Progress, TableT
from hemcore.datasets.tables.counter_series import KEYS as INTERVAL_KEYS
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.metric_definitions import MetricDefinitions
from hemcore.datasets.tables.phase_table import KEYS as PHASE_KEYS
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.datasets.tables.signature_table import SignatureTable
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.events.spelling import EventColumns
from hemcore.metrics.bootstrap import as_runs, bootstrapped, intervals_frame, variance_shares
from hemcore.metrics.headline import cards, row_cards, row_verdict, verdict
from hemcore.metrics.identities import identities_frame, identities_of, sides
from hemcore.metrics.kept_tables import (
    as_series,
    phases_as_signatures,
    phases_of_metrics,
    phases_with_metrics,
    runs_with_metrics,
    with_signature_metrics,
)
from hemcore.metrics.known_truth import true_values
from hemcore.metrics.metric_values import chosen, evaluation
from hemcore.metrics.params import FIELDS, ROW_FIELDS, MetricsParams
from hemcore.metrics.results import MetricRows, MetricsReport
from hemcore.metrics.run_means import RunMeans
from hemcore.metrics.sets.used_definitions import definitions_for
from hemcore.metrics.table_counts import Measured, counts_of
from hemcore.metrics.tree import tree_from, tree_order
from hemcore.metrics.worked import worked_formulas


def over_runs(
    table: Subexperiments, params: MetricsParams, progress: Progress | None = None, definitions: MetricDefinitions | None = None
) -> MetricsReport:
    """Each metric over whole runs with its interval, what its doubt is from, the tree, and whether identities hold.

    definitions: instead of those that `params` name. Raises as `bootstrapped` does.
    """
    known, name = (definitions, "given") if definitions is not None else definitions_for(params, EventColumns(table.hems))
    constants, anchor = params.constant_values, params.anchor or None
    shown, identities = _shown(known, params), identities_of(known)
    found = bootstrapped(
        known,
        table,
        constants=constants,
        metrics=[*shown, *tree_order(known)],
        anchor=anchor,
        draws=params.draws,
        seed=params.seed,
        extra=sides(identities),
    )
    if progress is not None:
        progress(0.8, "intervals are known")
    equal = identities_frame(known, table, identities, found, constants, params.seed)
    of_tree = equal[~equal["identity"].isin(known.names)].reset_index(drop=True)
    means = RunMeans(table, anchor)
    rows, shares = intervals_frame(known, found), variance_shares(found)
    truth = true_values(known, table, found.names, constants)
    if truth:
        rows["truth"] = rows["metric"].map(truth)
    return MetricsReport(
        rows=rows[rows["metric"].isin(shown)].reset_index(drop=True),
        shares=shares[shares["metric"].isin(shown)].reset_index(drop=True),
        identities=equal,
        tree=tree_from(known, found, of_tree, truth) if tree_order(known) else None,
        needs={name: lacks for name, lacks in found.needs.items() if name in shown},
        constants=found.constants,
        anchor=means.anchor,
        runs=dict(zip(table.labels, means.runs, strict=True)),
        worked=worked_formulas(known, table, shown, constants, anchor),
        draws=dict(zip(found.names, found.draws, strict=True)),
        event_means={hem: float(mean[0]) for hem, mean in means.observed().items()},
        definitions=name,
        params=params,
        truth=truth,
        truth_runs=0 if table.truth is None else len(table.truth),
    )


def _shown(known: MetricDefinitions, params: MetricsParams) -> list[str]:
    """The metrics asked for; without identities, each of which is no number to show: it holds or not."""
    asked = chosen(known, params.metric_names)
    return [name for name in asked if not known.metrics[name].formula.is_identity] or asked


def _about(definitions: MetricDefinitions, values: pd.DataFrame) -> pd.DataFrame:
    """The frame `MetricRows.about` of these values."""
    rows = definitions.frame.set_index("name").loc[list(values.columns)].rename_axis("metric").reset_index()
    known = [column[np.isfinite(column)] for column in values.to_numpy(dtype=float).T]
    quantiles = [np.quantile(each, (0.1, 0.5, 0.9)) if len(each) else (np.nan,) * 3 for each in known]
    told = rows[["metric", "unit", "scale", "level", "parent", "group", "formula", "description"]].copy()
    told[["low", "median", "high"]] = np.array(quantiles, dtype=float).reshape(-1, 3)
    return told.assign(known=[len(each) for each in known])


def by_row(table: Measured, params: MetricsParams, keys: pd.DataFrame, definitions: MetricDefinitions | None = None) -> MetricRows:
    """Each metric in each row of `table`; keys: what names the rows. Raises as `evaluate` does."""
    known, name = (definitions, "given") if definitions is not None else definitions_for(params, counts_of(table).events)
    found = evaluation(known, table, constants=params.constant_values, metrics=_shown(known, params))
    values = found.frame.reset_index(drop=True)
    clash = [each for each in keys.columns if each in values.columns]
    rows = pd.concat([keys.drop(columns=clash).reset_index(drop=True), values], axis=1)
    return MetricRows(
        rows=rows,
        names=tuple(values.columns),
        about=_about(known, values),
        needs=found.needs,
        notes=found.notes,
        constants=found.constants,
        definitions=name,
        params=params,
    )


def over_time(
    table: CounterSeries, params: MetricsParams, progress: Progress | None = None, definitions: MetricDefinitions | None = None
) -> MetricRows:
    """Each metric in each interval."""
    return by_row(table, params, table.intervals[list(INTERVAL_KEYS)], definitions)


def by_phase(
    table: PhaseTable, params: MetricsParams, progress: Progress | None = None, definitions: MetricDefinitions | None = None
) -> MetricRows:
    """Each metric in each phase, with the region of the program that it is, where the table says it."""
    keys = [*PHASE_KEYS, *(["region"] if "region" in table.frame and "region" not in table.counters else [])]
    return by_row(table, params, table.frame[keys], definitions)


def by_signature(
    table: SignatureTable, params: MetricsParams, progress: Progress | None = None, definitions: MetricDefinitions | None = None
) -> MetricRows:
    """Each metric of each signature."""
    return by_row(table, params, table.frame[table.identifiers].assign(row=np.arange(len(table.frame))), definitions)


def over_table(
    table: PhaseTable, params: MetricsParams, progress: Progress | None = None, definitions: MetricDefinitions | None = None
) -> MetricsReport:
    """As `over_runs`, of a table whose rows are whole runs, such as a merged one. Raises TableError for other phases."""
    return over_runs(as_runs(table), params, progress, definitions)


def _run_analysis(
    name: str, title: str, compute: Callable[..., MetricsReport], *keeps: Kept[TableT, MetricsReport]
) -> Analysis[TableT, MetricsParams, MetricsReport]:
    return Analysis(
        name=name,
        title=title,
        params=MetricsParams,
        reads=FIELDS,
        compute=compute,
        repeats=("draws",),
        gives="rows",
        named_by=("definitions",),
        keeps=keeps,
        cards=cards,
        verdict=verdict,
    )


METRICS: Analysis[Subexperiments, MetricsParams, MetricsReport] = _run_analysis(
    "metrics.over_runs",
    "Metrics over whole runs",
    over_runs,
    Kept(
        name="runs with metrics",
        description="the runs with, as further HEMs, the metrics whose events one subexperiment read together, for Merge",
        kind="Subexperiments",
        make=runs_with_metrics,
    ),
)
OVER_TABLE: Analysis[PhaseTable, MetricsParams, MetricsReport] = _run_analysis(
    "metrics.over_table", "Metrics over the runs of one table", over_table
)


def _row_analysis(
    name: str, title: str, compute: Callable[..., MetricRows], *keeps: Kept[TableT, MetricRows]
) -> Analysis[TableT, MetricsParams, MetricRows]:
    return Analysis(
        name=name,
        title=title,
        params=MetricsParams,
        reads=ROW_FIELDS,
        compute=compute,
        gives="rows",
        named_by=("definitions",),
        keeps=keeps,
        cards=row_cards,
        verdict=row_verdict,
    )


OVER_TIME: Analysis[CounterSeries, MetricsParams, MetricRows] = _row_analysis(
    "metrics.over_time",
    "Metrics over time",
    over_time,
    Kept(
        name="metrics over time",
        description="the series with the metrics in place of events, for Segmentation",
        kind="CounterSeries",
        make=as_series,
    ),
)
BY_PHASE: Analysis[PhaseTable, MetricsParams, MetricRows] = _row_analysis(
    "metrics.by_phase",
    "Metrics by phase",
    by_phase,
    Kept(
        name="phases with metrics",
        description="the phases with their counters and the metrics, for Prediction",
        kind="PhaseTable",
        make=phases_with_metrics,
    ),
    Kept(
        name="metrics of phases",
        description="the phases with the metrics in place of counters, for Prediction",
        kind="PhaseTable",
        make=phases_of_metrics,
    ),
    Kept(
        name="signatures of phases",
        description="a signature per row from the metrics CPI, MEM_GBS and GFLOPS, for Signatures",
        kind="SignatureTable",
        make=phases_as_signatures,
    ),
)
BY_SIGNATURE: Analysis[SignatureTable, MetricsParams, MetricRows] = _row_analysis(
    "metrics.by_signature",
    "Metrics of signatures",
    by_signature,
    Kept(
        name="signatures with metrics",
        description="the signatures with the metrics as columns, which fill in CPI, TPI, MEM_GBS and GFLOPS",
        kind="SignatureTable",
        make=with_signature_metrics,
    ),
)
