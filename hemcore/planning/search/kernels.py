"""The compiled part of the search: groups of points, which pairs they cover, and swaps that cover more of them.

A point is the number of a HEM, a group a row of `groups` with -1 for an empty place. Random numbers are xorshift64 (Marsaglia 2003,
doi:10.18637/jss.v008.i14), with their state in an array: the same seed always gives the same search.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

# A pair that is not wanted counts as covered this often, so that no swap uncovers it.
UNWANTED = 1 << 24
_LOW = np.uint64(0xFFFFFFFF)
_STEPS = 64


class State(NamedTuple):
    """Groups, and the data that every swap updates.

    groups: (room, places) points or -1. cover: (n, n) number of groups with a pair, plus UNWANTED if it is not wanted. held: (n, most) the
    groups of a point, the first n_held[point] entries; place: (room, places) index in `held`. open: the wanted pairs in no group as
    first * n + second, the first size[1] entries; at: (n, n) index of a pair in `open`. A point that is to be in some group, whatever
    else is in it, is a pair with itself. rules: (n,) bit mask of a point's rules;
    most: (rules,) maximum points of a rule per group; n_rule: (room, rules) current number; full: (room,) bit mask of the rules at their
    maximum. size: number of groups, number of open pairs. random: the generator.
    """

    groups: NDArray[np.int32]
    cover: NDArray[np.int32]
    held: NDArray[np.int32]
    n_held: NDArray[np.int64]
    place: NDArray[np.int32]
    open: NDArray[np.int64]
    at: NDArray[np.int32]
    rules: NDArray[np.uint64]
    most: NDArray[np.int64]
    n_rule: NDArray[np.int32]
    full: NDArray[np.uint64]
    size: NDArray[np.int64]
    random: NDArray[np.uint64]


def random_of(seed: int, stream: int = 0) -> NDArray[np.uint64]:
    """The generator's state for a seed of at least 0."""
    return np.array([np.random.SeedSequence([seed, stream]).generate_state(1, np.uint64)[0] | np.uint64(1)], dtype=np.uint64)


