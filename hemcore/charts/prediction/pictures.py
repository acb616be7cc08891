"""The pictures of phases, one tab each."""

from collections.abc import Sequence

from hemcore.charts.picture import Picture
from hemcore.charts.prediction import (
    cause_bars,
    cells,
    correlation,
    course,
    leaks,
    measured,
    pca,
    programs,
    ready,
    representatives,
    sizes,
    stack,
    two,
    what_if,
)
from hemcore.prediction.analysis import CELLS, CORRELATE, GRANULARITIES, INTERVALS, LEAK, MEASURE, PROJECT, TOTALS
from hemcore.prediction.evaluate.by_program import Evaluation
from hemcore.prediction.evaluate.cycle_costs import CostStack
from hemcore.prediction.evaluate.scenarios import WhatIf
from hemcore.prediction.explore.results import Explored

# Each needs only its own analysis, so it can be shown with any result for the same phases.
_COUNTERS: Sequence[Picture[Explored]] = (
    Picture(
        name="correlation",
        tab="Correlation",
        draw=correlation.draw,
        needs=CORRELATE,
        caption=correlation.caption,
        table=correlation.table,
        hint="Click a cell or a bar to plot its two counters.",
        arranged=lambda scene: "lead",
        view=("across", "up"),
    ),
    Picture(
        name="cells",
        tab="Loads and sizes",
        draw=cells.draw,
        needs=CELLS,
        caption=cells.caption,
        table=cells.table,
        shown=lambda scene: len(scene.table.loads) * len(scene.table.granularities) > 1,
    ),
    Picture(
        name="pca",
        tab="PCA",
        draw=pca.draw,
        needs=PROJECT,
        caption=pca.caption,
        table=pca.table,
        hint="Click a phase to list its counters.",
        view=("colour", "row"),
    ),
    Picture(
        name="two",
        tab="Two counters",
        draw=two.draw,
        needs=CORRELATE,
        caption=two.caption,
        table=two.table,
        hint="Click a phase to list its counters.",
        view=("across", "up", "rates", "colour", "row"),
    ),
)
_MEASURING: Sequence[Picture[Explored]] = (
    Picture(
        name="representatives",
        tab="Which phases to measure",
        draw=representatives.draw,
        needs=MEASURE,
        judged=True,
        caption=representatives.caption,
        table=representatives.table,
        hint="Click a point of the curve to measure that many phases.",
        arranged=lambda scene: "lead",
    ),
    Picture(
        name="enough",
        tab="How many phases",
        draw=representatives.draw_enough,
        needs=TOTALS,
        judged=True,
        caption=representatives.enough_caption,
        table=representatives.enough_table,
        hint="Click a point to measure that many phases.",
    ),
)
PREDICTING: Sequence[Picture[Evaluation]] = (
    Picture(
        name="programs",
        tab="By program",
        draw=programs.draw,
        caption=programs.caption,
        table=programs.table,
        hint="Click a dot to see that program's phases.",
        arranged=lambda scene: "lead",
        view=("drawn", "score"),
    ),
    Picture(
        name="measured",
        tab="Predicted and measured",
        draw=measured.draw,
        needs=INTERVALS,
        meanwhile=measured.meanwhile,
        caption=measured.caption,
        table=measured.table,
        hint="Click a point to see its program's phases.",
        view=("promised", "unseen"),
    ),
    Picture(
        name="unseen",
        tab="One program",
        draw=course.draw,
        needs=INTERVALS,
        meanwhile=measured.meanwhile,
        caption=course.caption,
        table=course.table,
        arranged=lambda scene: "lead",
        view=("promised", "unseen", "beside"),
    ),
    Picture(
        name="granularities",
        tab="Granularity",
        draw=sizes.draw,
        needs=GRANULARITIES,
        caption=sizes.caption,
        table=sizes.table,
        shown=sizes.several,
        view=("drawn", "score"),
    ),
    Picture(
        name="leak",
        tab="Shuffled rows",
        draw=leaks.draw,
        needs=LEAK,
        caption=leaks.caption,
        table=leaks.table,
    ),
    Picture(
        name="settings",
        tab="Settings",
        draw=lambda scene: [],
        caption=programs.settings_caption,
        table=programs.settings,
        shown=lambda scene: programs.settings(scene) is not None,
    ),
)
STACK: Sequence[Picture[CostStack]] = (
    Picture(
        name="stack",
        tab="By program",
        draw=stack.draw,
        caption=stack.caption,
        table=stack.table,
        arranged=lambda scene: "lead",
    ),
    Picture(
        name="causes",
        tab="Causes",
        draw=cause_bars.draw_causes,
        caption=cause_bars.caption,
        table=cause_bars.table,
        headline=cause_bars.headline,
        view=("loses", "reference"),
    ),
    Picture(
        name="costs",
        tab="Cost of an event",
        draw=stack.draw_costs,
        caption=stack.costs_caption,
        table=stack.costs_table,
    ),
)
ASKING: Sequence[Picture[WhatIf]] = (
    Picture(
        name="what-if",
        tab="What if",
        draw=what_if.draw,
        caption=what_if.caption,
        table=what_if.table,
        plain_table=True,
        hint="Click a phase to start there.",
        arranged=lambda scene: "lead",
        view=("start", "start_phase", "counts", "promised"),
    ),
    Picture(
        name="models",
        tab="Models",
        draw=ready.draw,
        caption=ready.caption,
        table=ready.table,
    ),
)
EXPLORING: Sequence[Picture[Explored]] = (*_COUNTERS, *_MEASURING)
