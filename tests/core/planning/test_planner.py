"""Plans, against an independent count of what they cover, known coverings and bounds; and what cannot be planned, in sentences."""

import itertools
import random
import time
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest

from hemcore.errors import ParameterError
from hemcore.planning import Plan, few_groups, plan_subexperiments, schonheim
from hemcore.planning import planner as planner_module
from hemcore.planning.search import group_search as search_module
from hemcore.planning.search.group_search import Clock
from hemcore.planning.search.lower_bounds import lower_bound
from hemcore.planning.search.start_plans import _covering, clear_known


@pytest.fixture(autouse=True)
def _clock_of_this_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits on time count this thread's processor time, and nothing is compiled in it: other programs take none of it."""
    planner_module.warm()
    own = SimpleNamespace(perf_counter=time.thread_time, thread_time=time.thread_time)
    for module in (planner_module, search_module):
        monkeypatch.setattr(module, "time", own)


def names(n: int) -> list[str]:
    return [f"HEM_{at}" for at in range(n)]


def pairs_of(plan: Plan) -> set[tuple[str, str]]:
    return {pair for group in plan.subexperiments for pair in combinations(group, 2)}


@pytest.mark.sweep(of=3)
@pytest.mark.slow
@pytest.mark.parametrize(("n", "k", "most"), [(14, 6, 7), (16, 6, 10), (20, 4, 35), (25, 6, 23), (50, 6, 88), (100, 8, 198)])
def test_every_pair_is_read_together_in_as_few_groups_as_promised(n: int, k: int, most: int) -> None:
    for seed in (0, 5):
        plan = plan_subexperiments(names(n), k, seed=seed, time_limit=2.0)
        assert pairs_of(plan) == set(combinations(plan.hems, 2))
        assert all(len(group) <= k and len(set(group)) == len(group) for group in plan.subexperiments)
        assert plan.bound <= len(plan.subexperiments) <= min(most, plan.greedy)
        assert plan.coverage == 1


@pytest.mark.parametrize(("n", "k", "least"), [(3, 3, 1), (2, 4, 1), (4, 3, 3)])
def test_few_points_are_one_group_with_free_places(n: int, k: int, least: int) -> None:
    groups = _covering(n, k, Clock(deadline=float("inf"), work=1e6))
    assert len(groups) == least
    if least == 1:
        assert groups.tolist() == [[*range(n), *[-1] * (k - n)]]


@pytest.mark.parametrize(("n", "k", "least"), [(3, 3, 1), (2, 4, 1), (4, 3, 3)])
def test_few_hems_need_few_subexperiments(n: int, k: int, least: int) -> None:
    # Of four HEMs, three read two pairs with the fourth at most; a third subexperiment reads the last pair.
    plan = plan_subexperiments(names(n), k, time_limit=1.0)
    assert (plan.bound, len(plan.subexperiments)) == (least, least)


@pytest.mark.slow
def test_the_same_seed_gives_the_same_plan_whatever_was_planned_before(monkeypatch: pytest.MonkeyPatch) -> None:
    # Little work in much time: on any machine the work ends the search.
    monkeypatch.setattr(planner_module, "WORK_PER_SECOND", 500_000)
    first = plan_subexperiments(names(40), 5, seed=3, time_limit=60)
    assert first.ended == "work"
    plan_subexperiments(names(17), 4, seed=8, time_limit=20)
    assert plan_subexperiments(names(40), 5, seed=3, time_limit=60).subexperiments == first.subexperiments
    clear_known()
    assert plan_subexperiments(names(40), 5, seed=3, time_limit=60).subexperiments == first.subexperiments


def test_an_anchor_is_in_each_group_of_the_vignettes_sixteen_hems() -> None:
    plan = plan_subexperiments(names(16), 6, goal="anchor", anchor="HEM_3", time_limit=1.0)
    assert len(plan.subexperiments) == 13
    assert all("HEM_3" in group for group in plan.subexperiments)
    assert pairs_of(plan) == set(combinations(plan.hems, 2))


