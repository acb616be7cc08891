"""The pictures of a merge, a tab each; how the correlations, the pair and the margins are looked at."""

from collections.abc import Sequence
from typing import Any, Literal

import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.correlation_heatmap import correlation_heatmap, filled_mark
from hemcore.charts.merge.dep_lvl import dep_lvl_curve
from hemcore.charts.merge.interval_forest import forest
from hemcore.charts.merge.merged_table import against_truth, anchor_ranking, margins, pair_scatter
from hemcore.charts.merge.method_bars import methods, methods_table, methods_words
from hemcore.charts.merge.view import MergeView, margin_hems, pair_of, ranked_hem
from hemcore.charts.picture import Picture, Scene
from hemcore.errors import ParameterError
from hemcore.merge.results import MergeReport
from hemcore.merge.trust.comparison import COMPARE
from hemcore.merge.trust.correlation_intervals import LEVEL
from hemcore.merge.trust.fidelity import cluster_order, pair_as_read, pooled_readings, ranked_by_strength

__all__ = ["MERGE_PICTURES", "PICTURES", "dep_lvl_curve"]

ROWS = 1_000
_MOST_BESIDE = 20  # HEMs whose heatmap leaves room for a pair's runs beside it
_POINTS_BESIDE = 2_000
_MATRIX_WORDS = {
    "merged": ("How do the merged HEMs move together?", "Pearson r"),
    "measured": ("How do pairs move that were read together?", "Pearson r"),
    "minus measured": ("How far is the merge from what was measured?", "merged minus measured, Δr"),
    "minus truth": ("How far is the merge from the truth?", "merged minus truth, Δr"),
}


def _view(scene: Scene[MergeReport]) -> MergeView:
    return scene.view if scene.view is not None else MergeView()


def _correlation(scene: Scene[MergeReport]) -> list[go.Figure]:
    report, view = scene.result, _view(scene)
    if view.matrix == "minus truth" and report.truth is None:
        raise ParameterError("Matrix: nobody knows the truth of this dataset. Choose merged, measured or minus measured.")
    names = cluster_order(report.target) if view.order == "clustered" else [str(hem) for hem in report.target]
    pinned: MergeReport | None = scene.baseline
    if pinned is not None:
        names += [str(hem) for hem in pinned.target if str(hem) not in names]
    title, subtitle = _MATRIX_WORDS[view.matrix]
    matrix = _matrix(report, view)
    if view.matrix != "merged" and matrix.isna().any(axis=None):
        subtitle += "; grey: never read together"
    pair = pair_of(report, view) if report.merged.shape[1] > 1 else None
    difference = view.matrix.startswith("minus")
    shared: dict[str, Any] = {"difference": difference, "kept": f"{scene.question.dataset}|{view.order}"}
    if view.matrix == "merged" and bool((report.readings == 0).any(axis=None)):
        subtitle += f"; {filled_mark(len(names))}: never read together, filled"
    figures = [_heatmap(matrix, report, names, title=title, subtitle=subtitle, marked=pair, filled=view.matrix == "merged", **shared)]
    if pinned is not None and (view.matrix != "minus truth" or pinned.truth is not None):
        words = f"pinned: {scene.baseline_words}" if scene.baseline_words else "the pinned one"
        title = "How far was the baseline?" if difference else "How did they move in the baseline?"
        figures.append(_heatmap(_matrix(pinned, view), pinned, names, title=title, subtitle=f"{subtitle}, {words}", **shared))
    return figures if pair is None else [*figures, _scatter(scene, pair, _POINTS_BESIDE)]


def _arranged(scene: Scene[MergeReport]) -> Literal["lead", "lead-wide", "stack"]:
    return "stack" if scene.baseline is not None else "lead" if scene.result.merged.shape[1] <= _MOST_BESIDE else "lead-wide"


def _matrix(report: MergeReport, view: MergeView) -> pd.DataFrame:
    if view.matrix in ("merged", "measured"):
        return report.target if view.matrix == "measured" else report.achieved
    return report.achieved - (report.target if report.truth is None or view.matrix == "minus measured" else report.truth.real)


def _heatmap(matrix: pd.DataFrame, report: MergeReport, names: list[str], **words: Any) -> go.Figure:
    ordered = [frame if list(frame.columns) == names else frame.reindex(index=names, columns=names) for frame in (matrix, report.readings)]
    return correlation_heatmap(ordered[0], readings=ordered[1], intervals=_said_intervals(report), **words)


