"""Reads the answer of Prometheus to a range query (/api/v1/query_range): JSON with resultType "matrix".

`{"status": "success", "data": {"resultType": "matrix", "result": [{"metric": {"__name__": "x", "instance": "n1:9100", "cpu": "0"},
"values": [[1763895600.781, "1"], ...]}]}}`. Times are seconds since 1970, values texts. `promtool query range` prints the same as text.
Source: Prometheus HTTP API (https://prometheus.io/docs/prometheus/latest/querying/api), Range queries.
"""

import json
import re
import uuid
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import TypedDict

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.datasets.readers import decoding
from hemcore.datasets.readers.format import NO_OPTIONS, Format, NoOptions, ReadResult, read_result
from hemcore.datasets.readers.monitoring import promtool
from hemcore.datasets.readers.monitoring.json_files import head_text, json_of, number_of, text_of
from hemcore.datasets.readers.repairs import Repair
from hemcore.datasets.readers.series.readings import begun_alike, runs_of_files
from hemcore.datasets.readers.series.sampled_values import check_samples, differences_of, series_of_samples
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ReadError

# Labels that say where in the cluster a value was taken; the first that is there counts.
_PLACES = {
    "node": ("instance", "node", "nodename", "host", "hostname", "exported_instance"),
    "socket": ("socket", "package", "physical_package_id"),
    "core": ("core", "core_id"),
    "thread": ("cpu", "hwthread", "logical_cpu"),
}
_CUMULATIVE = re.compile(r".*_(?:total|sum|count|bucket|joules|created)")
_MATRIX = re.compile(r'"resultType"\s*:\s*"(\w+)"')
# The results alone: as a list, or one on each line, as VictoriaMetrics exports them.
_BARE = re.compile(r'\s*(?:\[\s*)?\{\s*"metric"\s*:\s*\{[^{}]*\}\s*,\s*"values"\s*:\s*\[')
_PAIR = r"\[\s*+[\d.eE+-]++\s*+,\s*+\"[\w.+-]++\"\s*+\]\s*+"
_VALUES = re.compile(rf'"values"\s*+:\s*+\[\s*+({_PAIR}(?:,\s*+{_PAIR})*+)\]')
_MARKS = re.compile(r'[\[\]"\s]+')
_REMEDY = "Ask /api/v1/query_range with start, end and step, and send its answer as it is."
# One reset to so many rises at most; else it is no counter.
_FEW = 20


class _Result(TypedDict):
    """One result of the answer: its labels, its times and values, shape (values, 2), and of values that are no numbers how many there are
    and the first."""

    metric: dict[str, object]
    values: NDArray[np.float64]
    words: tuple[int, str] | None


def recognise(files: Sequence[UploadedFile]) -> tuple[float, str]:
    """(0.98, why) where each file is an answer of Prometheus that says its resultType, else 0."""
    for file in files:
        head = head_text(file)
        answer = head.startswith("{") and _MATRIX.search(head) is not None and '"metric"' in head
        if not answer and _BARE.match(head) is None and not promtool.is_printed(head):
            return 0.0, ""
    return (0.98, "an answer of Prometheus to a range query: values over time by metric and labels") if files else (0.0, "")


def read(files: Sequence[UploadedFile], options: NoOptions = NO_OPTIONS) -> ReadResult[CounterSeries]:
    """The values as a series: one application per node, socket, core and CPU that the labels name; each file a run (see runs_of_files).

    Events are the names of metrics with their other labels ("node_cpu_seconds_total mode=idle"). Cumulative counters (_total ...) become
    counts per interval, listed; where one starts again, the interval is not counted. Raises ReadError for what is no such JSON, and for an
    answer at one moment.
    """
    repairs: list[Repair] = []
    notes: list[str] = []
    parts: list[pd.DataFrame] = []
    size = 0
    results = [_result(file) for file in files]
    named = runs_of_files([file.name for file in files])
    for file, result, (program, run) in zip(files, results, _one_run(files, results) or named, strict=True):
        common = _common_labels(result)
        for each in result:
            if (words := each["words"]) is not None:
                repairs.append(
                    Repair(
                        file.name, _event(each["metric"], common), f"{words[1][:40]!r} and the like are no numbers: not counted", words[0]
                    )
                )
        size += sum(len(each["values"]) for each in result)
        check_samples(file.name, size, files)
        cumulative: list[str] = []
        for each in result:
            labels, values = each["metric"], each["values"]
            times, counts = values.T
            event, place = _event(labels, common), _place(labels)
            if _is_cumulative(text_of(labels.get("__name__")), counts):
                cumulative.append(event)
                times, counts = times[1:], differences_of(counts, event, f"{program}, run {run}", repairs)
            texts = {name: np.full(len(times), text, dtype=object) for name, text in {"event": event, "program": program, **place}.items()}
            parts.append(pd.DataFrame({**texts, "time": times, "count": counts, "run": run}))
        if cumulative:
            names = list(dict.fromkeys(cumulative))
            shown = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
            repairs.append(
                Repair(file.name, shown, "cumulative counter: made counts per interval, the first value left out", len(cumulative))
            )
    where = files[0].name if len(files) == 1 else "all files"
    series = series_of_samples(_together(parts, files[0].name, where), where=where, remedy=_REMEDY, repairs=repairs, notes=notes)
    return read_result(series, repairs, notes)


