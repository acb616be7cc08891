"""The nearest correlation matrix to a matrix that is not one."""

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]


def nearest_correlation(matrix: Matrix, *, tolerance: float = 1e-10, max_rounds: int = 3000) -> Matrix:
    """The correlation matrix nearest to `matrix` (symmetric, shape (k, k), no NaN) in the Frobenius norm; a copy if it is one itself.

    Correlations measured pair by pair from different runs may be inconsistent: the matrix can have negative eigenvalues.
    Alternating projections with Dykstra's correction: N. J. Higham, "Computing the nearest correlation matrix: a problem from finance",
    IMA Journal of Numerical Analysis 22 (2002) 329-343, DOI 10.1093/imanum/22.3.329.
    """
    if len(matrix) == 0 or np.linalg.eigvalsh(matrix)[0] >= 0:
        return matrix.copy()
    unit, correction = matrix.copy(), np.zeros_like(matrix)
    for _ in range(max_rounds):
        before = unit
        shifted = unit - correction
        definite = without_negative(shifted)
        correction = definite - shifted
        unit = definite.copy()
        np.fill_diagonal(unit, 1.0)
        if np.linalg.norm(unit - before) <= tolerance * np.linalg.norm(unit):
            break
    return rescaled_to_correlation(unit)


def rescaled_to_correlation(matrix: Matrix) -> Matrix:
    """`matrix` (symmetric, shape (k, k)) with its negative eigenvalues set to 0 and its diagonal scaled to 1: one step, not the nearest."""
    definite = without_negative(matrix)
    scale = np.sqrt(np.maximum(np.diag(definite), 1e-12))
    result = np.clip(definite / np.outer(scale, scale), -1.0, 1.0)
    np.fill_diagonal(result, 1.0)
    return result


def square_root(matrix: Matrix) -> Matrix:
    """The symmetric F, shape (k, k), with F @ F = `matrix`, which may be singular; negative eigenvalues count as 0."""
    values, vectors = np.linalg.eigh(matrix)
    return (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T


def without_negative(matrix: Matrix) -> Matrix:
    """The positive semidefinite matrix nearest to `matrix` (shape (k, k)) in the Frobenius norm: negative eigenvalues set to 0."""
    values, vectors = np.linalg.eigh((matrix + matrix.T) / 2)
    return (vectors * np.maximum(values, 0.0)) @ vectors.T
