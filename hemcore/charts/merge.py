"""The pictures of a merge, a tab each; how the correlations, the pair and the margins are looked at."""

import functools
from collections.abc import Sequence
from typing import Any, Literal

import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.correlation import correlation_heatmap
from hemcore.charts.dep_lvl import dep_lvl_curve
from hemcore.charts.merged import anchor_ranking, margins, pair_scatter
from hemcore.charts.picture import Picture, Scene
from hemcore.datasets.shelf import samples
from hemcore.datasets.shelf.library import SAMPLE_PREFIX
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import ParameterError, UnknownNameError
from hemcore.merge.analysis import MergeReport
from hemcore.merge.fidelity import cluster_order, mean_squared_difference, pair_as_read, pooled_readings, ranked_by_strength
from hemcore.params import Params, parameter

__all__ = ["PICTURES", "VIEW", "MergeView", "dep_lvl_curve"]

ROWS = 1_000
MOST_MARGINS = 12
_FIRST_MARGINS = 6
_MERGES = ("merge.hrm", "merge.much")


class MergeView(Params):
    """How a merge is looked at. Names that are empty stand for the page's own choice."""

    matrix: Literal["merged", "measured"] = parameter(
        "merged", title="Matrix", description="The merged table's correlations, or those of the pairs as they were read together."
    )
    order: Literal["as read", "clustered"] = parameter(
        "as read", title="Order of the HEMs", description="As the dataset has them, or with HEMs that move together beside each other."
    )
    first_hem: str = parameter("", title="First HEM", description="Of the pair that is drawn. Empty: the pair that differs most.")
    second_hem: str = parameter("", title="Second HEM", description="Of the pair that is drawn. Empty: the pair that differs most.")
    ranked: str = parameter("", title="HEM to rank the others by", description="Empty: the first of the merged table.")
    margin_hems: tuple[str, ...] = parameter(
        (), title="HEMs", description=f"Whose distributions are compared, {MOST_MARGINS} at most. Empty: the first {_FIRST_MARGINS}."
    )


def pair_of(report: MergeReport, view: MergeView) -> tuple[str, str]:
    """The pair that `view` means: its own, else the one that differs most, else the first two HEMs.

    Raises UnknownNameError for a HEM that is not in the merged table, ParameterError for twice the same and where there is no pair.
    """
    hems = [str(hem) for hem in report.merged.columns]
    if len(hems) < 2:
        raise ParameterError("First HEM: the merged table has one HEM only, so there is no pair. Raise dep_lvl to keep more.")
    usual = report.worst[:2] if report.worst else (hems[0], hems[1])
    first = _known(view.first_hem, hems, "First HEM") if view.first_hem else ""
    second = _known(view.second_hem, hems, "Second HEM") if view.second_hem else ""
    if first and first == second:
        raise ParameterError(f"Second HEM: {second!r} is the first HEM too. Choose another.")
    first = first or next(hem for hem in usual if hem != second)
    return first, second or next(hem for hem in usual if hem != first)


def ranked_hem(report: MergeReport, view: MergeView) -> str:
    """The HEM that `view` ranks the others by. Raises UnknownNameError for one that is not in the merged table."""
    hems = [str(hem) for hem in report.merged.columns]
    return _known(view.ranked, hems, "HEM to rank the others by") if view.ranked else hems[0]


def margin_hems(report: MergeReport, view: MergeView) -> list[str]:
    """The HEMs whose margins `view` compares. Raises UnknownNameError for one that is not in the merged table, ParameterError above 12."""
    hems = [str(hem) for hem in report.merged.columns]
    if len(view.margin_hems) > MOST_MARGINS:
        raise ParameterError(f"HEMs: {len(view.margin_hems)} are chosen; {MOST_MARGINS} margins at most fit a picture. Take some away.")
    return [_known(hem, hems, "HEMs") for hem in view.margin_hems] or hems[:_FIRST_MARGINS]


def _known(hem: str, hems: Sequence[str], field: str) -> str:
    if hem not in hems:
        raise UnknownNameError(f"{field}: {hem!r} is not in the merged table; it may be left out. Choose another, or raise dep_lvl.")
    return hem


def _view(scene: Scene) -> MergeView:
    return scene.view if scene.view is not None else MergeView()


def _correlation(scene: Scene) -> list[go.Figure]:
    report, view = scene.result, _view(scene)
    names = cluster_order(report.target) if view.order == "clustered" else [str(hem) for hem in report.target]
    pinned: MergeReport | None = scene.baseline
    if pinned is not None:
        names += [str(hem) for hem in pinned.target if str(hem) not in names]
    measured = view.matrix == "measured"
    title = "How do the HEMs move together, read pair by pair?" if measured else "How do the HEMs of the merged table move together?"
    kept = f"{scene.question.dataset}|{view.order}"
    grey = "; grey: never read together" if report.target.isna().any(axis=None) else ""
    figure = _heatmap(_matrix(report, view), report, names, title=title, subtitle="Pearson r" + grey * measured, kept=kept)
    if pinned is None:
        difference = report.achieved - report.target
        title = "How far is the merge from what was measured?"
        subtitle = f"merged minus measured, Δr{grey}"
        return [figure, _heatmap(difference, report, names, title=title, subtitle=subtitle, difference=True, kept=kept)]
    words = f"pinned: {scene.baseline_words}" if scene.baseline_words else "the pinned one"
    title = "How did they move in the baseline?"
    return [figure, _heatmap(_matrix(pinned, view), pinned, names, title=title, subtitle=f"Pearson r, {words}", kept=kept)]


