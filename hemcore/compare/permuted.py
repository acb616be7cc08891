"""Runs exchanged between the sets at random: how far a change goes by chance alone, whatever the distribution of the counts.

The statistic is the change of a mean divided by its standard error. A supposed change is taken out of the runs after; if it is the true
one, all runs of both sets are alike, and exchanging them at random gives the distribution of the statistic. The p-value supposes no change;
the interval holds every supposed change that is not too far out. Both are exact for independent runs whose distribution is only scaled,
however heavy its tails, which Student's t is not; for others as many runs as there are make them right. Where runs depend on their
neighbours, or are very many, blocks of consecutive runs are exchanged in place of single ones.

Sources: A. Janssen 1997, Studentized permutation tests for non-i.i.d. hypotheses, doi 10.1016/S0167-7152(97)00043-6; E. Chung, J. P. Romano
2013, Exact and asymptotically robust permutation tests, doi 10.1214/13-AOS1090.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
DRAWS = 1_999
_FEWEST_DRAWS, _MOST_CELLS = 199, 6_000_000
_MOST_BLOCKS, _FEWEST_BLOCKS = 512, 64


@dataclass(frozen=True, kw_only=True, eq=False)
class Change:
    """A change and the variance of its error, each of shape (hems,) or (draws, hems): log ratios, or differences."""

    estimate: Floats
    variance: Floats


@dataclass(frozen=True, kw_only=True, eq=False)
class Side:
    """One set in blocks, shape (blocks, hems): sums of the runs' deviations from their mean, and how many runs were counted."""

    sums: Floats
    counts: Floats


@dataclass(frozen=True, kw_only=True, eq=False)
class Blocks:
    """Both sets in blocks. means: of the counts before and after, shape (hems,). ratio: whether deviations are shares of the set's own
    mean, and changes log ratios; else deviations are in units of `scale`, shape (hems,), and changes differences in counts. paired: whether
    block i before belongs to block i after."""

    before: Side
    after: Side
    means: tuple[Floats, Floats]
    ratio: bool
    scale: Floats
    paired: bool

    @property
    def size(self) -> tuple[int, int]:
        """How many blocks there are before and after."""
        return len(self.before.sums), len(self.after.sums)


