"""The What-if tab: a starting phase, one slider per counter, and a warning about extrapolations."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

from hemcore.charts.picture import Scene
from hemcore.charts.prediction import what_if
from hemcore.charts.prediction.view import PredictionView
from hemcore.events.usual_names import instructions_of
from hemcore.prediction.evaluate.scenarios import WhatIf, far_away
from hemcore.web import sentences
from hemcore.web.drawing import Picked
from hemcore.web.form import Values, put, remember_default, warn_of_link
from hemcore.web.frame import Frame, Tab
from hemcore.web.prediction import PAGE, kept_models

_OF = f"{PAGE.name}:what-if-of"
_STEPS, _MOST = 200, 24


def _controls(frame: Frame, scene: Scene) -> Values:
    found: WhatIf = scene.result
    chosen = _start(frame, scene) | frame.form.values(PredictionView, ("promised",))
    start = what_if.start_of(replace(scene, view=PredictionView(**chosen)))
    _follow(f"{frame.dataset.id}|{start['program']}|{start['phase']}|{found.ready.target}")
    chosen["counts"] = _sliders(frame, found, start)
    answered = replace(scene, view=PredictionView(**chosen))
    rows = what_if.answer(answered)
    for distance, far_from, models in far_away(rows):
        of = "" if len(models) == len(rows) else f" of {', '.join(models)}"
        far = f"{distance:.1f} standard deviations, far from {far_from:.1f}"
        sentences.warn(f"Extrapolation: no training phase{of} is similar (distance {far}). Do not rely on these predictions.")
    return chosen


def _start(frame: Frame, scene: Scene) -> Values:
    """The program and its starting phase."""
    every: pd.DataFrame = scene.result.phases
    programs = [str(each) for each in every["program"].unique()]
    chosen: Values = {}
    if len(programs) > 1:
        chosen |= frame.form.values(PredictionView, ("start",), choices={"start": programs})
    first = what_if.start_of(replace(scene, view=PredictionView(**chosen)))
    numbers = [int(each) for each in every.loc[every["program"] == first["program"], "phase"].sort_values().unique()]
    key = frame.page.key("start_phase")
    if st.session_state.get(key) not in (None, *numbers):
        del st.session_state[key]
    options = [int(first["phase"]), *(each for each in numbers if each != int(first["phase"]))]
    return chosen | frame.form.values(PredictionView, ("start_phase",), choices={"start_phase": options})


def _follow(start: str) -> None:
    """Reset the sliders to the counts of the starting phase if another phase is chosen."""
    if st.session_state.get(_OF, start) != start:
        for key in [each for each in (*st.session_state, *st.query_params) if str(each).startswith(PAGE.key("if-"))]:
            st.session_state.pop(key, None)
            st.query_params.pop(key, None)
    st.session_state[_OF] = start


def _sliders(frame: Frame, found: WhatIf, start: pd.Series) -> tuple[tuple[str, float], ...]:
    """The value of each counter's slider; with very many counters, only the first have one."""
    example = found.ready.example
    own, work = example.X[int(start["row"])], instructions_of(example.counters)
    names = list(example.counters)
    if len(names) > _MOST:
        st.caption(sentences.as_text(f"The first {_MOST} of {len(names):,} counters have a slider; the others keep the measured counts."))
        names = names[:_MOST]
    counts = []
    for name in names:
        place = example.counters.index(name)
        counts.append((name, _slider(frame, name, float(own[place]), example.X[:, place], least=1.0 if name == work else 0.0)))
    return tuple(counts)


def _slider(frame: Frame, name: str, own: float, every: np.ndarray, *, least: float) -> float:
    """From 0 to well above usual counts; its default is the phase's own count."""
    key = frame.page.key(f"if-{name}")
    most = max(2 * own, 1.5 * float(np.quantile(every, 0.98)), 10.0)
    step = max(1.0, _round(most / _STEPS)) if most >= _STEPS else most / _STEPS
    most, least = step * math.ceil(most / step), min(least, own)
    stands = st.session_state.get(key)
    if stands is not None and not least <= stands <= most:
        st.session_state[key] = min(max(stands, least), most)
    remember_default(frame.page, key, own)
    warn_of_link(key, name, None, least, most)
    text = sentences.as_text(f"{name} of the phase; measured: {what_if.in_full(own)}.")
    return float(st.slider(sentences.as_text(name), least, most, own, step, "localized", key=key, bind="query-params", help=text))


def _round(step: float) -> float:
    """1, 2 or 5 times a power of ten, at most `step`."""
    power = 10.0 ** math.floor(math.log10(step))
    return power * max(each for each in (1.0, 2.0, 5.0) if each * power <= step or each == 1.0)


def _go_to(picked: Picked) -> None:
    """Start at the clicked phase."""
    program, phase = picked
    put(PAGE.key("start"), str(program))
    put(PAGE.key("start_phase"), int(phase))


PARTS = {
    "what-if": Tab(place="side", controls=_controls, on_pick=_go_to),
    "models": Tab(place="above", controls=kept_models.controls),
}
