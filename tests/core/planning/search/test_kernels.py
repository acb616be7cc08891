"""Single swaps of the search, whose choices and chances can be counted."""

import math

import numpy as np
import pytest

from hemcore.planning.search import kernels
from hemcore.planning.search.group_search import Task, state_of


def left_after_one_swap(group: list[int], n: int, wanted: list[tuple[int, int]], temperature: float, seed: int) -> int:
    """How many of the `wanted` pairs of n points are open after one swap, of one group."""
    pairs = np.zeros((n, n), dtype=bool)
    for one, other in wanted:
        pairs[one, other] = pairs[other, one] = True
    task = Task(wanted=pairs, places=len(group), rules=np.zeros(n, np.uint64), most=np.zeros(0, np.int64))
    state = state_of(np.array([group], np.int32), task, kernels.random_of(seed))
    kernels.anneal(state, temperature, 1)
    return int(state.size[1])


@pytest.mark.parametrize("group", [[0, 1], [1, 0]])
def test_the_point_that_is_joined_stays(group: list[int]) -> None:
    # 1 and 2 are wanted together, so 2 takes the place of 0, never that of 1.
    assert {left_after_one_swap(group, 3, [(1, 2)], 0.2, seed) for seed in range(30)} == {0}


def test_a_loss_of_one_pair_is_accepted_with_its_chance() -> None:
    # 3 joins 0 in place of 1 or 2: one pair more, two fewer, so 2 are open instead of 1. The chance is exp(-1 / T), here a half.
    wanted = [(0, 1), (0, 2), (1, 2), (0, 3)]
    found = [left_after_one_swap([0, 1, 2], 4, wanted, 1 / math.log(2), seed) for seed in range(400)]
    assert set(found) == {1, 2}
    assert found.count(2) / 400 == pytest.approx(0.5, abs=0.1)


def alone_task(places: int) -> Task:
    """Points 0 to 3 in a ring of wanted pairs; 4 to 6 only have to be read."""
    pairs = np.zeros((7, 7), dtype=bool)
    for one, other in [(0, 1), (1, 2), (2, 3), (0, 3)]:
        pairs[one, other] = pairs[other, one] = True
    return Task(wanted=pairs, places=places, rules=np.zeros(7, np.uint64), most=np.zeros(0, np.int64), every_point=True)


@pytest.mark.parametrize("temperature", [0.2, 3.0])
def test_what_swaps_keep_count_of_is_what_a_recount_gives(temperature: float) -> None:
    task = alone_task(3)
    assert task.alone.tolist() == [False] * 4 + [True] * 3
    for seed in range(20):
        state = state_of(np.array([[0, 1, -1], [4, 5, 6], [2, -1, -1]], np.int32), task, kernels.random_of(seed))
        assert int(state.size[1]) == 3
        kernels.anneal(state, temperature, 40)
        fresh = state_of(state.groups, task, kernels.random_of(0))
        np.testing.assert_array_equal(state.cover, fresh.cover)
        assert set(state.open[: state.size[1]]) == set(fresh.open[: fresh.size[1]])


def test_a_point_that_only_has_to_be_read_is_worth_a_pair() -> None:
    # 2 takes the place of 0 or 1, whose pair is lost for it: as much is won as lost, so no chance is needed.
    wanted = np.array([[0, 1, 0], [1, 0, 0], [0, 0, 0]], dtype=bool)
    task = Task(wanted=wanted, places=2, rules=np.zeros(3, np.uint64), most=np.zeros(0, np.int64), every_point=True)
    for seed in range(20):
        state = state_of(np.array([[0, 1]], np.int32), task, kernels.random_of(seed))
        kernels.anneal(state, 1e-3, 1)
        assert 2 in state.groups[0]
        assert int(state.size[1]) == 1


def test_the_group_that_holds_a_point_alone_is_dropped_last() -> None:
    task = alone_task(2)
    groups = [[0, 1], [1, 2], [2, 3], [0, 3], [4, -1], [5, 6], [0, 1]]
    for seed in range(10):
        state = state_of(np.array(groups, np.int32), task, kernels.random_of(seed))
        kernels.drop_one(state, 0, task.to_cover)
        assert int(state.size[1]) == 0
