"""Means and products of features and target, program by program: least squares without some programs needs no second look at the rows.

Sums of squared differences from each program's own mean are combined (Chan, Golub, LeVeque 1983, DOI 10.1080/00031305.1983.10483115);
what is left out is never subtracted, so no digits are lost where one program is much larger than the others.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np

from hemcore.prediction.arrays import Flags, Floats, Whole


@dataclass(frozen=True, kw_only=True, eq=False)
class Standardized:
    """Rows as least squares sees them: features less their mean `middle` (d,), in `units` (d,) of their standard deviation.

    gram: (d, d), their products per row; against: (d,), with the target less its mean, per row; mean: of the target.
    """

    middle: Floats
    units: Floats
    gram: Floats
    against: Floats
    mean: float


@dataclass(frozen=True, kw_only=True, eq=False)
class Moments:
    """Of each of k programs: sizes (k,), means (k, d + 1), products of differences from them (k, d + 1, d + 1), and largest (k, d).

    The last column is the target. largest: absolute values of the features.
    """

    sizes: Floats
    means: Floats
    products: Floats
    largest: Floats

    @classmethod
    def of(cls, X: Floats, y: Floats, group: Whole) -> Self:
        """The moments of the rows of each program; X: (n, d), y: (n,), group: (n,), from 0; one without rows has size 0."""
        both = np.column_stack([X, y])
        k, width = int(group.max()) + 1, both.shape[1]
        sizes, means, products, largest = np.zeros(k), np.zeros((k, width)), np.zeros((k, width, width)), np.zeros((k, width - 1))
        for code in np.unique(group):
            own = both[group == code]
            sizes[code], means[code] = len(own), own.mean(axis=0)
            off = own - means[code]
            products[code], largest[code] = off.T @ off, np.abs(own[:, :-1]).max(axis=0)
        return cls(sizes=sizes, means=means, products=products, largest=largest)

    def standardized(self, programs: Flags | None = None) -> Standardized:
        """The rows of these programs (k,), or of all, together."""
        own = np.ones(len(self.sizes), dtype=bool) if programs is None else programs
        sizes, n = self.sizes[own], self.sizes[own].sum()
        means = sizes @ self.means[own] / n
        off = self.means[own] - means
        products = (self.products[own].sum(axis=0) + (off * sizes[:, None]).T @ off) / n
        spread = np.sqrt(np.maximum(np.diag(products)[:-1], 0.0))
        units = np.where(spread > 1e-12 * self.largest[own].max(axis=0), spread, 1.0)
        return Standardized(
            middle=means[:-1],
            units=units,
            gram=products[:-1, :-1] / np.outer(units, units),
            against=products[:-1, -1] / units,
            mean=float(means[-1]),
        )
