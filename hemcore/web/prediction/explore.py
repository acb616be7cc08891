"""Controls and clicks of the tabs that explore counters and phases."""

import streamlit as st

from hemcore.charts.picture import Scene
from hemcore.charts.prediction.phases import colours_of
from hemcore.charts.prediction.two import pair
from hemcore.charts.prediction.view import PredictionView
from hemcore.web.drawing import Picked
from hemcore.web.form import put
from hemcore.web.frame import Frame, Tab
from hemcore.web.prediction import PAGE
from hemcore.web.selection import Selection

_DIGITS = 12  # of a row number


def _pca(frame: Frame, scene: Scene) -> dict[str, object]:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        return _colour(frame, scene) | PHASE.chosen(frame.over)


def _two(frame: Frame, scene: Scene) -> dict[str, object]:
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
        return chosen | PHASE.chosen(frame.over)


def _colour(frame: Frame, scene: Scene) -> dict[str, object]:
    return frame.form.values(PredictionView, ("colour",), choices={"colour": colours_of(scene.table)})


def _pick(picked: Picked) -> None:
    PHASE.put(str(int(picked[0] if isinstance(picked, list) else picked)))


def _row(text: str) -> dict[str, object] | None:
    return {"row": int(text)} if text.isascii() and text.isdecimal() and len(text) <= _DIGITS else None


def _see_two(picked: Picked) -> None:
    """Show the pair of a clicked cell under Two counters; the second name (the target, for a bar) on the vertical axis."""
    across, up = (str(each) for each in picked)
    if across != up:
        put(PAGE.key("across"), across)
        put(PAGE.key("up"), up)
        put(PAGE.key("view"), "Two counters")


# The row number of the clicked phase.
PHASE = Selection(PAGE, "selected", _row)
PARTS = {
    "correlation": Tab(on_pick=_see_two),
    "pca": Tab(controls=_pca, on_pick=_pick),
    "two": Tab(controls=_two, on_pick=_pick),
}
