"""k-medoids of any number of signatures: FasterPAM to 5,000 rows, CLARA over it above, in passes over parts of bounded memory.

A part is whatever gives the metrics block by block: an array in memory or a Parquet file. `each` applies a function to every part, here
or on workers; the result does not depend on where. Source: Schubert and Rousseeuw 2021, Fast and Eager k-Medoids Clustering, Information
Systems 101, doi:10.1016/j.is.2021.101804 (FasterPAM); Kaufman and Rousseeuw 1990, Finding Groups in Data, chapter 3 (CLARA).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from hemcore.analysis import Each
from hemcore.errors import ParameterError
from hemcore.signatures.class_rules import Floats

Scale = Literal["cbrt", "z-score"]
EXACT_ROWS = 5_000
SAMPLES, SAMPLE_ROWS = 5, 2_000
BLOCK_ROWS = 65_536
_STARTS, _MOST_MOVES, _CANDIDATES, _WEISZFELD = 2, 30, 100, 20


class Part(Protocol):
    """Signatures to be clustered: `blocks` gives their metrics, shape (rows, 4), NaN in the rows that do not count."""

    def blocks(self) -> Iterator[Floats]: ...


@dataclass(frozen=True)
class InMemory:
    """A Part of an array of shape (rows, 4)."""

    values: Floats

    def blocks(self) -> Iterator[Floats]:
        """The rows in order."""
        for start in range(0, len(self.values), BLOCK_ROWS):
            yield self.values[start : start + BLOCK_ROWS]


@dataclass(frozen=True)
class Moments:
    """Number, mean and sum of squared differences from it, a column each; put together without loss (Chan et al. 1983)."""

    n: int
    mean: Floats
    squares: Floats

    @staticmethod
    def of(values: Floats) -> "Moments":
        """Of the rows of `values`, at least one."""
        mean = values.mean(axis=0)
        return Moments(len(values), mean, ((values - mean) ** 2).sum(axis=0))

    def with_(self, other: "Moments") -> "Moments":
        """Of both."""
        if not (self.n and other.n):
            return other if other.n else self
        n = self.n + other.n
        apart = other.mean - self.mean
        return Moments(n, self.mean + apart * (other.n / n), self.squares + other.squares + apart**2 * (self.n * other.n / n))

    @property
    def std(self) -> Floats:
        """Standard deviation (of n, as EAR's z-scores have it); of a constant column 0 to the last digit."""
        found = np.sqrt(self.squares / max(self.n, 1))
        # What rounding leaves of a constant is no spread.
        return np.where(found <= 1e-12 * np.abs(self.mean), 0.0, found)


_NONE = Moments(0, np.zeros(4), np.zeros(4))


@dataclass(frozen=True)
class Survey:
    """One pass over a part: its rows, the moments of those that count, and an even sample of them by the least of random keys."""

    rows: int
    raw: Moments
    scaled: Moments
    keys: Floats
    sample: Floats


@dataclass(frozen=True, kw_only=True)
class Fit:
    """Medoids found. medoids: shape (k, 4), raw metrics, rows of the data; loss: the sum of distances to the nearest, in scaled units.

    centre, spread: of the scaled metrics, shape (4,); raw: the moments of the metrics themselves. sizes: rows nearest to each medoid.
    rows, measured: rows seen, and those that count. algorithm: "FasterPAM" or "CLARA".
    """

    medoids: Floats
    loss: float
    centre: Floats
    spread: Floats
    raw: Moments
    sizes: NDArray[np.int64]
    rows: int
    measured: int
    algorithm: str
    scale: Scale


def fit(parts: Sequence[Part], n_clusters: int, scale: Scale, seed: int, each: Each = map) -> Fit:
    """The medoids of all parts together, the same for the same parts, order and seed. Raises ParameterError where too few rows differ."""
    numbered = [(part, (seed, number)) for number, part in enumerate(parts)]
    raw, scaled, n_rows = _NONE, _NONE, 0
    keys, rows = np.empty(0), np.empty((0, 4))
    for found in each(partial(survey, scale=scale), numbered):
        raw, scaled, n_rows = raw.with_(found.raw), scaled.with_(found.scaled), n_rows + found.rows
        # As many as of one part: the least keys of all are a sample of all rows.
        keys, rows = np.concatenate([keys, found.keys]), np.concatenate([rows, found.sample])
        least = np.argsort(keys, kind="stable")[: SAMPLES * SAMPLE_ROWS]
        keys, rows = keys[least], rows[least]
    spread = np.where(scaled.std > 0, scaled.std, 1.0)
    if len(rows) < n_clusters:
        raise ParameterError(
            f"n_clusters: {n_clusters} clusters need as many measured signatures; there are {len(rows)}. Take fewer clusters or more jobs."
        )
    exact = raw.n <= EXACT_ROWS
    # Samples apart from one another where there are rows enough for that.
    places = (np.arange(SAMPLES * SAMPLE_ROWS) % len(rows)).reshape(SAMPLES, SAMPLE_ROWS)
    samples = [rows[:EXACT_ROWS]] if exact else [rows[sampled] for sampled in places]
    tried = np.stack(
        [sample[fasterpam(units(sample, scale, scaled.mean, spread), n_clusters, seed + number)] for number, sample in enumerate(samples)]
    )
    if not exact:
        tried = np.concatenate([tried, refined(rows, tried, scale, scaled.mean, spread)[None]])
    passes = each(partial(assign, medoids=tried, scale=scale, centre=scaled.mean, spread=spread), parts)
    losses, sizes = (np.sum(of_parts, axis=0) for of_parts in zip(*passes, strict=True))
    best = int(np.argmin(losses))
    return Fit(
        medoids=tried[best],
        loss=float(losses[best]),
        centre=scaled.mean,
        spread=spread,
        raw=raw,
        sizes=sizes[best],
        rows=n_rows,
        measured=raw.n,
        algorithm="FasterPAM" if exact else "CLARA",
        scale=scale,
    )


def refined(rows: Floats, tried: Floats, scale: Scale, centre: Floats, spread: Floats) -> Floats:
    """The set of medoids, shape (k, 4), that fits all sampled rows best, moved on until none of its clusters has a better medoid there.

    Samples of 2,000 rows leave a few tenths of a per cent of the loss; all of them together leave less. The best row of a cluster lies
    near its geometric median, so the 100 rows nearest to that are tried. Source of the alternation: Park and Jun 2009, A simple and fast
    algorithm for K-medoids clustering, doi:10.1016/j.eswa.2008.01.039.
    """
    points = units(rows, scale, centre, spread)
    k = tried.shape[1]
    squares = squared_distances(points, units(tried.reshape(-1, 4), scale, centre, spread)).reshape(len(tried), k, -1)
    best = int(np.sqrt(squares.min(axis=1)).sum(axis=1).argmin())
    places = units(tried[best], scale, centre, spread)
    medoids = tried[best].copy()
    loss = np.inf
    for _ in range(_MOST_MOVES):
        squares = squared_distances(points, places)
        now = float(np.sqrt(squares.min(axis=0)).sum())
        if now >= loss:
            break
        loss, kept = now, medoids.copy()
        own = squares.argmin(axis=0)
        for number in range(k):
            members = np.flatnonzero(own == number)
            if len(members):
                middle = _geometric_median(points[members])
                near = members[np.argsort(((points[members] - middle) ** 2).sum(axis=1), kind="stable")[:_CANDIDATES]]
                chosen = near[_between(points[near], points[members]).sum(axis=1).argmin()]
                places[number], medoids[number] = points[chosen], rows[chosen]
    return kept


def _geometric_median(points: Floats) -> Floats:
    """The place with the least sum of distances to `points`, nearly. Source: Weiszfeld 1937."""
    place = points.mean(axis=0)
    for _ in range(_WEISZFELD):
        weights = 1 / np.maximum(np.sqrt(((points - place) ** 2).sum(axis=1)), 1e-9)
        place = weights @ points / weights.sum()
    return place


def survey(part_and_seed: tuple[Part, tuple[int, int]], scale: Scale) -> Survey:
    """One pass over a part."""
    part, seed = part_and_seed
    random = np.random.default_rng(seed)
    found = Survey(0, _NONE, _NONE, np.empty(0), np.empty((0, 4)))
    most = SAMPLES * SAMPLE_ROWS
    for block in part.blocks():
        values = block[~np.isnan(block).any(axis=1)]
        found = replace(found, rows=found.rows + len(block))
        if not len(values):
            continue
        scaled = Moments.of(transformed(values, scale))
        drawn = random.random(len(values))
        few = np.argpartition(drawn, most)[:most] if len(drawn) > most else np.arange(len(drawn))
        keys, sample = np.concatenate([found.keys, drawn[few]]), np.concatenate([found.sample, values[few]])
        least = np.argsort(keys, kind="stable")[:most]
        found = Survey(found.rows, found.raw.with_(Moments.of(values)), found.scaled.with_(scaled), keys[least], sample[least])
    return found


def assign(part: Part, medoids: Floats, scale: Scale, centre: Floats, spread: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """Of each set of medoids, shape (sets, k, 4), the loss over the part and the rows nearest to each: shapes (sets,) and (sets, k)."""
    sets, k = medoids.shape[:2]
    places = units(medoids.reshape(-1, 4), scale, centre, spread)
    losses, sizes = np.zeros(sets), np.zeros((sets, k), dtype=np.int64)
    for block in part.blocks():
        values = block[~np.isnan(block).any(axis=1)]
        squares = squared_distances(units(values, scale, centre, spread), places)
        for number in range(sets):
            own = squares[number * k : (number + 1) * k]
            nearest = own.argmin(axis=0)
            losses[number] += np.sqrt(own.min(axis=0)).sum()
            sizes[number] += np.bincount(nearest, minlength=k)
    return losses, sizes


def nearest(values: Floats, fit: Fit) -> NDArray[np.int8]:
    """The medoid nearest to each row of metrics in the scaled space, the first of equals; -1 for a row that is not measured."""
    places = units(fit.medoids, fit.scale, fit.centre, fit.spread)
    found = np.full(len(values), -1, dtype=np.int8)
    for start in range(0, len(values), BLOCK_ROWS):
        block = values[start : start + BLOCK_ROWS]
        measured = ~np.isnan(block).any(axis=1)
        squares = squared_distances(units(block[measured], fit.scale, fit.centre, fit.spread), places)
        found[start : start + BLOCK_ROWS][measured] = squares.argmin(axis=0)
    return found


def squared_distances(points: Floats, places: Floats) -> Floats:
    """Shape (places, points): one row per place, so that compared values are adjacent."""
    # |p - m|^2 = |p|^2 - 2 p m + |m|^2 by one matrix product; rounding may leave a little below 0.
    products = places @ points.T
    products *= -2
    products += np.einsum("ij,ij->i", points, points)
    products += np.einsum("ij,ij->i", places, places)[:, None]
    return np.maximum(products, 0, out=products)


def transformed(values: Floats, scale: Scale) -> Floats:
    """The metrics on `scale`, before they are standardised."""
    return np.cbrt(values) if scale == "cbrt" else values


def units(values: Floats, scale: Scale, centre: Floats, spread: Floats) -> Floats:
    """The metrics on `scale`, standardised."""
    scaled = transformed(values, scale) - centre
    scaled /= spread
    return scaled


def fasterpam(points: Floats, n_clusters: int, seed: int) -> NDArray[np.intp]:
    """The rows of `points` that FasterPAM chooses as medoids, all different: the better of two random starts, set by the seed."""
    from hemcore import faster_pam  # a page that looks for no medoids does not wait for numba

    random = np.random.default_rng(seed)
    n, apart = len(points), distances(points)
    found = [faster_pam.fasterpam(apart, random.choice(n, n_clusters, replace=False), random.permutation(n)) for _ in range(_STARTS)]
    return min(found, key=lambda each: each.loss).medoids


def distances(points: Floats) -> NDArray[np.float32]:
    """Euclidean distances between all rows, in single precision to halve the memory."""
    found = np.empty((len(points), len(points)), dtype=np.float32)
    for start in range(0, len(points), 512):
        found[start : start + 512] = _between(points[start : start + 512], points)
    return found


def _between(some: Floats, others: Floats) -> Floats:
    from scipy.spatial.distance import cdist  # takes 0.3 s to import

    found: Floats = cdist(some, others)
    return found
