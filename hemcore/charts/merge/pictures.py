"""The pictures of a merge, one per tab."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.correlation_matrices import correlation_heatmap, filled_mark
from hemcore.charts.look import short
from hemcore.charts.merge.interval_forest import OF_RANKS, forest
from hemcore.charts.merge.merged_table import against_truth, anchor_ranking, margins, pair_scatter
from hemcore.charts.merge.method_bars import method_dots, methods_caption, methods_table
from hemcore.charts.merge.view import MergeView, margin_hems, pair_of, ranked_hem
from hemcore.charts.picture import Picture, Scene
from hemcore.errors import ParameterError
from hemcore.headline import amount, counted_noun, formatted, percent
from hemcore.merge.results import MergeReport
from hemcore.merge.trust.comparison import COMPARE
from hemcore.merge.trust.correlation_intervals import LEVEL, RANKS, on_few_runs
from hemcore.merge.trust.fidelity import cluster_order, pair_as_read, pooled_readings, ranked_by_strength

__all__ = ["MERGE_PICTURES", "PICTURES"]

ROWS = 1_000
_MOST_WITH_PAIR = 20  # HEMs whose heatmap leaves room for a pair next to it
_PAIR_POINTS = 2_000
_JOINED = "\u00a0"  # a space at which no line ends
_MATRIX_TITLES = {
    "merged": ("How are the merged HEMs correlated?", "Pearson r"),
    "measured": ("How are HEMs read together correlated?", "Pearson r"),
    "minus measured": ("How far is the merge from the measured pairs?", "merged minus measured, Δr"),
    "minus truth": ("How far is the merge from the truth?", "merged minus truth, Δr"),
}


def _view(scene: Scene[MergeReport]) -> MergeView:
    return scene.view if scene.view is not None else MergeView()


def _correlation(scene: Scene[MergeReport]) -> list[go.Figure]:
    report, view = scene.result, _view(scene)
    if view.matrix == "minus truth" and report.truth is None:
        raise ParameterError("Matrix: the truth is not known for this dataset. Choose merged, measured or minus measured.")
    names = cluster_order(report.target) if view.order == "clustered" else [str(hem) for hem in report.target]
    pinned: MergeReport | None = scene.baseline
    if pinned is not None:
        names += [str(hem) for hem in pinned.target if str(hem) not in names]
    title, subtitle = _MATRIX_TITLES[view.matrix]
    matrix = _matrix(report, view)
    if view.matrix != "merged" and matrix.isna().any(axis=None):
        subtitle += "; grey: never read together"
    pair = pair_of(report, view) if report.merged.shape[1] > 1 else None
    difference = view.matrix.startswith("minus")
    shared: dict[str, object] = {"difference": difference, "uirevision": f"{scene.question.dataset}|{view.order}"}
    if view.matrix == "merged" and bool((report.readings == 0).any(axis=None)):
        subtitle += f"; {filled_mark(len(names))}: never read together, filled"
    figures = [_heatmap(matrix, report, names, title=title, subtitle=subtitle, marked=pair, filled=view.matrix == "merged", **shared)]
    if pinned is not None and (view.matrix != "minus truth" or pinned.truth is not None):
        which = f"pinned: {scene.baseline_words}" if scene.baseline_words else "pinned"
        title = "How far was the baseline?" if difference else "How are they correlated in the baseline?"
        figures.append(_heatmap(_matrix(pinned, view), pinned, names, title=title, subtitle=f"{subtitle}, {which}", **shared))
    return figures if pair is None else [*figures, _scatter(scene, pair, _PAIR_POINTS)]


def _arranged(scene: Scene[MergeReport]) -> Literal["pair", "lead", "lead-wide"]:
    if scene.baseline is not None:
        return "pair"  # seen at a glance: the two heatmaps side by side
    return "lead" if scene.result.merged.shape[1] <= _MOST_WITH_PAIR else "lead-wide"


def _matrix(report: MergeReport, view: MergeView) -> pd.DataFrame:
    if view.matrix in ("merged", "measured"):
        return report.target if view.matrix == "measured" else report.achieved
    return report.achieved - (report.target if report.truth is None or view.matrix == "minus measured" else report.truth.real)


def _heatmap(matrix: pd.DataFrame, report: MergeReport, names: list[str], **options: Any) -> go.Figure:
    ordered = [frame if list(frame.columns) == names else frame.reindex(index=names, columns=names) for frame in (matrix, report.readings)]
    return correlation_heatmap(ordered[0], readings=ordered[1], intervals=_interval_texts(report), **options)


def _interval_texts(report: MergeReport) -> dict[tuple[str, str], str]:
    """The interval of each measured pair as hover text, for both orders of its HEMs."""
    columns = (report.intervals[name].tolist() for name in ("hem_a", "hem_b", "r", "low", "high", "scale"))
    texts = {
        (one, other): f"measured {formatted(r, '+.3f')}{OF_RANKS if scale == RANKS else ''}, {percent(LEVEL)} interval "
        f"{formatted(low, '+.3f')} to {formatted(high, '+.3f')}"
        for one, other, r, low, high, scale in zip(*columns, strict=True)
        if low == low
    }
    return texts | {(other, one): text for (one, other), text in texts.items()}


def _correlation_caption(scene: Scene[MergeReport]) -> str:
    report, view = scene.result, _view(scene)
    if report.merged.shape[1] < 2 or view.first_hem or view.second_hem:
        return ""
    reference = "the true one" if view.matrix == "minus truth" else "the measured one"
    return f"The scatter plot shows the worst pair, framed in the heatmap: its merged r is furthest from {reference}."


def _pairs(scene: Scene[MergeReport]) -> list[go.Figure]:
    return [_scatter(scene, pair_of(scene.result, _view(scene)))]


def _scatter(scene: Scene[MergeReport], pair: tuple[str, str], points: int = 4_000) -> go.Figure:
    report, view = scene.result, _view(scene)
    first, second = pair
    read = pair_as_read(scene.table.frames, first, second)
    values = [f"merged{_JOINED}{_r(report.achieved, first, second)}"]
    if not read.empty:
        values.append(f"measured{_JOINED}{_r(report.target, first, second)}")
    if report.truth is not None and {first, second} <= set(report.truth.real):
        values.append(f"true{_JOINED}{_r(report.truth.real, first, second)}")
    worst = ", the worst pair" if report.worst and not (view.first_hem or view.second_hem) else ""
    names = f"{short(first, 20)} with {short(second, 20)}{worst}"
    subtitle = f"{names}: r {', '.join(values)}{'; never read together' if read.empty else ''}"
    title, uirevision = "Do merged runs match real ones?", f"{scene.question.dataset}|{first}|{second}"
    together = None if read.empty else read
    return pair_scatter(first, second, report.merged, together, title=title, subtitle=subtitle, points=points, uirevision=uirevision)


def _r(matrix: pd.DataFrame, first: str, second: str) -> str:
    value = matrix.loc[[first], [second]].to_numpy()[0, 0]
    return formatted(value, "+.3f") if value == value else "unknown"


def _ranking(scene: Scene[MergeReport]) -> list[go.Figure]:
    hem = ranked_hem(scene.result, _view(scene))
    ranked = ranked_by_strength(scene.result.achieved, hem)
    uirevision = f"{scene.question.dataset}|{hem}|{len(ranked)}"
    return [anchor_ranking(ranked, anchor=hem, title=f"Which HEMs correlate with {hem} in the merged table?", uirevision=uirevision)]


def _intervals(scene: Scene[MergeReport]) -> list[go.Figure]:
    report, hem = scene.result, ranked_hem(scene.result, _view(scene))
    found = report.intervals
    mine = found[(found["hem_a"] == hem) | (found["hem_b"] == hem)]
    rows = mine.assign(other=mine["hem_b"].where(mine["hem_a"] == hem, mine["hem_a"])).set_index("other")[
        ["r", "low", "high", "merged", "scale"]
    ]
    merged = ranked_by_strength(report.achieved, hem)
    rows = rows.reindex(merged.index).assign(runs=report.readings[hem].reindex(merged.index)).rename_axis("other")
    rows["merged"] = rows["merged"].fillna(merged)
    title = f"Does r with {hem} match the measurement?"
    subtitle = f"{len(report.outside):,} of {len(found):,} measured pairs are outside their interval; 1 in 10 is expected"
    return [forest(rows.reset_index(), hem=hem, title=title, subtitle=subtitle, uirevision=f"{scene.question.dataset}|{hem}|intervals")]


def _intervals_caption(scene: Scene[MergeReport]) -> str:
    together, pairs = scene.result.pairs_read_together
    apart, filled = pairs - together, ""
    if apart:
        filled = f" {apart:,} of {pairs:,} pairs were never read together and have no interval: the data cannot show the model's error."
    by_ranks = int((scene.result.intervals["scale"] == RANKS).sum())
    ranked = f" {by_ranks:,} pairs have heavy tails: theirs is r of normal scores, measured and merged." if by_ranks else ""
    few = len(on_few_runs(scene.result.intervals))
    decided = f" Fewer than four runs decide Pearson's r of {counted_noun(few, 'pair')}." if few else ""
    return f"An interval contains the true r in nine of ten collections; it uses all runs that read both HEMs.{ranked}{decided}{filled}"


def _methods(scene: Scene[MergeReport]) -> list[go.Figure]:
    title, subtitle = "Which merge is closest to rows read together?", "further left is closer; dashed: real rows, judged alike"
    if scene.more is not None and np.isfinite(scene.more.quality.told):
        subtitle += "; grey: halves cannot tell it from 0.5"
    return (
        []
        if scene.more is None
        else [method_dots(scene.more, title=title, subtitle=subtitle, uirevision=f"{scene.question.dataset}|methods")]
    )


def _margins(scene: Scene[MergeReport]) -> list[go.Figure]:
    hems = margin_hems(scene.result, _view(scene))
    before = {hem: pooled_readings(scene.table.frames, hem) for hem in hems}
    title, subtitle = "Did each HEM keep its distribution?", "if so, the two curves coincide"
    return [margins(hems, before, scene.result.merged, title=title, subtitle=subtitle)]


def _no_figure(scene: Scene[MergeReport]) -> list[go.Figure]:
    return []


def _left_out_caption(scene: Scene[MergeReport]) -> str:
    if scene.result.left_out.empty:
        return "Nothing was left out: every HEM read is in the merged table."
    if scene.result.left_out["r"].isna().all():
        return "Readings that the merged table does not use, and why."
    return "A HEM whose r with a kept HEM exceeds dep_lvl adds little information. Raise dep_lvl to keep it."


def _left_out(scene: Scene[MergeReport]) -> pd.DataFrame | None:
    rows = scene.result.left_out
    return None if rows.empty else rows.dropna(axis="columns", how="all")


def _table_caption(scene: Scene[MergeReport]) -> str:
    n = len(scene.result.merged)
    return f"{n:,} runs, counts per run.{f' The first {ROWS:,} are shown; all are in the downloads.' if n > ROWS else ''}"


def _truth(scene: Scene[MergeReport]) -> list[go.Figure]:
    truth = scene.result.truth
    assert truth is not None  # else the picture is not shown
    hems = list(truth.real)
    title, subtitle = "Does each correlation match the truth?", "one point per pair; beyond noise: over 2 standard errors"
    uirevision = f"{scene.question.dataset}|truth"
    return [
        against_truth(
            scene.result.achieved.loc[hems, hems], truth.real, truth.errors, title=title, subtitle=subtitle, uirevision=uirevision
        )
    ]


def _truth_caption(scene: Scene[MergeReport]) -> str:
    truth = scene.result.truth
    assert truth is not None
    return (
        f"Correlation MSE against the truth: {amount(truth.mse, 2)}; sampling noise alone gives {amount(truth.noise, 2)}; "
        f"{truth.n_beyond:,} of {truth.n_pairs:,} pairs are off by more than two standard errors; {0.05 * truth.n_pairs:.0f} are expected "
        "by chance. The truth: "
        f"{truth.n_runs:,} further runs of the same program with all HEMs read together."
    )


def _knows_truth(scene: Scene[MergeReport]) -> bool:
    return scene.result.truth is not None


_LEFT_OUT: Picture[MergeReport] = Picture(name="left_out", tab="Left out", draw=_no_figure, caption=_left_out_caption, table=_left_out)
PICTURES: Sequence[Picture[MergeReport]] = (
    Picture(
        name="correlation",
        tab="Merged correlation",
        draw=_correlation,
        caption=_correlation_caption,
        hint="Click a cell to see the runs of its pair. Hover for the HEMs, r and the number of readings.",
        arranged=_arranged,
        view=("matrix", "order", "first_hem", "second_hem"),
    ),
    Picture(name="pairs", tab="Pairs", draw=_pairs, view=("first_hem", "second_hem")),
    Picture(name="intervals", tab="Intervals", draw=_intervals, caption=_intervals_caption, view=("ranked",)),
    Picture(
        name="methods",
        tab="Methods compared",
        draw=_methods,
        needs=COMPARE,
        caption=lambda scene: "" if scene.more is None else methods_caption(scene.more),
        table=lambda scene: None if scene.more is None else methods_table(scene.more),
    ),
    Picture(name="ranking", tab="Anchor ranking", draw=_ranking, view=("ranked",)),
    Picture(
        name="margins",
        tab="Margins",
        draw=_margins,
        caption=lambda scene: "The grey curve shows every reading; MUCH leaves out outliers, which can shorten the tails.",
        view=("margin_hems",),
    ),
    _LEFT_OUT,
    Picture(
        name="table",
        tab="Table",
        draw=_no_figure,
        caption=_table_caption,
        table=lambda scene: scene.result.merged.head(ROWS),
    ),
    Picture(
        name="truth",
        tab="Against the truth",
        draw=_truth,
        caption=_truth_caption,
        shown=_knows_truth,
    ),
)
# Of a merge that leaves no HEM out.
MERGE_PICTURES: Sequence[Picture[MergeReport]] = tuple(each for each in PICTURES if each is not _LEFT_OUT)