def _said_intervals(report: MergeReport) -> dict[tuple[str, str], str]:
    """What the hover of each measured pair says of its interval, both ways round."""
    columns = (report.intervals[name].tolist() for name in ("hem_a", "hem_b", "r", "low", "high"))
    said = {
        (one, other): f"measured {r:+.3f}, {LEVEL:.0%} interval {low:+.3f} to {high:+.3f}"
        for one, other, r, low, high in zip(*columns, strict=True)
        if low == low
    }
    return said | {(other, one): words for (one, other), words in said.items()}


def _correlation_words(scene: Scene[MergeReport]) -> str:
    report, view = scene.result, _view(scene)
    if report.merged.shape[1] < 2 or view.first_hem or view.second_hem:
        return ""
    of = "the truth's" if view.matrix == "minus truth" else "the measured one"
    return f"The runs drawn are those of the worst pair, with a frame: its merged r is farthest from {of}."


def _pairs(scene: Scene[MergeReport]) -> list[go.Figure]:
    return [_scatter(scene, pair_of(scene.result, _view(scene)))]


def _scatter(scene: Scene[MergeReport], pair: tuple[str, str], points: int = 4_000) -> go.Figure:
    report = scene.result
    first, second = pair
    read = pair_as_read(scene.table.frames, first, second)
    said = [f"merged {_r(report.achieved, first, second)}"]
    if not read.empty:
        said.append(f"measured {_r(report.target, first, second)}")
    if report.truth is not None and {first, second} <= set(report.truth.real):
        said.append(f"true {_r(report.truth.real, first, second)}")
    subtitle = f"r {', '.join(said)}{'; never read together' if read.empty else ''}"
    title, kept = "Do the merged runs lie where the real ones do?", f"{scene.question.dataset}|{first}|{second}"
    together = None if read.empty else read
    return pair_scatter(first, second, report.merged, together, title=title, subtitle=subtitle, points=points, kept=kept)


def _r(matrix: pd.DataFrame, first: str, second: str) -> str:
    value = matrix.loc[[first], [second]].to_numpy()[0, 0]
    return f"{value:+.3f}" if value == value else "not known"


def _ranking(scene: Scene[MergeReport]) -> list[go.Figure]:
    hem = ranked_hem(scene.result, _view(scene))
    ranked = ranked_by_strength(scene.result.achieved, hem)
    kept = f"{scene.question.dataset}|{hem}|{len(ranked)}"
    return [anchor_ranking(ranked, anchor=hem, title=f"Which HEMs move with {hem}, in the merged table?", kept=kept)]


def _intervals(scene: Scene[MergeReport]) -> list[go.Figure]:
    report, hem = scene.result, ranked_hem(scene.result, _view(scene))
    found = report.intervals
    mine = found[(found["hem_a"] == hem) | (found["hem_b"] == hem)]
    rows = mine.assign(other=mine["hem_b"].where(mine["hem_a"] == hem, mine["hem_a"])).set_index("other")[["r", "low", "high", "runs"]]
    merged = ranked_by_strength(report.achieved, hem)
    rows = rows.reindex(merged.index).assign(merged=merged, runs=report.readings[hem].reindex(merged.index)).rename_axis("other")
    title = f"Is r with {hem} where it was measured?"
    words = f"{len(report.outside):,} of {len(found):,} pairs of the table lie outside; of the true r, 1 in 10 do"
    return [forest(rows.reset_index(), hem=hem, title=title, subtitle=words, kept=f"{scene.question.dataset}|{hem}|intervals")]


def _intervals_words(scene: Scene[MergeReport]) -> str:
    together, pairs = scene.result.pairs_read_together
    apart, filled = pairs - together, ""
    if apart:
        filled = f" {apart:,} of {pairs:,} pairs were never read together: they have none: how far what fills them is off no runs tell."
    return f"The interval holds the true r of a pair in nine of ten collections; it is of all runs that read both HEMs.{filled}"


def _methods(scene: Scene[MergeReport]) -> list[go.Figure]:
    title, subtitle = "Which merge's rows pass for rows read together?", "Each with all HEMs; dashed: true rows"
    return [] if scene.more is None else [methods(scene.more, title=title, subtitle=subtitle, kept=f"{scene.question.dataset}|methods")]


