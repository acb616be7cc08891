"""Tables whose columns a line of dashes under their names rules off, as strace -c and nsys stats print them, as the text of a CSV."""

import re
from itertools import islice, takewhile

from hemcore.datasets.importing.other_forms.written_csv import csv_of_rows
from hemcore.datasets.readers.decoding import lines_of

_HEAD = 400
_RULE = re.compile(r"[ \t]*-+(?:[ \t]+-+){2,}[ \t]*")
_DASHES = re.compile(r"-+")
_NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
_SYSCALLS = "syscall"
# Of nsys: what comes first in each of its tables, and the columns that name a row.
_NSYS = re.compile(r"Time \(%\)|Total Time \(ns\)")
_NAMES = ("name", "operation", "range", _SYSCALLS)


def as_table(text: str) -> str | None:
    """CSV with commas and a row per line below the rule of the first table, up to a blank line; None where it is none of strace or nsys.

    The last column takes the rest of its line, blanks and all. Numbers are without the commas of thousands; what strace leaves blank is 0.
    """
    if not any(_RULE.fullmatch(line) for line in islice(lines_of(text), _HEAD)):
        return None
    names, rows = _first_table(list(lines_of(text)))
    of_strace = names[-1] == _SYSCALLS
    named = next((place for place, name in enumerate(names) if name.lower() in _NAMES), None)
    if named is None or not (of_strace or any(map(_NSYS.fullmatch, names))):
        return None
    cells = [[cell.replace(",", "") if _NUMBER.fullmatch(cell) else cell or "0" * of_strace for cell in row] for row in rows]
    order = [named, *(place for place in range(len(names)) if place != named)]
    what = _SYSCALLS if of_strace else "function"
    made = ([row[named], what, *(row[place] for place in order[1:])] for row in cells if not (of_strace and row[named] == "total"))
    return csv_of_rows(["function", "granularity", *(names[place] for place in order[1:])], made)


def _first_table(lines: list[str]) -> tuple[list[str], list[list[str]]]:
    """(names, rows): names stand in the line above the first rule, cells between the ends of its dashes."""
    place = next(place for place, line in enumerate(lines) if _RULE.fullmatch(line) is not None)
    spans = [(each.start(), each.end()) for each in _DASHES.finditer(lines[place])]
    below = takewhile(str.strip, lines[place + 1 :])
    return _cells(lines[place - 1] if place else "", spans), [_cells(line, spans) for line in below if _RULE.fullmatch(line) is None]


def _cells(line: str, spans: list[tuple[int, int]]) -> list[str]:
    """The texts of a line in columns; a number wider than its dashes reaches to the left, as right-aligned ones do."""
    cells, start = [], 0
    for _, end in spans[:-1]:
        while end < len(line) and line[end - 1] != " " and line[end] != " ":
            end += 1
        cells.append(line[start:end].strip())
        start = end
    return [*cells, line[start:].strip()]
