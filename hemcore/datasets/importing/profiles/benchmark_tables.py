"""Results of benchmarks as their tools write them, as the text of a CSV: JMH with the counters of a profiler, STREAM of several runs, SPEC.

Sources: JMH, org.openjdk.jmh.results.format (TextResultFormat, XSVResultFormat) and profile.LinuxPerfNormProfiler; STREAM 5.10, stream.c;
SPEC CPU 2017, "Using runcpu", output_format csv.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from hemcore.datasets.importing.other_forms.written_csv import csv_of_records, csv_of_rows
from hemcore.datasets.readers.decoding import lines_of

_HEAD = 400
_JMH = re.compile(r"^Benchmark(?P<params>(?:\s+\([^()\n]+\))*)\s+Mode\s+(?:Cnt|Samples)\s+Score\b.*", re.MULTILINE)
_JMH_ROW = re.compile(
    r"(?P<name>\S.*?)\s+(?:thrpt|avgt|sample|ss)\s+(?:\d+\s+)?(?P<score>≈ ?10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+|[\d.,]+(?:E[-+]?\d+)?)"
    r"(?:\s+(?:±|\?)\s*\S+)?\s+(?P<unit>\S+)"
)
_JMH_CSV = re.compile(r'"?Benchmark"?([,;\t])"?Mode"?\1"?Threads"?\1"?Samples"?\1"?Score"?\1')
_POWERS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
_STREAM = re.compile(r"^Function\s+Best Rate MB/s\s+Avg time\s+Min time\s+Max time\s*$", re.MULTILINE)
_SPEC = re.compile(r'^"?Full Results Table"?,*\s*$', re.MULTILINE)
_SPEC_COLUMN = re.compile(r"(?:Base|Peak) (?:Run Time|Rate|Ratio|Energy.*|Average Power.*|.*Temp.*)|Est\. (?:Base|Peak) .*")
_STREAM_ROW = re.compile(r"(Copy|Scale|Add|Triad):" + 4 * r"\s+(\d[\d.]*)" + r"\s*")


class _Result(NamedTuple):
    """event: of a profiler, "" for the benchmark's own score."""

    benchmark: str
    event: str
    score: str
    unit: str


def as_table(text: str) -> str | None:
    """CSV with commas, a header and one row per benchmark; None where `text` is of none that is known.

    Of JMH the score and what a profiler counted ("bench:cycles"), per operation, without errors; as text only where a profiler counted. Of
    STREAM that ran several times, one row per kernel and run. Of SPEC CPU every run of a benchmark, also those that its score leaves out.
    """
    head = "\n".join(islice(lines_of(text), _HEAD))
    if _JMH_CSV.match(head) is not None:
        return _of_results(list(_of_jmh_csv(text)))
    if (found := _JMH.search(text)) is not None and re.search(r"^\S+:\S+\s", text[found.end() :], re.MULTILINE):
        return _of_results(list(_of_jmh(text[found.end() :])))
    if len(_STREAM.findall(text)) > 1:
        rows = [list(each.groups()) for line in lines_of(text) if (each := _STREAM_ROW.fullmatch(line)) is not None]
        seen = Counter[str]()
        for row in rows:
            seen[row[0]] += 1
            row.insert(1, str(seen[row[0]]))
        return csv_of_rows(["benchmark", "run", "Best Rate MB/s", "Avg time", "Min time", "Max time"], rows)
    if (found := _SPEC.search(head)) is not None:
        return csv_of_records(_of_spec(text[found.end() :]))
    return None


def _of_spec(text: str) -> Iterator[dict[str, str]]:
    names: list[str] = []
    runs = Counter[str]()
    for row in csv.reader(lines_of(text, ends=True)):
        if row[:1] == ["Benchmark"] and not names:
            names = row
        elif names and not any(row):
            return  # the table of selected results repeats some of them
        elif names:
            cells = {name: cell for name, cell in zip(names, row, strict=False) if _SPEC_COLUMN.fullmatch(name) and cell}
            runs[row[0]] += 1
            if cells:
                yield {"benchmark": row[0], "run": str(runs[row[0]]), "granularity": "benchmark", **cells}


def _of_jmh(text: str) -> Iterator[_Result]:
    for line in lines_of(text):
        if (found := _JMH_ROW.fullmatch(line.strip())) is not None:
            name, *params = found["name"].split()
            yield _result(name, params, found["score"], found["unit"])


def _of_jmh_csv(text: str) -> Iterator[_Result]:
    separator = _JMH_CSV.match(text)[1]  # type: ignore[index]
    for row in csv.DictReader(lines_of(text, ends=True), delimiter=separator):
        params = [value for key, value in row.items() if key and key.startswith("Param:") and value]
        yield _result(row["Benchmark"] or "", params, row["Score"] or "", row.get("Unit") or "")


def _result(name: str, params: list[str], score: str, unit: str) -> _Result:
    benchmark, _, event = name.partition(":")
    value = f"1e{score.partition('10')[2].translate(_POWERS)}" if score.startswith("≈") else score
    return _Result(" ".join([benchmark, *params]), event.lstrip("·"), value, unit)


def _of_results(results: list[_Result]) -> str | None:
    rows: list[dict[str, str]] = []
    last: dict[str, dict[str, str]] = {}
    for each in results:
        event = each.event or f"score [{each.unit}]"
        if event in last.get(each.benchmark, {"": "", event: ""}):  # the first of the benchmark, or of it again
            last[each.benchmark] = {"benchmark": each.benchmark, "granularity": "benchmark"}
            rows.append(last[each.benchmark])
        last[each.benchmark][event] = "" if each.score == "NaN" else each.score
    return csv_of_records(rows)
