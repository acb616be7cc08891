"""What can be chosen of the Segmentation page's pictures, and what a click on them does."""

from typing import Any

import streamlit as st

from hemcore.web.form import put
from hemcore.web.frame import Tab
from hemcore.web.segmentation import PAGE


def _choose_threshold(picked: Any) -> None:
    put(PAGE.key("threshold"), round(float(picked[0] if isinstance(picked, list) else picked), 3))


def _open_event(key: str, profile: Any) -> None:
    rows = st.session_state[key].selection.rows
    if rows:
        put(PAGE.key("event"), str(profile["event"].iloc[rows[0]]))
        put(PAGE.key("view"), "Segments")


PARTS = {"path": Tab(on_pick=_choose_threshold), "profile": Tab(on_row=_open_event)}
