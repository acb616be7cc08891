"""The moments that a merged table is fitted to: for each pair of HEMs, the mean products of features of one and features of the other.

Features of a HEM: its standardised value, or its normal score if its tails are heavy, and Legendre polynomials of its rank. Their
products include r and Spearman's rho, and capture curved, one-sided and clustered relations.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.polynomial import legendre  # the package first: two visitors who import it at once by its parts get half of it
from numpy.typing import NDArray

from hemcore.likeness import mid_shares
from hemcore.merge.copula.copula_fit import Mixture
from hemcore.merge.copula.normal_scores import Matrix, Scored, decided_by_few, standardised
from hemcore.merge.ranks import mid_quantiles, normal_order

Features = NDArray[np.float32]

# Ridge of the regression of products on each HEM's own features: with less, perfectly correlated HEMs make it singular.
_RIDGE = 0.05
_MODEL_ROWS = 20_000
_MODEL_VALUES = 30_000_000


def features_of(shares: Matrix, values: Matrix, features: int) -> Matrix:
    """`features` features of readings with these ranks (0 to 1) and standardised values, both of the same shape: one more axis."""
    array = np.empty((*shares.shape, features))
    array[..., 0] = values
    if features > 1:
        array[..., 1:] = legendre.legvander(2 * shares - 1, features - 1)[..., 1:] * np.sqrt(2 * np.arange(1, features) + 1)
    return array


def column_features(readings: NDArray[np.number], n: int, features: int) -> tuple[NDArray[np.number], Features]:
    """n quantiles of sorted readings, as in the merged column, and their features with mean 0, shape (n, features)."""
    column = mid_quantiles(readings, n)
    shares = mid_shares(column)
    centred = features_of(shares, standardised(column, shares, heavy=decided_by_few(readings)), features)
    return column, (centred - centred.mean(axis=0)).astype(np.float32)


def arranged_features(columns: list[Features], sample: Matrix) -> tuple[Features, NDArray[np.int32]]:
    """The features of k columns in the order of `sample` (n, k): shape (n, k * features), and the ranks, shape (n, k)."""
    n, k = sample.shape
    features = columns[0].shape[1]
    arranged, ranks = np.empty((n, k * features), np.float32), np.empty((n, k), np.int32)
    for at, column in enumerate(columns):
        ranks[normal_order(sample[:, at]), at] = np.arange(n, dtype=np.int32)
        arranged[:, at * features : (at + 1) * features] = column[ranks[:, at]]
    return arranged, ranks


def model_columns(readings: list[NDArray[np.number]], features: int) -> list[Features]:
    """The features of each HEM's readings in a large table; `model_moments` takes them."""
    n = max(1_000, min(_MODEL_ROWS, _MODEL_VALUES // (len(readings) * features)))
    return [column_features(each, n, features)[1] for each in readings]


def model_moments(columns: list[Features], mixture: Mixture, random: np.random.Generator) -> Matrix:
    """The mean products of a large table sampled from the mixture, shape (k * features, k * features). columns: of `model_columns`."""
    n = len(columns[0])
    arranged, _ = arranged_features(columns, mixture.sample(n, random))
    return (arranged.T @ arranged).astype(float) / n


@dataclass(frozen=True, kw_only=True, eq=False)
class Measured:
    """The mean products of the pairs read together: pairs (p), products and their sampling noise, a variance (p, features, features)."""

    pairs: list[tuple[int, int]]
    products: Matrix
    noise: Matrix


def measured_moments(data: Scored, features: int, tell: Callable[[float], object] | None = None) -> Measured:
    """The mean products that the runs show. tell: called with the fraction done.

    The means of each HEM's own features are known from all its readings; the part of a product that they explain is removed by
    regression, and the variance of the rest, its sampling noise, is estimated from the runs.
    """
    read = pairs_read(data)
    parts = _centred_features(data, features) if read else []
    measured, noise = np.empty((len(read), features, features)), np.empty((len(read), features, features))
    for number, where in enumerate(read.values()):
        one = np.concatenate([parts[at][:, a] for at, a, _ in where])
        other = np.concatenate([parts[at][:, b] for at, _, b in where])
        measured[number], noise[number] = _mean_product(one, other)
        if tell is not None and number % 64 == 0:
            tell(number / len(read))
    return Measured(pairs=list(read), products=measured, noise=noise)


def target_moments(measured: Measured, model: Matrix, features: int) -> Matrix:
    """The target mean products, shape (k * features, k * features): measured for pairs read together, otherwise those of `model`.

    Each measured product is shrunk towards the model's by empirical Bayes, with one variance of the model's error per product over all
    pairs: pairs with more runs shrink less.

    Sources: W. James and C. Stein 1961, "Estimation with quadratic loss", Proceedings of the Fourth Berkeley Symposium 1, 361-379;
    B. Efron and C. Morris 1973, DOI 10.1080/01621459.1973.10481350.
    """
    if not measured.pairs:
        return model.copy()
    k = len(model) // features
    target, products, noise = model.copy().reshape(k, features, k, features), measured.products, measured.noise
    modelled = np.stack([target[first, :, second, :] for first, second in measured.pairs])
    off = np.maximum(((products - modelled) ** 2 - noise).mean(axis=0), 0.0)
    off = (off + off.T) / 2
    shrunk = modelled + off / np.maximum(off + noise, np.finfo(float).tiny) * (products - modelled)
    for (first, second), product in zip(measured.pairs, shrunk, strict=True):
        target[first, :, second, :], target[second, :, first, :] = product, product.T
    return target.reshape(k * features, k * features)


def pairs_read(data: Scored) -> dict[tuple[int, int], list[tuple[int, int, int]]]:
    """For each pair of HEMs read together: the subexperiments, and the columns of the two there."""
    found: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
    for number, places in enumerate(data.places):
        for a, b in combinations(np.argsort(places).tolist(), 2):
            found.setdefault((int(places[a]), int(places[b])), []).append((number, a, b))
    return found


def _centred_features(data: Scored, features: int) -> list[Matrix]:
    """The features of each subexperiment's runs, (runs, HEMs read, features), minus their means over all readings of the HEM."""
    parts = [features_of(shares, values, features) for shares, values in zip(data.shares, data.values, strict=True)]
    sums, counts = np.zeros((len(data.hems), features)), np.zeros(len(data.hems))
    for places, part in zip(data.places, parts, strict=True):
        sums[places] += part.sum(axis=0)
        counts[places] += len(part)
    means = sums / counts[:, None]
    return [part - means[places] for places, part in zip(data.places, parts, strict=True)]


def _mean_product(one: Matrix, other: Matrix) -> tuple[Matrix, Matrix]:
    """The mean products of features, (runs, features) each, given that both HEMs' means are known, and their variances."""
    n, features = one.shape
    products = (one[:, :, None] * other[:, None, :]).reshape(n, -1)
    known = np.column_stack([np.ones(n), one, other, one[:, 0] ** 2 - 1, other[:, 0] ** 2 - 1])
    squares = (products * products).mean(axis=0)
    if n < 2 * known.shape[1]:
        # Too few runs for a regression: at least the variance of independent features.
        mean = products.mean(axis=0)
        noise = np.maximum(squares - mean * mean, 1.0) / n
    else:
        gram, against = known.T @ known / n, known.T @ products / n
        ridged = gram.copy()
        ridged[np.arange(1, len(gram)), np.arange(1, len(gram))] += _RIDGE
        slopes = np.linalg.solve(ridged, against)
        mean = slopes[0]
        left = squares - 2 * (slopes * against).sum(axis=0) + (slopes * (gram @ slopes)).sum(axis=0)
        noise = np.maximum(left, 0.0) / (n - known.shape[1])
    return mean.reshape(features, features), noise.reshape(features, features)
