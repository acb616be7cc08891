"""A series of the rows that the readers of `perf stat` output, LIKWID's and others found."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from hemcore.datasets.readers.format import ReadResult, read_result
from hemcore.datasets.readers.perf.lines import NOT_SUPPORTED
from hemcore.datasets.readers.perf.perf_rows import Rows
from hemcore.datasets.readers.reading_limits import check_columns, check_runs
from hemcore.datasets.readers.repairs import Repair
from hemcore.datasets.readers.series.readings import combinations, from_rows, runs_of_files, with_places
from hemcore.datasets.reading_progress import step
from hemcore.datasets.tables.checks import listed
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ReadError


def readings(parts: Sequence[Rows]) -> ReadResult[CounterSeries]:
    """A series of the rows of all files; each CPU, socket, thread or cgroup is an application of its own, nothing is summed. Where they are
    in the machine stands beside the intervals (see hardware_levels).

    Intervals are numbered from 1 in order of time within a run (alike for all its CPUs); a file without times has one interval per run.
    Events and applications without any value are left out and listed. Raises ReadError where no row or no value is left.
    """
    for part in parts:
        if len(part) == 0:
            raise ReadError(
                f"{part.name}: no event with a count, from line 1 to the last. Run perf stat without --metric-only and send what it prints."
            )
    step("putting the series together")
    names = runs_of_files([part.name for part in parts])
    frames = [part.frame().assign(file=number) for number, part in enumerate(parts)]
    rows = frames[0] if len(frames) == 1 else pd.concat(frames, ignore_index=True)
    del frames
    repairs = [repair for part in parts for repair in part.every_repair()]
    codes, first = combinations(rows[["file", "program", "aggregate"]])
    found = rows.iloc[first]
    base = found["file"].map(dict(enumerate(name for name, _ in names))) + found["program"].where(
        found["program"] == "", " " + found["program"]
    )
    application = base + found["aggregate"].where(found["aggregate"] == "", " " + found["aggregate"])
    rows["base"], rows["application"] = base.to_numpy(dtype=object)[codes], application.to_numpy(dtype=object)[codes]
    rows = rows.drop(columns=["program"])
    rows["run"] = run_of_each(rows, [number for _, number in names])
    check_runs(_together(parts), len(set(application)), len(combinations(rows[["application", "run"]])[1]))
    check_columns(_together(parts), rows["event"].nunique(), "events")
    rows["interval"] = _intervals(rows)
    rows = _valued(rows.drop(columns=["file", "segment", "running"]), parts, repairs)
    timed = rows["time"].notna().any()
    columns = ["application", "run", "interval", "event", "count", "share", *(["time"] if timed else [])]
    table = from_rows(
        with_places(rows[columns], rows["base"], rows["aggregate"]), interval_unit=None if timed else "whole run", where=_together(parts)
    )
    return read_result(table, repairs, (note for part in parts for note in part.notes))


def _intervals(rows: pd.DataFrame) -> np.ndarray:
    """The number of each row's interval in its run, from 1: times never fall within a segment, whose rows stand together."""
    time, place = rows["time"].to_numpy(), rows["file"].to_numpy() * (rows["segment"].max() + 1) + rows["segment"].to_numpy()
    starts = np.concatenate([[True], place[1:] != place[:-1]])
    new = np.concatenate([[True], time[1:] > time[:-1]]) | starts
    count = np.cumsum(new)
    return count - np.maximum.accumulate(np.where(starts, count, 0)) + 1


def run_of_each(rows: pd.DataFrame, numbers: Sequence[int]) -> np.ndarray:
    """The run of each row: the number of its file, or 1 on in order where a file holds several runs of an application.

    rows: columns base (the application), file (its place in `numbers`) and segment (of the file, which holds a run).
    """
    codes, first = combinations(rows[["base", "file", "segment"]])
    order = rows.iloc[first][["base", "file"]].astype({"base": object}).reset_index(drop=True)
    order["run"] = order["file"].map(dict(enumerate(numbers)))
    several = order.groupby("base", sort=False)["run"].transform(lambda runs: runs.duplicated().any())
    order["run"] = order["run"].where(~several, order.groupby("base", sort=False).cumcount() + 1)
    return order["run"].to_numpy()[codes]


def _together(parts: Sequence[Rows]) -> str:
    return parts[0].name if len(parts) == 1 else "all files"


def _valued(rows: pd.DataFrame, parts: Sequence[Rows], repairs: list[Repair]) -> pd.DataFrame:
    """`rows` without the events and the applications that have no value at all; not supported becomes NaN."""
    where = _together(parts)
    unsupported = rows["count"] == NOT_SUPPORTED
    rows = rows.assign(count=rows["count"].mask(unsupported), unsupported=unsupported)
    events = rows.groupby("event", sort=False).agg(
        values=("count", "count"), intervals=("count", "size"), unsupported=("unsupported", "all")
    )
    lost = events[events["values"] == 0]
    if len(lost) == len(events):
        line = f"line {max(1, parts[0].first_line)}" + (f" of {parts[0].name}" if len(parts) > 1 else "")
        raise ReadError(
            f"{where}: no event has a value ({listed(events.index)}) from {line} on: not supported or not counted throughout. Virtual"
            " machines often have no hardware counters; run perf stat on the machine itself, with the rights to"
            " (kernel.perf_event_paranoid)."
        )
    for event, _, intervals, not_there in lost.itertuples():
        what = "not supported by the machine: left out" if not_there else "not counted in any interval: left out"
        repairs.append(Repair(where, str(event), what, int(intervals)))
    rows = rows[~rows["event"].isin(lost.index)] if len(lost) else rows
    codes, first = combinations(rows[["application", "run"]])
    counted = np.bincount(codes, weights=rows["count"].notna(), minlength=len(first))[codes] > 0
    idle = rows[~counted].drop_duplicates(["application", "run", "interval"])
    for (application, run), found in idle.groupby(["application", "run"], sort=False):
        repairs.append(Repair(f"{application}, run {run}", "", "no event counted: left out", len(found)))
    rows = rows.drop(columns="unsupported")
    return rows if counted.all() and not len(lost) else rows[counted].reset_index(drop=True)
