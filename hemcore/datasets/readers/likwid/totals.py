"""Reads `likwid-perfctr -o FILE.csv` (or -O, or what it prints): a table of counts for each group, and for each region with the Marker API.

`TABLE,Group 1 Raw,GROUP,ROWS` (`TABLE,Region NAME,Group 1 Raw,GROUP,ROWS`), then `Event,Counter,HWThread 0,HWThread 1` and one row per
event; every line is filled with commas to one width. Tables of metrics and of sums are LIKWID's own arithmetic.
Source: LIKWID, src/applications/likwid.lua (printOutput).
"""

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from hemcore.datasets.readers.format import NO_OPTIONS, Format, NoOptions, ReadResult
from hemcore.datasets.readers.likwid.numbers import count_of, is_row, text_of
from hemcore.datasets.readers.likwid.text_tables import as_csv
from hemcore.datasets.readers.perf.lines import sample_of
from hemcore.datasets.readers.perf.perf_rows import Rows
from hemcore.datasets.readers.perf.rows_to_series import readings
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ReadError

_TABLE = re.compile(
    r"TABLE,(?:Region (?P<region>[^,]*),)?Group (?P<group>\d+) (?P<what>Raw|Metric)(?P<stat> STAT| Stat)?(?:,(?P<rest>.*))?$"
)
_MARKER = re.compile(r"STRUCT,Info,5,*\s*$")
_OLD_REGION = re.compile(r"\d+,([^,]+),*\s*$")
_TIME = "Runtime (RDTSC) [s]"


@dataclass
class _Place:
    """Where in a file the reader is: the region, the group, the hardware threads of the open table, and the line that began it."""

    region: str = ""
    group: str = ""
    threads: list[str] = field(default_factory=list)
    counts: bool = False
    line: int = 0


def recognise(files: Sequence[UploadedFile]) -> tuple[float, str]:
    """(0.97, why) where each file has a table of raw counts in its first lines, else 0."""
    for file in files:
        if not any(
            (found := _TABLE.match(line)) is not None and found["what"] == "Raw" for line in as_csv("\n".join(sample_of(file))).split("\n")
        ):
            return 0.0, ""
    return (0.97, "tables of raw counts, one per group of events, as likwid-perfctr -o writes them") if files else (0.0, "")


def read(files: Sequence[UploadedFile], options: NoOptions = NO_OPTIONS) -> ReadResult[CounterSeries]:
    """The totals of `files` as a series with one interval per run; each hardware thread (and each region) is an application of its own.

    Counts are those of the tables of raw counts; nan is not counted. Groups were measured one after the other: LIKWID does not scale what
    it counted for a part of the time, which a note says. Raises ReadError for a file without such a table, a table without its header,
    a row of another width and a count that is no number, naming the line.
    """
    return readings([_rows(file) for file in files])


def _rows(file: UploadedFile) -> Rows:
    rows = Rows(file.name, separate_segments=True)
    place = _Place()
    groups: dict[str, str] = {}
    old_region = False
    left_out = 0
    seen: set[tuple[str, str]] = set()
    lines = as_csv(text_of(file)).split("\n")
    for number, line in enumerate(lines, start=1):
        table = _TABLE.match(line)
        if table is not None:
            place = _open(table, place.region if old_region and table["region"] is None else "", number)
            groups[place.group] = ((table["rest"] or "").split(",")[0] or "").strip()
            left_out += not place.counts
            if place.counts and (place.region, place.group) in seen:
                rows.start_again()  # the output of another run, appended
                seen.clear()
            seen |= {(place.region, place.group)} if place.counts else set()
        elif _MARKER.match(line) or line.startswith("STRUCT,"):
            place = _Place(region=place.region if old_region else "")
            old_region = _MARKER.match(line) is not None
        elif old_region and not place.counts and (name := _OLD_REGION.match(line)) is not None:
            place.region = name[1].strip()
        elif place.counts and line.strip(", \t"):
            _row(file, rows, place, line, number, cut=number == len(lines))
        elif not place.line and is_row(line):
            rows.repair(number, "", f"outside LIKWID's tables, {line.strip()[:60]!r}: left out")
    if not len(rows):
        raise ReadError(
            f"{file.name}: no table of raw counts: expected a line 'TABLE,Group 1 Raw,...' with 'Event,Counter,HWThread 0' under it; "
            f"line 1 is {lines[0].strip()[:60]!r}. Measure with `likwid-perfctr -o FILE.csv`."
        )
    if left_out:
        rows.notes.append(
            f"{file.name}: tables of metrics and of sums left out, because LIKWID computes them from the counts: {left_out:,}."
        )
    if len(groups) > 1:
        rows.notes.append(
            f"{file.name}: {len(groups)} groups of events were measured one after the other, each during part of the run; LIKWID does not"
            " scale their counts to the whole."
        )
    return rows


