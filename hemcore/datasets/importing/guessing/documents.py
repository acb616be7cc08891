"""Which of several files or sheets hold no readings: documents, plans, notes, and statistics of the others."""

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

import numpy as np

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
_FEW_ROWS, _CLOSE = 4, 1e-6


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
    """Whether the rows of `part` are the sums of `others`, one row for each, in every column of counts that it shares with them."""
    places = [place for place, column in enumerate(columns) if column.role == "event"]
    shared = [place for place in places if all(part.names[place] in other.names for other in others)]
    if not shared or not len(part.rows) == len(others) > 1:
        return False
    sums = [[other.numbers(other.names.index(part.names[place])).sum() for other in others] for place in shared]
    return all(np.allclose(part.numbers(place), each, rtol=_CLOSE) for place, each in zip(shared, sums, strict=True))


def is_of_statistics(part: Part) -> bool:
    """Whether all columns of numbers of `part` are called means, spreads or extremes: it tells of readings that stand elsewhere."""
    named = [name for place, name in enumerate(part.names) if name and bool(part.numbers(place).notna().any())]
    return len(named) > 1 and all(map(may_be_summary, named)) and any(map(is_summary, named))
