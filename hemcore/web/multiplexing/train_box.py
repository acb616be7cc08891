"""Training on the Multiplexing page: a job with a live loss curve; the model is stored with the data and offered if its events fit."""

from dataclasses import replace
from functools import partial

import pandas as pd
import streamlit as st

from hemcore import __version__, jobs
from hemcore.analysis import Question
from hemcore.charts.mpx import losses as loss_chart
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import HemError, Remedy
from hemcore.headline import percent
from hemcore.jobs import Job
from hemcore.mpx.counted_share import measured
from hemcore.mpx.estimator_names import info_of
from hemcore.mpx.learned.kept_networks import ModelShelf
from hemcore.mpx.learned.network import TrainedModel
from hemcore.mpx.learned.params import TrainParams
from hemcore.mpx.learned.require import require_training_packages
from hemcore.mpx.learned.train import BY_PROGRAM, TRAIN, Training
from hemcore.mpx.learned.training_losses import losses_of
from hemcore.mpx.params import MpxParams
from hemcore.mpx.prepared import USUAL_SLOTS_PER_COUNT
from hemcore.params import control
from hemcore.web import choices, drawing, sentences, shelf, tables
from hemcore.web.form import Values, put, remember_default, warn_of_link
from hemcore.web.frame import Frame
from hemcore.web.multiplexing import PAGE

_NONE, _TITLE = "none", "Train a model on runs whose truth is known"
_WAITS = {"queued": "waiting for a worker", "running": "reading the series"}
_SPLITS = (
    "Runs: held-out runs of the programs in training. Programs: the ones left out, which get the untrained estimate; “everywhere” shows "
    "the effect of correcting them too."
)
_PREFERRED = f"{PAGE.name}:preferred-model"
# The most recent models; more would not fit their cache.
_MOST = 8


def choice(frame: Frame, table: CounterSeries) -> Values:
    """The model to use, among those that fit the events, and the box to train one; "model" is "" if none is chosen.

    "models": of those trained on the application, the most recent one per k.
    """
    offered = _offered(ModelShelf(shelf.store().root), table)
    application, chosen = str(frame.form.stands("application")), _NONE
    if offered:
        key = PAGE.key("model")
        options = [_NONE, *offered]
        if st.session_state.get(key) not in (None, *options):
            del st.session_state[key]
        suited = next((label for label, each in offered.items() if _suits(each, application, frame, table)), None)
        if suited is not None and st.session_state.get(key) is None and not choices.linked(PAGE):
            # The most recent one trained on the program, at this k; by name, since an address without a model never has one.
            put(key, suited)
        remember_default(PAGE, key, _NONE)
        warn_of_link(key, "Trained model", options)
        help = MpxParams.model_fields["model"].description
        chosen = str(st.selectbox("Trained model", options, index=0, key=key, bind="query-params", help=help))
    model = offered.get(chosen)
    if model is not None:
        st.caption(sentences.as_text(_fits(model, application)))
    _prefer(frame, chosen if model is not None and application in model.programs else "")
    if table.mode == "OCOE" or table.truth is not None:
        _box(frame, table)
    of_k = {each.slots_per_count: each.id for each in reversed(offered.values()) if application in each.programs}
    return {"model": "" if model is None else model.id, "models": tuple(of_k[k] for k in sorted(of_k))}


def _prefer(frame: Frame, model: str) -> None:
    """Draw the curves with a model trained on the program, unless another estimator was chosen or a link says what is drawn."""
    if st.session_state.get(_PREFERRED, "") == model:
        return
    st.session_state[_PREFERRED] = model
    if choices.linked(PAGE):
        return
    stands = frame.form.stands("method")
    usual = MpxParams.model_fields["method"].default
    if model and stands in (None, usual) and PAGE.key("method") not in st.query_params:
        frame.form.put("method", "trained curve")


def _suits(model: TrainedModel, application: str, frame: Frame, table: CounterSeries) -> bool:
    k = frame.form.stands("slots_per_count") or (measured(table).slots_per_count if table.mode == "MPX" else None)
    return application in model.programs and round(float(k or USUAL_SLOTS_PER_COUNT)) == (model.slots_per_count or USUAL_SLOTS_PER_COUNT)


@st.cache_resource(max_entries=8, show_spinner=False)
def _read(root: str, id: str) -> TrainedModel | None:
    try:
        return ModelShelf(shelf.store().root).load(id)
    except HemError:  # damaged: it is not offered
        return None


