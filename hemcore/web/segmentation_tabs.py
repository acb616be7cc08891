"""The segmentation page's pictures and tables, a tab each; only the tab that is open is drawn."""

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from hemcore.charts import segmentation as charts
from hemcore.charts.threshold_path import threshold_path
from hemcore.segmentation import BoundsParams, report
from hemcore.segmentation.report import EventThresholds, RunPath
from hemcore.web import errors, event_profile, progress, search_comparison, segmentation_data
from hemcore.web.headline import Figure
from hemcore.web.segmentation_view import LOGARITHM, NO_TOOLBAR, SHARE, View

_TABS = ("Segments", "Threshold path", "All runs", "All events", "Other searches")
_ROWS = 1_000
_COUNT = st.column_config.NumberColumn(format="localized")


def figures_of(view: View) -> list[Figure]:
    """The headline row."""
    found, n, bounds = view.found, view.run.segmentation.n_change_points, view.bounds
    within = bounds.min_change_points <= n <= bounds.max_change_points
    optimal = view.thresholds.optimal.threshold
    n_runs = len(view.thresholds.runs)
    covering = None if found is None or n_runs < 2 else float(found.agreement["covering"].iloc[1:].median())
    cov = "" if found is None or n_runs < 2 else f"CoV over {n_runs} runs {found.residual_cov_percent:.2g} %"
    return [
        Figure(
            "Segments",
            f"{n + 1:,}",
            f"{n:,} change points, {'within' if within else 'outside'} {bounds.min_change_points} to {bounds.max_change_points}",
        ),
        Figure(
            "Threshold",
            f"{view.params.threshold:g}",
            "the optimal one" if view.params.threshold == optimal else f"optimal: {optimal}",
            help="The optimal threshold is the primary threshold of the run with the median residual error (Algorithm 1).",
        ),
        Figure(
            "Residual error",
            f"{view.run.segmentation.residual:,.0f}",
            cov,
            help="The sum of segment costs without the penalty. For rms and std it is a logarithm and can be negative.",
        ),
        Figure(
            "Agreement of runs",
            "not known" if covering is None else f"{covering:.0%}",
            "one run only"
            if n_runs < 2
            else "open All runs"
            if covering is None
            else f"covering of run {view.thresholds.runs[0]}, median run",
            help="Covering: how much each segment of the first run overlaps the one that fits it best in another run. 100 %: the same.",
        ),
        _truth_figure(view),
    ]


def show(view: View) -> go.Figure:
    """Draw the open tab; returns the figure that the download bar takes away."""
    tabs = st.tabs(list(_TABS), key="view", on_change="rerun", bind="query-params")
    of = f"run {view.run.samples.run} of {view.params.application}"
    title = f"Which phases has {of}? {view.params.event}, threshold {view.params.threshold:g}"
    curve = charts.curve(view.run, event=view.params.event, unit=view.table.interval_unit, colour=view.colour, title=title)
    figure = curve
    for tab, draw in zip(tabs, (_segments, _path, _all_runs, event_profile.draw, search_comparison.draw), strict=True):
        if tab.open:
            with tab, errors.shown_as_sentence(stop=False):
                figure = draw(view, curve) or curve
    return figure


def _truth_figure(view: View) -> Figure:
    truth = view.run.truth(view.params.tolerance)
    samples = view.run.samples
    if truth is None:
        return Figure("Samples", f"{len(samples.counts):,}", segmentation_data.out_of_data(view.path) or "every interval counted")
    return Figure(
        "True boundaries",
        f"{round(truth.recall * truth.n_true)} of {truth.n_true} found" if truth.n_true else "none",
        f"precision {truth.precision:.0%}, within {truth.tolerance}",
        help="The data knows when the program went over to another stage. Found: a change point lies within the tolerance.",
    )


