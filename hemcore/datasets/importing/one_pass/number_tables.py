"""The plainest tables, as programs write them by the thousand or by the million: names in the first line, then numbers without a sign.
Their decimal sign may be a comma.

Read in one pass, a block of lines at a time: a large file is never held as texts. What is read here reads the same the long way round
(`parts.read_part`): whatever would need a closer look is not taken. Below other lines than names alone, such as titles and units, they are
found too, for those who know what these lines say (`headed`).
"""

import re
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.datasets.importing.units.united_numbers import FEW
from hemcore.datasets.readers.known_files import remembered
from hemcore.datasets.readers.reading_limits import check_memory, check_readings
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.reading_progress import passed

# Names without quotation marks, "=", "|" and what markup begins with: what other forms are told by.
_HEADER = re.compile(rb"[A-Za-z_#,;\t][^\"=|<>{}\x00-\x08\x0a-\x1f\x7f-\xff]*")
_PAIRED = re.compile(rb":(?:\s|\Z)")
_SEPARATOR = re.compile(rb"[\d.,]+([;\t])|[\d.]+(,)")
_FIRST_ROW = 2
# A number with a point that may stand between thousands; any other one with a point proves that it is the decimal sign.
_UNCLEAR = re.compile(rb"[1-9]\d{0,2}\.\d{3}")
_POINTED = re.compile(rb"\d+\.\d+")
_COMMAS = bytes.maketrans(b",.", b".!")
# Lines that say what the decimal sign is, as parts.read_part judges it.
_JUDGED = 2_000
_BLOCK = 1 << 18
_PER_CELL = 8  # bytes
# Rows that are summed below them.
FEWEST_SUMMED, MOST_SUMMED, _CLOSE = 4, 5_000, 1e-6
# A row of numbers; the lines that may stand above the first.
_ROW = re.compile(rb"\d{1,30}+(?:[.,]\d{1,30}+)?+(?:([;\t,])\d{1,30}+(?:[.,]\d{1,30}+)?+)++\r?")
_MOST_ABOVE = 40
_DIGITS = re.compile(rb"\d+")
# Bytes of a file that several look at: what was found in it is kept.
_SMALL = 256 << 10


@dataclass(frozen=True, eq=False)
class NumbersAlone:
    """names: the cells of the header. numbers: shape (rows, columns), row i is row `first` + i of the file. content: gives the file; start:
    where its rows begin. decimal: "." or "," where a number proves it, else "". proof: that number, as it stands.
    """

    names: tuple[str, ...]
    separator: str
    numbers: NDArray[np.float64]
    content: Callable[[], bytes]
    start: int
    decimal: str
    proof: str = ""
    first: int = _FIRST_ROW

    @cached_property
    def index(self) -> pd.Index:
        """The numbers of the rows in the file, from 1."""
        return pd.RangeIndex(self.first, self.first + len(self.numbers))

    @cached_property
    def columns(self) -> pd.Index:
        """The places of the columns."""
        return pd.RangeIndex(len(self.names))

    def texts(self) -> pd.DataFrame:
        """The cells as texts, made anew at each call."""
        return pd.DataFrame({place: self.column(place) for place in self.columns}, index=self.index)

    def column(self, place: int) -> pd.Series:
        """The texts of one column, a point in each decimal."""
        blocks = _blocks(self.content(), self.start, commas=self.decimal == ",")
        columns = (_cells(block, self.separator)[place :: len(self.names)] for block in blocks)
        dtype = object if len(self.numbers) < FEW else str
        return pd.concat([pd.Series(block, dtype=dtype) for block in columns]).set_axis(self.index)

    def plain(self, place: int) -> NDArray[np.float64]:
        """The numbers of one column."""
        return self.numbers[:, place]


@dataclass(frozen=True, eq=False)
class Headed:
    """Numbers alone below any lines. head: these lines. key: what files have in common whose heads differ in the numbers of titles alone:
    of lines with one cell. example: a file of this key. table: the numbers, without names.
    """

    head: bytes
    key: Hashable
    example: UploadedFile
    table: NumbersAlone

    @property
    def begins_again(self) -> bool:
        """Whether the first cell of a line of the head comes again in it: then the numbers say whether these are two tables."""
        rows = (line.decode(errors="replace").lower().split(self.table.separator) for line in self.head.splitlines())
        return any(row[0].strip() in map(str.strip, row[1:]) for row in rows)


