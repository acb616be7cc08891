"""The correlation of every pair of HEMs, from the runs that read both."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.merge.inputs import CompleteSubexperiments, SubexperimentsLike, complete_subexperiments
from hemcore.merge.trust.outliers import OUTLIER_ZSCORE, check_outlier_zscore, inliers, squared_deviations


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
    for frame in table.frames:
        for hem in frame.columns:
            at, column = place[hem], frame[hem].to_numpy()
            lowest[at], highest[at] = min(lowest[at], column.min()), max(highest[at], column.max())
    for frame in table.frames:
        # In the order of first reading: the order of this frame's columns must not matter.
        read = sorted(frame.columns, key=place.__getitem__)
        values = {place[hem]: frame[hem].to_numpy(dtype=float) for hem in read}
        distances = {at: squared_deviations(column) for at, column in values.items()}
        for pair in combinations(values, 2):
            first, second = pair
            kept = inliers(distances[first] + distances[second], outlier_zscore)
            part = _Moments.of(values[first][kept], values[second][kept])
            moments[pair] = moments[pair].joined(part) if pair in moments else part
    matrix = np.full((len(hems), len(hems)), np.nan)
    np.fill_diagonal(matrix, np.where(highest > lowest, 1.0, np.nan))
    for (first, second), both in moments.items():
        matrix[first, second] = matrix[second, first] = both.correlation()
    return pd.DataFrame(matrix, index=hems, columns=hems)


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

    @staticmethod
    def of(a: NDArray[np.float64], b: NDArray[np.float64]) -> "_Moments":
        if len(a) == 0:
            return _Moments(0, 0.0, 0.0, 0.0, 0.0, 0.0)
        mean_a, mean_b = float(a.mean()), float(b.mean())
        # Equal readings have no spread; a rounded mean would leave some, and r would be noise.
        a = a - mean_a if a.min() < a.max() else np.zeros_like(a)
        b = b - mean_b if b.min() < b.max() else np.zeros_like(b)
        return _Moments(len(a), mean_a, mean_b, float(a @ a), float(b @ b), float(a @ b))

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
