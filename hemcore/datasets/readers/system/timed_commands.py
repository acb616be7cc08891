"""Reads what `time` prints of a command: GNU time with -v and without, and the shell's own.

`/usr/bin/time -v` writes a line "Command being timed: ..." and then "NAME: VALUE" lines; without -v two lines ("1.20user 0.05system
0:01.30elapsed 96%CPU (...)"); bash "real 0m1.300s", "user ...", "sys ..." and `time -p` the same in seconds.
Source: GNU time manual (https://www.gnu.org/software/time), The Format String; POSIX, time.
"""

import re
from collections.abc import Iterator, Sequence

import numpy as np

from hemcore.datasets.readers import decoding
from hemcore.datasets.readers.format import NO_OPTIONS, Format, NoOptions, ReadResult
from hemcore.datasets.readers.perf.perf_rows import Rows
from hemcore.datasets.readers.perf.rows_to_series import readings
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ReadError

_HEAD_BYTES, _LONGEST = 200_000, 500
_REMEDY = "Measure with `/usr/bin/time -v -o FILE COMMAND`, one file per run."
_COMMAND = re.compile(r'\s*Command being timed: "?(.*?)"?\s*')
_ENTRY = re.compile(r"\s*([A-Z][^:\t]*(?:\([^)]*\))?): (\S+)\s*")
_CLOCK = re.compile(r"\s*Elapsed \(wall clock\) time \(h:mm:ss or m:ss\): (\S+)\s*")
_SHORT = re.compile(r"([\d.,]+)user ([\d.,]+)system ([\d:.,]+)elapsed (?:\d+|\?)%CPU \(\d+avgtext\+\d+avgdata (\d+)maxresident\)k")
_SHORT_FAULTS = re.compile(r"(\d+)inputs\+(\d+)outputs \((\d+)major\+(\d+)minor\)pagefaults (\d+)swaps")
_SHELL = re.compile(r"(real|user|sys)\s+(?:(\d+)m)?(\d+[.,]\d+)s?\s*")
_ELAPSED = "Elapsed (wall clock) time (s)"
_LONG = "Maximum resident set size (kbytes): "
_SHELL_NAMES = {"real": _ELAPSED, "user": "User time (s)", "sys": "System time (s)"}
# Lines of -v that count nothing: what Linux never fills in, what follows from the others, and the machine.
_LEFT_OUT = re.compile(r"Average |Percent of CPU|Page size|Exit status")


def recognise(files: Sequence[UploadedFile]) -> tuple[float, str]:
    """(0.88, why) where each file has a block that `time` printed, else 0."""
    for file in files:
        if _LONG.encode() not in decoding.utf8(file.content):
            head = decoding.head_text(file.content, _HEAD_BYTES)
            lines = head.split("\n")
            lines = [line for line in lines if len(line) <= _LONGEST]
            shell = [found[1] for line in lines if (found := _SHELL.fullmatch(line)) is not None]
            if shell[:3] != ["real", "user", "sys"] and not any(_SHORT.match(line) for line in lines):
                return 0.0, ""
    return (0.88, "times and faults of a command, as time prints them") if files else (0.0, "")


def read(files: Sequence[UploadedFile], options: NoOptions = NO_OPTIONS) -> ReadResult[CounterSeries]:
    """The blocks of `files` as a series with one interval per run; where a file names several commands, each is an application.

    Times in s, sizes in kilobytes as printed; what the command itself printed is passed over. Raises ReadError for a file without a block
    and for a value that is no number, naming the line.
    """
    return readings([_rows(file) for file in files])


def _rows(file: UploadedFile) -> Rows:
    text = decoding.text_of(file.name, file.content, remedy=_REMEDY)
    rows = Rows(file.name, separate_segments=True)
    commands = {found[1] for line in decoding.lines_of(text) if (found := _COMMAND.fullmatch(line)) is not None}
    known: set[str] = set()
    failed = left_out = 0
    inside = False  # a block of -v: nothing else is printed there
    for number, line in enumerate(decoding.lines_of(text), start=1):
        if (command := _COMMAND.fullmatch(line)) is not None:
            known, inside = set(), True
            rows.start_again(command[1] if len(commands) > 1 else "")
            continue
        values = [] if commands and not line[:1].isspace() else list(_values(line))  # else the command's own output
        if inside and not values and line.strip() and line[:1].isspace():
            rows.repair(number, "", f"no value, {line.strip()[:60]!r}: left out")
        elif not values and not line.startswith("Command "):
            rows.outside(line)
        for name, value in values:
            if _LEFT_OUT.match(name):
                if name == "Exit status":
                    inside = False
                    failed += value != "0"
                left_out += 1
                continue
            if name in known:
                known = set()
                rows.start_again()
            known.add(name)
            rows.add(np.nan, "", name, _number(file.name, number, line, value), 100)
    if not len(rows):
        raise ReadError(f"{file.name}: line 1: nothing that time printed, such as 'Maximum resident set size (kbytes): 2304'. {_REMEDY}")
    if left_out:
        rows.notes.append(f"{file.name}: the averages, the percentage of CPU, the page size and the exit status are left out: no counts.")
    if failed:
        rows.notes.append(f"{file.name}: {failed:,} of its runs ended with an exit status other than 0.")
    return rows


def _values(line: str) -> Iterator[tuple[str, str]]:
    """(name, value) of what `time` says in a line; nothing for any other line."""
    if len(line) > _LONGEST:
        return
    if (entry := _ENTRY.fullmatch(line)) is not None and line[:1].isspace():
        name = re.sub(r"\(seconds\)$", "(s)", entry[1])
        yield (_ELAPSED if name.startswith("Elapsed") else name), entry[2]
    elif (clock := _CLOCK.fullmatch(line)) is not None:
        yield _ELAPSED, clock[1]
    elif (short := _SHORT.match(line)) is not None:
        names = ("User time (s)", "System time (s)", _ELAPSED, "Maximum resident set size (kbytes)")
        yield from zip(names, short.groups(), strict=True)
    elif (faults := _SHORT_FAULTS.match(line)) is not None:
        major, minor = "Major (requiring I/O) page faults", "Minor (reclaiming a frame) page faults"
        yield from zip(("File system inputs", "File system outputs", major, minor, "Swaps"), faults.groups(), strict=True)
    elif (shell := _SHELL.fullmatch(line)) is not None:
        yield _SHELL_NAMES[shell[1]], f"{shell[2]}:{shell[3]}" if shell[2] else shell[3]


def _number(name: str, number: int, line: str, value: str) -> float:
    """A number, or seconds of "h:mm:ss" and "m:ss.ss"."""
    seconds = 0.0
    try:
        for part in value.replace(",", ".").split(":"):
            seconds = 60 * seconds + float(part)
    except ValueError:
        raise ReadError(f"{name}: line {number}, {line.strip()[:60]!r}: {value[:20]!r} is not a number. {_REMEDY}") from None
    return seconds


FORMAT = Format(
    key="timed_commands",
    title="time of a command (GNU time -v, bash)",
    kind="CounterSeries",
    recognise=recognise,
    read=read,
    options=NoOptions,
    example={
        "time.txt": '\tCommand being timed: "./sort 1000"\n\tUser time (seconds): 1.20\n\tSystem time (seconds): 0.05\n'
        "\tPercent of CPU this job got: 96%\n\tElapsed (wall clock) time (h:mm:ss or m:ss): 0:01.30\n"
        "\tMaximum resident set size (kbytes): 2304\n\tMinor (reclaiming a frame) page faults: 128\n\tVoluntary context switches: 3\n"
        "\tExit status: 0\n"
    },
)