def numbers_alone(file: UploadedFile) -> NumbersAlone | None:
    """The table of a file in ASCII: two rows or more below the names, all of one width of at least two; None for any other.

    Commas are decimal marks where one of the first 2,000 rows proves it and another sign separates the cells. Raises ReadError as
    check_readings and check_memory do, before any cell is read.
    """
    return _of_small(file) if file.size <= _SMALL else _found(file)


def like(file: UploadedFile) -> UploadedFile:
    """What stands for `file` where nothing but its header, and that numbers stand below it, matters: one file for all of that header; the
    file itself where it is no table of numbers alone or is large."""
    table = numbers_alone(file) if file.size <= _SMALL else None
    if table is None or table.decimal == ",":
        found = headed(file)
        return file if found is None else found.example
    return _example(file.content[: table.start].rstrip(b"\r\n"), table.separator, len(table.names))


def headed(file: UploadedFile) -> Headed | None:
    """Of a small file, the numbers alone below its first lines, of which one has several cells; None for any other."""
    return _headed(file) if file.size <= _SMALL else None


@remembered(most=10_000)
def _headed(file: UploadedFile) -> Headed | None:
    content = file.content
    start, rows = 0, 0
    while (row := _ROW.fullmatch(content, start, content.find(b"\n", start))) is None:
        start, rows = content.find(b"\n", start) + 1, rows + 1
        if not start or rows > _MOST_ABOVE:
            return None
    first = row[0].removesuffix(b"\r")
    separator = (b";" if b";" in first else b"\t" if b"\t" in first else b",").decode()
    width = first.count(separator.encode()) + 1
    head = content[:start]
    table = numbers_below(file, start, ("",) * width, separator, first_row=rows + 1) if rows and width > 1 else None
    if table is None:
        return None
    lines = head.split(b"\n")
    titles = [separator.encode() not in line.rstrip(b"\r ;,\t") for line in lines]
    if all(titles):
        return None
    titles = [title and b"=" not in line for line, title in zip(lines, titles, strict=True)]  # "pic0=cycles" names a column
    above = b"\n".join(_DIGITS.sub(b"0", line) if title else line for line, title in zip(lines, titles, strict=True))
    example = _titled(above, _DIGITS.sub(b"1", first))
    return Headed(head, (above, width, separator), example, table)


@lru_cache(maxsize=64)
def _titled(head: bytes, row: bytes) -> UploadedFile:
    return UploadedFile("a table of numbers.csv", head + b"\n".join([row, row, b""]))


@lru_cache(maxsize=64)
def _example(header: bytes, separator: str, width: int) -> UploadedFile:
    return UploadedFile("a table of numbers.csv", b"\n".join([header, *[separator.join("1" * width).encode()] * 2, b""]))


def _found(file: UploadedFile) -> NumbersAlone | None:
    content = file.content
    end = content.find(b"\n")
    start = end + 1
    found = _SEPARATOR.match(content[start : start + 100])
    if end < 0 or found is None or b"\r" in (head := content[:end].removesuffix(b"\r")):
        return None
    if _HEADER.fullmatch(head) is None or _PAIRED.search(head) is not None:
        return None
    separator = (found[1] or found[2]).decode()
    names = tuple(cell.strip() for cell in head.decode().split(separator))
    if len(names) < 2 or not all(names[1:]) or (separator != "," and b"," in head and _has_commas(content, start)):
        return None
    return numbers_below(file, start, names, separator)