def _offered(models: ModelShelf, table: CounterSeries) -> dict[str, TrainedModel]:
    """By label, the most recent first."""
    read = [_read(str(shelf.store().root), id) for id in models.ids()[:_MOST]]
    return {_label(model): model for model in read if model is not None and model.fits(table.events)}


def _label(model: TrainedModel) -> str:
    programs = f"{len(model.programs)} program{'' if len(model.programs) == 1 else 's'}"
    return f"{model.kind}, 1 in {model.slots_per_count}, {programs} · {model.id[:8]}"


def _fits(model: TrainedModel, application: str) -> str:
    scored = f"{_of_runs(model)}{_of_programs(model)}"
    if application in model.programs:
        return f"It was trained on runs of {application}.{scored} Runs used in training score too high."
    return f"It was not trained on {application}: its curve is harmonic, its counts log(1 + y).{scored}"


def _of_runs(model: TrainedModel) -> str:
    ra = model.scores.get("trained curve:ra")
    return "" if ra is None else f" By run: RA {percent(ra)} on held-out runs, harmonic {percent(model.scores['harmonic:ra'])}."


def _of_programs(model: TrainedModel) -> str:
    ra = model.scores.get(f"{BY_PROGRAM}trained curve, everywhere:ra")
    if ra is None or not model.left_out:
        return " By program: no score, since it was trained on all of them." if model.kind == "all events" else ""
    base = model.scores[f"{BY_PROGRAM}harmonic:ra"]
    return (
        f" By program ({', '.join(model.left_out)} left out): RA {percent(ra)} if corrected, {percent(base)} with harmonic, which they get."
    )


def _box(frame: Frame, table: CounterSeries) -> None:
    """Under the pictures, where a loss curve has room; what is inside is made when it is open."""
    with frame.under, st.expander(_TITLE, icon=":material/model_training:", key=PAGE.key("train-a-model-box"), on_change="rerun") as box:
        if not box.open:
            return
        with sentences.show_errors(stop=False):
            require_training_packages()
            question = Question(analysis=TRAIN, dataset=frame.dataset.id, params=TrainParams(**_form(table)))
            job = jobs.find(question.id)
            words = "Training" if _runs(job) else "Trained" if _done(job) else "Train"
            st.button(words, key=PAGE.key("train"), type="primary", on_click=_start, args=(question,), disabled=words != "Train")
            for each in reversed(jobs.jobs()):
                if each.question is not None and each.question.analysis is TRAIN and each.question.dataset == frame.dataset.id:
                    if each.finished:  # it changes no more, and what is done with it changes the page
                        _watch(each, False)
                    else:
                        st.fragment(_watch, run_every=1.0)(each, True)


def _form(table: CounterSeries) -> Values:
    values: Values = {}
    with st.container(key="train-fields"):
        for column, name in zip(st.columns(4), ("estimator", "slots_per_count", "steps", "held_out"), strict=True):
            with column:
                values |= _field(name)
        left, right = st.columns([3, 1])
        with left:
            values |= _left_out(table)
        with right:
            values |= _field("seed")
    return values


def _start(question: Question) -> None:
    jobs.submit(question)


def _left_out(table: CounterSeries) -> Values:
    """Programs that score the model as programs that it has not seen; nothing to choose of one program."""
    field = control(TrainParams, "left_out")
    programs = [str(name) for name in table.applications]
    if len(programs) < 2:
        return {}
    key = PAGE.key("train-left_out")
    stands = st.session_state.get(key)
    if stands is not None and not set(stands) <= set(programs):  # of another series
        st.session_state[key] = [each for each in stands if each in programs]
    shared: Values = {"key": key, "help": field.description, "persist_state": "session"}
    return {"left_out": tuple(st.multiselect(field.label, programs, placeholder="None", max_selections=len(programs) - 1, **shared))}


def _field(name: str) -> Values:
    field = control(TrainParams, name)
    shared: Values = {"key": PAGE.key(f"train-{name}"), "help": field.description, "persist_state": "session"}
    if field.choices is not None:
        return {name: st.selectbox(field.label, field.choices, index=field.choices.index(field.default), **shared)}
    bounds = {"min_value": field.low, "max_value": field.high, "step": field.step, "value": field.default}
    return {name: st.number_input(field.label, **{each: field.kind(value) for each, value in bounds.items()}, **shared)}


