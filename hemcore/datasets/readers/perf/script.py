"""Reads `perf script -F comm,tid,cpu,time,event,period`: samples with the number of events since the one before, as counts per interval.

A line is `comm pid[/tid] [cpu] time: period event: ...`, of which -F may leave any out but time and period; call chains and addresses
behind it are passed over. Each sample stands for `period` events, so that their sum over an interval is the count of that interval. A
tracepoint (sched:sched_switch) without a period happened once.
Source: perf-script manual (tools/perf/Documentation/perf-script.txt), --fields; tools/perf/builtin-script.c.
"""

import math
import re
from array import array
from collections.abc import Sequence

import numpy as np
import pandas as pd

from hemcore.datasets.readers.decoding import lines_of
from hemcore.datasets.readers.format import Format, ReadResult, read_result
from hemcore.datasets.readers.perf.lines import sample_of, text_of
from hemcore.datasets.readers.reading_limits import check_columns, check_runs, check_values
from hemcore.datasets.readers.repairs import Repair
from hemcore.datasets.readers.series.readings import from_rows, runs_of_files, with_places
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ReadError
from hemcore.params import Params, parameter

_LINE = re.compile(
    r"\s*(?:(?P<comm>\S.{0,40}?)\s+)??(?:(?P<pid>-?\d+)(?:/(?P<tid>-?\d+))?\s+)?(?:\[(?P<cpu>\d+)\]\s+)?(?P<time>\d+\.\d{6,9}):\s+"
    r"(?:(?P<period>\d+)\s+)?(?:(?P<event>[A-Za-z_][^\s]*?):?(?=\s|$))?(?P<rest>.*)$"
)
# A bare period, where -F names no event.
_BARE = re.compile(r"\s*(?:\S.{0,60}?\s+)??(?:\[(?P<cpu>\d+)\]\s+)?(?P<time>\d+\.\d{6,9}):\s+(?P<period>\d+)\s*$")
_TRACEPOINT = re.compile(r"[\w-]+:[\w-]+")
_CHAIN = re.compile(r"\s+[0-9a-f]{6,16}\s+\S")
_WANTED_INTERVALS = 200
_STEPS = (1.0, 2.0, 5.0)
_MOST_INTERVALS = 1_000_000
_NS = 1_000_000_000
_REMEDY = "Print samples with their periods: `perf script -F comm,tid,cpu,time,event,period`."


class ScriptOptions(Params):
    """How samples become counts."""

    seconds: float = parameter(
        0.0,
        title="Interval of samples",
        description="Samples are summed over intervals of this length. 0: about 200 intervals in all.",
        ge=0,
        le=86_400,
        step=0.1,
        unit="s",
    )


_DEFAULTS = ScriptOptions()


def recognise(files: Sequence[UploadedFile]) -> tuple[float, str]:
    """(0.93 at most, why): the least share of the first lines of a file that are samples with a period; 0 where it is below half."""
    scores = []
    for file in files:
        lines = [line for line in sample_of(file) if line.strip() and not line.startswith("#") and not _CHAIN.match(line)]
        found = [_sample(line) is not None for line in lines]
        scores.append(sum(found) / len(found) if found else 0.0)
    score = min(scores, default=0.0)
    return (0.93 * score, "samples of perf script with their periods") if score >= 0.5 else (0.0, "")


def read(files: Sequence[UploadedFile], options: ScriptOptions = _DEFAULTS) -> ReadResult[CounterSeries]:
    """The counts per interval of each CPU (or thread, where no CPU is printed), each file a run (see runs_of_files).

    Time counts from the first sample. A CPU without a sample in an interval counted less than one period there, which is 0. Lines that are
    no samples are left out and listed. Raises ReadError for a file without samples that have a period.
    """
    repairs: list[Repair] = []
    notes: list[str] = []
    parts = []
    for file, (program, run) in zip(files, runs_of_files([file.name for file in files]), strict=True):
        part = _samples(file, repairs)
        part["time"] -= part["time"].min()
        parts.append(part.assign(program=program, run=run))
    rows = pd.concat(parts, ignore_index=True)
    where = files[0].name if len(files) == 1 else "all files"
    seconds = options.seconds or _length(float(rows["time"].max()))
    if rows["time"].max() / seconds > _MOST_INTERVALS:
        raise ReadError(f"{where}: more than {_MOST_INTERVALS:,} intervals of {seconds:g} s. Choose longer intervals.")
    check_columns(where, rows["event"].nunique(), "events")
    by_cpu = bool((rows["cpu"] != "").all())
    rows["aggregate"] = ("CPU" + rows["cpu"]) if by_cpu else rows["task"]
    check_runs(where, rows["aggregate"].nunique(), len(rows[["aggregate", "run"]].drop_duplicates()))
    # In whole nanoseconds, so that a sample at the end of an interval is in the next one.
    rows["interval"] = (rows["time"] * _NS).round().astype("int64") // max(1, round(seconds * _NS)) + 1
    counts = _filled(rows, where)
    counts["time"] = counts["interval"] * seconds
    counts["application"] = counts["program"] + (" " + counts["aggregate"]).where(counts["aggregate"] != "", "")
    placed = with_places(counts, counts["program"], counts["aggregate"])
    table = from_rows(placed.drop(columns="aggregate"), interval_unit=f"{seconds:g} s", where=where)
    notes.append(
        f"{len(rows):,} samples were summed over intervals of {seconds:g} s: a count is that of events, known to within one period"
        f" ({_periods(rows)})."
    )
    return read_result(table, repairs, notes)


