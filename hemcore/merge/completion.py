"""Correlations of the pairs that were never read together, filled from those that were."""

import numpy as np
from numpy.typing import NDArray

from hemcore.merge.largest_determinant import largest_determinant, nearest_completion

Matrix = NDArray[np.float64]

_MAX_ROUNDS = 50
_NEAR_SINGULAR = 1e-7
_CONVERGED = 1e-10
# How far contradicting pairs are moved towards independence: about the error of r from some thousand runs. Closer would fit that error.
_TOWARDS_INDEPENDENCE = 0.01


def complete_correlation(matrix: Matrix) -> Matrix:
    """`matrix` (symmetric, shape (k, k), ones on the diagonal) with its NaN pairs filled; the other entries stay as they are.

    Of all completions the one of largest determinant: it adds no dependence that was not measured (two HEMs never read together are
    independent given the others). For a star of pairs around an anchor a that is r_ij = r_ia * r_ja.

    Found by fitting one measured pair after the other to a matrix that starts without any dependence. Where that does not settle, because
    the measured pairs contradict each other (no completion exists) or nearly so, the gaps are those of the completion of largest
    determinant of the nearest pairs that can be completed, and `nearest_correlation` settles the rest.

    Source: A. P. Dempster, "Covariance selection", Biometrics 28 (1972) 157-175, DOI 10.2307/2528966.
    """
    missing = np.isnan(matrix)
    if not missing.any():
        return matrix.copy()
    fitted = _fitted(matrix, missing)
    if fitted is None:
        start = (1 - _TOWARDS_INDEPENDENCE) * nearest_completion(matrix) + _TOWARDS_INDEPENDENCE * np.eye(len(matrix))
        fitted = largest_determinant(start, missing)
    # Rounding leaves the fitted matrix a last digit off symmetry.
    return np.where(missing, np.clip((fitted + fitted.T) / 2, -1.0, 1.0), matrix)


def _fitted(matrix: Matrix, missing: NDArray[np.bool_]) -> Matrix | None:
    """The positive definite matrix with these measured pairs whose inverse is 0 at the missing ones; None where none comes in sight."""
    fitted = np.eye(len(matrix))
    pairs = [(int(first), int(second)) for first, second in np.argwhere(~missing) if first < second]
    if any(abs(matrix[pair]) >= 1.0 - _NEAR_SINGULAR for pair in pairs):
        return None
    for _ in range(_MAX_ROUNDS):
        worst = 0.0
        for first, second in pairs:
            r = float(matrix[first, second])
            worst = max(worst, abs(float(fitted[first, second]) - r))
            _fit_pair(fitted, first, second, r)
        if not np.isfinite(fitted).all() or np.linalg.eigvalsh(fitted)[0] < _NEAR_SINGULAR:
            return None
        if worst <= _CONVERGED:
            return fitted
    return None


def _fit_pair(fitted: Matrix, first: int, second: int, r: float) -> None:
    """Give the pair the correlation r in `fitted` (in place); what does not hang on the pair stays."""
    pair = [first, second]
    columns = fitted[:, pair]
    inverse = np.linalg.inv(columns[pair])
    change = inverse @ (np.array([[1.0, r], [r, 1.0]]) - columns[pair]) @ inverse
    fitted += columns @ change @ columns.T
