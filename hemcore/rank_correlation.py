"""Correlations of two columns of runs with their standard errors, of the counts and of their normal scores, no distribution assumed."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, stdtrit
from scipy.stats import rankdata

Floats = NDArray[np.float64]
_Parts = tuple[Floats, Floats, Floats]  # of runs: scores, influences on their variance, and on r by the ranks of that HEM
_MOST_CELLS = 4_000_000
_LEAST_FREEDOM = 2.0
_ROUNDING = 1e-12
# Ranks of two near copies differ by chance alone, by the runs that fall between the two counts of a run: so much more than the first order,
# sqrt(2 / pi) * sqrt(2 log n) * sqrt(2 (1 - r)) / n of 1 - r; and how much of that is uncertain. By simulation, 120 to 500 runs.
_CHANCE_RANKS, _UNCERTAIN = 1.15, 0.3
# What halves of the runs show of it: in so many splits, fewer of many runs, none of few; below 0 where r of few runs is too high.
_SPLITS, _SPLIT_RUNS, _FEWEST_SPLIT, _SHOWN = 10, 2_500, 20, (-3.0, 1.0)
# Two counts that are mostly 0 have no known error where fewer runs have another one; equal ones of so many runs are copies.
_FEWEST_RARE, _FEWEST_EXACT = 4, 10


def normal_scores(counts: Floats) -> Floats:
    """Each HEM's ranks as quantiles of a normal distribution, with mean 0 and standard deviation 1, shape (runs, hems).

    NaN where it was not counted or is constant. One extreme run then counts as one run, whatever it counted. Source: B. L. van der Waerden
    1952, Order tests for the two-sample problem and their power, Indagationes Mathematicae 14.
    """
    found = np.full(counts.shape, np.nan)
    quantiles: dict[int, Floats] = {}
    for place in range(counts.shape[1]):
        known = np.flatnonzero(np.isfinite(counts[:, place]))
        n, values = len(known), counts[known, place]
        order = np.argsort(values)
        rising = values[order]
        if (rising[1:] == rising[:-1]).any():
            scores = ndtri(rankdata(values) / (n + 1))
        else:  # all columns without ties have the same quantiles
            scores = np.empty(n)
            if n not in quantiles:
                quantiles[n] = ndtri(np.arange(1, n + 1) / (n + 1))
            scores[order] = quantiles[n]
        centred = scores - scores.mean() if len(scores) else scores
        size = float(np.sqrt((centred**2).mean())) if len(scores) else 0.0
        if size > 1e-9:
            found[known, place] = centred / size
    return found


@dataclass(frozen=True, kw_only=True, eq=False)
class Correlated:
    """r of every two of k columns, each shape (k, k). error: its standard error. freedom: the degrees of freedom of that error, 2 to n - 2:
    few where few runs decide it (F. E. Satterthwaite 1946, doi 10.2307/3002019). NaN for a column that never changes; error: for r of ranks
    also where two counts are mostly at one value and too few runs tell."""

    r: Floats
    error: Floats
    freedom: Floats

    def ends(self, level: float) -> tuple[Floats, Floats]:
        """The interval of `level` by Student's quantiles of Fisher's z = artanh r, each shape (k, k); r itself where r is 1 or -1."""
        with np.errstate(divide="ignore", invalid="ignore"):
            reach = stdtrit(self.freedom, (1 + level) / 2) * self.error / (1 - self.r * self.r)
            low, high = np.tanh(np.arctanh(self.r) - reach), np.tanh(np.arctanh(self.r) + reach)
        exact = (np.abs(self.r) >= 1) & np.isfinite(self.error)
        return np.where(exact, self.r, low), np.where(exact, self.r, high)


def of_counts(counts: Floats) -> Correlated:
    """Pearson's r of the columns of `counts`, shape (n, k), n >= 4.

    The error is from the influence of each run on r, u_a u_b - r (u_a^2 + u_b^2) / 2 with standardised counts u, with n - 3 for n as in
    R. A. Fisher's z. Source: F. R. Hampel 1974, doi 10.2307/2285666.
    """
    centred = counts - counts.mean(axis=0)
    largest = np.abs(centred).max(axis=0)
    centred = centred / np.where(largest > 0, largest, 1.0)  # squares of tiny counts would vanish
    spread = np.sqrt((centred * centred).mean(axis=0))
    with np.errstate(divide="ignore", invalid="ignore"):
        u = np.where(counts.max(axis=0) > counts.min(axis=0), centred / spread, np.nan)
    squares = u * u
    return _correlated(u, ((a, b, u[:, [a]] * u[:, b], squares[:, [a]], squares[:, b]) for a, b in _chunks(*u.shape)))


def of_ranks(counts: Floats) -> Correlated:
    """r of the `normal_scores` of the columns of `counts`, shape (n, k), n >= 4; ties count half.

    The influence of a run has two parts more than Pearson's: that of its count on the ranks of the others, in both columns. Each is
    divided by what the run leaves of both variances to the others, as when it is left out: few runs else seem more certain than they are.
    Of counts that are mostly at one value, one run of each kind that no run is counts too (`_unseen`).
    r of few runs is biased: ranks of near copies differ by chance, and counts with an end or a gap give scores of their own. So much of the
    correction of Gaussian near copies (_CHANCE_RANKS) is made as r of random halves of the runs differs from r of all, up or down.
    Sources: C. A. J. Klaassen and J. A. Wellner 1997, doi 10.2307/3318652; M. H. Quenouille 1956, Notes on bias in estimation, Biometrika
    43, 353-360.
    """
    n, k = counts.shape
    scores = normal_scores(counts)
    ranked = _Ranked.of(counts)
    order, below, up_to = ranked.order, ranked.below, ranked.up_to
    shares = (below + up_to) / (2 * n)
    plain = ndtri((below + up_to + 1) / (2 * (n + 1)))
    # How fast a score grows with the share of runs below.
    slopes = np.sqrt(2 * np.pi) * np.exp(plain * plain / 2) / np.maximum(plain.std(axis=0), 1e-9)

    def moved(through: int, other: Floats) -> Floats:
        """The influence of each run on mean(score x other) by the ranks of the column `through`; other: shape (n, m)."""
        weighted = slopes[:, [through]] * other
        sums = np.concatenate([np.zeros((1, other.shape[1])), np.cumsum(weighted[order[:, through]], axis=0)])
        low, high = below[:, through], up_to[:, through]
        above = sums[-1] - (sums[high] + sums[low]) / 2
        return (above - shares[:, through] @ weighted) / n

    own = scores * scores + 2 * np.column_stack([moved(at, scores[:, [at]])[:, 0] for at in range(k)])

    often, unseen = _often(ranked), np.zeros((k, k))

    def products() -> Iterator[tuple[int, NDArray[np.int64], Floats, Floats, Floats]]:
        for a, b in _chunks(n, k):
            through_a = moved(a, scores[:, b])
            through_b = np.column_stack([moved(each, scores[:, [a]])[:, 0] for each in b.tolist()])
            product = scores[:, [a]] * scores[:, b] + through_a + through_b
            left = 1 - (scores[:, [a]] ** 2 + scores[:, b] ** 2) / (2 * n)
            of_a, of_b = (scores[:, [a]], own[:, [a]], through_a), (scores[:, b], own[:, b], through_b)
            unseen[a, b] = _unseen(often[:, [a]], often[:, b], of_a, of_b)
            yield a, b, product / left, own[:, [a]] / left, own[:, b] / left

    found = _correlated(scores, products())
    error = np.hypot(found.error, np.sqrt((unseen + unseen.T) / (n * max(n - 3.0, 1.0))))
    return _without_bias(replace(found, error=np.where(_too_few(often, found.r), np.nan, error)), ranked)


def r_of_ranks(counts: Floats) -> Floats:
    """The r of `of_ranks` without its errors, in a tenth of the time."""
    return _without_bias(_correlated(normal_scores(counts), iter(())), _Ranked.of(counts)).r


@dataclass(frozen=True, kw_only=True, eq=False)
class _Ranked:
    """order: the runs in the order of each column's counts; below, up_to: how many counts are less, and at most as large; all (n, k)."""

    order: NDArray[np.int64]
    below: NDArray[np.int64]
    up_to: NDArray[np.int64]

    @staticmethod
    def of(counts: Floats) -> "_Ranked":
        order = np.argsort(counts, axis=0, kind="stable")
        ordered = np.take_along_axis(counts, order, axis=0)
        sides = [
            np.column_stack([np.searchsorted(known, column, side) for known, column in zip(ordered.T, counts.T, strict=True)])
            for side in ("left", "right")
        ]
        return _Ranked(order=order, below=sides[0], up_to=sides[1])

    def half_distances(self, sign: Floats) -> Floats:
        """1 - sign r of the normal scores of random halves of the runs, a mean by its root; sign: of each r, 1 or -1; both (k, k)."""
        n, k = self.order.shape
        half, m = _halves(n), n // 2
        counted = np.zeros((len(half), n + 1, k), np.int32)
        np.cumsum(half[:, self.order], axis=1, out=counted[:, 1:])
        columns = np.arange(k)
        twice = counted[:, self.below, columns] + counted[:, self.up_to, columns] + 1  # of its half: twice the rank of a run
        scores = ndtri(np.arange(2 * m + 2) / (2 * m + 2))[twice]
        scores = np.where(half[:, :, None], scores, 0.0)
        scores -= np.where(half[:, :, None], scores.sum(axis=1, keepdims=True) / m, 0.0)
        products = scores.transpose(0, 2, 1) @ scores
        spread = np.sqrt(np.diagonal(products, axis1=1, axis2=2))
        both = spread[:, :, None] * spread[:, None, :]
        changing = both > _ROUNDING
        r = np.divide(products, both, out=np.ones_like(products), where=changing)
        total = np.where(changing, np.sqrt(np.clip(1 - sign * r, 0, None)), 0.0).sum(axis=0)
        return np.square(np.divide(total, changing.sum(axis=0), out=np.full((k, k), np.nan), where=changing.any(axis=0)))


