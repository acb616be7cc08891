"""Which model answers for the power of an unseen program: physics, a ridge per frequency, or the mean of both.

The one with the smallest error per phase on programs that are left out of the training programs, an eighth of them at a time (the simplest
form of stacking: Wolpert 1992, DOI 10.1016/S0893-6080(05)80023-1); physics where programs are too few to compare models. Programs to be
predicted have no part in the choice.
"""

from dataclasses import dataclass

import numpy as np

from hemcore.prediction.arrays import Flags, Floats
from hemcore.prediction.error_levels import FEW_PROGRAMS
from hemcore.prediction.power.clock_ridge import ClockRidge, ClockRidgeFits
from hemcore.prediction.power.physics import PowerFit, PowerFits
from hemcore.prediction.power.power_phases import PowerCells, PowerRows

PHYSICS, RIDGE, BOTH = "physics", "ridge per frequency", "mean of both"
NAMES = (PHYSICS, RIDGE, BOTH)
_PARTS = 8


@dataclass(frozen=True, kw_only=True, eq=False)
class ChosenPower:
    """name: of NAMES; physics, ridge: fitted to the same programs."""

    name: str
    physics: PowerFit
    ridge: ClockRidge

    def watts(self, rows: PowerRows) -> Floats:
        """Power of each row, shape (n,); by physics where the frequency was not measured."""
        return _each(self.physics, self.ridge, rows)[NAMES.index(self.name)]


class PowerChoice:
    """Models of any of the programs of some rows."""

    def __init__(self, rows: PowerRows, cells: PowerCells, fits: PowerFits) -> None:
        self._rows, self._cells, self._fits = rows, cells, fits
        self._ridges = ClockRidgeFits(rows, cells)

    def fit(self, programs: Flags) -> ChosenPower:
        """The model that these programs prefer, shape (programs,), at least one True; physics if they are fewer than FEW_PROGRAMS."""
        physics, ridge = self._both(programs)
        best = int(self.errors(programs).argmin()) if programs.sum() >= FEW_PROGRAMS else 0
        return ChosenPower(name=NAMES[best], physics=physics, ridge=ridge)

    def errors(self, programs: Flags) -> Floats:
        """The mean over these programs of the error per phase of each of NAMES, in models of the others; zeros for one program."""
        codes = np.flatnonzero(programs)
        if len(codes) < 2:
            return np.zeros(len(NAMES))
        found = []
        for part in range(min(_PARTS, len(codes))):
            out = np.zeros(len(programs), dtype=bool)
            out[codes[part :: min(_PARTS, len(codes))]] = True
            own = self._rows.take(out[self._rows.group])
            watts = _each(*self._both(programs & ~out), own)
            group, off = own.group, np.abs(watts / own.watts - 1)
            found += [off[:, group == code].mean(axis=1) for code in np.flatnonzero(out)]
        mean: Floats = np.mean(found, axis=0)
        return mean

    def _both(self, programs: Flags) -> tuple[PowerFit, ClockRidge]:
        cells = programs[self._cells.group]
        return self._fits.fit(cells), self._ridges.fit(cells)


def _each(physics: PowerFit, ridge: ClockRidge, rows: PowerRows) -> Floats:
    """The watts of each of NAMES, shape (3, n)."""
    one = physics.watts(rows.rates, rows.volts, rows.ghz, rows.celsius)
    other = ridge.watts(rows.rates, rows.clock)
    # A regression may go below 0 where rates are far from those of training.
    other = np.where(other > 0, other, one)
    return np.stack([one, other, (one + other) / 2])
