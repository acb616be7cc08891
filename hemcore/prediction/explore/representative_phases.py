"""Representative phases of a program, which alone need to be measured.

Source: Schubert and Rousseeuw 2021, Fast and Eager k-Medoids Clustering, Information Systems 101, doi:10.1016/j.is.2021.101804
(FasterPAM); Sherwood et al. 2002, Automatically Characterizing Large Scale Program Behavior, doi:10.1145/605397.605403 (the idea).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from hemcore.datasets.tables.checks import listed
from hemcore.errors import ParameterError
from hemcore.events.usual_names import CYCLES, instructions_of
from hemcore.faster_pam import fasterpam
from hemcore.prediction.arrays import Floats, Whole
from hemcore.prediction.phase_rows import numbers_of

MOST_ROWS = 5_000  # up to this many rows, all distances are stored
STARTS = 3
# The sum of differences: one unusual rate, such as that of the first phase with cold caches, does not dominate the distance.
_METRIC = "cityblock"
_CYCLES = re.compile(r"cycles|cyc$", re.IGNORECASE)


def representatives(phases: pd.DataFrame, n: int, *, seed: int = 0, counters: Sequence[str] | None = None) -> pd.Series:
    """The n phases to measure, with weights: the sum of weight x target over them estimates the whole program's target.

    phases: one row per phase of ONE program. counters: columns known in every phase, without the target; None: all numeric columns except
    the keys of phases and cycles. Returns the weights, indexed like `phases` and in its order.

    k-medoids (FasterPAM, the best of 3 starts) of the counts per executed instruction, each in standard deviations, with city-block
    distances. A phase belongs to the nearest medoid, and a medoid's weight is the instructions of its phases divided by its own. Without
    a counter of instructions that is above 0 in every phase, counts are compared and the weight is the number of phases. Counters missing
    in a phase are left out. With more than 5,000 phases the medoids are chosen from 5,000 of them. Deterministic for the same phases and
    seed.

    Raises ParameterError for n outside 1 to the number of phases, a seed below 0, an unknown counter, or no counter counted in every
    phase.
    """
    _check(n, seed, len(phases))
    medoids, _, weights = space_of(phases, counters).clusters(n, seed=seed)
    return pd.Series(weights, index=phases.index[medoids], name="weight")


@dataclass(frozen=True, kw_only=True, eq=False)
class PhaseSpace:
    """Phases as points; similar phases are close. points: shape (phases, k); work: executed instructions of each, or 1 each.

    among: indices of the phases that medoids are chosen from; distances: between these.
    """

    points: Floats
    work: Floats
    among: Whole
    distances: NDArray[np.float32]

    def clusters(self, n: int, *, seed: int = 0) -> tuple[Whole, Whole, Floats]:
        """(indices of n medoids, ascending; which of them each phase belongs to; their weights). Raises as `representatives` does."""
        _check(n, seed, len(self.points))
        medoids = self._medoids(int(n), int(seed))
        own: Whole = cdist(self.points, self.points[medoids], _METRIC).argmin(axis=1)
        # A medoid belongs to itself, even if another one is identical.
        own[medoids] = np.arange(len(medoids))
        return medoids, own, np.bincount(own, weights=self.work, minlength=len(medoids)) / self.work[medoids]

    def _medoids(self, n: int, seed: int) -> Whole:
        """Indices of n different phases with the smallest total distance of all others to them, from the best of three starts."""
        if n >= len(self.among):
            return np.arange(n)
        random = np.random.default_rng(seed)
        starts = [random.choice(len(self.among), n, replace=False) for _ in range(STARTS if n > 1 else 1)]
        found = [fasterpam(self.distances, np.sort(start)) for start in starts]
        best = min(found, key=lambda each: each.loss)
        return np.sort(self.among[best.medoids])


def space_of(phases: pd.DataFrame, counters: Sequence[str] | None = None) -> PhaseSpace:
    """The phases of one program as points of counts per executed instruction. Raises ParameterError as `representatives` does."""
    names, values = _known(phases, counters)
    name = instructions_of(names)
    work = np.ones(len(phases)) if name is None else values[:, names.index(name)]
    if name is not None and (work > 0).all():
        with np.errstate(over="ignore"):
            rates = np.delete(values, names.index(name), axis=1) / work[:, None]
        points = _standard(np.minimum(rates, np.finfo(float).max))
    else:
        points, work = _standard(values), np.ones(len(phases))
    among = np.arange(len(points))
    if len(points) > MOST_ROWS:
        among = np.sort(np.random.default_rng(0).choice(len(points), MOST_ROWS, replace=False))
    return PhaseSpace(points=points, work=work, among=among, distances=cdist(points[among], points[among], _METRIC).astype(np.float32))


def random_error(target: Floats, work: Floats, n: int, *, draws: int, seed: int) -> Floats:
    """The error of the program's total, shape (draws,), if n random phases are measured and weighted by executed instructions."""
    random = np.random.default_rng(seed)
    found = np.empty(draws)
    for number in range(draws):
        drawn = random.choice(len(target), size=n, replace=False)
        found[number] = error_of(target, drawn, np.full(n, work.sum() / work[drawn].sum()))
    return found


def error_of(target: Floats, measured: NDArray[np.integer], weights: Floats) -> float:
    """The relative error of the weighted sum of the measured phases: 0.01 is 1% too high."""
    return float((weights * target[measured]).sum() / target.sum() - 1)


def _known(phases: pd.DataFrame, counters: Sequence[str] | None) -> tuple[list[str], Floats]:
    """(names, counts, shape (phases, names)) of the counters that were counted in every phase."""
    if counters is None:
        numbers = numbers_of(phases)
        numbers = numbers[[name for name in numbers.columns if str(name) not in CYCLES and not _CYCLES.search(str(name))]]
    else:
        strange = [name for name in counters if name not in phases.columns]
        if strange:
            raise ParameterError(f"counters: {strange[0]!r} is not a column. Choose numeric columns from {listed(phases.columns)}.")
        numbers = phases[list(counters)]
    values = numbers.to_numpy(dtype=float, na_value=np.nan)
    complete = np.isfinite(values).all(axis=0)
    if not complete.any():
        raise ParameterError("phases: no counter was counted in every phase, so phases cannot be compared. Fill the gaps first.")
    return [str(name) for name, known in zip(numbers.columns, complete, strict=True) if known], values[:, complete]


def _standard(values: Floats) -> Floats:
    """The columns in standard deviations from their means; zeros for a constant one."""
    least = values.min(axis=0)
    reach = values.max(axis=0) - least
    unit = np.minimum((values - least) / np.where(reach > 0, reach, 1.0), 1.0)
    middle = unit - unit.mean(axis=0)
    spread = np.sqrt((middle**2).mean(axis=0))
    found: Floats = middle / np.where(spread > 0, spread, 1.0)
    return found


def _check(n: int, seed: int, phases: int) -> None:
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or not 1 <= n <= phases:
        raise ParameterError(f"n: {n!r} must be a whole number from 1 to the number of phases, {phases:,}.")
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise ParameterError(f"seed: {seed!r} must be a whole number of at least 0.")
