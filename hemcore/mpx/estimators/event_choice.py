"""The estimator that suits each event: chosen by hiding every second count of each run and estimating it from the others."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from hemcore.mpx.estimate_scores import LEAST_SCORED
from hemcore.mpx.estimators.estimator import Estimator
from hemcore.mpx.estimators.gate import GATE
from hemcore.mpx.estimators.harmonic import HARMONIC
from hemcore.mpx.estimators.kalman import KALMAN
from hemcore.mpx.sampled import Flags, Floats, Places, Sampled
from hemcore.mpx.score_sums import compare, tally

# Harmonic stays unless another one's RA + WA is better by this, plus this over the root of the number of counts above 0 that were hidden.
_MARGIN, _PER_COUNT = 0.01, 0.3
# Standard errors. What is worse by the first per count is not chosen, whatever a few great counts say; what is better by the second per
# count, or nearer to more than half of the counts by the third, is chosen for sure.
_WORSE, _BETTER, _NEARER = -1.0, 2.0, 3.5
# Standard errors of likeness of counts to the next ones: up to the first they go up and down in turn, from the second on they are alike.
_IN_TURN, _ALIKE = -3.0, 4.0

BY_EVENT = "by event"


class Choice(NamedTuple):
    """What suits each event, arrays of shape (events,).

    best: positions among the candidates. sure: False where the best is not surely better than harmonic, and the two are to be filled
    `as_chosen`. ra, wa: the scores of that where every second count is hidden, at least 0; NaN where fewer than 20 counts above 0 were.
    counts: how many were.
    """

    best: NDArray[np.intp]
    sure: Flags
    ra: Floats
    wa: Floats
    counts: Floats


def by_event(candidates: Sequence[Estimator], settled: Sampled | None = None) -> Estimator:
    """An Estimator that fills each event by one of `candidates`, harmonic among them (`choice_of`).

    settled: counts of the same events for which it chooses, once; None: it chooses for what it fills.
    """
    chosen = None if settled is None else choice_of(settled, candidates)

    def fill(sampled: Sampled) -> Floats:
        choice = choice_of(sampled, candidates) if chosen is None else chosen
        names = [candidates[at].name for at in choice.best]
        filled = {each.name: each.fill(sampled) for each in candidates if each is HARMONIC or each.name in names}
        return as_chosen(filled, names, choice.sure)

    return Estimator(
        name=BY_EVENT,
        title="per-event choice",
        description="Per event, what is best where every second count is hidden; halfway to harmonic where that is not sure.",
        source="this project",
        fill=fill,
    )


def as_chosen(filled: Mapping[str, Floats], names: Sequence[str], sure: Sequence[bool] | Flags) -> Floats:
    """The counts of each event by the estimator of that name, halfway to harmonic's where it is not sure.

    filled: name -> counts, shape (events, slots), harmonic's among them. Halfway is the harmonic mean of the two, and half of the other
    where harmonic has 0.
    """
    usual = filled[HARMONIC.name]
    rows = [filled[name][event] if sure[event] else _halfway(usual[event], filled[name][event]) for event, name in enumerate(names)]
    return np.stack(rows)


def choice_of(sampled: Sampled, candidates: Sequence[Estimator]) -> Choice:
    """Which of `candidates` suits each event.

    Every second count of an event in each run is hidden, then the others, and each candidate estimates them from the rest: the gaps are
    twice as long as they are. The best RA + WA (each at least 0, over all runs) is chosen among those nearer than harmonic to half of the
    counts or more: a mean error can hang on a few counts, and beside bursts an estimate far from them seems better in long gaps than it
    is in short ones. It is sure where the relative error of a count is smaller by 2 standard errors, or most counts are nearer by 3.5,
    and halfway to harmonic is no better. Harmonic stays where the margin is that of chance, where fewer than 20 counts above 0 were
    hidden, where counts go up and down in turn, since then nothing is known of the slots between, and against other lines from count to
    count where counts are like the next ones: there it is the few jumps that decide.
    """
    usual = next(at for at, each in enumerate(candidates) if each is HARMONIC)
    tallies: NDArray[np.float64] = np.zeros((2, len(candidates), len(sampled.counts), 7))
    compared: NDArray[np.float64] = np.zeros((len(candidates), len(sampled.counts), 5))
    for first in (0, 1):
        thinned = _thinned(sampled, first)
        hidden = thinned.hidden & ~sampled.hidden
        base = HARMONIC.fill(thinned)
        for at, each in enumerate(candidates):
            values = base if at == usual else each.fill(thinned)
            for place, shown in enumerate((values, _halfway(base, values))):
                tallies[place, at] += tally(shown, sampled.counts, hidden, sampled.starts).sum(axis=1)
            compared[at] += compare(values, base, sampled.counts, hidden)
    counts = tallies[0, usual, :, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        ra, wa = np.maximum(1 - tallies[..., 2] / tallies[..., 0], 0), np.maximum(1 - tallies[..., 3] / tallies[..., 4], 0)
    scores = np.nan_to_num(ra) + np.nan_to_num(wa)
    better, nearer = errors_of(compared)
    margin = _MARGIN + _PER_COUNT / np.sqrt(np.maximum(counts, 1))
    alike = likeness(sampled.counts, sampled.starts)
    possible = (scores[0] > scores[0, usual] + margin) & (better >= _WORSE) & (nearer >= 0) & (counts >= LEAST_SCORED)
    possible &= (alike > _IN_TURN) & ((alike < _ALIKE) | np.array([[each in (GATE, KALMAN)] for each in candidates]))
    possible[usual] = True
    best = np.where(possible, scores[0], -1).argmax(axis=0)
    own = best, np.arange(len(best))
    sure = (best == usual) | (((better[own] >= _BETTER) | (nearer[own] >= _NEARER)) & (scores[0][own] >= scores[1][own]))
    taken = np.where(sure, 0, 1), *own
    scored = counts >= LEAST_SCORED
    return Choice(best, sure, np.where(scored, ra[taken], np.nan), np.where(scored, wa[taken], np.nan), counts)


def _halfway(usual: Floats, other: Floats) -> Floats:
    """The harmonic mean of both; half of the other where the usual one is 0."""
    with np.errstate(invalid="ignore"):
        return np.where(usual > 0, 2 * usual * (other / np.where(usual > 0, usual + other, 1)), other / 2)


def errors_of(compared: Floats) -> tuple[Floats, Floats]:
    """From `compare`, in standard errors: how much better an estimate is per count, and to how many more than half of them it is nearer.

    compared: shape (..., 5). 0 where nothing is compared or all gains are equal.
    """
    counts, gain, squares, nearer, farther = np.moveaxis(compared, -1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = np.sqrt(np.maximum(squares - gain**2 / counts, 0) * counts / (counts - 1))
        return np.nan_to_num(gain / spread, posinf=0, neginf=0), np.nan_to_num((nearer - farther) / np.sqrt(nearer + farther))


@njit(cache=True)
def likeness(counts: Floats, starts: Places) -> Floats:
    """The correlation of log(1 + count) with the next count of the run, shape (events,), in standard errors; 0 where all are equal."""
    out = np.zeros(counts.shape[0])
    for event in range(counts.shape[0]):
        logs = np.log1p(counts[event])
        mean = np.nanmean(logs)
        shared = squares = 0.0
        pairs = 0
        for run in range(len(starts) - 1):
            last = np.nan
            for slot in range(starts[run], starts[run + 1]):
                if np.isnan(logs[slot]):
                    continue
                now = logs[slot] - mean
                squares += now * now
                if not np.isnan(last):
                    shared += last * now
                    pairs += 1
                last = now
        if squares > 1e-12:
            out[event] = shared / squares * np.sqrt(pairs)
    return out


def _thinned(sampled: Sampled, first: int) -> Sampled:
    """`sampled` without every second count of each event in each run, from its count number `first` on."""
    counted = ~sampled.hidden
    number = np.cumsum(counted, axis=1)
    before = np.concatenate([np.zeros((len(number), 1), number.dtype), number], axis=1)[:, sampled.starts[:-1]]
    number = number - np.repeat(before, np.diff(sampled.starts), axis=1) - 1
    return Sampled(counts=np.where(counted & (number % 2 == first), np.nan, sampled.counts), starts=sampled.starts)
