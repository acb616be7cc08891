"""The problem, checked and converted to numbers: the HEMs to distribute, those that are in every group, and the rules of a group."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hemcore.datasets.tables.checks import listed
from hemcore.errors import ParameterError
from hemcore.planning.counters import assigned_counters, every_counter
from hemcore.planning.search.counter_rules import as_bits, in_every_group, rules_of_counters
from hemcore.planning.search.group_search import Task

Goal = Literal["pairs", "anchor", "budget"]
Pair = tuple[str, str]
MOST_HEMS = 2_000
MOST_PMCS = 64
MOST_GROUPS = 100_000


@dataclass(frozen=True, kw_only=True, eq=False)
class Problem:
    """A checked planning problem.

    hems: every HEM. fixed: positions in `hems` of those in every group (the anchor, HEMs with a counter of their own).
    free: positions of the others, the points of `task`. sets: the rules: (name, points, maximum per group).
    never: the pairs of HEMs that no group can hold. masks: (hems,) bit masks of the counters that may hold a HEM; counters: their names.
    """

    hems: tuple[str, ...]
    n_pmcs: int
    goal: Goal
    anchor: str | None
    groups: int | None
    fixed: tuple[int, ...]
    free: tuple[int, ...]
    task: Task
    sets: tuple[tuple[str, NDArray[np.int64], int], ...]
    wanted: NDArray[np.bool_]
    never: tuple[Pair, ...]
    masks: tuple[int, ...]
    counters: tuple[str, ...]
    limits: tuple[tuple[frozenset[int], int], ...]
    metrics: Mapping[str, tuple[str, ...]]


def problem_of(
    hems: Sequence[str],
    n_pmcs: int,
    *,
    goal: Goal,
    anchor: str | None,
    groups: int | None,
    wanted: Iterable[Pair] | None,
    counters: Mapping[str, Iterable[str | int]] | None,
    limits: Iterable[tuple[Iterable[str], int]] | None,
    metrics: Mapping[str, Iterable[str]] | None = None,
) -> Problem:
    """The checked problem. Raises ParameterError, naming the argument and the HEMs, for what cannot be planned."""
    hems = _checked_hems(hems)
    number = {hem: at for at, hem in enumerate(hems)}
    _check_numbers(len(hems), n_pmcs, goal, anchor, groups)
    if anchor is not None and anchor not in number:
        raise ParameterError(f"anchor: {anchor!r} is not among the {len(hems)} HEMs ({listed(hems)}). Choose one of them, or add it.")
    names, masks = every_counter(hems, n_pmcs, counters or {})
    bounds = _checked_limits(limits or (), number)
    fixed = in_every_group(masks, [hem for within, _, _ in bounds for hem in within], number[anchor] if anchor is not None else None)
    free = tuple(at for at in range(len(hems)) if at not in fixed)
    sets = rules_of_counters(hems, free, fixed, masks, names, bounds)
    places = len(names) - len(fixed)
    _check_readable(hems, free, sets, anchor, places)
    of_metrics = _checked_metrics(metrics or {}, number)
    wish = _inside(of_metrics, number) if wanted is None and of_metrics else _wish(wanted, number)
    together = _can_be_together(len(free), places, sets)
    asked = wish[np.ix_(free, free)]
    clash = asked & ~together
    if wanted is not None and clash.any():
        first, second = (hems[free[at]] for at in np.argwhere(clash)[0])
        why = _why_not(first, second, places, sets, hems, free)
        raise ParameterError(f"wanted: {first} and {second} cannot be read together{why}. Remove the pair, or relax the rule.")
    rules, most = as_bits(len(free), sets)
    full = np.ones((len(hems), len(hems)), bool)
    full[np.ix_(free, free)] = together
    return Problem(
        hems=hems,
        n_pmcs=n_pmcs,
        goal=goal,
        anchor=anchor,
        groups=groups,
        fixed=tuple(fixed),
        free=free,
        task=Task(wanted=asked & together, places=places, rules=rules, most=most, every_point=groups is None),
        sets=sets,
        wanted=wish & full,
        never=tuple((hems[free[i]], hems[free[j]]) for i, j in np.argwhere(np.triu(clash))),
        masks=tuple(masks),
        counters=names,
        limits=tuple((frozenset(within), most) for within, most, _ in bounds),
        metrics=of_metrics,
    )


def _checked_hems(hems: Sequence[str]) -> tuple[str, ...]:
    if isinstance(hems, str):
        raise ParameterError(f"hems: {hems[:60]!r} is one string; a list of HEM names is needed.")
    hems = tuple(hems)
    if len(hems) > MOST_HEMS:
        remedy = "Select those of interest first, for example those that Prediction recommends"
        raise ParameterError(f"hems: {len(hems):,} HEMs; a plan can have at most {MOST_HEMS:,}. {remedy}.")
    for at, hem in enumerate(hems, start=1):
        if not isinstance(hem, str) or not hem.strip() or not hem.isprintable():
            raise ParameterError(f"hems: number {at} is {str(hem)[:60]!r}; a HEM name must be printable text and not blank. Correct it.")
    twice = [hem for hem, times in Counter(hems).items() if times > 1]
    if twice:
        raise ParameterError(f"hems: {listed(twice)} appears more than once. Remove the duplicates.")
    if len(hems) < 2:
        raise ParameterError(f"hems: {len(hems)} given; a plan needs at least 2. Add the HEMs to read.")
    return hems


def _check_numbers(n: int, n_pmcs: int, goal: Goal, anchor: str | None, groups: int | None) -> None:
    if goal not in ("pairs", "anchor", "budget"):
        raise ParameterError(f"goal: {str(goal)[:60]!r} does not fit; it must be 'pairs', 'anchor' or 'budget'.")
    if isinstance(n_pmcs, bool) or not isinstance(n_pmcs, int | np.integer) or not 2 <= n_pmcs <= MOST_PMCS:
        why = "with one PMC, no two HEMs are read together and their relation is unknown" if n_pmcs == 1 else "check the number of PMCs"
        raise ParameterError(f"n_pmcs: {n_pmcs} is out of bounds; it must be from 2 to {MOST_PMCS}: {why}.")
    if goal == "anchor" and anchor is None:
        raise ParameterError("anchor: the goal 'anchor' needs the HEM to read in every group. Name it.")
    if goal == "pairs" and anchor is not None:
        raise ParameterError(f"anchor: {anchor!r} was given, but the goal 'pairs' has none. Choose the goal 'anchor', or omit it.")
    if goal == "budget" and groups is None:
        raise ParameterError("groups: the goal 'budget' needs the maximum number of subexperiments. Name it.")
    if goal != "budget" and groups is not None:
        raise ParameterError(f"groups: {groups} was given, but the goal {goal!r} finds the number itself. Choose 'budget', or omit it.")
    if groups is not None and not 1 <= groups <= MOST_GROUPS:
        raise ParameterError(f"groups: {groups:,} is out of bounds; it must be from 1 to {MOST_GROUPS:,}.")


def _checked_limits(limits: Iterable[tuple[Iterable[str], int]], number: Mapping[str, int]) -> list[tuple[list[int], int, str]]:
    found = []
    for at, (within, most) in enumerate(limits, start=1):
        names = list(dict.fromkeys(within))
        unknown = [name for name in names if name not in number]
        if unknown:
            raise ParameterError(f"limits: number {at} names {listed(unknown)}, which is not among the HEMs. Correct or remove it.")
        if isinstance(most, bool) or not isinstance(most, int) or most < 1:
            raise ParameterError(f"limits: number {at} allows {most!r} of {listed(names)} per group; it must be at least 1.")
        found.append(([number[name] for name in names], most, f"limit {at} ({listed(names)}: at most {most} per group)"))
    return found


def _check_readable(
    hems: Sequence[str], free: Sequence[int], sets: Sequence[tuple[str, NDArray[np.int64], int]], anchor: str | None, places: int
) -> None:
    if free and places < 1:
        which = listed(hems[at] for at in free)
        raise ParameterError(f"constraints: no counter is left for {which} after the HEMs in every group. Relax a rule, or remove it.")
    for name, points, most in sets:
        if most < 1:
            next_to = f" next to the anchor {anchor}" if anchor is not None else ""
            which = listed(hems[free[at]] for at in points)
            raise ParameterError(f"constraints: {name} leaves no place for {which}{next_to}. Choose another anchor, or relax the rule.")


def _wish(wanted: Iterable[Pair] | None, number: Mapping[str, int]) -> NDArray[np.bool_]:
    n = len(number)
    if wanted is None:
        return ~np.eye(n, dtype=bool)
    wish = np.zeros((n, n), bool)
    for pair in wanted:
        first, second = pair
        unknown = [name for name in (first, second) if name not in number]
        if unknown or first == second:
            why = f"{listed(unknown)} is not among the HEMs" if unknown else "a HEM cannot be paired with itself"
            raise ParameterError(f"wanted: {first!r} with {second!r}: {why}. Correct or remove the pair.")
        wish[number[first], number[second]] = wish[number[second], number[first]] = True
    return wish


def _checked_metrics(metrics: Mapping[str, Iterable[str]], number: Mapping[str, int]) -> dict[str, tuple[str, ...]]:
    found = {str(name): tuple(dict.fromkeys(within)) for name, within in metrics.items()}
    for name, within in found.items():
        unknown = [hem for hem in within if hem not in number]
        if unknown:
            raise ParameterError(
                f"metrics: {name[:60]} needs {listed(unknown)}, which is not among the HEMs. Add the HEM, or remove the metric."
            )
    return found


def _inside(metrics: Mapping[str, Sequence[str]], number: Mapping[str, int]) -> NDArray[np.bool_]:
    """The pairs of HEMs that one metric needs."""
    wish = np.zeros((len(number), len(number)), bool)
    for within in metrics.values():
        members = [number[hem] for hem in within]
        wish[np.ix_(members, members)] = True
    np.fill_diagonal(wish, False)
    return wish


def _can_be_together(n: int, places: int, sets: Sequence[tuple[str, NDArray[np.int64], int]]) -> NDArray[np.bool_]:
    """(n, n): which two points can be in one group; False on the diagonal."""
    together = np.full((n, n), places >= 2)
    for _, points, most in sets:
        if most < 2:
            together[np.ix_(points, points)] = False
    np.fill_diagonal(together, False)
    return together


def _why_not(
    first: str, second: str, places: int, sets: Sequence[tuple[str, NDArray[np.int64], int]], hems: Sequence[str], free: Sequence[int]
) -> str:
    if places < 2:
        return ": only one PMC is left after the HEMs in every group"
    for name, points, most in sets:
        if most < 2 and {first, second} <= {hems[free[at]] for at in points}:
            return f": {name} allows one of them"
    return ""


def fits(problem: Problem, group: Iterable[int]) -> bool:
    """Whether a group of positions in `hems` respects every limit and has a counter for each HEM; independent of the rules above."""
    members = list(group)
    if any(sum(at in within for at in members) > most for within, most in problem.limits):
        return False
    return assigned_counters([problem.masks[at] for at in members]) is not None
