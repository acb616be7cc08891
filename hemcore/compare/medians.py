"""The change of the median of each HEM within one group of runs.

The statistic is the change of the median divided by its error, which two order statistics give. As for means, runs are exchanged between
the sets at random after a supposed change is taken out, so p-values and intervals need no distribution. Which places of the sorted runs of
both sets become a set's medians depends on their numbers alone: it is drawn once for all HEMs and all supposed changes.

Runs of equal counts are spread over the step between counts, as a grouped median does: the median of counts such as 20, 20, 21 would else
stay or jump by a whole step, and no interval could hold it at its level.

Sources: R. M. Price, D. G. Bonett 2002, Distribution-free confidence intervals for difference and ratio of medians,
doi 10.1080/00949650212140 (the error); E. Chung, J. P. Romano 2013, Exact and asymptotically robust permutation tests,
doi 10.1214/13-AOS1090; Y. Ma, M. Genton, E. Parzen 2011, Asymptotic properties of sample quantiles of discrete distributions,
doi 10.1007/s10463-008-0215-z (ties).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr, ndtri

from hemcore.compare.dependent_runs import run_order, time_of_median
from hemcore.compare.permuted import Change, exchanges

Floats = NDArray[np.float64]
Places = NDArray[np.int64]
# Of more runs in all, the statistic is drawn from the normal distribution, which then fits.
_MOST_DRAWN = 4_000


@dataclass(frozen=True, kw_only=True, eq=False)
class Medians:
    """HEMs whose runs are exchanged together. before, after: shape (runs, hems), ascending, ties spread; if `paired`, `after` has the
    changes of the pairs and before none. as_read: the change and the variance of its error, shape (hems,). plain: that variance without
    what neighbours that depend on each other add. centres: the medians before and after."""

    before: Floats
    after: Floats
    ratio: bool
    paired: bool
    as_read: Change
    plain: Floats
    centres: tuple[Floats, Floats]

    @property
    def size(self) -> tuple[int, int]:
        """The runs before and after."""
        return len(self.after if self.paired else self.before), len(self.after)

    def drawn(self, draws: int, rng: np.random.Generator) -> "MedianDraws":
        """Which places of the sorted runs each draw makes the medians of the sets."""
        n = self.size
        if sum(n) > _MOST_DRAWN:
            return MedianDraws(medians=self, places=(), normal=rng.standard_normal((draws, len(self.plain))))
        if self.paired:
            turned = rng.random((draws, n[0])) < 0.5
            return MedianDraws(medians=self, places=(_turned_places(turned),))
        after = exchanges(n, draws, rng)
        return MedianDraws(medians=self, places=(_places(~after, n[0]), _places(after, n[1])))


@dataclass(frozen=True, kw_only=True, eq=False)
class MedianDraws:
    """places: per set, shape (4, draws): of the two middle runs and of those that bound the error; of pairs as `_turned_places`. normal:
    shape (draws, hems), for many runs."""

    medians: Medians
    places: tuple[Places, ...]
    normal: Floats | None = None

    def change(self, supposed: Floats) -> Change:
        """The change that each draw finds, shape (draws, hems), where `supposed`, shape (hems,), is left between the sets."""
        own = self.medians
        inflation = own.as_read.variance / np.where(own.plain > 0, own.plain, 1.0)
        if self.normal is not None:
            return Change(
                estimate=self.normal * np.sqrt(own.as_read.variance), variance=np.broadcast_to(own.as_read.variance, self.normal.shape)
            )
        left = np.clip(supposed - own.as_read.estimate, -600.0, 600.0)
        if own.paired:
            sizes = np.concatenate([np.zeros_like(left)[None], np.sort(np.abs(own.after + left), axis=0)])
            found = np.sign(self.places[0])[:, :, None] * sizes[np.abs(self.places[0])]
            estimate, variance = (found[0] + found[1]) / 2, _variance(found, len(own.after), False)
        else:
            after = own.after * np.exp(left) if own.ratio else own.after + left
            both = np.sort(np.concatenate([own.before, after]), axis=0)
            sides = [both[places] for places in self.places]
            estimate, variance = _change(sides[0], sides[1], own.size, own.ratio)
        return Change(estimate=estimate * np.sqrt(inflation), variance=variance * inflation)


@cache
def _order(n: int) -> tuple[Places, float]:
    """The places, from 1, of the two middle ones of `n` sorted values and of two that bound the median; and how many standard errors
    these are from it."""
    c = max(round((n + 1) / 2 - np.sqrt(n)), 1)
    return np.array([(n + 1) // 2, n // 2 + 1, c, n - c + 1]), -float(ndtri(max(bdtr(c - 1, n, 0.5), 1e-300)))


def _places(flags: NDArray[np.bool_], n: int) -> Places:
    """The places from 0, shape (4, draws), of a set's values among those of both; each row of `flags` has `n` of the set."""
    counted = np.cumsum(flags, axis=1, dtype=np.int32)
    return np.stack([(counted >= place).argmax(axis=1) for place in _order(n)[0]])


