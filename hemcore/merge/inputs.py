"""What every merge accepts: the typed table or a plain list of DataFrames, reduced to complete rows of numbers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.datasets.readers.repairs import Repair, complete_rows, number_columns, repairs_table
from hemcore.datasets.tables.checks import check_column_names, check_has_rows, check_size
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import TableError


@dataclass(frozen=True, kw_only=True, eq=False)
class CompleteSubexperiments:
    """Subexperiments without missing values. repairs: the rows left out because of one (see `repairs_table`)."""

    frames: tuple[pd.DataFrame, ...]
    labels: tuple[str, ...]
    repairs: pd.DataFrame

    @property
    def hems(self) -> list[str]:
        """Every HEM read, once each, in the order of first reading."""
        return list(dict.fromkeys(hem for frame in self.frames for hem in frame.columns))

    @cached_property
    def readings(self) -> tuple[dict[str, NDArray[np.number]], ...]:
        """The readings of each HEM in each subexperiment, in the type they have. With 200 HEMs, pandas takes its time for each column."""
        found = []
        for frame in self.frames:
            if len(set(frame.dtypes)) == 1:
                columns = list(np.ascontiguousarray(frame.to_numpy().T))
            else:
                columns = [frame.iloc[:, at].to_numpy() for at in range(frame.shape[1])]
            found.append(dict(zip(frame.columns, columns, strict=True)))
        return tuple(found)

    @cached_property
    def floats(self) -> tuple[dict[str, NDArray[np.float64]], ...]:
        """`readings` as float64."""
        return tuple({hem: column.astype(float, copy=False) for hem, column in read.items()} for read in self.readings)

    def readers(self) -> dict[str, list[int]]:
        """The subexperiments (from 0) that read each HEM; HEMs in the order of first reading."""
        found: dict[str, list[int]] = {}
        for number, frame in enumerate(self.frames):
            for hem in frame.columns:
                found.setdefault(hem, []).append(number)
        return found


_complete: WeakKeyDictionary[Subexperiments, CompleteSubexperiments] = WeakKeyDictionary()

SubexperimentsLike = Subexperiments | CompleteSubexperiments | Sequence[pd.DataFrame]


def complete_subexperiments(subexperiments: SubexperimentsLike) -> CompleteSubexperiments:
    """`subexperiments` without the rows that miss a value; the argument is not changed. Of a typed table, the answer is remembered.

    subexperiments: a Subexperiments table, or at least one DataFrame (rows: runs, columns: HEM names), with any number of rows.
    Raises TableError if there is none, or one of them has no row, no column, a duplicate name, text, a number beyond 1e30 (LARGEST) or no
    complete row.
    """
    if isinstance(subexperiments, CompleteSubexperiments):
        return subexperiments
    if isinstance(subexperiments, Subexperiments):
        if (known := _complete.get(subexperiments)) is None:
            known = _complete[subexperiments] = _completed(subexperiments.frames, subexperiments.labels)
        return known
    given: Sequence[pd.DataFrame]
    if isinstance(subexperiments, pd.DataFrame) or not isinstance(subexperiments, Iterable):
        kind = type(subexperiments).__name__
        raise TableError(f"subexperiments: a {kind}; give a list of DataFrames. process_raw_experiments splits one raw table.")
    given = list(subexperiments)
    labels = tuple(f"subexperiment {number}" for number in range(1, len(given) + 1))
    if not given:
        raise TableError("subexperiments: the list is empty; at least one subexperiment is needed.")
    return _completed(given, labels)


def _completed(given: Sequence[pd.DataFrame], labels: Sequence[str]) -> CompleteSubexperiments:
    frames: list[pd.DataFrame] = []
    repairs: list[Repair] = []
    for label, frame in zip(labels, given, strict=True):
        if not isinstance(frame, pd.DataFrame):
            raise TableError(
                f"{label}: a {type(frame).__name__}; a subexperiment must be a DataFrame with one row per run and one column per HEM."
            )
        check_has_rows(frame, label)
        check_column_names(frame.columns, label)
        numbers = number_columns(frame, label)
        check_size(numbers, label)
        complete, left_out = complete_rows(numbers, label)
        frames.append(complete)
        repairs += left_out
    return CompleteSubexperiments(frames=tuple(frames), labels=tuple(labels), repairs=repairs_table(repairs))
