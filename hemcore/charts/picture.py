"""What a picture is and what it is drawn from, so that page, report and notebook draw the same one."""

import functools
import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pandas as pd
import plotly.graph_objects as go

from hemcore.analysis import Analysis, Question
from hemcore.charts.live import Live
from hemcore.params import Params


@dataclass(frozen=True, kw_only=True)
class Scene:
    """All that a picture is drawn from.

    question, table, result: what was asked, of what, and the answer. view: how it is looked at (the chosen pair, the order), a model of
    the picture's room; its defaults where nobody chose. more: the answer of the picture's own analysis (Picture.needs), else None.
    baseline: the pinned question's result of the same kind, None where none is pinned; baseline_words: what differs, for the legend.
    """

    question: Question
    table: Any
    result: Any
    view: Any = None
    more: Any = None
    baseline: Any = None
    baseline_words: str = ""


def _no_table(scene: Scene) -> pd.DataFrame | None:
    return None


def _waits(scene: Scene) -> Live | None:
    return None


def _always(scene: Scene) -> bool:
    return True


def _alike(scene: Scene) -> Literal["pair"]:
    return "pair"


def _no_words(scene: Scene) -> str:
    return ""


@dataclass(frozen=True, kw_only=True)
class Picture:
    """One picture of an answer, a tab on the page.

    name: unique in its room ("correlation"). tab: its words on the page. draw: scene -> one figure or several; none where there is
    nothing to draw. Raises HemError where the view does not fit (a HEM that is not there).
    analyses: the names of the analyses whose answers it draws; empty: all of its room. needs: a further analysis over the same params
    whose answer it draws (Scene.more). caption: a sentence or two of plain text under it; hint: what can be done with it on a page, and
    means nothing in a report. table: the table under it. shown: whether it says anything for this scene. arranged: how several figures
    stand: "pair" (side by side where there is room), "lead" and "lead-wide" (the first the larger one, with all the width where there is
    less than about 850 or 1,000 px), "stack" (one under the other). view: the fields of the room's VIEW that it hangs on.
    plain_table: whether the table is of a few rows that change with a slider, so that it is text and no grid.
    live: what moves it with a slider's thumb; None where the server's answer is waited for.
    """

    name: str
    tab: str
    draw: Callable[[Scene], Sequence[go.Figure]]
    analyses: tuple[str, ...] = ()
    needs: Analysis | None = None
    caption: Callable[[Scene], str] = field(default=_no_words)
    hint: str = ""
    table: Callable[[Scene], pd.DataFrame | None] = field(default=_no_table)
    plain_table: bool = False
    shown: Callable[[Scene], bool] = field(default=_always)
    arranged: Callable[[Scene], Literal["pair", "lead", "lead-wide", "stack"]] = field(default=_alike)
    view: tuple[str, ...] = ()
    live: Callable[[Scene], Live | None] = field(default=_waits)


@functools.cache
def pictures_of(analysis: str) -> dict[str, Picture]:
    """The pictures of the answers of the analysis called `analysis` ("merge.much"), in the order of the tabs; empty where it has none."""
    module = _module(analysis)
    pictures: Sequence[Picture] = getattr(module, "PICTURES", ())
    return {each.name: each for each in pictures if not each.analyses or analysis in each.analyses}


def view_of(analysis: str) -> type[Params] | None:
    """The model of how the pictures of `analysis` are looked at; None where there is nothing to choose."""
    return getattr(_module(analysis), "VIEW", None)


@functools.cache
def _module(analysis: str) -> Any:
    room = analysis.partition(".")[0]
    here = Path(__file__).parent
    there = room.isidentifier() and (here / room / "pictures.py").exists()
    return importlib.import_module(f"hemcore.charts.{room}.pictures") if there else None
