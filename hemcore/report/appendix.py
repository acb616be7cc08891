"""What was done, at the end of a report: datasets, and the parameters of each question."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hemcore.report.answers import Answered, ParameterRow
from hemcore.report.report_model import ReportItem
from hemcore.report.sources import Source, source_of


@dataclass(frozen=True, kw_only=True)
class UsedDataset:
    """A dataset and the numbers of the items about it."""

    source: Source
    items: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class AskedOnce:
    """A question and the items that show its answer, by number. parameters: all that the answer depends on."""

    title: str
    source: Source
    items: tuple[tuple[int, ReportItem], ...]
    parameters: tuple[ParameterRow, ...]
    python: str


def used_datasets(found: Sequence[Answered], root: Path | None = None) -> tuple[UsedDataset, ...]:
    """Every dataset of the items and their baselines, in the order of first use. root: the shelf's folder."""
    used: dict[str, list[int]] = {}
    named: dict[str, str] = {}
    for number, each in enumerate(found, 1):
        item = each.item
        for question in (item.question, item.baseline):
            if question is not None and number not in used.setdefault(question.dataset, []):
                used[question.dataset].append(number)
        named[item.question.dataset] = named.get(item.question.dataset) or item.dataset_name
    return tuple(UsedDataset(source=source_of(id, named.get(id, ""), root), items=tuple(items)) for id, items in used.items())


def asked_once(found: Sequence[Answered], root: Path | None = None) -> tuple[AskedOnce, ...]:
    """Each question of the items once, in the order of first use. root: the shelf's folder."""
    alike: dict[tuple[str, str], list[tuple[int, Answered]]] = {}
    for number, each in enumerate(found, 1):
        alike.setdefault((each.item.question.id, each.item.dataset_name), []).append((number, each))
    groups = []
    for items in alike.values():
        first = items[0][1]
        question, title = first.item.question, first.item.question.analysis.title
        groups.append(
            AskedOnce(
                title=title[:1].upper() + title[1:],
                source=source_of(question.dataset, first.item.dataset_name, root),
                items=tuple((number, each.item) for number, each in items),
                parameters=first.parameters,
                python=question.python(),
            )
        )
    return tuple(groups)
