"""The thesis's training data: input.dat has one row of counters per phase, output.dat the cycles of the same phase.

Source: Mahajan's thesis, section 6.6 ("Data related to hardware performance counters except cycles is stored into input.dat file where
total number of cycles are stored in output.dat file"). The files do not name the counters: their order is that of the section's batches.
"""

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

import numpy as np
import pandas as pd

from hemcore.datasets.readers.decoding import head_text, text_of
from hemcore.datasets.readers.format import NO_OPTIONS, Format, NoOptions, ReadResult, read_result
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.phase_table import LOADS, PhaseTable
from hemcore.errors import ReadError

# The order of PAPI_EVENTS_BATCH_1 to 3.
COUNTERS = (
    "PAPI_L1_DCM", "PAPI_L1_ICM", "PAPI_L2_DCM", "PAPI_L1_DCA", "PAPI_L2_DCA", "PAPI_BR_MSP", "PAPI_BR_INS", "PAPI_TOT_INS", "PAPI_LD_INS",
    "PAPI_SR_INS", "PAPI_TLB_DM", "PAPI_TLB_IM", "PAPI_HW_INT",
)  # fmt: skip
CYCLES = "PAPI_TOT_CYC"
_INPUT, _OUTPUT = re.compile(r"input(.*)\.(?:dat|txt|csv)", re.I), re.compile(r"out?p?ut(.*)\.(?:dat|txt|csv)", re.I)
_CELLS = re.compile(r"[,;\s]+")
_SIZE = re.compile(r"(?<!\d)(\d{3,7})(?!\d)")
_HEAD_BYTES = 4_000
_AGAIN = "Send input.dat and output.dat of one run together."


def recognise(files: Sequence[UploadedFile]) -> tuple[float, str]:
    """(1, why) where the files are pairs input.dat and output.dat (or ouput.dat) of numbers; else 0."""
    if not files or any(_role(file) is None for file in files):
        return 0.0, ""
    try:
        pairs = _pairs(files)
    except ReadError:
        return 0.0, ""
    for file in files:
        lines = head_text(file.content, _HEAD_BYTES).split("\n")
        if not any(_is_numbers(line) for line in lines[:2]):
            return 0.0, ""
    return 1.0, f"{len(pairs)} pair{'s' * (len(pairs) != 1)} of input.dat (one row of counters per phase) and output.dat (its cycles)"


def read(files: Sequence[UploadedFile], options: NoOptions = NO_OPTIONS) -> ReadResult[PhaseTable]:
    """The phases, one row per line of each pair.

    program: the folder of the pair, "training data" where it has none. granularity: the number of 3 digits or more in the path, else
    "phase". load: single core, dual core no load or dual core full load where the path says so, else "as read". Counters: by a first line
    of names where input.dat has one; 13 columns without names are named in the order of the thesis's batches (noted), others are numbered.
    The cycles are PAPI_TOT_CYC.

    Raises ReadError for a file without its partner, files of different numbers of lines, a line of another width and a cell that is no
    number of at least 0; each names the line.
    """
    notes: list[str] = []
    parts = []
    for (folder, mark), (source, target) in _pairs(files).items():
        names, values, lines = _table(source)
        _, cycles, at = _table(target)
        if cycles.shape[1] != 1:
            raise ReadError(
                f"{target.name}: line {at[0]} has {cycles.shape[1]} cells; each line must hold the cycles of one phase. {_AGAIN}"
            )
        if len(values) != len(cycles):
            raise ReadError(
                f"{source.name}: {len(values):,} lines, but {target.name} has {len(cycles):,};"
                f" line i of both must be the same phase. {_AGAIN}"
            )
        if names is None:
            thesis = values.shape[1] == len(COUNTERS)
            names = list(COUNTERS) if thesis else [f"counter {number}" for number in range(1, values.shape[1] + 1)]
            named = "named in the order of the thesis's batches" if thesis else "numbered"
            notes.append(
                f"{source.name}: {values.shape[1]} columns without names, {named}."
                " If these are other counters, add a first line with their names."
            )
        if CYCLES in names:
            raise ReadError(f"{source.name}: line 1 names {CYCLES}, which output.dat already holds. Leave the column out.")
        part = pd.DataFrame(values, columns=names).assign(**{CYCLES: cycles[:, 0]})
        path = f"{folder}/{mark}"
        part.insert(0, "program", folder or "training data")
        part.insert(1, "granularity", _size(path))
        part.insert(2, "load", _load(path))
        parts.append(part)
        del lines
    frame = pd.concat(parts, ignore_index=True)
    if frame["granularity"].map(type).nunique() > 1:
        frame["granularity"] = frame["granularity"].astype(str)
    frame.insert(3, "phase", frame.groupby(["program", "granularity", "load"], sort=False).cumcount())
    counters = [name for name in frame.columns if name not in ("program", "granularity", "load", "phase")]
    ordered = (CYCLES, *(name for name in counters if name != CYCLES))
    return read_result(PhaseTable(frame=frame, counters=ordered), [], notes)


