"""What can be chosen of the Merge page's pictures, and what a click on them does."""

from typing import Any

import streamlit as st

from hemcore.charts.merge import MergeView
from hemcore.charts.picture import Scene
from hemcore.errors import ParameterError
from hemcore.web.form import put, remember_default, warn_of_link
from hemcore.web.frame import Frame, Tab
from hemcore.web.merge import PAGE

_MOST_MARGINS = 12


def _matrix(frame: Frame, scene: Scene) -> dict[str, Any]:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        return frame.form.values(MergeView, ("matrix", "order"))


def _pair(frame: Frame, scene: Scene) -> dict[str, Any]:
    hems = [str(hem) for hem in scene.result.merged.columns]
    if len(hems) < 2:
        return {}
    default = scene.result.worst[:2] if scene.result.worst else (hems[0], hems[1])
    chosen: dict[str, Any] = {}
    for column, name, hem in zip(st.columns(2), ("first_hem", "second_hem"), default, strict=True):
        with column:
            chosen |= frame.form.values(MergeView, (name,), choices={name: [hem, *(each for each in hems if each != hem)]})
    return chosen


def _ranked(frame: Frame, scene: Scene) -> dict[str, Any]:
    return frame.form.values(MergeView, ("ranked",), choices={"ranked": [str(hem) for hem in scene.result.merged.columns]})


def _margins(frame: Frame, scene: Scene) -> dict[str, Any]:
    hems = [str(hem) for hem in scene.result.merged.columns]
    key = frame.page.key("margin_hems")
    remember_default(frame.page, key, hems[:6])
    warn_of_link(key, "HEMs", hems)
    shown = st.multiselect("HEMs", hems, default=hems[:6], max_selections=_MOST_MARGINS, key=key, bind="query-params")
    if not shown:
        raise ParameterError("HEMs: none is chosen. Choose at least one.")
    return {"margin_hems": tuple(shown)}


def _remember_pair(pair: list[str]) -> None:
    if pair[0] != pair[1]:
        put(PAGE.key("first_hem"), pair[0])
        put(PAGE.key("second_hem"), pair[1])


PARTS = {
    "correlation": Tab(controls=_matrix, on_pick=_remember_pair),
    "pairs": Tab(controls=_pair),
    "ranking": Tab(controls=_ranked),
    "margins": Tab(controls=_margins),
}
