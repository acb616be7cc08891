"""Reader of EAR's `eacct` CSV: `;`-separated job or loop signatures, columns by name whatever the version."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import numpy as np
import pandas as pd

from hemcore.datasets.readers import csv_text
from hemcore.datasets.readers.decoding import head_lines
from hemcore.datasets.readers.format import NO_OPTIONS, Format, NoOptions, ReadResult, read_result
from hemcore.datasets.readers.number_marks import plain_numbers
from hemcore.datasets.readers.repairs import Repair
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.checks import check_columns_present
from hemcore.datasets.tables.signature_table import MEASURED, METRICS, SignatureTable
from hemcore.errors import ReadError

# The names that versions 4 to 6 give one thing.
ALIASES = {
    "GBS": "MEM_GBS",
    "CPU-GFLOPS": "GFLOPS",
    "CPU_GFLOPS": "GFLOPS",
    "TIME": "TIME_SEC",
    "ITER_TIME_SEC": "TIME_SEC",
    "P.MPI": "PERC_MPI",
    "DC-NODE-POWER": "DC_NODE_POWER_W",
    "NODE_ID": "NODENAME",
    "JOB_ID": "JOBID",
    "STEP_ID": "STEPID",
    "APP_ID": "APPID",
    "USER_ID": "USERID",
    "GROUP_ID": "GROUPID",
    "USER_ACC": "ACCOUNTID",
    "START_TIME": "JOB_START_TIME",
    "END_TIME": "JOB_END_TIME",
    "AVG.CPUFREQ": "AVG_CPUFREQ_KHZ",
    "AVG.IMCFREQ": "AVG_IMCFREQ_KHZ",
    "DEF.FREQ": "DEF_FREQ_KHZ",
    "DRAM-POWER": "DRAM_POWER_W",
    "PCK-POWER": "PCK_POWER_W",
    **{f"{precision}_{width}": f"{precision}OPS_{width}" for precision in ("SP", "DP") for width in ("SINGLE", "128", "256", "512")},
}

_EPOCH = 1e9  # seconds from 1970 to 2001


def recognise(files: Sequence[UploadedFile]) -> tuple[float, str]:
    """(1, why) where the one file is a table with the four metrics under a name of any version; else 0."""
    if len(files) != 1:
        return 0.0, ""
    cells, _, _ = csv_text.header_of(files[0].name, head_lines(files[0].content))
    known = {ALIASES.get(cell, cell) for cell in cells}
    return (1.0, "the columns CPI, TPI, MEM_GBS and GFLOPS") if set(METRICS) <= known else (0.0, "")


def whole_rows(name: str, text: str, separator: str, width: int) -> tuple[str, list[Repair]]:
    """(`text`, its last line left out where it has fewer cells than the header and no end of line: it was cut off; the repair of that).

    Raises ReadError, naming the line, for another row that has not `width` cells, and for one that has nothing in any of them.
    """
    body = text.rstrip("\n")
    start = body.rfind("\n") + 1
    last, repairs = body[start:], []
    if start and body == text and last.count(separator) + 1 < width:
        line = text.count("\n") + 1
        repairs.append(Repair(f"{name}, line {line}", "", f"cut off, left out: {last[:60]!r}", 1))
        text = text[:start]
    csv_text.check_widths(name, text, separator, width)
    nothing = re.search(rf"^[\s{separator}]*{separator}[\s{separator}]*$", text, re.MULTILINE)
    if nothing is not None:
        line = text.count("\n", 0, nothing.start()) + 1
        raise ReadError(f"{name}: line {line} has no value in any of its {width} cells. Write the table again with `eacct -l -c FILE`.")
    return text, repairs


def read(files: Sequence[UploadedFile], options: NoOptions = NO_OPTIONS) -> ReadResult[SignatureTable]:
    """The signatures of one file; decimal commas are read (see number_marks). Raises ReadError for several files and as read_eacct does."""
    if len(files) != 1:
        raise ReadError(f"EAR signatures: {len(files)} files; one is read at a time. Send them one by one.")
    file = files[0]
    cells, separator, text = csv_text.header_of(file.name, file.content)
    text, repairs = whole_rows(file.name, text, separator, len(cells))
    text, notes = plain_numbers(file.name, cells, text, separator)
    table = read_eacct(csv_text.source_of(text), name=file.name, separator=separator)
    unmeasured = int(table.frame[list(METRICS)].isna().all(axis=1).sum())
    if unmeasured:
        repairs.append(Repair(file.name, ", ".join(METRICS), "all four 0 or empty: not measured", unmeasured))
    return read_result(table, repairs, notes)


def read_eacct(source: str | Path | IO[bytes] | IO[str], *, name: str = "", separator: str = ";") -> SignatureTable:
    """Read an eacct file (path or open file; gzip by the ending .gz of a path) as a SignatureTable.

    EAR writes 0 for what it did not measure: where CPI, TPI, MEM_GBS and GFLOPS are all 0 (the library was not loaded), the four
    become NaN. `name` is what messages call the file (default: the path). eacct separates cells by semicolons.

    Raises ReadError when it is not a `;`-separated table with CPI, TPI, MEM_GBS and GFLOPS, or a metric is not a number;
    TableError where SignatureTable does.
    """
    name = name or str(source)
    try:
        frame = pd.read_csv(source, sep=separator, skipinitialspace=True, low_memory=False)
    except (OSError, UnicodeDecodeError, pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        raise ReadError(f"{name}: not readable as an eacct file ({error}). Is it what `eacct -l -c FILE` wrote?") from None
    frame.columns = pd.Index([str(column).strip() for column in frame.columns])
    frame = frame.rename(columns=current_names(list(frame.columns)))
    try:
        check_columns_present(frame, METRICS, name)
    except ValueError as error:
        raise ReadError(f"{error} An eacct file is separated by semicolons and has these columns.") from None
    for column in (column for column in MEASURED if column in frame.columns):
        numbers = pd.to_numeric(frame[column], errors="coerce")
        wrong = (numbers.isna() & frame[column].notna()).to_numpy()
        if wrong.any():
            row = int(wrong.argmax())
            value = frame[column].iloc[row]
            raise ReadError(
                f"{name}: line {row + 2}, column {column!r}: {str(value)[:60]!r} is not a number. Write the table again with"
                " `eacct -l -c FILE`, or leave the cell empty."
            )
        frame[column] = numbers.astype(float)
    # The library writes when a loop was reported, of one loop again and again, where the number of its iterations was.
    told = [name for name in ("ITERATIONS", "ELAPSED") if name in frame]
    stamp = next((name for name in told if name == "ELAPSED" or bool((pd.to_numeric(frame[name], errors="coerce") > _EPOCH).all())), "")
    if stamp and "LOOPID" in frame and "TIMESTAMP" not in frame:
        frame = frame.rename(columns={stamp: "TIMESTAMP"})
    unmeasured = (frame[list(METRICS)] == 0).all(axis=1)
    frame.loc[unmeasured, list(METRICS)] = np.nan
    return SignatureTable(frame=frame)


def current_names(columns: list[str]) -> dict[str, str]:
    """Each of `columns` under an earlier name -> its name in version 6, where no column has that one already."""
    found: dict[str, str] = {}
    for column in columns:
        name = ALIASES.get(column)
        if name is not None and name not in columns and name not in found.values():
            found[column] = name
    return found


FORMAT = Format(
    key="eacct",
    title="EAR signatures (eacct CSV)",
    kind="SignatureTable",
    recognise=recognise,
    read=read,
    options=NoOptions,
    example={
        "signatures.csv": "JOBID;STEPID;NODENAME;TIME_SEC;CPI;TPI;MEM_GBS;GFLOPS;DC_NODE_POWER_W\n"
        "4711;0;node01;182.4;0.62;1.31;48.2;113.5;312.8\n"
        "4711;0;node02;182.1;0.64;1.29;47.5;112.9;308.1\n"
    },
)