def _turned_places(turned: NDArray[np.bool_]) -> Places:
    """Of pairs by the size of their change, some of which are turned into losses: places from 1, shape (4, draws), below 0 for losses."""
    n = turned.shape[1]
    losses, gains = np.cumsum(turned, axis=1, dtype=np.int32), np.cumsum(~turned, axis=1, dtype=np.int32)
    found = []
    for place in _order(n)[0]:
        from_losses = losses[:, -1] - place + 1  # the largest loss is the smallest value
        loss = (losses >= np.maximum(from_losses, 1)[:, None]).argmax(axis=1)
        gain = (gains >= np.maximum(place - losses[:, -1], 1)[:, None]).argmax(axis=1)
        found.append(np.where(from_losses >= 1, -(loss + 1), gain + 1))
    return np.stack(found)


def _variance(found: Floats, n: int, ratio: bool) -> Floats:
    """Of the median (of its logarithm if ratio), from its four order statistics on the first axis."""
    with np.errstate(all="ignore"):
        width = (found[3] - found[2]) / (2 * _order(n)[1])
        squared: Floats = (width / ((found[0] + found[1]) / 2) if ratio else width) ** 2
    return squared


def _change(before: Floats, after: Floats, size: tuple[int, int], ratio: bool) -> tuple[Floats, Floats]:
    """The change of the median and its variance, from the order statistics of both sets on the first axis."""
    first, second = (before[0] + before[1]) / 2, (after[0] + after[1]) / 2
    with np.errstate(all="ignore"):  # of a draw whose median is 0, no ratio is known
        estimate = np.log(second) - np.log(first) if ratio else second - first
    return estimate, _variance(before, size[0], ratio) + _variance(after, size[1], ratio)


def spread_ties(sides: Sequence[Floats]) -> list[Floats]:
    """Each set of counts, shape (runs,), sorted, equal ones spread evenly over the step to the nearest other count of a set.

    A count that sets share has one step in them all, and one that most of their runs have is spread over less of it the more have it, so
    that few other runs move the median little.
    """
    found = [np.unique(each, return_counts=True) for each in sides]
    every = np.unique(np.concatenate([values for values, _ in found]))
    steps, runs, equal = np.where(every != 0, np.abs(every), np.inf), np.zeros(len(every)), np.zeros(len(every))
    places = [np.searchsorted(every, values) for values, _ in found]
    for (values, counts), at in zip(found, places, strict=True):
        gaps = np.concatenate([[np.inf], np.diff(values), [np.inf]])
        steps[at] = np.minimum(steps[at], np.minimum(gaps[:-1], gaps[1:]))
        runs[at], equal[at] = runs[at] + counts.sum(), equal[at] + counts
    alone = len(every) == 1
    steps = np.zeros(1) if alone else np.where(np.isfinite(steps), steps, 0.0) * np.minimum(2 * (1 - equal / runs), 1.0)
    spread = []
    for (values, counts), at in zip(found, places, strict=True):
        place = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        spread.append(np.repeat(values, counts) + np.repeat(steps[at], counts) * ((place + 0.5) / np.repeat(counts, counts) - 0.5))
    return spread


def median_and_variance(spread: Floats, ratio: bool) -> tuple[float, float]:
    """The median of runs in ascending order, shape (runs,), and the variance of its error (of its logarithm if ratio); NaN for fewer than
    five, which no order statistic bounds."""
    n = len(spread)
    return float(np.median(spread)), float(_variance(spread[_order(n)[0] - 1], n, ratio)) if n >= 5 else float("nan")


def is_relative_median(before: Floats, after: Floats, *, paired: bool) -> bool:
    """Whether the ratio of the medians is defined, or of each pair; counts of shape (runs,), NaN = not counted."""
    sides = [each[np.isfinite(each)] for each in (before, after)]
    return all(len(each) and (each.min() if paired else np.median(each)) > 0 for each in sides)


def medians_of(before: Floats, after: Floats, times: Sequence[tuple[float, float]], *, ratio: bool, paired: bool) -> Medians:
    """The change of the median of each HEM; of paired runs, the median of the changes of the pairs.

    before, after: shape (runs, hems), NaN = not counted, by set as many in each HEM, and in both at once if paired. times: by
    HEM, the autocorrelation times before and after, of being above the median. Variances are NaN for fewer than five runs.
    """
    found = []
    for first, second, own_times in zip(before.T, after.T, times, strict=True):
        sides = [each[np.isfinite(each)] for each in (first, second)]
        if paired:
            changes = np.log(sides[1] / sides[0]) if ratio else sides[1] - sides[0]
            (spread,) = spread_ties([changes])
            middle, plain = median_and_variance(spread, False)
            whole = plain * time_of_median(run_order(changes).time)
            found.append((spread[:0], spread, middle, plain, whole, *(np.median(each) for each in sides)))
        else:
            own = spread_ties(sides)
            (low, low_variance), (high, high_variance) = (median_and_variance(each, ratio) for each in own)
            whole = low_variance * own_times[0] + high_variance * own_times[1]
            found.append((*own, np.log(high / low) if ratio else high - low, low_variance + high_variance, whole, low, high))
    columns = [np.stack(each, axis=-1) for each in zip(*found, strict=True)]
    return Medians(
        before=columns[0],
        after=columns[1],
        ratio=ratio,
        paired=paired,
        as_read=Change(estimate=columns[2], variance=columns[4]),
        plain=columns[3],
        centres=(columns[5], columns[6]),
    )
