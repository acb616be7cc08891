"""The answer to each item of a report, computed once for the page and the notebook."""

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from hemcore.analysis import AnyAnalysis, Progress, Question
from hemcore.charts.picture import Picture, Scene
from hemcore.datasets.shelf import library
from hemcore.datasets.tables.kinds import Table
from hemcore.errors import HemError
from hemcore.headline import Card, Change, Verdict, changes
from hemcore.params import control
from hemcore.registry import pictures_of, view_of
from hemcore.report.report_model import Report, ReportItem
from hemcore.report.sources import namer

AnswerOf = Callable[[Question], Any]
TableOf = Callable[[str], Table]
_TABLES = 4


@dataclass(frozen=True, kw_only=True)
class ParameterRow:
    """A parameter of an item. given: its value as text; default: the default as text if it differs, else ""."""

    title: str
    description: str
    given: str
    default: str


@dataclass(frozen=True, kw_only=True, eq=False)
class Answered:
    """An item with its answer. failed: why there is none, a sentence; everything else is then at its default.

    cards, changes: the headline figures and how each differs from the baseline's (None without). differences: how the question differs
    from the baseline, as text. baseline_failed: why the baseline has no answer. picture_failed: why the picture cannot be drawn. figures:
    empty if there is nothing to draw.
    """

    item: ReportItem
    failed: str = ""
    verdict: Verdict | None = None
    cards: tuple[Card, ...] = ()
    changes: tuple[Change | None, ...] = ()
    differences: tuple[str, ...] = ()
    baseline_failed: str = ""
    picture: Picture | None = None
    picture_failed: str = ""
    figures: tuple[go.Figure, ...] = ()
    caption: str = ""
    table: pd.DataFrame | None = None
    parameters: tuple[ParameterRow, ...] = ()


def answered(
    report: Report,
    answer_of: AnswerOf | None = None,
    progress: Progress | None = None,
    *,
    table_of: TableOf | None = None,
    root: Path | None = None,
) -> list[Answered]:
    """Each item of `report` with its answer; an item that fails holds the reason, the others are unaffected.

    answer_of: the answer to a question (default: computed, each question once). table_of: the table of a dataset (default: loaded from the
    shelf in `root`, by default as DatasetStore's). progress: called before each item.
    """
    computed, tables = answering(root, table_of)
    answer = answer_of or computed
    name_of = namer(root)
    found = []
    for number, item in enumerate(report.items):
        if progress is not None:
            progress(number / len(report.items), f"{number + 1} of {len(report.items)}: {item.heading}")
        found.append(_answered(item, answer, tables, name_of))
    if progress is not None:
        progress(1.0, "writing the file")
    return found


def answering(root: Path | None = None, table_of: TableOf | None = None) -> tuple[AnswerOf, TableOf]:
    """(answer_of, table_of) that compute each question once and cache the last few tables; see `answered` for the arguments."""
    tables = functools.lru_cache(maxsize=_TABLES)(table_of or (lambda dataset: library.load(dataset, root)))
    known: dict[str, object] = {}

    def answer(question: Question) -> object:
        if question.id not in known:
            known[question.id] = question.answer(tables(question.dataset))
        return known[question.id]

    return answer, tables


def parameter_rows(question: Question, result: object = None) -> list[ParameterRow]:
    """Every parameter that the answer depends on; for automatic ones, the value in `result`."""
    model = type(question.params)
    used = getattr(result, "params", None)
    rows = []
    for name, value in question.to_dict()["params"].items():
        field = control(model, name)
        given = value_text(value, field.unit)
        chosen = getattr(used, name, value) if isinstance(used, model) else value
        if chosen != value:
            given = f"{value_text(chosen, field.unit)} (chosen automatically)"
        default = "" if value == field.default else value_text(field.default, field.unit)
        rows.append(ParameterRow(title=field.title, description=field.description, given=given, default=default))
    return rows


def value_text(value: object, unit: str = "") -> str:
    """A parameter's value as text, with its unit; "automatic" if the analysis chooses it."""
    if value is None or value == "" or value == ():
        return "automatic"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return f"{value:,.12g}" + (f" {unit}" if unit else "")
    if isinstance(value, list | tuple):
        return ", ".join(value_text(each) for each in value) or "automatic"
    return str(value)


