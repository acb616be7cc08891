"""HEMs so close to another that no model keeps them so: each merged run gets their reading from a run that read both."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from hemcore.likeness import mid_shares
from hemcore.merge.copula.normal_scores import Matrix, Scored

# The correlation from which a HEM may follow another, and the fewest runs that read both.
_CLOSE, _FEWEST_RUNS = 0.998, 30
# Of a lower one by ranks among all readings, that among those read together is not computed.
_PERHAPS = 0.97
# What is left of a follower goes with no other HEM: no correlation of more than so many standard errors, over hundreds of them.
_OF_ITS_OWN = 4.0
# Runs to either side of a reading: those that give a line, and the nearer ones, one of which gives its distance from the line.
_AROUND, _NEAR = 15, 7


@dataclass(frozen=True, kw_only=True, eq=False)
class NearFollower:
    """A HEM that follows `leader`, by standardised values as in Scored.

    leads, follows: values of both in the runs that read both, shape (runs,), ascending in `leads`. lead_levels, follow_levels: all values
    of each, ascending.
    """

    leader: str
    leads: Matrix
    follows: Matrix
    lead_levels: Matrix
    follow_levels: Matrix

    def reversed(self) -> "NearFollower":
        """The leader as it follows the follower. Its `leader` is empty."""
        order = np.argsort(self.follows, kind="stable")
        return NearFollower(
            leader="",
            leads=self.follows[order],
            follows=self.leads[order],
            lead_levels=self.follow_levels,
            follow_levels=self.lead_levels,
        )

    def of(self, shares: Matrix, random: np.random.Generator) -> Matrix:
        """The follower's shares, shape (n,), above 0 and below 1, where the leader's are `shares` (n,): the nearest reading to

        a line through the 30 runs with the nearest readings of the leader, plus the distance from it of a random one of the 15 nearest.
        """
        n, values = len(self.leads), self.lead_levels[(shares * len(self.lead_levels)).astype(int)]
        at = np.searchsorted(self.leads, values)
        # Of runs with the same reading, a random one.
        at = random.integers(at, np.maximum(at + 1, np.searchsorted(self.leads, values, side="right")))
        first = np.clip(at - _AROUND, 0, max(0, n - 2 * _AROUND))
        window = first[:, None] + np.arange(min(n, 2 * _AROUND))
        leads, follows = self.leads[window], self.follows[window]
        leads = leads - leads.mean(axis=1, keepdims=True)
        slope = (leads * follows).sum(axis=1) / np.maximum((leads**2).sum(axis=1), np.finfo(float).tiny)
        donor = np.clip(at + random.integers(-_NEAR, _NEAR + 1, len(shares)), 0, n - 1)
        found = self.follows[donor] + slope * (values - self.leads[donor])
        levels = self.follow_levels
        above = np.clip(np.searchsorted(levels, found), 1, len(levels) - 1)
        nearest = levels[above - (found - levels[above - 1] < levels[above] - found)]
        # Equal readings, such as many zeros, share the mean of their ranks, as everywhere else.
        return (np.searchsorted(levels, nearest) + np.searchsorted(levels, nearest, side="right")) / (2 * len(levels))


def without_near_followers(data: Scored, random: np.random.Generator) -> tuple[Scored, dict[str, NearFollower]]:
    """`data` without the HEMs that follow another closely, and these by name, each after its leader (possibly none).

    A HEM follows the closest of those that lead or follow already if the two correlate at .998 or more (or at -.998 or less), by values or
    normal scores, in 30 or more runs that read both, and what is left of either is unrelated to the other HEMs read in these runs. The HEM
    read most often leads. Where a follower was read without its leader, the leader gets a reading by `NearFollower.of`.
    """
    close = _close(data)
    if not close:
        return data, {}
    read = np.bincount(np.concatenate([np.repeat(places, len(part)) for places, part in zip(data.places, data.shares, strict=True)]))
    leaders: dict[int, int] = {}
    for place in sorted({each for pair in close for each in pair}, key=lambda each: (-read[each], each)):
        if place not in leaders:
            _follow(place, close, leaders)
    followers = {place: leader for place, leader in leaders.items() if place != leader}
    known = {place: _together(data, leader, place) for place, leader in followers.items()}
    parts = [
        {at: (shares[:, column], values[:, column]) for column, at in enumerate(places.tolist())}
        for places, shares, values in zip(data.places, data.shares, data.values, strict=True)
    ]
    further: dict[int, list[Matrix]] = {}
    # From the last to the first, since a leader may itself follow.
    for place, leader in reversed(followers.items()):
        back = known[place].reversed()
        for part in parts:
            if place in part and leader not in part:
                shares = back.of(part[place][0], random)
                part[leader] = shares, back.follow_levels[(shares * len(back.follow_levels)).astype(int)]
                further.setdefault(leader, []).append(shares)
            part.pop(place, None)
    pooled = dict(data.pooled)
    for leader, more in further.items():
        if leader not in followers:
            hem, shares = data.hems[leader], np.concatenate(more)
            pooled[hem] = np.sort(np.concatenate([pooled[hem], pooled[hem][(shares * len(pooled[hem])).astype(int)]]))
            for place in (each for each in followers if followers[each] == leader):
                levels = known[place].lead_levels
                again = np.concatenate([levels, levels[(shares * len(levels)).astype(int)]])
                known[place] = replace(known[place], lead_levels=np.sort(again))
    kept = [place for place in range(len(data.hems)) if place not in followers]
    new = {place: number for number, place in enumerate(kept)}
    left = replace(
        data,
        hems=[data.hems[place] for place in kept],
        places=[np.array([new[place] for place in part]) for part in parts],
        shares=[np.column_stack([shares for shares, _ in part.values()]) for part in parts],
        values=[np.column_stack([values for _, values in part.values()]) for part in parts],
        pooled=pooled,
    )
    return left, {data.hems[place]: known[place] for place in followers}


def _follow(leader: int, close: dict[tuple[int, int], float], leaders: dict[int, int]) -> None:
    """Add `leader`, then one after the other the HEM closest to any added for it, with the HEM that it follows."""
    leaders[leader] = leader
    family = {leader}
    while True:
        nearest = max(
            ((rho, one, other) for (one, other), rho in close.items() if one in family and other not in leaders),
            default=None,
            key=lambda each: (each[0], -each[1], -each[2]),
        )
        if nearest is None:
            return
        leaders[nearest[2]] = nearest[1]
        family.add(nearest[2])


def _close(data: Scored) -> dict[tuple[int, int], float]:
    """|correlation| of the pairs that are close enough, in both directions."""
    found: dict[tuple[int, int], float] = {}
    scores = data.normal
    by_pair: dict[tuple[int, int], list[int]] = {}
    for number, places in enumerate(data.places):
        for one, other in combinations(sorted(places.tolist()), 2):
            by_pair.setdefault((one, other), []).append(number)
    for (one, other), numbers in by_pair.items():
        first, second = (_column(data, scores, place, numbers) for place in (one, other))
        if len(first) < _FEWEST_RUNS or abs(_correlation(first, second)) < _PERHAPS:
            continue
        # By ranks in these runs alone: further readings of one of the two move its ranks further than the two are apart. By values for a
        # straight relation, where neighbours among few runs exchange their ranks.
        values = (_column(data, data.values, place, numbers) for place in (one, other))
        rho = max(_correlation(_normal(first), _normal(second)), _correlation(*values), key=abs)
        if abs(rho) >= _CLOSE and _of_its_own(data, scores, (one, other), numbers):
            found[one, other] = found[other, one] = abs(rho)
    return found


def _of_its_own(data: Scored, scores: Sequence[Matrix], pair: tuple[int, int], numbers: list[int]) -> bool:
    """Whether what neither HEM of the pair explains of the other is unrelated to the other HEMs of these subexperiments.

    Explained is the mean of the runs around, so that levels, within which the two may have nothing in common, are seen as such.
    """
    for number in numbers:
        part, places = scores[number], data.places[number]
        columns = [np.flatnonzero(places == place)[0] for place in pair]
        # Of three close ones, what the first does not explain of the other two is the same.
        others = np.column_stack([each for each in part.T if abs(_correlation(each, part[:, columns[0]])) < _PERHAPS] or [part[:, :0]])
        for one, other in (columns, columns[::-1]):
            order = np.argsort(part[:, one], kind="stable")
            left, beside = _from_around(part[order, other][:, None])[:, 0], _from_around(others[order])
            if any(abs(_correlation(left, each)) * np.sqrt(len(left)) > _OF_ITS_OWN for each in beside.T):
                return False
    return True


def _from_around(ordered: Matrix) -> Matrix:
    """`ordered`, shape (n, m), minus the mean of each row and its neighbours, 7 to either side; shape (n - 14, m)."""
    wide = 2 * _NEAR + 1
    sums = np.cumsum(np.concatenate([np.zeros((1, ordered.shape[1])), ordered]), axis=0)
    return ordered[_NEAR : len(ordered) - _NEAR] - (sums[wide:] - sums[:-wide]) / wide


def _together(data: Scored, leader: int, place: int) -> NearFollower:
    numbers = [number for number, places in enumerate(data.places) if leader in places and place in places]
    leads, follows = (_column(data, data.values, each, numbers) for each in (leader, place))
    order = np.argsort(leads, kind="stable")
    return NearFollower(
        leader=data.hems[leader],
        leads=leads[order],
        follows=follows[order],
        lead_levels=_sorted_values(data, leader),
        follow_levels=_sorted_values(data, place),
    )


def _column(data: Scored, parts: Sequence[Matrix], place: int, numbers: list[int]) -> Matrix:
    return np.concatenate([parts[number][:, np.flatnonzero(data.places[number] == place)[0]] for number in numbers])


def _sorted_values(data: Scored, place: int) -> NDArray[np.float64]:
    """All standardised readings of the HEM, ascending."""
    return np.sort(np.concatenate([part[:, read == place].ravel() for part, read in zip(data.values, data.places, strict=True)]))


def _normal(values: Matrix) -> Matrix:
    """The normal scores of the ranks of `values`, shape (n,)."""
    order, scores = np.argsort(values, kind="stable"), np.empty(len(values))
    scores[order] = ndtri(mid_shares(values[order]))
    return scores


def _correlation(one: Matrix, other: Matrix) -> float:
    one, other = one - one.mean(), other - other.mean()
    size = float(np.sqrt((one @ one) * (other @ other)))
    return float(one @ other) / size if size > 0 else 0.0