def _periods(rows: pd.DataFrame) -> str:
    return ", ".join(f"{event}: {period:,.0f}" for event, period in rows.groupby("event", sort=False)["count"].median().head(5).items())


def _length(span: float) -> float:
    """The span in about 200 intervals of 1, 2 or 5 times a power of ten seconds."""
    if span <= 0:
        return 1.0
    wanted = span / _WANTED_INTERVALS
    power = 10.0 ** math.floor(math.log10(wanted))
    return next((step * power for step in _STEPS if step * power >= wanted), 10 * power)


def _filled(rows: pd.DataFrame, where: str) -> pd.DataFrame:
    """The sums per interval, 0 in intervals of a run without a sample; of events and places that the run has."""
    keys = ["program", "run", "aggregate"]
    sums = rows.groupby([*keys, "interval", "event"], sort=False)["count"].sum()
    made = []
    for run, part in rows.groupby(["program", "run"], sort=False):
        events, places, last = part["event"].unique(), part["aggregate"].unique(), int(part["interval"].max())
        check_values(where, last * len(places), len(events))
        index = pd.MultiIndex.from_product([[run[0]], [run[1]], places, range(1, last + 1), events], names=[*keys, "interval", "event"])
        made.append(sums.reindex(index, fill_value=0.0).reset_index())
    return pd.concat(made, ignore_index=True)


def _sample(line: str) -> tuple[str, str, float, str, float] | None:
    """(task, cpu, time, event, period) of a line; None where it is no sample with a period."""
    if len(line) > 2_000:
        return None
    found = _LINE.match(line)
    if found is not None and found["event"] is not None:
        event = found["event"]
        period = float(found["period"]) if found["period"] else 1.0 if _TRACEPOINT.fullmatch(event) else math.nan
        if math.isnan(period):
            return None
        number = found["tid"] or found["pid"] or ""
        comm = (found["comm"] or "").strip()
        task = f"{comm}-{number}" if comm and number else comm or number
        return task, _cpu(found), float(found["time"]), event, period
    bare = _BARE.match(line)
    return None if bare is None else ("", _cpu(bare), float(bare["time"]), "samples", float(bare["period"]))


def _cpu(found: re.Match[str]) -> str:
    return "" if found["cpu"] is None else str(int(found["cpu"]))


def _samples(file: UploadedFile, repairs: list[Repair]) -> pd.DataFrame:
    times, counts = array("d"), array("d")
    words: dict[str, list[str]] = {"task": [], "cpu": [], "event": []}
    wrong: list[tuple[int, str]] = []
    known: dict[str, str] = {}
    first = ""
    for number, line in enumerate(lines_of(text_of(file)), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        found = _sample(line)
        if found is None:
            if not _CHAIN.match(line):
                wrong.append((number, line.strip()[:60]))
                first = first or f"line {number}, {line.strip()[:60]!r}"
            continue
        task, cpu, time, event, period = found
        times.append(time)
        counts.append(period)
        for name, value in (("task", task), ("cpu", cpu), ("event", event)):
            words[name].append(known.setdefault(value, value))
    if not times:
        raise ReadError(f"{file.name}: no sample with a period: {first or 'line 1'}. {_REMEDY}")
    for number, line in wrong[:50]:
        repairs.append(Repair(f"{file.name}, line {number}", "", f"not a sample with a period, {line!r}: left out", 1))
    if len(wrong) > 50:
        repairs.append(Repair(file.name, "", "more lines like these: left out", len(wrong) - 50))
    return pd.DataFrame({"time": np.array(times), "count": np.array(counts), **words})


FORMAT = Format(
    key="perf_script",
    title="perf script (samples with periods)",
    kind="CounterSeries",
    recognise=recognise,
    read=read,
    options=ScriptOptions,
    example={
        "script.txt": "           qsort  4711 [000] 12345.678101:     401000 cycles:\n"
        "           qsort  4711 [001] 12345.678901:     400800 cycles:\n"
        "           qsort  4711 [000] 12345.680102:     399500 cycles:\n"
        "           qsort  4711 [000] 12345.681001:     402100 cycles:\n"
        "           qsort  4711 [001] 12345.681090:     398700 cycles:\n"
    },
)
