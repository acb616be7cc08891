"""The Trial page's own room."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hemcore.web.page import Page, Start

if TYPE_CHECKING:  # Home imports every PAGE, and no analysis
    from hemcore.analysis import AnyAnalysis


def _asks() -> Mapping[str, "AnyAnalysis"]:
    from hemcore.trial.analysis import LEVELS

    return {"Levels": LEVELS}


PAGE: Page[Any] = Page(
    name="trial",
    title="Trial",
    icon=":material/science:",
    section="Analyse",
    purpose="The level of an event, interval by interval.",
    answers="How high does an event stand?",
    kind="CounterSeries",
    start=(Start(sample="series-ocoe", choices={"event": "Dw", "window": 5}),),
    leads="Try the levels of these series",
    asks=_asks,
    picture="levels",
)
