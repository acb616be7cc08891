"""What a row of a file is, by its cells alone: readings, names, units, the header once more, one with fewer cells than the others."""

import csv
import re
from collections import Counter
from collections.abc import Sequence
from itertools import islice

import pandas as pd

from hemcore.datasets.importing.date_times import kind_of
from hemcore.datasets.importing.header_words import is_unit, meaning_of
from hemcore.datasets.importing.raw_grid import RawGrid
from hemcore.datasets.importing.units.cell_kinds import are_numbers, is_missing, is_number, is_reading
from hemcore.datasets.readers.decoding import lines_of
from hemcore.datasets.readers.repairs import Repair
from hemcore.errors import ReadError

_JUDGED, _MOST_TOLD = 100, 20  # lines that say how many cells a row has; rows named one by one
# Of columns, as polars, DuckDB, R and SQL print them below the names.
_TYPE = re.compile(
    r"<?(?:(?P<sure>u?int\d*|[iuf]\d{1,2}|float\d*|double|(?:big|small|huge|tiny)int|varchar|utf8|str|bool|int\d+|dbl|chr|lgl|dttm|datetime\[.*\])"
    r"|integer|real|decimal|numeric|string|text|date|time|datetime|timestamp|boolean|duration|object)(?:\(.*\))?>?"
)
CODE = re.compile(r"0x[0-9a-fA-F]{1,6}")


def is_data(row: Sequence[str], usual: int) -> bool:
    """Whether a row holds readings, and about as many cells as most rows."""
    if len(row) == usual and kind_of(row[0]) in ("date-time", "date") and any(cell[:1].isdigit() for cell in row[1:]):
        return True  # whatever units its numbers have: a row at a date is no title
    if all(map(CODE.fullmatch, row[1:])) and not is_reading(row[0]):
        return False  # codes of events as names, "time (s),0x11,0x08"
    others = [] if are_numbers(row) else [cell for cell in row if not is_number(cell)]
    readings = len(row) - len(others) + sum(map(is_reading, others))
    blanks = sum(map(is_missing, others))
    few = 2 * len(row) < usual and readings + blanks < len(row)
    if not len(row) > 1 or few or not readings or meaning_of(row[0] or "row").role == "event name":
        return False
    if readings == 1 and not blanks and len(row) > 2 and kind_of(row[0]) == "clock":
        return False  # the header of sar: the time at which it was printed, and names
    most_words = max(2, len(row) // 2 if len(row) != usual or readings < 2 else 2 * len(row) // 3)
    return len(row) - readings - blanks <= most_words and (readings >= 2 or len(row) - blanks - readings <= 1 or usual <= 3)


def is_part_of_data(row: Sequence[str]) -> bool:
    """Whether a row within the data is one of them though it holds one reading: the other cells are blank, or it is a remark ("# ...", or
    a word in the last of blank cells)."""
    if len(row) > 2 and row[-1] and not any(row[:-1]):
        return not is_reading(row[-1])
    return row[0].startswith("#") or (is_reading(row[0]) and all(is_reading(cell) or is_missing(cell) for cell in row))


def is_header_again(row: Sequence[str], above: Sequence[str]) -> bool:
    """Whether `row` is the row `above` the data once more; the time of day in front of it, as sar writes it, may be another."""
    same_time = row[:1] == above[:1] or (bool(row) and bool(above) and kind_of(row[0]) == kind_of(above[0]) == "clock")
    return same_time and tuple(row[1:]) == tuple(above[1:])


def is_units(row: Sequence[str]) -> bool:
    """Whether all cells may be units, the first behind the mark of a remark, as Octave and Matlab write it; or types of columns."""
    cells = [row[0].lstrip("#%/ ") or row[0], *row[1:]] if row else []
    types = [_TYPE.fullmatch(cell.lower()) for cell in cells if cell]
    if len(types) > 1 and all(types):
        return any(found["sure"] for found in types if found)
    return all(map(is_unit, cells)) and any(cell.strip("-[]() ") for cell in cells)


def short_rows(grid: RawGrid, first: int, texts: pd.DataFrame) -> list[int]:
    """The rows of `texts`, whose first line is row `first` of `grid`, with fewer cells than most; none where most have."""
    blank = texts.index[(texts.iloc[:, -1] == "").to_numpy()]
    if not len(blank) or 2 * len(blank) > len(texts) > _JUDGED:
        return []
    wanted, usual, found = frozenset((blank - first - 1).tolist()), Counter[int](), dict[int, int]()
    last = int(texts.index[-1]) - first - 1
    try:
        for place, line in enumerate(islice(lines_of(grid.text), grid.lines[first], None)):
            if place in wanted:
                found[place] = _cells(line, grid.separator)
            elif place < _JUDGED and line.strip():
                usual[_cells(line, grid.separator)] += 1
            elif place > last and line.strip():
                return []  # a row of several lines
    except csv.Error:
        return []
    most = usual.most_common(1)[0][0] if usual else 0
    short = [place + first + 1 for place, cells in found.items() if cells < most]
    return short if 2 * len(short) <= len(texts) else []


def _cells(line: str, separator: str) -> int:
    return line.count(separator) + 1 if '"' not in line else len(next(csv.reader([line], delimiter=separator, skipinitialspace=True)))


def told_short(name: str, rows: Sequence[int], *, blanks: bool) -> list[Repair]:
    """The repairs that name rows of fewer cells than the others; of many, the first. Raises ReadError where `blanks` part the cells."""
    if rows and blanks:
        raise ReadError(
            f"{name}: row {rows[0]} has fewer cells than others, and blanks do not show which is lacking. Put tabs or commas between the"
            " columns."
        )
    what = "fewer cells than other rows, those at its end read as empty: is a separator lost?"
    listed = [Repair(f"{name}, row {row}", "", what, 1) for row in rows[:_MOST_TOLD]]
    return listed + [Repair(name, "", f"in further rows: {what}", len(rows) - _MOST_TOLD)] * (len(rows) > _MOST_TOLD)


def form_of(cells: pd.Series) -> str:
    """The form of nearly all cells, as of a column of times: "clock", "date-time", "date"; "" for none."""
    kinds = list(map(kind_of, cells.iloc[:200].tolist()))
    usual, often = max(Counter(kinds).items(), key=lambda each: each[1], default=("", 0))
    return usual if 2 * often > len(kinds) else ""


def of_another_form(row: pd.Series, form: str) -> str:
    """The first cell of a row that lacks its last cell, where it is no time in a column of times; else ""."""
    return row.iloc[0] if form and row.iloc[0] and not row.iloc[-1] and kind_of(row.iloc[0]) != form else ""
