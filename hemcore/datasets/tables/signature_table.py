"""EAR signatures of jobs, steps, nodes or loops."""

from dataclasses import dataclass

import pandas as pd

from hemcore.datasets.tables.checks import check_column_names, check_columns_present, check_counts, check_has_rows, check_unique_rows

METRICS = ("CPI", "TPI", "MEM_GBS", "GFLOPS")
IDENTIFIERS = ("JOBID", "STEPID", "APPID", "NODENAME", "LOOPID", "TIMESTAMP")
MEASURED = (*METRICS, "IO_MBS", "PERC_MPI", "TIME_SEC", "DC_NODE_POWER_W", "DRAM_POWER_W", "PCK_POWER_W", "CYCLES", "INSTRUCTIONS")


@dataclass(frozen=True, kw_only=True, eq=False)
class SignatureTable:
    """One row a signature, under EAR's column names of version 6 (`GFLOPS` for both CPU_GFLOPS and GFLOPS).

    frame: columns CPI (cycles an instruction), TPI (bytes of main memory traffic an instruction, as EAR computes it), MEM_GBS
        (10^9 bytes/s) and GFLOPS (10^9 floating point operations/s), each at least 0, NaN = not measured; any of IDENTIFIERS, which
        together name a row once; power in W, TIME_SEC in s; further columns as they came.

    Raises TableError where one of these does not hold. The frame is a copy.
    Source: document 004 and EAR's signature_t.
    """

    frame: pd.DataFrame

    def __post_init__(self) -> None:
        check_has_rows(self.frame, "signatures")
        check_column_names(self.frame.columns, "signatures")
        check_columns_present(self.frame, METRICS, "signatures")
        check_counts(self.frame[[name for name in MEASURED if name in self.frame.columns]], "signatures")
        if self.identifiers:
            check_unique_rows(self.frame[self.identifiers], "signatures")
        object.__setattr__(self, "frame", self.frame.reset_index(drop=True))

    @property
    def identifiers(self) -> list[str]:
        """The columns that say which row is which; empty when there is none."""
        return [name for name in IDENTIFIERS if name in self.frame.columns]
