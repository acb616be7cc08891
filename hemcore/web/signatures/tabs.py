"""Controls of the Signatures page's tabs, the effect of clicks, and EAR's files."""

from typing import get_args

import streamlit as st

from hemcore.charts.picture import Scene
from hemcore.charts.signatures.points import facts
from hemcore.charts.signatures.verdicts import pair
from hemcore.charts.signatures.view import Pair, SignatureView
from hemcore.signatures import PEAKS
from hemcore.web.form import remember_default, warn_of_link
from hemcore.web.frame import Frame, Tab
from hemcore.web.signatures import files, selected


def _roofline(frame: Frame, scene: Scene) -> dict[str, object]:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = frame.form.values(SignatureView, ("colour",), choices={"colour": facts(scene.table).colours}, listed=True)
        chosen |= frame.form.values(SignatureView, ("drag",))
        key = frame.page.key("roofs")
        remember_default(frame.page, key, [])
        warn_of_link(key, "Further roofs", list(PEAKS))
        about = "Roofs of other machines, clocks and precisions, drawn in addition to the node's."
        roofs = st.multiselect("Further roofs", list(PEAKS), key=key, bind="query-params", help=about, placeholder="None")
    return chosen | {"roofs": tuple(roofs)} | selected.POINTS.chosen(frame.over)


def _verdicts(frame: Frame, scene: Scene) -> dict[str, object]:
    names = list(scene.more.strategies)
    chosen: dict[str, object] = {}
    one, other = pair(scene.more, SignatureView())
    for column, name, default in zip(st.columns(2), ("one", "other"), (one, other), strict=True):
        with column:
            options = [default, *(each for each in names if each != default)]
            chosen |= frame.form.values(SignatureView, (name,), choices={name: options})
    return chosen | selected.CELL.chosen(frame.over)


def _medoids(frame: Frame, scene: Scene) -> dict[str, object]:
    return frame.form.values(SignatureView, ("metrics",), choices={"metrics": get_args(Pair)}, listed=True)


def _usage(frame: Frame, scene: Scene) -> dict[str, object]:
    return frame.form.values(SignatureView, ("by",), choices={"by": list(dict.fromkeys(scene.more.usage["by"]))})


PARTS = {
    "roofline": Tab(controls=_roofline, on_pick=selected.pick_points),
    "verdicts": Tab(controls=_verdicts, on_pick=selected.pick_cell),
    "medoids": Tab(controls=_medoids),
    "usage": Tab(controls=_usage),
    "files": Tab(place="above", controls=files.controls),
}
