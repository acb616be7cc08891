"""The Segmentation page."""

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
    # Imported here so that the server does not wait for numba when it starts.
    from hemcore.segmentation import warm

    warm()


def _has_intervals(table: "CounterSeries") -> bool:
    """Whether a run has more than one interval, or is told by core."""
    from hemcore.segmentation.uneven_cores import has_places

    return bool(table.intervals.duplicated(["application", "run"]).any()) or has_places(table)


PAGE: "Page[CounterSeries]" = Page(
    name="segmentation",
    title="Segmentation",
    icon=":material/view_week:",
    section="Analyse",
    purpose="The phases of a run: where an event's level changes abruptly, and a small statistical model of each segment.",
    answers="Which phases does a run have? Change points of every event at a visible threshold, and a model of each segment.",
    kind="CounterSeries",
    # A bundled series whose counts change with the program's stages, at the optimal threshold, which is the page's default.
    start=(
        Start(
            sample="series-ocoe",
            choices={"application": "request_server_day", "event": "Dr", "statistic": "mean", "threshold": 2.0},
        ),
    ),
    leads="Segment these series",
    then=("prediction",),
    takes=_has_intervals,
    asks=_asks,
    picture="segments",
    in_address=("span",),
    warm=_warm,
)
