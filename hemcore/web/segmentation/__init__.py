"""The Segmentation page's own room."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from hemcore.web.page import Page, Start

if TYPE_CHECKING:
    from hemcore.analysis import AnalysisOf
    from hemcore.datasets.tables.counter_series import CounterSeries


def _asks() -> Mapping[str, "AnalysisOf[CounterSeries]"]:
    # Imported here, as below: the start of the server waits for no analysis.
    from hemcore.segmentation.analysis import SEGMENTATION

    return {"Segmentation": SEGMENTATION}


def _warm() -> None:
    # Imported here: the start of the server does not wait for numba.
    from hemcore.segmentation import warm

    warm()


def _has_intervals(table: "CounterSeries") -> bool:
    """Whether some run is more than a total."""
    return bool(table.intervals.duplicated(["application", "run"]).any())


PAGE: "Page[CounterSeries]" = Page(
    name="segmentation",
    title="Segmentation",
    icon=":material/view_week:",
    section="Analyse",
    purpose="The phases of a run: where the level of an event changes abruptly, and a small statistical model of each segment between.",
    answers="Which phases does a run have? Change points of every event, at a threshold one can see, and a model of each segment.",
    kind="CounterSeries",
    # Where the bundled series shows at once what the page is for: its counts change with the program's stages. The threshold is the
    # optimal one, which the page itself goes to.
    start=(Start(sample="series-ocoe", choices={"application": "sensor_control", "event": "Dr", "threshold": 2.0}),),
    leads="Segment these series",
    takes=_has_intervals,
    asks=_asks,
    picture="segments",
    in_address=("span",),
    warm=_warm,
    story="Find the phases of a run: move the threshold and see which change points stay.",
)