def _often(ranked: _Ranked) -> NDArray[np.bool_]:
    """Where each column has the value that at least half of its runs have; nowhere if it has none; shape (n, k)."""
    ties = ranked.up_to - ranked.below
    return (ties == ties.max(axis=0)) & (2 * ties >= len(ties))


def _too_few(often: NDArray[np.bool_], r: Floats) -> NDArray[np.bool_]:
    """Which pairs of columns that are mostly at one value leave it in too few runs to know r from, shape (k, k)."""
    n, both = len(often), often.T.astype(float) @ often
    return (both > 0) & (n - both < np.where(np.abs(r) >= 1, _FEWEST_EXACT, _FEWEST_RARE))


def _unseen(often_a: NDArray[np.bool_], often_b: NDArray[np.bool_], of_a: _Parts, of_b: _Parts) -> Floats:
    """The squared influence of one run of each kind that no run is, shape (m,), on r of a column, shape (n, 1), with m others, (n, m).

    Kinds of run: each of the two HEMs has the value that most runs have (often), or another; 0 where there is no such value. Without it two
    counts that are rarely above 0 are sure to exclude each other, or to go together, as soon as a few runs happen to.
    """
    r = (of_a[0] * of_b[0]).mean(axis=0)
    total = np.zeros(often_b.shape[1])
    both_vary = often_a.any() & often_b.any(axis=0)
    if not both_vary.any():
        return total
    for in_a in (often_a, ~often_a):
        for in_b in (often_b, ~often_b):
            none = both_vary & ~(in_a & in_b).any(axis=0)
            if none.any():
                (u, own_u, by_u), (v, own_v, by_v) = (
                    [(part * kind).sum(axis=0) / kind.sum(axis=0).clip(1) for part in parts] for parts, kind in ((of_a, in_a), (of_b, in_b))
                )
                total += np.where(none, (u * v + by_u + by_v - r * (own_u + own_v) / 2) ** 2, 0.0)
    return total


