"""Runs of one program cut into the same phases in the same order; and the phases of two sets, aligned.

One run is cut by all events together; each other run is then cut into the phases of that run, in their order, where the levels fit best
(dynamic programming, exact), so every run of a set has the same phases and only their durations differ.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hemcore.aligned_order import MOST_SEGMENTS, agreement_in_order, level_unit
from hemcore.compare.stages.program_runs import ProgramRuns

Floats = NDArray[np.float64]
Cut = Callable[[Sequence[Floats]], list[list[int]]]
# Runs that are cut to find the number of phases of most of them; pieces of a run beyond which several are cut as one.
_CUT_RUNS, _MOST_PIECES = 5, 2_000
# Each set is cut by its own phases if that leaves less than this share of the scatter.
_FAR_LESS = 0.8


@dataclass(frozen=True, kw_only=True, eq=False)
class StageCounts:
    """Phases of the runs of one program. counts: shape (runs, phases, hems), NaN = not counted. lengths: shape (runs, phases)."""

    counts: Floats
    lengths: Floats

    @property
    def rates(self) -> Floats:
        """Mean counts per length of each phase, shape (phases, hems), NaN if never counted."""
        with np.errstate(all="ignore"):
            known = np.isfinite(self.counts)
            return np.where(known, self.counts, 0.0).sum(axis=0) / np.where(known, self.lengths[:, :, None], 0.0).sum(axis=0)


def whole(program: ProgramRuns) -> StageCounts:
    """Each run as one phase."""
    parts = [_summed(run, length, []) for run, length in zip(program.runs, program.lengths, strict=True)]
    return StageCounts(counts=np.array([each for each, _ in parts]), lengths=np.array([each for _, each in parts]))


def cut_together(before: ProgramRuns, after: ProgramRuns, cut: Cut) -> tuple[StageCounts, StageCounts]:
    """The phases of each run of two sets. cut: gives the change points of runs, shape (pieces, hems) each; not asked of given phases.

    Both sets are cut by one run's phases, of whichever set fits both better, so that chance does not cut them differently; each by its own
    only if that leaves far less scatter within phases, as where one set has a phase that the other lacks.
    """
    if before.cut:
        return _of_given_phases(before), _of_given_phases(after)
    sides = [_Thinned.of(each) for each in (before, after)]
    points = [each.reference(cut) for each in sides]
    references = [(each.runs[place], ends) for each, (place, ends) in zip(sides, points, strict=True)]
    own = [_cut_by([each.runs], *reference) for each, reference in zip(sides, references, strict=True)]
    common = [_cut_by([each.runs for each in sides], *reference) for reference in references]
    best, left = min(common, key=lambda both: both[1])
    chosen = [found[0] for found, _ in own] if sum(each for _, each in own) < _FAR_LESS * left else best
    first, second = (each.counts(ends) for each, ends in zip(sides, chosen, strict=True))
    return first, second


def _cut_by(sides: Sequence[Sequence[Floats]], reference: Floats, ends: list[int]) -> tuple[list[list[list[int]]], float]:
    """Change points of each run of each side, cut by the phases of `reference`, then by the mean levels that result; and the scatter left.

    The levels are those of all sides together: levels of each would move its cuts, and call that a change.
    """
    levels, scale = _levels(reference, ends)
    found: list[list[list[int]]] = []
    for _ in range(2):
        found = [[ends_in_order(run, levels, scale) for run in runs] for runs in sides]
        cut = [(run, each) for runs, side in zip(sides, found, strict=True) for run, each in zip(runs, side, strict=True)]
        own = [_levels(run, each)[0] for run, each in cut if len(each) == len(ends)]
        if not own:
            return found, float("inf")
        known = np.isfinite(own)
        with np.errstate(all="ignore"):
            levels = np.where(known, own, 0.0).sum(axis=0) / known.sum(axis=0)
    return found, sum(_scatter(run, each, scale) for run, each in cut)


@dataclass(frozen=True, kw_only=True, eq=False)
class _Thinned:
    """A program whose runs have at most 2,000 pieces each: means of `width` pieces, as shares of `size`, each HEM's mean in the set."""

    program: ProgramRuns
    width: int
    runs: tuple[Floats, ...]

    @classmethod
    def of(cls, program: ProgramRuns) -> "_Thinned":
        width = -(-max(len(run) for run in program.runs) // _MOST_PIECES)
        every = np.concatenate(program.runs)
        known = np.isfinite(every)
        size = np.where(known, every, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
        scale = np.where(size > 0, size, 1.0)
        return cls(program=program, width=width, runs=tuple(_binned(run, width) / scale for run in program.runs))

    def reference(self, cut: Cut) -> tuple[int, list[int]]:
        """A run of middle length with the usual number of phases, and its change points."""
        sizes = np.array([len(run) for run in self.runs])
        tried = np.argsort(np.abs(sizes - np.median(sizes)), kind="stable")[:_CUT_RUNS].tolist()
        points = cut([self.runs[place] for place in tried])
        numbers = [len(each) for each in points]
        usual = max(set(numbers), key=lambda number: (numbers.count(number), -number))
        place = numbers.index(usual)
        return tried[place], points[place]

    def counts(self, ends: list[list[int]]) -> StageCounts:
        """The phases of each run that ends at `ends`; a run with fewer pieces than phases is left out."""
        usual = max(len(each) for each in ends)
        parts = [
            _summed(run, length, [self.width * end for end in each])
            for run, length, each in zip(self.program.runs, self.program.lengths, ends, strict=True)
            if len(each) == usual
        ]
        return StageCounts(counts=np.array([each for each, _ in parts]), lengths=np.array([each for _, each in parts]))


def ends_in_order(run: Floats, levels: Floats, scale: Floats) -> list[int]:
    """Where each phase but the last ends, so that the roots of the counts are nearest to `levels`, shape (phases, hems), all in order.

    run: shape (pieces, hems), NaN = not counted. scale: shape (hems,), what a difference is divided by; 0 = the HEM says nothing. Empty for
    fewer pieces than phases.
    """
    n, phases = len(run), len(levels)
    if n < phases:
        return []
    weights = np.divide(1.0, scale, out=np.zeros_like(scale), where=scale > 0)
    with np.errstate(invalid="ignore"):
        roots = np.sqrt(run)
    far = np.stack([np.nansum(((roots - level) * weights) ** 2, axis=1) for level in np.nan_to_num(levels)])
    summed = np.concatenate([np.zeros((phases, 1)), np.cumsum(far, axis=1)], axis=1)
    cost, begun = summed[0].copy(), np.zeros((phases, n + 1), dtype=int)
    cost[0] = np.inf
    for phase in range(1, phases):
        start = cost - summed[phase]
        best = np.minimum.accumulate(start)
        at = np.maximum.accumulate(np.where(start <= best, np.arange(n + 1), 0))
        begun[phase, 1:] = at[:-1]
        cost = np.concatenate([[np.inf], best[:-1] + summed[phase][1:]])
    ends = [n]
    for phase in range(phases - 1, 0, -1):
        ends.append(int(begun[phase, ends[-1]]))
    return ends[:0:-1]


def aligned(before: StageCounts, after: StageCounts) -> list[tuple[int | None, int | None]]:
    """The phases before and after in one order: (number before, number after), None where a set lacks the phase.

    As many phases are matched one by one. Of others, those whose levels are alike, each HEM beside its mean over the set (see
    `agreement_in_order`); as many left on both sides between two matches are matched in their order.
    """
    sides = []
    for each in (before, after):
        rates = each.rates
        with np.errstate(all="ignore"):
            size = np.nansum(rates * each.lengths.mean(axis=0)[:, None], axis=0) / each.lengths.mean(axis=0).sum()
            sides.append(np.sqrt(rates / np.where(size > 0, size, np.nan)))
    first, second = sides
    if len(first) == len(second):
        return [(place, place) for place in range(len(first))]
    if max(len(first), len(second)) > MOST_SEGMENTS:
        matched: tuple[tuple[int, int], ...] = ()
    else:
        ones = np.ones(len(first)), np.ones(len(second))
        matched = agreement_in_order(first, second, *ones, unit=level_unit(sides)).matched
    found: list[tuple[int | None, int | None]] = []
    begin, start = 0, 0
    for end, stop in (*matched, (len(first), len(second))):
        left, right = list(range(begin, end)), list(range(start, stop))
        found += (
            list(zip(left, right, strict=True)) if len(left) == len(right) else [*((i, None) for i in left), *((None, j) for j in right)]
        )
        if end < len(first):
            found.append((end, stop))
        begin, start = end + 1, stop + 1
    return found


def _of_given_phases(program: ProgramRuns) -> StageCounts:
    """Rows that are phases already: runs with the usual number of phases, each phase as it stands."""
    numbers = [len(run) for run in program.runs]
    usual = max(set(numbers), key=lambda number: (numbers.count(number), -number))
    kept = [place for place, number in enumerate(numbers) if number == usual]
    return StageCounts(
        counts=np.array([program.runs[place] for place in kept]), lengths=np.array([program.lengths[place] for place in kept])
    )


def _summed(run: Floats, length: Floats, ends: Sequence[int]) -> tuple[Floats, Floats]:
    """Counts and length of each part of a run; pieces that were not counted take the part's mean. Shape (parts, hems), (parts,)."""
    starts = [0, *ends]
    known = np.isfinite(run)
    counted = np.add.reduceat(np.where(known, length[:, None], 0.0), starts, axis=0)
    counts = np.add.reduceat(np.where(known, run, 0.0), starts, axis=0)
    long = np.add.reduceat(length, starts)
    with np.errstate(all="ignore"):
        share = np.where(counted > 0, long[:, None] / counted, np.nan)
    return np.where(share == 1, counts, counts * share), long


def _binned(run: Floats, width: int) -> Floats:
    """Means of `width` pieces, of those that were counted."""
    if width == 1:
        return run
    return _means(run, np.arange(0, len(run), width))


def _means(values: Floats, starts: NDArray[np.int64]) -> Floats:
    known = np.isfinite(values)
    with np.errstate(all="ignore"):
        found: Floats = np.add.reduceat(np.where(known, values, 0.0), starts, axis=0) / np.add.reduceat(known.astype(float), starts, axis=0)
    return found


def _levels(run: Floats, points: Sequence[int]) -> tuple[Floats, Floats]:
    """The mean roots of the counts in each phase, and how far pieces scatter about them, shape (hems,)."""
    roots = np.sqrt(run)
    starts = np.array([0, *points])
    levels = _means(roots, starts)
    rest = roots - np.repeat(levels, np.diff([*starts, len(run)]), axis=0)
    known = np.isfinite(rest)
    scatter = np.sqrt(np.square(np.where(known, rest, 0.0)).sum(axis=0) / np.maximum(known.sum(axis=0), 1))
    # A HEM that never scatters, or hardly, decides no more than the others do.
    typical = float(np.median(scatter[scatter > 0])) if (scatter > 0).any() else 1.0
    return levels, np.where(np.isfinite(levels).any(axis=0), np.maximum(scatter, 0.1 * typical), 0.0)


def _scatter(run: Floats, ends: Sequence[int], scale: Floats) -> float:
    """Squared distances of the roots of the counts from their phase's mean, in units of `scale`."""
    roots, levels = np.sqrt(run), _levels(run, ends)[0]
    rest = roots - np.repeat(levels, np.diff([0, *ends, len(run)]), axis=0)
    weights = np.divide(1.0, scale, out=np.zeros_like(scale), where=scale > 0)
    return float(np.nansum(np.square(rest * weights)))
