"""Logs with one line per interval and event, "interval event count", under the line "#counts-log"."""

from collections.abc import Sequence

import pandas as pd

from hemcore.datasets.readers.decoding import first_lines, text_of
from hemcore.datasets.readers.format import NO_OPTIONS, Format, NoOptions, ReadResult, read_result
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ReadError

_HEAD = "#counts-log"


def recognise(files: Sequence[UploadedFile]) -> tuple[float, str]:
    """Certain where every file begins with its own line."""
    known = bool(files) and all(first_lines(file.content, 1).startswith(_HEAD.encode()) for file in files)
    return (1.0, f"every file begins with {_HEAD}") if known else (0.0, "")


def read(files: Sequence[UploadedFile], options: NoOptions = NO_OPTIONS) -> ReadResult[CounterSeries]:
    """Each file as one run. Raises ReadError for a line that is not an interval, an event and a count."""
    runs = []
    for number, file in enumerate(files):
        rows = []
        lines = text_of(file.name, file.content, remedy="Send the log as text.").split("\n")
        for line, text in enumerate(lines[1:], 2):
            fields = text.split()
            if not fields:
                continue
            if len(fields) != 3 or not (fields[0].isdecimal() and fields[2].isdecimal()):
                raise ReadError(f"{file.name}, line {line}: {text[:40]!r} must be an interval, an event and a count. Correct the line.")
            rows.append((int(fields[0]), fields[1], float(fields[2])))
        if not rows:
            raise ReadError(f"{file.name}: there is no count under {_HEAD}. Upload a log with at least one line.")
        run = pd.DataFrame(rows, columns=["interval", "event", "count"])
        if run.duplicated(["interval", "event"]).any():
            twice = run[run.duplicated(["interval", "event"])].iloc[0]
            raise ReadError(f"{file.name}: interval {twice['interval']} has {twice['event']} twice. Keep one of the lines.")
        runs.append(run.pivot(index="interval", columns="event", values="count").reset_index().assign(run=number))
    table = pd.concat(runs, ignore_index=True)
    counts = table.drop(columns=["interval", "run"])
    counts.columns.name = None
    intervals = pd.DataFrame({"application": "log", "run": table["run"], "interval": table["interval"]})
    return read_result(CounterSeries(intervals=intervals, counts=counts, mode="OCOE", interval_unit="interval"), (), ())


FORMAT = Format(
    key="example_counts_log",
    title="counts log (example plugin)",
    kind="CounterSeries",
    recognise=recognise,
    read=read,
    example={"counts.log": "#counts-log\n0 CYCLES 100\n0 MISSES 3\n1 CYCLES 120\n1 MISSES 5\n"},
    options=NoOptions,
)
