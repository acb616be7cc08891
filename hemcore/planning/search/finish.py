"""From groups of points to a plan: every HEM read, free places filled, groups ordered, and the result verified independently."""

import heapq

import numpy as np
from numpy.typing import NDArray

from hemcore.planning.plan import Plan
from hemcore.planning.search.group_search import Groups, Task
from hemcore.planning.search.point_pairs import components_of
from hemcore.planning.search.problem import Problem, fits

_MOST_ORDERED = 2_000


def completed(groups: Groups, problem: Problem, room: int | None) -> list[list[int]]:
    """The groups with every HEM in at least one of them and free places filled: more readings of a HEM are more accurate.

    room: maximum number of groups; None = unlimited. With a maximum, the components of the plan are connected where possible.
    """
    task = problem.task
    filled = [[hem for hem in group if hem >= 0] for group in groups.tolist()]
    read = np.bincount(groups[groups >= 0], minlength=task.n)

    for unread in np.flatnonzero(read == 0).tolist():
        home = next((group for group in filled if task.allows(unread, group)), None)
        if home is None and (room is None or len(filled) < room):
            home = []
            filled.append(home)
        if home is not None:
            home.append(unread)
            read[unread] += 1
    if room is not None:
        _join(filled, task, read)
    _fill(filled, task, read)
    if not problem.fixed:
        return filled
    return [[*map(problem.free.__getitem__, group), *problem.fixed] for group in filled] or [list(problem.fixed)]


def _fill(groups: list[list[int]], task: Task, read: NDArray[np.int64]) -> None:
    """Put the least read HEM that fits into each empty place; changes `groups` and `read`."""
    least = [(count, hem) for hem, count in enumerate(read.tolist())]
    heapq.heapify(least)
    for group in groups:
        while len(group) < min(task.places, task.n):
            passed = []
            while least and not task.allows(least[0][1], group):
                passed.append(heapq.heappop(least))
            chosen = least[0][1] if least else None
            if chosen is not None:
                group.append(chosen)
                read[chosen] += 1
                heapq.heapreplace(least, (int(read[chosen]), chosen))
            for each in passed:
                heapq.heappush(least, each)
            if chosen is None:
                break


def _join(groups: list[list[int]], task: Task, read: NDArray[np.int64]) -> None:
    """Connect components of a plan by free places and HEMs read elsewhere, as far as possible; changes `groups` and `read`."""
    for _ in range(task.n):
        main, *others = (set(part) for part in components_of(groups, task.n))
        outside = [hem for part in others for hem in part]
        if not outside or not _joined_once(groups, task, read, main, outside):
            return


def _joined_once(groups: list[list[int]], task: Task, read: NDArray[np.int64], main: set[int], outside: list[int]) -> bool:
    for group in groups:
        if group[0] not in main:
            continue
        for hem in outside:
            if task.allows(hem, group):
                group.append(hem)
                read[hem] += 1
                return True
            for place, gone in enumerate(group):
                rest = group[:place] + group[place + 1 :]
                # The HEM removed must remain connected to the others of its component.
                if (
                    read[gone] > 1
                    and any(gone in other and set(other) & set(rest) for other in groups if other is not group)
                    and task.allows(hem, rest)
                ):
                    group[place] = hem
                    read[gone] -= 1
                    read[hem] += 1
                    return True
    return False


def in_order(groups: list[list[int]], problem: Problem) -> list[list[int]]:
    """HEMs in their given order; groups ordered by the wanted pairs they add, so that stopping early loses the fewest."""
    ordered = sorted(map(sorted, groups))
    if len(ordered) > _MOST_ORDERED:
        return ordered
    open_pairs = problem.wanted.copy()
    # A group's gain only decreases as others are chosen: one whose recorded gain is still correct is the best.
    waiting = [(-int(open_pairs[np.ix_(group, group)].sum()), place) for place, group in enumerate(ordered)]
    heapq.heapify(waiting)
    chosen = []
    while waiting:
        filed, place = waiting[0]
        group = ordered[place]
        gain = -int(open_pairs[np.ix_(group, group)].sum())
        if gain == filed:
            heapq.heappop(waiting)
            open_pairs[np.ix_(group, group)] = False
            chosen.append(group)
        else:
            heapq.heapreplace(waiting, (gain, place))
    return chosen


def _kinds(problem: Problem, groups: list[list[int]]) -> list[list[int]]:
    """One group of each kind: groups of unlimited HEMs that fit on the same counters need only one check."""
    limited = set().union(*(within for within, _ in problem.limits))
    if not limited and len(set(problem.masks)) == 1:
        return [max(groups, key=len)]
    return list({tuple(sorted((problem.masks[at], at if at in limited else -1) for at in group)): group for group in groups}.values())


def check(plan: Plan, problem: Problem, groups: list[list[int]]) -> None:
    """Raise RuntimeError if the plan is invalid: only a bug in the search can cause this, no input."""
    faults = [
        (any(len(set(group)) != len(group) for group in groups), "a HEM is twice in a group"),
        (not all(fits(problem, group) for group in _kinds(problem, groups)), "a group breaks a limit or finds no counters"),
        (plan.goal != "budget" and plan.coverage < 1, "a wanted pair is not read together"),
        (plan.goal != "budget" and bool((np.diag(plan.pairs_together) == 0).any()), "a HEM is not read"),
        (plan.anchor is not None and any(plan.anchor not in group for group in plan.subexperiments), "the anchor is missing"),
        (problem.groups is not None and len(groups) > problem.groups, "more groups than allowed"),
    ]
    for broken, what in faults:
        if broken:
            raise RuntimeError(f"plan of {len(plan.hems)} HEMs with {plan.n_pmcs} PMCs, seed {plan.seed}: {what}")
