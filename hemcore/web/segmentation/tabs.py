"""Controls of the Segmentation page's pictures, and the effects of clicks on them."""

import pandas as pd
import streamlit as st

from hemcore.charts.picture import Scene
from hemcore.charts.segmentation.event_picker import SegmentationView, shown_events
from hemcore.charts.segmentation.track_stack import MOST
from hemcore.errors import ParameterError
from hemcore.segmentation import application_shape
from hemcore.segmentation.analysis import RANKING
from hemcore.web import ask
from hemcore.web.choose_many import several
from hemcore.web.drawing import Picked
from hemcore.web.form import put
from hemcore.web.frame import Frame, Tab
from hemcore.web.segmentation import PAGE, span


def _choose_threshold(picked: Picked) -> None:
    put(PAGE.key("threshold"), round(float(picked[0] if isinstance(picked, list) else picked), 3))


def _open_event(key: str, profile: pd.DataFrame) -> None:
    rows = st.session_state[key].selection.rows
    if rows:
        put(PAGE.key("event"), str(profile["event"].iloc[rows[0]]))
        put(PAGE.key("view"), "Segments")


def _events(frame: Frame, scene: Scene) -> dict[str, object]:
    """The events to show; by default the chosen one and those that show phases most clearly."""
    counted = list(application_shape(scene.table, scene.result.params.application).events)
    ranking = ask.at_hand(scene.question.about(RANKING))
    first = shown_events(scene, [] if ranking is None else list(ranking.of_each["event"]))
    chosen = several(frame.page, "tracks", "Events", counted, first, follows=False, most=MOST)
    if not chosen:
        raise ParameterError("Events: none chosen. Choose at least one.")
    return {"events": chosen}


def _tracks(frame: Frame, scene: Scene) -> dict[str, object]:
    chosen = _events(frame, scene)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        return chosen | frame.form.values(SegmentationView, ("drag",)) | span.SPAN.chosen(frame.over)


PARTS = {
    "tracks": Tab(controls=_tracks, on_pick=span.pick),
    "together": Tab(controls=_events),
    "path": Tab(on_pick=_choose_threshold),
    "profile": Tab(on_row=_open_event),
}
