"""The controls of the Merge page's pictures, and the effect of a click on them."""

import streamlit as st

from hemcore.charts.merge.view import MOST_MARGINS, MergeView, matrices
from hemcore.charts.picture import Scene
from hemcore.errors import ParameterError
from hemcore.web import sentences
from hemcore.web.form import put, remember_default, warn_of_link
from hemcore.web.frame import Frame, Tab
from hemcore.web.merge import PAGE

_PAIR = ("first_hem", "second_hem")


def _matrix(frame: Frame, scene: Scene) -> dict[str, object]:
    shown = frame.form.values(MergeView, ("matrix",), choices={"matrix": matrices(scene.result)})
    hems = [str(hem) for hem in scene.result.merged.columns]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        pair = _pair_boxes(frame, hems)
        shown |= frame.form.values(MergeView, ("order",))
    if pair and pair["first_hem"] and pair["first_hem"] == pair["second_hem"]:
        sentences.warn(f"Second HEM: {pair['second_hem']!r} is also the first HEM; the worst pair is drawn. Choose another.")
        return shown
    return shown | pair


def _pair(frame: Frame, scene: Scene) -> dict[str, object]:
    with st.container(horizontal=True):
        return _pair_boxes(frame, [str(hem) for hem in scene.result.merged.columns])


def _pair_boxes(frame: Frame, hems: list[str]) -> dict[str, object]:
    """Two boxes that show the worst pair until a HEM is chosen in them or by a click."""
    if len(hems) < 2:
        return {}
    return frame.form.values(MergeView, _PAIR, choices={name: ["", *hems] for name in _PAIR}, format_func=_named)


def _named(hem: str) -> str:
    return hem or "worst pair"


def _ranked(frame: Frame, scene: Scene) -> dict[str, object]:
    return frame.form.values(MergeView, ("ranked",), choices={"ranked": [str(hem) for hem in scene.result.merged.columns]})


def _margins(frame: Frame, scene: Scene) -> dict[str, object]:
    hems = [str(hem) for hem in scene.result.merged.columns]
    key = frame.page.key("margin_hems")
    remember_default(frame.page, key, hems[:6])
    warn_of_link(key, "HEMs", hems)
    shown = st.multiselect("HEMs", hems, default=hems[:6], max_selections=MOST_MARGINS, key=key, bind="query-params")
    if not shown:
        raise ParameterError("HEMs: none is chosen. Choose at least one.")
    return {"margin_hems": tuple(shown)}


def _remember_pair(pair: list[str]) -> None:
    if pair[0] != pair[1]:
        for name, hem in zip(_PAIR, pair, strict=True):
            put(PAGE.key(name), hem)


PARTS = {
    "correlation": Tab(controls=_matrix, on_pick=_remember_pair),
    "pairs": Tab(controls=_pair),
    "intervals": Tab(controls=_ranked),
    "ranking": Tab(controls=_ranked),
    "margins": Tab(controls=_margins),
}
