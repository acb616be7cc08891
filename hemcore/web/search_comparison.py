"""The tab "Other searches" of the segmentation page: ruptures' searches on the same samples."""

import plotly.graph_objects as go
import streamlit as st

from hemcore.charts import segmentation as charts
from hemcore.segmentation import report
from hemcore.web import pictures, progress, results, tables
from hemcore.web.segmentation_view import View


def draw(view: View, curve: go.Figure) -> go.Figure | None:
    """The tab; returns its picture, None while there is none."""
    params = view.comparison
    if view.params.statistic != "rms":
        st.caption("Compared with the rms statistic, whatever is chosen, since that is the cost which the searches share.")
    if report.comparison_is_long(view.run.samples):
        done, compared = progress.job_on_demand(
            report.comparison,
            view.dataset.id,
            params,
            kind="comparison with ruptures",
            button="Compare with ruptures",
            about="ruptures' searches run in Python and take a while on a run this long.",
        )
        if not done:
            return None
    else:
        compared = results.result_of(report.comparison, view.dataset.id, params)
    title = f"Where do other searches cut run {view.run.samples.run}?"
    figure = charts.searches(compared, view.run.samples, unit=view.table.interval_unit, title=title)
    pictures.show(figure, key="searches", alt="Change points of each search")
    unknown = [] if view.run.samples.boundaries is not None else ["covering_true", "f1_true"]
    silent = [] if compared["note"].any() else ["note"]
    tables.show(
        compared.drop(columns=["change_points", *unknown, *silent]), alt="Each search, its change points and its agreement with ours"
    )
    st.caption(
        "objective: residual error + threshold x change points, lower is better. covering, Hausdorff distance and F1 within "
        f"{params.tolerance} samples: agreement with our change points. KernelCPD is asked for as many change points as ours."
    )
    return figure
