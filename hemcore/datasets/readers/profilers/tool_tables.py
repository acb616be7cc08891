"""Tables with a header as tools write them: texts by column, each row with its line in the file; a last row cut off is left out."""

import csv
import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

import numpy as np
import pandas as pd

from hemcore.datasets.readers import decoding
from hemcore.datasets.readers.format import ReadResult, read_result
from hemcore.datasets.readers.known_files import remembered
from hemcore.datasets.readers.number_marks import plain_numbers
from hemcore.datasets.readers.reading_limits import check_columns, check_readings
from hemcore.datasets.readers.repairs import Repair
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.checks import listed
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.errors import ReadError

NOTHING = ("", "-", "na", "n/a", "nan", "-nan", "null", "none", "<not counted>", "<not supported>")
_SEPARATORS = (",", ";", "\t")
_HEAD_LINES = 60
_HEAD_BYTES = 100_000


@dataclass(frozen=True, eq=False)
class ToolTable:
    """A table. name: of the file. texts: one column per name of the header, the index is the line in the file, from 1."""

    name: str
    texts: pd.DataFrame
    repairs: list[Repair] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def stem(self) -> str:
        """The file's name without its ending."""
        return PurePosixPath(self.name).stem

    def numbers(self, column: str) -> pd.Series:
        """The cells of `column` as float; NaN for what says that there is no value. Infinite and negative ones are NaN and listed.

        Raises ReadError, with the line, for a cell that is no number.
        """
        texts = self.texts[column]
        empty = texts.str.lower().isin(NOTHING)
        found = pd.to_numeric(texts.mask(empty).str.removesuffix("%"), errors="coerce").astype(float)
        wrong = (found.isna() & ~empty).to_numpy()
        if wrong.any():
            row = int(wrong.argmax())
            value = str(texts.iloc[row])[:60]
            raise ReadError(f"{self.name}: line {texts.index[row]}, column {column!r}: {value!r} is not a number. Correct it, or empty it.")
        for broken, what in ((np.isinf(found), "infinite"), (found < 0, "below 0")):
            if broken.any():
                least = float(found[broken].iloc[0])
                self.repairs.append(Repair(self.name, column, f"{what}: no count, treated as missing", int(broken.sum()), least, 0))
                found = found.mask(broken)
        return found


def head_cells(file: UploadedFile, wanted: Callable[[Sequence[str]], bool]) -> list[str]:
    """The cells of the first line that `wanted` takes for the header; empty where none of the first lines is."""
    return next((cells for cells in _first_cells(file) if wanted(cells)), [])


@remembered(most=64)
def _first_cells(file: UploadedFile) -> list[list[str]]:
    """The cells of the first lines, split once for all the formats that look at them."""
    head = decoding.head_of(file.content, _HEAD_BYTES)
    lines = decoding.plain_lines(head.decode("utf-8", errors="replace").removeprefix("\ufeff")).split("\n")[:_HEAD_LINES]
    return [] if b"\x00" in head[:4096] else [cells_of(line) for line in lines]


def cells_of(line: str) -> list[str]:
    """The cells of a header line, between whatever separates most of them."""
    unquoted = re.sub(r'"[^"]*"', "", line)
    separator = max(_SEPARATORS, key=unquoted.count)
    try:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=separator, skipinitialspace=True), [])]
    except csv.Error:
        return []


