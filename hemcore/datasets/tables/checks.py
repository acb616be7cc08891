"""The checks that the table types share."""

from collections import Counter
from collections.abc import Hashable, Iterable

import numpy as np
import pandas as pd

from hemcore.errors import TableError

# No 64-bit counter comes near, nor the product of a scale and one; powers up to the tenth stay within a float.
LARGEST = 1e30
_TOO_LARGE = "No counter reaches that: check the unit and the decimal separator, or leave the value empty."
_NAMES_SHOWN = 8


def listed(names: Iterable[object]) -> str:
    """`names` as text for a message: quoted, the first eight of them, and how many more there are."""
    every = [repr(str(name)) for name in names]
    more = f" and {len(every) - _NAMES_SHOWN} more" if len(every) > _NAMES_SHOWN else ""
    return ", ".join(every[:_NAMES_SHOWN]) + more


def check_column_names(columns: Iterable[Hashable], where: str) -> None:
    """Raise TableError unless every column of `where` has a name of its own that is text and not blank."""
    names = list(columns)
    for position, name in enumerate(names, start=1):
        if not isinstance(name, str) or not name.strip():
            raise TableError(f"{where}: column {position} is named {name!r}; a column name must be text and not blank. Name the column.")
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        raise TableError(f"{where}: {listed(twice)} appears more than once; a column name must be unique. Rename or remove one.")


def check_columns_present(frame: pd.DataFrame, required: Iterable[str], where: str) -> None:
    """Raise TableError unless `frame` has every column of `required`."""
    missing = [name for name in required if name not in frame.columns]
    if missing:
        raise TableError(f"{where}: no column {listed(missing)}; the columns are {listed(frame.columns)}. Add or rename the column.")


def check_has_rows(frame: pd.DataFrame, where: str) -> None:
    """Raise TableError when `frame` has no row or no column."""
    if frame.shape[0] == 0 or frame.shape[1] == 0:
        raise TableError(f"{where}: {frame.shape[0]} rows x {frame.shape[1]} columns; at least one of each is needed. Is the file empty?")


def check_counts(frame: pd.DataFrame, where: str) -> None:
    """Raise TableError unless every value of `frame` is a number from 0 to LARGEST, or NaN (not counted).

    The message names the first offending row (from 1), its column and its value.
    """
    if plain_numbers_alone(frame) and not _is_beyond(frame.to_numpy(), 0, LARGEST):
        return
    for name in frame.columns:
        column = frame[name]
        if not pd.api.types.is_numeric_dtype(column) or pd.api.types.is_bool_dtype(column) or pd.api.types.is_complex_dtype(column):
            row, value = _first_not_a_number(column)
            raise TableError(f"{where}: column {name!r}, row {row}: {value!r} is not a number. Correct the value or leave the column out.")
        values = column.to_numpy(dtype=float, na_value=np.nan)
        for broken, bound, remedy in (
            (np.isinf(values), "a finite number", "Correct the value, or leave it empty if it was not counted."),
            (values < 0, "at least 0", "A count cannot be negative: was a difference of a wrapped counter taken?"),
            (values > LARGEST, f"at most {LARGEST:g}", _TOO_LARGE),
        ):
            if broken.any():
                row = int(broken.argmax())
                raise TableError(f"{where}: column {name!r}, row {row + 1}: {values[row]:g} must be {bound}. {remedy}")


def plain_numbers_alone(frame: pd.DataFrame) -> bool:
    """Whether the columns are of one type, float64 or int64: then the whole frame is looked at at once, which many small ones need."""
    kinds = set(frame.dtypes)
    return len(kinds) == 1 and kinds <= {np.dtype(np.float64), np.dtype(np.int64)}


def _is_beyond(values: np.ndarray, least: float, most: float) -> bool:
    """Whether a value that is not missing is below or above the bounds; nothing of the size of `values` but marks is made for it."""
    return bool((values < least).any()) or bool((values > most).any())


def check_size(frame: pd.DataFrame, where: str) -> None:
    """Raise TableError when a number in `frame` is beyond LARGEST in either direction (infinite is allowed)."""
    if plain_numbers_alone(frame) and not _is_beyond(frame.to_numpy(), -LARGEST, LARGEST):
        return
    for name in frame.select_dtypes("number").columns:
        if plain_numbers_alone(frame[[name]]) and not _is_beyond(frame[name].to_numpy(), -LARGEST, LARGEST):
            continue
        values = frame[name].to_numpy(dtype=float, na_value=np.nan)
        broken = (np.abs(values) > LARGEST) & np.isfinite(values)
        if broken.any():
            row = int(broken.argmax())
            at_most = f"at most {LARGEST:g}" if values[row] > 0 else f"at least {-LARGEST:g}"
            raise TableError(f"{where}: column {name!r}, row {row + 1}: {values[row]:g} must be {at_most}. {_TOO_LARGE}")


def check_no_missing(frame: pd.DataFrame, where: str) -> None:
    """Raise TableError when a value of `frame` is missing (the columns that identify a row)."""
    for name in frame.columns:
        missing = frame[name].isna().to_numpy()
        if missing.any():
            raise TableError(f"{where}: column {name!r}, row {int(missing.argmax()) + 1} is empty, but it identifies the row. Fill it in.")


def check_unique_rows(frame: pd.DataFrame, where: str) -> None:
    """Raise TableError when two rows of `frame` are the same."""
    repeated = frame.duplicated().to_numpy()
    if repeated.any():
        row = int(repeated.argmax())
        same = ", ".join(f"{name} {value.item() if isinstance(value, np.generic) else value!r}" for name, value in frame.iloc[row].items())
        raise TableError(
            f"{where}: row {row + 1} repeats an earlier row ({same}); each must be unique. Remove one, or give them different numbers."
        )


def _first_not_a_number(column: pd.Series) -> tuple[int, object]:
    if not pd.api.types.is_object_dtype(column) and not pd.api.types.is_string_dtype(column):
        return 1, column.iloc[0] if len(column) else column.dtype
    bad = (pd.to_numeric(column, errors="coerce").isna() & column.notna()).to_numpy()
    row = int(bad.argmax()) if bad.any() else 0
    return row + 1, column.iloc[row] if len(column) else column.dtype
