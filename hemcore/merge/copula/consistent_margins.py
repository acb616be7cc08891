"""Weights of runs with which all subexperiments agree: each drew its own share of slow runs.

HEMs read in different runs disagree about that share, and a row merged from them would be slow by one and fast by the other.
"""

from dataclasses import replace

import numpy as np
from numpy.polynomial import legendre  # the package first: two visitors who import it at once by its parts get half of it
from numpy.typing import NDArray
from scipy.special import ndtri

from hemcore.likeness import mid_shares
from hemcore.merge.copula.near_followers import NearFollower
from hemcore.merge.copula.normal_scores import Matrix, Scored, decided_by_few

# Features of a HEM's ranks, at most; of all HEMs together; and runs of a subexperiment for each feature of its HEMs.
_MOST_FEATURES, _MOST_TOGETHER, _RUNS_EACH = 9, 2_000, 10
# Added to the variance of each feature: HEMs that repeat each other would make their covariance singular.
_RIDGE = 0.1
# A run counts as that many at least and at most.
_LEAST, _MOST = 0.2, 5.0


def with_consistent_margins(data: Scored, near: dict[str, NearFollower]) -> tuple[Scored, dict[str, NearFollower]]:
    """`data` and `near` (as of `without_near_followers`) with shares, values and pooled readings in which each run has a weight.

    The weights give every subexperiment the same means of features of the ranks (Legendre polynomials), those most likely by all
    subexperiments: a HEM read in few runs is known better if a HEM that goes with it is read in many. A pooled reading is repeated or left
    out by its weight; their number stays. Unchanged where no HEM is read twice or runs are too few (10 for each HEM read, for one feature),
    and HEMs of which one level alone would be left.

    Sources: A. C. Aitken 1936, "On least squares and linear combination of observations", Proceedings of the Royal Society of Edinburgh 55,
    42-48 (means); J.-C. Deville and C.-E. Särndal 1992, "Calibration estimators in survey sampling", DOI 10.1080/01621459.1992.10475217.
    """
    weights = run_weights(data)
    if weights is None:
        return data, near
    shares, values = ([part.copy() for part in parts] for parts in (data.shares, data.values))
    pooled, near = dict(data.pooled), dict(near)
    for place, hem in enumerate(data.hems):
        where = [(number, int(np.flatnonzero(read == place)[0])) for number, read in enumerate(data.places) if place in read]
        share, value = (np.concatenate([parts[number][:, at] for number, at in where]) for parts in (data.shares, data.values))
        order = np.argsort(share, kind="stable")
        ends = np.concatenate([[0.0], np.cumsum(np.concatenate([weights[number] for number, _ in where])[order])])
        ends /= ends[-1]
        drawn = np.searchsorted(ends, (np.arange(len(share)) + 0.5) / len(share)) - 1
        ordered = pooled[hem]
        # Readings of a HEM in another's order were added to the runs alone.
        if len(ordered) != len(share):
            ordered = ordered[(share[order] * len(ordered)).astype(int)]
        if ordered[drawn[0]] == ordered[drawn[-1]]:
            continue  # without its few other readings it would never change
        pooled[hem] = ordered[drawn]
        for follower, each in near.items():
            if each.leader == hem:
                near[follower] = replace(each, lead_levels=value[order][drawn])
        # By readings, since equal ones have other ranks among those of a HEM in the same order.
        share[order] = _middles(ordered, ends)
        levels, value[order] = pooled[hem].astype(float), ordered
        if decided_by_few(pooled[hem]):
            levels, value = ndtri(mid_shares(pooled[hem])), ndtri(share)
        value = (value - levels.mean()) / max(float(levels.std()), np.finfo(float).tiny)
        cuts = np.cumsum([len(data.shares[number]) for number, _ in where])[:-1]
        for (number, at), one, other in zip(where, np.split(share, cuts), np.split(value, cuts), strict=True):
            shares[number][:, at], values[number][:, at] = one, other
    return replace(data, shares=shares, values=values, pooled=pooled), near


def run_weights(data: Scored) -> list[Matrix] | None:
    """The weight of each run, shape (runs,) for each subexperiment, 1 on average; None where all are 1."""
    k = len(data.hems)
    read = np.bincount(np.concatenate([np.empty(0, np.int64), *data.places]), minlength=k)
    if k == 0 or read.max() < 2:
        return None
    wide = min(_MOST_FEATURES, _MOST_TOGETHER // k, *(len(part) // (_RUNS_EACH * part.shape[1]) for part in data.shares))
    if wide < 1:
        return None
    spreads, means, inverses = [], [], []
    precision, pull = np.zeros((k * wide, k * wide)), np.zeros(k * wide)
    at = [(places[:, None] * wide + np.arange(wide)).ravel() for places in data.places]
    for places, part in zip(at, data.shares, strict=True):
        features = _features(part, wide)
        mean = features.mean(axis=0)
        away = features - mean
        inverse = np.linalg.inv(away.T @ away / len(part) + _RIDGE * np.eye(len(mean)))
        precision[np.ix_(places, places)] += len(part) * inverse
        pull[places] += len(part) * (inverse @ mean)
        spreads.append(away)
        means.append(mean)
        inverses.append(inverse)
    likely = np.linalg.solve(precision, pull)
    weights = []
    for places, away, mean, inverse in zip(at, spreads, means, inverses, strict=True):
        weight = np.clip(1 + away @ (inverse @ (likely[places] - mean)), _LEAST, _MOST)
        weights.append(weight / weight.mean())
    return weights


def _features(shares: Matrix, wide: int) -> Matrix:
    """The first `wide` Legendre polynomials of each HEM's ranks, variance 1: (runs, HEMs) -> (runs, HEMs * wide)."""
    polynomials: Matrix = legendre.legvander(2 * shares - 1, wide)[..., 1:] * np.sqrt(2.0 * np.arange(1, wide + 1) + 1)
    return polynomials.reshape(len(shares), -1)


def _middles(ordered: NDArray[np.number], ends: NDArray[np.float64]) -> Matrix:
    """The mean of the ends of each of the sorted `ordered`, shape (n,), whose ends are ends[:-1] and ends[1:]; one for all equal ones."""
    first = np.searchsorted(ordered, ordered)
    last = np.searchsorted(ordered, ordered, side="right")
    middles: Matrix = (ends[first] + ends[last]) / 2
    return middles
