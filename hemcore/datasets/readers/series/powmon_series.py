"""Logs of a Cortex-A15 (Odroid XU3): `events_raw.data`, one run each, and `benchmarks.data`, which says what program ran when.

Source: the cBench readings of K. Nikov, ../shared/data/cortex_a15_cbench; the logs are of `perf stat -I` with a header of event names.
"""

import math
import re
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

import numpy as np
import pandas as pd

from hemcore.datasets.readers import csv_text
from hemcore.datasets.readers.decoding import head_text
from hemcore.datasets.readers.format import NO_OPTIONS, Format, NoOptions, ReadResult, read_result
from hemcore.datasets.readers.repairs import Repair
from hemcore.datasets.readers.series.column_roles import NOT_COUNTED
from hemcore.datasets.readers.series.folders import runs_of_logs
from hemcore.datasets.readers.series.readings import from_rows, natural_order
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.checks import listed
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ReadError

_HEAD_BYTES = 20_000
_NAMED = 5
_START = re.compile(r"Start:\s*(\d+)\s*")
_NANOSECONDS = re.compile(r"\s*[0-9]{1,19}\s*")
_EVENT = re.compile(r"Event\s+\d+\s+Label:\s*(.+?)\s+RAW Identifier:\s*(\S+)\s*")


class _Program(NamedTuple):
    name: str
    start_ns: int
    end_ns: int


def recognise(files: Sequence[UploadedFile]) -> tuple[float, str]:
    """(1, why) where one of the files starts as an event log does and each other is a file of the same logger; else 0."""
    kinds = [_kind(file) for file in files]
    logs = kinds.count("events")
    if not logs or "other" in kinds:
        return 0.0, ""
    tables = kinds.count("results")
    left_out = f"; {tables} table{'s' * (tables != 1)} of results left out" if tables else ""
    return 1.0, f"{logs} event log{'s' * (logs != 1)} of the Cortex-A15 logger: Start, event labels, then time, count, identifier{left_out}"


def belongs_to_logs(file: UploadedFile) -> bool:
    """Whether `file` is what the logger writes beside an event log: a list of programs or a table of results."""
    return _kind(file) in ("benchmarks", "results")


def read(files: Sequence[UploadedFile], options: NoOptions = NO_OPTIONS) -> ReadResult[CounterSeries]:
    """The event logs among `files` as one series: a run a log, an interval a time, the events by their labels, mode OCOE.

    intervals: application and run (from the folders, as runs_of_logs does: a frequency is no run), interval (from 1), time (s since the
    start of the run, end of the interval) and, where benchmarks.data is in the upload, stage: the program that ran for most of the
    interval, missing where none did.
    NaN where an event was not counted. A last line that is cut off is left out and listed, tables of results with a note. Applications,
    and the runs of each, are in the natural order of their names, whatever the order of the files.

    Raises ReadError for no log, a file of another kind, a log without event labels or rows, a line that is not time, count and a known
    identifier, and a time that goes back.
    """
    files = sorted(files, key=lambda file: natural_order(file.name))
    kinds = [_kind(file) for file in files]
    logs = [file for file, kind in zip(files, kinds, strict=True) if kind == "events"]
    if not logs:
        raise ReadError(
            f"{files[0].name}: not an event log: the first line must be 'Start:', a tab and nanoseconds. Send an events_raw.data."
        )
    foreign = [file.name for file, kind in zip(files, kinds, strict=True) if kind == "other"]
    if foreign:
        raise ReadError(
            f"{', '.join(foreign[:_NAMED])}{f' and {len(foreign) - _NAMED} more' if len(foreign) > _NAMED else ''}: not a file of the"
            " Cortex-A15 logger (events_raw.data, benchmarks.data, results.data). Leave it out, or upload it by itself."
        )
    repairs: list[Repair] = []
    lists = {"": list[_Program]()}
    for file, kind in zip(files, kinds, strict=True):
        if kind == "benchmarks":
            lists.setdefault(_folder(file), []).extend(_programs(file, repairs))
    runs = [_run(file, label, repairs) for file, label in zip(logs, runs_of_logs([file.name for file in logs]), strict=True)]
    notes = []
    for file, (rows, start_ns) in zip(logs, runs, strict=True):
        programs = lists.get(_folder(file), [])
        if any(lists.values()):
            rows["stage"] = _stages(rows["time"].to_numpy(), start_ns, programs)
        if programs and rows["stage"].isna().all():
            notes.append(f"{file.name}: no program in benchmarks.data ran during it. Does the list belong to another run?")
        elif not programs:
            notes.append(f"{file.name}: no benchmarks.data in its folder, so it is not known which program ran when.")
    left_out = [file.name for file, kind in zip(files, kinds, strict=True) if kind == "results"]
    if left_out:
        notes.append(
            f"Left out because they are not event logs: {listed(left_out)}."
            " Upload tables of results separately: they are read as series in CSV."
        )
    frames = sorted((rows for rows, _ in runs), key=lambda rows: (natural_order(rows["application"].iloc[0]), int(rows["run"].iloc[0])))
    return read_result(from_rows(pd.concat(frames, ignore_index=True)), repairs, notes)


def _kind(file: UploadedFile) -> str:
    head = head_text(file.content, _HEAD_BYTES).split("\n")
    if _START.fullmatch(head[0].strip()) and any(_EVENT.match(line) for line in head[1:3]):
        return "events"
    if head[0].startswith("#Name\tStart"):
        return "benchmarks"
    return "results" if head[0].startswith("#Timestamp\t") else "other"


def _folder(file: UploadedFile) -> str:
    parent = str(PurePosixPath(file.name).parent)
    return "" if parent == "." else parent


