"""Reads what `perf stat` and `perf stat -I` print for people, in the thousands separators and decimal marks of any locale.

A row is `[time] [id [ncpus]] value [unit] event [cgroup] [# metric] [( +- variance% )] [(running%)]`, at the gaps that perf leaves: a unit
stands one space after the value, an event without a unit at least two, before perf 3.15 one. An event is padded to 24 columns or more, so
that a space in a shorter one is a part of its name. Source: perf-stat manual (tools/perf/Documentation/perf-stat.txt),
EXAMPLES and -I; tools/perf/util/stat-display.c.
"""

import re
from collections.abc import Sequence
from itertools import islice

import numpy as np

from hemcore.datasets.readers.decoding import lines_of
from hemcore.datasets.readers.format import NO_OPTIONS, Format, NoOptions, ReadResult
from hemcore.datasets.readers.perf.csv_marks import are_perfs
from hemcore.datasets.readers.perf.lines import PLACE, WORDS, from_heading, is_start, sample_of, text_of
from hemcore.datasets.readers.perf.perf_rows import Rows
from hemcore.datasets.readers.perf.refusals import no_count
from hemcore.datasets.readers.perf.rows_to_series import readings
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ReadError

_BLOCK = re.compile(r"\s*Performance counter stats for (.*)")
_BLOCK_END = re.compile(r".*:\s*$")
_COLUMNS = re.compile(r"#\s+time\s.*\bcounts\b")
_JOINED = re.compile(r"\d+\.\d{9} .*")
_ELAPSED = re.compile(r"\s*[\d.,]+(?:\s\+-\s*[\d.,]+)?\s+seconds (?:time elapsed|user|sys)\b")
_SPACE = "[ ,.'’\u00a0\u202f]"
# Decimals are two (or six, before perf 4.17), groups three: that tells a decimal comma from a thousands separator.
_DECIMALS = re.compile(r"[.,](?:\d{2}|\d{6})$")
_POINT = r"(?:[.,](?:\d{2}|\d{6}))?"
_VALUE = rf"(\d+{_POINT}|\d{{1,3}}(?:{_SPACE}\d{{2,3}})*{_SPACE}\d{{3}}{_POINT}|<not (?:counted|supported)>)"
_TIME = r" *(?:(\d+[.,]\d{9}) +)?"
_BODY = r"( +)((?=[^\s#]*[A-Za-z_%])\S.*?)(?= *$| +[#(\[]) *((?:#|\(|\[).*)?$"
_PLAIN = re.compile(rf"{_TIME}()()?{_VALUE}{_BODY}")
_PLACED = re.compile(rf"{_TIME}({PLACE}|\S[^#]{{0,40}}?-\d+) +(\d+ +)?{_VALUE}{_BODY}")
# Behind the id of a CPU or a thread perf prints no number of CPUs: digits there are the first of a value in groups, "4 946 052 277".
_UNCOUNTED = re.compile(r"CPU|(?![SDCN]-?\d)")
_UNIT = re.compile(r"([^\s\d(#]\S*)( +)(\S.*)")
_TOKEN = re.compile(r"( *)(\S+)")
_LETTER = re.compile(r"[^\s#]*[A-Za-z_]")
_WIDEST_UNIT, _LEAST_EVENT = 20, 24
# Before perf 3.15: an event one space after a value that fills 18 columns, and no unit.
_COLUMNS_OF_VALUE = 18
_LOOKED_AT = 2_000
_METRIC = re.compile(rf"{_TIME}(?:\S.{{0,40}}? +)?#")
_SHARE = re.compile(r"[(\[]\s*(?:scaled from\s+)?(\d+[.,]\d+)%\s*[)\]]\s*$")
_NOTICE = re.compile(
    r"\s*(?:Some events weren't counted|The events in group|echo \d > /proc|perf stat \.\.\.|[\d.,]+ \([+-][\d.,]+\)\s*#*$)"
)
_LONGEST = 1_000
# Behind a metric or a share: another row, whose line's end was lost.
_ANOTHER = re.compile(rf"(?<=[^\s#]) {{2,}}(?:\d+\.\d{{9}} +)?(?:(?:{PLACE}) +(?:\d+ +)?)?{_VALUE} +[A-Za-z]")


