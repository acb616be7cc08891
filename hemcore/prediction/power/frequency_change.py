"""A program at a frequency where it was not measured: time, power and energy of a run, from its cells at other frequencies.

The core's time shrinks with the clock and the wait for memory does not, so seconds per work are a / f + b, and cycles per work c + d f;
all other events per work stay as they are. The power of these rates is the model's, times what the program's own power is of the model's.
"""

from dataclasses import dataclass

import numpy as np

from hemcore.prediction.arrays import Floats, Whole
from hemcore.prediction.power.physics import PowerFit
from hemcore.prediction.power.power_phases import PowerCells


@dataclass(frozen=True, kw_only=True)
class RunAt:
    """One run of a program at `ghz` and `volts` (NaN if voltage is not known): seconds and mean watts."""

    ghz: float
    volts: float
    seconds: float
    watts: float

    @property
    def joules(self) -> float:
        """Energy to solution."""
        return self.watts * self.seconds

    @property
    def edp(self) -> float:
        """Energy-delay product, J s."""
        return self.joules * self.seconds


def run_at(
    cells: PowerCells, own: Whole, fit: PowerFit, *, instructions: int, cycles: int, memory: float, ghz: float, volts: float
) -> RunAt:
    """A run at this frequency and voltage. own: the program's cells, at least one; instructions, cycles: places of counters, -1 without.

    memory: the share of the time that does not depend on the frequency, for a program with one cell alone.
    """
    per_run = cells.seconds[own] / cells.runs[own]
    work = cells.rates[own, instructions] * per_run if instructions >= 0 else np.ones(len(own))
    clocks = cells.ghz[own]
    core, waiting = two_parts(per_run / work, 1 / clocks, memory)
    seconds = core / ghz + waiting  # per work
    counts = (cells.rates[own] * (per_run / work)[:, None]).mean(axis=0)
    if cycles >= 0:
        of_clock, fixed = two_parts(cells.rates[own, cycles] * per_run / work, clocks, 1 - memory)
        counts[cycles] = fixed + of_clock * ghz
    raw = fit.watts((counts / seconds)[None, :], np.array([volts]), np.array([ghz]), cells.celsius[own].mean(keepdims=True))[0]
    modelled = fit.watts(cells.rates[own], cells.volts[own], clocks, cells.celsius[own])
    calibrated = float(raw) * float(np.mean(cells.watts[own] / modelled))
    return RunAt(ghz=ghz, volts=volts, seconds=float(work.mean() * seconds), watts=calibrated)


def two_parts(y: Floats, x: Floats, constant: float) -> tuple[float, float]:
    """(slope, constant), both at least 0, of y = slope x + constant with the smallest squared relative error.

    With one value of x: the share `constant` of y is the constant.
    """
    if np.ptp(x) <= 1e-9 * float(x.max()):
        return float((y / x).mean() * (1 - constant)), float(y.mean() * constant)
    u, v = x / y, 1 / y
    slope, rest = np.linalg.lstsq(np.column_stack([u, v]), np.ones(len(y)), rcond=None)[0]
    if slope < 0:
        return 0.0, float(v.sum() / (v @ v))
    if rest < 0:
        return float(u.sum() / (u @ u)), 0.0
    return float(slope), float(rest)


def memory_share(cells: PowerCells, instructions: int) -> float:
    """The median over programs of the share of the time, at the highest frequency, that does not depend on it; 0 if none had two clocks."""
    found = []
    for program in np.unique(cells.group):
        own = np.flatnonzero(cells.group == program)
        if len(own) > 1:
            per_run = cells.seconds[own] / cells.runs[own]
            work = cells.rates[own, instructions] * per_run if instructions >= 0 else np.ones(len(own))
            core, waiting = two_parts(per_run / work, 1 / cells.ghz[own], 0.0)
            found.append(waiting / (core / cells.ghz[own].max() + waiting))
    return float(np.median(found)) if found else 0.0


def volts_at(cells: PowerCells, ghz: float) -> float:
    """The voltage measured at `ghz`, or between the neighboring frequencies; that of the nearest outside. NaN if none was measured."""
    clocks, place = np.unique(cells.clock, return_inverse=True)
    volts = np.bincount(place, weights=cells.volts) / np.bincount(place)
    mhz = np.bincount(place, weights=cells.ghz) / np.bincount(place)
    return float(np.interp(ghz, mhz, volts)) if np.isfinite(volts).all() and len(clocks) else float("nan")
