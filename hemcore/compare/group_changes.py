"""The change of each HEM within one group of runs, as read; and the draws that say how far chance goes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hemcore.compare.dependent_runs import RunOrder, run_order, shared_block, unseen_by_shared_blocks
from hemcore.compare.group_matching import MatchedGroup
from hemcore.compare.medians import MedianDraws, is_relative_median, median_change
from hemcore.compare.permuted import Blocks, Change, Exchanged, block_length, change_as_read, exchanged_blocks, exchanges, in_blocks

Floats = NDArray[np.float64]
# Of large sets, the runs whose pairs give the effect size; non-zero runs that a set needs for a ratio.
_MOST_FOR_EFFECT, _FEWEST_ABOVE_ZERO = 5_000, 5


@dataclass(frozen=True, kw_only=True, eq=False)
class GroupChange:
    """One HEM in one group.

    relative: whether the change is a log ratio; else it is a difference in counts. estimate, variance: the change, and that of its error
    (NaN if a set has one run). before, after: the mean or median. orders: of the runs before and after. block: runs per block. runs: how
    many were counted before and after. effect: Cliff's delta.
    """

    program: str
    label: str
    relative: bool
    estimate: float
    variance: float
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


@dataclass(frozen=True, kw_only=True, eq=False)
class Batch:
    """HEMs of one group whose runs are exchanged together. hems: their names. changes: as read.

    blocks: of means. medians: of medians. Just one is not None.
    """

    hems: tuple[str, ...]
    changes: tuple[GroupChange, ...]
    blocks: Blocks | None = None
    medians: "MedianDraws | None" = None

    @property
    def size(self) -> tuple[int, int]:
        """The blocks before and after."""
        source = self.blocks if self.blocks is not None else self.medians
        assert source is not None
        return source.size

    def exchanged(self, draws: int, rng: np.random.Generator) -> "Exchanged | MedianDraws":
        """The draws, of which `change` gives what each finds."""
        if self.blocks is None:
            assert self.medians is not None
            return self.medians.drawn(draws, rng)
        return exchanged_blocks(self.blocks, exchanges(self.size, draws, rng, paired=self.blocks.paired))


def is_relative(before: Floats, after: Floats) -> bool:
    """Whether a ratio of means stands on enough runs above 0; counts of shape (runs,), NaN = not counted."""
    for counts in (before, after):
        known = counts[np.isfinite(counts)]
        if not len(known) or known.mean() <= 0 or (known > 0).sum() < min(_FEWEST_ABOVE_ZERO, len(known)):
            return False
    return True


def relative_hems(groups: Sequence[MatchedGroup], statistic: str, *, paired: bool) -> dict[str, bool]:
    """By HEM, whether its change is a ratio in every group; a difference in counts if it is often 0."""
    found: dict[str, bool] = {}
    for group in groups:
        for place, hem in enumerate(group.hems):
            sides = group.before[:, place], group.after[:, place]
            if all(np.isfinite(each).any() for each in sides):
                fits = is_relative_median(*sides, paired=paired) if statistic == "median" else is_relative(*sides)
                found[hem] = found.get(hem, True) and fits
    return found


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


def batches(group: MatchedGroup, relative: dict[str, bool], statistic: str, *, paired: bool) -> list[Batch]:
    """The HEMs of `group` that both sets counted, in batches of one block length and measure. relative: by HEM, whether as a ratio."""
    before, after = _pairs(group) if paired else (group.before, group.after)
    counted = np.array([np.isfinite(each).sum(axis=0) for each in (before, after)])
    places = [int(place) for place in np.flatnonzero((counted > 0).all(axis=0))]
    tests = len(group.hems)
    orders = {place: (run_order(before[:, place], tests=tests), run_order(after[:, place], tests=tests)) for place in places}
    found = []
    if statistic == "median":
        for place in places:
            length = shared_block(orders[place], int(counted[:, place].min()))
            ratio = relative[group.hems[place]]
            change, draws = median_change(before[:, place], after[:, place], orders[place], length, ratio=ratio, paired=paired)
            found.append(_batch(group, [place], orders, length, ratio, change, counted, draws.centres, medians=draws))
        return found
    lengths = {
        place: block_length(int(counted[0, place]), int(counted[1, place]), shared_block(orders[place], int(counted[:, place].min())))
        for place in places
    }
    for key in sorted({(lengths[place], relative[group.hems[place]]) for place in places}):
        length, ratio = key
        chosen = [place for place in places if (lengths[place], relative[group.hems[place]]) == key]
        blocks = in_blocks(before[:, chosen], after[:, chosen], length, ratio=ratio, paired=paired)
        change = change_as_read(blocks)
        if not paired:
            change = replace(change, variance=change.variance * [unseen_by_shared_blocks(orders[place], length) for place in chosen])
        found.append(_batch(group, chosen, orders, length, ratio, change, counted, blocks.means, blocks=blocks))
    return found


def _batch(
    group: MatchedGroup,
    places: Sequence[int],
    orders: dict[int, tuple[RunOrder, RunOrder]],
    length: int,
    ratio: bool,
    change: Change,
    counted: NDArray[np.int64],
    centres: tuple[Floats, Floats],
    blocks: Blocks | None = None,
    medians: "MedianDraws | None" = None,
) -> Batch:
    changes = [
        GroupChange(
            program=group.program,
            label=group.label,
            relative=ratio,
            estimate=float(change.estimate[at]),
            variance=float(change.variance[at]),
            before=float(centres[0][at]),
            after=float(centres[1][at]),
            orders=orders[place],
            block=length,
            runs=(int(counted[0, place]), int(counted[1, place])),
            effect=cliffs_delta(group.before[:, place], group.after[:, place]),
        )
        for at, place in enumerate(places)
    ]
    return Batch(hems=tuple(group.hems[place] for place in places), changes=tuple(changes), blocks=blocks, medians=medians)


def _pairs(group: MatchedGroup) -> tuple[Floats, Floats]:
    """Only runs that both sets counted."""
    known = np.isfinite(group.before) & np.isfinite(group.after)
    return np.where(known, group.before, np.nan), np.where(known, group.after, np.nan)
