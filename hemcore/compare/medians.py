"""The change of the median of one HEM within one group of runs.

Its error follows from order statistics, so intervals need no distribution; the probability that chance explains it from exchanging runs at
random, as for means. Source: R. M. Price, D. G. Bonett 2002, Distribution-free confidence intervals for difference and ratio of medians,
doi 10.1080/00949650212140.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr, ndtri

from hemcore.compare.dependent_runs import RunOrder, run_order
from hemcore.compare.permuted import Change, exchanges

Floats = NDArray[np.float64]
# Up to so many runs in all, medians of exchanged runs are drawn; the normal distribution fits more of them.
_MOST_DRAWN = 4_000


@dataclass(frozen=True, kw_only=True, eq=False)
class MedianDraws:
    """The runs of one HEM, shape (runs,), without NaN, and their medians in each draw.

    length: runs per block. centres: the medians before and after, shape (1,). variance: of the change's error. estimates: shape (draws,).
    """

    before: Floats
    after: Floats
    length: int
    ratio: bool
    paired: bool
    centres: tuple[Floats, Floats]
    variance: float
    estimates: Floats | None = None

    @property
    def size(self) -> tuple[int, int]:
        """The blocks before and after."""
        return max(len(self.before) // self.length, 1), max(len(self.after) // self.length, 1)

    @property
    def are_normal(self) -> bool:
        """Whether there are too many runs to draw from."""
        return len(self.before) + len(self.after) > _MOST_DRAWN

    def drawn(self, draws: int, rng: np.random.Generator) -> "MedianDraws":
        """With the change that each draw finds where nothing changed."""
        chosen = exchanges(self.size, draws, rng, paired=self.paired)
        blocks = [np.minimum(np.arange(len(each)) // self.length, size - 1) for each, size in zip(self._sides, self.size, strict=True)]
        after = chosen[:, np.concatenate([blocks[0], blocks[1] + self.size[0]])]
        if self.paired:
            changes = np.log(self.after / self.before) if self.ratio else self.after - self.before
            signs = np.where(after[:, len(self.before) :], 1.0, -1.0)
            return replace(self, estimates=np.median(signs * changes, axis=1))
        values = np.concatenate(self._sides)
        order = np.argsort(values, kind="stable")
        after, ordered = after[:, order], values[order]
        medians = [_medians_of(ordered, flags) for flags in (~after, after)]
        if self.ratio:
            with np.errstate(all="ignore"):
                return replace(self, estimates=np.log(medians[1]) - np.log(medians[0]))
        return replace(self, estimates=medians[1] - medians[0])

    def change(self, supposed: Floats) -> Change:
        """The change of each draw, shape (draws, 1), with the error as read. supposed: nothing but no change is drawn, and it is unused."""
        assert self.estimates is not None
        return Change(estimate=self.estimates[:, None], variance=np.full((len(self.estimates), 1), self.variance))

    @property
    def _sides(self) -> tuple[Floats, Floats]:
        return self.before, self.after


def _medians_of(ordered: Floats, flags: NDArray[np.bool_]) -> Floats:
    """The median of the flagged ones of `ordered`, ascending, for each row of flags; every row has at least one."""
    places = np.cumsum(flags, axis=1, dtype=np.int32)
    n = places[:, -1]
    low = (places >= ((n + 1) // 2)[:, None]).argmax(axis=1)
    high = (places >= (n // 2 + 1)[:, None]).argmax(axis=1)
    found: Floats = (ordered[low] + ordered[high]) / 2
    return found


def is_relative_median(before: Floats, after: Floats, *, paired: bool) -> bool:
    """Whether the ratio of the medians is defined, or of each pair; counts of shape (runs,), NaN = not counted."""
    sides = [each[np.isfinite(each)] for each in (before, after)]
    return all(len(each) and (each.min() if paired else np.median(each)) > 0 for each in sides)


def median_change(
    before: Floats, after: Floats, orders: Sequence[RunOrder], length: int, *, ratio: bool, paired: bool
) -> tuple[Change, MedianDraws]:
    """The change of the median, shape (1,), and what its draws are made from; of paired runs, the median of the changes of the pairs.

    before, after: shape (runs,), NaN = not counted, in both at once if paired. The variance is NaN for fewer than five runs.
    """
    sides = [each[np.isfinite(each)] for each in (before, after)]
    if paired:
        changes = np.log(sides[1] / sides[0]) if ratio else sides[1] - sides[0]
        estimate, variance = float(np.median(changes)), median_variance(changes, False) * run_order(changes).time
    else:
        first, second = (float(np.median(each)) for each in sides)
        estimate = float(np.log(second / first)) if ratio else second - first
        variance = sum(median_variance(each, ratio) * order.time for each, order in zip(sides, orders, strict=True))
    centres = np.median(sides[0], keepdims=True), np.median(sides[1], keepdims=True)
    draws = MedianDraws(
        before=sides[0], after=sides[1], length=length, ratio=ratio, paired=paired, centres=centres, variance=float(variance)
    )
    return Change(estimate=np.array([estimate]), variance=np.array([float(variance)])), draws


def median_variance(counts: Floats, ratio: bool) -> float:
    """The variance of the median (of its logarithm if ratio); NaN for fewer than five values, which no order statistic bounds."""
    n = len(counts)
    if n < 5:
        return float("nan")
    c = max(round((n + 1) / 2 - np.sqrt(n)), 1)
    z = -float(ndtri(max(bdtr(c - 1, n, 0.5), 1e-300)))
    low, high = np.partition(counts, (c - 1, n - c))[[c - 1, n - c]]
    if ratio:
        low, high = np.log(max(low, np.finfo(float).tiny)), np.log(high)
    return float(((high - low) / (2 * z)) ** 2)