@dataclass(frozen=True, kw_only=True, eq=False)
class _Totals:
    """Of blocks of one set: sums of deviations u, counts c, u*u, u*c and c*c, and the blocks counted; shape (draws or 1, hems or 1)."""

    u: Floats
    c: Floats
    uu: Floats
    uc: Floats
    cc: Floats
    blocks: Floats

    def less(self, other: "_Totals") -> "_Totals":
        return _Totals(
            u=self.u - other.u,
            c=self.c - other.c,
            uu=self.uu - other.uu,
            uc=self.uc - other.uc,
            cc=self.cc - other.cc,
            blocks=self.blocks - other.blocks,
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Exchanged:
    """Draws of blocks: per set as it was read (before, after), the totals of its blocks that a draw puts before, and puts after."""

    stay_before: _Totals
    before_to_after: _Totals
    after_to_before: _Totals
    stay_after: _Totals
    blocks: Blocks

    def change(self, supposed: Floats) -> Change:
        """The change that each draw finds once the runs after differ from those before by `supposed` alone, shape (hems,): the log ratio or
        difference of the means that is left between the sets before they are exchanged."""
        ratio = self.blocks.ratio
        factor = np.exp(supposed) if ratio else np.ones_like(supposed)
        moved = factor - 1 if ratio else supposed / self.blocks.scale
        sides = []
        for own, other in ((self.stay_before, self.after_to_before), (self.before_to_after, self.stay_after)):
            s = own.u + factor * other.u + moved * other.c
            sc = own.uc + factor * other.uc + moved * other.cc
            ss = own.uu + factor**2 * other.uu + 2 * factor * moved * other.uc + moved**2 * other.cc
            sides.append((s, own.c + other.c, ss, sc, own.cc + other.cc, own.blocks + other.blocks))
        cross = _cross(self.blocks, factor, moved) if self.blocks.paired else None
        return _change(sides[0], sides[1], cross, self.blocks)


def block_length(n_before: int, n_after: int, wanted: int) -> int:
    """Runs per block: those wanted for dependent runs, or more if there are over 512 blocks in a set and the other set keeps 64."""
    fewest = max(min(n_before, n_after) // _FEWEST_BLOCKS, 1)
    return max(wanted, min(-(-max(n_before, n_after) // _MOST_BLOCKS), fewest))


def in_blocks(before: Floats, after: Floats, length: int, *, ratio: bool, paired: bool = False) -> Blocks:
    """Blocks of `length` runs; the last runs that do not fill a block join the one before. before, after: shape (runs, hems), NaN = not
    counted, of each HEM at least one counted; with `ratio`, means above 0; with `paired`, NaN in both at once."""
    means = [np.nansum(each, axis=0) / np.isfinite(each).sum(axis=0) for each in (before, after)]
    largest = np.maximum(np.abs(means[0]), np.abs(means[1]))
    scale = np.where(largest > 0, largest, 1.0)
    if ratio:
        sides = [_side(each / mean - 1, length) for each, mean in zip((before, after), means, strict=True)]
    else:
        sides = [_side((each - mean) / scale, length) for each, mean in zip((before, after), means, strict=True)]
    return Blocks(before=sides[0], after=sides[1], means=(means[0], means[1]), ratio=ratio, scale=scale, paired=paired)


def _side(values: Floats, length: int) -> Side:
    known = np.isfinite(values)
    sums, counts = np.where(known, values, 0.0), known.astype(float)
    if length > 1:
        starts = np.arange(max(len(values) // length, 1)) * length
        sums, counts = np.add.reduceat(sums, starts, axis=0), np.add.reduceat(counts, starts, axis=0)
    if (counts == counts[:, :1]).all():  # no HEM lacks a run: one column stands for all
        counts = counts[:, :1]
    return Side(sums=sums, counts=counts)


def change_as_read(blocks: Blocks) -> Change:
    """The change and the variance of its error, shape (hems,); NaN with a set of one block."""
    whole = [_totals(each, np.ones((1, len(each.sums)))) for each in (blocks.before, blocks.after)]
    sides = [(each.u, each.c, each.uu, each.uc, each.cc, each.blocks) for each in whole]
    zero = np.zeros(blocks.before.sums.shape[1])
    cross = _cross(blocks, zero + 1, zero) if blocks.paired else None
    found = _change(sides[0], sides[1], cross, blocks)
    before, after = blocks.means
    with np.errstate(all="ignore"):  # deviations add up to 0: the means themselves say the change
        estimate = np.log(after) - np.log(before) if blocks.ratio else after - before
    return Change(estimate=estimate, variance=found.variance[0])


def exchanges(size: tuple[int, int], draws: int, rng: np.random.Generator, *, paired: bool = False) -> NDArray[np.bool_]:
    """Which blocks a draw puts after; shape (draws, blocks), those read before first."""
    if paired:
        swapped = rng.random((draws, size[0])) < 0.5
        return np.concatenate([swapped, ~swapped], axis=1)
    keys = rng.random((draws, sum(size)))
    chosen = np.zeros(keys.shape, dtype=bool)
    np.put_along_axis(chosen, np.argpartition(keys, size[1] - 1, axis=1)[:, : size[1]], True, axis=1)
    return chosen


def draws_for(blocks: int) -> int:
    """How many draws: 1,999, fewer where a set is too large for the blocks of the other."""
    return int(np.clip(_MOST_CELLS // max(blocks, 1), _FEWEST_DRAWS, DRAWS))


def exchanged_blocks(blocks: Blocks, chosen: NDArray[np.bool_]) -> Exchanged:
    """The totals of each draw of `exchanges`."""
    n, weights = blocks.size[0], chosen.astype(float)
    whole = [_totals(each, np.ones((1, len(each.sums)))) for each in (blocks.before, blocks.after)]
    to_after, stay = _totals(blocks.before, weights[:, :n]), _totals(blocks.after, weights[:, n:])
    return Exchanged(
        stay_before=whole[0].less(to_after), before_to_after=to_after, after_to_before=whole[1].less(stay), stay_after=stay, blocks=blocks
    )


def _totals(side: Side, weights: Floats) -> _Totals:
    u, c = side.sums, side.counts
    if (c == c[:1, :1]).all():
        n = weights.sum(axis=1)[:, None]
        size, summed = float(c[0, 0]), weights @ u
        return _Totals(u=summed, c=n * size, uu=weights @ (u * u), uc=summed * size, cc=n * size * size, blocks=n * (size > 0))
    parts = {"u": u, "c": c, "uu": u * u, "uc": u * c, "cc": c * c, "blocks": (c > 0).astype(float)}
    return _Totals(**{name: weights @ each for name, each in parts.items()})


_Sums = tuple[Floats, Floats, Floats, Floats, Floats, Floats]


def _cross(blocks: Blocks, factor: Floats, moved: Floats) -> Floats:
    """Sum of the products of paired blocks; exchanging the two of a pair leaves it as it is."""
    u, v, c = blocks.before.sums, blocks.after.sums, blocks.after.counts
    found: Floats = factor * (u * v).sum(axis=0) + moved * (u * c).sum(axis=0)
    return found


def _change(before: _Sums, after: _Sums, cross: Floats | None, blocks: Blocks) -> Change:
    """The change of the means and its variance, from the sums s, c, ss, sc, cc and the number of blocks of both sets."""
    with np.errstate(all="ignore"):
        means, variances = [], []
        for s, c, ss, sc, cc, n in (before, after):
            mean = s / c
            residual = np.maximum(ss - 2 * mean * sc + mean * mean * cc, 0.0)
            means.append(mean)
            variances.append(np.where(n > 1, residual * n / (n - 1) / (c * c), np.nan))
        covariance: Floats | float = 0.0
        if cross is not None:
            inner = cross - means[1] * before[3] - means[0] * after[3] + means[0] * means[1] * before[4]
            covariance = inner * before[5] / (before[5] - 1) / (before[1] * after[1])
        if blocks.ratio:
            first, second = 1 + means[0], 1 + means[1]
            variance = variances[0] / first**2 + variances[1] / second**2 - 2 * covariance / (first * second)
            return Change(estimate=np.log(second) - np.log(first), variance=np.maximum(variance, 0.0))
        variance = (variances[0] + variances[1] - 2 * covariance) * blocks.scale**2
        return Change(estimate=(means[1] - means[0]) * blocks.scale, variance=np.maximum(variance, 0.0))
