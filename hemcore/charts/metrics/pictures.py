"""The pictures of metrics, in the order of the tabs: over whole runs, over time, by phase, and of signatures."""

from collections.abc import Sequence

import plotly.graph_objects as go

from hemcore.charts.metrics.changes_dots import change_caption, change_figures, change_table
from hemcore.charts.metrics.course_lines import course_caption, course_figures, course_table
from hemcore.charts.metrics.doubts import doubt_caption, doubt_figure, doubt_table, sums_caption, sums_figure
from hemcore.charts.metrics.metric_tables import (
    all_caption,
    all_table,
    lacking_caption,
    lacking_table,
    row_caption,
    row_table,
    sums_table,
)
from hemcore.charts.metrics.more_runs import more_runs_caption, more_runs_figures, more_runs_table
from hemcore.charts.metrics.phase_heat import heat_caption, heat_figure, heat_table
from hemcore.charts.metrics.tree_tiles import tree_caption, tree_figure, tree_table
from hemcore.charts.picture import AnyScene, Picture
from hemcore.metrics.courses import COURSE
from hemcore.metrics.results import MetricRows, MetricsReport

_LISTED = ("search", "group", "listed")


def _no_figure(scene: AnyScene) -> list[go.Figure]:
    return []


PICTURES: Sequence[Picture[MetricsReport]] = (
    Picture(
        name="tree",
        tab="Top-down",
        draw=tree_figure,
        caption=tree_caption,
        table=tree_table,
        shown=lambda scene: scene.result.tree is not None and bool(scene.result.tree.nodes["share"].notna().any()),
    ),
    Picture(
        name="change",
        tab="Change",
        draw=change_figures,
        caption=change_caption,
        table=change_table,
        shown=lambda scene: scene.baseline is not None,
        arranged=lambda scene: "stack",
    ),
    Picture(name="all", tab="All metrics", draw=_no_figure, caption=all_caption, table=all_table, view=_LISTED),
    Picture(name="doubt", tab="How sure", draw=doubt_figure, caption=doubt_caption, table=doubt_table),
    Picture(
        name="more_runs",
        tab="What if",
        draw=more_runs_figures,
        caption=more_runs_caption,
        table=more_runs_table,
        plain_table=True,
        view=("runs", "repeat"),
        shown=lambda scene: bool(scene.result.rows["low"].notna().any()),
    ),
    Picture(
        name="sums",
        tab="Sums that must agree",
        draw=sums_figure,
        caption=sums_caption,
        table=sums_table,
        shown=lambda scene: len(scene.result.identities) > 0,
    ),
    Picture(
        name="missing",
        tab="Missing",
        draw=_no_figure,
        caption=lacking_caption,
        table=lacking_table,
        shown=lambda scene: bool(scene.result.needs),
    ),
)
_ROWS: Picture[MetricRows] = Picture(name="all", tab="All metrics", draw=_no_figure, caption=row_caption, table=row_table, view=_LISTED)
_LACKING: Picture[MetricRows] = Picture(
    name="missing",
    tab="Missing",
    draw=_no_figure,
    caption=lacking_caption,
    table=lacking_table,
    shown=lambda scene: bool(scene.result.needs),
)
OF_ROWS: Sequence[Picture[MetricRows]] = (_ROWS, _LACKING)
OVER_TIME_PICTURES: Sequence[Picture[MetricRows]] = (
    Picture(
        name="course",
        tab="Over time",
        needs=COURSE,
        draw=course_figures,
        caption=course_caption,
        table=course_table,
        arranged=lambda scene: "stack",
        shown=lambda scene: len(scene.result.needs) < len(scene.result.names),
    ),
    *OF_ROWS,
)
OF_PHASES: Sequence[Picture[MetricRows]] = (
    Picture(
        name="phases",
        tab="By phase",
        draw=heat_figure,
        caption=heat_caption,
        table=heat_table,
        view=(*_LISTED, "program", "granularity", "load"),
        shown=lambda scene: bool(scene.result.rows[list(scene.result.names)].notna().any(axis=None)),
    ),
    *OF_ROWS,
)
