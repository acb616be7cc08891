"""How far out a studentised change is among draws: one probability, and at which distances from the estimate an interval ends."""

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, stdtr

Floats = NDArray[np.float64]
# Distances from the estimate, in standard errors, at which a supposed change is judged.
STEPS = np.array([0.3, 0.6, 0.9, 1.2, 1.5, 1.8, 2.1, 2.5, 3.0, 3.8, 5.0, 8.0])
# Draws beyond a statistic below which its probability is read off Student's t, joined to the draws where so many are beyond.
_TAIL = 10
# The least probability is one in so many exchanges of runs: nothing is surer.
MOST_WAYS = 1e15


def tail_probability(statistic: float, draws: Floats, *, freedom: float, ways: float = MOST_WAYS) -> float:
    """Two-sided probability of draws as far out as `statistic`: twice the smaller tail, at most 1.

    draws: shape (draws,), of which the statistic itself counts as one. Where fewer than ten are beyond and there are many more `ways` of
    exchanging runs than draws, Student's t with `freedom` degrees continues the tail. Source: T. A. Knijnenburg et al. 2009, Fewer
    permutations, more accurate P-values, doi 10.1093/bioinformatics/btp211 (with another tail).
    """
    slack = 1e-9 * max(abs(statistic), 1.0)
    above, below = int((draws >= statistic - slack).sum()), int((draws <= statistic + slack).sum())
    beyond = min(above, below)
    plain = min(2 * (beyond + 1) / (len(draws) + 1), 1.0)
    if beyond >= _TAIL or ways < 20 * len(draws):
        return plain
    ordered = np.sort(draws if above <= below else -draws)
    anchor, far = float(ordered[-_TAIL]), abs(statistic)
    if anchor <= 0 or far <= anchor:
        return plain
    tail = _TAIL / len(draws) * float(stdtr(freedom, -far)) / float(stdtr(freedom, -anchor))
    return float(min(2 * max(tail, 1 / ways), 1.0))


def students_tails(freedom: float) -> Floats:
    """One-sided probabilities beyond STEPS on either side, shape (2, steps), of Student's t; infinite freedom is normal."""
    one = stdtr(freedom if np.isfinite(freedom) else 1e9, -STEPS)
    return np.array([one, one])


def ends(tails: Floats, level: float) -> tuple[Floats, Floats]:
    """How many standard errors below and above the estimate an interval at `level` ends; each of shape (hems,).

    tails: shape (2, steps, hems): the one-sided probability of the statistic if the true change were STEPS errors lower, and higher. NaN
    stays NaN. Between steps, probabilities are interpolated as normal quantiles.
    """
    wanted = float(ndtri((1 - level) / 2))
    found = np.full((2, tails.shape[2]), np.nan)
    for side in (0, 1):
        for place in np.flatnonzero(np.isfinite(tails[side]).all(axis=0)):
            quantiles = ndtri(np.minimum.accumulate(np.clip(tails[side, :, place], 1e-300, 0.5 - 1e-12)))
            falling = np.concatenate([[0.0], quantiles])[::-1]
            found[side, place] = np.interp(wanted, falling, np.concatenate([[0.0], STEPS])[::-1])
    return found[0], found[1]
