"""The segmentation page's pictures and tables, a tab each; only the tab that is open is drawn."""

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from hemcore.charts import segmentation as charts
from hemcore.charts.threshold_path import small_threshold_path, threshold_path
from hemcore.segmentation import BoundsParams, report
from hemcore.segmentation.report import EventThresholds, RunPath
from hemcore.web import errors, event_profile, pictures, progress, search_comparison, segmentation_data, tables
from hemcore.web.headline import Figure
from hemcore.web.segmentation_view import FIRST_TAB, View

_TABS = (FIRST_TAB, "Threshold path", "All runs", "All events", "Other searches")
_ROWS = 1_000


def figures_of(view: View) -> list[Figure]:
    """The headline row."""
    found, n, bounds = view.found, view.run.segmentation.n_change_points, view.bounds
    within = bounds.min_change_points <= n <= bounds.max_change_points
    optimal = view.thresholds.optimal.threshold
    n_runs = len(view.thresholds.runs)
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
            "" if found is None or n_runs < 2 else f"CoV over {n_runs} runs {found.residual_cov_percent:.2g} %",
            help="The sum of segment costs without the penalty. For rms and std it is a logarithm and can be negative.",
        ),
        _agreement_figure(view),
        _truth_figure(view),
    ]


def _agreement_figure(view: View) -> Figure:
    found, runs = view.found, view.thresholds.runs
    told = "Covering: how much each segment of the first run overlaps the one that fits it best in another run. 100 %: the same segments."
    if found is None or len(runs) < 2:
        return Figure("Agreement of runs", "–", "one run only" if len(runs) < 2 else "open All runs", help=told)
    if not found.runs[0].segmentation.change_points:
        return Figure("Agreement of runs", "–", f"run {runs[0]} is one segment", help=told)
    return Figure("Agreement of runs", f"{found.median_covering:.0%}", f"covering of run {runs[0]}, median run", help=told)


def show(view: View) -> go.Figure:
    """Draw the open tab; returns the figure that the download bar takes away."""
    tabs = st.tabs(list(_TABS), key="view", on_change="rerun", bind="query-params")
    of = f"run {view.run.samples.run} of {view.params.application}"
    title = f"Which phases does {of} have? {view.params.event}, threshold {view.params.threshold:g}"
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
    if not truth.n_true:
        return Figure("True boundaries", "none", "the run has one stage")
    every = view.found.median_truth if view.found is not None and len(view.thresholds.runs) > 1 else None
    return Figure(
        "True boundaries",
        f"{round(truth.recall * truth.n_true)} of {truth.n_true}",
        (f"precision {truth.precision:.0%}" if truth.n_found else "no change point")
        + ("" if every is None else f"; median run {every[0]:.0%}, {every[1]:.0%}"),
        help="The data knows when the program went over to another stage. Found: a change point lies at most "
        f"{truth.tolerance} samples away. The median run: share of its boundaries found, and precision.",
    )


def _segments(view: View, curve: go.Figure) -> go.Figure:
    pictures.show(curve, key="curve", alt="The counts of the run and its segments")
    st.caption(" ".join(["Drag in the picture to zoom, double-click to go back.", *_notes(view)]))
    rows = _own_segments(view)
    tables.show(rows.head(_ROWS), alt="The segments of the run")
    more = f" The first {_ROWS:,} of {len(rows):,}; all are in the downloads." if len(rows) > _ROWS else ""
    unit = "" if view.table.interval_unit == "interval" else f" An interval is {errors.as_text(view.table.interval_unit)}."
    st.caption(f"start: first interval of the segment, counted from 0; stop: the first one after it.{unit}{more}")
    return curve


def _notes(view: View) -> list[str]:
    """What a reader of the curve has to know, a sentence each."""
    run, samples = view.run, view.run.samples
    notes = [segmentation_data.out_of_data(view.path)]
    if len(samples.counts) > charts.POINTS:
        notes.append(f"Least and largest of {charts.POINTS // 2:,} bins of {len(samples.counts):,} samples are drawn: spikes stay.")
    if samples.time_gaps:
        notes.append(f"Time was lost {len(samples.time_gaps):,} times in the run; the curve breaks there.")
    if not samples.counts.any():
        notes.append(f"{errors.as_text(view.params.event)} never occurred in this run.")
    elif run.n_constant:
        same = "zeros only" if run.segmentation.statistic == "rms" else "one value only"
        notes.append(
            f"{run.n_constant} of {len(run.models):,} segments are {same}: to {run.segmentation.statistic} such a segment pays at any "
            "threshold. The statistic mean, or a larger least segment, does without."
        )
    elif len(run.models) == 1:
        notes.append("No change point gains as much as the threshold. A lower threshold, or the statistic mean or std, may find phases.")
    return [note for note in notes if note]


def _path(view: View, curve: go.Figure) -> go.Figure:
    figure = threshold_path(
        view.path,
        view.thresholds.optimal,
        view.thresholds.runs,
        chosen=view.params.threshold,
        bounds=(view.bounds.min_change_points, view.bounds.max_change_points),
        title=f"What would each threshold find in run {view.run.samples.run}?",
    )
    pictures.show(figure, key="path", alt="The threshold path", on_select=_remember_threshold, selection_mode="points")
    st.caption(
        "Click a point to choose its threshold. The grey band: numbers of change points within the bounds. Each triangle: runs whose "
        "primary threshold lies there."
    )
    if view.path.path.min_threshold > report.LOWEST_THRESHOLD:
        st.caption(
            f"Below threshold {view.path.path.min_threshold:.4g} there are too many segmentations to list; the slider finds each one there."
        )
    per_run = view.thresholds.optimal.per_run
    unsettled = int((~per_run["settled"]).sum())
    if unsettled:
        st.caption(
            f"For {unsettled} of {len(per_run)} runs no two neighbouring thresholds up to {view.params.max_threshold} gave the same "
            "residual; their primary threshold stays 1. Raise the largest threshold."
        )
    return figure


def small_path(thresholds: EventThresholds, path: RunPath, chosen: float, bounds: BoundsParams) -> None:
    """What the slider will do, under the slider."""
    within = bounds.min_change_points, bounds.max_change_points
    figure = small_threshold_path(path, thresholds.optimal, chosen=chosen, bounds=within, title="What each threshold finds")
    pictures.show(figure, key="small_path", alt="Change points at each threshold")


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
    figure = charts.all_runs(found, unit=view.table.interval_unit, title=title)
    pictures.show(figure, key="all_runs", alt="The segments of every run")
    tables.show(found.agreement, alt="Agreement of each run with the first")
    against = f"Each run against run {found.runs[0].samples.run}, stretched to its length, within {view.params.tolerance} samples"
    truth = "; truth: against the true boundaries of the run" if "covering_true" in found.agreement else ""
    st.caption(f"{against}{truth}.")
    return figure


def _own_segments(view: View) -> pd.DataFrame:
    own = view.run
    table = report.segments_table([own], view.table.interval_unit, view.params)
    return table.drop(columns=["application", "event", "run", "unit"])
