"""Counters of the phases of programs, under one or more loads of the machine."""

from dataclasses import dataclass

import pandas as pd

from hemcore.datasets.tables.checks import (
    check_column_names,
    check_columns_present,
    check_counts,
    check_has_rows,
    check_no_missing,
    check_size,
    check_unique_rows,
)
from hemcore.datasets.tables.typed_table import TypedTable
from hemcore.errors import TableError

KEYS = ("program", "granularity", "load", "phase")
LOADS = ("single core", "dual core no load", "dual core full load")


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class PhaseTable(TypedTable):
    """One row per phase of a program, read under one load at one granularity.

    frame: columns `program` (text); `granularity` (how much work a phase is: in every row the whole number of basic blocks, or of
        another unit, at least 1; or in every row a text such as "segment" or "whole run"); `load` (what else the machine did, any text;
        LOADS are those of the thesis); `phase` (whole number from 0 within program, granularity and load); the counters; and further
        columns that describe the phase.
    counters: which columns are counters: counts per phase, at least 0, NaN = not counted. At least one.

    Raises TableError where one of these does not hold. The frame is a copy.
    Source: R. G. Mahajan, Learning Based Performance Prediction For Embedded Hardware, master thesis, TU Chemnitz, sections 6.5 and 6.6.
    """

    frame: pd.DataFrame
    counters: tuple[str, ...]

    def __post_init__(self) -> None:
        counters = tuple(self.counters)
        if not counters:
            raise TableError("counters: none named; at least one column must be a counter.")
        check_has_rows(self.frame, "phases")
        check_column_names(self.frame.columns, "phases")
        check_column_names(counters, "counters")
        check_columns_present(self.frame, (*KEYS, *counters), "phases")
        keys = self.frame[list(KEYS)]
        check_no_missing(keys, "phases")
        _check_texts(keys["load"], f"a text, such as {LOADS[0]!r}. Name the load of each phase.")
        if pd.api.types.is_integer_dtype(keys["granularity"]):
            _check_least(keys["granularity"], 1)
        else:
            one_kind = "in every row a whole number of at least 1, or in every row a text such as 'whole run'. Do not mix them."
            _check_texts(keys["granularity"], one_kind)
        if not pd.api.types.is_integer_dtype(keys["phase"]):
            raise TableError(f"phases: column 'phase' must hold whole numbers; it holds {keys['phase'].dtype} values.")
        _check_least(keys["phase"], 0)
        check_unique_rows(keys, "phases")
        check_counts(self.frame[list(counters)], "phases")
        check_size(self.frame.drop(columns=list(counters)), "phases")
        object.__setattr__(self, "frame", self.frame.reset_index(drop=True))
        object.__setattr__(self, "counters", counters)

    @property
    def programs(self) -> list[str]:
        """The programs, in the order of first appearance."""
        return list(self.frame["program"].unique())

    @property
    def granularities(self) -> list[int] | list[str]:
        """The granularities: numbers ascending, texts in the order of first appearance."""
        values = self.frame["granularity"]
        if pd.api.types.is_integer_dtype(values):
            return sorted(int(value) for value in values.unique())
        return [str(value) for value in values.unique()]

    @property
    def loads(self) -> list[str]:
        """The loads that were read: those of LOADS in its order, then the others in the order of first appearance."""
        read = [str(load) for load in self.frame["load"].unique()]
        return [load for load in LOADS if load in read] + [load for load in read if load not in LOADS]


def merged_runs(runs: pd.DataFrame) -> PhaseTable:
    """Merged runs, whose columns are HEMs, as phases: one row per run, granularity "whole run". Raises TableError as PhaseTable does."""
    rows = pd.DataFrame({"program": "merged", "granularity": "whole run", "load": "as read", "phase": range(len(runs))})
    return PhaseTable(frame=pd.concat([rows, runs.reset_index(drop=True)], axis=1), counters=tuple(runs.columns))


def _check_texts(column: pd.Series, bound: str) -> None:
    """Raise TableError unless every value is a text that is not blank; no value is missing."""
    for value in column.unique():
        if not isinstance(value, str) or not value.strip():
            row = int((column == value).to_numpy().argmax()) + 1
            said = repr(value) if isinstance(value, str) else str(value)
            raise TableError(f"phases: column {column.name!r}, row {row}: {said} must be {bound}")


def _check_least(column: pd.Series, least: int) -> None:
    low = (column < least).to_numpy()
    if low.any():
        row = int(low.argmax())
        raise TableError(f"phases: column {column.name!r}, row {row + 1}: {column.iloc[row]} must be at least {least}.")
