"""HEMs that order the runs identically wherever both are read, such as two names of one event: the merge preserves this exactly."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hemcore.merge.copula.normal_scores import Matrix, Scored

# Distinct values; fewer may have the same order by chance.
_FEWEST_READINGS = 10
_LOOKED_AT_FIRST = 8


@dataclass(frozen=True, kw_only=True)
class SameOrder:
    """A HEM that follows another: it orders every run as `leader` does, or in reverse if `reversed`."""

    leader: str
    reversed: bool


def with_leaders_alone(data: Scored) -> tuple[Scored, dict[str, SameOrder]]:
    """`data` without the HEMs that follow another, and these by name (possibly none).

    A HEM follows another if both order all runs that read both identically, ties included, or in reverse, with at least 10 distinct values.
    Where the follower was read and its leader was not, the leader gets the follower's shares.
    """
    readers: dict[int, list[int]] = {}
    for number, places in enumerate(data.places):
        for place in places.tolist():
            readers.setdefault(place, []).append(number)
    followers: dict[int, tuple[int, bool]] = {}
    # The HEM read most often leads; a leader follows no other.
    leaders: set[int] = set()
    for place in sorted(readers, key=lambda each: (-len(readers[each]), each)):
        found = _leader(data, place, readers, leaders)
        if found is None:
            leaders.add(place)
        else:
            followers[place] = found
    named = {data.hems[place]: SameOrder(leader=data.hems[leader], reversed=turned) for place, (leader, turned) in followers.items()}
    return (_of(data, leaders, followers), named) if followers else (data, named)


def on_the_curve(
    leads: NDArray[np.number], leader: NDArray[np.number], follower: NDArray[np.number], beyond: NDArray[np.number]
) -> NDArray[np.number]:
    """What a follower reads where its leader reads `leads`, shape (n,): on the line between the two nearest of the runs that read both.

    leader, follower: readings of these runs, in one order or its reverse. beyond: shape (n,), taken where `leads` is outside theirs, but
    not if it is inside the follower's. Two HEMs that are one event by a curve (a root, what is left of a budget) stay on it; the quantiles
    of each, which are from different runs, would only be near it. Whole numbers if all readings are.
    """
    known, first = np.unique(leader, return_index=True)
    read = follower[first]
    rising = read[-1] >= read[0]
    low, high = (np.minimum, np.maximum) if rising else (np.maximum, np.minimum)
    found = np.interp(leads.astype(float), known.astype(float), read.astype(float))
    found = np.where(leads < known[0], low(beyond, read[0]), np.where(leads > known[-1], high(beyond, read[-1]), found))
    return np.rint(found).astype(follower.dtype) if follower.dtype.kind in "iu" else found


def _leader(data: Scored, place: int, readers: dict[int, list[int]], leaders: set[int]) -> tuple[int, bool] | None:
    numbers = readers[place]
    for other in _likely(data, place, numbers):
        both = [number for number in numbers if number in readers[other]]
        if other not in leaders:
            continue
        own, theirs = (_levels(data, each, both) for each in (place, other))
        if own.max() + 1 >= _FEWEST_READINGS and own.max() == theirs.max():
            for turned in (False, True):
                if (own == (theirs.max() - theirs if turned else theirs)).all():
                    return other, turned
    return None


def _likely(data: Scored, place: int, numbers: list[int]) -> list[int]:
    """The HEMs that order a few runs of each of these subexperiments as `place` does, or in reverse, in the order of first reading."""
    likely: dict[int, bool] = {}
    for number in numbers:
        order = np.argsort(_shares(data, place, number), kind="stable")
        few = np.diff(data.shares[number][order[np.linspace(0, len(order) - 1, _LOOKED_AT_FIRST).astype(int)]], axis=0)
        same = (few >= 0).all(axis=0) | (few <= 0).all(axis=0)
        for other, alike in zip(data.places[number].tolist(), same.tolist(), strict=True):
            likely[other] = alike and likely.get(other, True)
    return [other for other, alike in likely.items() if alike and other != place]


def _levels(data: Scored, place: int, numbers: list[int]) -> NDArray[np.int64]:
    """For each run of these subexperiments, the number of distinct lower readings of the HEM."""
    shares = np.concatenate([_shares(data, place, number) for number in numbers])
    return np.unique(shares, return_inverse=True)[1].astype(np.int64)


def _shares(data: Scored, place: int, number: int) -> Matrix:
    """The shares of the HEM in subexperiment `number`, shape (runs,)."""
    return data.shares[number][:, np.flatnonzero(data.places[number] == place)[0]]


def _of(data: Scored, leaders: set[int], followers: dict[int, tuple[int, bool]]) -> Scored:
    kept = sorted(leaders)
    new = {place: number for number, place in enumerate(kept)}
    sorted_values = {leader: _sorted_values(data, leader) for leader, _ in followers.values()}
    places, shares, values = [], [], []
    for number, read in enumerate(data.places):
        columns = {
            place: (data.shares[number][:, at], data.values[number][:, at]) for at, place in enumerate(read.tolist()) if place in leaders
        }
        for at, place in enumerate(read.tolist()):
            leader, turned = followers.get(place, (place, False))
            if leader not in columns:
                share = data.shares[number][:, at]
                share = 1 - share if turned else share
                columns[leader] = share, sorted_values[leader][(share * len(sorted_values[leader])).astype(int)]
        places.append(np.array([new[place] for place in columns]))
        shares.append(np.column_stack([share for share, _ in columns.values()]))
        values.append(np.column_stack([value for _, value in columns.values()]))
    return replace(data, hems=[data.hems[place] for place in kept], places=places, shares=shares, values=values)


def _sorted_values(data: Scored, place: int) -> Matrix:
    """All standardized readings of the HEM, ascending."""
    return np.sort(np.concatenate([part[:, read == place].ravel() for part, read in zip(data.values, data.places, strict=True)]))
