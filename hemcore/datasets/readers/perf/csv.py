"""Reads `perf stat -x SEP`, with or without -I.

A row is `[time,] [id,[ncpus,]] value,unit,event,[cgroup,][variance%,]run_ns,pct[,metric,metric-unit[,threshold]]`, without a header and
without quotes, so that an event `cpu/inst,cmask=1/` spans two fields: the row is anchored at run_ns and pct, to the right of it.
Source: perf-stat manual (tools/perf/Documentation/perf-stat.txt), CSV FORMAT; tools/perf/util/stat-display.c.
"""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import islice

import numpy as np

from hemcore.datasets.readers.decoding import lines_of
from hemcore.datasets.readers.format import NO_OPTIONS, Format, NoOptions, ReadResult
from hemcore.datasets.readers.known_files import remembered_alone
from hemcore.datasets.readers.perf.csv_blocks import add_block, blocks_of
from hemcore.datasets.readers.perf.csv_marks import as_new_rows, program_of, without_marks
from hemcore.datasets.readers.perf.event_names import events_and_cgroups
from hemcore.datasets.readers.perf.lines import PLACE, is_remark, is_start, number_of, sample_of, text_of
from hemcore.datasets.readers.perf.perf_rows import Rows
from hemcore.datasets.readers.perf.refusals import foreign_line, no_row
from hemcore.datasets.readers.perf.rows_to_series import readings
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.reading_progress import passed
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ReadError

# run_ns and pct between two of the same separator; what it is, is told by no header. In some locales (de_DE) perf prints a decimal comma
# everywhere but in the time (and a spreadsheet in the time, too), which can be read only where the separator is another.
_RUNNING = re.compile(r"([, ])\d+\1\d{1,3}\.\d\d(?=\1|\s*$)|([^\w.,%<>\s]{1,3}|[\t ])\d+\2\d{1,3}[.,]\d\d(?=\2|\s*$)")
_LONGEST = 10_000


@remembered_alone
def recognise(files: Sequence[UploadedFile]) -> tuple[float, str]:
    """(score 0 to 1, reason): the least share of the first lines of a file that are rows of `perf stat -x`; 0 where it is below half."""
    scores = []
    separator = None
    for file in files:
        lines = [line for line in sample_of(file) if not is_remark(line)]
        separator = _separator(lines)
        if separator is None and lines:
            lines = as_new_rows("\n".join(lines)).split("\n")
            separator = _separator(lines)
        if separator is None:
            return 0.0, f"{file.name}: no row ends in a running time and per cent as perf stat -x prints them"
        row, metric = _patterns(separator)
        lines = [line for line in without_marks(file.name, "\n".join(lines), separator, row)[0].split("\n") if not is_remark(line)]
        found = sum(row.match(line) is not None for line in lines if len(line) < _LONGEST)
        passed = sum(metric.match(line) is not None for line in lines if len(line) < _LONGEST)
        scores.append((found + passed) / len(lines) if found else 0.0)
    score = min(scores, default=0.0)
    if score < 0.5:
        return 0.0, "the lines are not rows of perf stat -x"
    return 0.95 * score, f"rows of perf stat -x {separator!r}: value, unit, event, run time, per cent"


def read(files: Sequence[UploadedFile], options: NoOptions = NO_OPTIONS) -> ReadResult[CounterSeries]:
    """The series of `perf stat -x` files, each one or more runs of an application; see rows_to_series.readings for ids and intervals.

    Counts are per interval (-I) or per run, NaN = not counted; msec, Joules and the like as printed. The last line may be cut off: it is
    left out and listed. Raises ReadError for an empty or binary file, lines that are no row of perf stat, and files without any value.
    """
    return readings([rows_of(file) for file in files])


def rows_of(file: UploadedFile) -> Rows:
    """The rows of one file of `perf stat -x`. Raises ReadError as `read` does."""
    text = text_of(file)
    rows = Rows(file.name)
    separator = _separator([line for line in islice(lines_of(text), 2_000) if not is_remark(line)])
    if separator is None:
        text = as_new_rows(text)
        separator = _separator([line for line in islice(lines_of(text), 2_000) if not is_remark(line)])
    if separator is None:
        raise ReadError(no_row(file.name, lines_of(text)))
    row, metric = _patterns(separator)
    text, marks = without_marks(file.name, text, separator, row)
    rows.notes += marks
    last = text.rstrip().count("\n")
    names: dict[str, str] = {}
    metrics = 0
    wrong: list[tuple[int, str]] = []
    twice = _twice(separator)
    begin = 0
    for block in blocks_of(text):
        events = add_block(rows, block, separator, row)
        lines = enumerate(lines_of(block), start=begin) if events is None else ()
        if events is not None:
            rows.first_line = rows.first_line or begin + 1
            names |= {name: name for name in events}
        begin += block.count("\n") + 1
        passed(len(block))
        for number, line in lines:
            found = row.match(line) if len(line) < _LONGEST else None
            if found is not None and (twice.search(found[4]) or twice.search(found[7] or "")):
                found = None
            if found is not None:
                time, place, value, full, running, per_cent, _ = found.groups()
                # One text for each different name, not for each row.
                full = names.setdefault(full, full)
                rows.first_line = rows.first_line or number + 1
                rows.add(
                    np.nan if time is None else float(time.replace(",", ".")),
                    (place or "").strip(),
                    full,
                    number_of(value),
                    number_of(per_cent),
                    running_ns=float(running),
                )
            elif is_remark(line):
                if is_start(line):
                    rows.start_again(program_of(line))
                elif row.match(line.lstrip(" #")):
                    rows.repair(number + 1, "", f"a reading behind '#', {line.strip()[:60]!r}: left out")
            elif len(line) < _LONGEST and metric.match(line):
                metrics += 1
            elif number == last and len(rows) and len(twice.findall(line)) < 2:
                rows.repair(number + 1, "", f"cut off, {line[:60]!r}: left out")
            else:
                wrong.append((number + 1, "" if wrong else line.strip()[:_LONGEST]))
    if wrong:
        raise ReadError(foreign_line(file.name, separator, wrong))
    rows.name_events(events_and_cgroups(names, separator))
    if metrics:
        rows.notes.append(f"{file.name}: rows of metrics left out, because perf computes them from the counts: {metrics:,}.")
    return rows


