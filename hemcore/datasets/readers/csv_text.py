"""Numbers from a delimited text file, with the header as it is and every fault located by line and column."""

import csv
import io
import re
from collections.abc import Iterator
from itertools import islice

import numpy as np
import pandas as pd

from hemcore.datasets.readers.decoding import lines_of, text_of
from hemcore.datasets.readers.number_marks import plain_numbers
from hemcore.datasets.readers.reading_limits import check_columns, check_readings
from hemcore.datasets.tables.checks import listed
from hemcore.errors import ReadError

_SEPARATORS = (",", ";", "\t")
_NAME_LENGTH = 1_000
# More than 4,000 names of that length in UTF-32.
_LONGEST_LINE, _ENDS_LINE = 16 << 20, re.compile(rb"[\r\n]")
_NEWLINE = re.compile(r"\r\n|\r|\n")
# The line after it keeps its number.
_DIGITS = r"\d{300,}"
_SAID = re.compile(r'"?sep=([,;\t])"?[ ]*(?=[\r\n]|\Z)', re.IGNORECASE)


def header_of(name: str, content: bytes) -> tuple[list[str], str, str]:
    """(header cells, separator, text) of a delimited text file; a first line "sep=;" is taken as Excel means it, and left empty.

    Raises ReadError where it is not one.
    """
    if len(content) > _LONGEST_LINE and not _ENDS_LINE.search(content, 0, _LONGEST_LINE):
        raise ReadError(
            f"{name}: line 1 has more than {_LONGEST_LINE:,} characters. Send a table with a line of column names, or a list in parts."
        )
    text = text_of(name, content, remedy="Export the readings as CSV.")
    said = _SAID.match(text)
    if said is not None:
        text = text[said.end() :]
        if not text.strip():
            raise ReadError(f"{name}: the file is empty. Send the file with the readings.")
    first = _first_line(text)[0]
    unquoted = re.sub(r'"[^"]*"', "", first)
    separator = said[1] if said is not None else max(_SEPARATORS, key=unquoted.count)
    check_columns(f"{name}: line {header_line(text)}", unquoted.count(separator) + 1)
    try:
        # A quotation mark left open would swallow the line after it.
        head, *after = csv.reader([f"{first}\n", "after"], delimiter=separator, skipinitialspace=True)
        if not after:
            raise csv.Error("a quotation mark is left open")
        cells = [cell.strip() for cell in head]
    except csv.Error as error:
        raise ReadError(f"{name}: the first line is not a header ({error}). Send a file with a line of column names.") from None
    longest = max(cells, key=len)
    if len(longest) > _NAME_LENGTH:
        raise ReadError(
            f"{name}: line 1 has a name of {len(longest):,} characters, {longest[:30]!r}...; at most {_NAME_LENGTH:,}. Shorten it."
        )
    return cells, separator, text


