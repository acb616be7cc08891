"""Power by a ridge regression per frequency on the rates of events and their logs: closer than physics where many programs were measured.

It has no say at a frequency that was not measured. Penalty and standardized features as is usual for boards with a sensor (Hoerl and
Kennard 1970, DOI 10.1080/00401706.1970.10488634); the logs let an event matter less the more of it there is.
"""

from dataclasses import dataclass

import numpy as np

from hemcore.prediction.arrays import Flags, Floats
from hemcore.prediction.power.power_phases import PowerCells, PowerRows

PENALTY = 10.0
# Share of the lower quartile that is added to a rate, so that 0 has a logarithm.
_FLOOR = 0.05


@dataclass(frozen=True, kw_only=True, eq=False)
class ClockRidge:
    """A regression per frequency. floors (d,); by frequency (MHz): middle and theta (2 d,), mean."""

    floors: Floats
    by_clock: dict[float, tuple[Floats, Floats, float]]

    def watts(self, rates: Floats, clock: Floats) -> Floats:
        """Power, shape (n,); NaN at a frequency without training phases. rates (n, d): events per second; clock (n,): MHz."""
        features, found = _features(rates, self.floors), np.full(len(rates), np.nan)
        for mhz, (middle, theta, mean) in self.by_clock.items():
            here = clock == mhz
            found[here] = (features[here] - middle) @ theta + mean
        return found


class ClockRidgeFits:
    """Fits to any of the cells of some rows, from sums of each cell."""

    def __init__(self, rows: PowerRows, cells: PowerCells) -> None:
        counted = [column[column > 0] for column in rows.rates.T]
        self._floors = _FLOOR * np.array([np.quantile(column, 0.25) if len(column) else 1.0 for column in counted])
        both = np.column_stack([np.ones(len(rows)), _features(rows.rates, self._floors), rows.watts])
        # Centered, so that squares of large rates lose no digits.
        self._middle, self._units = both.mean(axis=0), np.where(both.std(axis=0) > 0, both.std(axis=0), 1.0)
        self._middle[0] = 0.0
        scaled = (both - self._middle) / self._units
        self._clock = cells.clock
        self._sums = np.stack([scaled[cells.of == cell].T @ scaled[cells.of == cell] for cell in range(len(cells.clock))])

    def fit(self, cells: Flags) -> ClockRidge:
        """The model of these cells, shape (cells,)."""
        by_clock = {}
        for clock in np.unique(self._clock[cells]):
            total = self._sums[cells & (self._clock == clock)].sum(axis=0)
            n, means = total[0, 0], total[0, 1:] / total[0, 0]
            products = total[1:, 1:] - n * np.outer(means, means)
            spread = np.sqrt(np.maximum(np.diag(products)[:-1] / n, 0.0))
            units = np.where(spread > 1e-9, spread, 1.0)
            gram = products[:-1, :-1] / np.outer(units, units) + PENALTY * np.eye(len(units))
            theta = np.linalg.solve(gram, products[:-1, -1] / units) / units
            middle = self._middle[1:-1] + means[:-1] * self._units[1:-1]
            by_clock[float(clock)] = (
                middle,
                theta / self._units[1:-1] * self._units[-1],
                float(self._middle[-1] + means[-1] * self._units[-1]),
            )
        return ClockRidge(floors=self._floors, by_clock=by_clock)


def _features(rates: Floats, floors: Floats) -> Floats:
    return np.hstack([rates, np.log(rates + floors)])
