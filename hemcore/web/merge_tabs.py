"""The merge page's own parts: the choice of method, the headline figures and the tabs."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from hemcore.charts import merge as charts
from hemcore.charts.correlation import correlation_heatmap
from hemcore.datasets.shelf import samples
from hemcore.datasets.shelf.library import SAMPLE_PREFIX, Entry
from hemcore.datasets.tables import kinds
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.merge import MuchParams, pair_readings
from hemcore.merge import fidelity as comparison
from hemcore.merge.analysis import MergeReport, dep_lvl_curve
from hemcore.web import errors, parameters, pictures, results
from hemcore.web.headline import Figure

_TABS = ("Merged correlation", "Pairs", "Anchor ranking", "Margins", "Left out", "Table")
_TRUTH = "Against the truth"
_MARGINS = 12


def data_caption(table: Any) -> None:
    """What the chosen dataset holds, in a line."""
    st.caption(kinds.shape(table))


def anchors(table: Any) -> Sequence[str]:
    """The HEMs that can be anchors: those that every subexperiment reads."""
    return table.common_hems


def method_choice(dataset: Entry, table: Any) -> str:
    """HRM or MUCH; HRM can only be chosen where an anchor exists. Going over to another dataset goes over to a method that it allows."""
    possible = bool(table.common_hems)
    if st.session_state.get("merged_dataset", dataset.id) != dataset.id:
        st.session_state["method_family"] = "HRM" if possible and not _pairs_complete(table) else "MUCH"
    st.session_state["merged_dataset"] = dataset.id
    chosen = st.segmented_control(
        "Merge",
        ["HRM", "MUCH"],
        default="HRM" if possible and not _pairs_complete(table) else "MUCH",
        required=True,
        key="method_family",
        bind="query-params",
        width="stretch",
        help="HRM: around one anchor HEM that every subexperiment reads. MUCH: all pairs of HEMs, each read together at least once.",
    )
    if chosen == "HRM" and not possible:
        errors.show("No HEM is read in every subexperiment, so there is no anchor for HRM. Choose MUCH.")
        st.stop()
    return str(chosen)


def much_form(model: type[MuchParams]) -> MuchParams:
    """dep_lvl, runs and seed in sight; the rest one click away."""
    shown = parameters.values(model, ("dep_lvl", "n_runs", "seed"))
    with st.expander("More"):
        rest = parameters.values(model, ("method", "n_sims", "absolute", "outlier_zscore", "unmeasured"))
    return parameters.checked(model, shown | rest)


def dep_lvl_picture(dataset_id: str, params: MuchParams) -> None:
    """What the slider will do, under the slider."""
    curve = results.result_of(dep_lvl_curve, dataset_id, params.model_copy(update={"dep_lvl": 1.0, "n_runs": 2, "seed": 0, "n_sims": 1}))
    pictures.show(charts.dep_lvl_curve(curve, params.dep_lvl), key="dep_lvl_curve", alt="HEMs kept at each dep_lvl")


def figures_of(report: MergeReport) -> list[Figure]:
    """The headline row."""
    worst = report.worst
    return [
        Figure("HEMs merged", f"{report.merged.shape[1]} of {report.n_hems}", f"{report.n_hems - report.merged.shape[1]} left out"),
        Figure("Subexperiments", f"{report.n_subexperiments:,}", _measured_share(report)),
        Figure("Merged runs", f"{len(report.merged):,}", "rows of the table"),
        Figure(
            "Correlation MSE",
            "not known" if pd.isna(report.mse) else f"{report.mse:.1e}",
            "merged against measured pairs",
            help="Mean squared difference between the merged table's correlations and those of the pairs that were read together.",
        ),
        Figure(
            "Worst pair, Δr",
            "none" if worst is None else _difference(worst[2]),
            "" if worst is None else errors.as_text(f"{_short(worst[0])} with {_short(worst[1])}"),
        ),
    ]


def show(report: MergeReport, dataset: Entry, table: Any) -> go.Figure:
    """Draw the tabs; returns the figure that the download bar takes away."""
    truth = _truth(dataset)
    tabs = dict(
        zip([*_TABS, *([_TRUTH] if truth is not None else [])], st.tabs([*_TABS, *([_TRUTH] if truth is not None else [])]), strict=True)
    )
    with tabs["Merged correlation"]:
        heatmap = _correlation(report)
    with tabs["Pairs"]:
        _pairs(report, table)
    with tabs["Anchor ranking"]:
        _ranking(report)
    with tabs["Margins"]:
        _margins(report, table)
    with tabs["Left out"]:
        _left_out(report)
    with tabs["Table"]:
        st.dataframe(report.merged.head(1_000), height=480, alt="The merged table")
        st.caption(f"{len(report.merged):,} runs, counts a run. The first 1,000 are shown; all of them are in the downloads.")
    if truth is not None:
        with tabs[_TRUTH]:
            _against_truth(report, truth)
    return heatmap


def _correlation(report: MergeReport) -> go.Figure:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        shown = st.segmented_control("Left", ["Merged", "Measured"], default="Merged", required=True, key="matrix", bind="query-params")
        order = st.segmented_control(
            "Order of the HEMs", ["As read", "Clustered"], default="As read", required=True, key="order", bind="query-params"
        )
    names = comparison.cluster_order(report.target) if order == "Clustered" else [str(hem) for hem in report.target]
    matrix = report.target if shown == "Measured" else report.achieved
    titles = {"Merged": "Merged table: Pearson r", "Measured": "Measured pair by pair: r; blank = never together"}
    figure = _heatmap(matrix, report, names, title=titles[str(shown)])
    difference = _heatmap(report.achieved - report.target, report, names, title="Merged minus measured: Δr", difference=True)
    for place, drawn, key in zip(st.columns(2), (figure, difference), ("heatmap", "heatmap_difference"), strict=True):
        with place:
            pictures.show(drawn, key=key, on_select=partial(_remember_pair, key), selection_mode="points", alt="Correlations")
    st.caption("Click a cell, then open Pairs to see its runs. Hover for the HEMs, r and the readings behind the pair.")
    return figure


def _heatmap(matrix: pd.DataFrame, report: MergeReport, names: list[str], *, title: str, difference: bool = False) -> go.Figure:
    ordered, readings = (frame.reindex(index=names, columns=names) for frame in (matrix, report.readings))
    return correlation_heatmap(ordered, title=title, readings=readings, difference=difference)


def _remember_pair(key: str) -> None:
    points = st.session_state[key].selection.points
    if points and points[0]["customdata"][0] != points[0]["customdata"][1]:
        st.session_state["first_hem"], st.session_state["second_hem"] = points[0]["customdata"][:2]


def _pairs(report: MergeReport, table: Subexperiments) -> None:
    hems = list(report.merged.columns)
    if len(hems) < 2:
        st.write("One HEM only: there is no pair.")
        return
    default = report.worst[:2] if report.worst else (hems[0], hems[1])
    one, two = st.columns(2)
    first = one.selectbox("First HEM", hems, index=hems.index(default[0]), key="first_hem", bind="query-params")
    second = two.selectbox("Second HEM", hems, index=hems.index(default[1]), key="second_hem", bind="query-params")
    if first == second:
        st.write("Choose two different HEMs.")
        return
    read = comparison.pair_as_read(table.frames, first, second)
    title = f"Do the merged runs lie where the real ones do? r merged {_r(report.achieved, first, second)}, measured " + (
        "not known: never read together" if read.empty else _r(report.target, first, second)
    )
    pictures.show(
        charts.pair_scatter(first, second, report.merged, None if read.empty else read, title=title), key="pair_scatter", alt=title
    )


def _ranking(report: MergeReport) -> None:
    hems = list(report.merged.columns)
    anchor = st.selectbox("HEM to rank the others by", hems, key="ranked", bind="query-params")
    title = "Which HEMs move with it, in the merged table?"
    pictures.show(
        charts.anchor_ranking(comparison.ranked_by_strength(report.achieved, anchor), anchor=anchor, title=title), key="ranking", alt=title
    )


def _margins(report: MergeReport, table: Subexperiments) -> None:
    hems = list(report.merged.columns)
    shown = st.multiselect("HEMs", hems, default=hems[:6], max_selections=_MARGINS, key="margin_hems")
    if not shown:
        st.write("Choose at least one HEM.")
        return
    title = "Did each HEM keep its distribution? The two curves lie on each other where it did"
    st.caption("The grey curve has every reading; MUCH leaves out readings that are outliers, so its tails can be shorter.")
    before = {hem: comparison.pooled_readings(table.frames, hem) for hem in shown}
    pictures.show(charts.margins(shown, before, report.merged, title=title), key="margins", alt=title)


def _left_out(report: MergeReport) -> None:
    if report.left_out.empty:
        st.write("Nothing was left out: every HEM that was read is in the merged table.")
        return
    st.dataframe(report.left_out, hide_index=True, alt="What was left out of the merge and why")
    st.caption("A HEM above dep_lvl with one that was kept before it tells little that is new. Raise dep_lvl to keep it.")


def _against_truth(report: MergeReport, truth: pd.DataFrame) -> None:
    hems = [hem for hem in report.merged.columns if hem in truth.columns]
    real = truth[hems].corr()
    achieved = report.achieved.loc[hems, hems]
    mse = comparison.mean_squared_difference(achieved, real)
    st.metric(
        "Correlation MSE against the truth", f"{mse:.1e}", help="The truth: further runs of the same program with all HEMs read together."
    )
    title = f"How far is the merge from reading all HEMs together? Merged minus truth: Δr, {len(truth):,} true runs"
    pictures.show(correlation_heatmap(achieved - real, title=title, difference=True), key="truth", alt=title)


def _truth(dataset: Entry) -> pd.DataFrame | None:
    name = dataset.id.removeprefix(SAMPLE_PREFIX)
    if not dataset.bundled or not samples.has_truth(name):
        return None
    known = samples.truth(name)
    return known.frames[0] if isinstance(known, Subexperiments) else None


def _pairs_complete(table: Subexperiments) -> bool:
    return bool((pair_readings(table) > 0).all(axis=None))


def _measured_share(report: MergeReport) -> str:
    together, pairs = report.pairs_read_together
    return f"{together:,} of {pairs:,} pairs read together"


def _difference(r: float) -> str:
    return f"{r:+.1e}" if abs(r) < 0.0005 else f"{r:+.3f}"


def _r(matrix: pd.DataFrame, first: str, second: str) -> str:
    return f"{matrix.loc[[first], [second]].to_numpy()[0, 0]:+.3f}"


def _short(name: str) -> str:
    return name if len(name) <= 18 else f"{name[:9]}…{name[-8:]}"
