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

    A HEM follows another that is read wherever it is, if both order the runs identically, ties included, or in reverse, and have at least
    10 distinct values.
    """
    readers: dict[int, list[int]] = {}
    for number, places in enumerate(data.places):
        for place in places.tolist():
            readers.setdefault(place, []).append(number)
    followers: dict[str, SameOrder] = {}
    # The HEM read most often leads; a leader follows no other.
    leaders: set[int] = set()
    for place in sorted(readers, key=lambda each: (-len(readers[each]), each)):
        found = _leader(data, place, readers, leaders)
        if found is None:
            leaders.add(place)
        else:
            followers[data.hems[place]] = found
    return (_of(data, leaders), followers) if followers else (data, followers)


def _leader(data: Scored, place: int, readers: dict[int, list[int]], leaders: set[int]) -> SameOrder | None:
    numbers = readers[place]
    order = np.argsort(_shares(data, place, numbers[0]), kind="stable")
    few = np.diff(data.shares[numbers[0]][order[np.linspace(0, len(order) - 1, _LOOKED_AT_FIRST).astype(int)]], axis=0)
    likely = (few >= 0).all(axis=0) | (few <= 0).all(axis=0)
    for other in data.places[numbers[0]][likely].tolist():
        if other not in leaders or not set(numbers) <= set(readers[other]):
            continue
        own, theirs = (_levels(data, each, numbers) for each in (place, other))
        if own.max() + 1 >= _FEWEST_READINGS and own.max() == theirs.max():
            for turned in (False, True):
                if (own == (theirs.max() - theirs if turned else theirs)).all():
                    return SameOrder(leader=data.hems[other], reversed=turned)
    return None


def _levels(data: Scored, place: int, numbers: list[int]) -> NDArray[np.int64]:
    """For each run of these subexperiments, the number of distinct lower readings of the HEM."""
    shares = np.concatenate([_shares(data, place, number) for number in numbers])
    return np.unique(shares, return_inverse=True)[1].astype(np.int64)


def _shares(data: Scored, place: int, number: int) -> Matrix:
    """The shares of the HEM in subexperiment `number`, shape (runs,)."""
    return data.shares[number][:, np.flatnonzero(data.places[number] == place)[0]]


def _of(data: Scored, leaders: set[int]) -> Scored:
    kept = sorted(leaders)
    new = {place: number for number, place in enumerate(kept)}
    stay = [np.array([place in leaders for place in places.tolist()]) for places in data.places]
    return replace(
        data,
        hems=[data.hems[place] for place in kept],
        places=[np.array([new[each] for each in places[own].tolist()]) for places, own in zip(data.places, stay, strict=True)],
        shares=[part[:, own] for part, own in zip(data.shares, stay, strict=True)],
        values=[part[:, own] for part, own in zip(data.values, stay, strict=True)],
    )
