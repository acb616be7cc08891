"""A Gaussian copula and a Gaussian mixture fitted to runs that each read only a few HEMs, by expectation maximisation.

Source: A. P. Dempster, N. M. Laird and D. B. Rubin, "Maximum likelihood from incomplete data via the EM algorithm", Journal of the Royal
Statistical Society B 39 (1977) 1-38, DOI 10.1111/j.2517-6161.1977.tb01600.x.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hemcore.merge.much.max_determinant import largest_determinant

Matrix = NDArray[np.float64]
Places = NDArray[np.int64]
Tell = Callable[[float], object]

_COPULA_ROUNDS = 100
_COPULA_SETTLED = 1e-5
# HEMs; completing more takes longer than the fit.
_COMPLETED_UP_TO = 200
_MIXTURE_ROUNDS = 60
# Perfectly correlated HEMs make the matrix singular; a step this small towards independence changes no visible digit of r.
_TOWARDS_INDEPENDENCE = 1e-6
# The prior of a component's covariance: this many additional runs, with this fraction of the copula's covariance.
_PSEUDO_RUNS = 20.0
_PSEUDO_SPREAD = 0.3
# The initial weight of a run in the component that matches its distance from the mean.
_SURE = 0.8


@dataclass(frozen=True, kw_only=True, eq=False)
class Mixture:
    """c Gaussians over k normal scores: weights (c,), means (c, k), covariances (c, k, k)."""

    weights: Matrix
    means: Matrix
    covariances: Matrix

    def sample(self, n: int, random: np.random.Generator) -> Matrix:
        """n rows in random order, shape (n, k); each component contributes its share, rounded."""
        ends = np.rint(np.cumsum(self.weights) * n).astype(int)
        rows = random.standard_normal((n, self.means.shape[1]))
        drawn = np.empty_like(rows)
        for number, (first, last) in enumerate(zip([0, *ends[:-1]], ends, strict=True)):
            drawn[first:last] = self.means[number] + rows[first:last] @ np.linalg.cholesky(self.covariances[number]).T
        return drawn[random.permutation(n)]


@dataclass(frozen=True)
class _Batch:
    """Subexperiments with the same number of runs and of HEMs: places (g, m), scores (g, runs, m)."""

    places: Places
    scores: Matrix


def _batches(places: Sequence[Places], scores: Sequence[Matrix]) -> list[_Batch]:
    alike: dict[tuple[int, ...], list[int]] = {}
    for number, part in enumerate(scores):
        alike.setdefault(part.shape, []).append(number)
    return [_Batch(np.stack([places[at] for at in chosen]), np.stack([scores[at] for at in chosen])) for chosen in alike.values()]


def fitted_copula(places: Sequence[Places], scores: Sequence[Matrix], k: int) -> Matrix:
    """The correlation matrix, shape (k, k), of the Gaussian copula with the highest likelihood of `scores`. Positive definite.

    scores: normal scores of each subexperiment, runs x HEMs read; places: which of the k HEMs these are. Pairs that no run read are
    conditionally independent given the other HEMs (the completion of largest determinant).
    """
    sums: dict[int, list[tuple[Places, Matrix, int]]] = {}
    for at, part in zip(places, scores, strict=True):
        sums.setdefault(len(at), []).append((at, part.T @ part, len(part)))
    stacked = [
        (np.stack([one[0] for one in alike]), np.stack([one[1] for one in alike]), np.array([one[2] for one in alike], dtype=float))
        for alike in sums.values()
    ]
    runs = sum(len(part) for part in scores)
    found = np.eye(k)
    for _ in range(_COPULA_ROUNDS):
        change = np.zeros((k, k))
        for at, products, n in stacked:
            regression, seen = _regression(found, at)
            change += _spread_out(regression, products - n[:, None, None] * seen)
        following = found + change / runs
        scale = np.sqrt(np.diag(following))
        following /= np.outer(scale, scale)
        following += _TOWARDS_INDEPENDENCE * (np.eye(k) - following)
        moved = np.abs(following - found).max()
        found = (following + following.T) / 2
        if moved <= _COPULA_SETTLED:
            break
    unread = np.ones((k, k), dtype=bool)
    for at in places:
        unread[np.ix_(at, at)] = False
    return largest_determinant(found, unread) if unread.any() and k <= _COMPLETED_UP_TO else found


def fitted_mixture(
    places: Sequence[Places], scores: Sequence[Matrix], copula: Matrix, components: int, tell: Tell | None = None
) -> Mixture:
    """The mixture of `components` Gaussians fitted to `scores` (as for `fitted_copula`), starting from `copula`, its result.

    A component starts as the runs at a similar distance from the mean; each covariance is regularised towards the copula's with a weight
    of 20 runs. tell: called with the fraction done. With one component, the copula itself.
    """
    k = len(copula)
    mixture = Mixture(weights=np.ones(1), means=np.zeros((1, k)), covariances=copula[None])
    if components == 1:
        return mixture
    batches = _batches(places, scores)
    belongs = _first_guess(batches, copula, components)
    means, covariances = np.zeros((components, k)), np.repeat(copula[None], components, axis=0)
    runs = sum(len(part) for part in scores)
    for number in range(_MIXTURE_ROUNDS):
        weights = np.empty(components)
        for each in range(components):
            count = sum(float(share[each].sum()) for share in belongs)
            moved, spread = _expected(batches, [share[each] for share in belongs], means[each], covariances[each])
            moved, count = moved / max(count, 1e-12), max(count, 1e-12)
            spread = covariances[each] + spread / count - np.outer(moved, moved)
            means[each] += moved
            covariances[each] = (count * spread + _PSEUDO_RUNS * _PSEUDO_SPREAD * copula) / (count + _PSEUDO_RUNS)
            weights[each] = count / runs
        mixture = Mixture(weights=weights / weights.sum(), means=means.copy(), covariances=covariances.copy())
        belongs = [_responsibilities(batch, mixture) for batch in batches]
        if tell is not None:
            tell((number + 1) / _MIXTURE_ROUNDS)
    return mixture


def _regression(covariance: Matrix, at: Places) -> tuple[Matrix, Matrix]:
    """For each row of `at` (g, m): the regression of all HEMs on these, (g, m, k), and the covariance of these, (g, m, m)."""
    seen = covariance[at[:, :, None], at[:, None, :]]
    regression: Matrix = np.linalg.solve(seen, covariance[at]).astype(float)
    return regression, seen


def _spread_out(regression: Matrix, surplus: Matrix) -> Matrix:
    """The sum over g of regression' surplus regression, shape (k, k)."""
    k = regression.shape[2]
    weighted = surplus @ regression
    return regression.reshape(-1, k).T @ weighted.reshape(-1, k)


