"""The Signatures page's form: strategy and rules, the node's roofs and limits, k-medoids, EAR's files, the job, the reference policy."""

from collections.abc import Callable

import streamlit as st

from hemcore.analysis import Question
from hemcore.charts.signatures.points import facts
from hemcore.datasets.tables.signature_table import SignatureTable
from hemcore.params import control
from hemcore.signatures import PROCESSORS, THRESHOLDS, SignatureParams
from hemcore.signatures.analysis import JOB
from hemcore.signatures.params import ASSUMED
from hemcore.web import ask
from hemcore.web.form import Values, put
from hemcore.web.frame import Frame

_AUTOMATIC = "automatic"


def params_choice(frame: Frame, table: SignatureTable) -> SignatureParams:
    """All parameters. Raises ParameterError for a file's line that is none, and for two that need each other."""
    form, known = frame.form, facts(table)
    chosen: Values = {}
    if known.loops:
        jobs = ask.answer(Question(analysis=JOB, dataset=frame.dataset.id, params=SignatureParams())).jobs
        chosen |= form.values(SignatureParams, ("job",), choices={"job": list(jobs)})
    chosen |= _machine(frame) | _one_of(frame, "strategy") | form.values(SignatureParams, ("rules",))
    with st.expander("Roofline"):
        chosen |= form.values(SignatureParams, ("peak_gbs", "peak_gflops", "n_cpus"), empty="by the processor")
        chosen |= form.values(SignatureParams, ("bandwidth_share",))
    with st.expander("Default thresholds"):
        _preset(frame, "architecture", "Architecture", {name: each.source for name, each in THRESHOLDS.items()}, _take_limits)
        chosen |= form.values(SignatureParams, ("cpu_cpi", "cpu_gbs", "mem_cpi", "mem_gbs"))
    with st.expander("k-medoids"):
        chosen |= form.values(SignatureParams, ("n_clusters", "scale"))
        chosen |= _one_of(frame, "set_aside")
        chosen |= form.values(SignatureParams, ("seed",))
    with st.expander("EAR's files"):
        chosen |= form.values(SignatureParams, ("medoids", "extremes", "order"))
    if known.policies:
        with st.expander("Policies"):
            policies = [_AUTOMATIC, *sorted({str(each).strip() for each in table.first["POLICY"].dropna()} - {"", _AUTOMATIC})]
            found = form.values(SignatureParams, ("reference_policy", "reference_khz"), choices={"reference_policy": policies})
        chosen |= found | ({"reference_policy": ""} if found["reference_policy"] == _AUTOMATIC else {})
    return SignatureParams(**chosen)


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
