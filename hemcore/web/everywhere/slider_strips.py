"""What a slider does, shown below it: the change of the answer from the baseline in words, and the answer over the whole range."""

from collections.abc import Sequence

import streamlit as st

from hemcore.analysis import Question, ResultT
from hemcore.charts.slider_pictures import slider_strip
from hemcore.charts.small import Mark, SmallPicture
from hemcore.errors import HemError
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
) -> None:
    """The strip of `params` for curves of one parameter, at least one; the change is in the words of the first.

    It begins at the value of the pinned baseline if that is about the same dataset, else at `usual` (default: the field's default),
    called `usual_name`. allowed, known: as of slider_strip.
    """
    curve = curves[0]
    now = float(getattr(params, curve.field))
    before, name = float(type(params).model_fields[curve.field].default if usual is None else usual), usual_name
    pinned = baseline.value_pinned(frame.page, frame.dataset.id, curve.field)
    if pinned is not None:
        before, name = pinned, "baseline"
    st.caption(sentences.as_text(curve.sentence(now, before, name)))
    drawing.show_small(once(_strip, now, before, name, allowed, tuple(known), *curves))


def _strip(
    now: float, before: float, name: str, allowed: tuple[float, float] | None, known: Sequence[Mark], *curves: SliderCurve
) -> SmallPicture:
    return slider_strip(curves, now, before, name=name, allowed=allowed, known=known)


def answer(question: Question[ResultT]) -> ResultT | None:
    """The answer that a strip needs, if it is there; else a sentence, and its job is started. None if it has none: pages show why."""
    try:
        found = ask.at_hand(question)
        if found is None and not ask.why_not(question):
            ask.start(question)
            st.caption("What this changes is being computed and will appear with the next change on this page.")
    except HemError:  # the page's own question fails for the same reason, and says so
        return None
    return found
