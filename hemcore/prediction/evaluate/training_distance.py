"""The distance of a phase to the training phases: a prediction far from all of them is an extrapolation."""

from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree

from hemcore.prediction.arrays import Floats
from hemcore.prediction.model_rows import Rows

# Far: more than _FARTHER times the _FAR_SHARE quantile of the training programs' distances to each other.
_FAR_SHARE, _FARTHER = 0.9, 1.25


@dataclass(frozen=True, kw_only=True, eq=False)
class Reach:
    """The standardized counts per instruction of the training phases: mean and unit of each counter, middle and units (d,); points (n, d).

    far: the distance from which a phase is far: 1.25 times the 90th percentile, over training programs, of the mean distance of a program's
    phases to the nearest phase of another program.
    """

    middle: Floats
    units: Floats
    points: Floats
    far: float

    def of(self, rows: Rows) -> Floats:
        """The distance of each row to the nearest training phase, in standard deviations; shape (n,)."""
        found: Floats = cKDTree(self.points).query((rates_of(rows) - self.middle) / self.units)[0]
        return found


def reach(rows: Rows) -> Reach:
    """The reach of `rows`, the training phases."""
    rates = rates_of(rows)
    middle, units = rates.mean(axis=0), rates.std(axis=0)
    units = np.where(units > 1e-12 * np.maximum(np.abs(middle), 1e-300), units, 1.0)
    points = (rates - middle) / units
    apart = [
        float(np.mean(cKDTree(points[rows.group != code]).query(points[rows.group == code])[0]))
        for code in np.unique(rows.group)
        if (rows.group != code).any()
    ]
    far = _FARTHER * float(np.quantile(apart, _FAR_SHARE)) if apart else 0.0
    return Reach(middle=middle, units=units, points=points, far=far)


def rates_of(rows: Rows) -> Floats:
    """Counts per instruction; if instructions were not counted, fractions of the sum of the row's counts."""
    unit = rows.instructions if rows.instructions is not None else rows.X.sum(axis=1)
    found: Floats = np.divide(rows.X, unit[:, None], out=np.zeros_like(rows.X), where=unit[:, None] > 0)
    return found
