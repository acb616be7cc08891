"""Reader of EAR's `eacct` CSV: `;`-separated job or loop signatures, columns by name whatever the version; and of tables made of it."""

import io
import re
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import numpy as np
import pandas as pd

from hemcore.datasets.importing.footers import may_be_summary
from hemcore.datasets.importing.header_words import is_unit
from hemcore.datasets.importing.parts import Part, read_part
from hemcore.datasets.importing.raw_grid import HEAD_BYTES, first_row
from hemcore.datasets.importing.recipe import ImportRecipe
from hemcore.datasets.importing.units.cell_kinds import missing
from hemcore.datasets.readers import csv_text
from hemcore.datasets.readers.answers import answer_tables
from hemcore.datasets.readers.answers.own_answers import CLASSES, answer_of
from hemcore.datasets.readers.decoding import head_lines, head_text
from hemcore.datasets.readers.format import NO_OPTIONS, Format, NoOptions, ReadResult, read_result
from hemcore.datasets.readers.known_files import remembered
from hemcore.datasets.readers.number_marks import plain_numbers
from hemcore.datasets.readers.repairs import Repair
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.checks import check_columns_present
from hemcore.datasets.tables.signature_table import MEASURED, METRICS, SignatureTable, first_columns
from hemcore.errors import HemError, ReadError

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


# What people call columns of EAR in tables of their own, in capitals.
_OWN = {
    "JOB": "JOBID",
    "STEP": "STEPID",
    "USER": "USERID",
    "NODE": "NODENAME",
    "POWER": "DC_NODE_POWER_W",
    "POWER_W": "DC_NODE_POWER_W",
    "NODE_POWER": "DC_NODE_POWER_W",
    "DC_NODE_POWER": "DC_NODE_POWER_W",
    "TIME_S": "TIME_SEC",
    "MEM_GB_S": "MEM_GBS",
    "GB_S": "MEM_GBS",
    "GFLOP_S": "GFLOPS",
    "GFLOPS_S": "GFLOPS",
}
_SOUGHT = ("CPI", "TPI", "FLOP")


def recognise(files: Sequence[UploadedFile]) -> tuple[float, str]:
    """(1, why) where each file is a table with the four metrics under a name of any version, in whatever form it is written; else 0."""
    if not files or not all(_is_own(file) or _dressed(file) is not None for file in files):
        return 0.0, ""
    if any(answer_of(file) not in (None, *CLASSES) for file in files):
        return 0.0, ""
    return 1.0, "the columns CPI, TPI, MEM_GBS and GFLOPS"


def _is_own(file: UploadedFile) -> bool:
    """Whether it is what eacct wrote: its header comes first, in EAR's own names."""
    try:
        cells, _, _ = csv_text.header_of(file.name, head_lines(file.content))
    except ReadError:
        return False
    return set(METRICS) <= {ALIASES.get(cell, cell) for cell in cells}


@remembered(most=64)
def _dressed(file: UploadedFile) -> Part | None:
    """The beginning of a table made of signatures: under a title, with units, in small letters, as JSON; None where it is none."""
    head = head_text(file.content, HEAD_BYTES).upper()
    if "\x00" in head[:4096] or not all(word in head for word in _SOUGHT):
        return None
    try:
        part = read_part(file, ImportRecipe())
    except HemError:
        return None
    return part if set(METRICS) <= set(own_names(part.names)) else None


def own_names(names: Sequence[str]) -> list[str]:
    """`names` as EAR's version 6 has them, where they are its own in other letters and signs; others, and a second one, as they are."""
    aliases = {_written(old): new for old, new in ALIASES.items()} | _OWN
    found: list[str] = []
    for name in names:
        written = _written(name)
        known = aliases.get(written) or (written if written in MEASURED or first_columns([written]) else name)
        found.append(name if known in found or (known != name and known in names) else known)
    return found


