"""Tables within a text, such as a tool's report with headings and remarks around them: from which line to which they go."""

import re
from collections.abc import Collection, Iterator
from typing import Literal, NamedTuple

from hemcore.datasets.importing.other_forms.aligned_columns import aligned, is_rule
from hemcore.datasets.importing.other_forms.blank_columns import drawn_plainly
from hemcore.datasets.importing.units.cell_kinds import is_missing, is_reading
from hemcore.datasets.readers.decoding import text_of
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.errors import HemError

LOOKED_AT = 380  # lines; a table must begin among the rows that header_search looks at
_MOST, _FEW = 8, 3
_FEWEST_ROWS = 2
_WIDEST = 2_000  # characters of a line: wider ones are no report of a tool
_SURE = 1.1  # as many words in the row of names as in the rows
_BLANKS = 0.8  # what blanks between cells say, which stand within names too
_MOST_BETWEEN = 3  # rules and blank lines between a header and its rows
_SENTENCE = re.compile(r"\w\. +[A-Z][a-z]+ .*\w\.\s*$")  # "Running without X. Activate X with -m.": no names of columns
_GAPS = re.compile(r"\t| {2,}")


Delimiter = Literal["", "aligned"]


class TableLines(NamedTuple):
    """first, last: the lines, from 1, with the row of names. rows: how many of data. names: the row of names, as it is written. between:
    the lines among them that are no rows."""

    first: int
    last: int
    rows: int
    names: str
    delimiter: Delimiter = ""
    between: tuple[int, ...] = ()


def tables_within(text: str) -> list[TableLines]:
    """The regular blocks of rows of `text`, at most eight, that with the most numbers first; some are two ways to read the same lines.

    Their rows have as many cells, a number among them, under a row of names. None begins below line 380.
    """
    lines = text.split("\n")
    if max(map(len, lines[:LOOKED_AT])) > _WIDEST or text.lstrip()[:1] in ("{", "[", "<"):
        return []
    found = [block for cells, weight in _splits(lines[:LOOKED_AT]) for block in _blocks(lines, cells, weight)]
    found += _aligned(lines[:LOOKED_AT])
    found += _again(lines[:LOOKED_AT], [line.split() for line in lines[:LOOKED_AT]])
    best = sorted(found, key=lambda each: -each[0])
    return list(dict.fromkeys(block for _, block in best))[:_MOST]


def tables_in(file: UploadedFile) -> list[TableLines]:
    """`tables_within` a file; none where it is no text."""
    try:
        return tables_within(drawn_plainly(text_of(file.name, file.content, remedy="")))
    except HemError:
        return []


def only_lines(file: UploadedFile, first: int, last: int, without: Collection[int] = ()) -> UploadedFile:
    """`file` with lines `first` to `last` alone (from 1; 0 = the end): the others, and those of `without`, are blank, so that each row
    keeps its number."""
    lines = drawn_plainly(text_of(file.name, file.content, remedy="Export it as CSV, or leave it out.")).split("\n")
    for line in without:
        lines[line - 1 : line] = [""] * (line <= len(lines))
    kept = lines[max(first - 1, 0) : last or None]
    text = "\n" * max(first - 1, 0) + "\n".join(kept) + "\n"
    return UploadedFile(file.name, text.encode(errors="surrogateescape"), file.encoding)


def _splits(lines: list[str]) -> Iterator[tuple[list[list[str]], float]]:
    """(the cells of each line, how much that says) by each sign that may part them: blanks also stand within names."""
    for separator in (",", ";", "\t", "|"):
        if any(separator in line for line in lines):
            yield [[cell.strip(' "') for cell in line.strip().strip("|").split(separator)] for line in lines], 1.0
    yield [_GAPS.split(line.strip()) for line in lines], _BLANKS
    yield [line.split() for line in lines], _BLANKS


