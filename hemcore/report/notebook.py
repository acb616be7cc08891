"""A report as a notebook: its texts, and code that computes each answer again with hemcore alone."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from hemcore.analysis import Progress, Question
from hemcore.report.answers import Answered, AnswerOf, TableOf, answered
from hemcore.report.appendix import used_datasets
from hemcore.report.figures import title_of
from hemcore.report.plain_text import markdown
from hemcore.report.report_model import Report
from hemcore.report.sources import source_of, versions
from hemcore.report.verdict_summary import heading_of, summary

_TOP = """
Each item states the answer at the time of the report; the code below it computes the answer again. It needs hemcore, and plotly for the
pictures: `pip install 'hem-workbench[app]'` has both. Datasets are loaded from this computer's shelf, or from the folder `HEM_DATA_DIR`.
"""


def render_notebook(
    report: Report,
    answer_of: AnswerOf | None = None,
    progress: Progress | None = None,
    *,
    table_of: TableOf | None = None,
    root: Path | None = None,
    made: datetime | None = None,
) -> bytes:
    """The report as a Jupyter notebook (nbformat 4.5, UTF-8); its code cells are not executed.

    The arguments are those of `render_html`. An item that fails shows the reason.
    """
    found = answered(report, answer_of, progress, table_of=table_of, root=root)
    by = " · ".join(each for each in (_line(report.author), f"{made or datetime.now(UTC):%-d %B %Y}") if each)
    front = [f"# {_line(report.title)}", by, _line(" ".join(summary(found))), markdown(report.intro), " ".join(_TOP.split())]
    cells = [_cell("front", "markdown", "\n\n".join(each for each in front if each.strip()))]
    for number, each in enumerate(found, 1):
        cells += _cells(number, each, root)
    cells.append(_cell("made", "markdown", _appendix(found, root)))
    notebook = {
        "cells": cells,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(notebook, indent=1).encode()


def _cells(number: int, answered: Answered, root: Path | None) -> list[dict[str, object]]:
    item = answered.item
    cells = [
        _cell(f"item-{number}", "markdown", _text(number, answered, root)),
        _cell(f"answer-{number}", "code", _answer(item.question)),
    ]
    figures = _figures(item.question, item.baseline)
    if figures:
        cells.append(_cell(f"figures-{number}", "code", figures))
    if answered.item.picture:
        cells.append(_cell(f"picture-{number}", "code", _picture(answered)))
    return cells


def _text(number: int, answered: Answered, root: Path | None) -> str:
    item = answered.item
    source = source_of(item.question.dataset, item.dataset_name, root)
    found = [f"**No answer:** {_line(answered.failed)}"] if answered.failed else []
    if answered.verdict is not None:
        verdict = answered.verdict
        found.append(f"**{_line(verdict.answer)}** {_line(verdict.trust)} *Trust: {verdict.level}.*")
        if verdict.why:
            found.append(f"Why: {_line(' '.join(verdict.why))}")
    if item.baseline is not None:
        found.append(f"Compared with the baseline: {_line(', '.join(answered.differences) or 'the same question')}.")
    question = f"{_line(item.question.analysis.title)} of {_line(source.name)}"
    heading = heading_of(answered, [title_of(figure)[0] for figure in answered.figures])
    return "\n\n".join(each for each in (f"## {number}. {_line(heading)}", markdown(item.note), *found, question) if each.strip())


def _appendix(found: Sequence[Answered], root: Path | None) -> str:
    lines = ["## What was done", "The parameters of each answer are in its code. Datasets:"]
    for used in used_datasets(found, root):
        files = f" ({_line(', '.join(used.source.files))})" if used.source.files else ""
        lines.append(f"- {_line(used.source.name)}: SHA-256 `{used.source.sha256 or 'unknown'}`{files}")
    return "\n\n".join([*lines, f"Computed with {_line(', '.join(versions()))}."])


def _answer(question: Question) -> str:
    """The question's snippet, with the whole result as `result`."""
    *lines, last = question.python().split("\n")
    gives, _, call = last.partition(" = ")
    whole = call.removesuffix(f".{question.analysis.gives}") if question.analysis.gives else call
    return "\n".join([*lines, f"result = {whole}", *([f"{gives} = result.{gives}"] if question.analysis.gives else [])])


def _figures(question: Question, baseline: Question | None) -> str:
    """Code that prints verdict and headline figures, with changes from the baseline; "" for an analysis that has neither."""
    analysis = question.analysis
    lines = ["print(analysis.verdict(result).full_text)"] if analysis.verdict is not None else []
    if analysis.cards is None:
        return "\n".join(lines)
    if baseline is None or baseline.analysis.cards is None:
        return "\n".join([*lines, "for card in analysis.cards(result):", '    print(f"{card.label}: {card.shown} {card.note}".strip())'])
    return "\n".join(
        [
            "from hemcore.headline import changes",
            "from hemcore.registry import question_from",
            "",
            f"baseline = question_from({baseline.to_dict()!r})",
            "before = baseline.answer(load(baseline.dataset))",
            *lines,
            "cards = analysis.cards(result)",
            "for card, change in zip(cards, changes(cards, baseline.analysis.cards(before)), strict=True):",
            '    moved = f" ({change.text})" if change is not None else ""',
            '    print(f"{card.label}: {card.shown}{moved} {card.note}".strip())',
        ]
    )


def _picture(answered: Answered) -> str:
    item = answered.item
    analysis, baseline = item.question.analysis.name, item.baseline
    drawn = [
        "from hemcore.analysis import Question",
        "from hemcore.charts.headings import headed",
        "from hemcore.charts.interactive import show_figure",
        "from hemcore.charts.picture import Scene",
        "from hemcore.registry import pictures_of, view_of",
        "",
        f"picture = pictures_of({analysis!r})[{item.picture!r}]",
        f"question = Question(analysis=analysis, dataset={item.question.dataset!r}, params=params)",
        f"view = view_of({analysis!r})",
        "scene = Scene(",
        "    question=question,",
        "    table=table,",
        "    result=result,",
        f"    view=view(**{dict(item.view)!r}) if view is not None else None,",
        "    more=picture.needs.of(table, params) if picture.needs is not None else None,",
        *(_pinned(item.question, baseline, answered.differences) if baseline is not None else []),
        ")",
        "for figure in picture.draw(scene):",
        "    show_figure(figure)",
        "print(picture.caption(scene))",
        "rows = picture.table(scene)",
        "if rows is not None:",
        "    print(headed(rows.head(50)).to_string())",
    ]
    return "\n".join(
        [
            "try:",
            "    import plotly",
            "except ImportError:",
            '    print("The picture needs plotly: pip install plotly")',
            "else:",
            *(f"    {line}" if line else "" for line in drawn),
        ]
    )


def _pinned(question: Question, baseline: Question, differences: Sequence[str]) -> Sequence[str]:
    if question.analysis.cards is None or baseline.analysis.cards is None:
        return []  # the cell before did not compute it
    return [
        "    baseline=before if type(before) is type(result) else None,",
        f"    baseline_words={', '.join(differences)!r},",
    ]


def _line(text: str) -> str:
    return markdown(" ".join(text.split()))


def _cell(id: str, kind: str, source: str) -> dict[str, object]:
    code: dict[str, object] = {"execution_count": None, "outputs": []} if kind == "code" else {}
    return {"cell_type": kind, "id": id, "metadata": {}, "source": source.splitlines(keepends=True)} | code
