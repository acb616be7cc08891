"""MUCH, calibrated: the correlations of the Gaussian are adjusted until those of the merged table fit."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import ndtri

from hemcore.merge.much.arrange import Matrix, correlations, merged_table, put_in_order, standardised
from hemcore.merge.much.gaussian import MvgParams
from hemcore.merge.much.matrices import matrix_mse
from hemcore.merge.much.repaired_matrix import rescaled_to_correlation, square_root
from hemcore.merge.ranks import mid_quantiles

_MAX_ROUNDS = 40
_PATIENCE = 8
# The fit of a small table depends on the draw, and drawing again takes milliseconds; that of a large table does not.
_DRAWS = 6
_SMALL_TABLE = 200_000


def calibrated_merge(mvg_params: MvgParams, n_runs: int, aim: Matrix, *, seed: int) -> pd.DataFrame:
    """A merged table whose correlations come close to `aim` (positive semidefinite, shape (k, k), no NaN), shape (n_runs, k).

    n_runs quantiles of each HEM's readings, every value a reading, are arranged by the ranks of a Gaussian sample with correlations T.
    With skewed readings this shrinks Pearson's r; the differences are accumulated, T becomes the correlation matrix near aim plus that
    sum, and this is repeated on the same sample until the fit stops improving. The best table is kept: of six samples if the table has up
    to 200,000 values, otherwise of one. The same seed gives the same table.

    Sources: R. L. Iman and W. J. Conover 1982, DOI 10.1080/03610918208812265 (ranks of a correlated sample);
    M. C. Cario and B. L. Nelson 1997, "Modeling and generating random vectors with arbitrary marginal distributions and correlation
    matrix", Northwestern University (the correction for NORTA).
    """
    hems = list(mvg_params.hems)
    columns = [mid_quantiles(mvg_params.readings[hem], n_runs) for hem in hems]
    ordered = standardised(columns)
    random = np.random.default_rng(seed)
    best: Matrix | None = None
    least = np.inf
    for _ in range(_DRAWS if n_runs * len(hems) <= _SMALL_TABLE else 1):
        scores = _independent_scores(len(hems), n_runs, random)
        root, mse = _fitted_root(ordered, scores, aim)
        if best is None or mse < least:
            best, least = root @ scores, mse
    assert best is not None  # there is at least one draw
    return merged_table(columns, hems, best)


def _fitted_root(ordered: Matrix, scores: Matrix, aim: Matrix) -> tuple[Matrix, float]:
    """The square root of T that brings `ordered` closest to `aim`, and the mean squared error reached (infinite if unknown)."""
    rows = np.empty_like(ordered)
    wanted, normal = aim.copy(), aim
    best, least, since_best = square_root(aim), np.inf, 0
    for _ in range(_MAX_ROUNDS):
        root = square_root(normal)
        put_in_order(ordered, root @ scores, rows)
        reached = correlations(rows)
        mse = matrix_mse(reached, aim)
        # An improvement below 1% does not count as progress, to avoid many rounds for the last digit.
        since_best = 0 if mse < 0.99 * least else since_best + 1
        if mse < least:
            best, least = root, mse
        if np.isnan(mse) or least == 0.0 or since_best >= _PATIENCE:
            break
        wanted = wanted + aim - reached
        normal = rescaled_to_correlation(wanted)
    return best, least


def _independent_scores(k: int, n: int, random: np.random.Generator) -> NDArray[np.float64]:
    """Normal scores in a random order for each of k HEMs, uncorrelated if n allows; shape (k, n)."""
    scores = random.permuted(np.tile(ndtri((np.arange(n) + 0.5) / n), (k, 1)), axis=1)
    scores /= scores.std(axis=1, keepdims=True)
    values, vectors = np.linalg.eigh(scores @ scores.T / n)
    if values[0] < 0.05:
        return scores
    return (vectors / np.sqrt(values)) @ vectors.T @ scores
