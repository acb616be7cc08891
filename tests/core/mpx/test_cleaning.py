"""What is removed, and that it is listed; what is marked, and kept."""

import math

import numpy as np
import pytest

from hemcore.errors import ParameterError
from hemcore.mpx import discard_incomplete_runs, outliers, truncate_tail
from tests.core.mpx.made import bursty, series

NAN = math.nan


def test_a_run_that_counted_next_to_nothing_is_discarded_and_listed() -> None:
    runs = series({"A": [10, 10, 1, 1, 9, 9], "B": [4, 4, 0, 0, 4, 4]}, mode="OCOE", runs=[2, 2, 2])
    cleaned = discard_incomplete_runs(runs)
    assert cleaned.series.runs("p") == [1, 3]
    assert cleaned.removed[["application", "run", "what", "slots"]].to_numpy().tolist() == [["p", 2, "run", 2]]
    assert cleaned.removed["why"].tolist() == ["its counts are 5% of the largest run's, under 20%"]
    assert discard_incomplete_runs(runs, 0.04).series.runs("p") == [1, 2, 3]


def test_one_rare_event_is_no_reason_to_discard_a_run() -> None:
    runs = series({"A": [10, 10, 10, 10], "B": [10, 10, 10, 10], "C": [500, 500, 0, 0]}, mode="OCOE", runs=[2, 2])
    assert discard_incomplete_runs(runs).series is runs


def test_hidden_slots_do_not_make_a_run_incomplete() -> None:
    runs = series({"A": [10, 10, 10, 10, NAN, NAN, NAN, 10]}, runs=[4, 4])
    assert discard_incomplete_runs(runs).series.runs("p") == [1, 2]


def test_the_tail_is_2_per_cent_and_5_slots() -> None:
    runs = bursty(300, n_runs=2)
    cleaned = truncate_tail(runs)
    assert [len(cleaned.series.run("p", run).counts) for run in (1, 2)] == [150 - 3 - 5] * 2
    assert cleaned.removed["slots"].tolist() == [8, 8]
    assert cleaned.removed["what"].tolist() == ["tail", "tail"]
    np.testing.assert_array_equal(cleaned.series.run("p", 1).counts, runs.run("p", 1).counts.iloc[:142])


def test_a_short_run_keeps_a_slot() -> None:
    cleaned = truncate_tail(series({"A": [1, 2, 3]}, mode="OCOE"))
    assert cleaned.series.counts["A"].tolist() == [1]


def test_truth_and_share_are_cut_with_the_counts() -> None:
    cleaned = truncate_tail(series({"A": [1, NAN] * 5}, truth={"A": [1, 2] * 5}), 0, 3)
    assert cleaned.series.truth is not None
    assert cleaned.series.truth["A"].tolist() == [1, 2, 1, 2, 1, 2, 1]


def test_a_spike_is_marked_and_a_step_is_not() -> None:
    steady = np.array([100.0, 101, 99, 100, 102] * 6)
    spike = steady.copy()
    spike[14] = 5
    assert np.flatnonzero(outliers(spike)).tolist() == [14]
    step = np.concatenate([steady, 10 * steady])
    assert not outliers(step).any()
    hidden = np.full(60, NAN)
    hidden[::2] = spike
    assert np.flatnonzero(outliers(hidden)).tolist() == [28]


def test_few_counts_have_no_outliers() -> None:
    assert not outliers(np.array([1.0, 1, 1, 1000, 1, 1])).any()


@pytest.mark.parametrize(
    ("work", "why"),
    [
        (lambda runs: discard_incomplete_runs(runs, 1.5), "min_share: 1.5 must be from 0 to 1"),
        (lambda runs: truncate_tail(runs, 1.0), "share: 1 must be from 0 to under 1"),
        (lambda runs: truncate_tail(runs, 0.1, -1), "steps: -1 must be at least 0"),
    ],
)
def test_bounds_are_told(work, why: str) -> None:
    with pytest.raises(ParameterError, match=why):
        work(bursty())
