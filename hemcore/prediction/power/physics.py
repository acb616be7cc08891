"""The power of a processor from the physics of CMOS: P = V leakage + V^2 f clock + sum of V^2 rate_i energy_i, all parts at least 0.

An event switches a capacitance, so its energy goes with V^2; the clock switches with f even where nothing runs; leakage goes with V, and,
where asked for, with the temperature above the coldest measured. Where no voltage was measured, V goes from s at 0 Hz to 1 at the highest
frequency, and s (1: constant) is what fits the training programs best. The loss is the mean squared relative error, every program with the
same weight. Sources: Weste and Harris, CMOS VLSI Design (4th ed., 2010), chapter 5; Nikov and Nunez-Yanez, Robust energy modelling with
hardware event counters, 2020 (events of a Cortex-A15).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hemcore.prediction.arrays import Flags, Floats, Whole
from hemcore.prediction.models.coordinate import lasso
from hemcore.prediction.power.power_phases import PowerRows

LEAKAGE, WARMTH, CLOCK = "leakage", "leakage by temperature", "idle clock"
_SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
# So small that it only decides between columns that say the same, as leakage and clock at one frequency.
_RIDGE = 1e-9


@dataclass(frozen=True, kw_only=True, eq=False)
class Terms:
    """What the power is the sum of. events: their names; with_clock, with_warmth: whether there are the two terms.

    top: the highest frequency in GHz; coldest: the lowest temperature.
    """

    events: tuple[str, ...]
    with_clock: bool
    with_warmth: bool
    measured_volts: bool
    top: float
    coldest: float

    @property
    def names(self) -> tuple[str, ...]:
        """The terms, in the order of coefficients."""
        return (*self.events, LEAKAGE, *([CLOCK] if self.with_clock else []), *([WARMTH] if self.with_warmth else []))

    def features(self, share: float, rates: Floats, volts: Floats, ghz: Floats, celsius: Floats) -> Floats:
        """Shape (n, terms): what each coefficient is multiplied with."""
        supply = volts if self.measured_volts else share + (1 - share) * ghz / self.top if self.with_clock else np.ones(len(rates))
        columns = [rates * (supply**2)[:, None], supply[:, None]]
        if self.with_clock:
            columns.append((supply**2 * ghz)[:, None])
        if self.with_warmth:
            columns.append((supply * np.maximum(celsius - self.coldest, 0.0))[:, None])
        return np.hstack(columns)


@dataclass(frozen=True, kw_only=True, eq=False)
class PowerFit:
    """A fitted model. theta: coefficients, at least 0, of `terms.names`; share: V at 0 Hz relative to that at the highest frequency."""

    terms: Terms
    theta: Floats
    share: float

    def parts(self, rates: Floats, volts: Floats, ghz: Floats, celsius: Floats) -> Floats:
        """Watts of each term, shape (n, terms)."""
        found: Floats = self.terms.features(self.share, rates, volts, ghz, celsius) * self.theta
        return found

    def watts(self, rates: Floats, volts: Floats, ghz: Floats, celsius: Floats) -> Floats:
        """Power, shape (n,)."""
        found: Floats = self.parts(rates, volts, ghz, celsius).sum(axis=1)
        return found


def terms_of(rows: PowerRows, *, temperature: bool = False) -> Terms:
    """The terms that these rows allow: a clock where frequency was measured, and warmth where it is asked for and was."""
    with_clock = bool(np.isfinite(rows.ghz).all() and rows.ghz.max() > 0)
    warm = bool(temperature and np.isfinite(rows.celsius).all() and rows.celsius.max() > rows.celsius.min())
    return Terms(
        events=rows.events,
        with_clock=with_clock,
        with_warmth=warm,
        measured_volts=bool(np.isfinite(rows.volts).all()),
        top=float(rows.ghz.max()) if with_clock else 1.0,
        coldest=float(rows.celsius.min()) if warm else 0.0,
    )


class PowerFits:
    """Fits to any of the cells of some rows, from sums of each cell: leaving a program or a frequency out costs no pass over the rows."""

    def __init__(self, rows: PowerRows, of: Whole, terms: Terms) -> None:
        """of: the cell of each row, numbers from 0, shape (n,)."""
        self.terms = terms
        self._shares: Sequence[float] = (1.0,) if terms.measured_volts or not terms.with_clock else _SHARES
        self._group = np.zeros(int(of.max()) + 1, dtype=np.int64)
        self._group[of] = rows.group
        self._rows = np.bincount(of).astype(float)
        d, cells = len(terms.names), len(self._rows)
        self._gram, self._sum = np.zeros((len(self._shares), cells, d, d)), np.zeros((len(self._shares), cells, d))
        self._joules = np.zeros((len(self._shares), cells, d))
        for place, share in enumerate(self._shares):
            features = terms.features(share, rows.rates, rows.volts, rows.ghz, rows.celsius)
            relative, joules = features / rows.watts[:, None], features * rows.seconds[:, None]
            for cell in range(cells):
                part = relative[of == cell]
                self._joules[place, cell] = joules[of == cell].sum(axis=0)
                self._gram[place, cell], self._sum[place, cell] = part.T @ part, part.sum(axis=0)

    def fit(self, cells: Flags) -> PowerFit:
        """The model of these cells, shape (cells,), of which one is at least True."""
        programs = np.unique(self._group[cells])
        weight = np.zeros(len(cells))
        for program in programs:
            own = cells & (self._group == program)
            weight[own] = 1 / self._rows[own].sum()
        best, least = None, np.inf
        for place, share in enumerate(self._shares):
            gram = np.tensordot(weight, self._gram[place], axes=1) / len(programs)
            against = weight @ self._sum[place] / len(programs)
            units = np.sqrt(np.maximum(np.diag(gram), 1e-300))
            scaled = gram / np.outer(units, units) + _RIDGE * np.eye(len(units))
            theta = np.zeros(len(units))
            lasso(scaled, against / units, 0.0, True, theta)
            loss = float(theta @ scaled @ theta - 2 * theta @ (against / units))
            if loss < least:
                best, least = PowerFit(terms=self.terms, theta=theta / units, share=share), loss
        assert best is not None
        return best

    def joules(self, fit: PowerFit) -> Floats:
        """The energy of every cell by `fit`, shape (cells,)."""
        found: Floats = self._joules[self._shares.index(fit.share)] @ fit.theta
        return found
