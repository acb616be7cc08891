"""The sampling noise of correlations, with and without a known truth."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.merge.inputs import SubexperimentsLike, complete_subexperiments
from hemcore.merge.trust.fidelity import mean_squared_difference
from hemcore.merge.trust.outliers import OUTLIER_ZSCORE, inliers, squared_deviations


@dataclass(frozen=True, kw_only=True, eq=False)
class Noise:
    """The uncertainty of correlations, independent of the merge.

    errors: standard error of each measured r, HEMs x HEMs, from standard_errors. real, real_errors: r of the truth's HEMs over all its
    runs, and their standard errors; n_runs: runs of the truth. None, None and 0 if the truth is not known.
    """

    errors: pd.DataFrame
    real: pd.DataFrame | None = None
    real_errors: pd.DataFrame | None = None
    n_runs: int = 0


@dataclass(frozen=True, kw_only=True, eq=False)
class TruthError:
    """How far merged correlations are from those of runs that read all HEMs together.

    mse: mean squared difference over all entries, diagonal included. noise: its expected value if all HEMs had been read together in as
    many runs as each pair was, so that only the sampling noise of both sides remains. n_runs: runs of the truth. n_pairs: pairs compared;
    n_beyond: those off by more than two standard errors.
    real: r of the truth; errors: the standard error of the difference of each pair, from which noise is computed; both HEMs x HEMs, for
    the merged HEMs that the truth has.
    """

    mse: float
    noise: float
    n_runs: int
    n_pairs: int
    n_beyond: int
    real: pd.DataFrame
    errors: pd.DataFrame

    @property
    def excess(self) -> float:
        """The typical |Δr| of a pair beyond noise: the root of mse minus noise, per pair; 0 if mse does not exceed noise."""
        n = (1 + (1 + 8 * self.n_pairs) ** 0.5) / 2
        return float(max(0.0, self.mse - self.noise) * n / (n - 1)) ** 0.5


def standard_errors(subexperiments: SubexperimentsLike, hems: list[str], *, outlier_zscore: float = OUTLIER_ZSCORE) -> pd.DataFrame:
    """The standard error of r of each pair of `hems`, HEMs x HEMs; NaN if fewer than two runs read both, 0 on the diagonal.

    From the influence of each run on r, u_a u_b - r (u_a^2 + u_b^2) / 2 with standardised readings u, which does not assume a Gaussian;
    readings that are outliers of their HEM are left out. Raises TableError for bad input.
    Source: F. R. Hampel, "The influence curve and its role in robust estimation", JASA 69 (1974), DOI 10.2307/2285666.
    """
    table = complete_subexperiments(subexperiments)
    place = {hem: number for number, hem in enumerate(hems)}
    squares, runs = np.zeros((len(hems), len(hems))), np.zeros((len(hems), len(hems)))
    for frame, columns in zip(table.frames, table.floats, strict=True):
        read = [hem for hem in columns if hem in place]
        if len(read) < 2 or len(frame) < 2:
            continue
        found, behind = _squared_influence(np.stack([columns[hem] for hem in read]).T, outlier_zscore)
        at = np.ix_(*[[place[hem] for hem in read]] * 2)
        squares[at] += found
        runs[at] += behind
    with np.errstate(divide="ignore", invalid="ignore"):
        errors = np.where(runs > 1, np.sqrt(squares) / runs, np.nan)
    np.fill_diagonal(errors, 0.0)
    return pd.DataFrame(errors, index=hems, columns=hems)


def typical_error(errors: pd.DataFrame) -> float:
    """The root mean square of the pairs' standard errors; NaN if none is known."""
    pairs = errors.to_numpy(dtype=float)[np.triu_indices(len(errors), 1)]
    known = pairs[np.isfinite(pairs)]
    return float(np.sqrt((known * known).mean())) if len(known) else float("nan")


def noise_of(table: Subexperiments, outlier_zscore: float = OUTLIER_ZSCORE) -> Noise:
    """The sampling noise of the readings of `table`, and of its truth. Raises TableError for bad input."""
    errors = standard_errors(table, table.hems, outlier_zscore=outlier_zscore)
    hems = [] if table.truth is None else [hem for hem in table.hems if hem in table.truth.columns]
    if table.truth is None or len(hems) < 2 or len(table.truth) < 2:
        return Noise(errors=errors)
    truth = table.truth[hems]
    real_errors = standard_errors([truth], hems, outlier_zscore=np.inf)
    return Noise(errors=errors, real=truth.corr(), real_errors=real_errors, n_runs=len(truth))


def truth_error(achieved: pd.DataFrame, noise: Noise, readings: pd.DataFrame) -> TruthError | None:
    """How far `achieved` (r of the merged HEMs) is from the truth.

    readings: runs that read each pair; a pair never read together counts as the average of the others. None if there is no truth for any
    pair of these HEMs.
    """
    if noise.real is None or noise.real_errors is None:
        return None
    hems = [hem for hem in achieved.columns if hem in noise.real.columns]
    first, second = np.triu_indices(len(hems), 1)
    ours, real = achieved.loc[hems, hems], noise.real.loc[hems, hems]
    compared = np.isfinite((ours - real).to_numpy(dtype=float)[first, second])
    if not compared.any():
        return None
    read = readings.loc[hems, hems].to_numpy(dtype=float)
    behind = read[first, second]
    usual = float(behind[behind > 0].mean()) if (behind > 0).any() else float(noise.n_runs)
    variances = noise.real_errors.loc[hems, hems] ** 2 * (1 + noise.n_runs / np.where(read > 0, read, usual))
    errors = variances**0.5
    beyond = ((ours - real).abs() > 2 * errors).to_numpy()[first, second]
    return TruthError(
        mse=mean_squared_difference(ours, real),
        noise=float(np.nanmean(variances.to_numpy()[first, second]) * (len(hems) - 1) / len(hems)),
        n_runs=noise.n_runs,
        n_pairs=int(compared.sum()),
        n_beyond=int(beyond.sum()),
        real=real,
        errors=errors,
    )


def _squared_influence(values: NDArray[np.float64], outlier_zscore: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The sum of the squared influences on r, and the number of runs, both k x k, from readings of shape (runs, k)."""
    kept = np.ascontiguousarray(inliers(squared_deviations(values.T), outlier_zscore).T)
    n = np.maximum(kept.sum(axis=0), 1)
    centred = np.where(kept, values - (values * kept).sum(axis=0) / n, 0.0)
    spread = np.sqrt((centred * centred).sum(axis=0) / n)
    # A HEM that never changes has no r, and therefore no error.
    u = np.divide(centred, spread, out=np.full_like(centred, np.nan), where=spread > 0)
    both = kept.T.astype(float) @ kept
    square = u * u
    fourth = (square * square).T @ kept
    third = (square * u).T @ u
    r = np.clip(u.T @ u / np.maximum(both, 1), -1.0, 1.0)
    return np.clip(square.T @ square - r * (third + third.T) + r * r / 4 * (fourth + fourth.T + 2 * (square.T @ square)), 0, None), both
