"""The view of metrics: which are listed, what would be read more, which phases are shown."""

from typing import Literal

import pandas as pd

from hemcore.charts.picture import AnyScene
from hemcore.metrics.interval_widths import FEWEST, MOST
from hemcore.params import Params, parameter

_STOPS = (*(float(each * 10**power) for power in range(1, 5) for each in (1, 2, 3, 5, 7)), float(MOST))


class MetricsView(Params):
    """The view of metrics. An empty name means the page chooses."""

    search: str = parameter("", title="Search", description="Shows the metrics with these words in name, formula, group or description.")
    group: str = parameter("", title="Group", description="Shows the metrics of this group. Empty: of all.")
    listed: Literal["all", "with a value", "past threshold"] = parameter(
        "all", title="Show", description="All metrics, those with a value, or those past their threshold."
    )
    runs: float = parameter(
        1000.0,
        title="Runs of each subexperiment",
        description="How wide the intervals would be with so many runs.",
        ge=1,
        le=1e9,
        slider=(FEWEST, MOST),
        stops=_STOPS,
    )
    repeat: str = parameter("", title="Repeat", description="The subexperiment that would have so many runs. Empty: each of them.")
    program: str = parameter("", title="Program", description="Whose phases are shown. Empty: of all programs.")
    granularity: str = parameter("", title="Granularity", description="Which phases are shown. Empty: the first granularity.")
    load: str = parameter("", title="Load", description="Under which load. Empty: the first.")


def view_of(scene: AnyScene) -> MetricsView:
    """The view of `scene`, with defaults if it has none."""
    return scene.view if isinstance(scene.view, MetricsView) else MetricsView()


def listed(rows: pd.DataFrame, view: MetricsView) -> pd.DataFrame:
    """The rows (columns metric, group, formula, description, and value and passed if they are known) that `view` asks for."""
    words = view.search.lower().split()
    texts = rows[["metric", "group", "formula", "description"]].agg(" ".join, axis=1).str.lower()
    keep = pd.Series(True, index=rows.index)
    for word in words:
        keep &= texts.str.contains(word, regex=False)
    if view.group:
        keep &= pd.Series([view.group in groups_of(each) for each in rows["group"]], index=rows.index, dtype=bool)
    if view.listed != "all" and "value" in rows:
        keep &= rows["value"].notna() if view.listed == "with a value" else rows["passed"] == 1
    return rows[keep]


def groups_of(text: str) -> list[str]:
    """The groups in a cell, which are between semicolons."""
    return [each.strip() for each in text.split(";") if each.strip()]
