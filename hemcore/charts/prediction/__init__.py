"""The pictures of phases, a tab each."""

from collections.abc import Sequence

from hemcore.charts.picture import Picture
from hemcore.charts.prediction import cells, correlation, pca, representatives, two
from hemcore.charts.prediction.view import PredictionView
from hemcore.prediction.analysis import CELLS, CORRELATE, MEASURE, PROJECT

# They draw what they ask for themselves, so that they stand beside any answer about the same phases.
_ANALYSES = ("prediction.explore",)
VIEW = PredictionView

EXPLORE: Sequence[Picture] = (
    Picture(
        name="correlation",
        tab="Correlation",
        draw=correlation.draw,
        analyses=_ANALYSES,
        needs=CORRELATE,
        caption=correlation.caption,
        table=correlation.table,
        hint="Click a cell or a bar to see its two counters.",
        arranged=lambda scene: "lead",
        view=("across", "up"),
    ),
    Picture(
        name="cells",
        tab="Loads and sizes",
        draw=cells.draw,
        analyses=_ANALYSES,
        needs=CELLS,
        caption=cells.caption,
        table=cells.table,
        shown=lambda scene: len(scene.table.loads) * len(scene.table.granularities) > 1,
    ),
    Picture(
        name="pca",
        tab="PCA",
        draw=pca.draw,
        analyses=_ANALYSES,
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
        analyses=_ANALYSES,
        needs=CORRELATE,
        caption=two.caption,
        table=two.table,
        hint="Click a phase to list its counters.",
        view=("across", "up", "rates", "colour", "row"),
    ),
)
MEASURING: Sequence[Picture] = (
    Picture(
        name="representatives",
        tab="Which phases to measure",
        draw=representatives.draw,
        analyses=_ANALYSES,
        needs=MEASURE,
        caption=representatives.caption,
        table=representatives.table,
        hint="Click a point of the curve to measure as many.",
        arranged=lambda scene: "lead",
    ),
)
PICTURES: Sequence[Picture] = (*EXPLORE, *MEASURING)
