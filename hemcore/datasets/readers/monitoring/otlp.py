"""Reads OpenTelemetry metrics in JSON (OTLP): one document, or a line per batch as the collector's file exporter writes them.

`{"resourceMetrics": [{"resource": {"attributes": [...]}, "scopeMetrics": [{"metrics": [{"name": ..., "sum" | "gauge": {"dataPoints":
[{"timeUnixNano": "...", "asInt" | "asDouble": ..., "attributes": [...]}], "aggregationTemporality": 1 | 2, "isMonotonic": true}}]}]}]}`.
Source: OpenTelemetry protocol (https://opentelemetry.io/docs/specs/otlp), JSON Protobuf Encoding; metrics.proto.
"""

import json
import math
import re
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

import numpy as np
import pandas as pd

from hemcore.datasets.readers import decoding
from hemcore.datasets.readers.format import NO_OPTIONS, Format, NoOptions, ReadResult, read_result
from hemcore.datasets.readers.monitoring.json_files import head_text, json_of, number_of, text_of
from hemcore.datasets.readers.repairs import Repair
from hemcore.datasets.readers.series.readings import runs_of_files
from hemcore.datasets.readers.series.sampled_values import check_samples, differences_of, series_of_samples
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.checks import listed
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ReadError

_PLACES = {
    "node": ("host.name", "k8s.node.name", "host.id"),
    "socket": ("socket", "hw.socket", "cpu.socket", "package"),
    "core": ("core", "core.id"),
    "thread": ("cpu", "cpu.logical_number", "hw.cpu", "state.cpu"),
}
_PROGRAM = ("service.name", "process.executable.name", "process.command")
_CUMULATIVE = (2, "2", "AGGREGATION_TEMPORALITY_CUMULATIVE")
_OTHERS = ("histogram", "exponentialHistogram", "summary")
_REMEDY = "Export sums and gauges with the collector's file exporter (format: json), and send the file as it is."
_NO_VALUE = "no number in asInt or asDouble: treated as not counted"
_NO_POINTS = "no data points of a sum or gauge: left out"
_VALUES = ("stringValue", "intValue", "doubleValue", "boolValue")


def recognise(files: Sequence[UploadedFile]) -> tuple[float, str]:
    """(0.98, why) where each file begins with resourceMetrics, else 0."""
    for file in files:
        if re.match(r'\{\s*"resourceMetrics"\s*:', head_text(file)) is None:
            return 0.0, ""
    return (0.98, "metrics of OpenTelemetry: values over time by resource, metric and attributes") if files else (0.0, "")


def read(files: Sequence[UploadedFile], options: NoOptions = NO_OPTIONS) -> ReadResult[CounterSeries]:
    """The values as a series: one application per service, node, socket, core and CPU that attributes name; each file a run.

    Events are the names of metrics with those attributes that differ ("hw.misses level=L3"). Cumulative sums become counts per interval,
    listed; values of other metrics at the moment where these begin are left out, listed. Histograms and summaries are left out and noted.
    Raises ReadError for what is no such JSON and where no sum or gauge has a value.
    """
    repairs: list[Repair] = []
    notes: list[str] = []
    parts: list[pd.DataFrame] = []
    for file, (program, run) in zip(files, runs_of_files([file.name for file in files]), strict=True):
        rows = _points(file, repairs, notes)
        if rows.empty:
            raise ReadError(f"{file.name}: line 1: no sum and no gauge with a value. {_REMEDY}")
        check_samples(file.name, len(rows), [file])
        timed = rows["time"].notna()
        if timed.any() and not timed.all():
            names = listed(dict.fromkeys(rows.loc[~timed, "event"]))
            repairs.append(Repair(file.name, names, "no number in timeUnixNano: left out", int((~timed).sum())))
            rows = rows[timed]
        rows["program"] = rows["program"].where(rows["program"] != "", program)
        parts.append(_per_interval(rows, file.name, repairs).assign(run=run))
    where = files[0].name if len(files) == 1 else "all files"
    together = pd.concat(parts, ignore_index=True)
    twice = together.duplicated([name for name in together if name != "count"])
    if twice.any():
        raise ReadError(f"{where}: {together['event'][twice].iloc[0]!r} has two values for one moment and place. {_REMEDY}")
    ends = "begin" in together and bool(together["begin"].notna().all())
    series = series_of_samples(together.drop(columns=[] if ends else ["begin"], errors="ignore"), where=where, remedy=_REMEDY,
                               repairs=repairs, notes=notes, ends=ends)  # fmt: skip
    return read_result(series, repairs, notes)