def _expected(batches: list[_Batch], shares: list[Matrix], mean: Matrix, covariance: Matrix) -> tuple[Matrix, Matrix]:
    """What the runs, weighted by their shares, add to count x mean and to count x covariance."""
    moved, spread = np.zeros_like(mean), np.zeros_like(covariance)
    for batch, share in zip(batches, shares, strict=True):
        regression, seen = _regression(covariance, batch.places)
        away = batch.scores - mean[batch.places][:, None, :]
        weighted = away * share[:, :, None]
        products = weighted.transpose(0, 2, 1) @ away
        spread += _spread_out(regression, products - share.sum(axis=1)[:, None, None] * seen)
        moved += np.einsum("gm,gmk->k", weighted.sum(axis=1), regression)
    return moved, spread


def _responsibilities(batch: _Batch, mixture: Mixture) -> Matrix:
    """The probability of each component for each run, shape (c, g, runs); they sum to 1 over c."""
    logs = np.empty((len(mixture.weights), *batch.scores.shape[:2]))
    for number, (weight, mean, covariance) in enumerate(zip(mixture.weights, mixture.means, mixture.covariances, strict=True)):
        root = np.linalg.cholesky(covariance[batch.places[:, :, None], batch.places[:, None, :]])
        away = batch.scores - mean[batch.places][:, None, :]
        whitened = away @ np.linalg.inv(root).transpose(0, 2, 1)
        volume = np.log(np.diagonal(root, axis1=1, axis2=2)).sum(axis=1)
        logs[number] = np.log(max(weight, 1e-300)) - 0.5 * np.einsum("gnm,gnm->gn", whitened, whitened) - volume[:, None]
    logs -= logs.max(axis=0)
    np.exp(logs, out=logs)
    logs /= logs.sum(axis=0)
    return logs


def _first_guess(batches: list[_Batch], copula: Matrix, components: int) -> list[Matrix]:
    """The initial probabilities, by the Mahalanobis distance of each run from the mean under the copula, squared, per HEM."""
    distances = []
    for batch in batches:
        seen = copula[batch.places[:, :, None], batch.places[:, None, :]]
        whitened = np.linalg.solve(seen, batch.scores.transpose(0, 2, 1))
        distances.append(np.einsum("gmn,gnm->gn", whitened, batch.scores) / batch.places.shape[1])
    bounds = np.quantile(np.concatenate([part.ravel() for part in distances]), np.arange(1, components) / components)
    guesses = []
    for part in distances:
        guess = np.full((components, *part.shape), (1 - _SURE) / components)
        np.put_along_axis(guess, np.searchsorted(bounds, part)[None], _SURE + (1 - _SURE) / components, axis=0)
        guesses.append(guess)
    return guesses