@njit(inline="always", error_model="numpy")
def _next(random):  # type: ignore[no-untyped-def]
    x = random[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    random[0] = x
    return (x >> np.uint64(20)) & _LOW


@njit(inline="always", error_model="numpy")
def _below(random, n):  # type: ignore[no-untyped-def]
    return np.int64((_next(random) * np.uint64(n)) >> np.uint64(32))


@njit(inline="always", error_model="numpy")
def _count(state, group, point, by):  # type: ignore[no-untyped-def]
    """Add `by` to the number of points of each rule of `point` in `group`."""
    for rule in range(len(state.most)):
        bit = np.uint64(1) << np.uint64(rule)
        if state.rules[point] & bit:
            state.n_rule[group, rule] += by
            if state.n_rule[group, rule] >= state.most[rule]:
                state.full[group] |= bit
            else:
                state.full[group] &= ~bit


@njit(cache=True, nogil=True, error_model="numpy")
def recount(state: State, wanted: NDArray[np.bool_]) -> None:
    """Fill everything in `state` from its first size[0] groups."""
    n, places = len(state.n_held), state.groups.shape[1]
    state.n_held[:] = 0
    state.n_rule[:] = 0
    state.full[:] = 0
    for i in range(n):
        for j in range(n):
            state.cover[i, j] = 0 if wanted[i, j] else UNWANTED
    for rule in range(len(state.most)):
        if state.most[rule] <= 0:
            for group in range(len(state.full)):
                state.full[group] |= np.uint64(1) << np.uint64(rule)
    for group in range(state.size[0]):
        for s in range(places):
            x = state.groups[group, s]
            if x < 0:
                continue
            state.place[group, s] = state.n_held[x]
            state.held[x, state.n_held[x]] = group
            state.n_held[x] += 1
            state.cover[x, x] += 1
            _count(state, group, x, 1)
            for t in range(s):
                y = state.groups[group, t]
                if y >= 0:
                    state.cover[x, y] += 1
                    state.cover[y, x] += 1
    state.size[1] = 0
    for i in range(n):
        for j in range(i, n):
            if state.cover[i, j] == 0:
                state.open[state.size[1]] = i * n + j
                state.at[i, j] = state.size[1]
                state.size[1] += 1


@njit(cache=True, nogil=True, error_model="numpy")
def anneal(state: State, temperature: float, moves: int) -> int:
    """Swap points of groups until every wanted pair is covered, at most `moves` times; returns the number of swaps examined.

    Draws an open pair and a group with one of its points; another point of the group is replaced by the second. A loss of covered pairs
    is accepted by Metropolis' rule: a low `temperature` (pairs) accepts little except improvements. Swaps that violate a rule are not
    made.
    """
    groups, cover, held, n_held = state.groups, state.cover, state.held, state.n_held
    n, places = len(n_held), groups.shape[1]
    ruled = len(state.most) > 0
    chance = np.exp(-np.arange(_STEPS) / temperature) * 4294967296.0
    n_open = state.size[1]
    for move in range(moves):
        if n_open == 0:
            state.size[1] = 0
            return move
        pair = state.open[_below(state.random, n_open)]
        x = pair // n
        y = pair - x * n
        if _next(state.random) & np.uint64(1):
            x, y = y, x
        if n_held[x] == 0:
            x, y = y, x
        if n_held[x] == 0:
            # Neither is in a group: one of them gets a random place.
            group = _below(state.random, state.size[0])
            s = _below(state.random, places)
        else:
            group = held[x, _below(state.random, n_held[x])]
            s = _below(state.random, places - 1)
            if groups[group, s] == x:
                s = places - 1
        z = groups[group, s]
        if n_held[y] >= held.shape[1]:
            continue
        if ruled:
            freed = state.rules[z] if z >= 0 else np.uint64(0)
            if state.rules[y] & ~freed & state.full[group]:
                continue
        # A z that is only to be read takes no other pair with it: one is lost for at least one that is won.
        worse = 0
        if cover[y, y] == 0:
            worse -= 1
        for t in range(places):
            v = groups[group, t]
            if v >= 0 and t != s:
                if cover[y, v] == 0:
                    worse -= 1
                if z >= 0 and cover[z, v] == 1:
                    worse += 1
        if worse > 0 and _next(state.random) >= chance[min(worse, _STEPS - 1)]:
            continue
        if z >= 0:
            n_held[z] -= 1
            gone, last = state.place[group, s], held[z, n_held[z]]
            if last != group:
                held[z, gone] = last
                for t in range(places):
                    if groups[last, t] == z:
                        state.place[last, t] = gone
                        break
        groups[group, s] = y
        state.place[group, s] = n_held[y]
        held[y, n_held[y]] = group
        n_held[y] += 1
        if ruled:
            if z >= 0:
                _count(state, group, z, -1)
            _count(state, group, y, 1)
        for t in range(places):
            v = groups[group, t] if t != s else y
            if v < 0:
                continue
            cover[y, v] += 1
            if v != y:
                cover[v, y] += 1
            if cover[y, v] == 1:
                n_open -= 1
                here, moved = state.at[min(y, v), max(y, v)], state.open[n_open]
                state.open[here] = moved
                state.at[moved // n, moved % n] = here
            if z >= 0:
                v = v if t != s else z
                cover[z, v] -= 1
                if v != z:
                    cover[v, z] -= 1
                if cover[z, v] == 0:
                    state.open[n_open] = min(z, v) * n + max(z, v)
                    state.at[min(z, v), max(z, v)] = n_open
                    n_open += 1
    state.size[1] = n_open
    return moves


@njit(cache=True, nogil=True, error_model="numpy")
def drop_one(state: State, spread: int, wanted: NDArray[np.bool_]) -> None:
    """Remove one of the groups that lose the fewest covered pairs: at most `spread` more than the best of them."""
    places = state.groups.shape[1]
    losses = np.zeros(state.size[0], dtype=np.int64)
    for group in range(state.size[0]):
        for s in range(places):
            x = state.groups[group, s]
            for t in range(s + 1):
                y = state.groups[group, t]
                if x >= 0 and y >= 0 and state.cover[x, y] == 1:
                    losses[group] += 1
    bound, seen, chosen = losses.min() + spread, 0, 0
    for group in range(state.size[0]):
        if losses[group] <= bound:
            seen += 1
            if _below(state.random, seen) == 0:
                chosen = group
    state.size[0] -= 1
    for s in range(places):
        state.groups[chosen, s] = state.groups[state.size[0], s]
    recount(state, wanted)