def _separator(lines: Sequence[str]) -> str | None:
    found = Counter(match.group(1) or match.group(2) for line in lines if (match := _RUNNING.search(line[:_LONGEST])))
    return found.most_common(1)[0][0] if found else None


def _twice(separator: str) -> re.Pattern[str]:
    """A running time and per cent within what stands before or after those of a row: another row, whose line's end was lost."""
    sep = re.escape(separator)
    return re.compile(rf"(?:^|{sep})\d+{sep}\d{{1,3}}{'[.]' if separator == ',' else '[.,]'}\d\d")


def _patterns(separator: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """(a row: time, id, value, event with cgroup, run time, per cent; a row of a metric or of nothing but a time)."""
    sep = re.escape(separator)
    # Where the separator is a space, two of them have an empty cell between, and nothing is padded but the time.
    pad = "" if separator == " " else " *+"
    cell = f"(?:(?!{sep}).)*" if len(separator) > 1 else f"[^{sep}\n]*"
    dot = r"\." if separator == "," else "[.,]"
    running = rf"\d+{sep}\d{{1,3}}{dot}\d\d"
    per_cents = rf"[+-]?(?:\d+(?:{dot}\d+)?|nan|inf)%"
    spread = rf"(?:{sep}{pad}{per_cents})?"
    # The name of a thread may hold the separator; a row that can be read without one has none.
    place = rf"(?:({PLACE}|\S.{{0,30}}?-\d+){pad}{sep}(?:\d*{sep}(?={pad}(?:\d|<not|{sep})))?)??"
    start = rf" *+(?:(?:(\d+{dot}\d{{9}})|summary){pad}{sep})? *+{place}"
    value = rf"{pad}(\d+(?:{dot}\d+)?|<not (?:counted|supported)>){pad}"
    # A unit is never a number: that tells the number of CPUs from a count, and other tables from perf's. An event has a letter.
    event = rf"((?=[^{re.escape(separator[-1])}]*[A-Za-z_])\S.*?)"
    # A metric, its unit and a threshold at most; what is more is another row, whose line's end was lost.
    more = "( .*)" if separator == " " else rf"((?:{sep}{cell}){{1,3}}(?:{sep})?)"  # perf 4.6 to 4.13 ends in four separators
    row = rf"{start}{value}{sep}(?![\d<]){cell}{sep}{event}{spread}{sep}(\d+){sep}(\d{{1,3}}{dot}\d\d){more}?\s*$"
    # Without a count: a metric of the row before, or a group of metrics with the running time of its events (perf 6.5 and newer).
    group = rf"{pad}{spread}{sep}{pad}{running}(?:{sep}|$).*"
    # Two empty cells at least are no value and no unit; what a metric has before it are three at least.
    empty = rf"{pad}(?:{sep}{pad}){{2,}}(?:\s*|{sep}(?!{running}).*)"
    if separator == " ":
        # Empty cells are the spaces before a line; three at least tell a metric from a line of the program.
        group, empty = rf" ?(?:{per_cents} )?{running}(?: |$).*", r" {3,}\d+(?:[.,]\d+)? +\D.*| *"
        start = rf" *(?:\d+\.\d{{9}} )?(?:{PLACE} (?:\d+ )?)?"
    return re.compile(row), re.compile(rf"{start}(?:{empty}|{group})$")


FORMAT = Format(
    key="perf_stat_csv",
    title="perf stat -x (CSV)",
    kind="CounterSeries",
    recognise=recognise,
    read=read,
    options=NoOptions,
    example={
        "perf.csv": "0.500000000,812000,,cycles,500000000,100.00,,\n"
        "0.500000000,640100,,instructions,250000000,50.00,,\n"
        "1.000000000,808400,,cycles,500000000,100.00,,\n"
        "1.000000000,<not counted>,,instructions,0,0.00,,\n"
    },
)
