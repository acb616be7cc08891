"""The cloud of all phases in logs of counts per instruction: what moves together in it, and how far a phase is from all that was measured.

Moves: the regression of the other counters on those that are moved, from the covariance of phases around their own program's mean (the
conditional mean of a normal distribution; Ledoit and Wolf's shrinkage, 2004, DOI 10.1016/S0047-259X(03)00096-4). Distance: the mean to
the five nearest phases in uncorrelated directions of unit variance (Mahalanobis distances). Far: farther than 95% of the phases of
programs that were left out, a tenth of them at a time; of few programs, of phases left out, a fifth of each program at a time.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.spatial import cKDTree

from hemcore.events.usual_names import instructions_of
from hemcore.prediction.arrays import Floats, Whole
from hemcore.prediction.model_rows import Rows

FAR_SHARE = 0.05
_NEIGHBORS, _BLOCKS = 5, 5
# Programs from which on whole ones are left out, and in how many parts.
_FEWEST_PROGRAMS, _PROGRAM_PARTS = 5, 10
# Share of the lower quartile that is added to a count per instruction, so that 0 has a logarithm.
_FLOOR = 0.05
# Share of uncorrelated counters in the correlations that distances are measured in: two counters that are nearly one stay apart.
_APART = 0.05
_MOST_POINTS = 6_000


@dataclass(frozen=True, kw_only=True, eq=False)
class Cloud:
    """The phases as points of their counters, without instructions, which only give their length.

    counters: the d names; work: that of instructions, "" if there is none (counts then stand as they are). floors, middle, units (d,):
    log(rate + floor) is centered and scaled by them. within (d, d): covariance around the programs' means; again (k, d, d): the same
    without one part of the programs each. axes (d, d): to uncorrelated
    directions; ends (2, d): the lowest and highest logs; inverse (d, d): of the correlations. points (n, d): in those directions. far: the
    distance from which a phase is far.
    """

    counters: tuple[str, ...]
    work: str
    floors: Floats
    middle: Floats
    units: Floats
    within: Floats
    again: Floats
    axes: Floats
    ends: Floats
    inverse: Floats
    points: Floats
    far: float

    @cached_property
    def _tree(self) -> cKDTree:
        return cKDTree(self.points)

    def logs(self, rows: Rows) -> Floats:
        """Logs of the counts per instruction, shape (n, d)."""
        found: Floats = np.log(self._rates(rows) + self.floors)
        return found

    def _rates(self, rows: Rows) -> Floats:
        X = rows.X[:, [rows.counters.index(name) for name in self.counters]]
        if not self.work:
            return X
        work = rows.X[:, [rows.counters.index(self.work)]]
        found: Floats = np.divide(X, work, out=np.zeros_like(X), where=work > 0)
        return found

    def distances(self, rows: Rows) -> Floats:
        """The distance of each row to the phases measured; shape (n,)."""
        if not self.counters:  # instructions alone: phases of any length are alike
            return np.zeros(len(rows))
        return _to_nearest(self._tree, (self.logs(rows) - self.middle) / self.units @ self.axes)

    def apart(self, rows: Rows) -> Floats:
        """How far each counter is from what the other counters of its row let expect, in standard deviations; shape (n, d)."""
        off = (self.logs(rows) - self.middle) / self.units
        found: Floats = off @ self.inverse / np.sqrt(np.diag(self.inverse))
        return found

    def moved(self, rows: Rows, factors: dict[str, float], *, together: bool) -> Rows:
        """The rows with each counter of `factors` multiplied, and, if `together`, the others as they go along.

        Instructions change the length of a phase: together, every count goes along in proportion; alone, only they change.
        """
        X = rows.X.copy()
        for name, factor in factors.items():
            if name != self.work:
                X[:, rows.counters.index(name)] *= factor
        changed = rows.with_counts(X)
        if together:
            X = self._following(rows, changed, [name for name in factors if name in self.counters])
        if self.work in factors:
            places = slice(None) if together else [rows.counters.index(self.work)]
            X[:, places] *= factors[self.work]
        return rows.with_counts(X)

    def _following(self, rows: Rows, changed: Rows, names: list[str]) -> Floats:
        """The counts of `changed` with the counters that are not in `names` where the regression puts them."""
        X = changed.X.copy()
        own = [self.counters.index(name) for name in names]
        others = [place for place in range(len(self.counters)) if place not in own]
        if not own or not others:
            return X
        before = self.logs(rows)
        steps = (self.logs(changed) - before)[:, own] @ self.slopes(own, others)
        # A regression has no say where nothing was measured.
        low, high = self.ends[:, others]
        then = np.clip(before[:, others] + steps, np.minimum(low, before[:, others]), np.maximum(high, before[:, others]))
        rates = np.maximum(np.exp(then) - self.floors[others], 0.0)
        unit = X[:, [rows.counters.index(self.work)]] if self.work else 1.0
        X[:, [rows.counters.index(self.counters[place]) for place in others]] = rates * unit
        return X

    def without(self, part: int) -> "Cloud":
        """The cloud with the covariance without one part of the programs."""
        return replace(self, within=self.again[part])

    def slopes(self, own: list[int], others: list[int]) -> Floats:
        """Step of the logs of `others` per step of `own` (places of counters), shape (own, others); 0 for an own one that never varies."""
        found: Floats = np.linalg.pinv(self.within[np.ix_(own, own)], rcond=1e-6, hermitian=True) @ self.within[np.ix_(own, others)]
        return found

    def spread(self, own: list[int], others: list[int]) -> Floats:
        """Standard deviation of the logs of `others` around where `own` puts them; shape (others,)."""
        left = np.diag(self.within)[others] - np.einsum("io,io->o", self.slopes(own, others), self.within[np.ix_(own, others)])
        found: Floats = np.sqrt(np.maximum(left, 0.0))
        return found


class Counters(NamedTuple):
    """The first two fields of a Cloud."""

    counters: tuple[str, ...]
    work: str


def counters_of(rows: Rows) -> Counters:
    """What a cloud of `rows` calls its counters."""
    work = instructions_of(rows.counters) if rows.instructions is not None else None
    return Counters(tuple(name for name in rows.counters if name != work), work or "")


def cloud(rows: Rows, parts: Sequence[Whole] = ()) -> Cloud:
    """The cloud of `rows`; every phase is near where there are too few to leave any out.

    parts: programs (codes) that are left out together, for Cloud.again.
    """
    counters, work = counters_of(rows)
    made = Cloud(
        counters=counters,
        work=work,
        floors=np.zeros(len(counters)),
        middle=np.zeros(len(counters)),
        units=np.ones(len(counters)),
        within=np.zeros((len(counters), len(counters))),
        again=np.zeros((0, len(counters), len(counters))),
        axes=np.eye(len(counters)),
        ends=np.zeros((2, len(counters))),
        inverse=np.eye(len(counters)),
        points=np.zeros((1, len(counters))),
        far=np.nan,
    )
    if not counters:
        return replace(made, again=np.zeros((len(parts), 0, 0)))
    rates = made._rates(rows)
    floors = _FLOOR * np.array([np.quantile(column[column > 0], 0.25) if (column > 0).any() else 1.0 for column in rates.T])
    logs = np.log(rates + floors)
    middle, units, axes, inverse = _directions(logs)
    points = (logs - middle) / units @ axes
    step = -(-len(points) // _MOST_POINTS)
    return Cloud(
        counters=counters,
        work=work,
        floors=floors,
        middle=middle,
        units=units,
        within=_within(logs, rows.group),
        again=_again(logs, rows.group, parts),
        axes=axes,
        ends=np.stack([logs.min(axis=0), logs.max(axis=0)]),
        inverse=inverse,
        points=points[::step],
        far=_far(logs, rows.group),
    )


def _directions(logs: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """(middle, units, axes, inverse) of Cloud."""
    middle, units = logs.mean(axis=0), logs.std(axis=0)
    units = np.where(units > 1e-9, units, 1.0)
    off = (logs - middle) / units
    r = (1 - _APART) * (off.T @ off) / len(off) + _APART * np.eye(logs.shape[1])
    values, vectors = np.linalg.eigh(r)
    values = np.maximum(values, 1e-9)
    return middle, units, vectors / np.sqrt(values), (vectors / values) @ vectors.T


def _within(logs: Floats, group: Whole) -> Floats:
    """The covariance around the programs' means; around the common mean where no program has two phases."""
    from sklearn.covariance import ledoit_wolf_shrinkage

    codes = np.unique(group, return_inverse=True)[1]
    means = np.stack([np.bincount(codes, column) for column in logs.T], axis=1) / np.bincount(codes)[:, None]
    off = logs - means[codes] if len(means) < len(logs) else logs - logs.mean(axis=0)
    units = np.where(off.std(axis=0) > 1e-9, off.std(axis=0), 1.0)
    scaled = off / units
    share = float(ledoit_wolf_shrinkage(scaled, assume_centered=True)) if len(scaled) > 1 else 1.0
    r = scaled.T @ scaled / len(scaled)
    found: Floats = ((1 - share) * r + share * np.diag(np.diag(r))) * np.outer(units, units)
    return found


