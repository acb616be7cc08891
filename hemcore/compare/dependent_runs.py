"""Whether the order of runs says something about their counts: drift, autocorrelation, warm-up; and how long blocks of runs must be.

Ranks are judged, so a few extreme runs decide nothing. Source of the block length: E. Carlstein 1986, The Use of Subseries Values for
Estimating the Variance of a General Statistic from a Stationary Sequence, doi 10.1214/aos/1176350057 (the optimum of an AR(1) process with
the autocorrelation time of the runs); of the test: G. M. Ljung, G. E. P. Box 1978, doi 10.1093/biomet/65.2.297; of few dependent runs:
M. G. Kendall 1954, Note on bias in the estimation of autocorrelation, doi 10.1093/biomet/41.3-4.403.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtrc, gammaln, ndtr, stdtr
from scipy.stats import rankdata

Floats = NDArray[np.float64]
# A HEM's order is told if chance explains it with less than _CHANCE, over all HEMs of a group together.
_CHANCE, _SUSPECTED = 0.01, 0.05
_FEWEST, _MOST_RUNS, _LAGS, _FEWEST_BLOCKS = 12, 4_096, 10, 8
# Sets of fewer runs than _ENOUGH_FOR_BLOCKS, and of 8 at least, are judged together as AR(1), if chance goes so far in one of ten cases.
_ENOUGH_FOR_BLOCKS, _FEWEST_TOGETHER, _FAR, _MOST_AUTOCORRELATION = 100, 8, 1.2816, 0.8


@dataclass(frozen=True, kw_only=True)
class RunOrder:
    """drift: Spearman's correlation of the counts with the order of the runs, 0 if chance explains it. autocorrelation: of ranks at lag
    1, 0 if chance explains it. block: runs per block, 1 where runs are independent. time: the autocorrelation time in runs, at least 1.
    warm_up: how many of the first runs lie beyond all the others; 0 if none do."""

    drift: float = 0.0
    autocorrelation: float = 0.0
    block: int = 1
    time: float = 1.0
    warm_up: int = 0

    @property
    def independent(self) -> bool:
        """Whether the order says nothing that chance does not explain."""
        return not self.autocorrelation and not self.drift and not self.warm_up


@dataclass(frozen=True, kw_only=True)
class FewRuns:
    """time: the autocorrelation time in runs, 1 where nothing speaks for dependence. freedom: the degrees of freedom that it leaves to the
    variance of a mean. autocorrelation: of ranks at lag 1, 0 if chance explains it."""

    time: float = 1.0
    freedom: float = np.inf
    autocorrelation: float = 0.0


def run_order(counts: Floats, *, tests: int = 1) -> RunOrder:
    """The order of one HEM's runs. counts: shape (runs,), in the order of the runs, NaN = not counted. tests: HEMs judged together.

    Independent where there are fewer than 12 runs or the counts are constant. Of more than 4,096 runs the first ones are judged, for drift
    as many means of consecutive runs.
    """
    known = counts[np.isfinite(counts)]
    if len(known) < _FEWEST or known.min() == known.max():
        return RunOrder()
    chance = _CHANCE / max(tests, 1)
    time, autocorrelation = _dependence(rankdata(known[:_MOST_RUNS]), chance)
    return RunOrder(
        drift=_drift(_thinned(known), chance),
        autocorrelation=autocorrelation,
        block=_block(time, len(known)) if time > 1 else 1,
        time=time,
        warm_up=_warm_up(known[:_MOST_RUNS], chance),
    )


def shared_block(orders: Sequence[RunOrder], fewest_runs: int) -> int:
    """Runs per block of two sets: the longest block of `orders`, but so long at most that `fewest_runs` runs still make eight."""
    return max(min(max(each.block for each in orders), fewest_runs // _FEWEST_BLOCKS), 1)


def unseen_by_shared_blocks(orders: Sequence[RunOrder], length: int) -> float:
    """The largest `unseen_by_blocks` of `orders`: few runs make short blocks, which depend on each other."""
    return max(unseen_by_blocks(each.time, length) for each in orders)


def unseen_by_blocks(time: float, length: int) -> float:
    """How many times larger the variance of a mean is than blocks of `length` runs show, for an AR(1) process with this autocorrelation
    time; 1 for independent runs, and about 1 for blocks that are much longer than the time."""
    phi, lags = (time - 1) / (time + 1), np.arange(1, length)
    return time / (1 + 2 * float(((1 - lags / length) * phi**lags).sum()))


def few_dependent_runs(before: Floats, after: Floats, *, tests: int = 1) -> FewRuns | None:
    """What few runs show of their dependence; None where a set has fewer than 8 runs or
    is constant, or both have 100, which blocks show better.

    An AR(1) process is fitted to the ranks of both sets together, without the bias that few runs have. before, after: shape (runs,), in
    the order of the runs, NaN = not counted. tests: HEMs judged together.
    """
    sides = [each[np.isfinite(each)] for each in (before, after)]
    sizes = [len(each) for each in sides]
    if min(sizes) < _FEWEST_TOGETHER or min(sizes) >= _ENOUGH_FOR_BLOCKS or any(np.ptp(each) == 0 for each in sides):
        return None
    n = sum(sizes)
    r = sum(len(each) * float(_autocorrelations(rankdata(each))[1]) for each in sides) / n
    # Of independent runs, the autocorrelation is -2 / n on average, and too small by (1 + 4 r) 2 / n otherwise.
    far = (r + 2 / n) * np.sqrt(n)
    if far < _FAR:
        return FewRuns()
    r = min(r + (1 + 4 * r) * 2 / n, _MOST_AUTOCORRELATION)
    time = (1 + r) / (1 - r)
    sure = float(ndtr(-far)) < _CHANCE / max(tests, 1)
    return FewRuns(time=time, freedom=max(min(sizes) / time - 1, 2.0), autocorrelation=r if sure else 0.0)


def time_of_median(time: float) -> float:
    """The autocorrelation time of being above the median, for a normal AR(1) process whose own is `time`: neighbours agree in it less."""
    phi = (time - 1) / (time + 1)
    return float(1 + 4 / np.pi * np.arcsin(phi ** np.arange(1, 200)).sum())


def _dependence(values: Floats, chance: float) -> tuple[float, float]:
    """The autocorrelation time, 1 if nothing speaks for dependence, and the autocorrelation at lag 1, 0 if chance explains it.

    Blocks cost little where runs are independent after all, so they are made before chance is excluded for all HEMs together.
    """
    n, lags = len(values), min(_LAGS, len(values) // 4)
    if np.ptp(values) <= 1e-9 * n:
        return 1.0, 0.0
    correlations = _autocorrelations(values)
    q = n * (n + 2) * float((correlations[1 : lags + 1] ** 2 / (n - np.arange(1, lags + 1))).sum())
    # Of the lags together, and of the first alone, which few runs show better.
    probability = 2 * min(float(chdtrc(lags, q)), float(ndtr(-correlations[1] * np.sqrt(n))))
    if probability >= max(chance, _SUSPECTED) or correlations[1 : lags + 1].sum() <= 0:
        return 1.0, 0.0
    return _time(correlations), float(correlations[1]) if probability < chance else 0.0


def _thinned(known: Floats) -> Floats:
    """At most _MOST_RUNS means of consecutive runs."""
    size = -(-len(known) // _MOST_RUNS)
    whole = len(known) // size * size
    return known[:whole].reshape(-1, size).mean(axis=1) if size > 1 else known


def _drift(known: Floats, chance: float) -> float:
    if known.min() == known.max():
        return 0.0
    n, ranks, order = len(known), rankdata(known), np.arange(len(known)) - (len(known) - 1) / 2
    r = float(np.corrcoef(ranks, order)[0, 1])
    if abs(r) >= 1 - 1e-12:
        return r
    # Runs that depend on their neighbours wander: they count as fewer.
    rest = ranks - ranks.mean() - order * float(ranks @ order) / float(order @ order)
    freedom = max(n / _dependence(rest, chance)[0] - 2, 1.0)
    t = abs(r) * np.sqrt(freedom / (1 - r * r))
    return r if 2 * stdtr(freedom, -t) < chance else 0.0


def _autocorrelations(ranks: Floats) -> Floats:
    """Of lags 0 to a third of the runs."""
    n = len(ranks)
    spectrum = np.fft.rfft(ranks - ranks.mean(), 2 * n)
    products = np.fft.irfft(spectrum * np.conj(spectrum), 2 * n)[: max(n // 3, 2)]
    found: Floats = products / products[0]
    return found


def _time(correlations: Floats) -> float:
    """1 + 2 sum of the autocorrelations, up to the first lag that is five times that sum (Sokal 1997)."""
    times = 2 * np.cumsum(correlations) - 1
    window = np.flatnonzero(np.arange(len(times)) >= 5 * times)
    return float(max(times[window[0] if len(window) else -1], 1.0))


def _block(time: float, n: int) -> int:
    """The next power of two, at least 2, with at least _FEWEST_BLOCKS blocks where n allows it."""
    phi = (time - 1) / (time + 1)
    best = (np.sqrt(6) * phi / (1 - phi * phi)) ** (2 / 3) * n ** (1 / 3)
    length = 2 ** int(np.ceil(np.log2(max(best, 2))))
    return max(min(length, n // _FEWEST_BLOCKS), 1)


def _warm_up(known: Floats, chance: float) -> int:
    """How many first runs are all above, or all below, every later one, more than chance or a single extreme run explains."""
    n, most = len(known), len(known) // 5
    for sign in (1, -1):
        signed = sign * known
        least_so_far = np.minimum.accumulate(signed)[:most]
        largest_after = np.maximum.accumulate(signed[::-1])[::-1][1 : most + 1]
        beyond = np.flatnonzero(least_so_far > largest_after) + 1
        if len(beyond) == 0:
            continue
        count = int(beyond[-1])
        ways = np.exp(gammaln(n + 1) - gammaln(count + 1) - gammaln(n - count + 1))
        after = signed[count:]
        far = bool(signed[:count].min() - after.max() > after.max() - after.min())
        if (count > 1 and 2 * most / ways < chance) or far:
            return count
    return 0