def _blocks(lines: list[str], cells: list[list[str]], weight: float) -> Iterator[tuple[float, TableLines]]:
    """(how many numbers, the block) of each block of rows under a row of names."""
    numbers = [_numbers(row) for row in cells]
    place = 0
    while place < len(cells):
        if not numbers[place] or is_rule(lines[place]):
            place += 1
            continue
        width, end = len(cells[place]), place
        while end < len(cells) and (_alike(cells[place], cells[end]) or (lines[end].strip() and is_rule(lines[end]))):
            end += 1
        rows = [number for number in range(place, end) if not is_rule(lines[number])]
        header = _header(lines, cells, place, width)
        if header is not None and len(rows) >= (_FEWEST_ROWS if width > 2 else 3):
            block = TableLines(header + 1, rows[-1] + 1, len(rows), " ".join(lines[header].split()))
            yield weight * sum(numbers[row] for row in rows), block
            if weight < 1 and len(lines[header].lstrip("#% ").split()) == width == len(lines[place].split()):
                yield _SURE * width * len(rows), block
            elif weight < 1:
                yield sum(numbers[row] for row in rows), block._replace(delimiter="aligned")
        place = end


def _again(lines: list[str], cells: list[list[str]]) -> Iterator[tuple[float, TableLines]]:
    """The block of all rows under one row of names that comes again and again, more often than there are rows under each."""
    numbers = [_numbers(row) for row in cells]
    headers: dict[str, list[int]] = {}
    for place, line in enumerate(lines):
        headers.setdefault(" ".join(line.split()), []).append(place)
    for names, places in headers.items():
        rows: list[int] = []
        for place in places if len(places) > 1 and names and not is_rule(names) else ():
            first = next((at for at in range(place + 1, len(lines)) if not is_rule(lines[at])), len(lines))
            end = first
            while end < len(lines) and numbers[end] and _alike(cells[rows[0] if rows else first], cells[end]):
                end += 1
            rows += range(first, end)
        few = 1 < len(places) <= len(rows) < len(places) ** 2
        if few and _header(lines, cells, rows[0], len(cells[rows[0]])) == places[0]:
            between = tuple(at + 1 for at in range(places[0] + 1, rows[-1]) if at not in rows)
            yield sum(numbers[row] for row in rows), TableLines(places[0] + 1, rows[-1] + 1, len(rows), names, between=between)


def _aligned(lines: list[str]) -> Iterator[tuple[float, TableLines]]:
    """The block of columns that stand below each other, of which some have blanks in them."""
    found = aligned("\n".join(lines))
    if found is not None and _SENTENCE.search(lines[found.first - 1]) is None:
        yield found.rows * len(found.names), TableLines(found.first, found.last, found.rows, " | ".join(found.names), "aligned")


def _header(lines: list[str], cells: list[list[str]], first: int, width: int) -> int | None:
    """The line with the names of the columns above line `first`; None where there is none."""
    for place in range(first - 1, max(first - 2 - _MOST_BETWEEN, -1), -1):
        if is_rule(lines[place]):
            continue
        if _SENTENCE.search(lines[place]) is not None:
            return None
        row = [cell for cell in cells[place] if cell not in ("#", "//", "%")]
        corner = lines[place][:1].isspace() and len(row) == width - 1
        words = [cell for cell in row if cell and not is_reading(cell)]
        return place if (len(row) == width or corner) and 2 * len(words) > len(row) and len(set(row)) == len(row) else None
    return None


def _numbers(row: list[str]) -> int:
    """How many cells of a row are numbers; 0 for a row of one cell, and one whose cells are mostly words."""
    readings = sum(map(is_reading, row))
    words = len(row) - readings - sum(map(is_missing, row))
    return readings if len(row) > 1 and words <= max(2, len(row) // 2) else 0


def _alike(one: list[str], other: list[str]) -> bool:
    """Whether two rows have as many cells, and numbers in the same of them, but for one."""
    if len(one) != len(other) or not _numbers(other):
        return False
    unlike = sum(is_reading(a) != is_reading(b) for a, b in zip(one, other, strict=True) if not (is_missing(a) or is_missing(b)))
    return unlike <= (len(one) > _FEW)
