"""Rows of sums or means between the blocks of a table: "Subtotal", "Zwischensumme Block 2", "Total parcial", "小計"."""

import re

import numpy as np
import pandas as pd

from hemcore.datasets.importing.footers import is_summary, without_rows
from hemcore.datasets.importing.raw_grid import filled, is_missing, is_number, is_reading, numbers_of
from hemcore.datasets.readers.repairs import Repair

_WORD, _CLOSE, _MOST = r"^\W*[^\W\d_]", 1e-6, 1_000
_LEFT_OUT = "sums or means of the rows above them left out"


def without_block_sums(texts: pd.DataFrame, repairs: list[Repair], name: str) -> pd.DataFrame:
    """Without rows between others whose first cell names a summary: where no first cell but these is a word, as in a column of times or
    numbers, or where each number of the row is the sum or the mean of its column since the last such row. A last row
    that is called a summary and nothing else is left to without_footers."""
    if texts.shape[1] < 2 or len(texts) < 3:
        return texts
    first = texts.iloc[:, 0]
    words = first[first.str.contains(_WORD)].iloc[:_MOST]
    said = dict(zip(words.index.tolist(), words.tolist(), strict=True))
    named = [row for row, cell in said.items() if not is_reading(cell) and not is_missing(cell) and names_block(cell)]
    others = filled(first.drop(named)).iloc[:_MOST]
    last = texts.index.tolist()[-1]
    named = named[:-1] if named and named[-1] == last and is_summary(said[last]) else named
    if not named or named == [last] or 2 * len(named) > len(texts):
        return texts
    if len(others) and all(map(is_reading, others)):
        return without_rows(texts, named, repairs, name, f"{_LEFT_OUT}: {said[named[0]][:40]!r}")
    found: list[int] = []
    for row in named:
        begin = found[-1] + 1 if found else texts.index.tolist()[0]
        if is_summary_of(texts.loc[row], texts.loc[begin : row - 1]):
            found.append(row)
    return without_rows(texts, found, repairs, name, f"{_LEFT_OUT}: {said[found[0]][:40]!r}" if found else "")


def names_block(cell: str) -> bool:
    """Whether a cell names a summary of a block: "Subtotal bloco 1", "Block 2 - Zwischensumme"; a summary in its first or last words."""
    words = re.findall(r"\w+", cell)
    return is_summary(cell) or any(is_summary(" ".join(part)) for part in (words[:1], words[:2], words[-1:]) if part)


def is_summary_of(row: pd.Series, above: pd.DataFrame) -> bool:
    """Whether a number stands in `row`, and each is the sum or the mean of its column in the rows `above`; False without one."""
    cells = [(place, cell) for place, cell in row.items() if is_number(cell)]
    if above.empty:
        return False
    for place, cell in cells:
        values = numbers_of(above[place])
        value = float(numbers_of(pd.Series([cell])).iloc[0])
        if not np.isclose(value, (values.sum(), values.mean()), rtol=_CLOSE).any():
            return False
    return bool(cells)