def _documents(file: UploadedFile) -> Iterator[Mapping[str, object]]:
    text = decoding.text_of(file.name, file.content, remedy=_REMEDY)
    lines = [*islice((line for line in decoding.lines_of(text) if line.strip()), 2)]
    if len(lines) > 1 and lines[1].lstrip().startswith('{"resourceMetrics"'):
        for number, line in enumerate(decoding.lines_of(text), start=1):
            if line.strip():
                found = json_of(UploadedFile(f"{file.name}, line {number}", line.encode()), remedy=_REMEDY)
                yield found if isinstance(found, dict) else {}
        return
    found = json_of(file, remedy=_REMEDY)
    yield found if isinstance(found, dict) else {}


def _points(file: UploadedFile, repairs: list[Repair], notes: list[str]) -> pd.DataFrame:
    """One row per value: program, the levels of the machine, event, time (s since 1970), count and cumulative."""
    numbers: dict[tuple[object, ...], int] = {}
    described: list[tuple[str, dict[str, str], dict[str, str], bool]] = []  # what values have in common: as rows, they take ten times that
    codes, times, counts = array("l"), array("d"), array("d")
    left_out: dict[str, None] = {}
    lost: Counter[tuple[str, str]] = Counter()  # by metric and what is missing
    for document in _documents(file):
        for resource in _list(document, "resourceMetrics"):
            inside = resource.get("resource")
            common = _attributes(inside if isinstance(inside, dict) else {})
            for metric in (each for scope in _list(resource, "scopeMetrics") for each in _list(scope, "metrics")):
                name = text_of(metric.get("name")) or "metric without a name"
                others, before = any(kind in metric for kind in _OTHERS), len(codes)
                left_out |= dict.fromkeys([name] if others else [])
                for kind in ("sum", "gauge"):
                    data = metric.get(kind)
                    data = data if isinstance(data, dict) else {}
                    monotonic = data.get("isMonotonic") is True
                    cumulative = kind == "sum" and monotonic and data.get("aggregationTemporality") in _CUMULATIVE
                    for point in _list(data, "dataPoints"):
                        own = _attributes(point)
                        key = (name, cumulative, *common.items(), None, *own.items())
                        if key not in numbers:
                            numbers[key] = len(described)
                            described.append((name, own, _place({**common, **own}), cumulative))
                        codes.append(numbers[key])
                        times.append(number_of(point.get("timeUnixNano")) / 1e9)
                        counts.append(number_of(point.get("asInt", point.get("asDouble"))))
                        lost[name, _NO_VALUE] += math.isnan(counts[-1])
                lost[name, _NO_POINTS] += len(codes) == before and not others
    repairs += [Repair(file.name, name, what, many) for (name, what), many in lost.items() if many]
    if left_out:
        notes.append(f"{file.name}: histograms and summaries left out, which are no counts at a moment: {listed(left_out)}.")
    if not described:
        return pd.DataFrame()
    differ = _that_differ([own for _, own, _, _ in described])
    events = [" ".join([name, *(f"{key}={own[key]}" for key in differ if key in own)]) for name, own, _, _ in described]
    of = np.frombuffer(codes, dtype=codes.typecode)
    places = {level: np.array([place[level] for _, _, place, _ in described], dtype=object)[of] for level in (*_PLACES, "program")}
    cumulative_of = np.array([cumulative for *_, cumulative in described])[of]
    values = {"time": np.frombuffer(times), "count": np.frombuffer(counts), "cumulative": cumulative_of}
    return pd.DataFrame({**places, **values, "event": np.array(events, dtype=object)[of]})