def tool_table(file: UploadedFile, wanted: Callable[[Sequence[str]], bool], *, remedy: str) -> ToolTable:
    """The table under the first line that `wanted` takes for its header. Lines above it, and the header again, are left out.

    Raises ReadError for a file without that header or without a row, for a name that comes twice, and, naming the line, for a row of
    another width than the header; the last row may be cut off, and is then listed. remedy: ends each sentence.
    """
    text = decoding.text_of(file.name, file.content, remedy=remedy)
    lines = text.split("\n")
    start = next((number for number, line in enumerate(lines[:_HEAD_LINES]) if wanted(cells_of(line))), None)
    if start is None:
        raise ReadError(
            f"{file.name}: line 1, {lines[0].strip()[:60]!r}, is not the header that was expected, nor is a line below. {remedy}"
        )
    cells = cells_of(lines[start])
    check_columns(f"{file.name}: line {start + 1}", len(cells))
    separator = max(_SEPARATORS, key=re.sub(r'"[^"]*"', "", lines[start]).count)
    while cells and not cells[-1]:
        cells.pop()  # a separator at the end of each line
    twice = [name for name in dict.fromkeys(cells) if cells.count(name) > 1]
    if twice or "" in cells[1:]:
        what = f"{listed(twice)} appears more than once" if twice else f"column {cells.index('', 1) + 1} has no name"
        raise ReadError(f"{file.name}: line {start + 1}: {what}. {remedy}")
    body, notes = plain_numbers(file.name, cells, "\n" * start + "\n".join(lines[start:]), separator)
    table = ToolTable(file.name, pd.DataFrame(), [], notes)
    rows, numbers = _rows(table, body, separator, cells, start, remedy)
    if not rows:
        raise ReadError(f"{file.name}: line {start + 1} is a header, and no row follows it. {remedy}")
    check_readings(file.name, len(rows), len(cells))
    frame = pd.DataFrame(rows, columns=cells, index=numbers, dtype=str)
    return ToolTable(file.name, frame, table.repairs, notes)


def _rows(table: ToolTable, body: str, separator: str, cells: Sequence[str], start: int, remedy: str) -> tuple[list[list[str]], list[int]]:
    rows, numbers = [], []
    reader = csv.reader(io.StringIO(body.replace("\x00", "\ufffd"), newline=""), delimiter=separator, skipinitialspace=True)
    wrong: tuple[int, list[str]] | None = None
    above = True
    before = 0
    try:
        for row in reader:
            number, before = before + 1, reader.line_num
            plain = [cell.strip() for cell in row]
            if not any(plain) or number <= start:
                continue
            if wrong is not None:
                break
            if plain[: len(cells)] == list(cells):
                if not above:
                    table.repairs.append(Repair(f"{table.name}, line {number}", "", "the header again: left out", 1))
                above = False
            elif len(plain) < len(cells) or any(plain[len(cells) :]):
                wrong = number, plain
            else:
                rows.append(plain[: len(cells)])
                numbers.append(number)
        else:
            if wrong is not None:
                number, plain = wrong
                table.repairs.append(Repair(f"{table.name}, line {number}", "", f"cut off, {' '.join(plain)[:60]!r}: left out", 1))
                wrong = None
    except csv.Error as error:
        raise ReadError(f"{table.name}: line {before + 1} is not a row ({error}). {remedy}") from None
    if wrong is not None:
        raise ReadError(f"{table.name}: line {wrong[0]} has {len(wrong[1])} cells, the header {len(cells)}. {remedy}")
    return rows, numbers


def phases_of(
    rows: pd.DataFrame,
    counters: Sequence[str],
    tables: Sequence[ToolTable],
    *,
    granularity: str,
    remedy: str,
    repairs: Sequence[Repair] = (),
    note: str = "",
) -> ReadResult[PhaseTable]:
    """A PhaseTable of `rows`, one a phase, numbered in its program; counters without any value are left out and listed.

    rows: column program, the counters, and further columns that describe the phase. tables: what they were read from, with repairs and
    notes; repairs, note: those of the whole. Raises ReadError where no counter has a value.
    """
    where = tables[0].name if len(tables) == 1 else "all files"
    kept = [name for name in counters if rows[name].notna().any()]
    if not kept:
        raise ReadError(f"{where}: no counter with a value: {listed(counters) or 'no column of counts'}. {remedy}")
    gone = [name for name in counters if name not in kept]
    frame = rows.drop(columns=gone).reset_index(drop=True)
    frame.insert(1, "granularity", granularity)
    frame.insert(2, "load", "as read")
    frame.insert(3, "phase", frame.groupby("program", sort=False).cumcount())
    without_value = [Repair(where, name, "no value in any row: left out", len(rows)) for name in gone]
    every = [*(repair for table in tables for repair in table.repairs), *repairs, *without_value]
    notes = [*(each for table in tables for each in table.notes), *([note] if note else [])]
    return read_result(PhaseTable(frame=frame, counters=tuple(kept)), every, notes)


def stems(tables: Sequence[ToolTable]) -> list[str]:
    """A name for each file: without its ending, where that tells them apart."""
    short = [table.stem for table in tables]
    return short if len(set(short)) == len(short) else [table.name for table in tables]