def _lines(file: UploadedFile) -> tuple[list[str], bool]:
    """(lines, whether the last one was cut off: no end of line after it)."""
    text = csv_text.header_of(file.name, file.content)[2]
    lines = text.split("\n")
    cut = lines[-1] != ""
    return (lines if cut else lines[:-1]), cut


def _programs(file: UploadedFile, repairs: list[Repair]) -> list[_Program]:
    lines, cut = _lines(file)
    found = []
    for number, line in enumerate(lines, start=1):
        if number == 1 or not line.strip():
            continue
        name, *times = line.split("\t")
        if len(times) == 2 and all(_NANOSECONDS.fullmatch(time) for time in times) and int(times[0].strip()) <= int(times[1].strip()):
            found.append(_Program(name, int(times[0].strip()), int(times[1].strip())))
        elif cut and number == len(lines):
            repairs.append(Repair(f"{file.name}, line {number}", "", f"cut off, left out: {line[:60]!r}", 0))
        else:
            raise ReadError(
                f"{file.name}: line {number}: {line[:60]!r} is not a name, a start and an end in ns (start <= end), separated by tabs."
                " Correct the line."
            )
    return found


def _run(file: UploadedFile, label: tuple[str, int], repairs: list[Repair]) -> tuple[pd.DataFrame, int]:
    """(rows of one log for from_rows, its start in ns since 1970)."""
    lines, cut = _lines(file)
    start = _START.fullmatch(lines[0].strip())
    names: dict[str, str] = {}
    interval, last = 0, -math.inf
    rows: list[tuple[int, float, str, float]] = []
    for number, line in enumerate(lines[1:], start=2):
        if not line.strip() or line.startswith("#"):
            continue
        header = _EVENT.fullmatch(line.strip())
        if header is not None:
            if header[2] in names:
                raise ReadError(
                    f"{file.name}: line {number}: identifier {header[2]!r} already"
                    f" belongs to {names[header[2]]!r}. Give each event its own."
                )
            names[header[2]] = header[1]
            continue
        try:
            time, count, identifier = _reading(line, names)
            if time < last:
                raise ValueError(f"time {time:.12g} s comes after {last:.12g} s; times must not decrease")
        except ValueError as fault:
            if cut and number == len(lines):
                repairs.append(Repair(f"{file.name}, line {number}", "", f"cut off, left out: {line[:60]!r}", 1))
                break
            raise ReadError(f"{file.name}: line {number}: {fault}. Correct the line, or send the log as it was written.") from None
        if time > last:
            interval, last = interval + 1, time
        rows.append((interval, time, names[identifier], count))
    if not rows:
        raise ReadError(f"{file.name}: {len(names)} event labels but no reading. Send a log with readings.")
    frame = pd.DataFrame(rows, columns=["interval", "time", "event", "count"])
    never = [name for name in names.values() if name not in set(frame["event"])]
    if never:
        nothing = pd.DataFrame({"interval": 1, "time": rows[0][1], "event": never, "count": np.nan})
        frame = pd.concat([frame, nothing], ignore_index=True)
    for name in dict.fromkeys(names.values()):
        missing = interval - int(frame.loc[(frame["event"] == name) & frame["count"].notna(), "interval"].nunique())
        if missing:
            repairs.append(Repair(file.name, name, "not counted", missing))
    frame.insert(0, "run", label[1])
    frame.insert(0, "application", label[0])
    return frame, int(start[1]) if start else 0


def _reading(line: str, names: dict[str, str]) -> tuple[float, float, str]:
    """(time in s, count, identifier). Raises ValueError that says what is wrong."""
    cells = [cell.strip() for cell in line.split("\t")]
    if len(cells) != 3:
        raise ValueError(f"{line[:60]!r} has {len(cells)} cells; it needs three (time, count, identifier), separated by tabs")
    if cells[2] not in names:
        raise ValueError(f"identifier {cells[2][:60]!r} has no label in the header, which has {listed(names)}")
    return _number(cells[0], "time"), (math.nan if cells[1] in NOT_COUNTED else _number(cells[1], "count")), cells[2]


def _number(text: str, what: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value >= 0) or "_" in text:
        raise ValueError(f"{what} {text[:60]!r} is not a number of at least 0")
    return value


def _stages(ends: np.ndarray, start_ns: int, programs: Sequence[_Program]) -> np.ndarray:
    """The program that ran for most of each row's interval, the earlier of two that ran as long; None where none ran."""
    edges, of_row = np.unique(ends, return_inverse=True)
    starts = np.concatenate([[0.0], edges[:-1]])
    most = np.zeros(len(edges))
    stage = np.full(len(edges), None, dtype=object)
    for program in sorted(programs, key=lambda each: each.start_ns):
        # From the start of the run: nanoseconds since 1970 do not fit a float.
        begin, end = (program.start_ns - start_ns) / 1e9, (program.end_ns - start_ns) / 1e9
        first, after = np.searchsorted(edges, begin, side="right"), np.searchsorted(starts, end, side="left")
        part = slice(int(first), int(max(first, after)))
        overlap = np.minimum(edges[part], end) - np.maximum(starts[part], begin)
        longer = overlap > most[part]
        most[part][longer] = overlap[longer]
        stage[part][longer] = program.name
    return stage[of_row]


FORMAT = Format(
    key="cortex_a15_log",
    title="Cortex-A15 event logs (events_raw.data)",
    kind="CounterSeries",
    recognise=recognise,
    read=read,
    options=NoOptions,
    example={
        "events_raw.data": "Start:\t1000\n"
        "Event 1 Label:\tCPU_CYCLES\t\tRAW Identifier:\tcycles\n"
        "     0.5\t812000\tcycles\n"
        "     1.0\t<not counted>\tcycles\n"
    },
)
