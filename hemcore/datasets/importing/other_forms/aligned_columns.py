"""Columns that stand below each other in a text, with blanks in names and cells: parted where every row has a blank."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from hemcore.datasets.importing.units.united_numbers import has_unit
from hemcore.datasets.readers.decoding import lines_of

_LOOKED_AT = 400
_MOST_NAMES, _MOST_BELOW = 3, 2  # lines of names, of sums below a rule
_RULE = re.compile(r"[\s|+:=_*.#-]*")
_NUMBER = re.compile(r"[-+]?(?:\d[\d.,]*|\.\d+)(?:[eE][-+]?\d+)?[%a-zA-Z]{0,4}")
_START = re.compile(r"\d+(?:\.\d+)?")
_WORD = re.compile(r"\S+")
_DECORATION = re.compile(r"[-=*]{5,} *\w|\w *[-=*]{5,}")
_MARKS = re.compile(r"[|]|#(?=\s)|^\s*#")
_TOLD = re.compile(r"[A-Za-z]:\s+\d")
_ASIDE = re.compile(r"\([^()]*\)|[|:]")
Span = tuple[int, int]


class Aligned(NamedTuple):
    """first, last: the lines of the names and the rows, from 1. names: of the columns. rows: how many. text: of the whole file, as
    `tabbed_by_place` has it."""

    first: int
    last: int
    names: tuple[str, ...]
    rows: int
    text: str


def tabbed_by_place(text: str) -> str:
    """`text` with tabs between its columns, its names in one line above its rows, and every other line blank; `text` where it has none."""
    found = aligned(text)
    return text if found is None else found.text


def aligned(text: str) -> Aligned | None:
    """The columns that stand below each other in `text`; None where there are none.

    The rows are the longest stretch of lines that hold numbers. A cell of a unit alone ("ns"), under no name, belongs to the one before;
    remarks in brackets under no name are left out.
    """
    lines = _without_names_again([line.expandtabs() for line in lines_of(text)])
    first, end = _rows(lines[:_LOOKED_AT])
    if end - first > 2 and _TOLD.search(lines[end - 1]) and not any(map(_TOLD.search, lines[first : end - 1])):
        end -= 1  # "Total hits: 5 Hit rate: 97%" below the rows
    rule = max((number for number in range(first, end) if lines[number].strip() and is_rule(lines[number])), default=end)
    below = [line for line in lines[rule:end] if not is_rule(line)]
    rows = [line for line in lines[first:end] if not is_rule(line)]
    if 0 < len(below) <= _MOST_BELOW and len(_spans(rows[: -len(below)])) > len(_spans(rows)):
        end, rows = rule, rows[: -len(below)]  # sums that stand elsewhere than their columns
    spans = _spans(rows)
    above = _names_above(lines, first, spans)
    if len(rows) < 2 or len(spans) < 2 or not above:
        return None
    if end == _LOOKED_AT < len(lines):
        end = len(lines)  # a table that goes on
    names = [""] * len(spans)
    heads = [list(_WORD.finditer(_MARKS.sub(" ", lines[line]))) for line in above]
    right = _right(rows, spans, [word.span() for words in heads for word in words])
    for words in heads:
        for word, place in zip(words, _columns_of([word.span() for word in words], spans, right), strict=True):
            names[place] = f"{names[place]} {word[0]}".strip()
    stops = [*(begin for begin, _ in spans[1:]), None]
    cells = [[line[begin:stop].strip(" |") for (begin, _), stop in zip(spans, stops, strict=True)] for line in lines[first:end]]
    names, cells = _joined(names, cells)
    written = {first + number: row for number, row in enumerate(cells) if not is_rule(lines[first + number])} | {above[-1]: names}
    tabbed = "".join("\t".join(written.get(number, ())) + "\n" for number in range(len(lines)))
    return Aligned(above[0] + 1, end, tuple(names), len(written) - 1, tabbed)


def _without_names_again(lines: list[str]) -> list[str]:
    """`lines` with a blank one for each that comes again within a course, as perf prints its header every 25 lines: the first number of the
    line below it is above that of the line above it."""
    known: set[str] = set()
    made = list(lines)
    for place, line in enumerate(lines[:-1]):
        words = line.split()
        if len(words) < 2 or any(map(_NUMBER.fullmatch, words)):
            continue
        if line in known and place:
            before, after = (next(iter(lines[at].split()), "") for at in (place - 1, place + 1))
            if _START.fullmatch(before) and _START.fullmatch(after) and float(before) < float(after):
                made[place] = ""
        known.add(line)
    return made


def _rows(lines: Sequence[str]) -> Span:
    """(the first line, the one after the last) of the stretch of lines with about as many numbers that has most of them; rules and blank
    lines may stand within."""
    best, begun, filled, most, like = (0, 0), 0, 0, 0, 0
    for number, line in enumerate([*lines, ""]):
        words = line.split()
        numbers = sum(_NUMBER.fullmatch(word) is not None for word in words)
        if len(words) > 1 and numbers:
            if not filled or not numbers <= 2 * like <= 4 * numbers:
                begun, filled, like = number, 0, numbers
            filled += 1
            if filled * like > most:
                best, most = (begun, number + 1), filled * like
        elif not is_rule(line):
            filled = 0
    return best


def _spans(rows: Sequence[str]) -> list[Span]:
    """Where the columns begin and end: between characters that are blank in every row; the last goes to the end of the line."""
    width = max(map(len, rows), default=0)
    taken = [any(place < len(row) and row[place] not in " |" for row in rows) for place in range(width)]
    starts = [place for place in range(width) if taken[place] and not (place and taken[place - 1])]
    ends = [place + 1 for place in range(width) if taken[place] and not (place + 1 < width and taken[place + 1])]
    return list(zip(starts, ends, strict=True))


def _names_above(lines: Sequence[str], first: int, spans: Sequence[Span]) -> list[int]:
    """The lines of names above line `first`, rules between them left out: those that stand over at least half of the columns, and of those
    above them each that stands over two or more."""
    found: list[int] = []
    for number in range(first - 1, max(first - 2 - _MOST_NAMES, -1), -1):
        words = list(_WORD.finditer(_MARKS.sub(" ", lines[number])))
        if is_rule(lines[number]) or _DECORATION.search(lines[number]):
            if found:
                break
            continue
        over = {_nearest(spans, word.span()) for word in words}
        numbers = sum(_NUMBER.fullmatch(word[0]) is not None for word in words)
        gaps = [after.start() - before.end() > 1 for before, after in pairwise(words)]
        prose = bool(found) and 2 * sum(gaps) < len(gaps)
        if 2 * numbers > len(words) or len(over) < 2 or prose or (not found and 2 * len(over) < len(spans)):
            break
        found.insert(0, number)
    return found[-_MOST_NAMES:]


def _columns_of(words: Sequence[Span], spans: Sequence[Span], right: Sequence[bool]) -> list[int]:
    """The column of each word of a line of names: the one that it stands over. Between two columns, the one whose word is nearer; the next
    where both are as near and the one before it stands at the `right`. Where that would leave a column without a name, the nearest."""
    nearest = [_nearest(spans, word) for word in words]
    found: list[int] = []
    for number, word in enumerate(words):
        place = nearest[number]
        before = max((at for at, span in enumerate(spans) if span[1] <= word[0]), default=-1)
        if 0 < number < len(words) - 1 and 0 <= before < len(spans) - 1 and word[1] <= spans[before + 1][0]:
            back, on = word[0] - words[number - 1][1], words[number + 1][0] - word[1]
            place = before if back < on else before + 1 if on < back or right[before] else place
        found.append(place)
    return found if set(nearest) <= set(found) else nearest


def _right(rows: Sequence[str], spans: Sequence[Span], words: Sequence[Span]) -> list[bool]:
    """Which columns stand at the right: their cells end at one place; where they begin at one too, as most columns and `words` do."""
    right, left = [], []
    for begin, end in spans:
        cells = [row[begin:end] for row in rows if row[begin:end].strip(" |")]
        right.append(all(cell.rstrip(" |") == cell and len(cell) == end - begin for cell in cells))
        left.append(all(cell[:1].strip(" |") for cell in cells))
    ends, begins = {end for _, end in spans}, {begin for begin, _ in spans}
    votes = sum(a - b for a, b in zip(right, left, strict=True)) + sum((end in ends) - (begin in begins) for begin, end in words)
    return [a and (not b or votes > 0) for a, b in zip(right, left, strict=True)]


def _nearest(spans: Sequence[Span], word: Span) -> int:
    """The column that a word of the names stands over, or next to: most of it, then the nearest."""

    def off(span: Span) -> tuple[int, int]:
        shared = min(span[1], word[1]) - max(span[0], word[0])
        return -shared, min(abs(span[1] - word[1]), abs(span[0] - word[0]))

    return min(range(len(spans)), key=lambda place: off(spans[place]))


def _joined(names: list[str], cells: list[list[str]]) -> tuple[list[str], list[list[str]]]:
    """Without columns under no name: units join the column before, remarks in brackets go, others are named by nothing."""
    keep: list[int] = []
    for place, name in enumerate(names):
        column = [row[place] for row in cells if row[place]]
        unit = bool(column) and all(has_unit(f"1.5 {cell}") or cell in ("ns", "us", "ms", "s") for cell in column)
        aside = bool(column) and all(map(_ASIDE.fullmatch, column))
        if not (unit or aside) or not keep or (name and names[keep[-1]]):
            keep.append(place)
            continue
        names[keep[-1]] = names[keep[-1]] or name  # over the end of both
        for row in cells if unit else ():
            row[keep[-1]] = f"{row[keep[-1]]} {row[place]}".strip()
    return [names[place] for place in keep], [[row[place] for place in keep] for row in cells]


def is_rule(line: str) -> bool:
    """Whether a line is blank, or draws a rule."""
    return _RULE.fullmatch(line) is not None
