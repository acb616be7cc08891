"""Tables of any kind as sets of runs: one frame of runs by HEMs for each subexperiment, or program and load."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.datasets.tables.checks import listed
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.hardware_levels import INTERVALS, PROGRAM, WHOLE, levels, tree_columns
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.datasets.tables.signature_table import MEASURED, SignatureTable
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import ParameterError, Remedy, TableError
from hemcore.events.hardware_tree import adds_up

Floats = NDArray[np.float64]
Compared = Subexperiments | CounterSeries | PhaseTable | SignatureTable
WHOLE_RUN = "whole run"
_RUN = r"run \d+"
# Of signatures, measures beyond EAR's own, where they are there.
_ALSO = ("AVG_CPUFREQ_KHZ", "AVG_IMCFREQ_KHZ", "L1_MISSES", "L2_MISSES", "L3_MISSES", "GFLOPS")


def one_run() -> TableError:
    """No set before is given, and of no program there are two runs."""
    return TableError(
        "before: one run of a program cannot be halved. Choose or upload the earlier runs of the same HEMs.",
        remedies=[Remedy(label="Upload the earlier runs", page="data")],
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class RunGroup:
    """Runs that belong together, in their order. label: the subexperiment, or the load. program: "" if none is named.

    counts: rows are runs, columns HEMs: counts per run, NaN = not counted.
    """

    label: str
    program: str
    counts: pd.DataFrame


@dataclass(frozen=True, kw_only=True, eq=False)
class RunSet:
    """kind: the class of the table. groups: at least one. unit: what a row of the table counts over, "" if it has none.

    places: how many groups share each run, since they are cores or other parts of one machine; 1 where each group has runs of its own.
    sets: how many sets of runs of the same HEMs the groups are, as one per configuration; 1 where they are one set (Subexperiments.sets).
    """

    kind: str
    groups: tuple[RunGroup, ...]
    unit: str = ""
    places: int = 1
    sets: int = 1

    @property
    def hems(self) -> list[str]:
        """Every HEM of any group, in the order of first appearance."""
        return list(dict.fromkeys(hem for group in self.groups for hem in group.counts.columns))

    @property
    def n_runs(self) -> int:
        """The runs of all groups together."""
        return sum(len(group.counts) for group in self.groups)

    def halves(self) -> tuple["RunSet", "RunSet"]:
        """The first and the second half of the runs of each group. Raises TableError if no group has two runs."""
        if all(len(group.counts) < 2 for group in self.groups):
            raise one_run()
        first, second = self.parts(2)
        return first, second

    def parts(self, n: int) -> "list[RunSet]":
        """The runs of each group in `n` parts, in their order; a part of a group with fewer runs is empty."""
        ends = [[len(group.counts) * number // n for number in range(n + 1)] for group in self.groups]
        return [
            replace(
                self,
                groups=tuple(replace(g, counts=g.counts.iloc[each[k] : each[k + 1]]) for g, each in zip(self.groups, ends, strict=True)),
            )
            for k in range(n)
        ]


def run_set_of(table: Compared) -> RunSet:
    """The runs of `table`.

    Subexperiments: each row. CounterSeries: the total of each run; intervals that were not counted take the run's mean. PhaseTable: each
    whole run, or the total of the phases of each run of a program under a load, at the finest granularity. SignatureTable: each job (loops
    and nodes of a job are averaged). Raises TableError for another kind.
    """
    if isinstance(table, Subexperiments):
        parts = zip(table.labels, table.frames, strict=True)
        return RunSet(kind="Subexperiments", groups=tuple(_group(label, "", frame) for label, frame in parts), sets=table.sets)
    if isinstance(table, CounterSeries):
        return _of_series(table)
    if isinstance(table, PhaseTable):
        return _of_phases(table)
    if isinstance(table, SignatureTable):
        return _of_signatures(table)
    raise TableError(f"compare: a {type(table).__name__} holds no runs. Give readings: subexperiments, a series, phases or signatures.")


def of_program(table: Compared, program: str) -> Compared:
    """The rows of `program`; all if it is "" or the table names none. Raises ParameterError if the table names others only."""
    if not program or not isinstance(table, CounterSeries | PhaseTable):
        return table
    names = table.intervals["application"] if isinstance(table, CounterSeries) else table.frame["program"]
    own = (names.astype(str) == program).to_numpy()
    if not own.any():
        raise ParameterError(f"among: {program[:60]!r} is not in one of the sets, which has {listed(names.unique())}. Choose another one.")
    return table.where(own) if isinstance(table, CounterSeries) else replace(table, frame=table.frame[own])


def _group(label: str, program: str, frame: pd.DataFrame) -> RunGroup:
    return RunGroup(label=label, program=program, counts=frame.astype(float).reset_index(drop=True))


def _of_series(table: CounterSeries) -> RunSet:
    keys = [table.intervals["application"], table.intervals["run"]]
    totals = _totals(table.counts.astype(float), keys)
    runs = totals.index.get_level_values("application")
    groups = [_group("", str(name), totals[runs == name]) for name in table.applications]
    places = table.intervals.groupby(PROGRAM)["application"].nunique().max() if tree_columns(table.intervals) else 1
    return RunSet(kind="CounterSeries", groups=tuple(groups), unit=table.interval_unit, places=int(places))


def _totals(values: pd.DataFrame, keys: Sequence[pd.Series], lasts: pd.Series | None = None) -> pd.DataFrame:
    """The total of each run, of what does not add up over time its mean. The mean stands for what was not counted.

    lasts: how long each row lasts, for the mean over time; None = all alike.
    """
    grouped = values.groupby(list(keys), sort=False)
    found, summed = grouped.mean(), [name for name in values.columns if adds_up(str(name))]
    found[summed] = found[summed].mul(grouped.size(), axis=0)
    means = [name for name in values.columns if name not in summed]
    if lasts is not None and means:
        over_time = values[means].mul(lasts, axis=0).groupby(list(keys), sort=False).sum()
        found[means] = over_time / values[means].notna().mul(lasts, axis=0).groupby(list(keys), sort=False).sum()
    return found


def _of_phases(table: PhaseTable) -> RunSet:
    granularity = table.granularities[0]
    frame = table.frame[table.frame["granularity"] == granularity]
    hems = list(table.counters)
    groups = []
    for (program, load), part in frame.groupby(["program", loads_of_runs(frame)], sort=False):
        values = part[hems].astype(float)
        if granularity != WHOLE_RUN:
            values = _totals(values, [part["load"]], part.get(INTERVALS))
        groups.append(_group(str(load), str(program), values))
    places = len(table.programs) // frame[WHOLE].nunique() if levels(table) else 1
    return RunSet(kind="PhaseTable", groups=tuple(groups), unit=str(granularity), places=places)


def loads_of_runs(frame: pd.DataFrame) -> pd.Series:
    """The load of each row of a table of phases; "" where the loads are numbered runs ("run 3") of one load."""
    return frame["load"].mask(frame["load"].str.fullmatch(_RUN).astype(bool), "")


def _of_signatures(table: SignatureTable) -> RunSet:
    frame = table.frame
    hems = [name for name in dict.fromkeys((*MEASURED, *_ALSO)) if name in frame.columns and frame[name].notna().any()]
    values = frame[hems].astype(float)
    job = [name for name in ("JOBID", "STEPID", "APPID") if name in frame.columns]
    if job and frame.duplicated(job).any():
        values = values.groupby([frame[name] for name in job], sort=False, dropna=False).mean()
    return RunSet(kind="SignatureTable", groups=(_group("", "", values),))


def names_of(groups: Sequence[RunGroup]) -> list[str]:
    """The programs of `groups`, in the order of first appearance."""
    return list(dict.fromkeys(group.program for group in groups))