def _one_run(files: Sequence[UploadedFile], results: Sequence[list[_Result]]) -> list[tuple[str, int]]:
    """One program and run for all files, where each is the answer for another metric, of the same time; empty where they are runs."""
    metrics = [{text_of(each["metric"].get("__name__")) for each in result} for result in results]
    times = [np.concatenate([each["values"][:, 0] for each in result]) for result in results]
    if len(files) < 2 or "" in set.union(*metrics) or sum(map(len, metrics)) > len(set.union(*metrics)) or not all(map(len, times)):
        return []
    if max(each.min() for each in times) >= min(each.max() for each in times):
        return []
    common = begun_alike([PurePosixPath(file.name).stem for file in files]).strip(" _.-")
    return [(common or PurePosixPath(files[0].name).stem, 1)] * len(files)


def _together(parts: list[pd.DataFrame], first: str, where: str) -> pd.DataFrame:
    """The rows of all; `parts` is emptied: millions are not held twice. Raises ReadError for none, and for two of one moment."""
    rows = pd.concat(parts) if parts else pd.DataFrame()
    parts.clear()
    if rows.empty:
        raise ReadError(f"{first}: line 1: the answer holds no value. {_REMEDY}")
    twice = rows.duplicated([name for name in rows if name != "count"])
    if twice.any():
        raise ReadError(f"{where}: {rows['event'][twice.to_numpy()].iloc[0]!r} has two values for one moment and place. {_REMEDY}")
    return rows


