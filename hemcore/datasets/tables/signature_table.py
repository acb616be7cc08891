"""EAR signatures of jobs, steps, nodes or loops."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Lock

import pandas as pd

from hemcore.datasets.tables.checks import (
    check_column_names,
    check_columns_present,
    check_counts,
    check_has_rows,
    check_size,
    check_unique_rows,
)
from hemcore.datasets.tables.typed_table import TypedTable

METRICS = ("CPI", "TPI", "MEM_GBS", "GFLOPS")
IDENTIFIERS = ("JOBID", "STEPID", "APPID", "NODENAME", "LOOPID", "TIMESTAMP")
MEASURED = (*METRICS, "IO_MBS", "PERC_MPI", "TIME_SEC", "DC_NODE_POWER_W", "DRAM_POWER_W", "PCK_POWER_W", "CYCLES", "INSTRUCTIONS")
# The columns that classes, badges and the units of TPI come from, and by which signatures are grouped and coloured.
_FIRST = {*METRICS, *IDENTIFIERS, "TIME_SEC", "DC_NODE_POWER_W", "DRAM_POWER_W", "CYCLES", "INSTRUCTIONS", "AVG_CPUFREQ_KHZ", "LOOP_SIZE"}
_FIRST |= {"POLICY", "DEF_FREQ_KHZ", "JOB_DEF_FREQ", "JOBNAME", "USERID", "JOB_START_TIME", "START_TIME"}
_LOOP, _FLOPS = ("LOOPID", "LOOP_SIZE"), re.compile(r"[SD]POPS_(SINGLE|128|256|512)")
_GPU_USE, _GPU_POWER = re.compile(r"GPU\d?_UTIL_PERC"), re.compile(r"GPU\d?_(?:POWER_W|FREQ_KHZ)")


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class SignatureTable(TypedTable):
    """One row per signature, under EAR's column names of version 6 (`GFLOPS` for both CPU_GFLOPS and GFLOPS).

    frame: columns CPI (cycles per instruction), TPI (bytes of main memory traffic per instruction, as EAR computes it), MEM_GBS
        (10^9 bytes/s) and GFLOPS (10^9 floating point operations/s), each at least 0, NaN = not measured; any of IDENTIFIERS, which
        together name a row once; power in W, TIME_SEC in s; further columns as they came.

    Raises TableError where one of these does not hold. The frame is a copy.
    Source: EAR wiki, Classification (https://gitlab.bsc.es/ear_team/ear/-/wikis), and EAR's signature_t.
    """

    frame: pd.DataFrame

    def __post_init__(self) -> None:
        _check(self.frame)
        object.__setattr__(self, "frame", self.frame.reset_index(drop=True))

    @property
    def first(self) -> pd.DataFrame:
        """The rows of `frame` with at least the columns of `first_columns`: of a large stored table the others are read with `frame`."""
        return self.frame

    @property
    def identifiers(self) -> list[str]:
        """The columns that say which row is which; empty when there is none."""
        return _identifiers(self.first)


class StoredSignatures(SignatureTable):
    """A SignatureTable of a file: `first` is in memory, the other columns are read on the first use of `frame`, and then kept."""

    _first: pd.DataFrame
    _columns: list[str]
    _others: Callable[[], pd.DataFrame]
    _whole: pd.DataFrame | None
    _lock: Lock

    def __init__(self, first: pd.DataFrame, columns: Sequence[str], others: Callable[[], pd.DataFrame]) -> None:
        """columns: all of them, in order. others: reads those that `first` does not have.

        Raises TableError as SignatureTable does, but for rows that are there twice: when they were stored, they were not.
        """
        _check(first, unique=False)
        for name, value in {"_first": first, "_columns": list(columns), "_others": others, "_whole": None, "_lock": Lock()}.items():
            object.__setattr__(self, name, value)

    @property
    def first(self) -> pd.DataFrame:
        """The columns that were read at once."""
        return self._first

    @property
    def frame(self) -> pd.DataFrame:
        """Every column. Raises StoreError where the file is not there any more."""
        with self._lock:
            if self._whole is None:
                whole = pd.concat([self._first, self._others()], axis="columns")[self._columns]
                _check_values(whole)
                object.__setattr__(self, "_whole", whole)
            assert self._whole is not None
            return self._whole


def first_columns(columns: Sequence[str]) -> list[str]:
    """Those of `columns` that classification and grouping use, in their order."""
    # The period of a loop is found from its operations; whether a GPU worked from its power and clock, where its utilisation was not read.
    more = [_FLOPS] if any(name in columns for name in _LOOP) else []
    more.append(_GPU_USE if any(_GPU_USE.fullmatch(name) for name in columns) else _GPU_POWER)
    return [name for name in columns if name in _FIRST or any(each.fullmatch(name) for each in more)]


def _identifiers(frame: pd.DataFrame) -> list[str]:
    return [name for name in IDENTIFIERS if name in frame.columns]


def _check(frame: pd.DataFrame, *, unique: bool = True) -> None:
    check_has_rows(frame, "signatures")
    check_column_names(frame.columns, "signatures")
    check_columns_present(frame, METRICS, "signatures")
    _check_values(frame)
    if unique and (names := _identifiers(frame)):
        check_unique_rows(frame[names], "signatures")


def _check_values(frame: pd.DataFrame) -> None:
    measured = [name for name in MEASURED if name in frame.columns]
    check_counts(frame[measured], "signatures")
    check_size(frame.drop(columns=measured), "signatures")