def _judged(item: ReportItem, result: object, answer: AnswerOf) -> tuple[AnyAnalysis, object]:
    """The analysis and the answer that verdict and figures are about: the picture's own where it is another one."""
    picture = pictures_of(item.question.analysis.name).get(item.picture)
    if picture is not None and picture.judged and picture.needs is not None:
        try:
            return picture.needs, answer(item.question.about(picture.needs))
        except HemError:  # told where the picture would be
            pass
    return item.question.analysis, result


def _answered(item: ReportItem, answer: AnswerOf, table_of: TableOf, name_of: Callable[[str], str]) -> Answered:
    differences = () if item.baseline is None else tuple(item.question.differences(item.baseline, name_of))
    try:
        table, result = table_of(item.question.dataset), answer(item.question)
    except HemError as error:
        return Answered(item=item, failed=str(error), differences=differences, parameters=tuple(parameter_rows(item.question)))
    analysis = item.question.analysis
    verdict, cards, of_answer = _headline(item, table, result, answer)
    pinned, baseline_failed = _baseline(item, answer)
    before = pinned[0].analysis.cards if pinned is not None and of_answer else None
    figures, caption, shown, picture_failed = _drawn(item, table, result, answer, pinned[1] if pinned else None, differences)
    return Answered(
        item=item,
        verdict=verdict,
        cards=cards,
        changes=tuple(changes(cards, before(pinned[1]))) if pinned is not None and before is not None else (None,) * len(cards),
        differences=differences,
        baseline_failed=baseline_failed,
        picture=pictures_of(analysis.name).get(item.picture),
        picture_failed=picture_failed,
        figures=figures,
        caption=caption,
        table=shown,
        parameters=tuple(parameter_rows(item.question, result)),
    )


def _headline(item: ReportItem, table: Table, result: object, answer: AnswerOf) -> tuple[Verdict | None, tuple[Card, ...], bool]:
    """Verdict and figures of the item, and whether they are those of its answer."""
    analysis = item.question.analysis
    picture, view = pictures_of(analysis.name).get(item.picture), view_of(analysis.name)
    if picture is not None and picture.headline is not None:
        chosen = None if view is None else view(**item.view)
        try:
            verdict, cards = picture.headline(Scene(question=item.question, table=table, result=result, view=chosen))
            return verdict, tuple(cards), False
        except HemError:  # told where the picture would be
            pass
    judging, judged = _judged(item, result, answer)
    cards = judging.cards(judged) if judging.cards is not None else ()
    return judging.verdict(judged) if judging.verdict is not None else None, tuple(cards), judging is analysis


def _baseline(item: ReportItem, answer: AnswerOf) -> tuple[tuple[Question, object] | None, str]:
    """The baseline with its result (None without), and why it has no answer."""
    if item.baseline is None:
        return None, ""
    try:
        return (item.baseline, answer(item.baseline)), ""
    except HemError as error:
        return None, str(error)


def _drawn(
    item: ReportItem, table: Table, result: object, answer: AnswerOf, baseline: object, differences: Sequence[str]
) -> tuple[tuple[go.Figure, ...], str, pd.DataFrame | None, str]:
    """Figures, caption and table of the item's picture, and why there are none, if so."""
    if not item.picture:
        return (), "", None, ""
    analysis = item.question.analysis.name
    picture, view = pictures_of(analysis)[item.picture], view_of(analysis)
    try:
        scene = Scene(
            question=item.question,
            table=table,
            result=result,
            view=None if view is None else view(**item.view),
            more=None if picture.needs is None else answer(item.question.about(picture.needs)),
            baseline=baseline if type(baseline) is type(result) else None,
            baseline_words=", ".join(differences),
        )
        if not picture.shown(scene):
            return (), "", None, f"The picture {picture.tab} does not apply to this dataset."
        return tuple(picture.draw(scene)), picture.caption(scene), picture.table(scene), ""
    except HemError as error:
        return (), "", None, str(error)
