"""Reads `likwid-perfctr -t INTERVAL`: a line an interval with the counts (or metrics) of every hardware thread.

`# GID|EventCount|CpuCount|Total runtime [s]|EVENT|...` heads each group of events (MetricsCount for a performance group), between `|` on
the screen, `,` with -O, or spaces; rows are `gid events threads time e1_t1 e1_t2 ... e2_t1 ...`, counts since the last line of the group.
Source: LIKWID, src/applications/likwid-perfctr.lua (timeline mode).
"""

import re
from collections.abc import Sequence

import numpy as np

from hemcore.datasets.readers.decoding import lines_of
from hemcore.datasets.readers.format import NO_OPTIONS, Format, NoOptions, ReadResult
from hemcore.datasets.readers.likwid.numbers import count_of, counts_of, is_row, text_of
from hemcore.datasets.readers.likwid.time_lines import TimeLines, series_of
from hemcore.datasets.readers.perf.lines import sample_of
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ReadError

_HEAD = re.compile(r".{0,40}?# ?GID([|, ])(Event|Metrics)Count\1(?i:CPUs?Count)\1Total runtime \[s\]\1(.*)$")
_THREADS = re.compile(r".{0,40}?# ?(?:HWThreads|CPUs|CORES|CORE)(?:: ?|[|, ])([\d|, ]+)$", re.IGNORECASE)
_ROW = re.compile(r"\s*\d{1,9}([ ,])\d{1,9}\1\d{1,9}\1[\d.eE+\-]+(?:\1\S*)*\s*$")
_LONGEST = 1_000_000


def recognise(files: Sequence[UploadedFile]) -> tuple[float, str]:
    """(0.97, why) where each file has the heading of a time line in its first lines, else 0."""
    if files and all(any(_HEAD.match(line) for line in sample_of(file)) for file in files):
        return 0.97, "a timeline: a '# GID' heading, then one line per interval with the counts of each hardware thread"
    return 0.0, ""


def read(files: Sequence[UploadedFile], options: NoOptions = NO_OPTIONS) -> ReadResult[CounterSeries]:
    """The time lines of `files`, each a run; each hardware thread is an application of its own, with one interval per line.

    Counts are of the interval, as LIKWID prints them; nan is not counted. With several groups an interval has the events of one, the others
    are not counted in it, and the series is MPX. Lines of the program's own output are left out and listed. Raises ReadError for a file
    without heading or rows, a row of another width than its heading, and names between spaces that cannot be told apart.
    """
    return series_of([_read(file) for file in files])


def _read(file: UploadedFile) -> TimeLines:
    found = TimeLines(file.name)
    threads: list[str] = []
    headings: list[tuple[int, list[str] | str]] = []
    text = text_of(file)
    last = text.count("\n") + 1
    for number, line in enumerate(lines_of(text), start=1):
        head = _HEAD.match(line)
        if head is not None:
            headings.append(
                (number, head[3] if head[1] == " " and head[2] == "Metrics" else [name.strip() for name in head[3].split(head[1])])
            )
        elif (said := _THREADS.match(line)) is not None:
            threads = re.findall(r"\d+", said[1])
        elif len(line) < _LONGEST and (row := _ROW.match(line)) is not None and headings:
            cells = line.strip().split(row[1])
            _row(found, _heading(file, headings, int(cells[0]), number), cells, threads, number, cut=number == last)
        elif (headings or is_row(line)) and line.strip(" -") and not line.startswith("#"):
            found.repair(number, "", f"not a timeline row, {line.strip()[:60]!r}: left out")
    if not headings:
        raise ReadError(
            f"{file.name}: no timeline heading ('# GID|EventCount|CpuCount|Total runtime [s]|...'); line 1 is"
            f" {next(lines_of(text)).strip()[:60]!r}. Measure with `likwid-perfctr -t 100ms -o FILE.csv`."
        )
    if not len(found):
        raise ReadError(
            f"{file.name}: line {headings[0][0]} is a timeline heading, but no row follows it: LIKWID prints rows to stderr."
            " Measure with `likwid-perfctr -t 100ms -o FILE.csv`, which keeps both in one file."
        )
    if found.groups > 1:
        found.notes.append(
            f"{file.name}: {found.groups} groups of events were measured in turn, one per interval;"
            " the others were not counted in that interval."
        )
    return found


def _heading(file: UploadedFile, headings: list[tuple[int, list[str] | str]], group: int, number: int) -> list[str]:
    if not 1 <= group <= len(headings):
        raise ReadError(
            f"{file.name}: line {number} is of group {group}, but {len(headings)} groups have a heading ('# GID...'). Send the file as"
            " `likwid-perfctr -t 100ms -o FILE.csv` wrote it."
        )
    line, names = headings[group - 1]
    if isinstance(names, str):
        raise ReadError(
            f"{file.name}: line {line}: metric names contain spaces and are separated by spaces: {names[:60]!r} is ambiguous."
            " Measure with `likwid-perfctr -t 100ms -O -o FILE.csv`, which separates them by commas, or with events (-g EVENT:COUNTER)."
        )
    return names


def _row(found: TimeLines, names: list[str], cells: list[str], threads: list[str], number: int, *, cut: bool) -> None:
    events, cpus = int(cells[1]), int(cells[2])
    counts, time = counts_of(cells[4:]), count_of(cells[3])
    wrong = counts is None or len(counts) != events * cpus or time is None or not np.isfinite(time)
    if wrong and cut:
        found.repair(number, "", f"cut off, {' '.join(cells)[:60]!r}: left out")
        return
    if counts is None or time is None or wrong or len(names) != events:
        raise ReadError(
            f"{found.name}: line {number} declares {events} events of {cpus} hardware threads but has {len(cells) - 4} counts, and its "
            f"heading {len(names)} names; expected events x threads numbers of at least 0. Measure with `likwid-perfctr -t 100ms -O -o"
            " FILE.csv`."
        )
    if "" in cells[4:]:
        found.repair(number, "", f"an empty cell, {' '.join(cells)[:60]!r}: not counted")
    known = len(threads) == cpus == len(set(threads))
    found.add(time, int(cells[0]), names, threads if known else [str(place) for place in range(cpus)], counts)


FORMAT = Format(
    key="likwid_timeline",
    title="LIKWID timeline (likwid-perfctr -t)",
    kind="CounterSeries",
    recognise=recognise,
    read=read,
    options=NoOptions,
    example={
        "timeline.csv": "# HWThreads,0,1\n"
        "# GID,EventCount,CpuCount,Total runtime [s],INSTR_RETIRED_ANY,L2_LINES_IN_ALL\n"
        "1,2,2,0.100073,640100,639800,5120,5034\n"
        "1,2,2,0.200112,641000,638200,5207,4998\n"
    },
)