def _per_interval(rows: pd.DataFrame, where: str, repairs: list[Repair]) -> pd.DataFrame:
    """`rows` with each cumulative sum as counts per interval, without the first of each, and without what stands at these moments alone."""
    keys = ["program", *_PLACES, "event"]
    rows = rows.sort_values("time", kind="stable")
    made, firsts = [], set()
    sums = rows[rows["cumulative"]]
    for _, part in sums.groupby(keys, sort=False):
        firsts.add(part["time"].iloc[0])
        counts = differences_of(part["count"].to_numpy(dtype=float), str(part["event"].iloc[0]), where, repairs)
        made.append(part.iloc[1:].assign(count=counts))
    others = rows[~rows["cumulative"]]
    if made:
        names = listed(dict.fromkeys(sums["event"]))
        repairs.append(Repair(where, names, "cumulative sum: made counts per interval, the first value left out", len(made)))
        begins = min(firsts)
        early = others["time"] <= begins
        if early.any():
            names = listed(dict.fromkeys(others.loc[early, "event"]))
            repairs.append(Repair(where, names, "left out: taken before the first interval of the sums ended", int(early.sum())))
            others = others[~early]
        others = others.assign(begin=begins)
        made = [part.assign(begin=begins) for part in made]
    kept = pd.concat([*made, others]) if made else others
    order = {event: place for place, event in enumerate(dict.fromkeys(rows["event"]))}
    kept = kept.assign(order=kept["event"].map(order)).sort_values(["time", "order"], kind="stable")
    return kept.drop(columns=["cumulative", "order"]).reset_index(drop=True)


def _list(found: Mapping[str, object], key: str) -> list[Mapping[str, object]]:
    inside = found.get(key)
    return [each for each in inside if isinstance(each, dict)] if isinstance(inside, list) else []


def _attributes(found: Mapping[str, object]) -> dict[str, str]:
    made = {}
    for each in _list(found, "attributes"):
        value = each.get("value")
        inside = next((value[kind] for kind in _VALUES if kind in value), None) if isinstance(value, dict) else None
        made[text_of(each.get("key"))] = str(inside).lower() if isinstance(inside, bool) else text_of(inside)
    return made


def _place(attributes: Mapping[str, str]) -> dict[str, str]:
    found = {level: next((attributes[key] for key in keys if key in attributes), "") for level, keys in _PLACES.items()}
    found["thread"] = found["thread"].removeprefix("cpu")
    return {**found, "program": next((attributes[key] for key in _PROGRAM if attributes.get(key)), "")}


def _that_differ(attributes: Sequence[Mapping[str, str]]) -> list[str]:
    """The attributes that say more than the place and have several values, or are not there everywhere."""
    places = {key for keys in (*_PLACES.values(), _PROGRAM) for key in keys}
    keys = dict.fromkeys(key for own in attributes for key in own if key not in places)
    return [key for key in keys if len({own.get(key) for own in attributes}) > 1]


def _point(second: int, value: int, cpu: int) -> dict[str, object]:
    where = [{"key": "cpu", "value": {"intValue": str(cpu)}}]
    return {"attributes": where, "timeUnixNano": str((1763895600 + second) * 10**9), "asInt": str(value)}


_EXAMPLE = {
    "name": "hw.cycles",
    "unit": "1",
    "sum": {
        "dataPoints": [
            _point(15 * place, first + 195 * place + 15 * (place > 1), cpu) for cpu, first in ((0, 8120), (1, 6401)) for place in range(3)
        ],
        "aggregationTemporality": 2,
        "isMonotonic": True,
    },
}
FORMAT = Format(
    key="otlp_metrics",
    title="OpenTelemetry metrics (OTLP JSON)",
    kind="CounterSeries",
    recognise=recognise,
    read=read,
    options=NoOptions,
    example={"metrics.json": json.dumps({"resourceMetrics": [{"scopeMetrics": [{"metrics": [_EXAMPLE]}]}]}, indent=1) + "\n"},
)
