"""Which runs and slots are estimated, and what they are paired with: small series whose answers can be counted."""

import numpy as np
import pytest

from hemcore.datasets import CounterSeries
from hemcore.mpx import MpxParams, discard_incomplete_runs, outliers, virtual_multiplex
from hemcore.mpx.analysis import ESTIMATE
from hemcore.mpx.counted_share import Measured, measured
from hemcore.mpx.ocoe_pairs import pair
from hemcore.mpx.prepared import prepare
from hemcore.mpx.sampled import with_estimates
from tests.core.mpx.made import bursty, series

NAN = np.nan
PLAIN = MpxParams(tail="nothing", min_share=0, most_runs=0)


def test_a_run_of_half_the_slots_has_half_the_counts() -> None:
    runs = series({"A": [10] * 6, "B": [4] * 6}, mode="OCOE", runs=[4, 2])
    # Run 2: 2 of 4 slots at the same count per slot, so a share of 0.5.
    assert discard_incomplete_runs(runs, 0.5).series.runs("p") == [1, 2]
    assert discard_incomplete_runs(runs, 0.6).series.runs("p") == [1]
    assert [prepare(runs, PLAIN.but(min_share=share, slots_per_count=2)).runs for share in (0.5, 0.6)] == [(1, 2), (1,)]


def test_a_spike_in_the_first_slot_is_marked() -> None:
    # The 5 slots after it stand for those before it, too: the median of the 11 counts is 100.
    counts = np.full(20, 100.0)
    counts[0] = 1000
    assert np.flatnonzero(outliers(counts)).tolist() == [0]


def test_a_small_count_far_off_smaller_ones_is_no_outlier() -> None:
    # 29 above its neighbours, but the usual count is 1000, and 29 is less than a tenth of it.
    counts = np.array([1000.0] * 40 + [1] * 20)
    counts[50] = 30
    assert not outliers(counts).any()
    counts[50] = 130
    assert np.flatnonzero(outliers(counts)).tolist() == [50]


def test_a_schedule_has_at_least_two_groups() -> None:
    assert Measured(slots_per_count=1.2, extrapolated=True).whole(13) == 2


def test_a_value_whose_share_is_not_known_is_left_out_of_the_mean() -> None:
    plain = series({"A": [1, 2, 3, 4], "B": [1, 2, 3, 4]})
    share = plain.counts * 0 + 0.5
    share.iloc[1, 0] = NAN
    found = measured(CounterSeries(intervals=plain.intervals, counts=plain.counts, mode="MPX", share=share))
    assert found.slots_per_count == pytest.approx(2)


def test_some_runs_are_chosen_evenly() -> None:
    runs = bursty(200, n_runs=5)
    assert prepare(runs, PLAIN.but(most_runs=2)).runs == (1, 5)
    assert prepare(runs, PLAIN.but(most_runs=3)).runs == (1, 3, 5)


def test_the_run_that_is_drawn_has_its_own_length() -> None:
    runs = series({"A": range(1, 81), "B": range(1, 81)}, mode="OCOE", runs=[30, 50])
    assert ESTIMATE.of(runs, PLAIN.but(run=2, slots_per_count=2)).curves.n_slots == 50


def test_each_run_begins_one_group_later() -> None:
    runs = series({"A": [1, 2, 3, 4], "B": [5, 6, 7, 8]}, mode="OCOE", runs=[2, 2])
    expected = [[1, NAN, NAN, 4], [NAN, 6, 7, NAN]]
    np.testing.assert_array_equal(prepare(runs, PLAIN.but(slots_per_count=2)).sampled.counts, expected)
    np.testing.assert_array_equal(virtual_multiplex(runs, 2).counts.to_numpy().T, expected)
    # One run alone keeps its place in the rotation.
    np.testing.assert_array_equal(prepare(runs, PLAIN.but(slots_per_count=2), only=2).sampled.counts, [[NAN, 4], [7, NAN]])


def test_k_is_of_the_events_that_were_counted() -> None:
    # A in every second slot, B never.
    assert prepare(series({"A": [1, NAN, 3, NAN], "B": [NAN] * 4}), PLAIN).slots_per_count == 2


def test_a_truth_that_differs_once_is_of_another_run() -> None:
    counts, truth = {"A": [1, NAN, 3, NAN]}, {"A": [1, 2, 3, 4]}
    assert prepare(series(counts, truth=truth), PLAIN).same_run is True
    assert prepare(series(counts, truth={"A": [1, 2, 5, 4]}), PLAIN).same_run is False


def test_runs_of_other_numbers_are_paired_in_order() -> None:
    ocoe = series({"A": [1, 2, 3, 4]}, mode="OCOE", runs=[2, 2])
    alone = series({"A": [1, NAN] * 3}, runs=[2, 2, 2])
    mpx = CounterSeries(intervals=alone.intervals.assign(run=alone.intervals["run"] + 10), counts=alone.counts, mode="MPX")
    # Runs 11 and 12 with 1 and 2; 13 with the first again.
    assert pair(mpx, ocoe).series.truth["A"].tolist() == [1, 2, 3, 4, 1, 2]


def test_what_is_estimated_without_a_truth_has_none() -> None:
    hidden = series({"A": [1, NAN, 3]})
    assert with_estimates(hidden, np.array([[1.0], [2], [3]])).truth is None
    ocoe = series({"A": [1, 2, 3]}, mode="OCOE")
    assert with_estimates(ocoe, np.array([[1.0], [2], [3]])).truth["A"].tolist() == [1, 2, 3]
