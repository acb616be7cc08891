"""What can be chosen of the Multiplexing page's pictures, and what a click on them does."""

import streamlit as st

from hemcore.charts.mpx import curves
from hemcore.charts.mpx.view import METHODS, MOST_BESIDE, MOST_EVENTS, TRAINED, MpxView
from hemcore.charts.picture import Scene
from hemcore.errors import ParameterError
from hemcore.web.choose_many import several
from hemcore.web.drawing import Picked
from hemcore.web.form import put
from hemcore.web.frame import Frame, Tab
from hemcore.web.multiplexing import PAGE


def _curves(frame: Frame, scene: Scene) -> dict[str, object]:
    events, first = list(scene.result.telling), curves.shown_events(scene)
    own = [each for each in scene.result.curves.estimates if each != scene.result.params.method]
    left, right = st.columns(2)
    with left:
        shown = several(frame.page, "events", "Events", events, first, most=MOST_EVENTS, placeholder="None")
    with right:
        usual = ["fixed"] if "fixed" in own else []
        beside = several(frame.page, "beside", "Also drawn", own, usual, most=MOST_BESIDE, placeholder="None")
    if not shown:
        raise ParameterError("Events: none is chosen. Choose at least one.")
    return {"events": shown, "beside": beside}


def _score(frame: Frame, scene: Scene) -> dict[str, object]:
    return frame.form.values(MpxView, ("score",), choices={"score": ["RA", "WA", "total"]})


def _scores(frame: Frame, scene: Scene) -> dict[str, object]:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        return frame.form.values(MpxView, ("by",)) | frame.form.values(MpxView, ("score",))


def _compared(frame: Frame, scene: Scene) -> dict[str, object]:
    tried = [] if scene.more is None else [name for name in TRAINED if name in set(scene.more.rows["method"].astype(str))]
    first, options = ["fixed", "linear", "harmonic", "by event", *tried], [*METHODS, *tried]
    chosen = several(frame.page, "compared", "Estimators", options, first, most=len(options), placeholder="None")
    return {"compared": chosen}


def _open_pair(picked: list[str]) -> None:
    """The curve of the cell that was clicked: its event, by its estimator."""
    event, method = (str(each) for each in picked)
    put(PAGE.key("event"), event)
    if method in METHODS:
        put(PAGE.key("method"), method)
    st.session_state.pop(PAGE.key("events"), None)
    put(PAGE.key("view"), "Curves")


def _open_row(picked: list[str]) -> None:
    """The application (or the event) and the estimator of the cell that was clicked; nothing for the mean."""
    row, method = (str(each) for each in picked)
    if row == "mean":
        return
    if st.session_state.get(PAGE.key("by"), "application") == "event":
        _open_pair([row, method])
        return
    put(PAGE.key("application"), row)
    if method in METHODS:
        put(PAGE.key("method"), method)
    put(PAGE.key("view"), "Curves")


def _take_k(picked: Picked) -> None:
    key = PAGE.key("slots_per_count")
    # Of a series that was multiplexed already the form has no k.
    if key in st.session_state:
        put(key, int(float(picked[0] if isinstance(picked, list) else picked)))


PARTS = {
    "curves": Tab(controls=_curves),
    "events": Tab(controls=_score, on_pick=_open_pair),
    "applications": Tab(controls=_scores, on_pick=_open_row),
    "what-if": Tab(controls=_compared, on_pick=_take_k),
}
