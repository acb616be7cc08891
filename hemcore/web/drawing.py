"""Figures on a page: mounted once, then changed in place, in the colors of the page's theme."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import plotly
import plotly.graph_objects as go
import plotly.io
import streamlit as st
from streamlit.components.v2.get_bidi_component_manager import get_bidi_component_manager
from streamlit.components.v2.manifest_scanner import ComponentConfig, ComponentManifest

from hemcore.charts.live import Live
from hemcore.charts.look import themed
from hemcore.charts.small import SmallPicture
from hemcore.web import hover_help
from hemcore.web.everywhere.made_once import once

_CONFIG = {"displayModeBar": False, "doubleClick": "reset", "displaylogo": False}
# st.plotly_chart mounts a new plot for every change, which loses the zoom and takes three times as long.
_FILES = ComponentManifest(name="hemcore", version="1", components=[ComponentConfig(name="plotly", asset_dir="package_data")])
_ADDRESS = "_stcore/bidi-components/hemcore.plotly/plotly.min.js"  # relative, so it works under any path
_SENT, _MOST_SENT = "pictures:sent", 8
_FETCHED = "pictures:fetched"
_picture = st.components.v2.component(
    "hemcore.picture", js=Path(__file__).with_name("picture.js").read_text(encoding="utf-8"), isolate_styles=False
)


# The customdata of a clicked point, as JSON: its shape is what the figure put there.
Picked: TypeAlias = Any


def show(
    figure: go.Figure,
    *,
    key: str,
    alt: str,
    still: bool = False,
    fits: bool = False,
    on_pick: Callable[[Picked], None] | None = None,
    zoom: Mapping[str, Sequence[float]] | None = None,
    on_zoom: Callable[[Mapping[str, Sequence[float]]], None] | None = None,
    live: Live | None = None,
    slider: str = "",
    stands: float = 0.0,
    rest: str = "",
) -> None:
    """Draw `figure`. still: neither hover nor zoom. fits: it takes the height that the window has left.

    A hover that names an event also shows what uploaded definitions say of it.

    on_pick: gets the customdata of a clicked point, or {"box": [x0, x1, y0, y1]} of a selected box, in axis units.

    zoom: the ranges of axes ("x", "y2") in axis units that were chosen; the picture opens with them. on_zoom: gets those that the visitor
    chose; empty after a double-click.

    live: what the browser shows while the slider with this key moves; stands: the slider value of `figure`; rest: everything else that the
    figure depends on. If only the slider has changed, the browser has already drawn the figure.
    """
    dark = st.context.theme.type == "dark"
    spec: dict[str, object] = {
        "plotly": _ADDRESS,
        "alt": alt,
        "config": _CONFIG | {"staticPlot": still},
        "height": figure.layout.height,
        "fits": fits,
        "picks": on_pick is not None,
        "zoom": None if on_zoom is None else zoom or {},
        "meanings": {} if still else hover_help.meanings_in(figure),
    }
    drawn = once(_written, figure, dark)
    if live is not None:
        whole = bool(live.hover)
        spec["live"] = {"slider": slider.replace(".", "-"), "id": live.id, "stands": stands, "rest": f"{rest}|{dark}" if whole else None}
        drawn += _unless_sent(live)
    told = {"picked": on_pick, "zoomed": on_zoom}
    more = {f"on_{name}_change": partial(_tell, key, name, to) for name, to in told.items() if to is not None}
    _mount(f'{json.dumps(spec)[:-1]}, "figure": {drawn}}}', key, more)


def _written(figure: go.Figure, dark: bool) -> str:
    return str(plotly.io.to_json(themed(figure, dark=dark), validate=False))


def _unless_sent(live: Live) -> str:
    """The frames of `live`, unless they were sent recently; the browser keeps more of them than are recorded here."""
    sent: list[str] = st.session_state.setdefault(_SENT, [])
    if live.id in sent:
        return ""
    st.session_state[_SENT] = [*sent[1 - _MOST_SENT :], live.id]
    return f', "frames": {live.json}'


def fetch_once(key: str) -> None:
    """`fetch_early` in the first run of a session. Call as the page's last element."""
    if _FETCHED not in st.session_state:
        st.session_state[_FETCHED] = True
        fetch_early(key)


def fetch_early(key: str) -> None:
    """Let the browser load plotly.js before the first picture is drawn."""
    _mount(json.dumps({"plotly": _ADDRESS}), key, {})


def show_small(picture: SmallPicture) -> None:
    """Draw a small picture under a slider. The SVG is ours; names in it are escaped."""
    st.image(once(_svg, picture, st.context.theme.type == "dark"), width="stretch", alt=picture.text)


def _svg(picture: SmallPicture, dark: bool) -> str:
    return picture.svg(dark=dark)


def _mount(spec: str, key: str, more: dict[str, Any]) -> None:
    server = get_bidi_component_manager()
    if server.get_component_asset_root("hemcore.plotly") is None:
        server.register_from_manifest(_FILES, Path(plotly.__file__).parent)
    # As bytes: Streamlit would serialize a mapping again to identify it, but the key identifies it.
    _picture(data=spec.encode(), key=key, **more)


def _tell(key: str, name: str, to: Callable[[Any], None]) -> None:
    value = st.session_state[key].get(name)
    if value is not None:
        to(value)
