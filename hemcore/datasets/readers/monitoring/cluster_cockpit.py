"""Reads jobs of ClusterCockpit's archive: data.json (metric -> scope -> series of each node, socket, core ...), with its meta.json.

`{"flops_any": {"core": {"unit": {"base": "F/s"}, "timestep": 60, "series": [{"hostname": "e0102", "id": "0", "data": [1.5, null]}]}}}`.
Source: cc-backend, Job Archive (https://clustercockpit.org/docs), job-data.schema.json and job-meta.schema.json.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

import numpy as np
import pandas as pd

from hemcore.datasets.readers.format import NO_OPTIONS, Format, NoOptions, ReadResult, read_result
from hemcore.datasets.readers.monitoring.json_files import head_text, json_of, number_of, text_of
from hemcore.datasets.readers.repairs import Repair
from hemcore.datasets.readers.series.sampled_values import check_samples, series_of_samples
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ReadError

# From the finest; a metric is taken at its finest scope, so that nothing is counted twice.
_SCOPES = ("hwthread", "accelerator", "core", "memoryDomain", "socket", "node")
_LEVEL = {"hwthread": "thread", "accelerator": "core", "core": "core", "memoryDomain": "socket", "socket": "socket", "node": "node"}
_CALLED = {"accelerator": "accelerator ", "memoryDomain": "memory domain "}
_DATA = re.compile(r'"series"\s*:\s*\[')
_META = re.compile(r'"(?:jobId|startTime|subCluster|numNodes|resources)"\s*:')
_REMEDY = "Send data.json (or data.json.gz) and meta.json of the job as ClusterCockpit's archive holds them."


def recognise(files: Sequence[UploadedFile]) -> tuple[float, str]:
    """(0.98, why) where each file is the data or the description of a job, and one is data; else 0."""
    kinds = [_kind_of(file) for file in files]
    if not files or "" in kinds or "data" not in kinds:
        return 0.0, ""
    return 0.98, "jobs of ClusterCockpit's archive: each metric over time, by node, socket or core"


def _kind_of(file: UploadedFile) -> str:
    """ "data", "meta", or "" for another file."""
    head = head_text(file)
    if not head.startswith(("{", "[")):
        return ""
    if _DATA.search(head) and '"timestep"' in head and ('"hostname"' in head or '"node_id"' in head):
        return "data"
    return "meta" if len(set(_META.findall(head))) > 1 else ""


def read(files: Sequence[UploadedFile], options: NoOptions = NO_OPTIONS) -> ReadResult[CounterSeries]:
    """The jobs as a series: one application per job and node, socket, core or hardware thread; the finest scope of each metric.

    Time counts from the start of the job, which date names where meta.json is there. Metrics carry their unit ("mem_bw [GB/s]"); null is
    NaN. Raises ReadError for what is no such JSON, and where no metric has a value.
    """
    metas = {_folder(file): json_of(file, remedy=_REMEDY) for file in files if _kind_of(file) == "meta"}
    repairs: list[Repair] = []
    notes: list[str] = []
    parts: list[pd.DataFrame] = []
    n_values = 0
    data = [file for file in files if _kind_of(file) != "meta"]
    if not data:
        raise ReadError(f"{files[0].name}: no data.json is among the files. {_REMEDY}")
    for file in data:
        meta = metas.get(_folder(file), metas.get("") if len(data) == 1 else None)
        meta = meta if isinstance(meta, dict) else {}
        program = _program(file, meta, alone=len(data) == 1)
        start = number_of(meta.get("startTime"))
        for part in _metrics(file, json_of(file, remedy=_REMEDY), repairs, notes):
            n_values += len(part)
            check_samples(file.name, n_values, data)
            parts.append(part.assign(program=program, time=part["time"] + (start if start == start else 0.0)))
    if not parts:
        raise ReadError(f"{data[0].name}: no metric with a series, from line 1 on. {_REMEDY}")
    where = data[0].name if len(data) == 1 else "all files"
    series = series_of_samples(pd.concat(parts), where=where, remedy=_REMEDY, repairs=repairs, notes=notes)
    return read_result(series, repairs, notes)


def _folder(file: UploadedFile) -> str:
    parent = str(PurePosixPath(file.name).parent)
    return "" if parent == "." else parent


def _program(file: UploadedFile, meta: Mapping[str, object], *, alone: bool) -> str:
    job = text_of(meta.get("jobId"))
    if job:
        return f"job {job}"
    return PurePosixPath(file.name).name.partition(".")[0] if alone else file.name


def _metrics(file: UploadedFile, content: object, repairs: list[Repair], notes: list[str]) -> Iterator[pd.DataFrame]:
    """Rows event, time (s since the start), count and place of each metric at its finest scope."""
    found: dict[str, dict[str, object]] = {}
    if isinstance(content, dict):
        for name, scopes in content.items():
            if isinstance(scopes, dict):
                # Before version 2 of the archive a metric had one scope, which it named.
                found[name] = {str(scopes.get("scope", "node")): scopes} if "series" in scopes else dict(scopes)
    elif isinstance(content, list):  # as the API answers
        for each in content:
            if isinstance(each, dict) and isinstance(each.get("metric"), dict):
                found.setdefault(str(each.get("name")), {})[str(each.get("scope", "node"))] = each["metric"]
    for name, by_scope in found.items():
        known = [scope for scope in _SCOPES if isinstance(by_scope.get(scope), dict)]
        strange = [scope for scope in by_scope if scope not in _SCOPES]
        if strange:
            repairs.append(Repair(file.name, name, f"scope {strange[0][:40]!r} is not known: left out", len(strange)))
        if not known:
            continue
        if len(known) > 1:
            others = ", ".join(known[1:])
            notes.append(f"{file.name}: {name} is taken per {known[0]}; its values per {others} are left out, as they are made of these.")
        metric = by_scope[known[0]]
        assert isinstance(metric, dict)
        yield from _series(file, name, known[0], metric, repairs)


def _series(file: UploadedFile, name: str, scope: str, metric: Mapping[str, object], repairs: list[Repair]) -> Iterator[pd.DataFrame]:
    step = number_of(metric.get("timestep"))
    if not 0 < step < np.inf:
        raise ReadError(f"{file.name}: metric {name!r}: its timestep {str(metric.get('timestep'))[:20]!r} must be above 0 s. {_REMEDY}")
    unit = metric.get("unit")
    unit = f"{text_of(unit.get('prefix'))}{text_of(unit.get('base'))}" if isinstance(unit, dict) else text_of(unit)
    series = metric.get("series")
    if not isinstance(series, list):
        repairs.append(Repair(file.name, name, "a metric without a list of series: left out", 1))
        return
    for each in series:
        if not isinstance(each, dict) or not isinstance(each.get("data"), list):
            repairs.append(Repair(file.name, name, "a series without data: left out", 1))
            continue
        values = np.array([number_of(value) for value in each["data"]])
        host = text_of(each.get("hostname", each.get("node_id")))
        rows: dict[str, object] = {"event": f"{name} [{unit}]" if unit else name, "count": values, "node": host}
        if scope != "node":
            rows[_LEVEL[scope]] = f"{_CALLED.get(scope, '')}{text_of(each.get('id'))}"
        yield pd.DataFrame(rows | {"time": step * np.arange(len(values))})


_EXAMPLE = {
    "mem_bw": {
        "socket": {
            "unit": {"base": "B/s", "prefix": "G"},
            "timestep": 60,
            "series": [
                {"hostname": "e0102", "id": "0", "data": [41.2, 40.9, 41.5]},
                {"hostname": "e0102", "id": "1", "data": [20.1, 20.7, None]},
            ],
        }
    },
    "cpu_load": {"node": {"unit": {"base": ""}, "timestep": 60, "series": [{"hostname": "e0102", "data": [71.5, 71.9, 72.0]}]}},
}
FORMAT = Format(
    key="cluster_cockpit",
    title="ClusterCockpit job archive (data.json)",
    kind="CounterSeries",
    recognise=recognise,
    read=read,
    options=NoOptions,
    example={
        "data.json": json.dumps(_EXAMPLE, indent=1) + "\n",
        "meta.json": json.dumps({"jobId": 1403244, "cluster": "emmy", "startTime": 1763895600, "numNodes": 1}) + "\n",
    },
)