def _margins(scene: Scene[MergeReport]) -> list[go.Figure]:
    hems = margin_hems(scene.result, _view(scene))
    before = {hem: pooled_readings(scene.table.frames, hem) for hem in hems}
    title, subtitle = "Did each HEM keep its distribution?", "The two curves lie on each other where it did"
    return [margins(hems, before, scene.result.merged, title=title, subtitle=subtitle)]


def _no_figure(scene: Scene[MergeReport]) -> list[go.Figure]:
    return []


def _left_out_words(scene: Scene[MergeReport]) -> str:
    if scene.result.left_out.empty:
        return "Nothing was left out: every HEM that was read is in the merged table."
    return "A HEM above dep_lvl with one that was kept before it tells little that is new. Raise dep_lvl to keep it."


def _left_out(scene: Scene[MergeReport]) -> pd.DataFrame | None:
    return None if scene.result.left_out.empty else scene.result.left_out


def _table_words(scene: Scene[MergeReport]) -> str:
    return f"{len(scene.result.merged):,} runs, counts a run. The first {min(ROWS, len(scene.result.merged)):,} are shown."


def _truth(scene: Scene[MergeReport]) -> list[go.Figure]:
    truth = scene.result.truth
    assert truth is not None  # else the picture is not shown
    hems = list(truth.real)
    title, subtitle = "Is each correlation where the truth has it?", "A point a pair; beyond noise: over 2 standard errors"
    kept = f"{scene.question.dataset}|truth"
    return [against_truth(scene.result.achieved.loc[hems, hems], truth.real, truth.errors, title=title, subtitle=subtitle, kept=kept)]


def _truth_words(scene: Scene[MergeReport]) -> str:
    truth = scene.result.truth
    assert truth is not None
    return (
        f"Correlation MSE against the truth: {truth.mse:.1e}; sampling noise alone makes {truth.noise:.1e}; {truth.n_beyond:,} of "
        f"{truth.n_pairs:,} pairs lie beyond two standard errors, {0.05 * truth.n_pairs:.0f} would by chance. The truth: {truth.n_runs:,} "
        "further runs of the same program with all HEMs read together."
    )


def _knows_truth(scene: Scene[MergeReport]) -> bool:
    return scene.result.truth is not None


_LEFT_OUT: Picture[MergeReport] = Picture(name="left_out", tab="Left out", draw=_no_figure, caption=_left_out_words, table=_left_out)
PICTURES: Sequence[Picture[MergeReport]] = (
    Picture(
        name="correlation",
        tab="Merged correlation",
        draw=_correlation,
        caption=_correlation_words,
        hint="Click a cell to see the runs of its pair. Hover for the HEMs, r and the readings behind the pair.",
        arranged=_arranged,
        view=("matrix", "order", "first_hem", "second_hem"),
    ),
    Picture(name="pairs", tab="Pairs", draw=_pairs, view=("first_hem", "second_hem")),
    Picture(name="intervals", tab="Intervals", draw=_intervals, caption=_intervals_words, view=("ranked",)),
    Picture(
        name="methods",
        tab="Methods compared",
        draw=_methods,
        needs=COMPARE,
        caption=lambda scene: "" if scene.more is None else methods_words(scene.more),
        table=lambda scene: None if scene.more is None else methods_table(scene.more),
    ),
    Picture(name="ranking", tab="Anchor ranking", draw=_ranking, view=("ranked",)),
    Picture(
        name="margins",
        tab="Margins",
        draw=_margins,
        caption=lambda scene: "The grey curve has every reading; MUCH leaves out readings that are outliers, so its tails can be shorter.",
        view=("margin_hems",),
    ),
    _LEFT_OUT,
    Picture(
        name="table",
        tab="Table",
        draw=_no_figure,
        caption=_table_words,
        hint="All of them are in the downloads.",
        table=lambda scene: scene.result.merged.head(ROWS),
    ),
    Picture(
        name="truth",
        tab="Against the truth",
        draw=_truth,
        caption=_truth_words,
        shown=_knows_truth,
    ),
)
# Of a merge that leaves no HEM out.
MERGE_PICTURES: Sequence[Picture[MergeReport]] = tuple(each for each in PICTURES if each is not _LEFT_OUT)
