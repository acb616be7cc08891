"""Reducing the groups of a plan: drop a group, then swap HEMs until every wanted pair is covered again."""

import functools
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from hemcore.planning.search import kernels
from hemcore.planning.search.greedy import greedy_groups
from hemcore.planning.search.kernels import State
from hemcore.planning.search.point_pairs import together

Groups = NDArray[np.int32]
Found = Callable[[Groups], object]
# Places examined per second of the limit: about half the speed of an idle core, so that the work and not the clock ends a
# search, and the same seed gives the same plan.
WORK_PER_SECOND = 60_000_000
_CHUNK = 300_000
# Places examined before a drop counts as failed; more after each failure. The temperatures (in pairs) are used in turn.
_PATIENCE = 8_000_000
_TEMPERATURES = (0.2, 0.25, 0.15, 0.1)
# With few groups of many HEMs, good plans are separated by high barriers.
_WARM_TEMPERATURES = (0.3, 0.5, 0.2, 0.7)
_FEW_GROUPS = 30


@dataclass(frozen=True, kw_only=True, eq=False)
class Task:
    """The covering problem: points, pairs to cover, and what a group may hold.

    wanted: (n, n) symmetric, False on the diagonal: which pairs must be together. places: points per group. rules: (n,) bit masks of the
    rules that apply to each point; most: (at most 64,) maximum points of each rule per group. every_point: whether a point without a
    wanted pair must be in some group too.
    """

    wanted: NDArray[np.bool_]
    places: int
    rules: NDArray[np.uint64]
    most: NDArray[np.int64]
    every_point: bool = False

    @classmethod
    def plain(cls, n: int, places: int) -> "Task":
        """Every pair of n points, without rules."""
        return cls(wanted=~np.eye(n, dtype=bool), places=places, rules=np.zeros(n, np.uint64), most=np.zeros(0, np.int64))

    @property
    def n(self) -> int:
        """Number of points."""
        return len(self.wanted)

    @functools.cached_property
    def alone(self) -> NDArray[np.bool_]:
        """(n,): the points that only have to be in some group."""
        return np.logical_and(~self.wanted.any(axis=1), self.every_point)

    @functools.cached_property
    def to_cover(self) -> NDArray[np.bool_]:
        """`wanted`, with True on the diagonal for the points of `alone`."""
        return self.wanted | np.diag(self.alone)

    @functools.cached_property
    def _rules_of(self) -> list[list[int]]:
        bits = range(len(self.most))
        return [[bit for bit in bits if rules >> np.uint64(bit) & np.uint64(1)] for rules in self.rules]

    def allows(self, point: int, group: Sequence[int]) -> bool:
        """Whether `point` can join the points of `group`."""
        of = self._rules_of
        return (
            len(group) < self.places
            and point not in group
            and all(sum(bit in of[other] for other in group) < self.most[bit] for bit in of[point])
        )


@dataclass(kw_only=True)
class Clock:
    """When to stop: at `deadline` (time.perf_counter), or after `work` examined places, whichever is first."""

    deadline: float
    work: float
    tick: Callable[[], object] | None = None
    spent: float = 0.0
    late: bool = False
    parent: "Clock | None" = field(default=None, repr=False)

    def part(self, share: float) -> "Clock":
        """A separate clock for `share` of the work; what it spends also counts here."""
        return Clock(deadline=self.deadline, work=self.work * share, tick=self.tick, parent=self)

    def spend(self, work: float) -> None:
        """Record this many examined places."""
        at: Clock | None = self
        while at is not None:
            at.spent += work
            at = at.parent
        if self.tick is not None:
            self.tick()

    @property
    def over(self) -> bool:
        """Whether to stop now; sets `late` if time is the reason."""
        if time.perf_counter() >= self.deadline:
            at: Clock | None = self
            while at is not None:
                at.late = True
                at = at.parent
        return self.late or self.spent >= self.work or (self.parent is not None and self.parent.over)


def greedy(task: Task, random: NDArray[np.uint64], *, start: Groups | None = None, room: int = 1 << 40) -> Groups:
    """`start` followed by groups that cover what it leaves open; at most `room` in total."""
    first = np.empty((0, task.places), np.int32) if start is None else start
    covered = together(first, task.n) > 0
    np.fill_diagonal(covered, False)
    more = greedy_groups(task.wanted, task.places, task.rules, task.most, covered, room - len(first), random)
    return _with_alone(np.concatenate([first, more]), task)


