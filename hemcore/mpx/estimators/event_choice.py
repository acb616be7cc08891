"""The estimator that suits each event: chosen by hiding every second count of each run and estimating it from the others."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hemcore.mpx.estimate_scores import LEAST_SCORED
from hemcore.mpx.estimators.estimator import Estimator
from hemcore.mpx.estimators.harmonic import HARMONIC
from hemcore.mpx.sampled import Floats, Sampled
from hemcore.mpx.score_sums import tally

# Harmonic stays unless another one's RA + WA is better by this, plus this over the root of the number of counts above 0 that were hidden:
# about one standard error of the difference.
_MARGIN, _PER_COUNT = 0.03, 0.6


BY_EVENT = "by event"


class Choice(NamedTuple):
    """What suits each event, arrays of shape (events,).

    best: positions among the candidates. ra, wa: the scores of the best where every second count is hidden, at least 0; NaN where fewer
    than 20 counts above 0 were. counts: how many were.
    """

    best: NDArray[np.intp]
    ra: Floats
    wa: Floats
    counts: Floats


def by_event(candidates: Sequence[Estimator], settled: Sampled | None = None) -> Estimator:
    """An Estimator that fills each event by one of `candidates`, harmonic among them (`choice_of`).

    settled: counts of the same events for which it chooses, once; None: it chooses for what it fills.
    """
    chosen = None if settled is None else choice_of(settled, candidates).best

    def fill(sampled: Sampled) -> Floats:
        best = choice_of(sampled, candidates).best if chosen is None else chosen
        filled = {at: candidates[at].fill(sampled) for at in np.unique(best)}
        return np.stack([filled[at][event] for event, at in enumerate(best)])

    return Estimator(
        name=BY_EVENT,
        title="per-event choice",
        description="Per event, what is best where every second count is hidden; harmonic unless another is clearly better.",
        source="this project",
        fill=fill,
    )


def choice_of(sampled: Sampled, candidates: Sequence[Estimator]) -> Choice:
    """Which of `candidates` suits each event.

    Every second count of an event in each run is hidden, then the others, and each candidate estimates them from the rest: the gaps are
    twice as long as they are. The best RA + WA (each at least 0, over all runs) is chosen; harmonic unless another is better by more than
    chance.
    """
    sums = np.sum([_sums(sampled, _thinned(sampled, first), candidates) for first in (0, 1)], axis=(0, 3))
    counts = sums[0, :, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        ra, wa = np.maximum(1 - sums[..., 2] / counts, 0), np.maximum(1 - sums[..., 3] / sums[..., 4], 0)
    scores = np.where(counts > 0, ra + np.nan_to_num(wa), 0.0)
    usual = next(at for at, each in enumerate(candidates) if each is HARMONIC)
    clearly = scores.max(axis=0) > scores[usual] + _MARGIN + _PER_COUNT / np.sqrt(np.maximum(counts, 1))
    best = np.where(clearly, scores.argmax(axis=0), usual)
    own = best, np.arange(len(best))
    scored = counts >= LEAST_SCORED
    return Choice(best, np.where(scored, ra[own], np.nan), np.where(scored, wa[own], np.nan), counts)


def _sums(sampled: Sampled, thinned: Sampled, candidates: Sequence[Estimator]) -> Floats:
    """`tally` of each candidate, shape (candidates, events, runs, 7)."""
    hidden = thinned.hidden & ~sampled.hidden
    return np.stack([tally(each.fill(thinned), sampled.counts, hidden, sampled.starts) for each in candidates])


def _thinned(sampled: Sampled, first: int) -> Sampled:
    """`sampled` without every second count of each event in each run, from its count number `first` on."""
    counted = ~sampled.hidden
    number = np.cumsum(counted, axis=1)
    before = np.concatenate([np.zeros((len(number), 1), number.dtype), number], axis=1)[:, sampled.starts[:-1]]
    number = number - np.repeat(before, np.diff(sampled.starts), axis=1) - 1
    return Sampled(counts=np.where(counted & (number % 2 == first), np.nan, sampled.counts), starts=sampled.starts)
