"""The Multiplexing page's form: whose counts, how many slots a count, which estimators, and what is cleaned."""

from typing import Any

import streamlit as st

from hemcore.charts.mpx.view import METHODS, TRAINED
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.mpx import MpxParams
from hemcore.mpx.methods import told
from hemcore.mpx.prepared import USUAL_SLOTS_PER_COUNT
from hemcore.web import sentences
from hemcore.web.form import Slider
from hemcore.web.frame import Frame
from hemcore.web.multiplexing import pairs, training

_MOST_SLOTS = 16
_AUTOMATIC = "the telling ones"


def series_choice(frame: Frame, table: CounterSeries) -> dict[str, Any]:
    """Application, run and event, from what the table has; for a multiplexed series, what it is compared with."""
    form = frame.form
    chosen = form.values(MpxParams, ("application",), choices={"application": table.applications})
    chosen |= form.values(MpxParams, ("run",), choices={"run": [int(run) for run in table.runs(chosen["application"])]})
    chosen |= form.values(MpxParams, ("event",), choices={"event": ["", *table.events]}, format_func=lambda event: event or _AUTOMATIC)
    pairs.choice(frame, table)
    return chosen


def estimate_choice(frame: Frame, table: CounterSeries) -> dict[str, Any]:
    """Slots a count, the estimators, and behind a click cleaning and scoring."""
    form = frame.form
    chosen: dict[str, Any] = {}
    n_events = len(table.events)
    if table.mode == "OCOE" and n_events > 2:
        most = min(_MOST_SLOTS, n_events)
        slider = {"slots_per_count": Slider(2, most, min(USUAL_SLOTS_PER_COUNT, most))}
        chosen |= form.values(MpxParams, ("slots_per_count",), sliders=slider)
    elif table.mode == "MPX":
        st.caption("Slots are hidden as they were measured.")
    chosen |= training.choice(frame, table)
    methods = (*METHODS, *TRAINED) if chosen["model"] else METHODS
    for name in ("method", "totals"):
        if form.stands(name) not in (None, *methods):  # of a model that is not chosen any more
            form.put(name, MpxParams.model_fields[name].default)
        chosen |= form.values(MpxParams, (name,), choices={name: methods}, listed=True)
    about = told(chosen["method"])
    st.caption(
        sentences.as_text(
            f"{about.says} Trained models are for programs that they have seen; else harmonic for curves and linear for totals."
        )
    )
    with st.expander("Cleaning and scoring"):
        chosen |= form.values(MpxParams, ("tail",), choices={"tail": ["last slot", "paper", "nothing"]}, listed=True)
        if chosen["tail"] == "paper":
            chosen |= form.values(MpxParams, ("tail_share", "tail_steps"))
        chosen |= form.values(MpxParams, ("min_share", "most_runs", "start", "clamp"))
    return chosen
