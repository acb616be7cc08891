"""What can be chosen of the Segmentation page's pictures, and what a click on them does."""

from typing import Any

import streamlit as st

from hemcore.web.form import put
from hemcore.web.frame import Tab
from hemcore.web.segmentation import PAGE


def _choose_threshold(key: str) -> None:
    points = st.session_state[key].selection.points
    if points and points[0].get("customdata") is not None:
        value = points[0]["customdata"]
        put(PAGE.key("threshold"), round(float(value[0] if isinstance(value, list) else value), 3))


def _open_event(key: str, profile: Any) -> None:
    rows = st.session_state[key].selection.rows
    if rows:
        put(PAGE.key("event"), str(profile["event"].iloc[rows[0]]))
        put(PAGE.key("view"), "Segments")


PARTS = {"path": Tab(on_select=_choose_threshold), "profile": Tab(on_row=_open_event)}
