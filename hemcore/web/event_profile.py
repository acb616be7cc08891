"""The tab "All events" of the segmentation page: which events show phases (Table I of document 002)."""

import plotly.graph_objects as go
import streamlit as st

from hemcore.segmentation import judged, report
from hemcore.web import downloads, errors, progress, tables
from hemcore.web.segmentation_view import FIRST_TAB, View


def draw(view: View, curve: go.Figure) -> go.Figure | None:
    """The tab; there is no picture of it to take away."""
    params = view.profile
    done, measured = progress.job_on_demand(
        report.profile,
        view.dataset.id,
        params,
        kind="profile of all events",
        button="Profile all events",
        about=f"Which events of {errors.as_text(params.application)} show phases? Each gets its optimal threshold over all runs and is "
        "segmented at it.",
    )
    if not done:
        return None
    profile = judged(measured, view.bounds.min_change_points, view.bounds.max_change_points)
    with st.container(horizontal=True, vertical_alignment="center"):
        only = st.toggle("Kept events only", key="kept_only", bind="query-params")
        st.download_button(
            "Profile as CSV",
            lambda: downloads.csv_bytes(profile),
            file_name="event_profile.csv",
            mime="text/csv",
            icon=":material/download:",
            on_click="ignore",
            key="download-profile",
        )
    shown = profile[profile["kept"]] if only else profile
    st.session_state["profiled"] = list(shown["event"])
    first = [name for name in ("event", "kept", "why", "recall_true", "precision_true") if name in shown.columns]
    tables.show(
        shown[[*first, *(name for name in shown.columns if name not in first)]],
        alt="Every event and how its runs are segmented",
        key="profile",
        on_select=_open_event,
        selection_mode=["single-row", "single-cell"],
        height=min(37 + 31 * max(1, len(shown)), 740),
    )
    low, high = view.bounds.min_change_points, view.bounds.max_change_points
    truth = " truth: share of the true boundaries found, and precision, in the median run." if "recall_true" in profile else ""
    st.caption(
        f"{int(profile['kept'].sum())} of {len(profile)} events have {low} to {high} change points (median run) and are kept. Move the "
        "bounds to see what falls in or out; click a row to open its event; click a heading to sort. The residual error is a sum over "
        f"intervals, so its CoV grows where runs differ in length; CoV per sample does not.{truth}"
    )
    return None


def _open_event() -> None:
    chosen = st.session_state["profile"].selection
    rows = [*chosen.rows, *(row for row, _ in chosen.cells)]
    if rows:
        st.session_state["event"] = st.session_state["profiled"][rows[0]]
        st.session_state["view"] = FIRST_TAB