def recognise(files: Sequence[UploadedFile]) -> tuple[float, str]:
    """(score 0 to 1, reason): 0.9 where each file has a heading of perf stat and a row under it in its first lines, else 0."""
    for file in files:
        lines = sample_of(file)
        start = _heading(lines)
        if start is None:
            # Below what the program itself printed.
            below = from_heading(file)[1]
            start = _heading(below)
            lines = lines if start is None else below
        if start is None and _is_headless(lines):
            start = -1
        if start is None:
            return 0.0, f"{file.name}: no 'Performance counter stats for' and no '# time counts unit events'"
        if not any(_row(line, False) for line in lines[start + 1 :]):
            return 0.0, f"{file.name}: a heading of perf stat, but no count under it"
    return (0.9, "a heading of perf stat and counts under it") if files else (0.0, "no file")


def _is_headless(lines: Sequence[str]) -> bool:
    """Whether the first lines are all rows of -I, of events that perf itself names: before 3.13 it printed no heading."""
    rows = [_row(line, False) for line in lines if line.strip()]
    found = [row for row in rows if row is not None and not np.isnan(row[0])]
    return len(found) == len(rows) and are_perfs({row[2] for row in found})


def _heading(lines: Sequence[str]) -> int | None:
    return next((number for number, line in enumerate(lines) if _BLOCK.match(line) or _COLUMNS.match(line)), None)


def read(files: Sequence[UploadedFile], options: NoOptions = NO_OPTIONS) -> ReadResult[CounterSeries]:
    """The series of the output of `perf stat` for people; see rows_to_series.readings for ids and intervals.

    Counts are per interval (-I) or per run, NaN = not counted; msec, Joules and the like as printed. Each block "Performance counter stats
    for" is a run; where the commands differ, each command is an application. What stands before the first heading is passed over, a
    line between that cannot be read is left out and listed. Raises ReadError for an empty or binary file and one without any count.
    """
    return readings([_rows(file) for file in files])


def _rows(file: UploadedFile) -> Rows:
    text = text_of(file)
    rows = Rows(file.name, shares_cut=False, separate_segments=True)
    programs = {_program(line) for line in lines_of(text) if "Performance counter stats" in line} - {None}
    inside = timed = _is_headless(sample_of(file))
    heading = ended = total = False
    metrics = 0
    last = text.count("\n") + 1
    events: set[str] = set()
    unitless = any(_is_unitless(line) for line in islice(lines_of(text), _LOOKED_AT))
    for number, line in enumerate(lines_of(text), start=1):
        line = line.rstrip()
        if heading:
            heading = not _BLOCK_END.match(line)
        elif (program := _program(line)) is not None:
            # A command of several lines makes a heading of several lines.
            inside, heading, total, ended = True, not _BLOCK_END.match(line), True, False
            # The block after the intervals of -I is their total.
            rows.start_again(program if len(programs) > 1 and not timed else "")
        elif _COLUMNS.match(line):
            inside, timed, total = True, True, False
            if (joined := _JOINED.search(line)) is not None:
                rows.repair(number, "", f"on the heading's line, {line[joined.start() :].strip()[:60]!r}: left out")
        elif is_start(line):
            rows.start_again()
            inside = False
        elif _ELAPSED.match(line) or "# Table of individual measurements" in line:
            inside, ended = inside and timed, not timed
        elif ended and not inside and (late := _row(line, unitless)) is not None and (late[2] in events or line[:1] == " "):
            rows.repair(number, "", f"a reading after the end of its block, {line.strip()[:60]!r}: left out")
        elif inside and line.lstrip().startswith("#"):
            hidden = _row(line.replace("#", " ", 1), unitless)
            if hidden is not None and hidden[2] in events:
                rows.repair(number, "", f"a reading behind '#', {line.strip()[:60]!r}: left out")
        elif inside and line:
            found = _row(line, unitless)
            if found is not None and timed and not total and np.isnan(found[0]):
                found = None
            # The last line without its end may be cut in the middle of the name.
            if found is None or (number == last and events and found[2] not in events):
                if _METRIC.match(line) and not _ANOTHER.search(line):
                    metrics += 1
                elif not _notice(line):
                    rows.repair(number, "", f"not a perf stat count, {line.strip()[:60]!r}: left out")
                continue
            events.add(found[2])
            rows.first_line = rows.first_line or number
            rows.add(*found)
        elif not _notice(line):
            rows.outside(line)
    if not len(rows):
        raise ReadError(no_count(file.name, lines_of(text)))
    if metrics:
        rows.notes.append(f"{file.name}: rows of metrics left out, because perf computes them from the counts: {metrics:,}.")
    return rows


