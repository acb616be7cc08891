"""Runs exchanged between the sets at random: how far a change goes by chance alone, whatever the distribution of the counts.

The statistic is the change of a mean divided by its standard error. Exchanging runs of both sets gives its distribution where nothing
changed (the p-value, exact for independent runs); exchanging runs after each set was divided by its own mean gives the distribution around
the change that was found (the interval). Heavy tails enter both, which Student's t would not see. Where runs depend on their neighbours, or
are very many, blocks of consecutive runs are exchanged in place of single ones.

Sources: A. Janssen 1997, Studentized permutation tests for non-i.i.d. hypotheses, doi 10.1016/S0167-7152(97)00043-6; E. Chung, J. P. Romano
2013, Exact and asymptotically robust permutation tests, doi 10.1214/13-AOS1090.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
DRAWS = 1_999
_MOST_BLOCKS, _FEWEST_BLOCKS, _MOST_CELLS = 512, 64, 6_000_000
_MOMENTS = ("before", "after", "var_before", "var_after", "covariance")


@dataclass(frozen=True, kw_only=True, eq=False)
class Moments:
    """Means of both sets, and the variances and the covariance (0 unless paired) of these means; shape (hems,) or (draws, hems)."""

    before: Floats
    after: Floats
    var_before: Floats
    var_after: Floats
    covariance: Floats


@dataclass(frozen=True, kw_only=True, eq=False)
class Blocks:
    """Sums over blocks of consecutive runs, and how many runs were counted in each; shape (blocks, hems), before first.

    The sums are of counts divided by `scale`, less `centre`, both of shape (hems,), so that no digits are lost where counts hardly vary
    (or, with the centre 0, where the sets are far apart).
    """

    sums: Floats
    counts: Floats
    n_before: int
    scale: Floats
    centre: Floats

    @property
    def n_after(self) -> int:
        """How many blocks are after."""
        return len(self.sums) - self.n_before


def block_length(n_before: int, n_after: int, wanted: int) -> int:
    """Runs per block: those wanted for dependent runs, or more if there are over 512 blocks in a set and the other set keeps 64."""
    fewest = max(min(n_before, n_after) // _FEWEST_BLOCKS, 1)
    return max(wanted, min(-(-max(n_before, n_after) // _MOST_BLOCKS), fewest))


def in_blocks(before: Floats, after: Floats, length: int) -> Blocks:
    """Sums over blocks of `length` runs; the last runs that do not fill a block join the one before."""
    means = np.array([np.nansum(each, axis=0) / np.maximum(np.isfinite(each).sum(axis=0), 1) for each in (before, after)])
    mean = means.mean(axis=0)
    scale = np.where(mean != 0, np.abs(mean), 1.0)
    centre = np.where((np.abs(means / scale - np.sign(mean)) < 0.5).all(axis=0), np.sign(mean), 0.0)
    sides = [_summed(each / scale - centre, length) for each in (before, after)]
    return Blocks(
        sums=np.concatenate([each[0] for each in sides]),
        counts=np.concatenate([each[1] for each in sides]),
        n_before=len(sides[0][0]),
        scale=scale,
        centre=centre,
    )


def _summed(values: Floats, length: int) -> tuple[Floats, Floats]:
    known = np.isfinite(values)
    filled = np.where(known, values, 0.0)
    if length <= 1:
        return filled, known.astype(float)
    starts = np.arange(max(len(values) // length, 1)) * length
    return np.add.reduceat(filled, starts, axis=0), np.add.reduceat(known.astype(float), starts, axis=0)


def moments(blocks: Blocks, exchanged: Floats | None = None, *, paired: bool = False) -> Moments:
    """Means and variances as read, or for each exchange, in units of `blocks.scale`.

    exchanged: shape (draws, blocks), 1 where a block is after; None: as read, where results have no first axis. paired: block i before
    belongs to block i after, and both count the same runs. NaN where a set has no counted block, variances with one.
    """
    sums, counts = blocks.sums, blocks.counts
    weights = exchanged if exchanged is not None else (np.arange(len(sums)) >= blocks.n_before).astype(float)[None, :]
    constant = bool((counts == counts[:1, :1]).all())
    products = [sums, counts, sums * sums] if constant else [sums, counts, sums * sums, sums * counts, counts * counts]
    totals, after = [each.sum(axis=0) for each in products], [weights @ each for each in products]
    blocks_after = weights @ (counts > 0).astype(float)
    if constant:  # the products with counts follow from the others
        size = float(counts[0, 0])
        totals += [totals[0] * size, totals[1] * size]
        after += [after[0] * size, after[1] * size]
    before = [total - each for total, each in zip(totals, after, strict=True)]
    mean_before, var_before = _mean_and_variance(before, (counts > 0).sum(axis=0) - blocks_after)
    mean_after, var_after = _mean_and_variance(after, blocks_after)
    covariance = np.zeros_like(mean_before)
    if paired:
        half = blocks.n_before
        cross = (sums[:half] * sums[half:]).sum(axis=0)
        n_pairs = (counts[:half] > 0).sum(axis=0)
        with np.errstate(all="ignore"):
            inner = cross - mean_after * before[3] - mean_before * after[3] + mean_before * mean_after * before[4]
            covariance = np.where(n_pairs > 1, inner * n_pairs / (n_pairs - 1) / (before[1] * after[1]), np.nan)
    parts = (mean_before + blocks.centre, mean_after + blocks.centre, var_before, var_after, covariance)
    return Moments(**dict(zip(_MOMENTS, parts if exchanged is not None else tuple(each[0] for each in parts), strict=True)))


def _mean_and_variance(parts: list[Floats], blocks: Floats) -> tuple[Floats, Floats]:
    s, c, ss, sc, cc = parts
    with np.errstate(all="ignore"):
        mean = s / c
        residual = np.maximum(ss - 2 * mean * sc + mean * mean * cc, 0.0)
        variance = np.where(blocks > 1, residual * blocks / (blocks - 1) / (c * c), np.nan)
    return mean, variance


def exchanges(n_before: int, n_after: int, rng: np.random.Generator, *, paired: bool = False) -> Floats:
    """Which blocks are after, in each draw; shape (draws, blocks). Fewer draws where there are very many blocks."""
    n = n_before + n_after
    draws = int(np.clip(_MOST_CELLS // n, 199, DRAWS))
    if paired:
        swapped = rng.random((draws, n_before)) < 0.5
        return np.concatenate([swapped, ~swapped], axis=1).astype(float)
    keys = rng.random((draws, n))
    chosen = np.zeros((draws, n))
    np.put_along_axis(chosen, np.argpartition(keys, n_after - 1, axis=1)[:, :n_after], 1.0, axis=1)
    return chosen
