"""What a cell is by itself: a number, another reading, or a word that says that there is no value; columns of such cells."""

import re
from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.datasets.importing import date_times
from hemcore.datasets.importing.units.missing_words import MISSING, SHEET_ERROR
from hemcore.datasets.importing.units.united_numbers import FEW, has_unit

_WORD = 60  # letters of cells of which it is remembered whether they are readings
_NUMBERS = re.compile(r"\d++(?:[.,]\d++)?+(?:\x1f\d++(?:[.,]\d++)?+)*+")
_NUMBER = re.compile(r"[+-]?(?:\d[\d.,]*|\d{1,3}(?:[ '’\u00a0\u202f]\d{3})+(?:[.,]\d+)?|[.,]\d+)(?:[eE][+-]?\d+)?")


def is_number(cell: str) -> bool:
    """Whether `cell` is a number, with whatever marks."""
    return cell.isdecimal() or _NUMBER.fullmatch(cell) is not None


def are_numbers(row: Sequence[str]) -> bool:
    """Whether each cell is digits, with one "." or "," among them at most: the quick answer of most rows of data, of which is_number is the
    slow one."""
    written = "\x1f".join(row)
    return written.count("\x1f") == len(row) - 1 and _NUMBERS.fullmatch(written) is not None


def is_missing(cell: str) -> bool:
    """Whether `cell` says that there is no value."""
    return cell.strip().lower() in MISSING or SHEET_ERROR.fullmatch(cell) is not None


def is_reading(cell: str) -> bool:
    """Whether `cell` is a number, a date or a time: data, not a name."""
    if ";" in cell:
        return False  # no number, date or unit has one
    return is_number(cell) or (_is_more_than_a_number(cell) if len(cell) <= _WORD else _is_more_than_a_number.__wrapped__(cell))


@lru_cache(maxsize=8_192)
def _is_more_than_a_number(cell: str) -> bool:
    """Whether `cell` is a date, a time, or a number with a unit; asked of the same names in each of a thousand files."""
    return date_times.kind_of(cell) != "" or date_times.duration_of(cell) is not None or has_unit(cell)


def filled(texts: pd.Series) -> pd.Series:
    """The cells that say something; of a few, these are `texts` itself where all do."""
    says = ~missing(texts).to_numpy() if len(texts) > FEW else np.array([not is_missing(text) for text in texts.tolist()], dtype=bool)
    return texts if says.all() else texts[says]


def missing(texts: pd.Series) -> pd.Series:
    """Which cells say that there is no value."""
    if len(texts) <= FEW:
        return pd.Series([is_missing(text) for text in texts.tolist()], index=texts.index, dtype=bool)
    return texts.str.strip().str.lower().isin(MISSING)


def plain_columns(texts: pd.DataFrame) -> dict[Hashable, NDArray[np.float64]]:
    """Of a small table, the columns whose cells are numbers or say that there is none (NaN): pandas takes its time for each column."""
    if len(texts) > FEW:
        return {}
    cells = texts.to_numpy(dtype=object)
    numbers = np.asarray(pd.to_numeric(cells.ravel(), errors="coerce"), dtype=float).reshape(cells.shape)
    others = np.isnan(numbers)
    others[others] = [cell.strip().lower() not in MISSING for cell in cells[others]]
    return {texts.columns[place]: numbers[:, place] for place in np.flatnonzero(~others.any(axis=0)).tolist()}


def with_columns(texts: pd.DataFrame, changed: Mapping[Any, pd.Series]) -> pd.DataFrame:
    """`texts` with other cells in the columns `changed`."""
    if not changed:
        return texts
    if len(texts) > FEW:
        return pd.concat([changed.get(column, texts[column]) for column in texts], axis=1).set_axis(texts.columns, axis=1)
    cells = texts.to_numpy(dtype=object, copy=True)
    for place, column in enumerate(texts.columns):
        if column in changed:
            cells[:, place] = changed[column].to_numpy(dtype=object)
    return pd.DataFrame(cells, index=texts.index, columns=texts.columns, dtype=object)