def _open(table: re.Match[str], region: str, number: int) -> _Place:
    return _Place(
        region=table["region"] or region,
        group=table["group"],
        counts=table["what"] == "Raw" and table["stat"] is None,
        line=number,
    )


def _row(file: UploadedFile, rows: Rows, place: _Place, line: str, number: int, *, cut: bool) -> None:
    cells = [cell.strip() for cell in next(csv.reader([line]))]
    if cells[:2] == ["Event", "Counter"]:
        place.threads = [cell for cell in cells[2:] if cell]
        return
    if not place.threads:
        # Before the header of a region: how long it ran and how often it was called.
        if cells[0] in ("Region Info", "RDTSC Runtime [s]", "call count"):
            return
        raise ReadError(
            f"{file.name}: line {number}, {line.strip()[:60]!r}, comes before the header 'Event,Counter,HWThread 0' of the table in line "
            f"{place.line}. Send the file as `likwid-perfctr -o FILE.csv` wrote it."
        )
    counts = [count_of(cell) for cell in cells[2 : 2 + len(place.threads)]]
    # Lines are filled with empty cells; what is not empty is another row, whose line's end was lost.
    if len(counts) < len(place.threads) or None in counts or not cells[0] or any(cells[2 + len(place.threads) :]):
        if cut:
            rows.repair(number, cells[0], f"cut off, {line[:60]!r}: left out")
            return
        raise ReadError(
            f"{file.name}: line {number}, {line.strip()[:60]!r}, is not an event, its counter and {len(place.threads)} counts of at least "
            "0. Send the file as `likwid-perfctr -o FILE.csv` wrote it, with a decimal point."
        )
    if cells[0] == _TIME:
        return
    if "" in cells[2 : 2 + len(place.threads)]:
        rows.repair(number, cells[0], f"an empty cell, {line.strip()[:60]!r}: not counted")
    region = f"region {place.region} " if place.region else ""
    for thread, count in zip(place.threads, counts, strict=False):
        rows.add(np.nan, f"{region}{thread}", cells[0], np.nan if count is None else count, 100 if count == count else np.nan)


FORMAT = Format(
    key="likwid_totals",
    title="LIKWID totals (likwid-perfctr -o CSV)",
    kind="CounterSeries",
    recognise=recognise,
    read=read,
    options=NoOptions,
    example={
        "likwid.csv": "STRUCT,Info,3,,\n"
        "CPU name:,Intel(R) Xeon(R) CPU,,,\n"
        "CPU type:,Intel Skylake SP processor,,,\n"
        "CPU clock:,2.3 GHz,,,\n"
        "TABLE,Group 1 Raw,L3,2,\n"
        "Event,Counter,HWThread 0,HWThread 1,\n"
        "INSTR_RETIRED_ANY,FIXC0,640100,639800,\n"
        "L2_LINES_IN_ALL,PMC0,5120,5034,\n"
    },
)
