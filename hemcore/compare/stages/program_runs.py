"""Tables as programs whose runs are made of pieces: the intervals of a series, or the phases of a table."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.compare.run_sets import WHOLE_RUN, loads_of_runs, one_run
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.events.usual_names import instructions_of

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class ProgramRuns:
    """The runs of one program, in their order.

    name: the program, with its load if there are several. hems: names. runs: counts of each run, shape (pieces, hems), NaN = not counted.
    lengths: how long each piece of each run is, shape (pieces,), in `unit`. cut: whether the pieces are phases already; else they are
    intervals of which several are a phase.
    """

    name: str
    hems: tuple[str, ...]
    runs: tuple[Floats, ...]
    lengths: tuple[Floats, ...]
    unit: str
    cut: bool

    def of_hems(self, hems: Sequence[str]) -> "ProgramRuns":
        """These of its HEMs, in this order."""
        places = [self.hems.index(hem) for hem in hems]
        return replace(self, hems=tuple(hems), runs=tuple(run[:, places] for run in self.runs))

    def chosen(self, places: Sequence[int]) -> "ProgramRuns":
        """These of its runs, in this order."""
        return replace(self, runs=tuple(self.runs[at] for at in places), lengths=tuple(self.lengths[at] for at in places))


def programs_of(table: CounterSeries | PhaseTable) -> list[ProgramRuns]:
    """The programs of `table`, in the order of first appearance.

    CounterSeries: a piece is an interval. PhaseTable: at its coarsest granularity. With a number as granularity, a phase is an interval of
    equal work; at "whole run", each row is a run; otherwise each row is a phase, whose length is the column `intervals`, else its
    instructions, else 1. Loads such as "run 3" are runs of one program; other loads are told apart.
    """
    return list(_of_series(table) if isinstance(table, CounterSeries) else _of_phases(table))


def halved(programs: Sequence[ProgramRuns]) -> tuple[list[ProgramRuns], list[ProgramRuns]]:
    """The first and the second half of the runs of each program with two runs. Raises TableError if none has two."""
    fit = [each for each in programs if len(each.runs) > 1]
    if not fit:
        raise one_run()
    first = [each.chosen(range(len(each.runs) // 2)) for each in fit]
    return first, [each.chosen(range(len(each.runs) // 2, len(each.runs))) for each in fit]


def _of_series(table: CounterSeries) -> Iterator[ProgramRuns]:
    hems = tuple(str(name) for name in table.events)
    counts = table.counts.to_numpy(dtype=float)
    for name in table.applications:
        own = np.flatnonzero((table.intervals["application"] == name).to_numpy())
        numbers = table.intervals["run"].to_numpy()[own]
        runs = tuple(counts[own[numbers == number]] for number in dict.fromkeys(numbers.tolist()))
        yield ProgramRuns(
            name=str(name), hems=hems, runs=runs, lengths=tuple(np.ones(len(run)) for run in runs), unit=table.interval_unit, cut=False
        )


def _of_phases(table: PhaseTable) -> Iterator[ProgramRuns]:
    granularity = table.granularities[-1]
    frame = table.frame[table.frame["granularity"] == granularity]
    hems = tuple(str(name) for name in table.counters)
    loads = loads_of_runs(frame)
    several = loads.nunique() > 1
    length, unit = _lengths(frame, hems, granularity)
    for (program, load), part in frame.assign(_length=length).groupby(["program", loads], sort=False):
        runs, lengths = [], []
        keys = ["load", "phase"] if granularity == WHOLE_RUN else ["load"]
        for _, one in part.groupby(keys, sort=False):
            ordered = one.sort_values("phase")
            runs.append(ordered[list(hems)].to_numpy(dtype=float))
            lengths.append(ordered["_length"].to_numpy(dtype=float))
        yield ProgramRuns(
            name=f"{program}, {load}" if several and load else str(program),
            hems=hems,
            runs=tuple(runs),
            lengths=tuple(lengths),
            unit=unit,
            cut=isinstance(granularity, str),
        )


def _lengths(frame: pd.DataFrame, hems: Sequence[str], granularity: int | str) -> tuple[Floats, str]:
    """How long each row is, and in what unit."""
    if not isinstance(granularity, str):
        return np.ones(len(frame)), f"phases of {granularity:,}"
    if "intervals" in frame.columns and "intervals" not in hems and pd.api.types.is_numeric_dtype(frame["intervals"]):
        given = frame["intervals"].to_numpy(dtype=float)
        if np.isfinite(given).all() and (given > 0).all():
            return given, "intervals"
    name = instructions_of(hems)
    counted = frame[name].to_numpy(dtype=float) if name is not None else np.zeros(len(frame))
    return (counted, str(name)) if name is not None and (counted > 0).all() else (np.ones(len(frame)), "phases")
