"""Scores against values that a reader can work out, and against definitions written another way."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hemcore.errors import ParameterError
from hemcore.mpx import dtw_cost, dtw_path, pearson_r, relative_accuracy, scored_slots, signed_total_error, weighted_accuracy

NAN = math.nan
TRUE = [100.0, 200, 0, 400]
FOUND = [110.0, 150, 5, 400]
HIDDEN = [True, True, True, False]
counts = st.lists(st.integers(0, 1000), min_size=1, max_size=30)


def test_relative_accuracy_by_hand() -> None:
    # Of the hidden slots with a count: off by 10 % and by 25 %.
    assert relative_accuracy(FOUND, TRUE, hidden=HIDDEN, least=1) == pytest.approx(1 - (0.10 + 0.25) / 2)
    # Of all slots with a count: the last is exact, which flatters it.
    assert relative_accuracy(FOUND, TRUE, least=1) == pytest.approx(1 - (0.10 + 0.25) / 3)
    assert scored_slots(TRUE, hidden=HIDDEN) == (2, 1)


def test_weighted_accuracy_by_hand() -> None:
    assert weighted_accuracy(FOUND, TRUE, hidden=HIDDEN) == pytest.approx(1 - (10 + 50 + 5) / 300)
    assert weighted_accuracy(FOUND, TRUE) == pytest.approx(1 - 65 / 700)
    assert math.isnan(weighted_accuracy([1, 2], [0, 0]))


def test_the_total_error_has_a_sign() -> None:
    assert signed_total_error(FOUND, TRUE) == pytest.approx((665 - 700) / 700)
    assert math.isnan(signed_total_error([1], [0]))


def test_a_negative_ra_is_0_where_it_is_clamped() -> None:
    assert relative_accuracy([300], [100], least=1) == pytest.approx(-1)
    assert relative_accuracy([300], [100], least=1, clamp=True) == 0


def test_fewer_than_20_counts_have_no_ra() -> None:
    assert math.isnan(relative_accuracy([1] * 19, [1] * 19))
    assert relative_accuracy([1] * 20, [1] * 20) == 1
    assert math.isnan(relative_accuracy([1] * 30, [1] * 30, hidden=[True] * 19 + [False] * 11))
    assert math.isnan(relative_accuracy([1] * 30, [0] * 11 + [1] * 19))


def test_slots_that_one_side_does_not_know_are_left_out() -> None:
    assert relative_accuracy([NAN, 90, 50], [1, 100, NAN], least=1) == pytest.approx(0.9)
    assert weighted_accuracy([NAN, 90, 50], [1, 100, NAN]) == pytest.approx(0.9)


def test_low_guesses_win_ra_and_lose_the_total() -> None:
    truth = np.where(np.arange(100) % 2 == 0, 1000.0, 10.0)
    low, mean = np.full(100, 10.0), np.full(100, 505.0)
    assert relative_accuracy(low, truth) > relative_accuracy(mean, truth)
    assert signed_total_error(low, truth) < -0.9
    assert signed_total_error(mean, truth) == pytest.approx(0)


def test_pearsons_r_is_numpys() -> None:
    random = np.random.default_rng(0)
    one = random.integers(0, 1000, 50).astype(float)
    other = one + random.integers(0, 500, 50)
    assert pearson_r(one, other) == pytest.approx(np.corrcoef(one, other)[0, 1])
    assert pearson_r(one, 1000 - one) == pytest.approx(-1)
    assert math.isnan(pearson_r(one, np.full(50, 3.0)))
    assert math.isnan(pearson_r([1], [2]))


# Dynamic time warping


def by_definition(one: list[float], other: list[float]) -> float:
    """The recurrence of Wang et al. (2022) in plain Python: the plain sum of |a - b|, which dtaidistance calls inner_dist="euclidean"."""
    best = np.full((len(one) + 1, len(other) + 1), math.inf)
    best[0, 0] = 0
    for i, a in enumerate(one):
        for j, b in enumerate(other):
            best[i + 1, j + 1] = abs(a - b) + min(best[i, j], best[i, j + 1], best[i + 1, j])
    return float(best[-1, -1])


def test_the_cost_by_hand() -> None:
    # 1-1, 3-3, 4-3 or 4-5, 5-5: one step off by 1.
    assert dtw_cost([1, 3, 4, 5], [1, 3, 5], log10=False) == 1
    # A curve that only waits costs nothing.
    assert dtw_cost([1, 1, 1, 7], [1, 7, 7], log10=False) == 0
    assert dtw_cost([0], [99]) == pytest.approx(2)


def test_the_cost_is_what_dtaidistance_gives() -> None:
    """dtaidistance 2.3.13: dtw.distance(a, b, inner_dist="euclidean")."""
    a = [0.0, 0, 1, 2, 1, 0, 1, 0, 0]
    b = [0.0, 1, 2, 0, 0, 0, 0, 0, 0]
    assert dtw_cost(a, b, log10=False) == 2


@given(counts, counts)
def test_the_cost_is_that_of_the_definition_and_of_its_path(one: list[int], other: list[int]) -> None:
    cost = dtw_cost(one, other, log10=False)
    assert cost == pytest.approx(by_definition(one, other))
    assert cost == pytest.approx(dtw_cost(other, one, log10=False))
    path = dtw_path(one, other, log10=False)
    assert np.abs(np.array(one)[path[:, 0]] - np.array(other)[path[:, 1]]).sum() == pytest.approx(cost)
    assert path[0].tolist() == [0, 0]
    assert path[-1].tolist() == [len(one) - 1, len(other) - 1]
    steps = np.diff(path, axis=0)
    assert {tuple(step) for step in steps.tolist()} <= {(1, 0), (0, 1), (1, 1)}


def test_of_paths_that_cost_the_same_the_one_that_waits_least_is_taken() -> None:
    assert dtw_path([5, 5], [5, 5]).tolist() == [[0, 0], [1, 1]]


@given(counts)
def test_a_curve_is_nowhere_from_itself(one: list[int]) -> None:
    assert dtw_cost(one, one) == 0


# What does not fit


@pytest.mark.parametrize("score", [relative_accuracy, weighted_accuracy, signed_total_error, pearson_r])
def test_other_lengths_are_told(score) -> None:
    with pytest.raises(ParameterError, match="estimate: 2 slots, but ocoe has 3"):
        score([1, 2], [1, 2, 3])


@pytest.mark.parametrize("score", [relative_accuracy, weighted_accuracy, signed_total_error, pearson_r, dtw_cost])
@pytest.mark.parametrize(("bad", "why"), [([1, -2], "-2 in slot 1 must be at least 0"), ([1, 1e300], "at most 1e"), ([], "at least one")])
def test_counts_that_are_none_are_told(score, bad: list[float], why: str) -> None:
    with pytest.raises(ParameterError, match=why):
        score(bad, bad)


@pytest.mark.parametrize("score", [relative_accuracy, weighted_accuracy])
def test_no_hidden_slot_is_nothing_to_score(score) -> None:
    with pytest.raises(ParameterError, match="no slot is hidden"):
        score([1, 2], [1, 2], hidden=[False, False])
    with pytest.raises(ParameterError, match="hidden: shape"):
        score([1, 2], [1, 2], hidden=[True])


def test_a_curve_with_holes_is_not_warped() -> None:
    with pytest.raises(ParameterError, match="ocoe: slot 1 was not counted"):
        dtw_cost([1, 2], [1, NAN])
