"""The Compare page's form: what is before, and how the change is judged."""

import streamlit as st

from hemcore.analysis import AnyAnalysis
from hemcore.compare.analysis import COMPARE_PHASES, COMPARE_RUNS, COMPARE_SERIES, COMPARE_SIGNATURES
from hemcore.compare.params import CompareParams
from hemcore.datasets.shelf.library import Entry
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.kinds import Table
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.datasets.tables.signature_table import SignatureTable
from hemcore.web.compare.sets_before import partners
from hemcore.web.frame import Frame

_HALVES = "first half of these runs"


def analysis_for(table: Table) -> AnyAnalysis:
    """The comparison of tables of this kind."""
    if isinstance(table, CounterSeries):
        return COMPARE_SERIES
    if isinstance(table, PhaseTable):
        return COMPARE_PHASES
    return COMPARE_SIGNATURES if isinstance(table, SignatureTable) else COMPARE_RUNS


def params_choice(frame: Frame, dataset: Entry) -> CompareParams:
    """All parameters; before: the best match unless another one is chosen."""
    form = frame.form
    named = {entry.id: entry.label for entry in partners(dataset)}
    options = list(named) or [""]  # alone, its halves are compared
    if form.stands("before") not in (None, *options):
        form.put("before", options[0])  # left from another dataset
    chosen = form.values(CompareParams, ("before",), choices={"before": options}, format_func=lambda id: named.get(id, id or _HALVES))
    chosen |= form.values(CompareParams, ("level", "paired", "statistic"))
    with st.expander("More"):
        chosen |= form.values(CompareParams, ("rate", "seed"))
    return CompareParams(**chosen)
