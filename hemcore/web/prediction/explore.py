"""The tabs that look at counters and phases: what can be chosen of them, and what a click does."""

from typing import Any

import streamlit as st

from hemcore.charts.picture import Scene
from hemcore.charts.prediction.phases import colours_of
from hemcore.charts.prediction.two import pair
from hemcore.charts.prediction.view import PredictionView
from hemcore.web.form import put
from hemcore.web.frame import Frame, Tab
from hemcore.web.prediction import PAGE

# The place of the phase that was clicked, and the dataset that it is of.
_PICKED, _OF = f"{PAGE.name}:picked", f"{PAGE.name}:picked-of"


def _pca(frame: Frame, scene: Scene) -> dict[str, Any]:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        return _colour(frame, scene) | _phase(frame)


def _two(frame: Frame, scene: Scene) -> dict[str, Any]:
    counters = list(scene.table.counters)
    across, up = pair(scene)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = frame.form.values(
            PredictionView,
            ("across", "up"),
            choices={name: [first, *(each for each in counters if each != first)] for name, first in (("across", across), ("up", up))},
        )
        chosen |= _colour(frame, scene)
        chosen |= frame.form.values(PredictionView, ("rates",))
        return chosen | _phase(frame)


def _colour(frame: Frame, scene: Scene) -> dict[str, Any]:
    return frame.form.values(PredictionView, ("colour",), choices={"colour": colours_of(scene.table)})


def _phase(frame: Frame) -> dict[str, Any]:
    """The phase that was clicked in this dataset, and the button that forgets it."""
    state = st.session_state
    state[_OF], before = frame.dataset.id, state.get(_OF)
    if before != frame.dataset.id:
        state.pop(_PICKED, None)
    if _PICKED not in state:
        return {}
    st.button(
        "Forget the phase", key=frame.page.key("forget"), icon=":material/close:", type="tertiary",
        on_click=lambda: state.pop(_PICKED, None),
    )  # fmt: skip
    return {"row": state[_PICKED]}


def _pick(picked: Any) -> None:
    st.session_state[_PICKED] = int(picked[0] if isinstance(picked, list) else picked)


def _see_two(picked: Any) -> None:
    """The pair of a cell under Two counters; the target, which comes second in a bar, is drawn up."""
    across, up = (str(each) for each in picked)
    if across != up:
        put(PAGE.key("across"), across)
        put(PAGE.key("up"), up)
        put(PAGE.key("view"), "Two counters")


PARTS = {
    "correlation": Tab(on_pick=_see_two),
    "pca": Tab(controls=_pca, on_pick=_pick),
    "two": Tab(controls=_two, on_pick=_pick),
}
