"""The phases of a table as rates of events per second with power, voltage and frequency, and their means by program and frequency."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import pandas as pd

from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.errors import ParameterError
from hemcore.events.usual_names import CYCLES, instructions_of
from hemcore.prediction.arrays import Flags, Floats, Whole
from hemcore.prediction.phase_rows import keys_of, usual_granularity
from hemcore.prediction.power.power_units import PowerColumns, power_columns

# More different frequencies than this are averages of a run; they are grouped by 100 MHz.
_MOST_CLOCKS, _GROUPED_MHZ = 24, 100.0


@dataclass(frozen=True, kw_only=True, eq=False)
class PowerRows:
    """n phases. rates: events per second, shape (n, d); watts, seconds: above 0; volts, ghz, celsius: NaN where not measured.

    group: index into `programs`; clock: the frequency in MHz by which phases belong together, 0 where none was measured. run: a number per
    run of the program at that clock. events: names of the columns of `rates`; cycles, instructions: their places, -1 without.
    """

    rates: Floats
    watts: Floats
    seconds: Floats
    volts: Floats
    ghz: Floats
    celsius: Floats
    group: Whole
    clock: Floats
    run: Whole
    programs: tuple[str, ...]
    events: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.watts)

    def take(self, rows: Flags) -> Self:
        """Only these rows."""
        names = ("rates", "watts", "seconds", "volts", "ghz", "celsius", "group", "clock", "run")
        return replace(self, **{name: getattr(self, name)[rows] for name in names})

    @property
    def cycles(self) -> int:
        """The place of the counter of cycles; -1 without."""
        return next((self.events.index(name) for name in CYCLES if name in self.events), -1)

    @property
    def instructions(self) -> int:
        """The place of the counter of executed instructions; -1 without."""
        name = instructions_of(self.events)
        return self.events.index(name) if name is not None else -1


def power_rows(table: PhaseTable, target: str = "") -> tuple[PowerRows, PowerColumns, tuple[str, ...]]:
    """(the phases of the usual granularity, under every load; their columns; notes on what was left out).

    Raises ParameterError if the table has no power or energy, no event, no way to know how long a phase took, or no phase with all of it.
    """
    columns = power_columns(table, target)
    keys = keys_of(table)
    frame = table.frame[keys.granularity == usual_granularity(keys.sizes.sum(axis=1))]
    notes: list[str] = []
    mhz = columns.values(frame, "frequency").to_numpy(dtype=float)
    seconds = _seconds(frame, columns, mhz, notes)
    with np.errstate(divide="ignore", invalid="ignore"):
        target_values = columns.values(frame, "energy" if columns.of_energy else "power").to_numpy(dtype=float)
        watts = target_values / seconds if columns.of_energy else target_values
        counts = frame[list(columns.events)].to_numpy(dtype=float, na_value=np.nan)
        uncounted = ~np.isfinite(counts).any(axis=0)
        rates = counts[:, ~uncounted] / seconds[:, None]
    clocks = np.isfinite(mhz).any()
    known = np.isfinite(watts) & (watts > 0) & (seconds > 0) & np.isfinite(rates).all(axis=1) & (np.isfinite(mhz) | (not clocks))
    if not known.any() or not rates.shape[1]:
        raise ParameterError(f"Watts: no phase has {columns.target!r} above 0, its duration and every counter. Leave out empty columns.")
    if not known.all():
        notes.append(f"{int((~known).sum()):,} of {len(known):,} phases are left out: power, duration, frequency or a counter is missing.")
    names = [name for name, lost in zip(columns.events, uncounted, strict=True) if not lost]
    own = rates[known]
    varied = own.max(axis=0) > own.min(axis=0)
    if not varied.any():
        raise ParameterError(f"Watts: every counter is constant, so none explains {columns.target!r}. Add counters.")
    left = [name for name, keep in zip(names, varied, strict=True) if not keep]
    if left:
        notes.append(f"Constant and left out: {', '.join(left[:5])}.")
    part = frame[known]
    codes, programs = pd.factorize(part["program"].astype(str))
    whole = (part["granularity"].astype(str) == "whole run").all()
    run = np.arange(len(part)) if whole else pd.factorize(_run_names(part))[0]
    volts = columns.values(part, "voltage").to_numpy(dtype=float)
    rows = PowerRows(
        rates=np.ascontiguousarray(own[:, varied]),
        watts=watts[known],
        seconds=seconds[known],
        volts=volts if np.isfinite(volts).all() and (volts > 0).all() else np.full(len(part), np.nan),
        ghz=mhz[known] / 1e3,
        celsius=columns.values(part, "temperature").to_numpy(dtype=float),
        group=codes.astype(np.int64),
        clock=_clocks(mhz[known]),
        run=run.astype(np.int64),
        programs=tuple(str(name) for name in programs),
        events=tuple(name for name, keep in zip(names, varied, strict=True) if keep),
    )
    return rows, columns, tuple(notes)


def _run_names(frame: pd.DataFrame) -> pd.Series:
    """Load and run of each phase as one text."""
    run = frame["run"].astype(str) if "run" in frame else ""
    return frame["load"].astype(str) + "\n" + run


def _clocks(mhz: Floats) -> Floats:
    if not np.isfinite(mhz).all():
        return np.zeros(len(mhz))
    found: Floats = mhz if len(np.unique(mhz)) <= _MOST_CLOCKS else np.rint(mhz / _GROUPED_MHZ) * _GROUPED_MHZ
    return found


def _seconds(frame: pd.DataFrame, columns: PowerColumns, mhz: Floats, notes: list[str]) -> Floats:
    """How long each phase took: as measured; the usual distance of the times of reading; or cycles over the frequency."""
    if "time" in columns.column:
        return columns.values(frame, "time").to_numpy(dtype=float)
    if "time" in frame and frame["time"].notna().any():
        steps = frame["time"].groupby(_run_names(frame), sort=False).diff().to_numpy(dtype=float)
        steps = steps[np.isfinite(steps) & (steps > 0)]
        if len(steps):
            notes.append(f"Every phase is taken to last {np.median(steps):.3g} s, the usual time between two readings.")
            return np.full(len(frame), float(np.median(steps)))
    cycles = next((name for name in CYCLES if name in columns.events), None)
    if cycles is not None and np.isfinite(mhz).any():
        notes.append(f"Durations are {cycles} over the frequency, as if the core never idled: the table has no column of time.")
        found: Floats = frame[cycles].to_numpy(dtype=float, na_value=np.nan) / (mhz * 1e6)
        return found
    raise ParameterError("Watts: how long each phase took is not known. Add a column such as 'time_s', 'TIME_SEC' or 'duration_time'.")


@dataclass(frozen=True, kw_only=True, eq=False)
class PowerCells:
    """The phases of each program at each clock together, m cells. group, clock: of each. seconds, joules, runs: their sums and how many
    runs; rates: events per second, shape (m, d); volts, ghz, celsius: means over time. of: the cell of each row, shape (n,)."""

    group: Whole
    clock: Floats
    seconds: Floats
    joules: Floats
    runs: Floats
    rates: Floats
    volts: Floats
    ghz: Floats
    celsius: Floats
    of: Whole

    @property
    def watts(self) -> Floats:
        """Mean power of each cell."""
        found: Floats = self.joules / self.seconds
        return found


def cells_of(rows: PowerRows) -> PowerCells:
    """The rows by program and clock, in that order."""
    pairs = np.column_stack([rows.group.astype(float), rows.clock])
    unique, of = np.unique(pairs, axis=0, return_inverse=True)
    of = of.ravel()
    seconds: Floats = np.bincount(of, weights=rows.seconds).astype(float)

    def mean(values: Floats) -> Floats:
        found: Floats = np.bincount(of, weights=values * rows.seconds) / seconds
        return found

    runs = np.array([len(np.unique(rows.run[of == cell])) for cell in range(len(unique))], dtype=float)
    return PowerCells(
        group=unique[:, 0].astype(np.int64),
        clock=unique[:, 1],
        seconds=seconds,
        joules=np.bincount(of, weights=rows.watts * rows.seconds).astype(float),
        runs=runs,
        rates=np.column_stack([mean(rows.rates[:, place]) for place in range(rows.rates.shape[1])]),
        volts=mean(rows.volts),
        ghz=mean(rows.ghz),
        celsius=mean(rows.celsius),
        of=of,
    )
