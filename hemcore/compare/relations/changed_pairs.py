"""Two sets of runs: which correlations between HEMs changed, more than chance explains.

Correlations are those of normal scores (ranks within each set as quantiles of a normal distribution), so neither a change of the mean or
of the spread counts, nor a single extreme run. Then runs are exchanged between the sets at random, which shows how far the difference of
two correlations goes by chance. R. A. Fisher's z test of Pearson's r is right for Gaussian counts alone: with heavy tails it finds changes
in up to 40 % of pairs that did not change.

Exchanged scores keep the ranks they had, so the error as read also counts how far the ranks of a set depend on its other runs.

Sources: C. A. J. Klaassen, J. A. Wellner 1997, doi 10.2307/3318652 (correlation of normal scores); R. A. Fisher 1921, On the "probable
error" of a coefficient of correlation, Metron 1; A. Janssen 1997, doi 10.1016/S0167-7152(97)00043-6 (studentised permutation).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import binom

from hemcore.compare.dependent_runs import run_order, shared_block, unseen_by_blocks
from hemcore.compare.false_discoveries import adjusted
from hemcore.compare.group_matching import MatchedGroup, matched_groups
from hemcore.compare.params import CompareParams
from hemcore.compare.permuted import block_length, exchanges
from hemcore.compare.relations.block_sums import SUMS, difference_of, pair_sums, variance_of_ranks
from hemcore.compare.run_sets import Compared, RunSet, run_set_of
from hemcore.compare.tail_probabilities import MOST_WAYS, tail_probability
from hemcore.errors import TableError
from hemcore.rank_correlation import normal_scores

Floats = NDArray[np.float64]
FEWEST_RUNS = 8
# Pairs are judged in parts of so many cells, since fresh memory costs more than the sums in it.
_DRAWS, _MOST_BLOCKS, _MOST_CELLS, _MOST_FOR_RANKS = 999, 1_024, 1_000_000, 1_000
_LEVELS = np.array([0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.975, 0.99])


@dataclass(frozen=True, kw_only=True, eq=False)
class Relations:
    """The correlations of pairs of HEMs before and after.

    rows: one row per pair that at least 8 runs of both sets read together: hem_a, hem_b, before, after (r of normal scores), error_before,
        error_after (standard errors of r), probability (that chance alone goes this far), runs_before, runs_after.
    reach: shape (9, pairs): how many standard errors an interval reaches at the levels 0.5 to 0.99. params: of the comparison.
    """

    rows: pd.DataFrame
    reach: Floats
    params: CompareParams

    def at(self, params: CompareParams) -> "Relations":
        """The same at the level and rate of `params`."""
        return replace(self, params=params)

    @property
    def table(self) -> pd.DataFrame:
        """One row per pair, the surest first: hem_a, hem_b, before, after, change (after - before) with its interval low to high at
        params.level, probability, adjusted (controlled over all pairs, Benjamini-Hochberg), changed, runs_before, runs_after."""
        rows = self.rows
        at = np.array([np.interp(self.params.level, _LEVELS, each) for each in self.reach.T])
        before, after = (rows[name].to_numpy(dtype=float) for name in ("before", "after"))
        change = after - before
        reach = at * np.hypot(*(rows[name].to_numpy(dtype=float) for name in ("error_before", "error_after")))
        low, high = np.maximum(change - reach, -1 - before), np.minimum(change + reach, 1 - before)
        controlled = adjusted(rows["probability"])
        found = rows[["hem_a", "hem_b", "before", "after"]].assign(change=change, low=low, high=high, probability=rows["probability"])
        found = found.assign(adjusted=controlled, changed=controlled <= self.params.rate)
        found[["runs_before", "runs_after"]] = rows[["runs_before", "runs_after"]]
        order = np.lexsort((-np.abs(change), rows["probability"].to_numpy(dtype=float)))
        return found.iloc[order].reset_index(drop=True)


def relations(
    before: Compared, after: Compared, *, paired: bool = False, level: float = 0.9, rate: float = 0.05, seed: int = 0
) -> Relations:
    """Which correlations changed from `before` to `after`, two tables of one kind.

    paired, level, rate, seed: as of CompareParams. A pair of HEMs is judged within the runs that read both: of one subexperiment, or of
    one program; what they share over programs of different size says nothing. Raises TableError for tables that cannot be compared and
    where no pair was read together in 8 runs of both sets, ParameterError for a parameter.
    """
    params = CompareParams(paired=paired, level=level, rate=rate, seed=seed)
    return relations_of(run_set_of(before), run_set_of(after), params)


@dataclass(frozen=True, kw_only=True, eq=False)
class _Group:
    """places: of its pairs among all pairs. unseen: by pair, how many times larger the variance of r is than blocks of normal scores show.
    before, after: their `pair_sums`. chosen: the blocks that each draw puts after."""

    places: NDArray[np.int64]
    unseen: Floats
    before: Floats
    after: Floats
    chosen: NDArray[np.bool_]


def relations_of(before: RunSet, after: RunSet, params: CompareParams) -> Relations:
    """The relations of two sets of runs. Raises as `relations`."""
    kept = [
        each
        for each in matched_groups(before, after, paired=params.paired)
        if len(each.hems) > 1 and min(len(each.before), len(each.after)) >= FEWEST_RUNS
    ]
    known: dict[tuple[str, str], int] = {}
    for each in kept:
        for pair in combinations(each.hems, 2):
            if pair not in known and pair[::-1] not in known:
                known[pair] = len(known)
    if not known:
        raise TableError(
            f"relations: no two HEMs were read together in {FEWEST_RUNS} runs before and {FEWEST_RUNS} after. Read them in more runs."
        )
    rng = np.random.default_rng(params.seed)
    groups = [_summed(each, known, params.paired, rng) for each in kept]
    found = _judged(groups, len(known))
    rows = pd.DataFrame({"hem_a": [a for a, _ in known], "hem_b": [b for _, b in known]}, dtype=object).assign(**found[0])
    told = rows["probability"].notna().to_numpy()
    if not told.any():
        raise TableError("relations: in one set, every HEM that was read with another one is constant. Choose other datasets.")
    return Relations(rows=rows[told].reset_index(drop=True), reach=found[1][:, told], params=params)


def _summed(group: MatchedGroup, known: dict[tuple[str, str], int], paired: bool, rng: np.random.Generator) -> _Group:
    n = len(group.hems)
    pairs = np.array(list(combinations(range(n), 2))).T
    places = [known.get(pair, known.get(pair[::-1], -1)) for pair in combinations(group.hems, 2)]
    sides = group.before, group.after
    orders = [[run_order(each[:, place], tests=n) for each in sides] for place in range(n)]
    shared = shared_block([each for both in orders for each in both], min(len(each) for each in sides))
    length = block_length(len(group.before), len(group.after), shared)
    # Products of two HEMs depend on their neighbours as the product of the autocorrelations of both.
    phi = np.array([max((each.time - 1) / (each.time + 1) for each in both) for both in orders])
    unseen = np.array([unseen_by_blocks((1 + each) / (1 - each), length) for each in phi[pairs[0]] * phi[pairs[1]]])
    scores = [normal_scores(each) for each in sides]
    unseen = unseen * _of_ranks(scores, pairs)
    sums = [_thinned(pair_sums(each, pairs, length)) for each in scores]
    chosen = exchanges((len(sums[0]), len(sums[1])), _DRAWS, rng, paired=paired)
    return _Group(places=np.array(places), unseen=unseen, before=sums[0], after=sums[1], chosen=chosen)


def _of_ranks(scores: Sequence[Floats], pairs: NDArray[np.int64]) -> Floats:
    """By pair, how many times larger the variance of r is than for normal HEMs of that r, over both sets; at least 1."""
    by_rank, normal = np.zeros(pairs.shape[1]), np.zeros(pairs.shape[1])
    for each in scores:
        known = each[np.isfinite(each).all(axis=1)]
        if len(known) >= FEWEST_RUNS:
            some = known[np.linspace(0, len(known) - 1, min(len(known), _MOST_FOR_RANKS)).astype(int)]
            for total, variance in zip((by_rank, normal), variance_of_ranks(some, pairs), strict=True):
                total += len(some) * variance
    return np.maximum(np.divide(by_rank, normal, out=np.ones_like(normal), where=normal > 1e-9), 1.0)


def _thinned(blocks: Floats) -> Floats:
    """At most 1,024 blocks at even distances: there are more only where the other set is far smaller and decides alone."""
    return blocks[np.linspace(0, len(blocks) - 1, _MOST_BLOCKS).astype(int)] if len(blocks) > _MOST_BLOCKS else blocks


def _judged(groups: Sequence[_Group], n: int) -> tuple[dict[str, Floats], Floats]:
    """The columns of the rows, and the reach of intervals, of n pairs."""
    parts: list[tuple[dict[str, Floats], Floats]] = []
    step = max(_MOST_CELLS // (_DRAWS * SUMS), 1)
    for first in range(0, n, step):
        parts.append(_judged_some(groups, first, min(first + step, n)))
    columns = {name: np.concatenate([each[name] for each, _ in parts]) for name in parts[0][0]}
    return columns, np.concatenate([reach for _, reach in parts], axis=1)


def _judged_some(groups: Sequence[_Group], first: int, last: int) -> tuple[dict[str, Floats], Floats]:
    size = last - first
    read = np.zeros((2, SUMS, size))
    drawn = np.zeros((2, _DRAWS, SUMS, size))
    ways, unseen = np.ones(size), np.ones(size)
    for group in groups:
        own = np.flatnonzero((group.places >= first) & (group.places < last))
        if not len(own):
            continue
        at = group.places[own] - first
        blocks = np.concatenate([group.before[:, :, own], group.after[:, :, own]])
        after = (group.chosen.astype(float) @ blocks.reshape(len(blocks), -1)).reshape(_DRAWS, SUMS, len(own))
        sides = group.before[:, :, own].sum(axis=0), group.after[:, :, own].sum(axis=0)
        for place, each in enumerate(sides):
            read[place][:, at] += each
        drawn[0][:, :, at] += sides[0] + sides[1] - after
        drawn[1][:, :, at] += after
        unseen[at] = np.maximum(unseen[at], group.unseen[own])
        small, large = sorted((len(group.before), len(group.after)))
        ways[at] = np.minimum(ways[at] * float(binom(min(small + large, 1_000), min(small, 500))), MOST_WAYS)
    before, after_r, *errors = difference_of(*read)
    error_before, error_after = (each * np.sqrt(unseen) for each in errors)
    statistic = _statistic(before, after_r, error_before, error_after)
    chance = _statistic(*difference_of(*drawn))
    enough = (read[:, 6] >= FEWEST_RUNS).all(axis=0) & np.isfinite(statistic)
    freedom = np.maximum(read[:, 7].min(axis=0) - 2, 1.0)
    probability = np.full(size, np.nan)
    reach = np.full((len(_LEVELS), size), np.nan)
    for place in np.flatnonzero(enough).tolist():
        draws = np.nan_to_num(chance[:, place])
        probability[place] = tail_probability(float(statistic[place]), draws, freedom=float(freedom[place]), ways=float(ways[place]))
        reach[:, place] = np.quantile(np.abs(draws), _LEVELS)
    columns = {"before": before, "after": after_r, "error_before": error_before, "error_after": error_after, "probability": probability}
    return columns | {"runs_before": read[0, 6], "runs_after": read[1, 6]}, reach


def _statistic(before: Floats, after: Floats, error_before: Floats, error_after: Floats) -> Floats:
    """The difference of r in standard errors; 0 where r is the same, also without an error."""
    difference = after - before
    with np.errstate(all="ignore"):
        return np.where(np.abs(difference) < 1e-9, 0.0, np.clip(difference / np.hypot(error_before, error_after), -1e9, 1e9))
