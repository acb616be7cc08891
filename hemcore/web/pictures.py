"""Figures on a page: in colours that show on its ground, without toolbar clutter."""

from typing import Any

import plotly.graph_objects as go
import streamlit as st

from hemcore.charts.look import themed
from hemcore.charts.small import SmallPicture

_CONFIG = {"displayModeBar": False, "responsive": True}


def show(figure: go.Figure, *, key: str, alt: str, still: bool = False, **selection: Any) -> None:
    """Draw `figure`; still: neither hover nor zoom. `selection`: on_select and selection_mode as st.plotly_chart has them."""
    dark = st.context.theme.type == "dark"
    st.plotly_chart(themed(figure, dark=dark), key=key, alt=alt, theme=None, config=_CONFIG | {"staticPlot": still}, **selection)


def show_small(picture: SmallPicture) -> None:
    """Draw a small picture under a slider. Its SVG is our own, and what it names is escaped in it."""
    st.image(picture.svg(dark=st.context.theme.type == "dark"), width="stretch")