def number_table(name: str, content: bytes) -> tuple[pd.DataFrame, list[str]]:
    """(table, notes): every column numbers, NaN where a cell is empty, NA or infinite (noted); a first column of row numbers under ""
    left out (noted).

    Decimal commas and thousands separators are read where they prove themselves (see number_marks; noted). Column names are those of the
    file, whatever they are; the same name may stand twice. Raises ReadError for a file that is not text,
    empty, of one column or of no row, a row with more or fewer cells than the header, and a cell that is not a number.
    """
    cells, separator, text = header_of(name, content)
    if len(cells) < 2:
        raise ReadError(f"{name}: one column, {cells[0][:60]!r}; at least two HEMs are needed. Is the separator a comma, semicolon or tab?")
    check_widths(name, text, separator, len(cells))
    text, notes = plain_numbers(name, cells, text, separator)
    try:
        frame = pd.read_csv(
            # Versions of pandas before 3 take a NUL for an empty cell.
            source_of(text.replace("\x00", "\ufffd")), sep=separator, header=None, skiprows=header_line(text), skipinitialspace=True,
            names=range(len(cells)), index_col=False, low_memory=False, skip_blank_lines=True, on_bad_lines="error",
        )  # fmt: skip
    except (pd.errors.ParserError, pd.errors.EmptyDataError, ValueError) as error:
        raise ReadError(f"{name}: the rows do not fit the {len(cells)} columns of the header ({error}). Correct the line.") from None
    if frame.empty:
        raise ReadError(f"{name}: a header and no row. Send the file with the readings.")
    blank = [position for position, cell in enumerate(cells, start=1) if not cell and position > 1]
    if blank:
        raise ReadError(f"{name}: line 1, column {blank[0]} has no name; the columns are {listed(cells)}. Name it.")
    if cells[0] == "":
        frame, cells = frame.iloc[:, 1:], cells[1:]
        notes.append(f"{name}: the first column has no name and was read as row numbers.")
    numbers = {}
    infinite = 0
    for position, cell in enumerate(cells):
        column = frame.iloc[:, position]
        values = _numbers(column)
        wrong = (values.isna() & column.notna()).to_numpy() | _truths(column)
        if wrong.any():
            row = int(wrong.argmax())
            line = next(islice((number for number, _ in rows_of(text, separator)), row + 1, None))
            value = str(column.iloc[row])[:60]
            raise ReadError(f"{name}: line {line}, column {cell!r}: {value!r} is not a number. Correct it, or leave it empty.")
        finite = values.replace([np.inf, -np.inf], np.nan)
        infinite += int(finite.isna().sum() - values.isna().sum())
        numbers[position] = finite
    if infinite:
        notes.append(f"{name}: {infinite:,} infinite values were treated as missing.")
    table = pd.DataFrame(numbers)
    table.columns = pd.Index(cells, dtype=object)
    return table, notes


def check_widths(name: str, text: str, separator: str, width: int) -> None:
    """Raise ReadError, naming the line, unless every row has `width` cells, and where there are too many of them."""
    rows = 0
    try:
        for number, found in rows_of(text, separator):
            if found != width:
                raise ReadError(f"{name}: line {number} has {found} cells, the header {width}. Correct the line.")
            rows += 1
    except csv.Error as error:
        raise ReadError(f"{name}: not readable as rows of cells ({error}). Is a quotation mark left open?") from None
    check_readings(name, rows, width)


def rows_of(text: str, separator: str) -> Iterator[tuple[int, int]]:
    """(line number, cells) of the header and of each row; blank lines are passed over."""
    spaces = " \t".replace(separator, "")
    if '"' in text:
        reader = csv.reader(lines_of(text, ends=True), delimiter=separator, skipinitialspace=True)
        for cells in reader:
            if len(cells) > 1 or (cells and cells[0].strip(spaces)):
                yield reader.line_num, len(cells)
    else:
        for number, line in enumerate(lines_of(text), start=1):
            if line.strip(spaces):
                yield number, line.count(separator) + 1


def source_of(text: str) -> io.BytesIO:
    """`text` for pandas to read. An io.StringIO has four bytes a letter."""
    return io.BytesIO(text.encode(errors="replace"))


def header_line(text: str) -> int:
    """The line of the header, counted from 1: the first that is not blank. `text` has one."""
    return _first_line(text)[1]


def _first_line(text: str) -> tuple[str, int]:
    """The first line that is not blank, and its number, counted from 1. Looks no further: the text may be large."""
    number, start = 1, 0
    for end in _NEWLINE.finditer(text):
        line = text[start : end.start()]
        if line.strip():
            return line, number
        number, start = number + 1, end.end()
    return text[start:], number


def _numbers(column: pd.Series) -> pd.Series:
    try:
        values = pd.to_numeric(column, errors="coerce")
        long = column.astype(str).str.fullmatch(_DIGITS) if bool((values.isna() & column.notna()).any()) else None
        # Versions of pandas before 3 give up where the others say that it is infinite.
        return values if long is None else values.mask(values.isna() & long, np.inf)
    except OverflowError:
        # Hundreds of digits: more than a float holds, so infinite as 1e999 is.
        return pd.to_numeric(column.map(str, na_action="ignore"), errors="coerce")


def _truths(column: pd.Series) -> np.ndarray:
    """Where True or False stands, which pandas would take as 1 or 0."""
    if pd.api.types.is_bool_dtype(column):
        return np.ones(len(column), dtype=bool)
    if pd.api.types.is_object_dtype(column):
        return column.map(lambda value: isinstance(value, bool)).to_numpy(dtype=bool)
    return np.zeros(len(column), dtype=bool)
