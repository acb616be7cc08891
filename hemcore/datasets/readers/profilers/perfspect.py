"""Reads the metrics that Intel PerfSpect computes: `TS,SKT,CPU,CID,METRIC,...` (a row per interval), and its summary
`metric,mean,min,max,stddev`.

Source: PerfSpect (https://github.com/intel/PerfSpect), cmd/metrics/print.go and summary.go.
"""

from collections.abc import Sequence

import pandas as pd

from hemcore.datasets.readers.format import NO_OPTIONS, Format, NoOptions, ReadResult, read_result
from hemcore.datasets.readers.known_files import remembered_alone
from hemcore.datasets.readers.profilers.tool_tables import head_cells, phases_of, stems, tool_table
from hemcore.datasets.readers.repairs import Repair
from hemcore.datasets.readers.series.readings import runs_of_files
from hemcore.datasets.readers.series.sampled_values import series_of_samples
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.phase_table import PhaseTable

_CONTEXT = ["TS", "SKT", "CPU", "CID"]
_SUMMARY = ["metric", "mean", "min", "max", "stddev"]
_GROUPS = ("SKT", "CPU", "CID", "PID")
_REMEDY = "Send HOST_metrics.csv or HOST_metrics_summary.csv as `perfspect metrics` wrote it."


def _is_header(cells: Sequence[str]) -> bool:
    return list(cells[:4]) == _CONTEXT and len(cells) > 4


def _is_summary(cells: Sequence[str]) -> bool:
    return list(cells) == _SUMMARY or (list(cells[1:]) == _SUMMARY and cells[0].upper() in _GROUPS)


@remembered_alone
def recognise(files: Sequence[UploadedFile]) -> tuple[float, str]:
    """(0.99, why) where each file begins with TS,SKT,CPU,CID, else 0."""
    if files and all(head_cells(file, _is_header) for file in files):
        return 0.99, "metrics of PerfSpect, one row per interval"
    return 0.0, ""


@remembered_alone
def recognise_summary(files: Sequence[UploadedFile]) -> tuple[float, str]:
    """(0.99, why) where each file begins with metric,mean,min,max,stddev, else 0."""
    if files and all(head_cells(file, _is_summary) for file in files):
        return 0.99, "summary of PerfSpect's metrics: one row per metric"
    return 0.0, ""


def read(files: Sequence[UploadedFile], options: NoOptions = NO_OPTIONS) -> ReadResult[CounterSeries]:
    """The metrics as a series, each file a run (see runs_of_files); each socket, CPU or cgroup is an application of its own.

    Raises ReadError as tool_table does, and where no metric has a value.
    """
    repairs: list[Repair] = []
    notes: list[str] = []
    parts = []
    for file, (program, run) in zip(files, runs_of_files([file.name for file in files]), strict=True):
        table = tool_table(file, _is_header, remedy=_REMEDY)
        texts = table.texts
        keys = pd.DataFrame({"time": table.numbers("TS"), "socket": texts["SKT"], "thread": texts["CPU"], "run": run})
        keys["program"] = program + (" " + texts["CID"]).where(texts["CID"] != "", "")
        for metric in texts.columns[len(_CONTEXT) :]:
            parts.append(keys.assign(event=str(metric), count=table.numbers(metric)))
        repairs += table.repairs
        notes += table.notes
    where = files[0].name if len(files) == 1 else "all files"
    series = series_of_samples(pd.concat(parts), where=where, remedy=_REMEDY, repairs=repairs, notes=notes)
    return read_result(series, repairs, notes)


def read_summary(files: Sequence[UploadedFile], options: NoOptions = NO_OPTIONS) -> ReadResult[PhaseTable]:
    """One row per file (and socket, CPU, cgroup or process where they are told apart), with the mean of each metric.

    The least, largest and standard deviation are left out and noted. Raises ReadError as tool_table does.
    """
    tables = [tool_table(file, _is_summary, remedy=_REMEDY) for file in files]
    rows = []
    metrics: dict[str, None] = {}
    for table, program in zip(tables, stems(tables), strict=True):
        texts = table.texts
        group = next((name for name in texts.columns if name.upper() in _GROUPS), None)
        named = pd.DataFrame({"metric": texts["metric"], "mean": table.numbers("mean")})
        named["program"] = program if group is None else f"{program} {group} " + texts[group]
        metrics |= dict.fromkeys(named["metric"])
        for called, part in named.groupby("program", sort=False):
            rows.append({"program": called, **dict(zip(part["metric"], part["mean"], strict=True))})
    note = "Each metric is its mean over the run; min, max and stddev are left out."
    return phases_of(pd.DataFrame(rows), list(metrics), tables, granularity="whole run", remedy=_REMEDY, note=note)


FORMAT = Format(
    key="perfspect",
    title="PerfSpect metrics (CSV)",
    kind="CounterSeries",
    recognise=recognise,
    read=read,
    options=NoOptions,
    example={
        "host_metrics.csv": "TS,SKT,CPU,CID,CPU operating frequency (in GHz),CPI,memory bandwidth total (MB/sec)\n"
        "1763895600,0,,,2.91,0.84,18211.5\n1763895600,1,,,2.88,0.9,17900.2\n"
        "1763895605,0,,,2.92,0.85,18099.1\n1763895605,1,,,2.9,0.89,18003.7\n"
    },
)

SUMMARY = Format(
    key="perfspect_summary",
    title="PerfSpect summary (CSV)",
    kind="PhaseTable",
    recognise=recognise_summary,
    read=read_summary,
    options=NoOptions,
    example={
        "host_metrics_summary.csv": "metric,mean,min,max,stddev\n"
        "CPU operating frequency (in GHz),2.915,2.910000,2.920000,0.007071\nCPI,0.845,0.840000,0.850000,0.007071\n"
    },
)
