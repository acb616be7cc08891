"""The agreement of two segmentations, on change points that a reader can check by hand and against slower ways to the same number."""

import dataclasses
import math
from itertools import combinations, permutations

import numpy as np
import pandas as pd
import pytest
import ruptures.metrics
from hypothesis import given, settings
from hypothesis import strategies as st

from hemcore.errors import ParameterError
from hemcore.segmentation.compare.segment_agreement import (
    Agreement,
    agreement,
    agreement_between_runs,
    breakpoints,
    from_breakpoints,
    matched,
)

N = 30


def points(max_size: int = 29) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(1, N - 1), unique=True, max_size=max_size).map(sorted)


def test_ruptures_form_ends_with_n() -> None:
    assert breakpoints((3, 7), 10) == [3, 7, 10]
    assert breakpoints((), 10) == [10]
    assert from_breakpoints([3, 7, 10]) == (3, 7)
    assert from_breakpoints([np.int64(3), np.int64(10)]) == (3,)
    assert type(from_breakpoints([np.int64(3), 10])[0]) is int
    assert from_breakpoints([10]) == ()


@given(points())
def test_there_and_back_is_the_same(change_points: list[int]) -> None:
    assert from_breakpoints(breakpoints(change_points, N)) == tuple(change_points)


def test_ten_samples_cut_at_5_and_at_4() -> None:
    # Segments 0..4, 5..9 against 0..3, 4..9: best overlaps 4/5 and 5/6, each segment half of the series.
    assert agreement([5], [4], 10) == Agreement(
        covering=pytest.approx((4 / 5 + 5 / 6) / 2), hausdorff=1, precision=1, recall=1, f1=1, n_true=1, n_found=1, tolerance=2
    )


def test_one_true_point_found_twice_is_matched_once() -> None:
    measured = agreement([10, 20], [9, 11, 27], N)
    assert (measured.precision, measured.recall, measured.f1) == (pytest.approx(1 / 3), 1 / 2, pytest.approx(2 / 5))
    assert measured.hausdorff == 9 - 2
    assert (measured.n_true, measured.n_found) == (2, 3)


def test_the_tolerance_is_within_and_not_below() -> None:
    assert agreement([10], [12], N, tolerance=2).f1 == 1
    assert agreement([10], [13], N, tolerance=2).f1 == 0
    assert agreement([10], [10], N, tolerance=0).f1 == 1
    assert agreement([10], [11], N, tolerance=0).f1 == 0


def test_no_point_is_used_up_where_ruptures_uses_it_up() -> None:
    assert agreement([10, 12], [11, 12], N, tolerance=2).recall == 1
    assert ruptures.metrics.precision_recall([10, 12, N], [11, 12, N], margin=3) == (0.5, 0.5)


@pytest.mark.parametrize(("true", "found", "hausdorff", "rate"), [([], [], 0.0, 1.0), ([5], [], math.inf, 0.0), ([], [5], math.inf, 0.0)])
def test_the_empty_cases(true: list[int], found: list[int], hausdorff: float, rate: float) -> None:
    measured = agreement(true, found, 10)
    assert measured.hausdorff == hausdorff
    assert (measured.precision, measured.recall, measured.f1) == (rate, rate, rate)
    assert measured.covering == (1.0 if true == found else 0.5)


def test_one_sample_is_one_segment() -> None:
    assert agreement([], [], 1).covering == 1


@settings(deadline=None)
@given(points(), points())
def test_covering_is_the_best_overlap_of_every_pair_of_segments(true: list[int], found: list[int]) -> None:
    segments = [[set(range(a, b)) for a, b in zip([0, *cuts], [*cuts, N], strict=True)] for cuts in (true, found)]
    by_sets = sum(len(one) * max(len(one & other) / len(one | other) for other in segments[1]) for one in segments[0]) / N
    covering = agreement(true, found, N).covering
    assert covering == pytest.approx(by_sets, abs=1e-12)
    assert 0 <= covering <= 1
    assert (covering == 1) == (true == found)


@settings(deadline=None)
@given(points(), points(), st.integers(0, 5))
def test_the_rest_is_symmetric_and_full_only_where_it_should_be(true: list[int], found: list[int], tolerance: int) -> None:
    one, other = agreement(true, found, N, tolerance=tolerance), agreement(found, true, N, tolerance=tolerance)
    assert (one.hausdorff, one.precision, one.recall, one.f1) == (other.hausdorff, other.recall, other.precision, other.f1)
    assert 0 <= one.f1 <= 1
    assert (agreement(true, found, N, tolerance=0).f1 == 1) == (true == found) == (one.hausdorff == 0)
    assert one == agreement(tuple(true), np.array(found, dtype=int), N, tolerance=tolerance)  # type: ignore[arg-type]