def _again(logs: Floats, group: Whole, parts: Sequence[Whole]) -> Floats:
    kept = [~np.isin(group, part) for part in parts]
    d = logs.shape[1]
    return np.stack([_within(logs[own], group[own]) for own in kept]) if parts else np.zeros((0, d, d))


def _far(logs: Floats, group: Whole) -> float:
    """The distance that a share of FAR_SHARE of left-out phases exceeds; each program counts the same."""
    programs, block = np.unique(group, return_inverse=True)
    if len(programs) >= _FEWEST_PROGRAMS:
        block = block % _PROGRAM_PARTS
    else:
        for code in range(len(programs)):
            own = np.flatnonzero(group == programs[code])
            block[own] = np.arange(len(own)) * _BLOCKS // len(own)
    found = np.full(len(group), np.nan)
    for number in np.unique(block):
        out = block == number
        if not out.any() or out.all():
            continue
        kept = np.flatnonzero(~out)[:: -(-int((~out).sum()) // _MOST_POINTS)]
        middle, units, axes, _ = _directions(logs[kept])
        found[out] = _to_nearest(cKDTree((logs[kept] - middle) / units @ axes), (logs[out] - middle) / units @ axes)
    known = np.isfinite(found)
    if not known.any():
        return float("nan")
    weights = 1.0 / np.bincount(group[known])[group[known]]
    order = np.argsort(found[known])
    reached = np.cumsum(weights[order]) / weights.sum()
    return float(found[known][order][np.searchsorted(reached, 1 - FAR_SHARE - 1e-12)])


def _to_nearest(tree: cKDTree, points: Floats) -> Floats:
    k = min(_NEIGHBORS, tree.n)
    found: Floats = tree.query(points, k=np.arange(1, k + 1))[0].mean(axis=1)
    return found
