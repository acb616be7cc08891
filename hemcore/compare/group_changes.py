"""The change of each HEM within one group of runs: as read, by chance alone, and around the change that was found."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hemcore.compare.dependent_runs import RunOrder, run_order
from hemcore.compare.group_matching import MatchedGroup
from hemcore.compare.permuted import Moments, block_length, exchanges, in_blocks, moments

Floats = NDArray[np.float64]
# Of large sets, the runs whose pairs give the effect size; non-zero runs that a set needs for a ratio.
_MOST_FOR_EFFECT, _FEWEST_ABOVE_ZERO = 5_000, 5


@dataclass(frozen=True, kw_only=True, eq=False)
class Change:
    """A change and the variance of its error: numbers as read, or shape (draws,)."""

    estimate: Floats
    variance: Floats


@dataclass(frozen=True, kw_only=True, eq=False)
class GroupChange:
    """One HEM in one group.

    relative: whether changes are log ratios; else differences in counts. read: as read. chance, around: of the draws where nothing changed,
    and around the change found; None if a set has fewer than two blocks. before, after: the mean or median. orders: of the runs before and
    after. runs: how many were counted before and after. effect: Cliff's delta.
    """

    program: str
    label: str
    relative: bool
    read: Change
    chance: Change | None
    around: Change | None
    before: float
    after: float
    orders: tuple[RunOrder, RunOrder]
    block: int
    runs: tuple[int, int]
    effect: float

    @property
    def weight(self) -> float:
        """How much the group counts among those of its program: half the harmonic mean of its runs."""
        return self.runs[0] * self.runs[1] / sum(self.runs)


def is_relative(before: Floats, after: Floats) -> bool:
    """Whether a ratio of means stands on enough runs above 0; counts of shape (runs,), NaN = not counted."""
    for counts in (before, after):
        known = counts[np.isfinite(counts)]
        if not len(known) or known.mean() <= 0 or (known > 0).sum() < min(_FEWEST_ABOVE_ZERO, len(known)):
            return False
    return True


def cliffs_delta(before: Floats, after: Floats) -> float:
    """The share of pairs of runs in which after is larger, less that in which it is smaller; shape (runs,), NaN left out; NaN if empty.

    Of more than 5,000 runs, as many are taken at even distances. Source: N. Cliff 1993, doi 10.1037/0033-2909.114.3.494.
    """
    first, second = (_thinned(each[np.isfinite(each)]) for each in (before, after))
    if not len(first) or not len(second):
        return float("nan")
    ordered = np.sort(first)
    below = np.searchsorted(ordered, second, side="left").sum()
    above = len(first) * len(second) - np.searchsorted(ordered, second, side="right").sum()
    return float((below - above) / (len(first) * len(second)))


def _thinned(counts: Floats) -> Floats:
    return counts[np.linspace(0, len(counts) - 1, _MOST_FOR_EFFECT).astype(int)] if len(counts) > _MOST_FOR_EFFECT else counts


def of_means(group: MatchedGroup, relative: Sequence[bool], rng: np.random.Generator, *, paired: bool) -> Iterator[tuple[str, GroupChange]]:
    """The change of the mean of each HEM. relative: by HEM, whether as a ratio. HEMs without a run in a set are left out."""
    before, after = _pairs(group) if paired else (group.before, group.after)
    counted = [np.isfinite(each).sum(axis=0) for each in (before, after)]
    orders = [tuple(run_order(each[:, place], tests=len(group.hems)) for each in (before, after)) for place in range(len(group.hems))]
    lengths = np.array([block_length(len(before), len(after), max(each.block for each in pair)) for pair in orders])
    for length in np.unique(lengths):
        for ratio in (True, False):
            places = np.flatnonzero((lengths == length) & (np.asarray(relative) == ratio) & (counted[0] > 0) & (counted[1] > 0))
            if not len(places):
                continue
            sides = before[:, places], after[:, places]
            blocks = in_blocks(*sides, int(length))
            read = moments(blocks, paired=paired)
            chance = around = None
            if blocks.n_before > 1 and blocks.n_after > 1:
                exchanged = exchanges(blocks.n_before, blocks.n_after, rng, paired=paired)
                chance = moments(blocks, exchanged, paired=paired)
                aligned = in_blocks(*_aligned(*sides, ratio=ratio), int(length))
                around = moments(aligned, exchanged, paired=paired)
                around_scale = aligned.scale
            for at, place in enumerate(places):
                scale = float(blocks.scale[at])
                first, second = orders[place]
                yield (
                    group.hems[place],
                    GroupChange(
                        program=group.program,
                        label=group.label,
                        relative=ratio,
                        read=_change(read, at, ratio, scale),
                        chance=None if chance is None else _change(chance, at, ratio, scale),
                        around=None if around is None else _change(around, at, ratio, float(around_scale[at])),
                        before=float(read.before[at]) * scale,
                        after=float(read.after[at]) * scale,
                        orders=(first, second),
                        block=int(length),
                        runs=(int(counted[0][place]), int(counted[1][place])),
                        effect=cliffs_delta(group.before[:, place], group.after[:, place]),
                    ),
                )


def _pairs(group: MatchedGroup) -> tuple[Floats, Floats]:
    """Only runs that both sets counted."""
    known = np.isfinite(group.before) & np.isfinite(group.after)
    return np.where(known, group.before, np.nan), np.where(known, group.after, np.nan)


def _aligned(before: Floats, after: Floats, *, ratio: bool) -> tuple[Floats, Floats]:
    """Both sets without the change: divided by their means, or less them."""
    means = [np.nanmean(each, axis=0) for each in (before, after)]
    if ratio:
        return before / means[0], after / means[1]
    return before - means[0], after - means[1]


def _change(found: Moments, at: int, ratio: bool, scale: float) -> Change:
    before, after = found.before[..., at], found.after[..., at]
    var_before, var_after, covariance = (each[..., at] for each in (found.var_before, found.var_after, found.covariance))
    with np.errstate(all="ignore"):
        if ratio:
            variance = var_before / before**2 + var_after / after**2 - 2 * covariance / (before * after)
            return Change(estimate=np.log(after) - np.log(before), variance=np.maximum(variance, 0.0))
        variance = (var_before + var_after - 2 * covariance) * scale * scale
        return Change(estimate=(after - before) * scale, variance=np.maximum(variance, 0.0))