def test_a_budget_reads_more_pairs_than_greedy_and_never_more_groups() -> None:
    plan = plan_subexperiments(names(30), 5, goal="budget", groups=30, time_limit=0.5)
    assert len(plan.subexperiments) == 30
    assert len(pairs_of(plan)) == plan.pairs_read >= plan.greedy
    assert plan.pairs_read >= 0.95 * 30 * 10
    assert len(plan.components) == 1
    assert plan.coverage == pytest.approx(plan.pairs_read / 435)
    assert len(plan.missed) == 435 - plan.pairs_read


def test_a_budget_too_small_to_hang_together_says_which_parts() -> None:
    plan = plan_subexperiments(names(8), 4, goal="budget", groups=1, time_limit=0.2)
    assert [len(part) for part in plan.components] == [4, 1, 1, 1, 1]


def test_greedy_counts_the_pairs_with_an_anchor() -> None:
    # Each of three subexperiments reads the anchor and one more HEM.
    plan = plan_subexperiments(names(6), 2, goal="budget", anchor="HEM_0", groups=3)
    assert (plan.greedy, plan.pairs_read) == (3, 3)


def test_a_budget_with_an_anchor_is_a_star() -> None:
    plan = plan_subexperiments(names(11), 6, goal="budget", groups=2, anchor="HEM_0", time_limit=0.2)
    assert [set(group) >= {"HEM_0"} for group in plan.subexperiments] == [True, True]
    assert plan.components == (plan.hems,)


def test_only_wanted_pairs_are_paid_for() -> None:
    wanted = [("HEM_0", f"HEM_{at}") for at in range(1, 11)]
    plan = plan_subexperiments(names(11), 3, wanted=wanted, time_limit=0.3)
    assert len(plan.subexperiments) == plan.bound == 5
    assert set(wanted) <= pairs_of(plan)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "sets", "most"), [(100, ((30, 4), (8, 2)), 202), (50, ((15, 4), (5, 2)), 53)])
def test_limits_cost_few_groups(n: int, sets: tuple[tuple[int, int], ...], most: int) -> None:
    hems = names(n)
    drawn = random.Random(1).sample(hems, n)
    limits = [(drawn[: sets[0][0]], sets[0][1]), (drawn[sets[0][0] :][: sets[1][0]], sets[1][1])]
    plan = plan_subexperiments(hems, 8, limits=limits, time_limit=3.0)
    assert pairs_of(plan) == set(combinations(hems, 2))
    assert len(plan.subexperiments) <= most
    for group in plan.subexperiments:
        assert all(len(set(group) & set(within)) <= at_most for within, at_most in limits)


def test_the_bound_of_points_is_of_groups_of_their_own_size() -> None:
    # Nine HEMs, three at a time: 9 x 8 / 2 pairs, three a group; no plan has fewer than the 12 lines of the affine plane of order 3.
    wanted = ~np.eye(9, dtype=bool)
    assert lower_bound(wanted, 3, ()) == (12, "Schönheim")
    # Ten: every HEM needs ceil(9 / 2) = 5 groups, ceil(10 x 5 / 3) = 17.
    assert lower_bound(~np.eye(10, dtype=bool), 3, ()) == (17, "Schönheim")


def test_a_limited_set_raises_the_bound() -> None:
    plan = plan_subexperiments(names(20), 6, limits=[(names(15), 2)], time_limit=0.3)
    assert plan.bound >= schonheim(15, 2) == 105
    assert "limit 1" in plan.bound_name


def test_events_bound_to_one_counter_are_never_together_and_all_else_is() -> None:
    bound = ["HEM_1", "HEM_2", "HEM_3"]
    plan = plan_subexperiments(names(12), 4, counters={hem: [0] for hem in bound}, time_limit=0.5)
    assert set(plan.never) == set(combinations(bound, 2))
    assert pairs_of(plan) == set(combinations(plan.hems, 2)) - set(plan.never)
    assert plan.coverage == 1


def test_a_counter_of_its_own_costs_no_place() -> None:
    plan = plan_subexperiments(names(15), 6, counters={"HEM_14": ["cycle counter"]}, time_limit=0.5)
    assert len(plan.subexperiments) == 7
    assert all("HEM_14" in group and len(group) == 7 for group in plan.subexperiments)


