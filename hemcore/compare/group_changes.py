"""The change of each HEM within one group of runs, as read; and the draws that say how far chance goes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hemcore.compare.dependent_runs import (
    FewRuns,
    RunOrder,
    few_dependent_runs,
    run_order,
    shared_block,
    time_of_median,
    unseen_by_blocks,
    unseen_by_shared_blocks,
)
from hemcore.compare.group_matching import MatchedGroup
from hemcore.compare.medians import MedianDraws, Medians, is_relative_median, medians_of
from hemcore.compare.permuted import Blocks, Change, Exchanged, block_length, change_as_read, exchanged_blocks, exchanges, in_blocks

Floats = NDArray[np.float64]
# Of large sets, the runs whose pairs give the effect size; non-zero runs that a set needs for a ratio.
_MOST_FOR_EFFECT, _FEWEST_ABOVE_ZERO = 5_000, 5


@dataclass(frozen=True, kw_only=True, eq=False)
class GroupChange:
    """One HEM in one group.

    relative: whether the change is a log ratio; else it is a difference in counts. estimate, variance: the change, and that of its error
    (NaN if a set has one run). freedom: its degrees of freedom. student: whether Student's t stands for the draws, because runs are few and
    depend on their neighbours. before, after: the mean or median. orders: of the runs before and after. block: runs per block. runs: how
    many were counted before and after. effect: Cliff's delta.
    """

    program: str
    label: str
    relative: bool
    estimate: float
    variance: float
    freedom: float
    student: bool
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
    """HEMs of one group whose runs are exchanged together. hems: their names. changes: as read. blocks: of runs, or
    the runs themselves, for medians."""

    hems: tuple[str, ...]
    changes: tuple[GroupChange, ...]
    blocks: Blocks | Medians

    @property
    def size(self) -> tuple[int, int]:
        """The blocks, or runs, before and after."""
        return self.blocks.size

    def exchanged(self, draws: int, rng: np.random.Generator) -> Exchanged | MedianDraws:
        """The draws, of which `change` gives what each finds."""
        if isinstance(self.blocks, Medians):
            return self.blocks.drawn(draws, rng)
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
    orders, few = {}, {}
    for place in places:
        first, second = (run_order(each[:, place], tests=tests) for each in (before, after))
        own = few[place] = None if paired else few_dependent_runs(before[:, place], after[:, place], tests=tests)
        if own is not None:  # both sets together show more than each alone
            first, second = (replace(each, autocorrelation=own.autocorrelation) for each in (first, second))
        orders[place] = first, second
    found = []
    if statistic == "median":
        alike: dict[tuple[int, int, bool], list[int]] = {}
        for place in places:
            alike.setdefault((int(counted[0, place]), int(counted[1, place]), relative[group.hems[place]]), []).append(place)
        for (_, _, ratio), chosen in alike.items():
            times = [_times_of_median(orders[place], few[place]) for place in chosen]
            medians = medians_of(before[:, chosen], after[:, chosen], times, ratio=ratio, paired=paired)
            found.append(_batch(group, chosen, orders, few, 1, ratio, medians.as_read, counted, medians.centres, medians))
        return found
    wanted = {place: 1 if few[place] else shared_block(orders[place], int(counted[:, place].min())) for place in places}
    lengths = {place: block_length(int(counted[0, place]), int(counted[1, place]), wanted[place]) for place in places}
    for key in sorted({(lengths[place], relative[group.hems[place]]) for place in places}):
        length, ratio = key
        chosen = [place for place in places if (lengths[place], relative[group.hems[place]]) == key]
        blocks = in_blocks(before[:, chosen], after[:, chosen], length, ratio=ratio, paired=paired)
        change = change_as_read(blocks)
        if not paired:
            change = replace(change, variance=change.variance * [_unseen(orders[place], few[place], length) for place in chosen])
        found.append(_batch(group, chosen, orders, few, length, ratio, change, counted, blocks.means, blocks))
    return found


def _unseen(orders: tuple[RunOrder, RunOrder], few: FewRuns | None, length: int) -> float:
    """How many times larger the variance of a mean is than blocks of `length` runs show."""
    return unseen_by_shared_blocks(orders, length) if few is None else unseen_by_blocks(few.time, length)


def _times_of_median(orders: tuple[RunOrder, RunOrder], few: FewRuns | None) -> tuple[float, float]:
    """The autocorrelation times of being above the median, before and after."""
    first, second = (each.time if few is None else few.time for each in orders)
    return time_of_median(first), time_of_median(second)


def _batch(
    group: MatchedGroup,
    places: Sequence[int],
    orders: dict[int, tuple[RunOrder, RunOrder]],
    few: dict[int, FewRuns | None],
    length: int,
    ratio: bool,
    change: Change,
    counted: NDArray[np.int64],
    centres: tuple[Floats, Floats],
    blocks: Blocks | Medians,
) -> Batch:
    changes = []
    for at, place in enumerate(places):
        runs, own = (int(counted[0, place]), int(counted[1, place])), few[place] or FewRuns()
        # The error of a median stands on the runs next to it, about the root of all.
        freedom = min(runs) ** 0.5 if isinstance(blocks, Medians) else min(runs) // length - 1
        change_of = GroupChange(
            program=group.program,
            label=group.label,
            relative=ratio,
            estimate=float(change.estimate[at]),
            variance=float(change.variance[at]),
            freedom=max(min(freedom, own.freedom), 1.0),
            student=own.time > 1,
            before=float(centres[0][at]),
            after=float(centres[1][at]),
            orders=orders[place],
            block=length,
            runs=runs,
            effect=cliffs_delta(group.before[:, place], group.after[:, place]),
        )
        changes.append(change_of)
    return Batch(hems=tuple(group.hems[place] for place in places), changes=tuple(changes), blocks=blocks)


def _pairs(group: MatchedGroup) -> tuple[Floats, Floats]:
    """Only runs that both sets counted."""
    known = np.isfinite(group.before) & np.isfinite(group.after)
    return np.where(known, group.before, np.nan), np.where(known, group.after, np.nan)
