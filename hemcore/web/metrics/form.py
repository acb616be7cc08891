"""The Metrics page's form: the definitions, what they need to be told, and which metric and run are drawn over time."""

import streamlit as st

from hemcore.analysis import AnyAnalysis
from hemcore.datasets.shelf import library
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.kinds import Table
from hemcore.datasets.tables.metric_definitions import MetricDefinitions
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.datasets.tables.signature_table import SignatureTable
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.metrics import OURS, MetricsParams
from hemcore.metrics.analysis import BY_PHASE, BY_SIGNATURE, METRICS, OVER_TABLE, OVER_TIME
from hemcore.metrics.bootstrap import are_runs
from hemcore.metrics.metric_values import evaluable
from hemcore.metrics.sets.used_definitions import definitions_for
from hemcore.metrics.table_counts import counts_of
from hemcore.web import shelf
from hemcore.web.form import Values
from hemcore.web.frame import Frame
from hemcore.web.metrics.fitting_sets import upload_that_fits

_AUTOMATIC = "own set that fits the events best"
_DRAWN = ("draws", "seed")


def analysis_for(table: Table) -> AnyAnalysis:
    """Over whole runs where the rows are runs; else row by row."""
    if isinstance(table, CounterSeries):
        return OVER_TIME
    if isinstance(table, SignatureTable):
        return BY_SIGNATURE
    if isinstance(table, PhaseTable):
        return OVER_TABLE if are_runs(table) else BY_PHASE
    return METRICS


def params_choice(frame: Frame, table: Table) -> MetricsParams:
    """All parameters. Raises ParameterError for constants that are no numbers, and as `definitions_for` does."""
    form = frame.form
    named = {entry.id: entry.label for entry in library.entries(shelf.store(), MetricDefinitions.__name__)}
    first = upload_that_fits(table)
    chosen = form.values(
        MetricsParams,
        ("definitions",),
        choices={"definitions": list(dict.fromkeys([first, *named, *OURS]))},  # first: "" unless only an upload fits
        format_func=lambda id: named.get(id, f"own set: {OURS[id]}" if id in OURS else id or _AUTOMATIC),
    )
    chosen |= form.values(MetricsParams, ("constants",))
    if isinstance(table, CounterSeries):
        chosen |= _course(frame, table, MetricsParams(**chosen))
    with st.expander("More"):
        chosen |= form.values(MetricsParams, ("metrics",))
        if isinstance(table, Subexperiments):
            anchors = ["", *table.common_hems]
            chosen |= form.values(MetricsParams, ("anchor",), choices={"anchor": anchors}, format_func=lambda hem: hem or "automatic")
        if analysis_for(table) in (METRICS, OVER_TABLE):
            chosen |= form.values(MetricsParams, _DRAWN)
    return MetricsParams(**chosen)


def _course(frame: Frame, table: CounterSeries, params: MetricsParams) -> Values:
    """Which metric of which run is drawn over time: of those that lack nothing."""
    form, counts = frame.form, counts_of(table)
    there = evaluable(definitions_for(params, counts.events)[0], counts, params.constant_values)
    if there and form.stands("metric") not in (None, *there):
        form.put("metric", there[0])  # left from other definitions or constants
    chosen = form.values(MetricsParams, ("metric",), choices={"metric": there}) if there else {}
    chosen |= form.values(MetricsParams, ("application",), choices={"application": table.applications})
    runs = [int(run) for run in table.runs(str(chosen["application"]))]
    return chosen | form.values(MetricsParams, ("run",), choices={"run": runs})
