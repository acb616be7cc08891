"""What the workbench registers: the room of the analysis with its pictures, and the page. Nothing heavy is imported before it is needed."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hemcore.registry import Analyses, Galleries, Room
from hemcore.web.page import Page, Start

if TYPE_CHECKING:
    from hemcore.analysis import Analysis


def _analyses() -> Analyses:
    from hem_example.analysis import LEVELS

    return (LEVELS,)


def _pictures() -> Galleries:
    from hem_example.analysis import LEVELS
    from hem_example.pictures import PICTURES
    from hemcore.charts.picture import Gallery

    return (Gallery(analysis=LEVELS, pictures=PICTURES),)


def _asks() -> Mapping[str, "Analysis[Any, Any, Any]"]:
    from hem_example.analysis import LEVELS

    return {"Levels": LEVELS}


ROOM = Room(name="example", analyses=_analyses, galleries=_pictures)
PAGE: Page[Any] = Page(
    name="levels",
    package="hem_example",
    title="Levels",
    icon=":material/science:",
    section="Analyse",
    purpose="The level of an event, interval by interval.",
    answers="How high is the level of an event?",
    kind="CounterSeries",
    start=(Start(sample="series-ocoe", choices={"event": "Dw", "window": 5}),),
    leads="Show the levels of these series",
    asks=_asks,
    picture="levels",
)
