"""Completing a correlation matrix: the nearest possible one if measured pairs contradict each other, then that of largest determinant."""

import numpy as np
from numpy.typing import NDArray

from hemcore.merge.much.repaired_matrix import rescaled_to_correlation, without_negative

Matrix = NDArray[np.float64]

_CLOSEST_ROUNDS = 500
_NEWTON_ROUNDS = 60
_CG_ROUNDS = 100
_SETTLED = 1e-8
# Up to this many free entries the step is solved directly, above by conjugate gradients.
_SOLVED_UP_TO = 400
# From this gain on, a full step may leave the positive definite matrices.
_NEAR = 0.25


def nearest_completion(matrix: Matrix) -> Matrix:
    """A correlation matrix close to the known entries of `matrix` (shape (k, k), NaN = unknown).

    Unknown entries start as the strongest chain of measured pairs between the two HEMs. Then the measured entries are restored and
    negative eigenvalues removed, alternately.
    """
    missing = np.isnan(matrix)
    completed = strongest_chains(matrix)
    for _ in range(_CLOSEST_ROUNDS):
        following = np.where(missing, without_negative(completed), matrix)
        settled = np.abs(following - completed).max() <= _SETTLED
        completed = following
        if settled:
            break
    return rescaled_to_correlation(completed)


def strongest_chains(matrix: Matrix) -> Matrix:
    """`matrix` (shape (k, k)) with each NaN entry replaced by the largest product of r along a chain of measured pairs (Floyd)."""
    missing = np.isnan(matrix)
    chained = np.where(missing, 0.0, matrix)
    for between in range(len(matrix)):
        product = np.outer(chained[:, between], chained[between])
        chained = np.where(missing & (np.abs(product) > np.abs(chained)), product, chained)
    return chained


def largest_determinant(start: Matrix, free: NDArray[np.bool_], *, settled: float = _SETTLED) -> Matrix:
    """The positive definite matrix of largest determinant that equals `start` (positive definite, (k, k)) where `free` is False.

    Newton's method on the log determinant, which is concave in the free entries; its gradient there is the inverse, 0 at the end. Steps
    are damped by self-concordance (Nesterov and Nemirovskii 1994, DOI 10.1137/1.9781611970791). free: symmetric. settled: the expected
    gain of a step below which the search ends.
    """
    current = start
    value = _log_determinant(current)
    first, second = np.nonzero(np.triu(free, 1))
    for _ in range(_NEWTON_ROUNDS):
        inverse: Matrix = np.linalg.inv(current).astype(float)
        inverse = (inverse + inverse.T) / 2
        gradient = np.where(free, inverse, 0.0)
        solve = len(first) <= _SOLVED_UP_TO
        step = _solved_step(inverse, first, second) if solve else _newton_step(current, inverse, gradient, free)
        gain = float((gradient * step).sum())
        if not gain > 0:
            break
        length = 1.0 if gain < _NEAR else 1.0 / (1.0 + gain**0.5)
        while length > 1e-6:
            trial = current + length * step
            reached = _log_determinant(trial)
            if reached >= value:
                break
            length /= 2
        else:
            break
        current, value = trial, reached
        if gain <= settled:
            break
    return current


def _solved_step(inverse: Matrix, first: NDArray[np.intp], second: NDArray[np.intp]) -> Matrix:
    """The step S on the free entries (first, second) with (inverse S inverse) = inverse there; zeros if there is no solution."""
    bend = inverse[np.ix_(first, first)] * inverse[np.ix_(second, second)] + inverse[np.ix_(first, second)] * inverse[np.ix_(second, first)]
    units = 1.0 / np.sqrt(np.diag(bend))
    step = np.zeros_like(inverse)
    try:
        found = units * np.linalg.solve(bend * np.outer(units, units), units * inverse[first, second])
    except np.linalg.LinAlgError:
        return step
    step[first, second] = step[second, first] = found
    return step


def _newton_step(current: Matrix, inverse: Matrix, gradient: Matrix, free: NDArray[np.bool_]) -> Matrix:
    """The step S on the free entries with (inverse S inverse) = gradient there, by conjugate gradients.

    Preconditioned by G -> current G current on the free entries, which would be exact if all entries were free.
    """
    step = np.zeros_like(gradient)
    rest = gradient.copy()
    better = np.where(free, current @ rest @ current, 0.0)
    direction = better.copy()
    size = first = float((rest * better).sum())
    for _ in range(_CG_ROUNDS):
        if size <= 1e-12 * first or size <= 0:
            break
        image = np.where(free, inverse @ direction @ inverse, 0.0)
        share = size / float((direction * image).sum())
        step += share * direction
        rest -= share * image
        better = np.where(free, current @ rest @ current, 0.0)
        following = float((rest * better).sum())
        direction = better + following / size * direction
        size = following
    return step


def _log_determinant(matrix: Matrix) -> float:
    try:
        return 2.0 * float(np.log(np.diag(np.linalg.cholesky(matrix))).sum())
    except np.linalg.LinAlgError:
        return -np.inf
