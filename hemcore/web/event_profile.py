"""The tab "All events" of the segmentation page: which events show phases (Table I of document 002)."""

import plotly.graph_objects as go
import streamlit as st

from hemcore.segmentation import judged, report
from hemcore.web import downloads, errors, progress
from hemcore.web.segmentation_view import View

_KIND = "profile of all events"


def draw(view: View, curve: go.Figure) -> go.Figure | None:
    """The tab; there is no picture of it to take away."""
    params = view.profile
    if not progress.job_known(report.profile, view.dataset.id, params):
        n = len(view.table.events)
        st.write(
            f"Which of the {n} events of {errors.as_text(params.application)} show phases? Each gets its optimal threshold over all runs."
        )
        st.button(
            "Profile all events",
            type="primary",
            icon=":material/play_arrow:",
            on_click=progress.start,
            args=(report.profile, view.dataset.id, params, _KIND),
        )
        return None
    done, measured = progress.job_in_place(report.profile, view.dataset.id, params, kind=_KIND)
    if not done:
        return None
    profile = judged(measured, view.bounds.min_change_points, view.bounds.max_change_points)
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
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
    st.dataframe(
        shown,
        hide_index=True,
        key="profile",
        on_select=_remember_event,
        selection_mode="single-row",
        height=min(39 + 35 * max(1, len(shown)), 740),
        column_order=[*(name for name in shown.columns if name != "why"), "why"],
        alt="Every event and how its runs are segmented",
        column_config={
            "kept": st.column_config.CheckboxColumn("kept"),
            "cov_percent": st.column_config.NumberColumn("CoV, %", format="%.2f"),
            "cov_percent_as_printed": st.column_config.NumberColumn("CoV as printed, %", format="%.2f"),
            "max_residual": st.column_config.NumberColumn("largest residual", format="%.1f"),
            "why": st.column_config.TextColumn("why", width="large"),
            "optimal_threshold": st.column_config.NumberColumn("optimal threshold", format="%d"),
            "n_segments": st.column_config.NumberColumn("segments (median)"),
            "fewest_segments": st.column_config.NumberColumn("fewest", format="%d"),
            "most_segments": st.column_config.NumberColumn("most", format="%d"),
            "n_runs": st.column_config.NumberColumn("runs"),
        },
    )
    low, high = view.bounds.min_change_points, view.bounds.max_change_points
    st.caption(
        f"{int(profile['kept'].sum())} of {len(profile)} events have {low} to {high} change points (median run) and are kept. Move the "
        "bounds to see what falls in or out; click a row to open its event; click a heading to sort."
    )
    return None


def _remember_event() -> None:
    rows = st.session_state["profile"].selection.rows
    if rows:
        st.session_state["event"] = st.session_state["profiled"][rows[0]]