def numbers_below(
    file: UploadedFile, start: int, names: tuple[str, ...], separator: str, *, first_row: int = _FIRST_ROW
) -> NumbersAlone | None:
    """What stands from byte `start` of `file` on, row `first_row` of it, as numbers alone under `names`, with the errors of numbers_alone;
    None where anything else stands there."""
    name, content = file.name, file.content
    commas = separator != "," and _has_commas(content, start)
    pattern, rows = _rows(separator.encode(), len(names)), content.count(b"\n", start) + (not content.endswith(b"\n"))
    blocks = _blocks(content, start, commas=commas)
    first = next(blocks, b"")
    if rows < 2 or pattern.fullmatch(first) is None:
        return None
    check_readings(name, rows, len(names))
    check_memory(name, rows, len(names), len(content), per_cell=_PER_CELL)
    numbers = np.empty((rows, len(names)), order="F")
    place = 0
    for block in (first, *blocks):
        if block is not first and pattern.fullmatch(block) is None:
            return None
        cells = np.array(_cells(block, separator), dtype=object)
        found_here = np.asarray(pd.to_numeric(cells, errors="coerce"), dtype=float).reshape(-1, len(names))
        numbers[place : place + len(found_here)] = found_here
        place += len(found_here)
        passed(len(block))
    decimal, proof = _decimal(content, start, commas=commas)
    if bool(np.isnan(numbers).any()) or (commas and not decimal):
        return None
    return NumbersAlone(names, separator, numbers, file.fetcher(), start, decimal, proof, first_row)


def _has_commas(content: bytes, start: int) -> bool:
    """Whether the row that begins there has a comma."""
    return b"," in content[start : content.find(b"\n", start)]


def _blocks(content: bytes, start: int, *, commas: bool) -> Iterator[bytes]:
    """Whole lines, about a quarter of a megabyte at a time, a newline at each end of line. commas: those become points, and points are
    marked, which are no decimals there."""
    while start < len(content):
        end = content.find(b"\n", start + _BLOCK) + 1 or len(content)
        block = content[start:end].replace(b"\r\n", b"\n")
        yield block.translate(_COMMAS) if commas else block
        start = end


def _decimal(content: bytes, start: int, *, commas: bool) -> tuple[str, str]:
    """(the decimal sign that the first rows prove, the number that does), "" for none."""
    lines, sign = 0, "," if commas else "."
    for block in _blocks(content, start, commas=commas):
        judged = b"\n".join(block.split(b"\n")[: _JUDGED - lines])
        proof = next((number for number in _POINTED.findall(judged) if _UNCLEAR.fullmatch(number) is None), None)
        if proof is not None:
            return sign, proof.decode().replace(".", sign)
        lines += block.count(b"\n")
        if lines >= _JUDGED:
            break
    return "", ""


_of_small = remembered(most=10_000)(_found)


@lru_cache(maxsize=64)
def _rows(separator: bytes, width: int) -> re.Pattern[bytes]:
    cell = rb"\d{1,30}+(?:\.\d{1,30}+)?+"
    row = rb"(?:%s%s){%d}%s" % (cell, separator, width - 1, cell)
    return re.compile(rb"%s(?:\n%s)*+\n?" % (row, row))


def _cells(body: bytes, separator: str) -> list[str]:
    return body.decode("ascii").rstrip("\n").replace("\n", separator).split(separator)


def may_end_in_sums(column: NDArray[np.float64]) -> bool:
    """Whether the last number of a column other than the first is the sum or the mean of those above it; else the table does not end in
    sums."""
    total = column[:-1].sum()
    return bool(np.isclose(column[-1], (total, total / (len(column) - 1)), rtol=_CLOSE, atol=0.005).any())


def ends_in_sums(numbers: NDArray[np.float64]) -> bool:
    """Whether the last row holds the sums of all rows above it in every column, two at least that vary, but for a first one that counts on;
    or their means, as fractions below whole numbers.

    numbers: shape (rows, columns); False for fewer than 4 rows, and for more than 5,000, which nobody sums by hand.
    """
    if not FEWEST_SUMMED <= len(numbers) <= MOST_SUMMED:
        return False
    counted = len(set(np.diff(numbers[:, 0]).tolist())) == 1
    body = numbers[:, 1:] if counted else numbers
    sums = body[:-1].sum(axis=0)
    whole = bool((body[:-1] % 1 == 0).all()) and bool((body[-1] % 1 != 0).any())
    means = whole and bool(np.isclose(body[-1], sums / (len(body) - 1), rtol=_CLOSE, atol=0.005).all())
    varies = int(np.count_nonzero(np.ptp(body[:-1], axis=0) > 0))
    return varies > 1 and (means or bool(np.isclose(body[-1], sums, rtol=_CLOSE, atol=0).all()))
