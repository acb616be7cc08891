"""The Multiplexing page's form: the counts, slots per count, estimators and cleaning."""

import streamlit as st

from hemcore.analysis import Question
from hemcore.charts.mpx.view import METHODS, TRAINED
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.headline import amount
from hemcore.mpx import MpxParams
from hemcore.mpx.counted_share import measured
from hemcore.mpx.estimator_names import info_of
from hemcore.mpx.prepared import USUAL_SLOTS_PER_COUNT
from hemcore.mpx.rotation_scores import ROTATIONS, can_rotate, rotation_curve
from hemcore.web import sentences
from hemcore.web.everywhere import slider_strips
from hemcore.web.everywhere.made_once import once
from hemcore.web.form import Slider, Values
from hemcore.web.frame import Frame
from hemcore.web.multiplexing import PAGE, pairs, train_box

_MOST_SLOTS = 16
_AUTOMATIC = "automatic"
_MODE = f"{PAGE.name}:mode"
_FILLED = (
    "The tool reports a value for every slot; 1 slot in k is kept and the others are estimated again. First group, under Cleaning and "
    "scoring, sets where the rotation begins."
)


def series_choice(frame: Frame, table: CounterSeries) -> Values:
    """Application, run and event, from what the table has; for a multiplexed series, what it is compared with."""
    form = frame.form
    chosen = form.values(MpxParams, ("application",), choices={"application": table.applications})
    chosen |= form.values(MpxParams, ("run",), choices={"run": [int(run) for run in table.runs(chosen["application"])]})
    chosen |= form.values(MpxParams, ("event",), choices={"event": ["", *table.events]}, format_func=lambda event: event or _AUTOMATIC)
    pairs.choice(frame, table)
    return chosen


def params_choice(frame: Frame, table: CounterSeries, series: Values) -> MpxParams:
    """Slots per count with what they do, the estimators, and, in an expander, cleaning and scoring."""
    form = frame.form
    chosen = _slots_per_count(frame, table)
    strip = st.container(gap="small")
    chosen |= train_box.choice(frame, table)
    methods = (*METHODS, *TRAINED) if chosen["model"] else METHODS
    for name in ("method", "totals"):
        if form.stands(name) not in (None, *methods):  # of a model that is not chosen any more
            form.put(name, MpxParams.model_fields[name].default)
        chosen |= form.values(MpxParams, (name,), choices={name: methods}, listed=True)
    about = info_of(chosen["method"])
    hint = "Trained models suit the programs they were trained on; else use the per-event choice for curves, linear for totals."
    with st.expander("Cleaning and scoring"):
        st.caption(sentences.as_text(f"{about.title}: {about.description} {hint}"))
        chosen |= form.values(MpxParams, ("tail",), choices={"tail": ["last slot", "paper", "nothing"]}, listed=True)
        if chosen["tail"] == "paper":
            chosen |= form.values(MpxParams, ("tail_share", "tail_steps"))
        chosen |= form.values(MpxParams, ("min_share", "most_runs", "start", "clamp"))
    params = MpxParams(**series, **chosen)
    with strip:
        _rotations_picture(frame, table, params)
    return params


def _rotations_picture(frame: Frame, table: CounterSeries, params: MpxParams) -> None:
    """What other slots per count would do, below their slider."""
    if not can_rotate(table, params):
        return
    rows = slider_strips.answer(Question(analysis=ROTATIONS, dataset=frame.dataset.id, params=params))
    if rows is not None:
        usual = min(USUAL_SLOTS_PER_COUNT, len(table.events))
        at = params.but(slots_per_count=params.slots_per_count or usual)
        slider_strips.show(frame, [once(rotation_curve, rows, info_of(params.method).title)], at, usual=usual)


def _slots_per_count(frame: Frame, table: CounterSeries) -> Values:
    """k: a slider for what was counted all the time; for a multiplexed series as it was measured, and others where they can be tried."""
    form, most = frame.form, min(_MOST_SLOTS, len(table.events))
    kind = "OCOE" if table.mode == "OCOE" else "MPX"
    if st.session_state.get(_MODE, kind) != kind:  # k means something else for the other mode
        form.put("slots_per_count", min(USUAL_SLOTS_PER_COUNT, most) if kind == "OCOE" else 0)
    st.session_state[_MODE] = kind
    if most < 2:
        return {}
    if kind == "OCOE":
        if most == 2:
            return {}
        slider = {"slots_per_count": Slider(2, most, min(USUAL_SLOTS_PER_COUNT, most))}
        return form.values(MpxParams, ("slots_per_count",), sliders=slider)
    share = measured(table)
    k = "" if share.slots_per_count is None else f"1 in {amount(share.whole(most) if share.extrapolated else share.slots_per_count)}"
    if not share.extrapolated and table.truth is None:
        st.caption(f"Slots are hidden as measured: {k} counted. To try another k, pair the series with OCOE runs.")
        return {}
    # Numbers, as in the link of an OCOE series; the caption explains 0.
    options = [*([0] if k else []), *range(2, most + 1)]
    chosen = form.values(MpxParams, ("slots_per_count",), choices={"slots_per_count": options})
    if share.extrapolated:
        st.caption(f"0: from the running share, {k}" if k else "The file does not record how often it counted.", help=_FILLED)
    else:
        st.caption(f"0: as measured, {k}", help="Another k hides slots of the truth.")
    return chosen
