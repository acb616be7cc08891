"""The pictures of multiplexed counts, a tab each."""

from collections.abc import Sequence

import pandas as pd

from hemcore.charts.mpx import alignment, bars, curves, fewer_counters, heat
from hemcore.charts.picture import Picture, Scene
from hemcore.mpx.analysis import ALIGN, SIDE_BY_SIDE, WHAT_IF
from hemcore.mpx.results import Multiplexed


def _removed(scene: Scene[Multiplexed]) -> pd.DataFrame:
    return scene.result.removed


def _removed_caption(scene: Scene[Multiplexed]) -> str:
    removed = scene.result.removed
    runs, tails = int((removed["what"] == "run").sum()), removed[removed["what"] == "tail"]
    return (
        f"Removed before anything is estimated or scored: {runs:,} run{'' if runs == 1 else 's'} with almost no counts, and the "
        f"tails of {len(tails):,} run{'' if len(tails) == 1 else 's'}, {int(tails['slots'].sum()):,} slots. Outliers are kept."
    )


PICTURES: Sequence[Picture[Multiplexed]] = (
    Picture(
        name="curves",
        tab="Curves",
        draw=curves.draw,
        caption=curves.caption,
        table=curves.table,
        plain_table=True,
        view=("events", "beside"),
    ),
    Picture(
        name="estimators",
        tab="Estimators",
        draw=bars.draw,
        caption=bars.caption,
        table=bars.table,
        shown=bars.has_scores,
        arranged=lambda scene: "pair",
    ),
    Picture(
        name="events",
        tab="By event",
        draw=heat.by_event,
        caption=heat.event_caption,
        table=heat.event_table,
        hint="Click a cell to see its curve.",
        shown=bars.has_scores,
        view=("score",),
    ),
    Picture(
        name="applications",
        tab="All applications",
        draw=heat.by_application,
        needs=SIDE_BY_SIDE,
        caption=heat.application_caption,
        table=heat.application_table,
        hint="Click a cell to open it.",
        shown=bars.has_scores,
        view=("score", "by"),
    ),
    Picture(
        name="what-if",
        tab="What if",
        draw=fewer_counters.draw,
        needs=WHAT_IF,
        caption=fewer_counters.caption,
        table=fewer_counters.table,
        hint="Click a point to use its k, if slots are hidden here.",
        shown=fewer_counters.can_try,
        view=("compared",),
    ),
    Picture(
        name="aligned",
        tab="Alignment",
        draw=alignment.draw,
        needs=ALIGN,
        caption=alignment.caption,
        shown=alignment.has_truth,
    ),
    Picture(
        name="removed",
        tab="Removed",
        draw=lambda scene: [],
        caption=_removed_caption,
        table=_removed,
        shown=lambda scene: bool(len(scene.result.removed)),
    ),
)