def _role(file: UploadedFile) -> tuple[str, str] | None:
    """("input" or "output", what follows in the name); None for another file."""
    name = PurePosixPath(file.name).name
    for role, rule in (("input", _INPUT), ("output", _OUTPUT)):
        match = rule.fullmatch(name)
        if match is not None:
            return role, match[1]
    return None


def _pairs(files: Sequence[UploadedFile]) -> dict[tuple[str, str], tuple[UploadedFile, UploadedFile]]:
    found: dict[tuple[str, str], dict[str, UploadedFile]] = {}
    for file in files:
        role = _role(file)
        if role is None:
            raise ReadError(f"{file.name}: neither input.dat nor output.dat. {_AGAIN}")
        folder = str(PurePosixPath(file.name).parent)
        own = found.setdefault(("" if folder == "." else folder, role[1]), {})
        if role[0] in own:
            raise ReadError(f"{file.name}: {own[role[0]].name} belongs to the same run. Put each run into its own folder.")
        own[role[0]] = file
    alone = next((own for own in found.values() if len(own) < 2), None)
    if alone is not None:
        (role_alone, file), *_ = alone.items()
        raise ReadError(
            f"{file.name}: the {'cycles (output.dat)' if role_alone == 'input' else 'counters (input.dat)'} are missing. {_AGAIN}"
        )
    return {key: (own["input"], own["output"]) for key, own in found.items()}


def _table(file: UploadedFile) -> tuple[list[str] | None, np.ndarray, list[int]]:
    """(names of the first line where it is one of names, numbers, the line of each row)."""
    text = text_of(file.name, file.content, remedy=_AGAIN)
    names: list[str] | None = None
    rows: list[list[float]] = []
    lines: list[int] = []
    for number, line in enumerate(text.splitlines(), start=1):
        cells = [cell for cell in _CELLS.split(line.strip()) if cell]
        if not cells or line.startswith("#"):
            continue
        if not rows and names is None and not _is_numbers(line):
            names = cells
            continue
        try:
            values = [float(cell) for cell in cells]
        except ValueError:
            bad = next(cell for cell in cells if not _is_numbers(cell))
            raise ReadError(f"{file.name}: line {number}: {bad[:60]!r} is not a number. Correct it.") from None
        if not all(0 <= value < np.inf for value in values):
            raise ReadError(f"{file.name}: line {number}: a count must be a finite number of at least 0. Correct it.")
        width = len(names) if names is not None else len(rows[0]) if rows else len(values)
        if len(values) != width:
            raise ReadError(f"{file.name}: line {number} has {len(values)} cells, the others {width}. Correct the line.")
        rows.append(values)
        lines.append(number)
    if not rows:
        raise ReadError(f"{file.name}: no line of numbers. {_AGAIN}")
    return names, np.array(rows), lines


def _is_numbers(line: str) -> bool:
    cells = [cell for cell in _CELLS.split(line.strip()) if cell]
    try:
        return bool(cells) and all(np.isfinite(float(cell)) for cell in cells)
    except ValueError:
        return False


def _size(path: str) -> int | str:
    sizes = _SIZE.findall(path)
    return int(sizes[-1]) if sizes and int(sizes[-1]) > 0 else "phase"


def _load(path: str) -> str:
    plain = re.sub(r"[^a-z]", "", path.lower())
    single, none, full = LOADS
    return single if "single" in plain else full if "full" in plain else none if "noload" in plain else "as read"


FORMAT = Format(
    key="phases_thesis",
    title="phases as input.dat and output.dat",
    kind="PhaseTable",
    recognise=recognise,
    read=read,
    options=NoOptions,
    example={
        "input.dat": "31 4 12 1710 90 8 820 6400 1600 800 2 1 0\n28 3 10 1695 84 7 815 6390 1590 790 2 0 0\n",
        "output.dat": "9120\n8840\n",
    },
)
