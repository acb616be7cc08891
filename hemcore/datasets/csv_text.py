"""Numbers out of a delimited text file, with the header taken as it stands and every fault told by line and column."""

import csv
import io

import numpy as np
import pandas as pd

from hemcore.datasets.checks import listed
from hemcore.errors import ReadError

_SEPARATORS = (",", ";", "\t")


def header_of(name: str, content: bytes) -> tuple[list[str], str, str]:
    """(header cells, separator, text) of a delimited text file. Raises ReadError where it is not one."""
    if not content.strip():
        raise ReadError(f"{name}: the file is empty. Send the file with the readings.")
    if b"\x00" in content[:4096]:
        raise ReadError(f"{name}: not a text file. Export the readings as CSV.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    first = next(line for line in text.splitlines() if line.strip())
    separator = max(_SEPARATORS, key=first.count)
    cells = [cell.strip() for cell in next(csv.reader([first], delimiter=separator))]
    return cells, separator, text


def number_table(name: str, content: bytes) -> tuple[pd.DataFrame, list[str]]:
    """(table, notes): every column numbers, NaN where a cell is empty or NA; a first column of row numbers under "" left out (noted).

    Column names are those of the file, whatever they are; the same name may stand twice. Raises ReadError for a file that is not text,
    empty, of one column or of no row, a row with more or fewer cells than the header, and a cell that is not a number.
    """
    cells, separator, text = header_of(name, content)
    if len(cells) < 2:
        raise ReadError(f"{name}: one column, {cells[0][:60]!r}; at least two HEMs are needed. Is the separator a comma, semicolon or tab?")
    try:
        frame = pd.read_csv(
            io.StringIO(text), sep=separator, header=None, skiprows=1, skipinitialspace=True, names=range(len(cells)), index_col=False,
            low_memory=False, skip_blank_lines=True, on_bad_lines="error",
        )  # fmt: skip
    except (pd.errors.ParserError, pd.errors.EmptyDataError, ValueError) as error:
        raise ReadError(f"{name}: the rows do not fit the {len(cells)} columns of the header ({error}). Correct the line.") from None
    if frame.empty:
        raise ReadError(f"{name}: a header and no row. Send the file with the readings.")
    _check_widths(name, text, separator, len(cells))
    notes = []
    if cells[0] == "":
        frame, cells = frame.iloc[:, 1:], cells[1:]
        notes.append(f"{name}: the first column has no name and was taken as row numbers.")
    blank = [position for position, cell in enumerate(cells, start=1) if not cell]
    if blank:
        raise ReadError(f"{name}: line 1, column {blank[0]} has no name; the columns are {listed(cells)}. Name it.")
    numbers = {}
    for position, cell in enumerate(cells):
        column = frame.iloc[:, position]
        values = pd.to_numeric(column, errors="coerce")
        wrong = (values.isna() & column.notna()).to_numpy()
        if wrong.any():
            row = int(wrong.argmax())
            value = column.iloc[row]
            raise ReadError(f"{name}: line {row + 2}, column {cell!r}: {str(value)[:60]!r} is not a number. Correct it, or leave it empty.")
        numbers[position] = values.replace([np.inf, -np.inf], np.nan)
    table = pd.DataFrame(numbers)
    table.columns = pd.Index(cells, dtype=object)
    return table, notes


def _check_widths(name: str, text: str, separator: str, width: int) -> None:
    if '"' in text[text.find("\n") :]:
        return  # quoted cells may hold separators: pandas has checked them
    for number, line in enumerate(text.splitlines(), start=1):
        found = line.count(separator) + 1
        if line.strip() and found != width:
            raise ReadError(f"{name}: line {number} has {found} cells, the header {width}. Correct the line.")
