"""Home's moving picture: a threshold, and the segments of a sample that follow it."""

import streamlit as st

from hemcore.errors import HemError
from hemcore.headline import counted_noun
from hemcore.web.page import Page
from hemcore.web.sentences import as_text

_KEY = "home.threshold"
_HEIGHT = 250


def draw(page: Page) -> None:
    """The segmentation page's first sample under a slider; nothing without the sample."""
    from hemcore.web import shelf

    if shelf.start_entry(page.start[0]) is not None:
        _picture(page)


@st.fragment
def _picture(page: Page) -> None:
    from hemcore.charts.picture import Scene
    from hemcore.registry import pictures_of
    from hemcore.web import ask, drawing, shelf
    from hemcore.web.starts.previews import question_of, small

    try:
        question = question_of(page)
        table = shelf.table(question.dataset)
        stands = float(st.session_state.get(_KEY, page.start[0].choices["threshold"]))
        question = type(question)(analysis=question.analysis, dataset=question.dataset, params=question.params.but(threshold=stands))
        result = ask.here(question)
    except HemError:  # the card below says why
        return
    picture = pictures_of(question.analysis.name)[page.picture]
    scene = Scene(question=question, table=table, result=result)
    figure = small(picture.draw(scene)[0]).update_layout(height=_HEIGHT, yaxis_title_standoff=8)
    st.slider("Move the threshold: how strong must a change be?", 1.0, 100.0, stands, 1.0, key=_KEY)
    live = picture.live(scene)
    phases = counted_noun(len(result.run.models), "phase")
    st.markdown(f"**{as_text(result.params.application)}, run {result.run.samples.run}: {phases} at this threshold**")
    drawing.show(
        figure,
        key="home.moving",
        alt=f"{page.title}: the segments at this threshold",
        live=live,
        slider=_KEY,
        stands=stands,
        rest=question.dataset,
    )
    event = as_text(result.params.event)
    st.caption(f"Thin: {event} as counted. Thick: the mean of a phase; every second phase is gray. Violet: the real stages.")
