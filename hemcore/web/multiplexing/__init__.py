"""The Multiplexing page's own room."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from hemcore.web.page import Page, Start

if TYPE_CHECKING:
    from hemcore.analysis import AnalysisOf
    from hemcore.datasets.tables.counter_series import CounterSeries


def _asks() -> Mapping[str, "AnalysisOf[CounterSeries]"]:
    # Imported here, as below: the start of the server waits for no analysis.
    from hemcore.mpx.analysis import ESTIMATE

    return {"Estimate": ESTIMATE}


def _warm() -> None:
    # Imported here: the start of the server does not wait for numba.
    from hemcore.mpx import warm

    warm()


def _can_be_multiplexed(table: "CounterSeries") -> bool:
    """Whether there are slots to hide, or some that are hidden."""
    return len(table.events) > 1 and bool(table.intervals.duplicated(["application", "run"]).any())


PAGE: "Page[CounterSeries]" = Page(
    name="multiplexing",
    title="Multiplexing",
    icon=":material/stacked_line_chart:",
    section="Analyse",
    purpose="What was hidden while an event had no counter: estimated by several methods, and honestly scored where the truth is known.",
    answers="What did the events count while they had no counter? Estimates side by side, and what fewer counters would lose.",
    kind="CounterSeries",
    start=(
        Start(sample="series-mpx", choices={"application": "request_server_day"}),
        Start(sample="series-ocoe", choices={"application": "request_server_day"}),
    ),
    leads="Estimate hidden counts",
    then=("segmentation",),
    takes=_can_be_multiplexed,
    asks=_asks,
    picture="curves",
    warm=_warm,
)
