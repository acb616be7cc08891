"""Reports that tools print or write of one measurement, a name and a number on a line, as the text of a CSV: one row per report.

Sources: gem5, src/base/stats/text.cc; simpleperf, cmd_stat.cpp; LIKWID, bench/src/bench.c; VTune's manual, `-report summary -format csv`;
Arm Forge's manual, `perf-report --output=FILE.csv`; perf, builtin-script.c (of what perf stat record kept).
"""

import csv
import re
from itertools import islice

from hemcore.datasets.importing.other_forms.written_csv import csv_of_records, csv_of_rows
from hemcore.datasets.readers.decoding import lines_of

_HEAD = 60
_GEM5 = "---------- Begin Simulation Statistics ----------"
_GEM5_ROW = re.compile(r"(\S+)\s+([-+]?(?:\d[\d.]*(?:e[-+]?\d+)?|nan|inf))(?:\s.*)?", re.IGNORECASE)
_SIMPLEPERF = ("Performance counter statistics:", "Performance counter statistics,")
_SIMPLEPERF_ROW = re.compile(r"\s*([\d,]+(?:\.\d+)?)(\(\w+\))?\s+([A-Za-z][\w:./-]*)\s+#.*")
_SIMPLEPERF_CSV = re.compile(r"(\d+(?:\.\d+)?)(\(\w+\))?,([A-Za-z][\w:./-]*),.*")
_BENCH = "LIKWID MICRO BENCHMARK"
_BENCH_ROW = re.compile(r"([A-Z][\w /().-]{1,40}):\s+(\d[\d.]*(?:e[-+]?\d+)?)(?: sec)?\s*")
_BENCH_TEST = re.compile(r"Test: (\S+)\s*")
_VTUNE = re.compile(r"Hierarchy Level([,;\t|])Metric Name\1Metric Value\s*")
_VTUNE_HEADS = ("Hardware Event Type", "Metric Name")
_FORGE = re.compile(r"(?:command|executable),[^,]*[/\\][^,]*")
_PERF = re.compile(r"\s*CPU\s+THREAD\s+VAL\s+ENA\s+RUN\s+TIME\s+EVENT\s*")
_PERF_ROW = re.compile(r"\s*(-?\d+)\s+(-?\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s*")


def as_table(text: str) -> str | None:
    """CSV with commas, a header and one row per report; None where `text` is of no tool that is known.

    Of gem5 and simpleperf several reports are intervals; of a distribution, each bin is a column. Of likwid-bench each report is a run of
    its test. Of VTune's summary, what is no number is left out, and a name that comes again has the one above it in front. Of perf script
    after perf stat record, one row per reading, scaled by the share of the time in which it was counted, empty where that is 0.
    """
    head = list(islice(lines_of(text), _HEAD))
    if _GEM5 in head:
        return _of_gem5(text)
    if any(line in _SIMPLEPERF for line in head):
        return _of_simpleperf(text)
    if _BENCH in head:
        return _of_bench(text)
    if head and (found := _VTUNE.fullmatch(head[0])) is not None:
        return _of_vtune(text, found[1])
    if head and _FORGE.fullmatch(head[0]) is not None and all(line.count(",") == 1 for line in head if line):
        pairs = (line.split(",") for line in lines_of(text) if line.count(",") == 1)
        return csv_of_records([{name: value for name, value in pairs if re.fullmatch(r"-?\d[\d.]*(?:e[-+]?\d+)?", value)}])
    if any(map(_PERF.fullmatch, head)):
        return _of_perf(text)
    return None


def _numbered(reports: list[dict[str, str]]) -> str | None:
    """One row per report that says something; of several, with the number of the interval."""
    there = [report for report in reports if report]
    several = len(there) > 1
    return csv_of_records({"interval": str(number), **report} if several else report for number, report in enumerate(there, start=1))


def _of_gem5(text: str) -> str | None:
    reports: list[dict[str, str]] = []
    inside = False
    for line in lines_of(text):
        if line.startswith(_GEM5):
            reports.append({})
            inside = True
        elif line.startswith("---------- End"):
            inside = False
        elif inside and (found := _GEM5_ROW.fullmatch(line)) is not None:
            reports[-1].setdefault(found[1], found[2])
    return _numbered(reports)


def _of_simpleperf(text: str) -> str | None:
    reports: list[dict[str, str]] = []
    for line in lines_of(text):
        if line.startswith(_SIMPLEPERF):
            reports.append({})
        elif reports and (found := _SIMPLEPERF_ROW.fullmatch(line) or _SIMPLEPERF_CSV.fullmatch(line)) is not None:
            unit = f" [{found[2][1:-1]}]" if found[2] else ""
            reports[-1][found[3] + unit] = found[1].replace(",", "")
    return _numbered(reports)


def _of_bench(text: str) -> str | None:
    runs: list[dict[str, str]] = []
    for line in lines_of(text):
        if line.startswith(_BENCH):
            runs.append({})
        elif runs and (named := _BENCH_TEST.fullmatch(line)) is not None:
            runs[-1]["Test"] = named[1]
        elif runs and (found := _BENCH_ROW.fullmatch(line)) is not None:
            runs[-1]["Runtime [s]" if found[1] == "Time" else found[1]] = found[2]
    tests = {run.get("Test", "") for run in runs}
    return csv_of_records(run if len(tests) > 1 else {name: value for name, value in run.items() if name != "Test"} for run in runs)


def _of_vtune(text: str, separator: str) -> str | None:
    found: dict[str, str] = {}
    above: dict[int, str] = {}
    for row in islice(csv.reader(lines_of(text, ends=True), delimiter=separator), 1, None):
        level, name, value = (*(cell.strip() for cell in row), "", "", "")[:3]
        if level.isdigit() and name not in _VTUNE_HEADS:
            above[int(level)] = name
            if re.fullmatch(r"[\d.,]*\d(?:e[-+]?\d+)?(?:\s?[%a-zA-Z/]{1,6})?", value):
                found[f"{above.get(int(level) - 1, '')} {name}".strip() if name in found else name] = value
    return csv_of_records([found] if found else [])


def _of_perf(text: str) -> str | None:
    rows = [found.groups() for line in lines_of(text) if (found := _PERF_ROW.fullmatch(line)) is not None]
    # -1 is no processor or thread: all of them together.
    places = [(at, name) for at, name in ((0, "CPU"), (1, "tid")) if len({row[at] for row in rows} - {"-1"}) > 1]
    values = (_scaled(int(value), int(enabled), int(running)) for _, _, value, enabled, running, _, _ in rows)
    made = ([row[5], *(row[at] for at, _ in places), row[6], value] for row, value in zip(rows, values, strict=True))
    return csv_of_rows(["time [ns]", *(name for _, name in places), "event", "value"], made)


def _scaled(value: int, enabled: int, running: int) -> str:
    return "" if not running else str(value) if running == enabled else f"{value * enabled / running:.15g}"
