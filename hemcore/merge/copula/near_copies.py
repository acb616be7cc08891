"""HEMs that repeat or nearly repeat another: the merge keeps their measured correlation, which its model would weaken."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from hemcore.merge.copula.moments import pairs_read
from hemcore.merge.copula.normal_scores import Matrix, Scored
from hemcore.merge.inputs import CompleteSubexperiments
from hemcore.merge.ranks import normal_order

# The correlation of normal scores from which two HEMs are near copies, and the fewest runs that read both.
_ALIKE = 0.98
_FEWEST_RUNS = 10
# From so many runs on, the model's own relation stays: rebuilt rows of the T2080 (350 runs) were easier to tell from real ones.
_ENOUGH_RUNS = 300


def with_copies(table: CompleteSubexperiments) -> CompleteSubexperiments:
    """`table` with two names of one event in every subexperiment that reads either of them.

    Two HEMs are one event if they are equal in all runs that read both, or equal up to one positive factor (bytes and lines of 64 bytes),
    with at least 10 different values. So both get all readings.
    """
    readers = table.readers()
    alike = _proportional_somewhere(table)
    copies: dict[str, dict[str, float]] = {}
    for hem in alike:
        factors = {other: _factor(table, hem, other, readers) for other in readers if other in alike[hem]}
        copies[hem] = {other: factor for other, factor in factors.items() if factor is not None}
    if not any(copies.values()):
        return table
    types = {hem: table.frames[readers[hem][0]][hem].to_numpy().dtype for hem in copies}
    frames = []
    for frame in table.frames:
        more = {}
        for hem, known in copies.items():
            other = next((other for other in known if other in frame), None)
            if hem not in frame and other is not None:
                values = known[other] * frame[other].to_numpy()
                more[hem] = np.rint(values).astype(types[hem]) if types[hem].kind in "iu" else values
        frames.append(frame.assign(**more))
    return replace(table, frames=tuple(frames))


def _proportional_somewhere(table: CompleteSubexperiments) -> dict[str, set[str]]:
    """The HEMs proportional to a HEM in all runs of some subexperiment. It saves comparing each with each where there are hundreds."""
    found: dict[str, set[str]] = {}
    for frame in table.frames:
        same: dict[bytes, list[str]] = {}
        for hem in map(str, frame.columns):
            values = frame[hem].to_numpy(dtype=float)
            largest = float(np.abs(values).max())
            same.setdefault((np.round(values / (largest or 1.0), 9) + 0.0).tobytes(), []).append(hem)  # + 0.0: -0.0 equals 0.0
        for hems in same.values():
            for hem in hems:
                found.setdefault(hem, set()).update(other for other in hems if other != hem)
    return {hem: others for hem, others in found.items() if others}


def _factor(table: CompleteSubexperiments, hem: str, other: str, readers: Mapping[str, list[int]]) -> float | None:
    """What `other` times gives `hem` in all runs that read both; None if nothing does or the values are too few."""
    both = [table.frames[number] for number in readers[hem] if number in readers[other]]
    own, theirs = (np.concatenate([frame[each].to_numpy(dtype=float) for frame in both]) for each in (hem, other))
    if len(np.unique(own)) < _FEWEST_RUNS:
        return None
    if (own == theirs).all():
        return 1.0
    largest = int(np.abs(theirs).argmax())
    factor = float(own[largest] / theirs[largest])
    return factor if factor > 0 and bool(np.isclose(own, factor * theirs, rtol=1e-9, atol=0).all()) else None


def keep_near_copies(data: Scored, ranks: NDArray[np.int32]) -> None:
    """Reorder columns of `ranks` (merged rows x HEMs, changed in place) so that near copies are as correlated as measured.

    Of two HEMs whose normal scores correlate at .98 or more (or at -.98 or less) in 10 to 299 runs that read both, the one read less often
    is rebuilt as rho times the score of the other plus what of its own merged score the other does not explain; its relation to further
    HEMs stays. Pairs that the merge already relates as closely, or that 300 or more runs read, are left alone. Strongest pairs first;
    nothing is rebuilt twice.
    """
    read = np.bincount(np.concatenate([np.repeat(places, len(part)) for places, part in zip(data.places, data.shares, strict=True)]))
    n = len(ranks)
    rebuilt: set[int] = set()
    followed: set[int] = set()
    for first, second, rho in sorted(_alike(data), key=lambda pair: -abs(pair[2])):
        leader, follower = (first, second) if read[first] >= read[second] else (second, first)
        if follower in rebuilt or follower in followed:
            leader, follower = follower, leader
        if follower in rebuilt or follower in followed:
            continue
        one, other = (ndtri((ranks[:, at] + 0.5) / n) for at in (leader, follower))
        slope = float(one @ other) / float(one @ one)
        own = other - slope * one
        if abs(slope) >= abs(rho):
            continue
        spread = float(own.std())
        score = rho * one + (np.sqrt(1 - rho * rho) / spread * own if spread > 0 else 0.0)
        ranks[normal_order(score), follower] = np.arange(n, dtype=np.int32)
        rebuilt.add(follower)
        followed.add(leader)


def _alike(data: Scored) -> list[tuple[int, int, float]]:
    """(HEM, HEM, correlation of their normal scores in the runs that read both) of each pair of near copies."""
    found = []
    scores = data.normal
    for (first, second), where in pairs_read(data).items():
        one, other = (np.concatenate([scores[at][:, (a, b)[side]] for at, a, b in where]) for side in (0, 1))
        if _FEWEST_RUNS <= len(one) < _ENOUGH_RUNS and abs(rho := _correlation(one, other)) >= _ALIKE:
            found.append((first, second, min(max(rho, -1.0), 1.0)))
    return found


def _correlation(one: Matrix, other: Matrix) -> float:
    one, other = one - one.mean(), other - other.mean()
    size = float(np.sqrt((one @ one) * (other @ other)))
    return float(one @ other) / size if size > 0 else 0.0
