"""Initial plans: Steiner systems, transversal designs whose rows are filled recursively, small plans repeated, and greedy plans.

With n = k q' + w points in k rows of at most q points and w additional points: q * q groups cover pairs of different rows, and one plan
per row, including the w points, covers the rest. Rows may have any size up to q; missing points are empty places.
"""

import functools
from typing import NamedTuple

import numpy as np

from hemcore.planning.search import algebra, kernels
from hemcore.planning.search.group_search import Clock, Groups, Task, fewer, greedy
from hemcore.planning.search.lower_bounds import few_groups, schonheim

# Up to this many points per place of a group, annealing from a greedy plan reaches the known minimum.
_SMALL = 6
_SMALL_WORK = 12_000_000
_MOST_DESIGNS = 4
_FOREVER = float("inf")


class _Rows(NamedTuple):
    groups: int
    q: int
    extra: int
    sizes: tuple[int, ...]


def starts(n: int, places: int, clock: Clock, most: int = 2) -> list[Groups]:
    """At most `most` plans that cover every pair of n points, ordered by expected groups; empty if no design fits. Deterministic."""
    if n <= places or places < 3:
        return []
    exact = algebra.steiner(n) if places == 4 else None
    if exact is not None:
        return [np.ascontiguousarray(exact, np.int32)]
    found = [_filled(n, places, rows, clock) for rows in _designs(n, places)[:most]]
    times = next((m for m in range(places // 2, 1, -1) if places % m == 0 and few_groups(-(-n // m), places // m) < 14), 0)
    if times:
        found.append(_repeated(n, places, times, clock))
    return found


def _covering(n: int, places: int, clock: Clock) -> Groups:
    """A plan that covers every pair of n points, by the best available method."""
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


# Plans found in this process: rows of the same size occur repeatedly.
_KNOWN: dict[tuple[int, int], Groups] = {}
_MOST_KNOWN = 64


def _filled(n: int, places: int, rows: _Rows, clock: Clock) -> Groups:
    """The plan of n points that `rows` describes; the additional points are the last ones."""
    new = np.full((places, rows.q), -1, np.int32)
    at = 0
    for row, size in enumerate(rows.sizes):
        new[row, :size] = np.arange(at, at + size)
        at += size
    crossing = new.ravel()[algebra.transversal(places, rows.q)].astype(np.int32)
    parts = [crossing[(crossing >= 0).sum(axis=1) > 1]]
    at, extra = 0, np.arange(n - rows.extra, n, dtype=np.int32)
    for row, size in enumerate(rows.sizes):
        plan = _covering(size + rows.extra, places, clock)
        names = np.append(np.concatenate([np.arange(at, at + size, dtype=np.int32), extra])[_hole_last(plan, rows.extra)], np.int32(-1))
        named = names[plan]
        # The additional points are already covered by the plan of the first row.
        useful = ((named >= 0) & (named < n - rows.extra)).any(axis=1) if row else np.ones(len(named), bool)
        parts.append(named[useful])
        at += size
    return np.ascontiguousarray(np.concatenate(parts), np.int32)


def _hole_last(plan: Groups, hole: int) -> np.ndarray:
    """The position of each point of `plan`, chosen so that one group holds as many of the last `hole` positions as possible."""
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
    """A plan of fewer points in which each represents `times` points that are always together."""
    small = _covering(-(-n // times), places // times, clock)
    wide = np.where(small[:, :, None] >= 0, small[:, :, None] * times + np.arange(times), -1).reshape(len(small), -1)
    groups = np.full((len(small), places), -1, np.int32)
    groups[:, : wide.shape[1]] = np.where(wide < n, wide, -1)
    return groups


@functools.lru_cache(maxsize=4096)
def _designs(n: int, places: int) -> tuple[_Rows, ...]:
    """The designs that fit n points, ordered by expected groups."""
    if places < 3:
        return ()
    found: dict[tuple[int, int], _Rows] = {}
    for q in algebra.prime_powers(3 * n // (2 * places) + places):
        if q < places - 1:
            continue
        if len(found) >= _MOST_DESIGNS and q * q > sorted(rows.groups for rows in found.values())[_MOST_DESIGNS - 1]:
            break
        for extra in range(min(places + 4, n - places) + 1):
            inside = n - extra
            # With rows that contain most of the points, the design contributes little.
            if inside > places * q or 10 * inside < 7 * places * q or 3 * (min(q, inside) + extra) > 2 * n:
                continue
            for sizes in _row_sizes(inside, places, q):
                groups = q * q + sum(sizes.count(size) * _promised(size + extra, places) for size in set(sizes) if size)
                if (q, extra) not in found or groups < found[q, extra].groups:
                    found[q, extra] = _Rows(groups, q, extra, sizes)
    return tuple(sorted(found.values()))[:_MOST_DESIGNS]


def _row_sizes(inside: int, places: int, q: int) -> list[tuple[int, ...]]:
    """Ways to distribute `inside` points over rows of at most q: some full rows, the others of about equal size."""
    shares = []
    for full in range(places):
        each, more = divmod(inside - full * q, places - full)
        if each >= 0 and each + (more > 0) <= q:
            shares.append((q,) * full + (each + 1,) * more + (each,) * (places - full - more))
    return shares


@functools.lru_cache(maxsize=8192)
def _promised(n: int, places: int) -> int:
    """The expected number of groups of a plan of n points."""
    if n <= places:
        return int(n > 1)
    few = few_groups(n, places)
    if few < 14:
        return few
    if n <= _SMALL * places + 1:
        return round(schonheim(n, places) * 1.03 + 1)
    return min([round(schonheim(n, places) * 1.22) + 1, *(rows.groups for rows in _designs(n, places))])


def clear_known() -> None:
    """Forget the plans found, to measure how long a first plan takes."""
    _KNOWN.clear()
