"""The search for the plan with the fewest subexperiments in a given time."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from hemcore.analysis import Progress
from hemcore.errors import ParameterError
from hemcore.planning.plan import Plan
from hemcore.planning.search import kernels
from hemcore.planning.search.finish import check, completed, in_order
from hemcore.planning.search.group_search import WORK_PER_SECOND, Clock, Groups, Task, fewer, greedy, most_pairs, state_of
from hemcore.planning.search.lower_bounds import few_groups, lower_bound
from hemcore.planning.search.problem import MOST_GROUPS, Goal, Pair, Problem, problem_of
from hemcore.planning.search.relabelling import relabel
from hemcore.planning.search.start_plans import starts

LONGEST_S = 600.0
# Time reserved for ordering and checking the plan, and for other processes: seconds, fraction, seconds per group.
_RESERVE_S, _RESERVE_SHARE, _RESERVE_S_A_GROUP = 0.03, 0.05, 3e-5
# For that reserve: the largest factor by which other processes are assumed to slow this one down.
_SLOWEST = 8.0
_RELABEL_MOVES = 60_000
# If the minimum is known and small, a short search finds it or will not find it at all.
SHORT_S = 0.5


def plan_subexperiments(
    hems: Sequence[str],
    n_pmcs: int,
    *,
    goal: Goal = "pairs",
    anchor: str | None = None,
    groups: int | None = None,
    wanted: Iterable[Pair] | None = None,
    counters: Mapping[str, Iterable[str | int]] | None = None,
    limits: Iterable[tuple[Iterable[str], int]] | None = None,
    metrics: Mapping[str, Iterable[str]] | None = None,
    time_limit: float = 5.0,
    seed: int = 0,
    progress: Progress | None = None,
    better: Callable[[Plan], object] | None = None,
) -> Plan:
    """The best plan found that reads `hems` with `n_pmcs` PMCs; never worse than a greedy one, and verified before it is returned.

    hems: names, 2 to 2,000, without duplicates. n_pmcs: HEMs counted at once, 2 to 64.
    goal: "pairs" (every wanted pair together at least once), "anchor" (in addition `anchor` in each subexperiment) or "budget" (as many
        wanted pairs as possible in at most `groups` subexperiments; `anchor`, if given, is in each). wanted: pairs of HEMs, None = all.
    counters: event -> the counters that may hold it; the PMCs are 0 to n_pmcs - 1, other names are additional counters (a fixed counter,
        the cycle counter) that only the events naming them use. A HEM with a counter of its own is read in every subexperiment.
    limits: (HEMs, maximum number of them per subexperiment); 1 keeps HEMs apart. Pairs that no subexperiment can hold are not required
        and are listed in `Plan.never`; naming one in `wanted` is an error.
    metrics: metric -> the HEMs that it needs (`hems_for_metrics`). Without `wanted`, only pairs inside a metric are wanted.
    time_limit: seconds of wall-clock time, 0.1 to 600; it also limits the work, at 60 million places per second. If the work ends the
        search (`Plan.ended`; usual unless the machine is overloaded), the plan depends only on the arguments and the seed; if the clock
        does ("time"), the plan is an earlier step of the same search. A first plan is always made (0.6 s for 1,000 HEMs, 1.8 s for
        2,000). Compiling, once after installation, is not counted. If 13 or fewer subexperiments may be enough, the search is limited to
        half a second of work.
    progress: called with the fraction of time or work used, and a note. better: called with each better plan as it is found.
    Raises ParameterError for values out of bounds, duplicates, an anchor that is not among the HEMs, and contradictory constraints.

    Covering designs C(n, k, 2): transversal designs whose rows are filled recursively; then groups are dropped one by one and the plan is
    repaired by annealing (Nurmela and Östergård 1993, Upper bounds for covering designs by simulated annealing; Gordon, Kuperberg and
    Patashnik 1995, doi:10.1002/jcd.3180030404). With constraints, HEMs are first renamed to violate few of them, then the plan is repaired.
    """
    if not 0.1 <= time_limit <= LONGEST_S:
        raise ParameterError(f"time_limit: {time_limit} s is out of bounds; it must be from 0.1 to {LONGEST_S:.0f} s.")
    if isinstance(seed, bool) or not 0 <= seed < 2**32:
        raise ParameterError(f"seed: {seed} is out of bounds; it must be from 0 to 4,294,967,295.")
    problem = problem_of(
        hems, n_pmcs, goal=goal, anchor=anchor, groups=groups, wanted=wanted, counters=counters, limits=limits, metrics=metrics
    )
    warm()
    run = _Run(problem=problem, time_limit=float(time_limit), seed=int(seed), progress=progress, better=better)
    return run.budget(groups) if groups is not None else run.cover()


def is_short(n: int, places: int) -> bool:
    """Whether the minimum number of groups of `places` that cover every pair of n points is known to be below 14."""
    return places > 1 and few_groups(n, places) < 14


def warm() -> None:
    """Compile the kernels, or load them if compiled before."""
    task = Task(wanted=~np.eye(5, dtype=bool), places=3, rules=np.ones(5, np.uint64), most=np.array([2], np.int64))
    clock, random = Clock(deadline=time.perf_counter() + 60, work=1e4), kernels.random_of(0)
    first = greedy(task, random)
    most_pairs(fewer(first, task, 1, clock, random)[:2], task, 0, clock.part(1), random)
    relabel(first, task.rules, task.most, np.arange(5, dtype=np.int32), 10, 0.3, random)


@dataclass(kw_only=True, eq=False)
class _Run:
    """One search: the problem, its clock, and the results so far."""

    problem: Problem
    time_limit: float
    seed: int
    progress: Progress | None
    better: Callable[[Plan], object] | None
    clock: Clock = field(init=False)
    found: list[tuple[float, int]] = field(default_factory=list)
    bound: int = 0
    bound_name: str = ""
    greedy: int = 0
    note: str = ""

    def __post_init__(self) -> None:
        self.began = time.perf_counter()
        limit = self.time_limit * (1 - _RESERVE_SHARE) - _RESERVE_S
        self.clock = Clock(deadline=self.began + limit, work=WORK_PER_SECOND * self.time_limit, tick=self._tick)
        problem = self.problem
        task = problem.task
        self.bound, self.bound_name = lower_bound(task.wanted, task.places, problem.sets, every_point=task.every_point)
        least = max(1, -(-task.n // max(task.places, 1)), *(-(-len(points) // most) for _, points, most in problem.sets))
        if self.bound < least:
            self.bound, self.bound_name = least, "one place for every HEM"
        if problem.groups is None and not len(task.most) and is_short(task.n, task.places):
            self.clock.work = min(self.clock.work, WORK_PER_SECOND * SHORT_S)
        self.random = kernels.random_of(self.seed)
        if problem.groups is None and self.bound > MOST_GROUPS:
            remedy = "Choose fewer HEMs, name the wanted pairs, or plan with a maximum number of subexperiments"
            raise ParameterError(
                f"hems: {len(problem.hems):,} HEMs with {problem.n_pmcs} PMCs need at least {self.bound:,} subexperiments; a plan can have "
                f"at most {MOST_GROUPS:,}. {remedy}."
            )

    def cover(self) -> Plan:
        """A plan for every wanted pair, with as few groups as can be found."""
        task = self.problem.task
        best = self._first(task)
        self.greedy = len(best)
        self._note(best)
        candidates = [best]
        if len(best) > self.bound:
            candidates += self._from_designs()
        for each in candidates[1:]:
            self._note(each)
        tried = [fewer(each, task, self.bound, self.clock.part(0.12), self.random, self._note) for each in candidates]
        best = fewer(min(tried, key=len), task, self.bound, self.clock, self.random, self._note)
        return self._plan(best)

    def _first(self, task: Task, room: int = 1 << 40) -> Groups:
        """A greedy plan; moves the deadline to leave time for finishing that many groups at the machine's current speed."""
        began, used = time.perf_counter(), time.thread_time()
        first = greedy(task, self.random, room=room)
        took, used = time.perf_counter() - began, time.thread_time() - used
        pace = min(max(took / max(used, 1e-4), 1.0), _SLOWEST)
        self.clock.deadline -= _RESERVE_S_A_GROUP * len(first) * pace
        return first

    def budget(self, groups: int) -> Plan:
        """At most `groups` groups that cover as many wanted pairs as can be found."""
        task = self.problem.task
        first = self._first(task, groups)
        wanted = int(task.wanted.sum()) // 2
        # Completed, since pairs with an anchor stand in no group of the search.
        self.greedy = self._plan(first, groups).pairs_read
        self._note(first, pairs=True)
        if len(first) < groups:
            # Fewer groups than allowed cover every wanted pair.
            return self._plan(first, groups)
        pairs_per_group = task.places * (task.places - 1) // 2
        best = most_pairs(
            first, task, max(0, wanted - groups * pairs_per_group), self.clock, self.random, lambda each: self._note(each, pairs=True)
        )
        return max(self._plan(best, groups), self._plan(first, groups), key=lambda plan: plan.pairs_read)

    def _from_designs(self) -> list[Groups]:
        """Initial plans from designs that cover every pair; with rules, renamed to violate few of them, then repaired."""
        task = self.problem.task
        if task.wanted.sum() < 0.5 * task.n * (task.n - 1):
            return []
        plain = starts(task.n, task.places, self.clock.part(0.3))
        if not len(task.most):
            return plain if task.wanted.sum() == task.n * (task.n - 1) else [_with_wanted(each, task) for each in plain]
        free = Task.plain(task.n, task.places)
        from_greedy = [greedy(free, self.random)] if not plain else []
        shorter = [fewer(each, free, self.bound, self.clock.part(0.1), self.random) for each in [*plain, *from_greedy]]
        return [self._renamed(min(shorter, key=len))]

    def _renamed(self, groups: Groups) -> Groups:
        """A plan made without rules, converted to one that respects them, with a few more groups."""
        task = self.problem.task
        label = self.random_labels()
        for temperature in (0.6, 0.4, 0.25, 0.15):
            if self.clock.over:
                break
            relabel(groups, task.rules, task.most, label, _RELABEL_MOVES, temperature, self.random)
            self.clock.spend(_RELABEL_MOVES * 20)
        named = np.append(label, np.int32(-1))[groups].astype(np.int32)
        for group in named:
            held = np.zeros(len(task.most), np.int64)
            for place, hem in enumerate(group):
                if hem < 0:
                    continue
                of = np.array([bool(task.rules[hem] >> np.uint64(bit) & np.uint64(1)) for bit in range(len(task.most))])
                if (held[of] >= task.most[of]).any():
                    group[place] = -1
                else:
                    held += of
        return _with_wanted(greedy(task, self.random, start=self._repaired(named)), task)

    def _repaired(self, groups: Groups) -> Groups:
        """Improve the existing groups by swaps before any is added."""
        task = self.problem.task
        return most_pairs(groups, task, 0, self.clock.part(0.1), self.random)

    def random_labels(self) -> NDArray[np.int32]:
        """A permutation of the points, drawn with the seed."""
        return np.random.default_rng(self.seed).permutation(self.problem.task.n).astype(np.int32)

    def _covered(self, groups: Groups) -> int:
        state = state_of(groups, self.problem.task, self.random)
        return int(self.problem.task.wanted.sum()) // 2 - int(state.size[1])

    def _note(self, groups: Groups, pairs: bool = False) -> None:
        """Record a plan that is better than those before."""
        size = self._covered(groups) if pairs else len(groups)
        if self.found and (size <= self.found[-1][1] if pairs else size >= self.found[-1][1]):
            return
        self.found.append((self.clock.spent, size))
        what = f"{size:,} pairs together" if pairs else f"{size:,} subexperiments"
        self.note = f"{what}, bound {self.bound:,}" if not pairs else what
        if self.better is not None:
            self.better(self._plan(groups, len(groups) if pairs else None))
        self._tick()

    def _tick(self) -> None:
        if self.progress is not None:
            used = (time.perf_counter() - self.began) / self.time_limit
            self.progress(min(0.99, max(used, self.clock.spent / self.clock.work)), self.note or "first plan")

    def _plan(self, groups: Groups, room: int | None = None) -> Plan:
        problem = self.problem
        named = in_order(completed(groups, problem, room), problem)
        plan = Plan(
            hems=problem.hems,
            n_pmcs=problem.n_pmcs,
            goal=problem.goal,
            anchor=problem.anchor,
            subexperiments=tuple(tuple(map(problem.hems.__getitem__, group)) for group in named),
            wanted=np.argwhere(np.triu(problem.wanted)),
            never=problem.never,
            bound=self.bound,
            bound_name=self.bound_name,
            greedy=self.greedy,
            found=tuple(self.found),
            ended="time" if self.clock.late else "work" if self.clock.spent >= self.clock.work else "bound",
            seed=self.seed,
            time_limit=self.time_limit,
            metrics=problem.metrics,
        )
        check(plan, problem, named)
        return plan


def _with_wanted(groups: Groups, task: Task) -> Groups:
    """`groups` without those that contain no wanted pair."""
    use = [bool(task.wanted[np.ix_(group[group >= 0], group[group >= 0])].any()) for group in groups]
    return np.ascontiguousarray(groups[use])