def _matrix(report: MergeReport, view: MergeView) -> pd.DataFrame:
    return report.target if view.matrix == "measured" else report.achieved


def _heatmap(matrix: pd.DataFrame, report: MergeReport, names: list[str], **words: Any) -> go.Figure:
    ordered = [frame if list(frame.columns) == names else frame.reindex(index=names, columns=names) for frame in (matrix, report.readings)]
    return correlation_heatmap(ordered[0], readings=ordered[1], **words)


def _pairs(scene: Scene) -> list[go.Figure]:
    report = scene.result
    first, second = pair_of(report, _view(scene))
    read = pair_as_read(scene.table.frames, first, second)
    measured = "not known: never read together" if read.empty else _r(report.target, first, second)
    subtitle = f"r merged {_r(report.achieved, first, second)}, measured {measured}"
    title, kept = "Do the merged runs lie where the real ones do?", f"{scene.question.dataset}|{first}|{second}"
    return [pair_scatter(first, second, report.merged, None if read.empty else read, title=title, subtitle=subtitle, kept=kept)]


def _r(matrix: pd.DataFrame, first: str, second: str) -> str:
    return f"{matrix.loc[[first], [second]].to_numpy()[0, 0]:+.3f}"


def _ranking(scene: Scene) -> list[go.Figure]:
    hem = ranked_hem(scene.result, _view(scene))
    ranked = ranked_by_strength(scene.result.achieved, hem)
    kept = f"{scene.question.dataset}|{hem}|{len(ranked)}"
    return [anchor_ranking(ranked, anchor=hem, title=f"Which HEMs move with {hem}, in the merged table?", kept=kept)]


def _margins(scene: Scene) -> list[go.Figure]:
    hems = margin_hems(scene.result, _view(scene))
    before = {hem: pooled_readings(scene.table.frames, hem) for hem in hems}
    title, subtitle = "Did each HEM keep its distribution?", "The two curves lie on each other where it did"
    return [margins(hems, before, scene.result.merged, title=title, subtitle=subtitle)]


def _no_figure(scene: Scene) -> list[go.Figure]:
    return []


def _left_out_words(scene: Scene) -> str:
    if scene.result.left_out.empty:
        return "Nothing was left out: every HEM that was read is in the merged table."
    return "A HEM above dep_lvl with one that was kept before it tells little that is new. Raise dep_lvl to keep it."


def _left_out(scene: Scene) -> pd.DataFrame | None:
    return None if scene.result.left_out.empty else scene.result.left_out


def _table_words(scene: Scene) -> str:
    return f"{len(scene.result.merged):,} runs, counts a run. The first {min(ROWS, len(scene.result.merged)):,} are shown."


def _truth(scene: Scene) -> list[go.Figure]:
    achieved, real, n_runs = _against_truth(scene)
    title, subtitle = "How far is the merge from reading all HEMs together?", f"merged minus truth, Δr; {n_runs:,} true runs"
    return [correlation_heatmap(achieved - real, title=title, subtitle=subtitle, difference=True, kept=scene.question.dataset)]


def _truth_words(scene: Scene) -> str:
    achieved, real, n_runs = _against_truth(scene)
    return (
        f"Correlation MSE against the truth: {mean_squared_difference(achieved, real):.1e}. The truth: {n_runs:,} further runs of the same "
        "program with all HEMs read together."
    )


def _against_truth(scene: Scene) -> tuple[pd.DataFrame, pd.DataFrame, int]:
    truth = _truth_of(scene.question.dataset)
    assert truth is not None  # what `shown` asks first
    hems = [hem for hem in scene.result.merged.columns if hem in truth.columns]
    return scene.result.achieved.loc[hems, hems], truth[hems].corr(), len(truth)


def _knows_truth(scene: Scene) -> bool:
    return _truth_of(scene.question.dataset) is not None


@functools.lru_cache(maxsize=4)
def _truth_of(dataset: str) -> pd.DataFrame | None:
    name = dataset.removeprefix(SAMPLE_PREFIX)
    if name == dataset or name not in samples.names() or not samples.has_truth(name):
        return None
    known = samples.truth(name)
    return known.frames[0] if isinstance(known, Subexperiments) else None


VIEW = MergeView
PICTURES = (
    Picture(
        name="correlation",
        tab="Merged correlation",
        draw=_correlation,
        analyses=_MERGES,
        hint="Click a cell, then open Pairs to see its runs. Hover for the HEMs, r and the readings behind the pair.",
        view=("matrix", "order"),
    ),
    Picture(name="pairs", tab="Pairs", draw=_pairs, analyses=_MERGES, view=("first_hem", "second_hem")),
    Picture(name="ranking", tab="Anchor ranking", draw=_ranking, analyses=_MERGES, view=("ranked",)),
    Picture(
        name="margins",
        tab="Margins",
        draw=_margins,
        analyses=_MERGES,
        caption=lambda scene: "The grey curve has every reading; MUCH leaves out readings that are outliers, so its tails can be shorter.",
        view=("margin_hems",),
    ),
    Picture(name="left_out", tab="Left out", draw=_no_figure, analyses=_MERGES, caption=_left_out_words, table=_left_out),
    Picture(
        name="table",
        tab="Table",
        draw=_no_figure,
        analyses=_MERGES,
        caption=_table_words,
        hint="All of them are in the downloads.",
        table=lambda scene: scene.result.merged.head(ROWS),
    ),
    Picture(name="truth", tab="Against the truth", draw=_truth, analyses=_MERGES, caption=_truth_words, shown=_knows_truth),
)