def _result(file: UploadedFile) -> list[_Result]:
    content, taken = _content(file)
    content = {"data": {"resultType": "matrix", "result": content}} if isinstance(content, list) else content
    data = content.get("data") if isinstance(content, dict) else None
    if isinstance(content, dict) and content.get("status") == "error":
        raise ReadError(f"{file.name}: line 1: Prometheus answered with the error {text_of(content.get('error'))[:120]!r}. {_REMEDY}")
    kind = data.get("resultType") if isinstance(data, dict) else None
    if kind != "matrix":
        raise ReadError(
            f"{file.name}: line 1: resultType {str(kind)[:20]!r} must be 'matrix': values over time, not at one moment. {_REMEDY}"
        )
    assert isinstance(data, dict)
    found = data.get("result")
    result = [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []
    pairs = [(each.get("metric"), _numbers(each.get("values"), taken)) for each in result]
    words = [_words(each.get("values")) for each in result]
    whole = [
        _Result(metric=labels, values=values, words=odd)
        for (labels, values), odd in zip(pairs, words, strict=True)
        if isinstance(labels, dict) and values is not None
    ]
    if not whole or len(whole) < len(result):
        raise ReadError(f"{file.name}: line 1: a result has no 'metric' and 'values', or there is none. {_REMEDY}")
    return whole


def _content(file: UploadedFile) -> tuple[object, dict[str, NDArray[np.float64]]]:
    """(what the file says, with names for the lists of values; these lists). As objects they take ten times their text."""
    taken: dict[str, NDArray[np.float64]] = {}
    key = uuid.uuid4().hex  # so that no file can name a list

    def take(found: re.Match[str]) -> str:
        try:
            numbers = np.array(_MARKS.sub("", found[1]).split(","), dtype=float)
        except ValueError:
            return found[0]
        name = f"{key} {len(taken)}"
        taken[name] = numbers.reshape(-1, 2)
        return f'"values":"{name}"'

    text = decoding.text_of(file.name, file.content, remedy=_REMEDY)
    if text.lstrip().startswith("{") and '"timestamps"' in text.partition("\n")[0] and (lines := _exported(text)) is not None:
        return lines, {}
    if promtool.is_printed(text):
        return promtool.results_of(text), {}
    text = _VALUES.sub(take, text)
    try:
        return decoding.JSON.decode(text), taken
    except (ValueError, RecursionError):
        return json_of(file, remedy=_REMEDY), {}  # which says what is wrong and where


def _exported(text: str) -> list[object] | None:
    """The results of lines that are one each, with their times in ms apart; None for any other text."""
    found: list[object] = []
    try:
        for line in filter(str.strip, decoding.lines_of(text)):
            one = decoding.JSON.decode(line)
            found.append({**one, "values": [[time / 1_000, value] for time, value in zip(one["timestamps"], one["values"], strict=True)]})
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return found


def _numbers(values: object, taken: Mapping[str, NDArray[np.float64]]) -> NDArray[np.float64] | None:
    """The times and values of a result that have a time, NaN where there is no value; None where there is no list of them."""
    if isinstance(values, str):
        return taken.get(values)
    if not isinstance(values, list):
        return None
    pairs = [pair if isinstance(pair, list) and len(pair) == 2 else (None, None) for pair in values]
    found = np.array([(number_of(pair[0]), number_of(pair[1])) for pair in pairs], dtype=float).reshape(-1, 2)
    return found[~np.isnan(found[:, 0])]  # _words tells of the others


def _words(values: object) -> tuple[int, str] | None:
    """(how many points of a list are no time with a number or the NaN and null of Prometheus, what is odd in the first); None for none."""
    odd: list[object] = []
    for pair in values if isinstance(values, list) else []:
        if not isinstance(pair, list) or len(pair) != 2:  # three where a decimal comma parts a time
            odd.append(pair)
        elif pair[1] is not None and str(pair[1]).strip().lower() != "nan":
            odd += [each for each in (pair[1], pair[0]) if np.isnan(number_of(each))][:1]
    return (len(odd), str(odd[0])) if odd else None


def _common_labels(result: Sequence[_Result]) -> set[str]:
    """Labels that are the same in every result: they tell nothing apart."""
    every = [each["metric"] for each in result]
    first = every[0]
    return {name for name in first if all(each.get(name) == first[name] for each in every)}


def _event(labels: dict[str, object], common: set[str]) -> str:
    places = {name for names in _PLACES.values() for name in names}
    told = [f"{name}={text_of(value)}" for name, value in labels.items() if name not in common | places | {"__name__"}]
    return " ".join([text_of(labels.get("__name__")) or "value", *told])


def _place(labels: dict[str, object]) -> dict[str, str]:
    found = {}
    for level, names in _PLACES.items():
        name = next((each for each in names if each in labels), None)
        if name is not None:
            value = text_of(labels[name])
            # The port of the exporter is no part of the node's name.
            found[level] = re.sub(r":\d+$", "", value) if level == "node" else value.removeprefix("cpu")
    return found


def _is_cumulative(name: str, counts: np.ndarray) -> bool:
    steps = np.diff(counts[np.isfinite(counts)])
    rises, falls = int((steps > 0).sum()), int((steps < 0).sum())
    return _CUMULATIVE.fullmatch(name) is not None and falls * _FEW <= max(rises, falls and _FEW)


def _result_of(instance: str, cpu: str, values: Sequence[int]) -> dict[str, object]:
    pairs = [[1763895600 + 15 * place, str(value)] for place, value in enumerate(values)]
    return {"metric": {"__name__": "node_context_switches_total", "instance": instance, "cpu": cpu}, "values": pairs}


FORMAT = Format(
    key="prometheus_range",
    title="Prometheus range query (JSON)",
    kind="CounterSeries",
    recognise=recognise,
    read=read,
    options=NoOptions,
    example={
        "query_range.json": json.dumps(
            {
                "status": "success",
                "data": {
                    "resultType": "matrix",
                    "result": [
                        _result_of("n1:9100", "0", [8120, 8320, 8590, 8770]),
                        _result_of("n1:9100", "1", [6401, 6480, 6530, 6640]),
                    ],
                },
            },
            indent=1,
        )
        + "\n"
    },
)
