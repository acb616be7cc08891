"""Pictures and the data they are drawn from, shared by page, report and notebook."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeAlias, TypeVar

import pandas as pd
import plotly.graph_objects as go

from hemcore.analysis import AnalysisTo, AnyAnalysis, Question
from hemcore.charts.live import Live
from hemcore.headline import Card, Verdict
from hemcore.params import Params

ResultT = TypeVar("ResultT")


@dataclass(frozen=True, kw_only=True)
class Scene(Generic[ResultT]):
    """Everything that a picture of a ResultT is drawn from.

    question, table, result: the question, its table and its answer. view: the view model of the gallery (selected pair, order), with
    defaults for whatever was not chosen. more: the answer of the picture's own analysis (Picture.needs), else None. baseline: the result
    of the pinned question, if of the same type, else None; baseline_words: how the questions differ, for the legend.
    """

    question: Question[ResultT]
    table: Any
    result: ResultT
    view: Any = None
    more: Any = None
    baseline: ResultT | None = None
    baseline_words: str = ""


AnyScene: TypeAlias = Scene[Any]


def _no_table(scene: AnyScene) -> pd.DataFrame | None:
    return None


def _waits(scene: AnyScene) -> Live | None:
    return None


def _always(scene: AnyScene) -> bool:
    return True


def _alike(scene: AnyScene) -> Literal["pair"]:
    return "pair"


def _no_words(scene: AnyScene) -> str:
    return ""


@dataclass(frozen=True, kw_only=True)
class Picture(Generic[ResultT]):
    """A picture of an answer: a tab on the page.

    name: unique in its room ("correlation"). tab: the label of the tab. draw: scene -> its figures; none if there is nothing to draw.
    Raises HemError if the view does not fit (an unknown HEM).
    needs: another analysis over the same params whose answer it draws (Scene.more). meanwhile: scene -> what is drawn on a page until that
    answer is there, so that nobody waits for it; None to wait. caption: one or two sentences of plain text below;
    hint: what one can do with it on a page (omitted from reports). table: the table below. shown: whether it applies to this scene.
    arranged: the layout of several figures: "pair" (side by side if there is room), "lead" and "lead-wide" (the first is larger, and has
    the full width below about 850 or 1,000 px), "stack" (one below the other). view: the fields of the view that it depends on.
    plain_table: whether the table has a few rows that change with a slider, so it is drawn as text, not as a grid.
    judged: whether verdict and figures above it are those of `needs`, because its answer is another one than the page's.
    headline: scene -> verdict and figures above it, where they follow what is shown of the answer (one program); None: the answer's.
    live: how the browser moves it with a slider; None to wait for the server.
    """

    name: str
    tab: str
    draw: Callable[[Scene[ResultT]], Sequence[go.Figure]]
    needs: AnyAnalysis | None = None
    meanwhile: Callable[[Scene[ResultT]], object] | None = None
    caption: Callable[[Scene[ResultT]], str] = field(default=_no_words)
    hint: str = ""
    table: Callable[[Scene[ResultT]], pd.DataFrame | None] = field(default=_no_table)
    plain_table: bool = False
    shown: Callable[[Scene[ResultT]], bool] = field(default=_always)
    arranged: Callable[[Scene[ResultT]], Literal["pair", "lead", "lead-wide", "stack"]] = field(default=_alike)
    view: tuple[str, ...] = ()
    judged: bool = False
    headline: Callable[[Scene[ResultT]], tuple[Verdict, Sequence[Card]]] | None = None
    live: Callable[[Scene[ResultT]], Live | None] = field(default=_waits)


@dataclass(frozen=True, kw_only=True)
class Gallery(Generic[ResultT]):
    """The pictures of an analysis, in the order of the tabs. view: their view model, None if there is nothing to choose."""

    analysis: AnalysisTo[ResultT]
    pictures: Sequence[Picture[ResultT]]
    view: type[Params] | None = None


AnyPicture: TypeAlias = Picture[Any]
AnyGallery: TypeAlias = Gallery[Any]
