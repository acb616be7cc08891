"""Figures on a page: mounted once and changed in place, in colours that show on the page's ground."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import plotly
import plotly.graph_objects as go
import plotly.io
import streamlit as st
from streamlit.components.v2.get_bidi_component_manager import get_bidi_component_manager
from streamlit.components.v2.manifest_scanner import ComponentConfig, ComponentManifest

from hemcore.charts.look import themed
from hemcore.charts.small import SmallPicture

_CONFIG = {"displayModeBar": False, "doubleClick": "reset", "displaylogo": False}
# st.plotly_chart mounts a new plot for every change of its figure, which loses the zoom and takes three times as long.
_FILES = ComponentManifest(name="hemcore", version="1", components=[ComponentConfig(name="plotly", asset_dir="package_data")])
_ADDRESS = "_stcore/bidi-components/hemcore.plotly/plotly.min.js"  # beside the page, whatever path the app is served under
_picture = st.components.v2.component(
    "hemcore.picture", js=Path(__file__).with_name("picture.js").read_text(encoding="utf-8"), isolate_styles=False
)


def show(figure: go.Figure, *, key: str, alt: str, still: bool = False, on_pick: Callable[[Any], None] | None = None) -> None:
    """Draw `figure`. still: neither hover nor zoom. on_pick: gets the customdata of a point that is clicked."""
    dark = st.context.theme.type == "dark"
    told = {
        "plotly": _ADDRESS,
        "alt": alt,
        "config": _CONFIG | {"staticPlot": still},
        "height": figure.layout.height,
        "picks": on_pick is not None,
    }
    drawn = plotly.io.to_json(themed(figure, dark=dark), validate=False)
    more: dict[str, Any] = {} if on_pick is None else {"on_picked_change": lambda: _tell(key, on_pick)}
    _mount(f'{json.dumps(told)[:-1]}, "figure": {drawn}}}', key, more)


def fetch_early(key: str) -> None:
    """Let the browser fetch what draws pictures, where the next click will draw the first one."""
    _mount(json.dumps({"plotly": _ADDRESS}), key, {})


def show_small(picture: SmallPicture) -> None:
    """Draw a small picture under a slider. Its SVG is our own, and what it names is escaped in it."""
    st.image(picture.svg(dark=st.context.theme.type == "dark"), width="stretch")


def _mount(told: str, key: str, more: dict[str, Any]) -> None:
    server = get_bidi_component_manager()
    if server.get_component_asset_root("hemcore.plotly") is None:
        server.register_from_manifest(_FILES, Path(plotly.__file__).parent)
    # As bytes: Streamlit would parse and write a mapping anew to find its identity, which the key is.
    _picture(data=told.encode(), key=key, **more)


def _tell(key: str, on_pick: Callable[[Any], None]) -> None:
    picked = st.session_state[key].get("picked")
    if picked is not None:
        on_pick(picked)
