"""Reads `perf stat -j`, with or without -I: a JSON object on each line, a reading each.

Some versions of perf write lines that are not JSON (`, }` at the end, two objects on one line, a decimal comma); these are mended, others
left out.
Source: perf-stat manual (tools/perf/Documentation/perf-stat.txt), JSON FORMAT; tools/perf/util/stat-display.c.
"""

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

from hemcore.datasets.readers.decoding import JSON, is_text, lines_of
from hemcore.datasets.readers.format import NO_OPTIONS, Format, NoOptions, ReadResult
from hemcore.datasets.readers.perf.lines import WORDS, is_remark, is_start, sample_of, text_of
from hemcore.datasets.readers.perf.perf_rows import Rows
from hemcore.datasets.readers.perf.rows_to_series import readings
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ReadError

# A number with a decimal comma, as perf writes it in some locales (de_DE).
_DECIMAL_COMMA = re.compile(r"(:\s*-?\d+),(?=\d)")
_COMMA_AT_END = re.compile(r",(?=\s*})")
# A count comes with an event; all else on a line (metrics) is perf's own arithmetic.
_COUNT, _EVENT = "counter-value", "event"
_KEYS = (_COUNT, "metric-value", "metric-unit", "metricgroup", "interval", "event-runtime")
_PLACES = {"cpu": "CPU", "core": "", "cluster": "", "cache": "", "die": "", "socket": "S", "node": "N", "thread": "", "cgroup": ""}
# Lines longer than this are no lines of perf, and nested ones would be too deep to read.
_LONGEST = 10_000


class _Line(NamedTuple):
    objects: list[dict[str, object]]
    mended: bool


def recognise(files: Sequence[UploadedFile]) -> tuple[float, str]:
    """(score 0 to 1, reason): the least share of the first lines of a file that are objects of `perf stat -j`; 0 where it is below half."""
    scores = []
    for file in files:
        lines = [_line(line) for line in sample_of(file) if not is_remark(line)]
        found = [line is not None and all(_is_perf(one) for one in line.objects) for line in lines]
        counts = any(_COUNT in one for line in lines if line is not None for one in line.objects)
        scores.append(sum(found) / len(found) if counts else 0.0)
    score = min(scores, default=0.0)
    if score < 0.5:
        return 0.0, "the lines are not JSON objects of perf stat -j"
    return 0.95 * score, "JSON objects of perf stat -j, one per line"


def read(files: Sequence[UploadedFile], options: NoOptions = NO_OPTIONS) -> ReadResult[CounterSeries]:
    """The series of `perf stat -j` files, each one or more runs of an application; see rows_to_series.readings for ids and intervals.

    Counts are per interval (-I) or per run, NaN = not counted; msec, Joules and the like as printed. Lines that cannot be mended and
    values that are not numbers are left out and listed. Raises ReadError for an empty or binary file, one in which no line can be read,
    and files without any value.
    """
    return readings([_rows(file) for file in files])


def _rows(file: UploadedFile) -> Rows:
    rows = Rows(file.name)
    mended = metrics = understood = 0
    unread: tuple[int, str] | None = None
    for number, text in enumerate(lines_of(text_of(file)), start=1):
        if is_remark(text):
            if is_start(text):
                rows.start_again()
            continue
        line = _line(text)
        if line is None or not all(_is_perf(one) for one in line.objects):
            unread = unread or (number, text)
            rows.repair(number, "", f"not readable, {text.strip()[:60]!r}: left out")
            continue
        understood += 1
        mended += line.mended
        for one in line.objects:
            if _COUNT in one and _EVENT in one:
                _add(rows, number, one)
            else:
                metrics += 1
    if unread is not None and understood == 0:
        raise ReadError(
            f"{file.name}: line {unread[0]}, {unread[1].strip()[:60]!r}, is not an object of perf stat -j, and no other line is: expected "
            f'{{"counter-value" : "1234", "event" : "cycles", ...}}. Send the output of `perf stat -j -o FILE`.'
        )
    if mended:
        rows.notes.append(f"{file.name}: lines that are not valid JSON, as some versions of perf write them, were repaired: {mended:,}.")
    if metrics:
        rows.notes.append(f"{file.name}: metrics left out, because perf computes them from the counts: {metrics:,}.")
    return rows


def _line(text: str) -> _Line | None:
    """The objects of a line and whether they had to be mended; None where it is not JSON."""
    text = text.strip()
    if not text.startswith("{") or len(text) > _LONGEST or text.count("{") > _LONGEST // 20:
        return None
    try:
        return _Line([JSON.decode(text)], mended=False)
    except ValueError:
        pass
    except RecursionError:
        return None
    text = _DECIMAL_COMMA.sub(r"\1.", _COMMA_AT_END.sub("", text))
    objects = []
    place = 0
    try:
        while place < len(text):
            one, place = JSON.raw_decode(text, place)
            objects.append(one)
            while place < len(text) and text[place] in " \t,":
                place += 1
    except (ValueError, RecursionError):
        return None
    return _Line(objects, mended=True) if all(isinstance(one, dict) for one in objects) else None


def _is_perf(one: dict[str, object]) -> bool:
    return not one or not one.keys().isdisjoint(_KEYS)


def _add(rows: Rows, number: int, one: dict[str, object]) -> None:
    event = str(one[_EVENT]).strip()
    time = _number(one["interval"]) if "interval" in one else math.nan
    place = _aggregate(one)
    if not is_text(event + place):
        rows.repair(number, "", f"a name that is not text, {ascii(event)[:60]}: left out")
        return
    if not event or ("interval" in one and not math.isfinite(time)):
        rows.repair(number, event, "an event without a name, or a time that is not a number: left out")
        return
    word = WORDS.get(str(one[_COUNT]).strip())
    count = _number(one[_COUNT]) if word is None else word
    if word is None and not 0 <= count < math.inf:
        rows.repair(number, event, f"{str(one[_COUNT])[:30]!r} is not a count: treated as not counted")
        count = math.nan
    rows.first_line = rows.first_line or number
    rows.add(time, place, event, count, _number(one.get("pcnt-running")), running_ns=_number(one.get("event-runtime")))


def _number(value: object) -> float:
    """`value`, a number or the text of one; NaN where it is neither."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return math.nan
    try:
        return float(value.replace(",", ".") if isinstance(value, str) else value)
    except (ValueError, OverflowError):
        return math.nan


def _aggregate(one: dict[str, object]) -> str:
    found = []
    for key, prefix in _PLACES.items():
        name = str(one.get(key, "")).strip()
        if name:
            found.append(prefix + name if name.isdigit() else name)
    return " ".join(found)


FORMAT = Format(
    key="perf_stat_json",
    title="perf stat -j (JSON)",
    kind="CounterSeries",
    recognise=recognise,
    read=read,
    options=NoOptions,
    example={
        "perf.json": '{"interval" : 0.500000000, "counter-value" : "812000.000000", "unit" : "", "event" : "cycles",'
        ' "event-runtime" : 500000000, "pcnt-running" : 100.00}\n'
        '{"interval" : 0.500000000, "counter-value" : "640100.000000", "unit" : "", "event" : "instructions",'
        ' "event-runtime" : 250000000, "pcnt-running" : 50.00}\n'
    },
)
