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
