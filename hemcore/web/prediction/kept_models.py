"""Saved models: saved from the page, listed, used in a what-if, downloaded and deleted."""

from pathlib import Path

import streamlit as st

from hemcore.charts.picture import Scene
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.errors import HemError
from hemcore.headline import counted_noun, percent
from hemcore.params import control
from hemcore.prediction.evaluate.scenarios import WhatIf, unfit
from hemcore.prediction.models.model_files import KeptModel, delete_model, keep_model, kept_ids, kept_models, model_bytes, model_kept
from hemcore.prediction.params import PredictionParams, names_of
from hemcore.web import sentences, shelf
from hemcore.web.actions.downloads import slug
from hemcore.web.choose_many import keep_those_there
from hemcore.web.form import put, remember_default, warn_of_link
from hemcore.web.frame import Frame
from hemcore.web.prediction import PAGE
from hemcore.web.team import pin_button

# Only the most recent models are listed, each read once.
_MOST = 20


def choice(frame: Frame, table: PhaseTable, target: str) -> str:
    """The ids of the chosen saved models, from those that fit the table; "" if there are none."""
    offered = {_label(id, model): id for id, model in _known().items() if not unfit(model, target, table.counters)}
    key, field = PAGE.key("kept"), control(PredictionParams, "kept")
    keep_those_there(key, list(offered), lambda ids: [label for label, id in offered.items() if id in names_of(ids)])
    if not offered:
        return ""
    remember_default(PAGE, key, [])
    warn_of_link(key, field.title, list(offered))
    chosen = st.multiselect(
        field.title, list(offered), default=[], key=key, bind="query-params", help=field.description, placeholder="None"
    )
    return "; ".join(offered[each] for each in chosen)


def controls(frame: Frame, scene: Scene) -> dict[str, object]:
    """The controls to save a model, and the list of saved models."""
    found: WhatIf = scene.result
    ready = kept_models(found.ready, dataset=frame.dataset.id)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        key = PAGE.key("keep-model")
        name = str(st.selectbox("Model to save", list(found.ready.summary["model"]), key=key, persist_state="session"))
        model = ready[name]
        st.button("Save to the shelf", key=PAGE.key("keep-it"), icon=":material/library_add:", on_click=_keep, args=(model,))
        _download(model, "ready")
    kept = _known()
    if kept:
        st.markdown("**Saved models**")
    for id, each in kept.items():
        _row(id, each, found)
    return {}


def _row(id: str, model: KeptModel, found: WhatIf) -> None:
    """One saved model, with what can be done with it."""
    why = unfit(model, found.ready.target, found.ready.example.counters)
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        error = f"; error on programs left out: {percent(model.scores['mape'], 1)}" if "mape" in model.scores else ""
        if not why:
            here = found.error_here(model)
            error += f"; here {percent(here.mape, 1)}" + ("" if here.unseen else ", on programs it was trained on")
        programs = counted_noun(len(model.programs), "program")
        about = f"{model.target} from {counted_noun(len(model.counters), 'counter')}, trained on {programs}{error}."
        text = f"**{sentences.as_text(_label(id, model))}**  \n{sentences.as_text(about)}"
        st.markdown(f"{text} {sentences.as_text(f'Not for these phases: {why}.') if why else ''}", width="stretch")
        st.button("Use", key=PAGE.key(f"use-{id[:12]}"), icon=":material/play_arrow:", on_click=_use, args=(id, model), disabled=bool(why))
        _download(model, id[:12])
        pin_button.show(PAGE, id, f"pin-{id[:12]}")
        with st.popover("Delete", icon=":material/delete:"):
            st.caption("A deleted model cannot be restored, but it can be trained again.")
            st.button("Delete it", key=PAGE.key(f"delete-{id[:12]}"), type="primary", on_click=_delete, args=(id,))


def _download(model: KeptModel, name: str) -> None:
    file = f"{slug(model.name)}_{slug(model.target)}.model.npz"
    st.download_button(
        "Download", lambda: model_bytes(model), file_name=file, mime="application/octet-stream", key=PAGE.key(f"model-{name}"),
        icon=":material/download:", on_click="ignore",
    )  # fmt: skip


def _label(id: str, model: KeptModel) -> str:
    return f"{model.name} · {id[:8]}"


def _known() -> dict[str, KeptModel]:
    """The saved models by id, most recent first; damaged ones are skipped."""
    root = shelf.store().root
    read = {id: _read(str(root), id) for id in kept_ids(root)[:_MOST]}
    return {id: model for id, model in read.items() if model is not None}


@st.cache_resource(max_entries=_MOST, show_spinner=False)
def _read(root: str, id: str) -> KeptModel | None:
    try:
        return model_kept(id, Path(root))
    except HemError:  # damaged: not listed
        return None


def _keep(model: KeptModel) -> None:
    try:
        keep_model(model, shelf.store().root)
    except HemError as error:
        st.toast(sentences.as_text(str(error)), icon=":material/error:")
        return
    st.toast(f"Saved: {sentences.as_text(model.name)}.", icon=":material/check:")


def _use(id: str, model: KeptModel) -> None:
    key, label = PAGE.key("kept"), _label(id, model)
    stands = st.session_state.get(key) or []
    put(key, [*(each for each in stands if each != label), label])
    put(PAGE.key("view"), "What if")


def _delete(id: str) -> None:
    try:
        delete_model(id, shelf.store().root)
    except HemError as error:
        st.toast(sentences.as_text(str(error)), icon=":material/error:")
        return
    st.toast("Model deleted.", icon=":material/check:")
