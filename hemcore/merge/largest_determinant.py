"""Completing a correlation matrix whose measured pairs contradict each other: first one that is possible, then the least dependent."""

import numpy as np
from numpy.typing import NDArray

from hemcore.merge.nearest import rescaled_to_correlation, without_negative

Matrix = NDArray[np.float64]

_CLOSEST_ROUNDS = 500
_NEWTON_ROUNDS = 60
_CG_ROUNDS = 100
_SETTLED = 1e-8


def nearest_completion(matrix: Matrix) -> Matrix:
    """A correlation matrix whose entries come close to those of `matrix` (shape (k, k)) where that is not NaN.

    The NaN entries start as the strongest chain of measured pairs between the two. Then by turns the measured entries are put in and
    negative eigenvalues taken out.
    """
    missing = np.isnan(matrix)
    completed = _strongest_chains(matrix, missing)
    for _ in range(_CLOSEST_ROUNDS):
        following = np.where(missing, without_negative(completed), matrix)
        settled = np.abs(following - completed).max() <= _SETTLED
        completed = following
        if settled:
            break
    return rescaled_to_correlation(completed)


def _strongest_chains(matrix: Matrix, missing: NDArray[np.bool_]) -> Matrix:
    """`matrix` with each missing entry the product of r along the chain of measured pairs whose product is largest, as Floyd finds it."""
    chained = np.where(missing, 0.0, matrix)
    for between in range(len(matrix)):
        product = np.outer(chained[:, between], chained[between])
        chained = np.where(missing & (np.abs(product) > np.abs(chained)), product, chained)
    return chained


def largest_determinant(start: Matrix, free: NDArray[np.bool_]) -> Matrix:
    """The positive definite matrix of largest determinant that equals `start` (positive definite, (k, k)) where `free` (symmetric) is not.

    Newton's method on the log determinant, which is concave in the free entries: its gradient there is the inverse, 0 at the end.
    """
    current = start
    value = _log_determinant(current)
    for _ in range(_NEWTON_ROUNDS):
        inverse: Matrix = np.linalg.inv(current).astype(float)
        gradient = np.where(free, (inverse + inverse.T) / 2, 0.0)
        step = _newton_step(current, inverse, gradient, free)
        gain = float((gradient * step).sum())
        if gain <= _SETTLED:
            break
        length = 1.0
        while length > 1e-6:
            trial = current + length * step
            reached = _log_determinant(trial)
            if reached >= value + 0.1 * length * gain:
                break
            length /= 2
        else:
            break
        current, value = trial, reached
    return current


def _newton_step(current: Matrix, inverse: Matrix, gradient: Matrix, free: NDArray[np.bool_]) -> Matrix:
    """The step S on the free entries with (inverse S inverse) = gradient there, by conjugate gradients.

    The way back, current G current on the free entries, would be exact were all entries free: it preconditions.
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
