"""The Plan page."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from hemcore.web.page import Page, Start

if TYPE_CHECKING:
    from hemcore.analysis import AnalysisOf
    from hemcore.datasets.tables.hem_list import HemList


def _asks() -> Mapping[str, "AnalysisOf[HemList]"]:
    # Imported here, as below: the start of the server waits for no analysis.
    from hemcore.planning.analysis import PLAN

    return {"Plan": PLAN}


def _warm() -> None:
    # Imported here: the server must not wait for numba at start.
    from hemcore.planning.planner import warm

    warm()


PAGE: "Page[HemList]" = Page(
    name="plan",
    title="Plan",
    icon=":material/grid_on:",
    section="Prepare",
    heading="Plan the measurement",
    purpose="Choose which HEMs to read together, covering every pair in few subexperiments.",
    answers="How many subexperiments do my HEMs need? A plan that reads every pair together, close to the fewest possible, and its script.",
    kind="HemList",
    start=(Start(sample="hems-request-server"), Start(sample="hems-t2080")),
    leads="Plan the measurement of these HEMs",
    then=("data",),
    asks=_asks,
    picture="plan",
    warm=_warm,
)
