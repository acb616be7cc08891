"""Rows of sums, means or spreads among the rows of a table: "Subtotal", "Zwischensumme Block 2", "小計", "fft Total" below "fft"."""

import re

import numpy as np
import pandas as pd

from hemcore.datasets.importing.footers import is_numeric, is_summary, statistics_of, without_rows
from hemcore.datasets.importing.header_words import plain
from hemcore.datasets.importing.one_pass.number_tables import MOST_SUMMED
from hemcore.datasets.importing.raw_grid import numbers_of
from hemcore.datasets.importing.units.cell_kinds import filled, is_missing, is_number, is_reading
from hemcore.datasets.readers.repairs import Repair

_WORD, _CLOSE, _MOST = re.compile(r"\W*[^\W\d_]"), 1e-6, 1_000
_NO_TIME = re.compile(r"[^\d\s:.,TZ/+-]")
_LEFT_OUT = "sums or means of the rows above them left out"
_OF_GROUPS = frozenset("ergebnis teilergebnis zwischensumme subtotal result resultat resultado risultato".split())  # of spreadsheets


def without_subtotals(texts: pd.DataFrame, repairs: list[Repair], name: str) -> pd.DataFrame:
    """Without rows between others whose first cell names a summary: where no first cell but these is a word, as in a column of times or
    numbers, or where each number of the row is the sum, mean, spread and so on of its column since the summaries before; and
    without rows called "fft Total" whose numbers are those of the rows of "fft" above them. A last row that is called a summary and
    nothing else is left to without_footers."""
    if texts.shape[1] < 2 or len(texts) < 3 or not (worded := texts.iloc[:, 0].str.contains(_NO_TIME)).any():
        return texts  # there may be millions of numbers or times
    return _without_groups(_without_blocks(texts, worded, repairs, name), set(texts.iloc[:, 0][worded]), repairs, name)


def _without_blocks(texts: pd.DataFrame, worded: pd.Series, repairs: list[Repair], name: str) -> pd.DataFrame:
    first = texts.iloc[:, 0]
    cells = [cell for cell in first[worded].unique() if not is_reading(cell) and not is_missing(cell)]
    sure = set(filter(is_summary, cells))
    maybe = sure | {cell for cell in cells[:_MOST] if _WORD.match(cell) and names_block(cell)}
    named, others = first[first.isin(maybe)], first[~first.isin(maybe)]
    if named.empty or others.empty:
        return texts
    few = 2 * len(named) <= len(texts)
    usable = named[named.isin(sure) & (named.index != texts.index[-1]) | ~named.isin(sure) & few]
    if usable.empty or named.index.tolist() == [texts.index[-1]]:
        return texts
    there = filled(others).iloc[:_MOST]
    if few and len(there) and all(map(is_reading, there)):
        return without_rows(texts, usable.index.tolist(), repairs, name, f"{_LEFT_OUT}: {usable.iloc[0][:40]!r}")
    found: list[int] = []
    marks = set(named.index[named.isin(sure)].tolist())
    for row in usable.index.tolist():
        if is_summary_of(texts.loc[row], _block_above(texts, row, marks), named=first[row] in sure):
            found.append(row)
            marks.add(row)
    return without_rows(texts, found, repairs, name, f"{_LEFT_OUT}: {first[found[0]][:40]!r}" if found else "")


def _block_above(texts: pd.DataFrame, row: int, marks: set[int]) -> pd.DataFrame:
    """The rows above `row` since the summaries `marks` before, but for those right above it, which are of the same rows."""
    above = texts.loc[: row - 1].iloc[-MOST_SUMMED:]
    marked = np.isin(above.index.to_numpy(), list(marks))
    last = int(np.flatnonzero(~marked).max(initial=-1)) + 1
    return above.iloc[int(np.flatnonzero(marked[:last]).max(initial=-1)) + 1 : last]


def names_block(cell: str) -> bool:
    """Whether a cell names a summary of a block: "Subtotal bloco 1", "Block 2 - Zwischensumme"; a summary in its first or last words."""
    words = re.findall(r"\w+", cell)
    return is_summary(cell) or any(is_summary(" ".join(part)) for part in (words[:1], words[:2], words[-1:]) if part)


def _without_groups(texts: pd.DataFrame, known: set[str], repairs: list[Repair], name: str) -> pd.DataFrame:
    """Without the rows "fft Total" under the rows of "fft". known: the first cells that are words."""
    names = texts.iloc[:, 0]
    wholes = {cell: whole for cell in known if not is_summary(cell) and (whole := _summed_by(cell, known))}
    found: list[int] = []
    for place in np.flatnonzero(names.isin(wholes)).tolist():
        above = names.iloc[max(place - MOST_SUMMED, 0) : place]
        others = (above != wholes[names.iloc[place]]) & (above != "")
        rows = texts.loc[above.index[len(others) - int(others[::-1].argmax()) if others.any() else 0 :]]
        if len(rows) > 1 and is_summary_of(texts.iloc[place], rows):
            found.append(names.index[place])
    return without_rows(texts, found, repairs, name, _LEFT_OUT)


def _summed_by(cell: str, known: set[str]) -> str:
    """The one of `known` of which `cell` is named as a summary: "fft" of "fft Total", "Summe fft"; "" if none."""
    words = cell.split(" ")
    for at in range(1, len(words)):
        first, rest = " ".join(words[:at]), " ".join(words[at:])
        for whole, said in ((first, rest), (rest, first)):
            if whole in known and (is_summary(said) or plain(said) in _OF_GROUPS):
                return whole
    return ""


def is_summary_of(row: pd.Series, rows: pd.DataFrame, *, named: bool = True) -> bool:
    """Whether a number stands in `row`, and each is the sum, mean, spread or such of its column in `rows`, as it is rounded; columns that
    hold words there, and the first, say nothing. named: whether it is called a summary and nothing else, so that it may be of extremes."""
    numbers = {place: cell for place, cell in row.iloc[1:].items() if is_number(cell)} if len(rows) else {}
    compared = 0
    for place, cell in numbers.items():
        if not is_numeric(rows[place]):
            continue
        compared += 1
        value, shown = float(numbers_of(pd.Series([cell])).iloc[0]), 0.51 * 10.0 ** -len(cell.partition(".")[2])
        values = numbers_of(rows[place]).dropna().to_numpy()
        known = statistics_of(values, named=named) if len(values) > 1 else values  # one row has no spread
        if not any(abs(value - each) <= max(shown, _CLOSE * abs(value)) for each in known):
            return False
    return compared > 0