def _segments(view: View, curve: go.Figure) -> go.Figure:
    st.plotly_chart(curve, key="curve", config=NO_TOOLBAR, alt="The counts of the run and its segments")
    notes = [segmentation_data.out_of_data(view.path)]
    if len(view.run.samples.counts) > charts.POINTS:
        notes.append(
            f"Least and largest of {charts.POINTS // 2:,} bins of {len(view.run.samples.counts):,} samples are drawn: spikes stay."
        )
    if len(view.run.models) > charts.SEGMENTS:
        notes.append(f"Of {len(view.run.models):,} segments at most {charts.SEGMENTS:,} are drawn, those with the least and largest means.")
    if any(notes):
        st.caption(" ".join(notes))
    rows = _own_segments(view)
    st.dataframe(rows.head(_ROWS), hide_index=True, alt="The segments of the run", column_config=dict.fromkeys(rows.columns, _COUNT))
    more = f" The first {_ROWS:,} of {len(rows):,}; all are in the downloads." if len(rows) > _ROWS else ""
    unit = "" if view.table.interval_unit == "interval" else f" An interval is {errors.as_text(view.table.interval_unit)}."
    st.caption(f"start: first interval of the segment, counted from 0; stop: the first one after it.{unit}{more}")
    return curve


def _path(view: View, curve: go.Figure) -> go.Figure:
    figure = _path_figure(view, small=False)
    st.plotly_chart(figure, key="path", on_select=_remember_threshold, selection_mode="points", config=NO_TOOLBAR, alt="The threshold path")
    st.caption(
        "Click a point to choose its threshold. The grey band: numbers of change points within the bounds. Each triangle: runs whose "
        "primary threshold lies there."
    )
    per_run = view.thresholds.optimal.per_run
    unsettled = int((~per_run["settled"]).sum())
    if unsettled:
        st.caption(
            f"For {unsettled} of {len(per_run)} runs no two neighbouring thresholds up to {view.params.max_threshold} gave the same "
            "residual; their primary threshold stays 1. Raise the largest threshold."
        )
    return figure


def small_path(view_thresholds: EventThresholds, path: RunPath, chosen: float, bounds: BoundsParams) -> None:
    """What the slider will do, under the slider."""
    figure = _path_of(view_thresholds, path, chosen, bounds, small=True)
    st.plotly_chart(figure, key="small_path", config=NO_TOOLBAR, alt="Change points at each threshold")


def _path_figure(view: View, *, small: bool) -> go.Figure:
    return _path_of(view.thresholds, view.path, view.params.threshold, view.bounds, small=small)


def _path_of(thresholds: EventThresholds, path: RunPath, chosen: float, bounds: BoundsParams, *, small: bool) -> go.Figure:
    return threshold_path(
        path,
        thresholds.optimal,
        thresholds.runs,
        chosen=chosen,
        bounds=(bounds.min_change_points, bounds.max_change_points),
        title="What each threshold finds" if small else f"What would each threshold find in run {path.samples.run}?",
        small=small,
    )


def _remember_threshold() -> None:
    points = st.session_state["path"].selection.points
    if points and points[0].get("customdata") is not None:
        value = points[0]["customdata"]
        segmentation_data.choose_threshold(round(float(value[0] if isinstance(value, list) else value), 3))


def _all_runs(view: View, curve: go.Figure) -> go.Figure | None:
    found = view.found
    if found is None:
        done, found = progress.job_in_place(report.at_threshold, view.dataset.id, view.params, kind="segments of every run")
        if not done:
            return None
    title = f"Do other executions have the same segments? {view.params.event}, {len(found.runs)} runs, threshold {view.params.threshold:g}"
    figure = charts.all_runs(found, event=view.params.event, unit=view.table.interval_unit, title=title)
    st.plotly_chart(figure, key="all_runs", config=NO_TOOLBAR, alt="The segments of every run")
    shares = [name for name in found.agreement.columns if name.split("_")[0] in ("covering", "precision", "recall", "f1")]
    st.dataframe(
        found.agreement,
        hide_index=True,
        alt="Agreement of each run with the first",
        column_config={**dict.fromkeys(shares, SHARE), "n_samples": _COUNT, "residual": LOGARITHM},
    )
    against = f"Each run against run {found.runs[0].samples.run}, stretched to its length, within {view.params.tolerance} samples"
    truth = "; the columns ending in true are against the true boundaries" if "covering_true" in found.agreement else ""
    st.caption(f"{against}{truth}.")
    return figure


def _own_segments(view: View) -> pd.DataFrame:
    own = view.run
    table = report.segments_table([own], view.table.interval_unit, view.params)
    return table.drop(columns=["application", "event", "run", "unit"])
