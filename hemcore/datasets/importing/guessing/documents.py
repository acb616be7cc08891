"""Which of several files or sheets hold no readings: documents, plans, notes, and statistics of the others."""

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import PurePosixPath

import numpy as np
import pandas as pd

from hemcore.datasets.importing.footers import is_summary, may_be_summary
from hemcore.datasets.importing.header_search import NoTableError
from hemcore.datasets.importing.parts import Part
from hemcore.datasets.importing.recipe import ColumnRole
from hemcore.datasets.importing.two_tables import StatisticsError
from hemcore.datasets.readers import excel
from hemcore.errors import HemError

_WORDS = re.compile(r"readme|licen[cs]e|plan|notes?|notizen|info|about|changelog|legende|legend|manifest|machine|metadata", re.IGNORECASE)
_NO_TABLES = {".md", ".txt", ".rst", ".pdf", ".png", ".jpg", ".svg", ".json", ".yml", ".yaml", ".toml", ".ini", ".cfg", ".xml", ".html"}
_NO_TABLES |= {".log", ".py", ".sh", ".c", ".h", ".cpp", ".r", ".ipynb", ".doc", ".docx", ".odt", ".ps1", ".bat"}
_TABLES = {".csv", ".tsv", ".tab", ".dat", *excel.ENDINGS}
_FEW_ROWS, _CLOSE = 4, 1e-5


def is_document(name: str) -> bool:
    """Whether a file of this name is a README, a plan or another document beside data."""
    return PurePosixPath(name).suffix.lower() in _NO_TABLES or is_called_document(name)


def is_called_document(name: str) -> bool:
    """Whether a file is called a README, notes or such, whatever the end of its name."""
    return _WORDS.match(PurePosixPath(name).stem) is not None


def is_no_loss(name: str, fault: HemError, names: Sequence[str]) -> bool:
    """Whether a file or sheet, beside others `names`, is left out because of `fault`: a document, whatever has no table and is not called
    one, statistics of readings, and one sheet of a workbook."""
    sheets = [each for each in names if each.lower().endswith(excel.ENDINGS)]
    no_table = isinstance(fault, NoTableError) and PurePosixPath(name).suffix.lower() not in _TABLES
    return is_document(name) or no_table or isinstance(fault, StatisticsError) or (name in sheets and len(sheets) > 1)


def is_of_notes(part: Part, columns: Sequence[ColumnRole], parts: Sequence[Part]) -> bool:
    """Whether `part` is a few lines that share no column with the others."""
    events = [column for column in columns if column.role in ("event", "value")]
    others = (name for other in parts if other is not part for name in other.names if name)  # not gone through unless all else fits
    return len(parts) > 1 and len(events) <= 1 and len(part.rows) <= _FEW_ROWS and {name for name in part.names if name}.isdisjoint(others)


def is_of_sums(part: Part, columns: Sequence[ColumnRole], others: Sequence[Part]) -> bool:
    """Whether the rows of `part` are the sums of `others`, one row for each, in every column of counts that it shares with them; or the
    sums or means of those that have a row's name in theirs."""
    if not 1 < len(part.rows) <= len(others):
        return False
    named = (
        _named_by(part.column(place), others) for place, column in enumerate(columns) if column.role in ("program", "run", "event name")
    )
    groups = next(filter(None, named), [[other] for other in others])
    if len(groups) != len(part.rows):
        return False
    places = [place for place, column in enumerate(columns) if column.role == "event"]
    shared = [place for place in places if all(part.names[place] in other.names for other in others)]
    return bool(shared) and all(
        _are_of(part.numbers(place), [[other.numbers(other.names.index(part.names[place])) for other in group] for group in groups])
        for place in shared
    )


def _named_by(cells: pd.Series, others: Sequence[Part]) -> list[list[Part]]:
    """For each cell, those of `others` that have it as a word of their name; nothing where one cell has none."""
    found: list[list[Part]] = []
    for cell in cells:
        found.append([other for other in others if cell in _words_of(other.name)])
        if not found[-1]:
            return []
    return found


@lru_cache(maxsize=8_192)
def _words_of(name: str) -> frozenset[str]:
    return frozenset(re.split(r"[\W_]+", name))


def _are_of(said: pd.Series, groups: Sequence[Sequence[pd.Series]]) -> bool:
    """Whether numbers are the sums or means, all of one kind, of each group's numbers, or the means of the sums of its parts."""
    sums = [np.array([part.sum() for part in group]) for group in groups]
    kinds = (
        [each.sum() for each in sums], [pd.concat(group).mean() for group in groups], [each.mean() for each in sums],
    )  # fmt: skip
    return any(np.allclose(said, each, rtol=_CLOSE) for each in kinds)


def is_of_statistics(part: Part) -> bool:
    """Whether all columns of numbers of `part` are called means, spreads or extremes: it tells of readings that stand elsewhere."""
    named = [(place, name, may_be_summary(name)) for place, name in enumerate(part.names) if name]
    if any(not summary and bool(part.numbers(place).notna().any()) for place, _, summary in named):  # most often, the first column says so
        return False
    of_numbers = [name for place, name, summary in named if summary and bool(part.numbers(place).notna().any())]
    return len(of_numbers) > 1 and any(map(is_summary, of_numbers))
