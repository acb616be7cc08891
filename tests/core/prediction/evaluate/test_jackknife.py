"""Jackknife+ intervals whose ranks are counted by hand."""

import numpy as np
import pytest

from hemcore.prediction.evaluate.jackknife import errors_at_steps, phase_intervals, whole_interval


def test_the_ranks_are_of_one_program_more() -> None:
    # Five training programs, 80% promised: the ceil(0.8 * 6) = 5th of five ends, not the ceil(0.8 * 5) = 4th.
    # Upper ends 101, 102, 103, 104, 105; lower ends 99, 98, 97, 96, 95.
    off = np.array([0.01, 0.02, 0.03, 0.04, 0.05])
    assert whole_interval(np.full(5, 100.0), off, 0.8) == pytest.approx((95, 105))
    # 60% of six is the ceil(3.6) = 4th.
    assert whole_interval(np.full(5, 100.0), off, 0.6) == pytest.approx((96, 104))


def test_each_program_brings_its_own_prediction() -> None:
    # Without program 0 the model predicts 100 and was off by 10%: 90 to 110. Without 1: 200, off by 1%: 198 to 202. Without 2: 150 to 150.
    # 70% of four: the ceil(2.8) = 3rd upper end of 110, 150, 202; the lowest lower end of 90, 150, 198.
    assert whole_interval(np.array([100.0, 200.0, 150.0]), np.array([0.1, 0.01, 0.0]), 0.7) == pytest.approx((90, 202))
    # 50% of four: the 2nd of each.
    assert whole_interval(np.array([100.0, 200.0, 150.0]), np.array([0.1, 0.01, 0.0]), 0.5) == pytest.approx((150, 150))


def test_few_programs_promise_no_lower_end_and_no_interval_goes_below_0() -> None:
    # 90% of four programs would be the 4th of three ends.
    assert whole_interval(np.full(3, 100.0), np.array([0.1, 0.2, 0.3]), 0.9) == pytest.approx((0, 130))
    assert whole_interval(np.full(3, 100.0), np.array([2.0, 2.0, 2.0]), 0.7)[0] == 0
    low, _ = phase_intervals(np.full((3, 1), 100.0), np.full((3, 1), 2.0), 0.7)
    assert low.tolist() == [0]


def test_phases_take_the_rank_of_one_program_more_too() -> None:
    # Five programs with two errors each, ten ends 101 to 110: 60% of them corrected by 6 / 5 is 72%, the ceil(7.2) = 8th: 108 and 92.
    # Without the correction it would be the 6th: 106 and 94.
    off = np.arange(1, 11).reshape(5, 2) / 100
    low, high = phase_intervals(np.full((5, 1), 100.0), off, 0.6)
    assert (low[0], high[0]) == pytest.approx((92, 108))
    # 90% corrected is more than all: the last.
    low, high = phase_intervals(np.full((5, 1), 100.0), off, 0.9)
    assert (low[0], high[0]) == pytest.approx((90, 110))


def test_every_phase_has_an_interval_around_its_own_predictions() -> None:
    predicted = np.array([[100.0, 1000.0], [100.0, 1000.0]])
    low, high = phase_intervals(predicted, np.array([[0.1], [0.1]]), 0.5)
    assert low == pytest.approx([90, 900])
    assert high == pytest.approx([110, 1100])


def test_the_errors_of_many_phases_at_a_few_steps() -> None:
    # Two steps stand for the halves of the distribution: its quarters. From 0 to 4 these are 1 and 3 (steps at 0 and 1 / 2 would be 0, 2).
    assert errors_at_steps(np.array([0.0, 1, 2, 3, 4]), 2) == pytest.approx([1, 3])
    assert errors_at_steps(np.array([0.0, 10.0]), 4) == pytest.approx([1.25, 3.75, 6.25, 8.75])
    assert errors_at_steps(np.array([0.2]), 3) == pytest.approx([0.2] * 3)