@lru_cache(maxsize=4)
def _halves(n: int) -> NDArray[np.bool_]:
    """Which of n runs are in a random half, and in the other, shape (2 splits, n); of an odd number one is in neither."""
    splits = min(_SPLITS, max(1, _SPLIT_RUNS // n))
    place = np.random.default_rng(0).permuted(np.tile(np.arange(n), (splits, 1)), axis=1)
    return np.concatenate([place < n // 2, place >= n - n // 2])


def _without_bias(found: Correlated, ranked: _Ranked) -> Correlated:
    n, size = len(ranked.order), np.abs(found.r)
    chance, apart = size * _CHANCE_RANKS * np.sqrt(2 / np.pi) * np.sqrt(2) / 2, 1 - size

    def without(half: Floats) -> Floats:
        # With d = 1 - |r|: measured d = true d + 2 half sqrt(true d).
        return np.square(np.sqrt(half * half + apart) - half)

    half = chance * np.sqrt(2 * np.log(n)) / n
    if n >= _FEWEST_SPLIT:
        true, halves = without(half), chance * np.sqrt(2 * np.log(n / 2)) / (n / 2)
        with np.errstate(divide="ignore", invalid="ignore"):
            shown = (ranked.half_distances(np.sign(found.r)) - apart) / (true + 2 * halves * np.sqrt(true) - apart)
        half = half * np.where(np.isfinite(shown), np.clip(shown, *_SHOWN), 1.0)
    r = np.sign(found.r) * (1 - without(half))
    with np.errstate(divide="ignore", invalid="ignore"):
        moved = _UNCERTAIN * (np.arctanh(np.abs(r)) - np.arctanh(size))
        error = np.hypot(found.error / (1 - size * size), moved) * (1 - r * r)
    return Correlated(r=r, error=np.where((size >= 1) & np.isfinite(found.error), 0.0, error), freedom=found.freedom)


def _chunks(n: int, k: int) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """Each column with those after it, in parts of at most 4 million values."""
    step = max(1, _MOST_CELLS // max(n, 1))
    for a in range(k - 1):
        for first in range(a + 1, k, step):
            yield a, np.arange(first, min(first + step, k))


def _correlated(u: Floats, parts: Iterator[tuple[int, NDArray[np.int64], Floats, Floats, Floats]]) -> Correlated:
    """parts: column, other columns, and per run its part of the mean of u_a u_b, of u_a^2 and of u_b^2."""
    n, k = u.shape
    r = u.T @ u / n
    r = np.where(np.abs(r) > 1 - _ROUNDING, np.sign(r), r)
    error, freedom = np.zeros((k, k)), np.full((k, k), float(n - 2))
    for a, b, product, one, other in parts:
        influence = product - r[a, b] * (one + other) / 2
        influence -= influence.mean(axis=0)
        squares = influence * influence
        total, fourth = squares.sum(axis=0), (squares * squares).sum(axis=0)
        error[a, b] = error[b, a] = np.sqrt(total / (n * max(n - 3.0, 1.0)))
        with np.errstate(divide="ignore", invalid="ignore"):
            found = 2 / (fourth / (total * total) - 1 / n)
        found = np.where(np.isfinite(found) & (found > 0), found, n - 2.0)
        freedom[a, b] = freedom[b, a] = np.clip(found, _LEAST_FREEDOM, max(n - 2.0, _LEAST_FREEDOM))
    return Correlated(r=r, error=error, freedom=freedom)
