"""What stands in a sheet at the side of its table and is no part of it: a few words with their values, or statistics of its columns."""

import re
from collections.abc import Iterator, Sequence

import numpy as np

from hemcore.datasets.importing.footers import is_summary, may_be_summary, statistics_of
from hemcore.datasets.importing.guessing.across import Row
from hemcore.datasets.importing.raw_grid import trimmed
from hemcore.datasets.importing.units.cell_kinds import is_number, is_reading

_DEEPEST, _MUCH_LONGER = 40, 3  # rows above the names; how many times longer than any words with values a table is
_PERCENTILE = re.compile(r"[pq]\d{1,2}|\d{1,2}(?:[.,]\d)? ?%|\d{1,2}(?:th|\.)? (?:percentile|perzentil)", re.IGNORECASE)
_FEWEST, _CLOSE = 2, 1e-3


def table_alone(rows: Sequence[Row]) -> tuple[int, list[int]] | None:
    """(the row of names, the columns) of the table in `rows` without what stands beside it; None where nothing does, or where that may be
    a table of readings.

    Behind a blank column, words with values are left out where the table is three times as long, and statistics however long it is: rows or
    columns called mean, max and so on, or numbers that are the sums, means, spreads or extremes of its columns. Without a blank column,
    statistics whose names stand in a column of their own beside longer ones.
    """
    told = [row for row in rows if sum(map(bool, row)) > 1]  # a title may be longer than its table
    width = max(map(len, told), default=0)
    groups = [part for group in _groups(told, width) for part in _parted(told, group)]
    if len(groups) < _FEWEST:
        return None
    lengths = [sum(any(at < len(row) and row[at] for at in group) for row in told) for group in groups]
    main = groups[max(range(len(groups)), key=lambda place: lengths[place])]
    header = next((number for number, row in enumerate(rows[:_DEEPEST]) if _names(row, main)), None)
    if header is None or len(main) < _FEWEST:
        return None
    body = [row for row in rows[header + 1 :] if any(at < len(row) and row[at] for at in main)]
    asides = [group for group in groups if group is not main]
    return (header, main) if all(_is_aside(told, rows[header + 1 :], body, main, group) for group in asides) else None


def _groups(rows: Sequence[Row], width: int) -> list[list[int]]:
    """The columns between blank ones."""
    groups: list[list[int]] = [[]]
    for at in range(width):
        if any(at < len(row) and row[at] for row in rows):
            groups[-1].append(at)
        elif groups[-1]:
            groups.append([])
    return [group for group in groups if group]


def _parted(rows: Sequence[Row], group: list[int]) -> Iterator[list[int]]:
    """`group` in two where a column within it names statistics, and it and those behind it end long before the first does."""
    for place in range(_FEWEST, len(group) - 1):
        cells = _column(rows, group[place])
        if not _is_statistic(next(filter(None, reversed(cells)), "")):
            continue  # which most columns show by their last cell
        there = [number for number, cell in enumerate(cells) if is_summary(cell) or (number and _is_statistic(cell))]
        said = [cells[number] for number in there]
        if not _are_statistics(said) or set(filter(None, cells[there[0] :])) != set(said):
            continue
        ends = max((number for at in group[place:] for number, cell in enumerate(_column(rows, at)) if cell), default=0)
        if ends == there[-1] < len(rows) - 1:
            yield group[:place]
            yield group[place:]
            return
    yield group


def _names(row: Row, places: Sequence[int]) -> bool:
    """Whether a row names each of the columns `places`."""
    return all(at < len(row) and row[at] and not is_reading(row[at]) for at in places)


def _column(rows: Sequence[Row], at: int) -> list[str]:
    return [row[at] if at < len(row) else "" for row in rows]


def _is_aside(told: Sequence[Row], below: Sequence[Row], body: Sequence[Row], main: Sequence[int], group: Sequence[int]) -> bool:
    """Whether the columns `group` are no table of readings.

    told: all rows; below: those below the names of the table, of which `body` are its own."""
    firsts = list(filter(None, _column(below, group[0])))
    own = [row for row in ([row[at] if at < len(row) else "" for at in group] for row in told) if any(row)]
    names = next((trimmed(row)[1:] for row in own if len(trimmed(row)) > 1), ())
    if any(map(is_reading, firsts)) or (group[0] < main[0] and len(group) < _FEWEST):
        return False  # a column of words on the left names rows
    rows = sum(any(at < len(row) and row[at] for at in group) for row in below)
    if len(body) >= _MUCH_LONGER * rows or _are_statistics(firsts) or _are_statistics(names):
        return True
    numbers = [_number(cell) for row in own for cell in row if is_number(cell)]
    columns = [np.array([_number(cell) for cell in _column(body, at) if is_number(cell)]) for at in main]
    known = np.array([value for column in columns if len(column) >= _FEWEST for value in statistics_of(column)])
    return len(numbers) >= _FEWEST and bool(len(known)) and all(np.isclose(known, each, rtol=_CLOSE).any() for each in numbers)


def _are_statistics(names: Sequence[str]) -> bool:
    """Whether all names are of statistics, two at least, and no two are alike; some may be of programs as well."""
    return len(names) >= _FEWEST and len(set(names)) == len(names) and any(map(is_summary, names)) and all(map(_is_statistic, names))


def _is_statistic(name: str) -> bool:
    return bool(name) and not is_number(name) and (may_be_summary(name) or _PERCENTILE.fullmatch(name) is not None)


def _number(cell: str) -> float:
    """The number in a cell, whichever of its marks parts thousands: the last one is the decimal sign unless it comes again."""
    plain = re.sub(r"[ '’\u00a0\u202f]", "", cell)
    mark = max(plain.rfind(","), plain.rfind("."))
    several = mark >= 0 and plain.count(plain[mark]) > 1
    whole, fraction = (plain, "") if mark < 0 or several else (plain[:mark], plain[mark + 1 :])
    return float(re.sub(r"[,.]", "", whole) + (f".{fraction}" if fraction else ""))
