"""What the readers of phases share: cells of a table with a header, column after column as numbers or as words."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from hemcore.datasets.readers import csv_text
from hemcore.datasets.readers.number_marks import plain_numbers
from hemcore.datasets.readers.series.column_roles import NOT_COUNTED
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.checks import listed
from hemcore.errors import ReadError

_NOTHING = ("", "NA", "NaN", "nan", *NOT_COUNTED)


def text_cells(file: UploadedFile) -> tuple[pd.DataFrame, list[str]]:
    """(cells as texts, columns named by the header, notes). A first column without a name (row numbers) is left out.

    Raises ReadError for what is no table, has no row, or names a column twice or not at all.
    """
    cells, separator, text = csv_text.header_of(file.name, file.content)
    csv_text.check_widths(file.name, text, separator, len(cells))
    text, notes = plain_numbers(file.name, cells, text, separator)
    try:
        frame = pd.read_csv(
            csv_text.source_of(text), sep=separator, header=None, skiprows=csv_text.header_line(text), skipinitialspace=True,
            names=range(len(cells)), index_col=False, skip_blank_lines=True, dtype=str, keep_default_na=False,
        )  # fmt: skip
    except (pd.errors.ParserError, pd.errors.EmptyDataError, ValueError) as error:
        raise ReadError(f"{file.name}: the rows do not fit the {len(cells)} columns of the header ({error}). Correct the line.") from None
    if frame.empty:
        raise ReadError(f"{file.name}: a header and no row. Send the file with the phases.")
    if cells[0] == "":
        frame, cells = frame.iloc[:, 1:], cells[1:]
        notes.append(f"{file.name}: the first column has no name and was read as row numbers.")
    blank = [position for position, cell in enumerate(cells, start=1) if not cell]
    if blank:
        raise ReadError(f"{file.name}: line 1, column {blank[0]} has no name; the columns are {listed(cells)}. Name it.")
    twice = [name for name in dict.fromkeys(cells) if cells.count(name) > 1]
    if twice:
        raise ReadError(f"{file.name}: line 1: {listed(twice)} appears more than once; each counter has one column. Rename or remove one.")
    return frame.set_axis(cells, axis=1).map(str.strip), notes


def numbers(texts: pd.Series) -> tuple[pd.Series, pd.Series]:
    """(the cells as float, NaN where nothing was counted; which cells are neither a number nor empty)."""
    empty = texts.isin(_NOTHING)
    found = pd.to_numeric(texts.mask(empty), errors="coerce")
    wrong = (found.isna() | np.isinf(found.to_numpy(dtype=float, na_value=np.nan))) & ~empty
    return found.astype(float), wrong


def check_numbers(file: UploadedFile, name: str, texts: pd.Series, wrong: pd.Series, what: str = "is not a number") -> None:
    """Raise ReadError for the first cell that is wrong, with its line."""
    if wrong.any():
        row = int(wrong.to_numpy().argmax())
        value = str(texts.iloc[row])[:60]
        raise ReadError(f"{file.name}: row {row + 1} under the header, column {name!r}: {value!r} {what}. Correct it, or leave it empty.")


def whole(file: UploadedFile, name: str, texts: pd.Series, least: int) -> pd.Series:
    """The cells as whole numbers of at least `least`. Raises ReadError for another one."""
    found, wrong = numbers(texts)
    check_numbers(file, name, texts, wrong | found.isna() | (found % 1 != 0) | (found < least), f"is no whole number of at least {least}")
    return found.astype(np.int64)


def names_in(text: str, known: Sequence[str], what: str) -> list[str]:
    """The names that `text` lists, semicolons between. Raises ReadError for one that is no column."""
    asked = [name.strip() for name in text.split(";") if name.strip()]
    strange = [name for name in asked if name not in known]
    if strange:
        raise ReadError(f"{what}: {strange[0][:60]!r} is not a column; the columns are {listed(known)}. Correct the name.")
    return asked
