"""Figures on a page: in colours that show on its ground, without toolbar clutter."""

from typing import Any

import plotly.graph_objects as go
import streamlit as st
from streamlit.elements import plotly_chart

from hemcore.charts.look import themed
from hemcore.charts.small import SmallPicture

_CONFIG = {"displayModeBar": False}


def _identity_by_key() -> None:
    """A figure with a key stays the same element while its contents change.

    Streamlit 1.67 makes the contents part of a chart's identity, whatever its key, so that the browser throws the picture away and draws
    a new one at each move of a slider: zoom is lost, and it takes twice as long. There is no public way to say otherwise. Where Streamlit
    has changed there, nothing is done, and a browser test (zoom stays) tells.
    """
    made = getattr(plotly_chart, "compute_and_register_element_id", None)
    if made is None or getattr(made, "by_key", False):
        return

    def identity(element_type: str, **given: Any) -> str:
        if given.get("user_key") is not None and "plotly_spec" in given:
            given["key_as_main_identity"] = {name for name in given if name.startswith(("selection", "is_selection", "theme", "alt"))}
        return str(made(element_type, **given))

    identity.by_key = True  # type: ignore[attr-defined]
    plotly_chart.compute_and_register_element_id = identity


_identity_by_key()


def show(figure: go.Figure, *, key: str, alt: str, still: bool = False, **selection: Any) -> None:
    """Draw `figure`; still: neither hover nor zoom. `selection`: on_select and selection_mode as st.plotly_chart has them."""
    dark = st.context.theme.type == "dark"
    st.plotly_chart(themed(figure, dark=dark), key=key, alt=alt, theme=None, config=_CONFIG | {"staticPlot": still}, **selection)


def show_small(picture: SmallPicture) -> None:
    """Draw a small picture under a slider. Its SVG is our own, and what it names is escaped in it."""
    st.image(picture.svg(dark=st.context.theme.type == "dark"), width="stretch")
