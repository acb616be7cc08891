"""Notebook data as a DataFrame with named columns, and its counter columns."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import NamedTuple, Protocol, TypeGuard

import numpy as np
import pandas as pd

from hemcore.datasets.readers.repairs import Repair
from hemcore.datasets.tables.checks import check_has_rows, listed
from hemcore.errors import TableError

VALUE = "value"
Key = tuple[Hashable, Hashable]  # application and run, or program and load


class _FrameLike(Protocol):
    def to_pandas(self) -> object: ...


class Frame(NamedTuple):
    """frame: columns with text names, rows numbered from 0. times: its DatetimeIndex, None without one."""

    frame: pd.DataFrame
    times: pd.DatetimeIndex | None


def frame_of(data: object, where: str) -> Frame:
    """`data` (DataFrame, Series, 1-D or 2-D array, list of numbers, mapping of columns, anything with `to_pandas`) as one frame.

    Named index levels become columns. Raises TableError for anything else, multi-level columns, and an empty table.
    """
    frame = _frame(data, where)
    if isinstance(frame.columns, pd.MultiIndex):
        raise TableError(
            f"{where}: its columns have {frame.columns.nlevels} levels; one name per column is needed. Join them:"
            " frame.columns = ['_'.join(map(str, name)) for name in frame.columns]"
        )
    index, times = frame.index, None
    if isinstance(index, pd.PeriodIndex):
        index = index.to_timestamp()
    if isinstance(index, pd.DatetimeIndex):
        times = index
    elif isinstance(index, pd.MultiIndex) or (index.name is not None and not pd.api.types.is_numeric_dtype(index)):
        clash = [name for name in index.names if name in frame.columns]
        frame = frame.reset_index(allow_duplicates=bool(clash))
    frame = frame.reset_index(drop=True).set_axis([str(name) for name in frame.columns], axis=1)
    check_has_rows(frame, where)
    if times is not None and times.hasnans:
        raise TableError(
            f"{where}: row {int(times.isna().argmax()) + 1} of the index is not a time (NaT). Fill it in, or leave the row out."
        )
    return Frame(frame, times)


def counters_of(frame: pd.DataFrame, others: Iterable[str], where: str, chosen: Sequence[str] = ()) -> tuple[pd.DataFrame, list[Repair]]:
    """The numeric columns except `others` (text that is numeric is converted), and a Repair for each column left out.

    chosen: the counter columns; empty: all. Raises TableError if none is left or a chosen one is missing.
    """
    missing = [name for name in chosen if name not in frame.columns]
    if missing:
        raise TableError(f"{where}: no column {listed(missing)}; the columns are {listed(frame.columns)}. Choose from these.")
    found: dict[str, pd.Series] = {}
    repairs: list[Repair] = []
    taken = set(others)
    names = [name for name in frame.columns if name not in taken and (not chosen or name in chosen)]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise TableError(f"{where}: {listed(twice)} occurs more than once; column names must be unique. Rename or remove one.")
    for name in names:
        column = frame[name]
        if pd.api.types.is_bool_dtype(column) or not (pd.api.types.is_numeric_dtype(column) or _is_text(column)):
            repairs.append(Repair(where, name, f"column of {column.dtype} left out: it holds no counts", len(frame)))
            continue
        if pd.api.types.is_complex_dtype(column):
            raise TableError(f"{where}: column {name!r} holds complex numbers, not counts. Leave it out.")
        numbers = pd.to_numeric(column, errors="coerce") if _is_text(column) else column
        if _is_text(column) and bool((numbers.isna() & column.notna()).any()):
            repairs.append(Repair(where, name, "column of text left out: it holds no counts", len(frame)))
        else:
            found[name] = pd.Series(numbers.to_numpy(dtype=float, na_value=np.nan), index=frame.index)
    if not found:
        raise TableError(f"{where}: no column of counts; the columns are {listed(frame.columns)}. Add a column of numbers per counter.")
    return pd.DataFrame(found), repairs


def is_pieces(data: object) -> bool:
    """Whether `data` is several tables: a mapping or a sequence of frames, series, arrays or paths."""
    if isinstance(data, Mapping):
        return bool(data) and all(isinstance(each, pd.DataFrame) or _dimensions(each) == 2 for each in data.values())
    return isinstance(data, list | tuple) and bool(data) and all(_is_table(each) for each in data)


def unrolled(data: object) -> object:
    """`data`, with generators, sets and other one-pass iterables as a list."""
    if not isinstance(data, Iterable):
        return data
    lazy = not isinstance(data, str | bytes | PurePath | Mapping | Sequence | pd.DataFrame | pd.Series)
    return list(data) if lazy and not hasattr(data, "__array__") and not hasattr(data, "read") and not _is_frame_like(data) else data


def no_data(what: str, example: str) -> TableError:
    """The error for a call without data."""
    return TableError(f"{what}: no data was given. For example: {example}")


def _frame(data: object, where: str) -> pd.DataFrame:
    if isinstance(data, pd.DataFrame):
        return data
    if isinstance(data, pd.Series):
        return data.to_frame(VALUE if data.name is None else data.name)
    if _is_frame_like(data):
        return _frame(data.to_pandas(), where)
    if isinstance(data, Mapping):
        if not data:
            raise TableError(f"{where}: an empty {type(data).__name__}. Give at least one column.")
        try:
            return pd.DataFrame(dict(data))
        except (ValueError, TypeError) as error:
            raise TableError(f"{where}: the {type(data).__name__} is not a table ({error}). Give columns of equal length.") from None
    array = _array(data)
    if array is None or array.ndim not in (1, 2) or array.dtype.kind not in "biuf":
        shape = "" if array is None else f" of shape {array.shape} and type {array.dtype}"
        raise TableError(
            f"{where}: a {type(data).__name__}{shape} is not a table of counts. Give a DataFrame, a Series, an array of numbers with 1 or 2"
            " dimensions, or what hem.read returns."
        )
    if array.ndim == 1:
        return pd.DataFrame({VALUE: array})
    return pd.DataFrame(array, columns=[f"column {number}" for number in range(1, array.shape[1] + 1)])


def _array(data: object) -> np.ndarray | None:
    if isinstance(data, str | bytes) or data is None or np.isscalar(data):
        return None
    try:
        return np.asarray(data)
    except (ValueError, TypeError):
        return None


def _dimensions(data: object) -> int:
    array = _array(data)
    return 0 if array is None else array.ndim


def _is_frame_like(data: object) -> TypeGuard["_FrameLike"]:
    return callable(getattr(data, "to_pandas", None))


def _is_table(data: object) -> bool:
    return isinstance(data, str | PurePath | pd.DataFrame | pd.Series) or _is_frame_like(data) or _dimensions(data) >= 1


def _is_text(column: pd.Series) -> bool:
    return pd.api.types.is_object_dtype(column) or pd.api.types.is_string_dtype(column)
