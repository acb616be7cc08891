"""What a program would cost at another frequency and voltage: time, power, energy, energy-delay product, kWh and money."""

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from hemcore.analysis import Progress
from hemcore.datasets.tables.checks import listed
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.errors import ParameterError
from hemcore.prediction.arrays import Whole
from hemcore.prediction.explore.total_errors import interval_of
from hemcore.prediction.power.frequency_change import RunAt, run_at, volts_at
from hemcore.prediction.power.left_out_power import PowerModel
from hemcore.prediction.power.power_params import PowerParams
from hemcore.prediction.power.power_phases import PowerCells

JOULES_PER_KWH = 3.6e6
QUANTITIES = ("time", "power", "energy")
_POINTS = 41


@dataclass(frozen=True, kw_only=True, eq=False)
class PowerWhatIf:
    """A run of one program at another frequency and voltage.

    base: as measured at the highest frequency; changed: the prediction at what was asked, or what was measured there (measured). reach:
    the lowest and highest frequency (GHz) of the table; usual_volts: those measured at the frequency asked for, or between its neighbors.
    widths: by quantity (time, power, energy), what the error stays below for 80% of the other programs at frequencies left out; inf if too
    few. curve: one row per frequency of the table's range: mhz, volts, seconds, watts, joules, edp, low and high (80% interval of joules).
    model: the fits and their errors.
    """

    model: PowerModel
    program: str
    base: RunAt
    changed: RunAt
    measured: bool
    usual_volts: float
    reach: tuple[float, float]
    widths: dict[str, float]
    curve: pd.DataFrame
    params: PowerParams

    @property
    def changes(self) -> dict[str, float]:
        """The relative change of time, power, energy and edp from the base."""
        return {
            "time": self.changed.seconds / self.base.seconds - 1,
            "power": self.changed.watts / self.base.watts - 1,
            "energy": self.changed.joules / self.base.joules - 1,
            "edp": self.changed.edp / self.base.edp - 1,
        }

    @property
    def moved(self) -> bool:
        """Whether frequency or voltage are others than the base's."""
        volts = self.changed.volts
        return self.changed.ghz != self.base.ghz or (math.isfinite(volts) and abs(volts - self.base.volts) > 1e-9)

    @property
    def outside(self) -> list[str]:
        """Why the answer is an extrapolation; empty if it is none."""
        low, high = self.reach
        found = []
        if not low * (1 - 1e-9) <= self.changed.ghz <= high * (1 + 1e-9):
            found.append(f"{self.changed.ghz * 1e3:,.0f} MHz is outside the measured {low * 1e3:,.0f} to {high * 1e3:,.0f} MHz")
        volts = self.model.measured["volts"]
        if math.isfinite(self.changed.volts) and not volts.min() - 1e-9 <= self.changed.volts <= volts.max() + 1e-9:
            found.append(f"{self.changed.volts:.3g} V is outside the measured {volts.min():.3g} to {volts.max():.3g} V")
        return found

    def interval(self, what: str) -> tuple[float, float]:
        """The 80% interval of time (s), power (W) or energy (J) of the changed run; no wider than a point where it was measured."""
        value = {"time": self.changed.seconds, "power": self.changed.watts, "energy": self.changed.joules}[what]
        return interval_of(value, 0.0 if self.measured else self.widths[what])

    @property
    def kwh(self) -> float:
        """The energy of all runs asked for, kWh."""
        return self.changed.joules * self.params.n_runs / JOULES_PER_KWH

    @property
    def summary(self) -> pd.DataFrame:
        """One row each for the measured and the changed run: mhz, volts, duration_s, watts, joules, edp, and kwh and cost of all runs."""
        rows = []
        for name, run in (("measured", self.base), ("changed", self.changed)):
            kwh = run.joules * self.params.n_runs / JOULES_PER_KWH
            cost = kwh * self.params.price if self.params.price else float("nan")
            rows.append((name, run.ghz * 1e3, run.volts, run.seconds, run.watts, run.joules, run.edp, kwh, cost))
        return pd.DataFrame(rows, columns=["run", "mhz", "volts", "duration_s", "watts", "joules", "edp", "kwh", "cost"])


def power_what_if(table: PhaseTable, params: PowerParams, progress: Progress | None, model: PowerModel) -> PowerWhatIf:
    """params.program at params.frequency and params.voltage. Raises ParameterError for an unknown program, and for a frequency or voltage
    where the table has none."""
    cells = model.cells
    name = params.program or str(model.programs["program"].iloc[int(model.programs["measured"].to_numpy().argmax())])
    if name not in model.names:
        raise ParameterError(f"Program: {name[:60]!r} is not in the table. Choose one of {listed(model.names)}.")
    own = np.flatnonzero(cells.group == model.names.index(name))
    highest = int(own[np.argmax(cells.clock[own])])
    clocks = bool(np.isfinite(cells.ghz).all())
    if params.frequency and not clocks:
        raise ParameterError("Frequency: the table has no column of frequencies, so another one cannot be predicted. Leave it at 0.")
    if params.voltage and not np.isfinite(cells.volts).all():
        raise ParameterError("Voltage: the table has no column of voltages, so another one cannot be predicted. Leave it at 0.")

    def run(ghz: float, volts: float, among: Whole = own) -> RunAt:
        return run_at(
            cells, among, model.fit, instructions=model.instructions, cycles=model.cycles, memory=model.memory, ghz=ghz, volts=volts
        )

    base = _measured(cells, highest)
    ghz = params.frequency / 1e3 if params.frequency else base.ghz
    here = own[np.abs(cells.ghz[own] - ghz) < 1e-6] if params.frequency else np.array([highest])
    usual = float(cells.volts[here[0]]) if len(here) else volts_at(cells, ghz)
    volts = params.voltage or usual
    measured = len(here) > 0 and not abs(volts - usual) > 1e-6
    widths = {what: model.moved_width(what, without=name) if len(model.moved) else math.inf for what in QUANTITIES}
    # Where the program was measured, only the voltage is another.
    changed = _measured(cells, int(here[0])) if measured else run(ghz, volts, here if len(here) else own)
    rows: list[tuple[float, ...]] = []
    reach = (float(cells.ghz.min()), float(cells.ghz.max()))
    if clocks:
        for each in np.linspace(*reach, _POINTS) if reach[1] > reach[0] else [reach[0]]:
            there = run(float(each), volts_at(cells, float(each)))
            low, high = interval_of(there.joules, widths["energy"]) if math.isfinite(widths["energy"]) else (math.nan, math.nan)
            rows.append((each * 1e3, there.volts, there.seconds, there.watts, there.joules, there.edp, low, high))
    return PowerWhatIf(
        model=model,
        program=name,
        base=base,
        changed=changed,
        measured=measured,
        usual_volts=usual,
        reach=reach,
        widths=widths,
        curve=pd.DataFrame(rows, columns=["mhz", "volts", "seconds", "watts", "joules", "edp", "low", "high"]),
        params=params,
    )


def _measured(cells: PowerCells, at: int) -> RunAt:
    """A run as it was measured in this cell."""
    seconds = float(cells.seconds[at] / cells.runs[at])
    return RunAt(ghz=float(cells.ghz[at]), volts=float(cells.volts[at]), seconds=seconds, watts=float(cells.watts[at]))
