"""MUCH as in the R package: the best of many Gaussian samples, by the correlations of the merged table."""

import numpy as np
import pandas as pd

from hemcore.datasets.tables.checks import listed
from hemcore.errors import ParameterError
from hemcore.merge.much.arrange import Matrix, correlations, merged_table, put_in_order, standardised
from hemcore.merge.much.gaussian import MvgParams
from hemcore.merge.much.matrices import check_cor_matrix, matrix_mse
from hemcore.merge.much.repaired_matrix import nearest_correlation, square_root
from hemcore.merge.params import MuchParams


def simulate_and_merge(mvg_params: MvgParams, n_runs: int, n_sims: int, cor_matrix: pd.DataFrame, *, seed: int = 0) -> pd.DataFrame:
    """A merged table of n_runs rows, shape (n_runs, HEMs): the best of n_sims.

    n_runs readings of each HEM are drawn once, with replacement. Then, n_sims times, they are arranged by the ranks of a Gaussian sample;
    the table whose correlations have the lowest mean squared error against `cor_matrix` is kept. A covariance that is not positive
    definite is first replaced by the nearest correlation matrix (R stops there). The same seed gives the same table.

    Raises ParameterError for n_runs outside 2 ... 1,000,000, n_sims outside 1 ... 10,000, a negative seed, NaN in sigma_matrix or
    cor_matrix, or a cor_matrix of other HEMs than mvg_params; TableError if `cor_matrix` is not a correlation matrix.
    Source: BSC, mergingTools vignette.
    """
    MuchParams(n_runs=n_runs, n_sims=n_sims, seed=seed)
    check_cor_matrix(cor_matrix)
    hems = list(mvg_params.hems)
    if list(cor_matrix.columns) != hems:
        raise ParameterError(
            f"cor_matrix: its HEMs {listed(cor_matrix.columns)} differ from those of mvg_params, {listed(hems)}; both need the same order."
        )
    if not hems:
        raise ParameterError("cor_matrix: it has no HEM; at least one is needed.")
    target = cor_matrix.to_numpy(dtype=float)
    normal = _correlation_of(mvg_params)
    undefined = [hem for hem, wrong in zip(hems, np.isnan(normal).any(axis=1) | np.isnan(target).any(axis=1), strict=True) if wrong]
    if undefined:
        raise ParameterError(
            f"cor_matrix: a correlation of {listed(undefined)} is unknown (NaN): never read together, or a HEM that never changes. "
            "Leave the HEM out or use much_merge with unmeasured='complete'."
        )
    random = np.random.default_rng(seed)
    columns = [np.sort(random.choice(mvg_params.readings[hem], n_runs)) for hem in hems]
    ordered = standardised(columns)
    rows = np.empty_like(ordered)
    root = square_root(nearest_correlation(normal))
    best: Matrix | None = None
    least = np.inf
    for _ in range(n_sims):
        sample = root @ random.standard_normal((len(hems), n_runs))
        put_in_order(ordered, sample, rows)
        mse = matrix_mse(correlations(rows), target)
        if best is None or mse < least:
            best = sample
            least = np.inf if np.isnan(mse) else mse
    assert best is not None  # n_sims is at least 1
    return merged_table(columns, hems, best)


def _correlation_of(mvg_params: MvgParams) -> Matrix:
    sigma = mvg_params.sigma_matrix.to_numpy(dtype=float)
    sds = mvg_params.sds.to_numpy(dtype=float)
    with np.errstate(invalid="ignore", divide="ignore"):
        matrix = sigma / np.outer(sds, sds)
    np.fill_diagonal(matrix, np.where(np.isnan(np.diag(matrix)), np.nan, 1.0))
    return matrix
