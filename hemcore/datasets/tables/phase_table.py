"""Counters of the phases of programs, under the loads of the machine that the prediction page compares."""

from dataclasses import dataclass

import pandas as pd

from hemcore.datasets.tables.checks import (
    check_column_names,
    check_columns_present,
    check_counts,
    check_has_rows,
    check_no_missing,
    check_unique_rows,
    listed,
)
from hemcore.errors import TableError

KEYS = ("program", "granularity", "load", "phase")
LOADS = ("single core", "dual core no load", "dual core full load")


@dataclass(frozen=True, kw_only=True, eq=False)
class PhaseTable:
    """One row a phase of a program, read under one load at one granularity.

    frame: columns `program` (text), `granularity` (basic blocks, or another unit of work, a phase; at least 1), `load` (one of
        LOADS), `phase` (whole number from 0 within program, granularity and load), the counters, and further columns that describe
        the phase.
    counters: which columns are counters: counts a phase, at least 0, NaN = not counted. At least one.

    Raises TableError where one of these does not hold. The frame is a copy.
    Source: document 003, sections 6.5 and 6.6.
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
        unknown = [load for load in keys["load"].unique() if load not in LOADS]
        if unknown:
            row = int((keys["load"] == unknown[0]).to_numpy().argmax()) + 1
            raise TableError(f"phases: column 'load', row {row}: {unknown[0]!r} must be one of {listed(LOADS)}.")
        for name, least in (("granularity", 1), ("phase", 0)):
            if not pd.api.types.is_integer_dtype(keys[name]):
                raise TableError(f"phases: column {name!r} must hold whole numbers; it holds {keys[name].dtype} values.")
            if (keys[name] < least).any():
                row = int((keys[name] < least).to_numpy().argmax())
                raise TableError(f"phases: column {name!r}, row {row + 1}: {keys[name].iloc[row]} must be at least {least}.")
        check_unique_rows(keys, "phases")
        check_counts(self.frame[list(counters)], "phases")
        object.__setattr__(self, "frame", self.frame.reset_index(drop=True))
        object.__setattr__(self, "counters", counters)

    @property
    def programs(self) -> list[str]:
        """The programs, in the order of first appearance."""
        return list(self.frame["program"].unique())

    @property
    def granularities(self) -> list[int]:
        """The granularities, ascending."""
        return sorted(int(value) for value in self.frame["granularity"].unique())

    @property
    def loads(self) -> list[str]:
        """The loads that were read, in the order of LOADS."""
        read = set(self.frame["load"].unique())
        return [load for load in LOADS if load in read]
