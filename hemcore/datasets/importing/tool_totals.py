"""Totals of many runs of one command, as `perf stat` and PAPI write them, as subexperiments: runs that read the same events are one."""

import re
from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from hemcore.datasets.readers.format import ReadResult
from hemcore.datasets.readers.raw_experiments import subexperiments_from_frames
from hemcore.datasets.readers.repairs import Repair, repairs_table
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.checks import listed
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.hardware_levels import PROGRAM, at_level, levels
from hemcore.datasets.tables.kinds import Table
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import ReadError, UnknownNameError
from hemcore.events.hardware_tree import MACHINE

_FEWEST_RUNS = 2
_HEAD = 64 << 10
_COMMAND = re.compile(rb"Performance counter stats for (.{1,200}?)(?: \(\d+ runs\))?:\s")


def are_runs_of_one_command(table: Table) -> bool:
    """Whether `table` is totals: several runs, each of one interval, all of one application or each of its own set of events."""
    if not isinstance(table, CounterSeries):
        return False
    rows = table.intervals
    each_alone = not rows.duplicated(["application", "run"]).any()
    return bool(each_alone and len(rows) >= _FEWEST_RUNS and rows["application"].nunique() == 1)


def are_sets_of_one_command(table: Table, files: Sequence[UploadedFile]) -> bool:
    """Whether `table` is totals of several names, "perf_A_01.txt" and "perf_B_01.txt", that each read their own set of events, and `files`
    all name one command: then the names are of the sets, not of programs."""
    if not isinstance(table, CounterSeries) or not all(_COMMAND.search(file.head(_HEAD)) for file in files):
        return False
    commands = {command for file in files for command in _COMMAND.findall(file.head(_HEAD))}
    rows = table.intervals
    if len(commands) > 1 or rows.duplicated(["application", "run"]).any():
        return False
    sets = {
        name: set(counts.notna().itertuples(index=False, name=None))
        for name, counts in table.counts.groupby(rows["application"].to_numpy(), observed=True)
    }
    return 1 < len(sets) == len(set.union(*sets.values())) and len(rows) >= _FEWEST_RUNS * len(sets)


def as_kind(result: ReadResult[Table], kind: str) -> ReadResult[Table]:
    """`result` as a table of `kind`; "" and its own kind leave it as it is. Raises ReadError where it cannot be that kind."""
    if kind in ("", type(result.table).__name__):
        return result
    if kind != "Subexperiments" or not isinstance(result.table, CounterSeries):
        raise ReadError(f"kind: a {type(result.table).__name__} cannot be read as {kind}. Leave the kind empty.")
    table = result.table
    if table.intervals.duplicated(["application", "run"]).any():
        raise ReadError("kind: these runs have several intervals, so they are a series, not totals. Leave the kind empty.")
    filled = table.counts.notna()
    frames, labels, empty = [], [], []
    for pattern in dict.fromkeys(filled.itertuples(index=False, name=None)):
        rows = (filled == list(pattern)).all(axis=1)
        if not any(pattern):
            empty.append(Repair("all runs", "", "runs without any count: left out", int(rows.sum())))
            continue
        frames.append(table.counts.loc[rows, list(pattern)].reset_index(drop=True))
        labels.append(f"subexperiment {len(frames)}")
    raw = subexperiments_from_frames(frames, min_mean=0.0, labels=labels)
    note = f"Totals of {len(table.intervals):,} runs of one command: runs that read the same events are one subexperiment."
    made = repairs_table([*empty, *map(Repair._make, raw.repairs.itertuples(index=False))])
    repairs = pd.concat([each for each in (result.repairs, made) if len(each)] or [made], ignore_index=True)
    return ReadResult(raw.table, repairs, (*result.notes, *raw.notes, note))


def are_totals_by_place(table: Table) -> bool:
    """Whether `table` is totals of several runs, each told apart by core, thread, socket or node (perf stat -A): of one program, or under
    several names that each read their own set of events."""
    if not isinstance(table, CounterSeries) or not levels(table):
        return False
    rows = table.intervals
    of_program = table.counts.notna().groupby(rows[PROGRAM].to_numpy(), observed=True).any()
    if of_program.duplicated().any():
        return False
    return not rows.duplicated(["application", "run"]).any() and int(rows.groupby("application")["run"].nunique().min()) >= _FEWEST_RUNS


def runs_at(table: CounterSeries, place: str) -> ReadResult[Table]:
    """Totals by place as subexperiments: of the whole machine (`place` is MACHINE: counts summed, ratios and temperatures averaged), from
    which those of a place can be taken, or of one application of `table` at one of its levels. Several names are one program, "runs".

    Raises UnknownNameError for another place, and as as_kind does.
    """
    if table.intervals[PROGRAM].nunique() > 1:
        table = _as_one_program(table, "runs")
    seen = [at_level(table, level) for level in levels(table)]
    chosen = seen[0] if place == MACHINE else next((each for each in seen if place in each.applications), None)
    if chosen is None:
        raise UnknownNameError(f"level: {place[:60]!r} is no place of these runs; they have {listed(seen[-1].applications)}.")
    of_place = chosen if place == MACHINE else chosen.where((chosen.intervals["application"] == place).to_numpy())
    found = as_kind(ReadResult(of_place, repairs_table([]), ()), "Subexperiments")
    assert isinstance(found.table, Subexperiments)
    places = replace(table, share=None, truth=None, finer=None) if place == MACHINE else None
    return ReadResult(replace(found.table, places=places), found.repairs, found.notes)


def _as_one_program(table: CounterSeries, name: str) -> CounterSeries:
    """`table` with the programs, sets of events of their own, as further runs of one, `name`."""
    rows = table.intervals
    places = [str(own).removeprefix(str(program)) for own, program in zip(rows["application"], rows[PROGRAM], strict=True)]
    runs = rows.groupby([PROGRAM, "run"], sort=False, observed=True).ngroup() + 1
    return replace(table, intervals=rows.assign(application=[name + place for place in places], run=runs, **{PROGRAM: name}), finer=None)
