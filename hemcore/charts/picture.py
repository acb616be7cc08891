"""What a picture is and what it is drawn from, so that page, report and notebook draw the same one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

import pandas as pd
import plotly.graph_objects as go

from hemcore.analysis import Analysis, Question
from hemcore.charts.live import Live
from hemcore.params import Params

ResultT = TypeVar("ResultT")


@dataclass(frozen=True, kw_only=True)
class Scene(Generic[ResultT]):
    """All that a picture of a ResultT is drawn from.

    question, table, result: what was asked, of what, and the answer. view: how it is looked at (the chosen pair, the order), a model of
    the gallery; its defaults where nobody chose. more: the answer of the picture's own analysis (Picture.needs), else None.
    baseline: the pinned question's result of the same kind, None where none is pinned; baseline_words: what differs, for the legend.
    """

    question: Question[ResultT]
    table: Any
    result: ResultT
    view: Any = None
    more: Any = None
    baseline: ResultT | None = None
    baseline_words: str = ""


def _no_table(scene: Scene[Any]) -> pd.DataFrame | None:
    return None


def _waits(scene: Scene[Any]) -> Live | None:
    return None


def _always(scene: Scene[Any]) -> bool:
    return True


def _alike(scene: Scene[Any]) -> Literal["pair"]:
    return "pair"


def _no_words(scene: Scene[Any]) -> str:
    return ""


@dataclass(frozen=True, kw_only=True)
class Picture(Generic[ResultT]):
    """One picture of an answer, a tab on the page.

    name: unique in its room ("correlation"). tab: its words on the page. draw: scene -> one figure or several; none where there is
    nothing to draw. Raises HemError where the view does not fit (a HEM that is not there).
    needs: a further analysis over the same params whose answer it draws (Scene.more). caption: a sentence or two of plain text under it;
    hint: what can be done with it on a page, and means nothing in a report. table: the table under it. shown: whether it says anything
    for this scene. arranged: how several figures stand: "pair" (side by side where there is room), "lead" and "lead-wide" (the first the
    larger one, with all the width where there is less than about 850 or 1,000 px), "stack" (one under the other). view: the fields of
    the gallery's view that it hangs on.
    plain_table: whether the table is of a few rows that change with a slider, so that it is text and no grid.
    live: what moves it with a slider's thumb; None where the server's answer is waited for.
    """

    name: str
    tab: str
    draw: Callable[[Scene[ResultT]], Sequence[go.Figure]]
    needs: Analysis[Any, Any, Any] | None = None
    caption: Callable[[Scene[ResultT]], str] = field(default=_no_words)
    hint: str = ""
    table: Callable[[Scene[ResultT]], pd.DataFrame | None] = field(default=_no_table)
    plain_table: bool = False
    shown: Callable[[Scene[ResultT]], bool] = field(default=_always)
    arranged: Callable[[Scene[ResultT]], Literal["pair", "lead", "lead-wide", "stack"]] = field(default=_alike)
    view: tuple[str, ...] = ()
    live: Callable[[Scene[ResultT]], Live | None] = field(default=_waits)


@dataclass(frozen=True, kw_only=True)
class Gallery(Generic[ResultT]):
    """The pictures of an analysis's answers, in the order of the tabs. view: the model of how they are looked at, None where nothing can be
    chosen."""

    analysis: Analysis[Any, Any, ResultT]
    pictures: Sequence[Picture[ResultT]]
    view: type[Params] | None = None
