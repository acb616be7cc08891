"""What can be chosen of the Segmentation page's pictures, and what a click on them does."""

from typing import Any

import streamlit as st

from hemcore.web.frame import Tab


def _choose_threshold(key: str) -> None:
    points = st.session_state[key].selection.points
    if points and points[0].get("customdata") is not None:
        value = points[0]["customdata"]
        st.session_state["segmentation.threshold"] = round(float(value[0] if isinstance(value, list) else value), 3)


def _open_event(key: str, profile: Any) -> None:
    rows = st.session_state[key].selection.rows
    if rows:
        st.session_state["segmentation.event"] = str(profile["event"].iloc[rows[0]])
        st.session_state["segmentation.view"] = "Segments"


PARTS = {"path": Tab(on_select=_choose_threshold), "profile": Tab(on_row=_open_event)}
