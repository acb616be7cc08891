"""Plans to start from: transversal designs whose rows are filled recursively, small plans repeated, and greedy ones.

With n = k q' + w points, k rows of at most q points and w points beside them: q * q groups put points of different rows together, and a
plan of each row with the w points the rest. Rows are of any size up to q; what is left out of a group is an empty place.
"""

import functools
import time
from typing import NamedTuple

import numpy as np

from hemcore.planning.search import algebra, kernels
from hemcore.planning.search.group_search import Clock, Groups, Task, fewer, greedy
from hemcore.planning.search.lower_bounds import few_groups, schonheim

# Up to so many points for each place of a group, annealing from a greedy plan finds what is known.
_SMALL = 6
_SMALL_WORK = 12_000_000
_MOST_DESIGNS = 4
_FOREVER = float("inf")


class _Rows(NamedTuple):
    groups: int
    q: int
    beside: int
    sizes: tuple[int, ...]


def starts(n: int, places: int, clock: Clock, most: int = 2) -> list[Groups]:
    """At most `most` plans of every pair of n points, by the groups they promise; empty where no design fits. The same every time."""
    if n <= places or places < 3:
        return []
    found = [_filled(n, places, rows, clock) for rows in _designs(n, places)[:most]]
    times = next((m for m in range(places // 2, 1, -1) if places % m == 0 and few_groups(-(-n // m), places // m) < 14), 0)
    if times:
        found.append(_repeated(n, places, times, clock))
    return found


def _covering(n: int, places: int, clock: Clock) -> Groups:
    """Every pair of n points, by whatever is best at hand."""
    if n <= places:
        return np.array([[*range(n), *[-1] * (places - n)]], np.int32)[: int(n > 1)]
    known = _KNOWN.get((n, places))
    if known is not None:
        return known
    task, bound = Task.plain(n, places), max(schonheim(n, places), few_groups(n, places))
    if n <= _SMALL * places + 1:
        tried = [greedy(task, kernels.random_of(0))]
        work = _SMALL_WORK
    else:
        tried = [_filled(n, places, rows, clock) for rows in _designs(n, places)[:1]] or [greedy(task, kernels.random_of(0))]
        work = _SMALL_WORK // 4
    best = min(tried, key=len)
    own = Clock(deadline=clock.deadline, work=work)
    best = fewer(best, task, bound, own, kernels.random_of(1))
    clock.spend(own.spent)
    if not own.late:
        _KNOWN[n, places] = best
        while len(_KNOWN) > _MOST_KNOWN:
            _KNOWN.pop(next(iter(_KNOWN)))
    return best


# What was searched for in this process: rows of the same size come again and again.
_KNOWN: dict[tuple[int, int], Groups] = {}
_MOST_KNOWN = 64


def _filled(n: int, places: int, rows: _Rows, clock: Clock) -> Groups:
    """The plan of n points that `rows` describes; the points beside the rows are the last ones."""
    new = np.full((places, rows.q), -1, np.int32)
    at = 0
    for row, size in enumerate(rows.sizes):
        new[row, :size] = np.arange(at, at + size)
        at += size
    crossing = new.ravel()[algebra.transversal(places, rows.q)].astype(np.int32)
    parts = [crossing[(crossing >= 0).sum(axis=1) > 1]]
    at, beside = 0, np.arange(n - rows.beside, n, dtype=np.int32)
    for row, size in enumerate(rows.sizes):
        plan = _covering(size + rows.beside, places, clock)
        names = np.append(np.concatenate([np.arange(at, at + size, dtype=np.int32), beside])[_hole_last(plan, rows.beside)], np.int32(-1))
        named = names[plan]
        # The points beside are together in the first row's plan already.
        useful = ((named >= 0) & (named < n - rows.beside)).any(axis=1) if row else np.ones(len(named), bool)
        parts.append(named[useful])
        at += size
    return np.ascontiguousarray(np.concatenate(parts), np.int32)


def _hole_last(plan: Groups, hole: int) -> np.ndarray:
    """For each point of `plan` the position it takes, so that one group holds as many of the last `hole` positions as it can."""
    points = int(plan.max(initial=-1)) + 1
    order = np.arange(points)
    if hole and len(plan):
        fullest = plan[(plan >= 0).sum(axis=1).argmax()]
        last = fullest[fullest >= 0][:hole]
        order = np.concatenate([np.setdiff1d(order, last), last])
    position = np.empty(points, np.int64)
    position[order] = np.arange(points)
    return position


def _repeated(n: int, places: int, times: int, clock: Clock) -> Groups:
    """A plan of fewer points with each of them standing for `times` points that are always together."""
    small = _covering(-(-n // times), places // times, clock)
    wide = np.where(small[:, :, None] >= 0, small[:, :, None] * times + np.arange(times), -1).reshape(len(small), -1)
    groups = np.full((len(small), places), -1, np.int32)
    groups[:, : wide.shape[1]] = np.where(wide < n, wide, -1)
    return groups


@functools.lru_cache(maxsize=4096)
def _designs(n: int, places: int) -> tuple[_Rows, ...]:
    """The designs that fit n points, by the groups that they promise."""
    if places < 3:
        return ()
    found: dict[tuple[int, int], _Rows] = {}
    for q in algebra.prime_powers(3 * n // (2 * places) + places):
        if q < places - 1:
            continue
        if len(found) >= _MOST_DESIGNS and q * q > sorted(rows.groups for rows in found.values())[_MOST_DESIGNS - 1]:
            break
        for beside in range(min(places + 4, n - places) + 1):
            inside = n - beside
            # Rows of much of all the points leave the work to the plans of the rows.
            if inside > places * q or 10 * inside < 7 * places * q or 3 * (min(q, inside) + beside) > 2 * n:
                continue
            for sizes in _row_sizes(inside, places, q):
                groups = q * q + sum(sizes.count(size) * _promised(size + beside, places) for size in set(sizes) if size)
                if (q, beside) not in found or groups < found[q, beside].groups:
                    found[q, beside] = _Rows(groups, q, beside, sizes)
    return tuple(sorted(found.values()))[:_MOST_DESIGNS]


def _row_sizes(inside: int, places: int, q: int) -> list[tuple[int, ...]]:
    """Ways to share `inside` points among rows of at most q: some full ones, the others alike; or one short one."""
    shares = []
    for full in range(places):
        each, more = divmod(inside - full * q, places - full)
        if each >= 0 and each + (more > 0) <= q:
            shares.append((q,) * full + (each + 1,) * more + (each,) * (places - full - more))
    return shares


@functools.lru_cache(maxsize=8192)
def _promised(n: int, places: int) -> int:
    """About how many groups a plan of n points takes."""
    if n <= places:
        return int(n > 1)
    few = few_groups(n, places)
    if few < 14:
        return few
    if n <= _SMALL * places + 1:
        return round(schonheim(n, places) * 1.03 + 1)
    return min([round(schonheim(n, places) * 1.22) + 1, *(rows.groups for rows in _designs(n, places))])


def clear_known() -> None:
    """Forget what was searched for, for measuring how long a first plan takes."""
    _KNOWN.clear()


def unhurried() -> Clock:
    """A clock that never stops anything."""
    return Clock(deadline=time.perf_counter() + 1e9, work=_FOREVER)
