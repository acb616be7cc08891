"""Linear identities between HEMs of one group of runs: HEM = HEM, HEM = HEM + HEM, and so on up to four HEMs."""

from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import chdtr

Floats = NDArray[np.float64]
FEWEST_RUNS = 5
MOST_HEMS = 60
# How many identities one group of unrelated HEMs may show by chance.
_BY_CHANCE = 1e-3
# A sum further from 0 than this share of its smallest term is none.
_FAR = 0.02
_FACTORS = (2.0, 4.0, 8.0, 16.0, 32.0, 64.0)


@dataclass(frozen=True, kw_only=True)
class LinearIdentity:
    """The sum of coefficient times HEM is 0 in every run. terms: (HEM, coefficient), those of the left side (positive) first.

    share: the root mean square of that sum, as a share of the mean of its smallest term, where the identity was found.
    """

    terms: tuple[tuple[str, float], ...]
    share: float = 0.0

    @property
    def hems(self) -> tuple[str, ...]:
        """The HEMs, those of the left side first."""
        return tuple(name for name, _ in self.terms)

    def parts(self, counts: pd.DataFrame) -> Floats:
        """Coefficient times count: shape (runs, terms), of the runs that counted every HEM."""
        rows = counts[list(self.hems)].to_numpy(dtype=float)
        return np.asarray(rows[np.isfinite(rows).all(axis=1)] * [factor for _, factor in self.terms])

    def __str__(self) -> str:
        left, right = ([(name, abs(f)) for name, f in self.terms if (f > 0) == side] for side in (True, False))
        return " = ".join(" + ".join(name if f == 1 else f"{f:g} {name}" for name, f in side) for side in (left, right))


def linear_identities(counts: pd.DataFrame) -> list[LinearIdentity]:
    """The identities of `counts` (rows runs, columns HEMs), shortest first, none of them a sum of shorter ones of the same HEMs.

    An identity is found where its sum is so near 0 in all runs that unrelated HEMs would show one like it in fewer than one group of a
    thousand, given how many sums were tried; HEMs that several common causes move may show more by chance. Looked for: equal HEMs,
    multiples by 2 to 64, sums of two or three HEMs, two against two. Empty for fewer than 5 runs that counted all, or more than 60 HEMs.
    HEMs that are never counted above 0 take no part.
    """
    full = counts.dropna(axis=1, how="all").dropna()
    values = full.to_numpy(dtype=float)
    names = [str(name) for name in full.columns]
    if len(values) < FEWEST_RUNS or not 2 <= len(names) <= MOST_HEMS:
        return []
    used = [place for place in range(len(names)) if values[:, place].mean() > 0]
    means = values[:, used].mean(axis=0)
    found: list[LinearIdentity] = []
    for size in (2, 3, 4):
        if len(used) < size:
            break
        tried = 0
        groups = np.array(list(combinations(range(len(used)), size)))
        near: list[tuple[tuple[int, ...], Floats]] = []
        for factors in _coefficients(size):
            tried += comb(len(used), size)
            near += [(places, factors) for places in _near_zero(means, groups, factors)]
        for places, factors in near:
            hems = [names[used[place]] for place in places]
            if any(set(each.hems) <= set(hems) for each in found):
                continue  # Already said by a shorter one.
            share = _unlikely(values[:, [used[place] for place in places]] * factors, tried)
            if share is not None:
                order = np.argsort(-factors, kind="stable")
                found.append(LinearIdentity(terms=tuple((hems[at], float(factors[at])) for at in order), share=share))
    return found


def _coefficients(size: int) -> list[Floats]:
    """The coefficients that are tried for sums of `size` HEMs."""
    if size == 2:
        signs = [(1.0, -1.0), *((1.0, -factor) for factor in _FACTORS), *((factor, -1.0) for factor in _FACTORS)]
        return [np.asarray(each) for each in signs]
    one = [np.where(np.arange(size) == left, 1.0, -1.0) for left in range(size)]
    two = [np.asarray(each) for each in ((1.0, 1.0, -1.0, -1.0), (1.0, -1.0, 1.0, -1.0), (1.0, -1.0, -1.0, 1.0))] if size == 4 else []
    return one + two


def _near_zero(means: Floats, groups: NDArray[np.int64], factors: Floats) -> list[tuple[int, ...]]:
    """The rows of `groups`, places of HEMs, whose sum with `factors` is on average near 0, beside the smallest term."""
    terms = means[groups] * factors
    return [tuple(int(at) for at in each) for each in groups[np.abs(terms.sum(axis=1)) <= _FAR * np.abs(terms).min(axis=1)]]


def _unlikely(parts: Floats, tried: int) -> float | None:
    """The root mean square of the sum of `parts` as a share of the smallest mean, if chance hardly explains it; else None."""
    sums = parts.sum(axis=1)
    smallest = float(np.abs(parts.mean(axis=0)).min())
    off = float(np.sqrt((sums**2).mean()))
    if smallest <= 0 or off > _FAR * smallest:
        return None
    # The mean falls this near 0 by chance; counts are whole, so not nearer than half of one.
    near = min(2 * (off + 0.5) / smallest, 1.0)
    # If the HEMs vary apart from one another, their sum varies as all of them do. What moves them together says nothing.
    spread = _apart(parts)
    still = 1.0 if spread <= 0 else float(chdtr(len(sums) - 1, ((sums - sums.mean()) ** 2).sum() / spread))
    return off / smallest if tried * near * still <= _BY_CHANCE else None


def _apart(parts: Floats) -> float:
    """The variance that the sum of `parts` would have if they shared the length of the run and varied independently beside it."""
    means = np.abs(parts).mean(axis=0)
    shares = np.abs(parts) / np.maximum(means, 1e-300)
    covariance = np.cov(shares, rowvar=False)
    own = np.diag(covariance)
    pairs = np.triu_indices(len(means), 1)
    # What a pair shares is the length; pairs that vary little show it best.
    weights = 1 / np.maximum(own[pairs[0]] * own[pairs[1]], 1e-300)
    length = max(float((covariance[pairs] * weights).sum() / weights.sum()), 0.0)
    spread = float((means**2 * np.maximum(own - length, 0.0)).sum())
    # A HEM that varies much hides the length from the pairs, not from the mean of all.
    rest = (shares - shares.mean(axis=1, keepdims=True)) * means
    return min(spread, float(rest.var(axis=0, ddof=1).sum()))
