"""The threshold path: at each threshold what a search of its own finds, as few intervals as there are segmentations."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from hemcore.errors import ParameterError
from hemcore.segmentation import segment, threshold_path

STATISTICS = ("rms", "std", "mean")


def noisy_levels(seed: int, n: int = 400) -> np.ndarray:
    random = np.random.default_rng(seed)
    levels = np.exp(random.normal(3, 1, 9))
    return np.repeat(levels, -(-n // 9))[:n] * random.normal(1, 0.25, n)


def unit_of(x: np.ndarray, statistic: str) -> float:
    """What a threshold of 1 is: a variance for the mean, a logarithm for the others."""
    return float(np.var(x)) if statistic == "mean" else 1.0


def closeness(x: np.ndarray, statistic: str, residual: float) -> float:
    return 1e-9 * (abs(residual) + unit_of(x, statistic) * (1 if statistic == "mean" else len(x)))


@pytest.mark.parametrize("statistic", STATISTICS)
def test_at_any_threshold_the_path_is_as_good_as_a_search(statistic: str) -> None:
    for seed in range(4):
        x = noisy_levels(seed)
        unit = unit_of(x, statistic)
        path = threshold_path(x, 0.2 * unit, 60 * unit, statistic=statistic, min_distance=3)
        for threshold in np.geomspace(0.2 * unit, 60 * unit, 40).clip(0.2 * unit, 60 * unit):
            read, found = path.at(threshold), segment(x, threshold, statistic=statistic, min_distance=3)
            assert read.objective == pytest.approx(found.objective, abs=closeness(x, statistic, found.residual)), (seed, threshold)
            assert read.change_points == found.change_points, (seed, threshold)


@pytest.mark.slow
def test_at_any_threshold_of_small_hard_series_the_path_is_as_good_as_a_search(a_series: Callable) -> None:
    """Zeros, ties, constants and spikes, where several segmentations are equally good."""
    for seed in range(120):
        x = a_series(seed)
        x = x / (np.max(np.abs(x)) or 1.0)
        statistic = STATISTICS[seed % 3]
        unit = unit_of(x, statistic)
        path = threshold_path(x, 0, 30 * unit, statistic=statistic)
        thresholds = [0.0, *path.intervals["threshold_from"], *(unit * np.array([0.01, 0.3, 1, 2.5, 4, 9, 20, 30]))]
        for threshold in thresholds:
            read, found = path.at(threshold), segment(x, threshold, statistic=statistic)
            assert read.objective == pytest.approx(found.objective, abs=closeness(x, statistic, found.residual)), (seed, threshold)


@pytest.mark.parametrize("statistic", STATISTICS)
@pytest.mark.parametrize("early_exit", [False, True])
def test_intervals_ascend_with_strictly_fewer_change_points_and_more_residual(a_series: Callable, statistic: str, early_exit: bool) -> None:
    for seed in range(48):
        x = a_series(seed)
        unit = unit_of(x, statistic)
        path = threshold_path(x, 0, 50 * unit, statistic=statistic, early_exit=early_exit)
        intervals = path.intervals
        assert list(intervals.columns) == ["threshold_from", "threshold_to", "n_change_points", "residual"]
        starts, stops = intervals["threshold_from"].to_numpy(), intervals["threshold_to"].to_numpy()
        assert (starts[0], stops[-1]) == (path.min_threshold, path.max_threshold) == (0, 50 * unit)
        assert (starts[1:] == stops[:-1]).all()
        assert (np.diff(starts) > 0).all(), seed
        assert (np.diff(intervals["n_change_points"]) < 0).all(), seed
        assert (np.diff(intervals["residual"]) > 0).all(), seed
        assert [len(points) for points in path.change_points] == intervals["n_change_points"].tolist()


def test_where_an_interval_ends_the_next_segmentation_is_as_good() -> None:
    path = threshold_path(noisy_levels(1), 1, 100)
    assert len(path.intervals) > 5
    rows = list(path.intervals.itertuples())
    for more, fewer in pairwise(rows):
        threshold = fewer.threshold_from
        at_end = more.residual + threshold * more.n_change_points
        assert at_end == pytest.approx(fewer.residual + threshold * fewer.n_change_points, rel=1e-12)


@pytest.mark.slow
def test_no_segmentation_between_two_thresholds_is_missed(the_optimum: Callable) -> None:
    """Along a fine grid, all segmentations weighed find no number of change points that the path lacks."""
    for seed in range(3):
        x = noisy_levels(seed, 60)
        path = threshold_path(x, 0.05, 25, min_distance=3)
        seen = {len(the_optimum(x, threshold, "rms", 3)[1]) for threshold in np.linspace(0.05, 25, 150)}
        assert seen <= set(path.intervals["n_change_points"])


def test_at_an_edge_the_interval_that_begins_there_is_read_and_the_last_one_includes_its_end() -> None:
    path = threshold_path(noisy_levels(2), 1, 50)
    for number, start in enumerate(path.intervals["threshold_from"]):
        assert path.at(start).change_points == path.change_points[number]
        if number:
            assert path.at(np.nextafter(start, 0)).change_points == path.change_points[number - 1]
    assert path.at(50).change_points == path.change_points[-1]


def test_a_segmentation_read_from_the_path_tells_what_segment_tells() -> None:
    x = noisy_levels(3)
    read = threshold_path(x, 1, 50, statistic="std", min_distance=4).at(9.5)
    found = segment(x, 9.5, statistic="std", min_distance=4)
    assert read.segments.equals(found.segments)
    for name in ("change_points", "residual", "objective", "threshold", "n_samples", "statistic", "min_distance", "early_exit"):
        assert getattr(read, name) == getattr(found, name), name


def test_ties_share_one_interval() -> None:
    """Three equal steps pay at the same threshold: all or none, nothing between."""
    path = threshold_path([0, 0, 6, 6, 0, 0, 6, 6], 0, 1000, statistic="mean")
    assert path.intervals["n_change_points"].tolist() == [3, 0]
    assert path.intervals["threshold_from"].tolist() == pytest.approx([0, 24])


@pytest.mark.parametrize("value", [0.0, 3.0])
@pytest.mark.parametrize("statistic", ["rms", "mean"])
def test_a_constant_series_has_one_segmentation(value: float, statistic: str) -> None:
    path = threshold_path([value] * 30, 1, 100, statistic=statistic)
    assert path.intervals[["threshold_from", "threshold_to", "n_change_points"]].to_numpy().tolist() == [[1, 100, 0]]


def test_one_threshold_and_one_sample_are_paths_too() -> None:
    x = noisy_levels(4)
    path = threshold_path(x, 7, 7)
    assert path.intervals[["threshold_from", "threshold_to"]].to_numpy().tolist() == [[7, 7]]
    assert path.at(7).change_points == segment(x, 7).change_points
    assert threshold_path([5.0], 0, 3).at(2).change_points == ()


# findchangepts' early exit


@pytest.mark.parametrize("statistic", STATISTICS)
def test_with_early_exit_the_path_is_that_of_segment_with_early_exit(statistic: str) -> None:
    exited = 0
    for seed in range(10):
        random = np.random.default_rng(seed)
        x = np.concatenate([random.normal(5, 1, 100), random.normal(7, 2.2, 20), random.normal(5, 1, 100)])
        unit = unit_of(x, statistic)
        path = threshold_path(x, 0.5 * unit, 40 * unit, statistic=statistic, early_exit=True)
        edges = path.intervals["threshold_from"].to_numpy()
        for threshold in [*edges, *np.linspace(0.5 * unit, 40 * unit, 25), 40 * unit]:
            found = segment(x, threshold, statistic=statistic, early_exit=True)
            read = path.at(threshold)
            assert read.early_exit
            assert read.objective == pytest.approx(found.objective, abs=closeness(x, statistic, found.residual)), (seed, threshold)
            exited += found.change_points != segment(x, threshold, statistic=statistic).change_points
    assert exited or statistic != "rms"


def test_early_exit_ends_the_path_where_the_best_single_change_no_longer_pays() -> None:
    x = np.concatenate([np.tile([1.0, -1.0], 50), np.tile([3.0, -3.0], 10), np.tile([1.0, -1.0], 50)])
    whole, matlab = (threshold_path(x, 1, 100, early_exit=early_exit) for early_exit in (False, True))
    assert whole.intervals["n_change_points"].tolist() == matlab.intervals["n_change_points"].tolist() == [2, 0]
    splits = [100 * np.log(1.0) + 120 * np.log((20 * 9 + 100) / 120), 120 * np.log((100 + 20 * 9) / 120) + 0.0]
    gain = 220 * np.log((200 + 20 * 9) / 220) - min(splits)
    both = 220 * np.log((200 + 20 * 9) / 220) - 20 * np.log(9)
    assert matlab.intervals["threshold_from"][1] == pytest.approx(gain, rel=1e-12)
    assert whole.intervals["threshold_from"][1] == pytest.approx(both / 2, rel=1e-12)
    assert gain < both / 2


# At most so many change points


def test_with_at_most_takes_the_most_change_points_that_are_allowed() -> None:
    path = threshold_path(noisy_levels(5), 1, 1e6)
    numbers = path.intervals["n_change_points"].tolist()
    for most in range(numbers[0] + 3):
        found = path.with_at_most(most)
        assert found.n_change_points == max(number for number in numbers if number <= most)
        row = numbers.index(found.n_change_points)
        assert found.threshold == path.intervals["threshold_from"][row]
        assert found.residual == pytest.approx(path.intervals["residual"][row])


def test_with_at_most_says_when_the_path_ends_too_early() -> None:
    path = threshold_path(noisy_levels(5), 1, 2)
    with pytest.raises(ParameterError, match="^n_change_points: none up to threshold 2 has at most 0. Raise max_threshold"):
        path.with_at_most(0)


# Bad input


@pytest.mark.parametrize("threshold", [0.99, 20.01, -1, float("nan"), float("inf")])
def test_a_threshold_outside_the_path_is_told(threshold: float) -> None:
    path = threshold_path(noisy_levels(6), 1, 20)
    with pytest.raises(ParameterError, match="^threshold: .* is outside this path, 1 to 20"):
        path.at(threshold)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((5, 4), "^min_threshold: 5 is above max_threshold, 4"),
        ((-1, 4), "^min_threshold: -1 must be a finite number of at least 0"),
        ((1, float("nan")), "^max_threshold: nan must be"),
        ((1, float("inf")), "^max_threshold: inf must be"),
    ],
)
def test_bounds_that_are_none_are_told_by_their_name(arguments: tuple[float, float], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        threshold_path([1.0, 2.0, 3.0], *arguments)


def test_a_series_or_least_segment_that_segment_refuses_is_refused() -> None:
    with pytest.raises(ParameterError, match="^series: sample 2 of 3 is nan"):
        threshold_path([1.0, float("nan"), 2.0], 1, 2)
    with pytest.raises(ParameterError, match="^min_distance: 1 must be a whole number of at least 2 for rms"):
        threshold_path([1.0, 2.0], 1, 2, min_distance=1)


def test_too_many_segmentations_leave_the_path_of_the_higher_thresholds() -> None:
    x = noisy_levels(7)
    whole = threshold_path(x, 0.05, 50)
    assert len(whole.intervals) > 10
    part = threshold_path(x, 0.05, 50, max_segmentations=10)
    assert 5 <= len(part.intervals) <= 10
    assert part.min_threshold > 0.05
    assert part.max_threshold == 50
    tail = whole.intervals.tail(len(part.intervals)).reset_index(drop=True)
    pd.testing.assert_frame_equal(part.intervals.iloc[1:], tail.iloc[1:])
    assert part.intervals["n_change_points"].iloc[0] == tail["n_change_points"].iloc[0]
    for threshold in np.linspace(part.min_threshold, 50, 40):
        assert part.at(threshold).change_points == segment(x, threshold).change_points
    with pytest.raises(ParameterError, match="outside this path"):
        part.at(part.min_threshold * 0.99)
    assert len(threshold_path(x, 0.05, 50, max_segmentations=2 * len(whole.intervals)).intervals) == len(whole.intervals)


# What goes in, what is told on the way


def test_progress_is_told_between_nothing_and_all_and_does_not_go_back_to_nothing() -> None:
    told: list[tuple[float, str]] = []
    path = threshold_path(noisy_levels(8), 0.5, 50, progress=lambda share, note: told.append((share, note)))
    shares = [share for share, _ in told]
    assert len(told) >= len(path.intervals) - 1
    assert min(shares) >= 0
    assert max(shares) <= 1
    assert shares[-1] == 1
    assert shares == sorted(shares)
    assert all("segmentations found" in note for _, note in told)


def test_what_progress_raises_ends_the_search() -> None:
    def cancelled(share: float, note: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        threshold_path(noisy_levels(8), 0.5, 50, progress=cancelled)


def test_the_path_keeps_a_read_only_copy_of_the_series() -> None:
    x = noisy_levels(9)
    before = x.copy()
    path = threshold_path(x, 1, 50)
    np.testing.assert_array_equal(x, before)
    assert x.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        path.series[0] = 1.0
    expected = path.at(5).segments
    x[:] = 0
    np.testing.assert_array_equal(path.series, before)
    assert path.at(5).segments.equals(expected)


def test_the_same_series_gives_the_same_path() -> None:
    one, two = (threshold_path(noisy_levels(10), 0.5, 50) for _ in range(2))
    assert one.intervals.equals(two.intervals)
    assert one.change_points == two.change_points
