"""Filling the correlations of pairs never read together from those that were."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hemcore.merge.much.max_determinant import largest_determinant, nearest_completion

Matrix = NDArray[np.float64]

# Length of one step, relative to the distance at which the matrix would be singular.
_STRIDE = 0.9
_LEAST_STRIDE = 1e-13
_MOST_STRIDES = 400
_ON_THE_WAY = 1e-3
# How far contradicting pairs are moved towards independence: about the error of r from a few thousand runs.
_TOWARDS_INDEPENDENCE = 0.01


@dataclass(frozen=True, kw_only=True, eq=False)
class Completion:
    """matrix: complete, shape (k, k). exists: whether some positive definite matrix has the measured pairs."""

    matrix: Matrix
    exists: bool


def completion(matrix: Matrix) -> Completion:
    """`matrix` (symmetric, shape (k, k), ones on the diagonal) with its NaN pairs filled; the other entries stay as they are.

    The completion of largest determinant, which adds no dependence that was not measured: two HEMs never read together are independent
    given the others. For a star of pairs around an anchor a, this is r_ij = r_ia * r_ja.

    Found by continuation: the measured pairs grow from 0 to their r in steps that keep the matrix positive definite, and the gaps follow
    by Newton's method. This succeeds whenever a positive definite completion exists. If none does (measured pairs contradict each other,
    or some are perfectly correlated), the gaps are those of the completion of largest determinant of the nearest pairs that can be
    completed; `nearest_correlation` then makes it a correlation matrix.

    Source: A. P. Dempster, "Covariance selection", Biometrics 28 (1972) 157-175, DOI 10.2307/2528966; R. Grone, C. R. Johnson, E. M. de Sá
    and H. Wolkowicz, "Positive definite completions of partial Hermitian matrices", Linear Algebra and its Applications 58 (1984) 109-124,
    DOI 10.1016/0024-3795(84)90207-6 (that it is unique).
    """
    missing = np.isnan(matrix)
    if not missing.any():
        return Completion(matrix=matrix.copy(), exists=bool(len(matrix) == 0 or np.linalg.eigvalsh(matrix)[0] > 0))
    found = _followed(matrix, missing)
    exists = found is not None
    if found is None:
        start = (1 - _TOWARDS_INDEPENDENCE) * nearest_completion(matrix) + _TOWARDS_INDEPENDENCE * np.eye(len(matrix))
        found = largest_determinant(start, missing)
    # Rounding leaves the fitted matrix asymmetric in the last digit.
    return Completion(matrix=np.where(missing, np.clip((found + found.T) / 2, -1.0, 1.0), matrix), exists=exists)


def _followed(matrix: Matrix, missing: NDArray[np.bool_]) -> Matrix | None:
    """The completion of largest determinant; None if the measured pairs cannot grow to their r."""
    unit = np.eye(len(matrix))
    apart = np.where(missing, 0.0, matrix) - unit
    reached, current = 0.0, unit
    for _ in range(_MOST_STRIDES):
        # The factor by which the off-diagonal can grow before the smallest eigenvalue is 0.
        least = float(np.linalg.eigvalsh(apart)[0])
        room = 1.0 / max(-least, 1e-300)
        following = min(1.0, reached + _STRIDE * (room - 1.0) * reached if reached else _STRIDE * room)
        if following - reached < _LEAST_STRIDE:
            return None
        apart = apart * (following / reached if reached else following)
        end = following == 1.0
        current = largest_determinant(unit + apart, missing) if end else largest_determinant(unit + apart, missing, settled=_ON_THE_WAY)
        if end:
            return current
        reached, apart = following, current - unit
    return None