def test_two_events_share_a_fixed_counter() -> None:
    plan = plan_subexperiments(names(9), 3, counters={"HEM_0": ["fixed"], "HEM_1": ["fixed", 1]}, time_limit=0.5)
    for group in plan.subexperiments:
        assert len(set(group) - {"HEM_0", "HEM_1"}) + ({"HEM_0", "HEM_1"} <= set(group)) <= 3
    assert pairs_of(plan) == set(combinations(plan.hems, 2))


def test_matching_is_what_counts_not_each_counter_alone() -> None:
    # Three events on two counters: any two fit, all three never.
    counters = {"HEM_0": [0, 1], "HEM_1": [0, 1], "HEM_2": [1, 0]}
    plan = plan_subexperiments(names(8), 4, counters=counters, time_limit=0.3)
    assert not any({"HEM_0", "HEM_1", "HEM_2"} <= set(group) for group in plan.subexperiments)
    assert plan.never == ()


@pytest.mark.slow
def test_the_limit_on_time_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a clock that goes on by 10 ms whenever it is looked at, which is before each piece of the search."""
    monkeypatch.setattr(planner_module, "WORK_PER_SECOND", float("inf"))
    looks = itertools.count()

    def at() -> float:
        return next(looks) / 100

    stepping = SimpleNamespace(perf_counter=at, thread_time=at)
    for module in (planner_module, search_module):
        monkeypatch.setattr(module, "time", stepping)
    for n, k, limit in ((25, 6, 0.3), (60, 6, 0.6), (200, 10, 1.5)):
        clear_known()
        began = next(looks)
        plan = plan_subexperiments(names(n), k, time_limit=limit)
        assert plan.ended == "time"
        # What is under way when the time is up is finished.
        assert 60 * limit < next(looks) - began <= 100 * limit + 20


@pytest.mark.slow
@pytest.mark.parametrize(("n", "k", "most"), [(1_000, 6, 34_400), (2_000, 8, 73_000)])
@pytest.mark.long
def test_a_first_plan_of_very_many_hems_takes_a_part_of_the_usual_limit(n: int, k: int, most: int) -> None:
    clear_known()
    began = time.thread_time()
    plan = plan_subexperiments(names(n), k, time_limit=0.1)
    assert time.thread_time() - began < 15  # about 2 s; a start that looks at all pairs for each group takes minutes
    assert plan.bound <= len(plan.subexperiments) <= most
    assert plan.coverage == 1


def test_progress_rises_and_better_plans_are_told() -> None:
    told: list[float] = []
    better: list[Plan] = []
    plan = plan_subexperiments(names(30), 5, time_limit=0.3, progress=lambda share, note: told.append(share), better=better.append)
    assert 0 <= told[0] <= told[-1] <= 1
    sizes = [len(each.subexperiments) for each in better]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == len(plan.subexperiments) < sizes[0] == plan.greedy
    assert all(pairs_of(each) == set(combinations(plan.hems, 2)) for each in better)
    assert [size for _, size in plan.found] == sizes


def test_whoever_is_told_can_stop_it() -> None:
    class Cancelled(Exception):
        pass

    def cancel(share: float, note: str) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        plan_subexperiments(names(30), 5, progress=cancel)


def test_tables_of_a_plan() -> None:
    plan = plan_subexperiments(names(5), 3, time_limit=0.2)
    together = plan.pairs_together
    assert (np.triu(together.to_numpy(), 1).sum()) == sum(len(group) * (len(group) - 1) // 2 for group in plan.subexperiments)
    assert np.diag(together).sum() == sum(map(len, plan.subexperiments))
    assert list(plan.table.columns) == ["subexperiment", "HEM 1", "HEM 2", "HEM 3"]
    assert plan.coverage_by_groups[-1] == 1
    assert (np.diff(plan.coverage_by_groups) >= 0).all()
    assert plan.estimated_time(2.0, 50) == 2.0 * 50 * len(plan.subexperiments)
    with pytest.raises(ParameterError, match="runs: 0"):
        plan.estimated_time(1.0, 0)
    with pytest.raises(ParameterError, match="seconds_per_run"):
        plan.estimated_time(float("nan"), 1)


@pytest.mark.parametrize(("n", "k", "groups"), [(14, 6, 7), (16, 6, 8), (50, 6, 84), (100, 8, 188), (500, 6, 8334), (4, 6, 1), (1, 3, 0)])
def test_the_schonheim_bound(n: int, k: int, groups: int) -> None:
    assert schonheim(n, k) == groups


@pytest.mark.parametrize(("n", "k", "groups"), [(16, 6, 10), (14, 6, 7), (10, 6, 4), (12, 8, 3), (6, 6, 1), (100, 6, 14)])
def test_coverings_by_few_groups(n: int, k: int, groups: int) -> None:
    assert few_groups(n, k) == groups


def test_more_pmcs_than_hems_read_all_at_once() -> None:
    plan = plan_subexperiments(names(4), 6)
    assert plan.subexperiments == (tuple(names(4)),)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"hems": names(1)}, "hems: 1 given; a plan needs at least 2"),
        ({"hems": []}, "hems: 0 given"),
        ({"hems": [*names(3), "HEM_1"]}, "'HEM_1' appears more than once"),
        ({"hems": ["A", " "]}, "number 2 is ' '"),
        ({"hems": ["A", "B\nC"]}, "number 2"),
        ({"hems": "AB"}, "a list of HEM names"),
        ({"hems": names(5_000)}, "5,000 HEMs; a plan can have at most 2,000"),
        ({"hems": names(1_000), "n_pmcs": 3}, "at least 166,667 subexperiments"),
        ({"n_pmcs": 1}, "n_pmcs: 1 is out of bounds"),
        ({"n_pmcs": 65}, "from 2 to 64"),
        ({"goal": "most"}, "goal: 'most'"),
        ({"goal": "anchor"}, "needs the HEM to read in every group"),
        ({"goal": "anchor", "anchor": "CYCLES"}, "'CYCLES' is not among the 8 HEMs"),
        ({"anchor": "HEM_1"}, "the goal 'pairs' has none"),
        ({"goal": "budget"}, "needs the maximum number of subexperiments"),
        ({"goal": "budget", "groups": 0}, "groups: 0 is out of bounds"),
        ({"groups": 4}, "finds the number itself"),
        ({"wanted": [("HEM_1", "X")]}, "'X' is not among the HEMs"),
        ({"wanted": [("HEM_1", "HEM_1")]}, "cannot be paired with itself"),
        ({"counters": {"X": [0]}}, "'X' is not among the HEMs"),
        ({"counters": {"HEM_1": [4]}}, "counter 4, but the 4 PMCs are 0 to 3"),
        ({"counters": {"HEM_1": []}}, "HEM_1 has none"),
        ({"limits": [(["HEM_1", "X"], 1)]}, "limits: number 1 names 'X'"),
        ({"limits": [(["HEM_1", "HEM_2"], 0)]}, "must be at least 1"),
        ({"limits": [(["HEM_1", "HEM_2"], 1)], "wanted": [("HEM_1", "HEM_2")]}, "HEM_1 and HEM_2 cannot be read together: limit 1"),
        ({"counters": {"HEM_1": [0], "HEM_2": [0]}, "goal": "anchor", "anchor": "HEM_1"}, "counter 0 leaves no place for 'HEM_2' next to"),
        ({"n_pmcs": 2, "counters": {f"HEM_{at}": [0] for at in range(7)}, "goal": "anchor", "anchor": "HEM_1"}, "no counter is left for"),
        ({"time_limit": 0.0}, "time_limit"),
        ({"time_limit": float("nan")}, "time_limit"),
        ({"seed": -1}, "seed"),
    ],
)
def test_what_cannot_be_planned_is_said(given: dict, said: str) -> None:
    asked: dict = {"hems": names(8), "n_pmcs": 4, "time_limit": 0.2} | given
    with pytest.raises(ParameterError) as told:
        plan_subexperiments(asked.pop("hems"), asked.pop("n_pmcs"), **asked)
    assert said in str(told.value)
    assert len(str(told.value)) < 400
