"""The form's fields for models: features, models, training phases, and what is held out."""

from collections.abc import Mapping, Sequence

import streamlit as st

from hemcore.analysis import Analysis
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.errors import ParameterError
from hemcore.params import control
from hemcore.prediction.models.feature_forms import FORMS, forms_of
from hemcore.prediction.models.model_names import MODEL_NAMES, current_name
from hemcore.prediction.models.trained_models import EVERYTHING
from hemcore.prediction.params import DEFAULT_MODELS, PredictionParams, features_of
from hemcore.web.choose_many import keep_those_there
from hemcore.web.form import Values, put, remember_default, warn_of_link
from hemcore.web.frame import Frame
from hemcore.web.prediction import PAGE, kept_models

_NEXT = f"{PAGE.name}:change-next"
_SAME, _ALL = "the same", "none: fitted on all"
# Models with intervals: those that are a single fit without settings to choose.
_WITH_INTERVALS = (
    "cost per event",
    *(name for name in MODEL_NAMES if name not in ("cost per event", "blend") and not name.startswith("copy")),
)


def params_choice(
    frame: Frame, analysis: Analysis, table: PhaseTable, chosen: Values, programs: Sequence[str], groups: Sequence[str]
) -> PredictionParams:
    """The parameters of the analysis, starting from `chosen`. programs: those that can be held out; groups: columns to hold out by.

    Raises ParameterError if no model is chosen.
    """
    _follow_older_names()
    form, reads = frame.form, analysis.reads
    chosen = dict(chosen)
    others = [name for name in table.counters if name != chosen["target"]]
    chosen["counters"] = names_choice(frame, "counters", others, [], placeholder="All events but the target")
    if "form" in reads:
        chosen |= _named(frame, "form", forms_of(table), {name: FORMS[name].label for name in FORMS})
    if "models" in reads:
        fitting = [name for name in MODEL_NAMES if len(table.loads) > 1 or not name.startswith("copy")]
        chosen["models"] = names_choice(frame, "models", fitting, DEFAULT_MODELS)
        if not chosen["models"]:
            raise ParameterError("Models: none is chosen. Choose at least one.")
        if "held_out" in reads:
            chosen |= _named(frame, "held_out", [*programs, EVERYTHING], {EVERYTHING: _ALL})
        else:
            chosen |= form.values(PredictionParams, ("model",), choices={"model": _WITH_INTERVALS})
    if "change" in reads:
        chosen |= _change(frame, chosen, programs)
    if "kept" in reads:
        chosen["kept"] = kept_models.choice(frame, table, chosen["target"])
    with st.expander("Training data"):
        if "train_load" in reads:
            for name, options in (("train_load", table.loads), ("train_granularity", table.granularities)):
                if len(options) > 1:
                    chosen |= _named(frame, name, ["", *(str(each) for each in options)], {"": _SAME})
        if len(groups) > 1 and "held_out" not in reads:
            chosen |= form.values(PredictionParams, ("group",), choices={"group": groups})
        chosen |= form.values(PredictionParams, ("most_phases",))
        if "n_bootstrap" in reads:
            chosen |= form.values(PredictionParams, ("n_bootstrap",))
        chosen |= form.values(PredictionParams, ("seed",))
    return PredictionParams(**chosen)


def _follow_older_names() -> None:
    """A link of before names models as they were named then."""
    linked = {name: st.query_params.get_all(PAGE.key(name)) for name in ("models", "model", "drawn", "beside")}
    named = {name: [current_name(each) for each in old] for name, old in linked.items()}
    if named != linked:
        for name, names in named.items():
            st.query_params[PAGE.key(name)] = names
        st.rerun()


def ask_next(values: Mapping[str, object]) -> None:
    """Set these fields of the change in the next run, before their widgets are drawn."""
    st.session_state[_NEXT] = dict(values)


def _change(frame: Frame, chosen: Values, programs: Sequence[str]) -> Values:
    """What changes, of what, and whether other counters go along."""
    for name, value in st.session_state.pop(_NEXT, {}).items():
        put(PAGE.key(name), value)
    scope = PAGE.key("scope")
    if PAGE.key("start_phase") in st.query_params and scope not in st.query_params and scope not in st.session_state:
        put(scope, "phase")  # a link of before, when only a phase could change
    found = frame.form.values(PredictionParams, ("change", "scope", "together"))
    if found["scope"] != "all programs" and chosen["held_out"] == EVERYTHING:
        found |= frame.form.values(PredictionParams, ("start",), choices={"start": programs})
    if found["scope"] == "phase":
        found |= frame.form.values(PredictionParams, ("start_phase",))
    return found


def names_choice(frame: Frame, name: str, options: Sequence[str], default: Sequence[str], *, placeholder: str = "None") -> str:
    """Several of `options`, as the text of the parameter; a baseline's text is accepted too."""
    field, key = control(PredictionParams, name), frame.page.key(name)
    keep_those_there(key, options, lambda text: features_of(text, options) if text else [])
    first = [each for each in default if each in options]
    remember_default(frame.page, key, first)
    warn_of_link(key, field.title, options)
    shared: Values = {"key": key, "bind": "query-params", "help": field.description, "placeholder": placeholder}
    return "; ".join(st.multiselect(field.title, list(options), default=first, **shared))


def _named(frame: Frame, name: str, options: Sequence[str], labels: Mapping[str, str]) -> Values:
    """A list whose options have display texts, which are part of the link; a baseline's value is accepted too."""
    shown = {labels.get(option, option): option for option in options}
    stands = frame.form.stands(name)
    if stands not in (None, *shown) and stands in options:
        frame.form.put(name, labels[stands])
    chosen = frame.form.values(PredictionParams, (name,), choices={name: list(shown)}, listed=True)
    return {name: shown[chosen[name]]}