def _with_alone(groups: Groups, task: Task) -> Groups:
    """The groups with every point of `task.alone` in one of them: in an empty place, else in a group of its own that others share."""
    left = [int(point) for point in np.flatnonzero(task.alone) if not (groups == point).any()]
    if not left:
        return groups
    filled = [[int(point) for point in group if point >= 0] for group in groups]
    for point in left:
        home = next((group for group in filled if task.allows(point, group)), None)
        if home is None:
            filled.append(home := [])
        home.append(point)
    return np.array([[*group, *[-1] * (task.places - len(group))] for group in filled], np.int32)


def fewer(groups: Groups, task: Task, stop_at: int, clock: Clock, random: NDArray[np.uint64], found: Found | None = None) -> Groups:
    """The best plan found from `groups`; like it, it covers every wanted pair, with at most as many groups.

    stop_at: a lower bound, at which the search ends. found: called with each better plan.
    """
    if len(groups) <= max(stop_at, 1) or clock.over:
        return groups
    best, state, failed = groups, state_of(groups, task, random), 0
    temperatures = _WARM_TEMPERATURES if len(groups) <= _FEW_GROUPS else _TEMPERATURES
    while len(best) > max(stop_at, 1) and not clock.over:
        kernels.drop_one(state, failed % 4, task.to_cover)
        turn, patience = failed % len(temperatures), _PATIENCE * (1 + failed // len(temperatures))
        while state.size[1] and patience > 0 and not clock.over:
            moves = kernels.anneal(state, temperatures[turn], max(1, _CHUNK // task.places))
            clock.spend(moves * task.places)
            patience -= moves * task.places
        if state.size[1]:
            failed += 1
            _put(state, best, task)
            continue
        best, failed = state.groups[: state.size[0]].copy(), 0
        clock.spend(best.size)
        if found is not None:
            found(best)
    return best


def most_pairs(groups: Groups, task: Task, stop_at: int, clock: Clock, random: NDArray[np.uint64], found: Found | None = None) -> Groups:
    """As many groups as `groups` that cover more wanted pairs, never fewer. stop_at: number of open pairs at which the search ends."""
    state = state_of(groups, task, random)
    best, fewest, turn = groups, int(state.size[1]), 0
    while fewest > stop_at and not clock.over:
        # Cool down, then start again from the best.
        for temperature in (0.6, 0.45, 0.3, 0.2, 0.1, 0.05):
            for _ in range(2 + turn):
                moves = kernels.anneal(state, temperature, max(1, _CHUNK // task.places))
                clock.spend(moves * task.places)
                if state.size[1] < fewest:
                    best, fewest = state.groups.copy(), int(state.size[1])
                    if found is not None:
                        found(best)
                if clock.over or fewest <= stop_at:
                    return best
        turn += 1
        _put(state, best, task)
    return best


def state_of(groups: Groups, task: Task, random: NDArray[np.uint64]) -> State:
    """The state of the kernels for these groups."""
    room, n = len(groups), task.n
    held = np.bincount(groups[groups >= 0], minlength=n) if groups.size else np.zeros(n, np.int64)
    state = State(
        groups=groups.copy(),
        cover=np.zeros((n, n), np.int32),
        held=np.zeros((n, min(room, 2 * int(held.max(initial=0)) + 64)), np.int32),
        n_held=np.zeros(n, np.int64),
        place=np.zeros((room, task.places), np.int32),
        open=np.zeros(n * (n + 1) // 2 + 1, np.int64),
        at=np.zeros((n, n), np.int32),
        rules=task.rules,
        most=task.most,
        n_rule=np.zeros((room, len(task.most)), np.int32),
        full=np.zeros(room, np.uint64),
        size=np.array([room, 0]),
        random=random,
    )
    kernels.recount(state, task.to_cover)
    return state


def _put(state: State, groups: Groups, task: Task) -> None:
    state.groups[: len(groups)] = groups
    state.size[0] = len(groups)
    kernels.recount(state, task.to_cover)