def _written(name: str) -> str:
    """`name` in capitals, its unit in brackets left out: "Power (W)" is "POWER", "CPU.GFLOPS" is "CPU_GFLOPS"."""
    plain = re.sub(r"\s*[(\[](?:GB/s|GFLOPS?(?:/s)?|W|s|kHz|B/instr\.?|1/instr\.?)[)\]]$", "", name.strip(), flags=re.IGNORECASE)
    return re.sub(r"\W+", "_", plain).strip("_").upper()


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
    nothing = re.search(rf"^(?=[ \t]*{separator})[ \t{separator}]*$", text, re.MULTILINE)
    if nothing is not None:
        line = text.count("\n", 0, nothing.start()) + 1
        raise ReadError(f"{name}: line {line} has no value in any of its {width} cells. Write the table again with `eacct -l -c FILE`.")
    return text, repairs


def read(files: Sequence[UploadedFile], options: NoOptions = NO_OPTIONS) -> ReadResult[SignatureTable]:
    """The signatures of files, one below the other; decimal commas are read (see number_marks). Raises ReadError as read_eacct does."""
    tables, repairs, notes = [], list[Repair](), list[str]()
    for file in files:
        table, own_repairs, own_notes = _dressed_table(file) if not _is_own(file) and _dressed(file) is not None else _own_table(file)
        if answer_of(file) in CLASSES:
            table, told = answer_tables.with_classes(file.name, table)
            own_notes = [*own_notes, told]
        tables.append(table)
        repairs += own_repairs
        notes += own_notes
        unmeasured = int(table.frame[list(METRICS)].isna().all(axis=1).sum())
        if unmeasured:
            repairs.append(Repair(file.name, ", ".join(METRICS), "all four 0 or empty: not measured", unmeasured))
    if len(tables) == 1:
        return read_result(tables[0], repairs, notes)
    if not tables:
        raise ReadError("EAR signatures: 0 files. Send at least one.")
    together = SignatureTable(frame=pd.concat([table.frame for table in tables], ignore_index=True))
    notes.append(f"{len(tables)} tables read one below the other: {', '.join(file.name for file in files)[:200]}.")
    return read_result(together, repairs, notes)


def _own_table(file: UploadedFile) -> tuple[SignatureTable, list[Repair], list[str]]:
    cells, separator, text = csv_text.header_of(file.name, file.content)
    rows = text.rstrip("\n")
    units = [cell.strip() for cell in rows.partition("\n")[2].partition("\n")[0].split(separator)]
    last = rows.rpartition("\n")[2].partition(separator)[0].strip('" ')
    if may_be_summary(last) or (any(units) and not any(cell.isdigit() for cell in units) and sum(map(is_unit, units)) > len(units) / 2):
        return _dressed_table(file)
    text, repairs = whole_rows(file.name, text, separator, len(cells))
    text, notes = plain_numbers(file.name, cells, text, separator)
    return read_eacct(csv_text.source_of(text), name=file.name, separator=separator), repairs, list(notes)


def _dressed_table(file: UploadedFile) -> tuple[SignatureTable, list[Repair], list[str]]:
    part = read_part(file, ImportRecipe(), limit=None)
    texts, names = part.texts, own_names(part.names)
    repairs = list(part.repairs)
    for old, new in zip(part.names, names, strict=True):
        if old != new:
            repairs.append(Repair(file.name, old, f"read as EAR's {new}", len(texts)))
    kept = [place for place, name in enumerate(names) if name]
    if len(kept) < len(names):
        repairs.append(Repair(file.name, "", "a column without a name left out: it numbers the rows", len(texts)))
    frame = texts.iloc[:, kept].set_axis([names[place] for place in kept], axis=1)
    for place, name in ((place, name) for place, name in enumerate(frame.columns) if name in MEASURED):
        column = frame.iloc[:, place].mask(missing(frame.iloc[:, place]), "")
        wrong = pd.to_numeric(column.mask(column == ""), errors="coerce").isna() & (column != "")
        if bool(wrong.any()):
            row = first_row(wrong)
            raise ReadError(
                f"{file.name}: row {row}, column {name!r}: {column[row]!r} is not a number. Correct the cell, or leave it empty."
            )
        frame.isetitem(place, column.to_numpy())
    table = read_eacct(io.BytesIO(frame.to_csv(sep=";", index=False).encode(errors="replace")), name=file.name)
    return table, repairs, list(part.notes)


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
