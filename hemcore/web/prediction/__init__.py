"""The Prediction page."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from hemcore.web.page import Page, Start

if TYPE_CHECKING:
    from hemcore.analysis import AnalysisOf
    from hemcore.datasets.tables.phase_table import PhaseTable


_FEWEST_PHASES = 3
_SERVER = "request_server_day"  # the program that all samples are about


def _asks() -> Mapping[str, "AnalysisOf[PhaseTable]"]:
    # Imported here, as below: the start of the server waits for no analysis.
    from hemcore.prediction.evaluate.predictions import COST_STACK, EVALUATION, WHAT_IF
    from hemcore.prediction.explore.analyses import EXPLORE
    from hemcore.prediction.power.power_analyses import WATTS

    return {"Explore": EXPLORE, "Predict": EVALUATION, "What-if": WHAT_IF, "Where the cycles go": COST_STACK, "Watts": WATTS}


def _has_phases(table: "PhaseTable") -> bool:
    """Whether there are at least three phases to compare: the totals of one region say nothing about another."""
    return int(table.frame.groupby(["granularity", "load"]).size().max()) >= _FEWEST_PHASES


def _warm() -> None:
    # Imported here so that the server starts without waiting for scipy and numba.
    import hemcore.prediction.analysis  # noqa: F401
    from hemcore.prediction.warm_up import warm

    warm()


PAGE: "Page[PhaseTable]" = Page(
    name="prediction",
    title="Prediction",
    icon=":material/query_stats:",
    section="Analyse",
    heading="Prediction",
    purpose="Predict a program's cycles from the counters of its phases, with intervals, and choose which phases to measure.",
    answers="How many cycles will an unseen program take, what accounts for them, and which phases should be measured?",
    kind="PhaseTable",
    start=(
        Start(sample="phases", choices={"program": _SERVER, "held_out": _SERVER}),
        Start(sample="phases-power", choices={"family": "Watts"}),
    ),
    leads="Predict from these phases",
    takes=_has_phases,
    asks=_asks,
    picture="correlation",
    in_address=("selected",),
    warm=_warm,
)
