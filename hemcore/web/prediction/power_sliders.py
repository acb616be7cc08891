"""The Prediction page's form for power: program, frequency and voltage as sliders, and the price."""

from collections.abc import Sequence

import numpy as np

from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.prediction.power.power_params import MOST_MHZ, PowerParams
from hemcore.prediction.power.power_phases import PowerCells, cells_of, power_rows
from hemcore.prediction.power.power_units import target_choices
from hemcore.web.form import Slider, Values
from hemcore.web.frame import Frame

# How far beyond the measured frequencies and voltages the sliders reach.
_BEYOND = 0.2


def params_choice(frame: Frame, table: PhaseTable) -> PowerParams:
    """The parameters of "Watts". Raises ParameterError if the table has no power, and as `power_rows` does."""
    form, targets = frame.form, target_choices(table)
    chosen: Values = form.values(PowerParams, ("target",), choices={"target": targets}) if targets else {}
    rows, columns, _ = power_rows(table, str(chosen.get("target") or ""))
    cells = cells_of(rows)
    programs = by_energy(cells, rows.programs)
    chosen |= form.values(PowerParams, ("program",), choices={"program": programs})
    own = cells.group == rows.programs.index(str(chosen["program"]))
    if (cells.ghz > 0).all():
        low, high = float(cells.clock.min()), float(cells.clock.max())
        top = min(_rounded(high * (1 + _BEYOND)), MOST_MHZ)
        ends = Slider(low=_rounded(low * (1 - _BEYOND)), high=top, value=float(cells.clock[own].max()))
        chosen |= form.values(PowerParams, ("frequency",), sliders={"frequency": ends})
        if (cells.volts > 0).all():
            most = round(float(cells.volts.max()) * (1 + _BEYOND), 2)
            chosen |= form.values(PowerParams, ("voltage",), sliders={"voltage": Slider(low=0.0, high=most)})
    if "temperature" in columns.column:
        chosen |= form.values(PowerParams, ("temperature",))
    return PowerParams(**chosen | form.values(PowerParams, ("n_runs", "price")))


def by_energy(cells: PowerCells, names: Sequence[str]) -> list[str]:
    """The programs, the one that took the most energy first. names: of the groups of `cells`."""
    used = np.bincount(cells.group, weights=cells.joules, minlength=len(names))
    return [names[code] for code in np.argsort(-used, kind="stable")]


def _rounded(mhz: float) -> float:
    return float(round(mhz / 10) * 10)
