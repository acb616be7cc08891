"""What the columns of a series CSV are: time, identity (application, run, interval, stage), or events; told by their names."""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from hemcore.datasets.readers import csv_text
from hemcore.datasets.readers.decoding import first_lines
from hemcore.datasets.readers.known_files import remembered
from hemcore.datasets.readers.number_marks import plain_head
from hemcore.datasets.readers.perf.refusals import known_line
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.events.usual_names import is_core_count

NOT_COUNTED = ("<not counted>", "<not supported>")
_HEAD_LINES = 200
_FIRST_ROWS = 50
_ROLES = {
    "application": ("application", "app", "program", "benchmark", "workload"),
    "run": ("run", "runid", "repetition"),
    "interval": ("interval", "intervalid", "slot", "sample"),
    "stage": ("stage", "phase"),
}
_PER_SECOND = {"s": 1, "sec": 1, "seconds": 1, "ms": 10**3, "milliseconds": 10**3, "us": 10**6, "µs": 10**6, "microseconds": 10**6}
_PER_SECOND |= {"ns": 10**9, "nanoseconds": 10**9}
_TIMES = {"time", "timestamp", "t", "elapsed", "elapsedtime", "endtime", "intervalend", "seconds", "sec", "milliseconds", "microseconds"}
_TIMES |= {"nanoseconds"}
_UNIT = re.compile(r"(.+?)(?:[\s_]+|[\s_]*[(\[])([a-zµ]+)[)\]]?")


# Units of what is no count: frequency, temperature, voltage, current, power, energy.
_MEASURE = re.compile(r".*[(\[]\s*(?:([kMG]?Hz)|°?C|m?[VAW]|J)\s*[)\]]\s*")
_FREQUENCY = re.compile(r"freq", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Columns:
    """Positions of the columns of a header. roles: role ("time", "application", "run", "interval", "stage") -> position, for those there.

    per_second: units of the time column in a second. events: position -> name, of all the others. again: names of columns of a
    role that an earlier column has, left out. since_first: whether the times are nanoseconds since 1970, of use from the first of a run.
    """

    roles: dict[str, int]
    per_second: int
    events: dict[int, str]
    again: tuple[str, ...] = ()
    since_first: bool = False


def columns_of(cells: Sequence[str]) -> Columns:
    """What each cell of a header names; a first cell without a name (row numbers) is left out.

    In a table of the Cortex-A15 logger (its header starts with #Timestamp, in ns) the benchmark is the stage of a run through all of them.
    """
    return _columns_of(tuple(cells))


@lru_cache(maxsize=64)
def _columns_of(cells: tuple[str, ...]) -> Columns:
    of_logger = cells[0] == "#Timestamp"
    roles: dict[str, int] = {}
    events: dict[int, str] = {}
    again = []
    per_second = 10**9 if of_logger else 1
    for position, cell in enumerate(cells):
        plain = re.sub(r"[\s_#()\-]", "", cell.lower())
        role = next((role for role, names in _ROLES.items() if plain in names), None)
        if of_logger and plain == "benchmark":
            role = "stage"
        unit = _time_unit(cell)
        if role is None and unit is not None:
            role = "time"
        if role is not None and role in roles:
            again.append(cell)
        elif role is not None:
            roles[role] = position
            if role == "time" and unit:
                per_second = _PER_SECOND[unit]
        elif cell:
            events[position] = cell
    return Columns(roles=roles, per_second=per_second, events=events, again=tuple(again), since_first=of_logger)


def is_measure(name: str) -> bool:
    """Whether the header of a column gives a unit, in parentheses at its end, that is no count: "A15 Power(W)"."""
    return _MEASURE.fullmatch(name) is not None


def setting_unit(name: str) -> str:
    """The unit of a column that says how the machine was set: "MHz" of "CPU(4) Frequency(MHz)", "cores" of "Cores(#)"; "" of any other."""
    if is_core_count(name):
        return "cores"
    found = _MEASURE.fullmatch(name)
    return (found[1] or "") if found is not None and _FREQUENCY.search(name) else ""


def _time_unit(cell: str) -> str | None:
    """The unit that the name of a column of times gives, "" where it gives none; None where it is no column of times."""
    plain = cell.lower().lstrip("# ").strip()
    found = _UNIT.fullmatch(plain)
    name, unit = (found[1], found[2]) if found is not None and found[2] in _PER_SECOND else (plain, "")
    name = re.sub(r"[\s_]", "", name)
    if name not in _TIMES:
        return None
    return unit or (name if name in _PER_SECOND else "")


@remembered(most=64)
def head_of(file: UploadedFile) -> tuple[Columns, list[list[str]]]:
    """(columns, rows) of the first lines of `file`; rows of another width than the header are left out. Columns without events, and no
    row, where the first line is no header. Both are shared: not to be changed. Raises ReadError as header_of does."""
    cells, separator, text = csv_text.header_of(file.name, first_lines(file.content, _HEAD_LINES))
    none = Columns(roles={}, per_second=1, events={})
    first = next((line for line in text.splitlines() if line.strip()), "")
    if len(cells) < 2 or is_number(next(filter(None, cells), "")) or known_line(first) is not None:
        return none, []
    try:
        rows = list(csv.reader(io.StringIO(plain_head(text, separator), newline=""), delimiter=separator, skipinitialspace=True))
    except csv.Error:
        return none, []
    filled = [[cell.strip() for cell in row] for row in rows if len(row) == len(cells)]
    return columns_of(cells), filled[1:]


def words_alone(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first rows hold words and no number in any column: a table of text."""
    cells = [cell for row in rows[:_FIRST_ROWS] for cell in row]
    return not any(map(is_number, cells)) and any(not is_reading(cell) for cell in cells)


def is_number(cell: str) -> bool:
    """Whether `cell` is a number."""
    try:
        float(cell)
    except ValueError:
        return False
    return True


def is_reading(cell: str) -> bool:
    """Whether `cell` is a number or says that nothing was counted."""
    return is_number(cell) or cell in ("", "NA", *NOT_COUNTED)
