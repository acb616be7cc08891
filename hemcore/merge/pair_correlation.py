"""The correlation of every pair of HEMs, from the runs that read both."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, islice

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.merge.inputs import CompleteSubexperiments, SubexperimentsLike, complete_subexperiments
from hemcore.merge.trust.outliers import OUTLIER_ZSCORE, check_outlier_zscore, inliers, squared_deviations

# Runs of pairs that are looked at together.
_AT_ONCE = 100_000


def correlation_matrix(subexperiments: SubexperimentsLike, *, outlier_zscore: float = OUTLIER_ZSCORE) -> pd.DataFrame:
    """Pearson's r of every pair of HEMs, shape (HEMs, HEMs), in the order of first reading.

    Each subexperiment that reads both HEMs contributes its runs except outliers: runs whose squared distance m from the pair's mean (in
    that subexperiment) is at least outlier_zscore standard deviations above the mean of m. r is computed once over all these runs.

    NaN for a pair never read together (0 in `pair_readings`) or if one of the two never changes there; the diagonal is 1, or NaN for a
    HEM that never changes. Raises ParameterError for outlier_zscore <= 0, TableError for bad input. Source: BSC, mergingTools vignette.
    """
    check_outlier_zscore(outlier_zscore)
    table = complete_subexperiments(subexperiments)
    hems = table.hems
    place = {hem: number for number, hem in enumerate(hems)}
    moments: dict[tuple[int, int], _Moments] = {}
    lowest, highest = np.full(len(hems), np.inf), np.full(len(hems), -np.inf)
    for own in table.readings:
        for hem, column in own.items():
            at = place[hem]
            lowest[at], highest[at] = min(lowest[at], column.min()), max(highest[at], column.max())
    for columns in table.floats:
        # In the order of first reading: the order of this frame's columns must not matter.
        read = sorted(columns, key=place.__getitem__)
        values = [columns[hem] for hem in read]
        for some, found in _of_pairs(np.stack(values), outlier_zscore):
            for (first, second), part in zip(some, found, strict=True):
                pair = place[read[first]], place[read[second]]
                moments[pair] = moments[pair].joined(part) if pair in moments else part
    matrix = np.full((len(hems), len(hems)), np.nan)
    np.fill_diagonal(matrix, np.where(highest > lowest, 1.0, np.nan))
    for (first, second), both in moments.items():
        matrix[first, second] = matrix[second, first] = both.correlation()
    return pd.DataFrame(matrix, index=hems, columns=hems)


def _of_pairs(values: NDArray[np.float64], outlier_zscore: float) -> Iterator[tuple[list[tuple[int, int]], list["_Moments"]]]:
    """Every two HEMs and the moments of their runs without outliers, many pairs at once. values: shape (HEMs, runs)."""
    distances = squared_deviations(values)
    pairs = combinations(range(len(values)), 2)
    while some := list(islice(pairs, max(1, _AT_ONCE // max(1, values.shape[1])))):
        one, other = np.array(some).T
        kept = inliers(distances[one] + distances[other], outlier_zscore)
        n = kept.sum(axis=1)
        mean_a, a = _centred(values[one], kept, n)
        mean_b, b = _centred(values[other], kept, n)
        sums = ((x * y).sum(axis=1).tolist() for x, y in ((a, a), (b, b), (a, b)))
        yield some, [_Moments(*each) for each in zip(n.tolist(), mean_a.tolist(), mean_b.tolist(), *sums, strict=True)]


def _centred(
    readings: NDArray[np.float64], kept: NDArray[np.bool_], n: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The mean of the runs that are kept in each row, and their distances from it; 0 for the others, and for no run."""
    mean = readings.sum(axis=1, where=kept) / np.maximum(n, 1)
    # Equal readings have no spread; a rounded mean would leave some, and r would be noise.
    lowest, highest = readings.min(axis=1, where=kept, initial=np.inf), readings.max(axis=1, where=kept, initial=-np.inf)
    return mean, np.where(kept & (lowest < highest)[:, None], readings - mean[:, None], 0.0)


def pair_readings(subexperiments: SubexperimentsLike) -> pd.DataFrame:
    """Number of runs that read both HEMs of each pair, outliers included; shape (HEMs, HEMs), integers, order as `correlation_matrix`.

    0: never read together. Diagonal: number of runs that read the HEM. Raises TableError for bad input.
    """
    table = complete_subexperiments(subexperiments)
    return readings_together(table)


def readings_together(table: CompleteSubexperiments) -> pd.DataFrame:
    """`pair_readings` of a table already checked."""
    hems = table.hems
    counts = np.zeros((len(hems), len(hems)), np.int64)
    place = {hem: number for number, hem in enumerate(hems)}
    for frame in table.frames:
        places = [place[hem] for hem in frame.columns]
        counts[np.ix_(places, places)] += len(frame)
    return pd.DataFrame(counts, index=hems, columns=hems)


@dataclass(frozen=True)
class _Moments:
    """Number, means and centred sums of products of pairs of readings, which can be combined without the readings.

    Combined as in Chan, Golub and LeVeque (1983), DOI 10.1080/00031305.1983.10483115, which loses no digits to large counts.
    """

    n: int
    mean_a: float
    mean_b: float
    aa: float
    bb: float
    ab: float

    def joined(self, other: "_Moments") -> "_Moments":
        n = self.n + other.n
        if self.n == 0 or other.n == 0:
            return other if self.n == 0 else self
        step_a, step_b = other.mean_a - self.mean_a, other.mean_b - self.mean_b
        share, weight = other.n / n, self.n * other.n / n
        return _Moments(
            n,
            self.mean_a + step_a * share,
            self.mean_b + step_b * share,
            self.aa + other.aa + step_a * step_a * weight,
            self.bb + other.bb + step_b * step_b * weight,
            self.ab + other.ab + step_a * step_b * weight,
        )

    def correlation(self) -> float:
        spread = np.sqrt(self.aa) * np.sqrt(self.bb)
        return float(np.clip(self.ab / spread, -1.0, 1.0)) if spread > 0 else np.nan