def _runs(job: Job | None) -> bool:
    return job is not None and not job.finished


def _done(job: Job | None) -> bool:
    return job is not None and job.state == "done"


def _watch(job: Job, runs: bool) -> None:
    """A training: its loss curve, the time left and a way to stop it; once it is done, what it reaches and the way to keep it.

    runs: whether it did when the page was drawn; when it has ended since, the rest of the page has to know.
    """
    if runs and job.finished:
        sentences.rerun()
    with st.container(border=True):
        st.markdown(f"**{sentences.as_text(_settings_of(job))}**")
        losses = losses_of(note for _, note in job.trail)
        if len(losses):
            drawing.show(loss_chart.draw(losses, key=job.id), key=PAGE.key(f"losses-{job.id[:8]}"), alt="loss curve", still=True)
        if not job.finished:
            left = "" if job.remaining is None else f", about {job.remaining:.0f} s left"
            st.progress(job.progress, text=sentences.as_text(f"{job.note or _WAITS.get(job.state, job.state)}{left}"))
            st.button("Cancel", key=PAGE.key(f"cancel-{job.id}"), icon=":material/stop:", on_click=job.cancel, disabled=job.cancel_asked)
        elif job.state == "done":
            with sentences.show_errors(stop=False):
                assert TRAIN.verdict is not None
                assert job.question is not None
                found = job.result()
                verdict = TRAIN.verdict(found)
                st.markdown(sentences.as_text(verdict.full_text))
                _scores(found)
                with st.container(horizontal=True, vertical_alignment="center"):
                    st.button("Keep and use", key=PAGE.key(f"keep-{job.id}"), type="primary", on_click=_keep, args=(job,))
                    for step in verdict.remedies:
                        act = sentences.link_of(step, job.question.dataset) if step.page else partial(_take, job.question, step)
                        sentences.button((step.label, act), PAGE.key(f"step-{job.id}"))
        else:
            st.caption(sentences.as_text(job.error or f"{job.kind}: no result."))


def _take(question: Question, step: Remedy) -> None:
    """The next step of a training: trained anew with what it sets, or another estimator chosen on the page."""
    anew = {name: value for name, value in step.choose.items() if name in TrainParams.model_fields}
    for name, value in step.choose.items():
        put(PAGE.key(f"train-{name}" if name in anew else name), value)
    if anew:
        _start(replace(question, params=question.params.but(**anew)))


def _settings_of(job: Job) -> str:
    """The settings that distinguish one training from another."""
    assert job.question is not None
    params = job.question.params
    assert isinstance(params, TrainParams)
    settings = [params.estimator, f"1 slot in {params.slots_per_count}" if params.slots_per_count else "as measured"]
    settings += [f"{params.steps:,} steps"] if params.estimator == "all events" else []
    settings += [f"without {', '.join(params.left_out)}"] if params.left_out else []
    return ", ".join([*settings, f"{percent(params.held_out)} held out", f"seed {params.seed}"])


def _scores(found: Training) -> None:
    """RA and WA on held-out runs and on programs left out."""
    scores = {"runs": found.scores, "programs": found.by_program}
    columns = {}
    for name, rows in scores.items():
        for score in ("ra", "wa"):
            columns[f"{score.upper()}, {name}"] = rows.set_index("method")[score]
    wide = pd.DataFrame(columns).dropna(axis="columns", how="all").dropna(how="all")
    if len(wide):
        every = pd.concat(list(scores.values()))["method"].drop_duplicates()
        wide = wide.reindex([name for name in every if name in wide.index])
        shown = wide.map(lambda share: "" if pd.isna(share) else percent(share, 1))
        tables.show_plain(shown.rename(index=lambda name: info_of(str(name)).title).rename_axis("estimator").reset_index())
        st.caption(_SPLITS)


def _keep(job: Job) -> None:
    try:
        assert job.question is not None
        model = replace(job.result().model, parent=job.question.dataset, version=__version__)
        ModelShelf(shelf.store().root).keep(model)
    except HemError as error:
        st.toast(sentences.as_text(str(error)), icon=":material/error:")
        return
    put(PAGE.key("model"), _label(model))
    put(PAGE.key("method"), "trained curve")
    st.toast("The model is kept and used.", icon=":material/check:")
