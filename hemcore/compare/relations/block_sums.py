"""Sums over blocks of runs from which the correlation of each pair of HEMs, and its error, are read for any choice of blocks."""

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

Floats = NDArray[np.float64]
# a * b, a * a, b * b; squares and products of the sums of a * b and of (a * a + b * b) / 2 over each block; runs; blocks.
SUMS = 8
# A set takes its spread from both sets as if they had added so many blocks to it.
_BORROWED = 20


def pair_sums(scores: Floats, pairs: NDArray[np.int64], length: int) -> Floats:
    """The sums over blocks of `length` runs, shape (blocks, 8, pairs); the last runs that do not fill a block join the one before.

    scores: shape (runs, hems), NaN = not counted. pairs: places of two HEMs, shape (2, pairs). Runs that lack one of a pair count nothing
    for it.
    """
    counted = np.isfinite(scores).astype(float)
    known = np.where(counted > 0, scores, 0.0)
    whole = max(len(scores) // length - 1, 0)
    found = []
    for first, last, blocks in ((0, whole * length, whole), (whole * length, len(scores), 1)):
        if last > first:
            a, here = (each[first:last].reshape(blocks, -1, each.shape[1]) for each in (known, counted))
            across = a.transpose(0, 2, 1)
            squares = (across * across) @ here
            squared = (across @ a, squares, squares.transpose(0, 2, 1), here.transpose(0, 2, 1) @ here)
            found.append([each[:, pairs[0], pairs[1]] for each in squared])
    product, aa, bb, runs = (np.concatenate(each) for each in zip(*found, strict=True))
    mean = (aa + bb) / 2
    return np.stack((product, aa, bb, product * product, product * mean, mean * mean, runs, (runs > 0).astype(float)), axis=1)


def difference_of(before: Floats, after: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """r before and after, the standard error of each, from totals of `pair_sums` over blocks, shape (..., 8, pairs); NaN without a spread.

    The error is that of the influence of each block of runs on r, a b - r (a a + b b) / 2, so no distribution is assumed. Few blocks that
    happen to agree say little of it, so a set of few blocks takes part of its spread from both sets together. Source of the influence:
    F. R. Hampel 1974, doi 10.2307/2285666.
    """
    (first, one, n_one), (second, two, n_two) = _influence(before), _influence(after)
    with np.errstate(all="ignore"):
        both = (n_one * one + n_two * two) / (n_one + n_two)
        spreads = [(n * own + _BORROWED * both) / (n + _BORROWED) for own, n in ((one, n_one), (two, n_two))]
        errors = [np.sqrt(spread / np.where(n > 1, n - 1, np.nan)) for spread, n in zip(spreads, (n_one, n_two), strict=True)]
    return first, second, errors[0], errors[1]


def _influence(sums: Floats) -> tuple[Floats, Floats, Floats]:
    """r, the variance of the influence of a block on it, and the number of blocks."""
    product, aa, bb, squares, mixed, means, _, blocks = np.moveaxis(sums, -2, 0)
    with np.errstate(all="ignore"):
        size = np.sqrt(aa * bb)
        r = np.where(size > 0, np.clip(product / size, -1.0, 1.0), np.nan)
        return r, np.maximum(squares - 2 * r * mixed + r * r * means, 0.0) / (size * size) * blocks, blocks


def variance_of_ranks(scores: Floats, pairs: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """The variance of the influence of a run on r, each shape (pairs,): with that of its rank on the scores of all other runs, and of
    `difference_of`, which knows that of a normal distribution alone. They differ where HEMs are not related as normal ones are.

    scores: normal scores of runs that counted every HEM, shape (runs, hems). Source: C. A. J. Klaassen, J. A. Wellner 1997, doi
    10.2307/3318652.
    """
    n, k = scores.shape
    z = ndtri(np.arange(1, n + 1) / (n + 1))
    # How much a score rises as its rank does, for scores of standard deviation 1.
    slope = np.sqrt(2 * np.pi) * np.exp(z * z / 2) / np.sqrt((z * z).mean()) / n
    through_ranks = np.empty((k, n, k))
    for place in range(k):
        order = np.argsort(scores[:, place], kind="stable")
        raised = slope[:, None] * scores[order]
        # Of the runs at or above it; itself half, as is usual for a sum that stands for an integral.
        through_ranks[place, order] = np.cumsum(raised[::-1], axis=0)[::-1] - raised / 2
    a, b = pairs
    product = scores[:, a] * scores[:, b]
    by_rank = product + through_ranks[a, :, b].T + through_ranks[b, :, a].T
    normal = product - product.mean(axis=0) * (scores[:, a] ** 2 + scores[:, b] ** 2) / 2
    return by_rank.var(axis=0), normal.var(axis=0)
