"""What a slider does, shown below it: the change of the answer from the baseline in words, and the answer over the whole range."""

from collections.abc import Sequence

import streamlit as st

from hemcore.analysis import Question, ResultT
from hemcore.charts.slider_pictures import slider_strip
from hemcore.charts.small import Mark, SmallPicture
from hemcore.errors import HemError
from hemcore.jobs import Job
from hemcore.params import Params
from hemcore.slider_curve import SliderCurve
from hemcore.web import ask, drawing, sentences
from hemcore.web.actions import baseline
from hemcore.web.everywhere.made_once import once
from hemcore.web.frame import Frame


def show(
    frame: Frame,
    curves: Sequence[SliderCurve],
    params: Params,
    *,
    usual: float | None = None,
    usual_name: str = "default",
    allowed: tuple[float, float] | None = None,
    known: Sequence[Mark] = (),
    waits: Job | None = None,
) -> None:
    """The strip of `params` for curves of one parameter, at least one; the change is in the words of the first.

    It begins at `start` (where `usual`, default: the field's default, is called `usual_name`). allowed, known: as of slider_strip. waits:
    the job that computes the rest of the curves; until it is done there are only the words.
    """
    curve = curves[0]
    now = float(getattr(params, curve.field))
    before, name = start(frame, params, curve.field, usual, usual_name)
    st.caption(sentences.as_text(curve.sentence(now, before, name)))
    if waits is not None and waits.state != "done":
        _watch(waits, f"The curve over other values of {curve.label}")
        return
    drawing.show_small(once(_strip, now, before, name, allowed, tuple(known), *curves))


def start(frame: Frame, params: Params, field: str, usual: float | None = None, usual_name: str = "default") -> tuple[float, str]:
    """Where the change of a field begins and what that is called: at the pinned baseline if it is about the same dataset, else at
    `usual` (default: the field's default)."""
    pinned = baseline.value_pinned(frame.page, frame.dataset.id, field)
    if pinned is not None:
        return pinned, "baseline"
    return float(type(params).model_fields[field].default if usual is None else usual), usual_name


def _strip(
    now: float, before: float, name: str, allowed: tuple[float, float] | None, known: Sequence[Mark], *curves: SliderCurve
) -> SmallPicture:
    return slider_strip(curves, now, before, name=name, allowed=allowed, known=known)


def answer(question: Question[ResultT]) -> ResultT | None:
    """The answer that a strip needs, if it is there; else its job is started, and the strip comes when that is done. None also where it
    has none: pages show why."""
    try:
        found = ask.at_hand(question)
        if found is None and not ask.why_not(question):
            ask.start(question)
            _watch(ask.aside(question), "What this changes")
    except HemError:  # the page's own question fails for the same reason, and says so
        return None
    return found


@st.fragment(run_every=0.5)
def _watch(job: Job, what: str) -> None:
    """That `what` is coming; the page runs again when it is there. Nothing where the job failed."""
    if not job.finished:
        st.caption(f":material/hourglass_empty: {sentences.as_text(what)} is being computed.")
    elif job.state == "done":
        sentences.rerun()