def _program(line: str) -> str | None:
    found = _BLOCK.match(line)
    if found is None:
        return None
    return re.sub(r"(?: \(\d+ runs\))?:\s*$", "", found.group(1)).strip().strip("'")[:60]


def _is_unitless(line: str) -> bool:
    """Whether `line` is a row as perf printed them before 3.15, when an event stood one space after its value."""
    found = _PLAIN.match(line) if len(line) <= _LONGEST else None
    return found is not None and found[5] == " " and " " not in found[6] and found.end(4) >= _COLUMNS_OF_VALUE


def _row(line: str, unitless: bool) -> tuple[float, str, str, float, float] | None:
    """(time, aggregate, event, count, per cent) of a row; None where it is none. unitless: no value has a unit after it."""
    if len(line) > _LONGEST:
        return None
    found = _PLAIN.match(line) or _PLACED.match(line)
    if found is None:
        return None
    time, place, cpus, value, gap, body, rest = found.groups()
    if cpus and _UNCOUNTED.match(place):
        value = f"{cpus}{value}"
    if rest and _ANOTHER.search(rest):
        return None
    named = _event(0 if unitless else len(gap), body)
    if named is None:
        return None
    event, cgroup = named
    count = _count(value)
    share = _SHARE.search(rest or "")
    # perf leaves the share out where an event was counted all the time.
    printed = "100" if count >= 0 else "nan"
    per_cent = float((share.group(1) if share else printed).replace(",", "."))
    return np.nan if time is None else float(time.replace(",", ".")), f"{place} {cgroup}".strip(), event, count, per_cent


def _event(gap: int, body: str) -> tuple[str, str] | None:
    """(event, cgroup; "" for none) of what stands `gap` columns after a value; None where there is no name."""
    unit = _UNIT.fullmatch(body) if gap == 1 else None
    if unit is not None and len(unit[1]) + len(unit[2]) <= _WIDEST_UNIT and unit[1] != "raw":
        body = unit[3]
    if not _LETTER.match(body):
        return None
    event = ""
    for token in _TOKEN.finditer(body):
        # A wider gap is the padding of the name; after a name that fills its columns there is one space.
        if event and (len(token[1]) > 1 or len(event) >= _LEAST_EVENT):
            cgroup = body[token.start() :].strip()
            return None if " " in cgroup else (event, cgroup)
        event += token[0]
    return event, ""


def _count(value: str) -> float:
    if value in WORDS:
        return WORDS[value]
    decimals = _DECIMALS.search(value)
    whole = value if decimals is None else value[: decimals.start()]
    digits = re.sub(r"\D", "", whole)
    return float(digits if decimals is None else f"{digits}.{decimals.group()[1:]}")


def _notice(line: str) -> bool:
    """What perf itself says under the counts: its advice on the NMI watchdog and on groups, and how long each run of --table took."""
    return _NOTICE.match(line) is not None


FORMAT = Format(
    key="perf_stat_text",
    title="perf stat text output",
    kind="CounterSeries",
    recognise=recognise,
    read=read,
    options=NoOptions,
    example={
        "perf.txt": "#           time             counts unit events\n"
        "     0.500108500            812,000      cycles                    (100.00%)\n"
        "     0.500108500            640,100      instructions              (50.00%)\n"
        "     1.000392100            808,400      cycles                    (100.00%)\n"
    },
)
