"""The Signatures page's form: strategy and rules, the node's roofs and limits, k-medoids, EAR's files, the job, the reference policy."""

from collections.abc import Callable, Mapping

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from hemcore.analysis import Question
from hemcore.charts.signatures.points import facts
from hemcore.datasets.tables.signature_table import SignatureTable
from hemcore.params import control
from hemcore.signatures import PROCESSORS, THRESHOLDS, SignatureParams
from hemcore.signatures.analysis import CLASSIFY, JOB, POLICIES
from hemcore.signatures.params import ASSUMED
from hemcore.signatures.signature_curves import class_curve, price_curve, saving_curve
from hemcore.web import ask
from hemcore.web.everywhere import slider_strips
from hemcore.web.everywhere.made_once import once
from hemcore.web.form import Values, put
from hemcore.web.frame import Frame

_AUTOMATIC = "automatic"


def params_choice(frame: Frame, table: SignatureTable) -> SignatureParams:
    """All parameters. Raises ParameterError for a file's line that is none, and for two that need each other."""
    form, known = frame.form, once(facts, table)
    chosen: Values = {}
    if known.loops:
        jobs = ask.answer(Question(analysis=JOB, dataset=frame.dataset.id, params=SignatureParams())).jobs
        chosen |= form.values(SignatureParams, ("job",), choices={"job": list(jobs)})
    strips: dict[str, DeltaGenerator] = {}
    chosen |= _machine(frame) | _one_of(frame, "strategy") | form.values(SignatureParams, ("rules",))
    with st.expander("Roofline"):
        chosen |= form.values(SignatureParams, ("peak_gbs", "peak_gflops", "n_cpus"), empty="by the processor")
        chosen |= _with_strips(frame, strips, "bandwidth_share")
    with st.expander("Default thresholds"):
        _preset(frame, "architecture", "Architecture", {name: each.source for name, each in THRESHOLDS.items()}, _take_limits)
        chosen |= _with_strips(frame, strips, "cpu_cpi", "cpu_gbs", "mem_cpi", "mem_gbs")
    with st.expander("k-medoids"):
        chosen |= form.values(SignatureParams, ("n_clusters", "scale"))
        chosen |= _one_of(frame, "set_aside")
        chosen |= form.values(SignatureParams, ("seed",))
    with st.expander("EAR's files"):
        chosen |= form.values(SignatureParams, ("medoids", "extremes", "order"))
    with st.expander("Policies and price"):
        if known.policies:
            policies = [_AUTOMATIC, *sorted({str(each).strip() for each in table.first["POLICY"].dropna()} - {"", _AUTOMATIC})]
            found = form.values(SignatureParams, ("reference_policy", "reference_khz"), choices={"reference_policy": policies})
            chosen |= found | ({"reference_policy": ""} if found["reference_policy"] == _AUTOMATIC else {})
            chosen |= _with_strips(frame, strips, "lost_time")
        chosen |= _with_strips(frame, strips, "price")
    params = SignatureParams(**chosen)
    _show_strips(frame, table, strips, params)
    return params


def _with_strips(frame: Frame, strips: dict[str, DeltaGenerator], *names: str) -> Values:
    """The fields, each with a place for its strip below it."""
    chosen: Values = {}
    for name in names:
        chosen |= frame.form.values(SignatureParams, (name,))
        strips[name] = st.container(gap="small")
    return chosen


def _show_strips(frame: Frame, table: SignatureTable, strips: Mapping[str, DeltaGenerator], params: SignatureParams) -> None:
    question = Question(analysis=CLASSIFY, dataset=frame.dataset.id, params=params)
    for name, place in strips.items():
        with place:
            if name == "price":
                curve = once(price_curve, table.frame)
            elif name == "lost_time":
                report = slider_strips.answer(question.about(POLICIES))
                curve = None if report is None else once(saving_curve, report)
            else:
                found = slider_strips.answer(question)
                curve = None if found is None else once(class_curve, found, name)
            if curve is not None:
                slider_strips.show(frame, [curve], params)


def _machine(frame: Frame) -> Values:
    """Which machine it is: asked first, since the rules judge by its peaks."""
    listed = frame.form.values(SignatureParams, ("processor",), choices={"processor": [ASSUMED, *PROCESSORS]})
    return listed | frame.form.values(SignatureParams, ("sockets",))


def _one_of(frame: Frame, name: str) -> Values:
    """A field with long options: a list, since they do not fit in one row."""
    return frame.form.values(SignatureParams, (name,), choices={name: list(control(SignatureParams, name).choices or ())}, listed=True)


def _preset(frame: Frame, name: str, title: str, sources: dict[str, str], take: Callable[[Frame, str], None]) -> None:
    key = frame.page.key(name)
    st.selectbox(
        title,
        list(sources),
        index=None,
        placeholder="Choose from a list",
        key=key,
        on_change=take,
        args=(frame, key),
        help="Fills in the fields below; you can still change each number.",
    )


def _take_limits(frame: Frame, key: str) -> None:
    name = st.session_state[key]
    if name is not None:
        limits = THRESHOLDS[name]
        for field in ("cpu_cpi", "cpu_gbs", "mem_cpi", "mem_gbs"):
            put(frame.page.key(field), float(getattr(limits, field)))