@given(points(), points())
def test_hausdorff_is_that_of_ruptures(true: list[int], found: list[int]) -> None:
    if true and found:
        assert agreement(true, found, N).hausdorff == ruptures.metrics.hausdorff([*true, N], [*found, N])


def largest_matching(true: list[int], found: list[int], tolerance: int) -> int:
    """Every way to pair every number of points, the largest first."""
    for size in range(min(len(true), len(found)), 0, -1):
        for some in combinations(true, size):
            if any(all(abs(a - b) <= tolerance for a, b in zip(some, others, strict=True)) for others in permutations(found, size)):
                return size
    return 0


@settings(deadline=None, max_examples=200)
@given(
    st.lists(st.integers(1, 11), unique=True, max_size=5).map(sorted),
    st.lists(st.integers(1, 11), unique=True, max_size=5).map(sorted),
    st.integers(0, 4),
)
def test_one_pass_finds_the_largest_matching(true: list[int], found: list[int], tolerance: int) -> None:
    assert matched(true, found, tolerance=tolerance) == largest_matching(true, found, tolerance)


@pytest.mark.parametrize(
    ("true", "found", "n_samples", "tolerance", "message"),
    [
        ([0], [], 10, 2, r"true\[0\] is 0; in a series of 10 samples a change point lies in 1..9"),
        ([], [3, 10], 10, 2, r"found\[1\] is 10;"),
        ([5, 4], [], 10, 2, r"true\[1\] is 4 after 5"),
        ([5, 5], [], 10, 2, r"true\[1\] is 5 after 5"),
        ([5.5], [], 10, 2, r"true\[0\] is 5.5; a whole number"),
        ([], [], 10, -1, "tolerance is -1; at least 0"),
        ([], [], 0, 2, "n_samples is 0; at least 1"),
    ],
)
def test_what_is_no_segmentation_is_refused(true: list[int], found: list[int], n_samples: int, tolerance: int, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        agreement(true, found, n_samples, tolerance=tolerance)


def test_what_is_not_ruptures_form_is_refused() -> None:
    with pytest.raises(ParameterError, match="breakpoints is empty"):
        from_breakpoints([])
    with pytest.raises(ParameterError, match=r"breakpoints\[1\] is 3"):
        from_breakpoints([2, 3, 3])
    with pytest.raises(ParameterError, match=r"change_points\[0\] is 10"):
        breakpoints([10], 10)


def test_an_agreement_does_not_change() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        agreement([], [], 5).f1 = 0  # type: ignore[misc]


def test_runs_of_other_lengths_are_stretched_to_the_first() -> None:
    frame = agreement_between_runs([([20, 50], 100), ([41, 100], 200), ([], 80)], labels=["a", "b", "c"])
    expected = pd.DataFrame(
        {
            "run": ["a", "b", "c"],
            "n_samples": [100, 200, 80],
            "n_change_points": [2, 2, 0],
            # 41 of 200 is 20.5 of 100, rounded to 21: segments of 20, 30, 50 against 21, 29, 50; and against one segment.
            "covering": [1.0, (20 * 20 / 21 + 30 * 29 / 30 + 50) / 100, 0.2**2 + 0.3**2 + 0.5**2],
            "hausdorff": [0.0, 1.0, math.inf],
            "precision": [1.0, 1.0, 0.0],
            "recall": [1.0, 1.0, 0.0],
            "f1": [1.0, 1.0, 0.0],
        }
    )
    pd.testing.assert_frame_equal(frame, expected)


def test_points_that_fall_together_count_once_and_none_falls_out() -> None:
    row = agreement_between_runs([([1, 3], 4), ([1, 2, 198, 199], 200)], tolerance=0).iloc[1]
    assert (row["run"], row["n_change_points"], row["precision"], row["f1"]) == ("run 2", 4, 1, 1)


def test_a_first_run_of_one_sample_has_no_place_for_a_change() -> None:
    assert agreement_between_runs([([], 1), ([5], 10)])["f1"].tolist() == [1, 1]


@settings(deadline=None)
@given(points(10), st.integers(1, 9))
def test_a_run_times_k_agrees_with_itself(change_points: list[int], times: int) -> None:
    frame = agreement_between_runs([(change_points, N), ([times * point for point in change_points], times * N)], tolerance=0)
    assert frame["covering"].tolist() == frame["f1"].tolist() == [1, 1]


@pytest.mark.parametrize(
    ("runs", "labels", "message"),
    [
        ([], None, "runs is empty"),
        ([([], 5)], ["a", "b"], "labels has 2 entries for 1 runs"),
        ([([], 5), ([5], 5)], None, r"change points of runs\[1\], \[0\] is 5"),
        ([([], 5), ([], 0)], None, r"n_samples of runs\[1\] is 0"),
    ],
)
def test_runs_that_are_none_are_refused(runs: list[tuple[list[int], int]], labels: list[str] | None, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        agreement_between_runs(runs, labels=labels)
