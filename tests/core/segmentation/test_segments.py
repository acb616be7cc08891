"""Change points: exact beside all segmentations weighed, sound for any scale, MATLAB's public examples, the models of segments."""

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hemcore.errors import ParameterError
from hemcore.segmentation import Segmentation, segment, threshold_path
from hemcore.segmentation.search.partitioning import optimal_partition

STATISTICS = ("rms", "std", "mean")
REALMIN = 2.2250738585072014e-308
BIG = 2.0**53


@dataclass(frozen=True)
class Reference:
    optimum: Callable
    objective: Callable
    rounding: Callable


@pytest.fixture(scope="session")
def the(the_optimum: Callable, the_objective: Callable, the_rounding: Callable) -> Reference:
    return Reference(the_optimum, the_objective, the_rounding)


def question(series: np.ndarray, seed: int) -> tuple[float, str, int]:
    """(threshold, statistic, min_distance) to ask of the series of a seed; for the mean in units of its variance."""
    statistic = STATISTICS[seed % 3]
    threshold = (0.0, 0.05, 0.5, 2.0, 5.0, 11.0, 40.0)[seed // 3 % 7]
    if statistic == "mean":
        threshold *= float(np.var(series))
    return threshold, statistic, 2 + seed // 5 % 7


def worse_than_the_optimum(series: np.ndarray, asked: tuple[float, str, int], the: Reference) -> bool:
    threshold, statistic, min_distance = asked
    found = segment(series, threshold, statistic=statistic, min_distance=min_distance)
    least, points = the.optimum(series, threshold, statistic, min_distance)
    ours = the.objective(series, found.change_points, threshold, statistic)
    assert min(np.diff([0, *found.change_points, len(series)])) >= min(min_distance, len(series))
    return ours > least + the.rounding(series, points, threshold, statistic)


def differences(seeds: Sequence[int], a_series: Callable, the: Reference) -> list[int]:
    return [seed for seed in seeds if worse_than_the_optimum(a_series(seed), question(a_series(seed), seed), the)]


# Exactness


@pytest.mark.slow
def test_in_six_hundred_random_series_none_is_worse_than_the_optimum(a_series: Callable, the: Reference) -> None:
    assert differences(range(600), a_series, the) == []


def test_in_a_hundred_and_sixty_random_series_none_is_worse_than_the_optimum(a_series: Callable, the: Reference) -> None:
    assert differences(range(3000, 3160), a_series, the) == []


VALUES = st.one_of(
    st.sampled_from([0.0, 1.0, 2.0, 7.0, BIG, BIG - 1, -1.0, 1e-200, 3e-200, 1e-160]),
    st.integers(0, 3).map(float),
    st.floats(-10, 10),
    st.floats(1e-200, BIG),
)
BLOCKS = st.lists(st.tuples(VALUES, st.integers(1, 8)), min_size=1, max_size=12)  # runs of the same value: zeros, ties, constants
SERIES = st.one_of(st.lists(VALUES, min_size=1, max_size=45), BLOCKS.map(lambda blocks: [v for v, n in blocks for _ in range(n)]))


@pytest.mark.slow
@settings(max_examples=250)
@given(
    series=SERIES,
    share=st.one_of(st.sampled_from([0.0, 1e-3, 1.0]), st.floats(0, 60)),
    statistic=st.sampled_from(STATISTICS),
    min_distance=st.integers(2, 8),
)
def test_whatever_the_series_no_segmentation_is_better(
    the: Reference, series: list[float], share: float, statistic: str, min_distance: int
) -> None:
    x = np.array(series)
    threshold = share * float(np.var(x)) if statistic == "mean" else share
    assert not worse_than_the_optimum(x, (threshold, statistic, min_distance), the)


def test_segments_of_one_sample_are_allowed_for_the_mean_and_exact(a_series: Callable, the: Reference) -> None:
    for seed in range(60):
        x = a_series(seed)
        assert not worse_than_the_optimum(x, (0.3 * float(np.var(x)), "mean", 1), the), seed


@pytest.mark.slow
def test_change_points_are_those_of_the_optimum_where_there_is_one_optimum(
    a_series: Callable, the: Reference, the_optimum_is_unique: Callable
) -> None:
    unique = 0
    for seed in range(160):
        x = a_series(seed)
        threshold, statistic, min_distance = question(x, seed)
        points = the.optimum(x, threshold, statistic, min_distance)[1]
        margin = 100 * the.rounding(x, points, threshold, statistic)
        if the_optimum_is_unique(x, threshold, statistic, min_distance, margin):
            unique += 1
            assert list(segment(x, threshold, statistic=statistic, min_distance=min_distance).change_points) == points, seed
    assert unique > 80


def test_pruning_waits_for_the_least_segment(the: Reference) -> None:
    """Spikes among noise: a search that drops a beaten candidate at once is worse than the optimum in a tenth of such series."""
    for seed in range(100):
        random = np.random.default_rng(seed)
        x = np.where(random.random(60) < 0.15, 100.0, 1.0) * random.normal(size=60)
        assert not worse_than_the_optimum(x, (random.uniform(0, 3), "rms", int(random.integers(4, 9))), the), seed


def test_costs_are_those_of_findchangepts_by_hand() -> None:
    x = [3.0, 4.0, 0.0, 5.0]
    assert segment(x, 1e9, min_distance=4).residual == pytest.approx(4 * math.log(50 / 4))
    assert segment(x, 1e9, min_distance=4, statistic="std").residual == pytest.approx(4 * math.log(14 / 4))
    assert segment(x, 1e9, min_distance=4, statistic="mean").residual == pytest.approx(14)
    zeros = segment([0.0] * 6, 1e9)
    assert zeros.residual == pytest.approx(6 * (math.log(REALMIN) - math.log(6)))
    assert segment([7.0] * 6, 1e9, statistic="std").residual == pytest.approx(zeros.residual)


@pytest.mark.parametrize("statistic", ["rms", "mean"])
def test_a_change_that_gains_just_the_threshold_is_none_though_the_objective_is_near_zero(statistic: str) -> None:
    """The objective is 0 but for rounding, which is that of the costs and the threshold: none and one are equal, and none is fewer."""
    for level, size in itertools.product((3.0, 5.0, 6.0, 7.0, 9.0, 10.0, 11.0, 12.0), range(3, 20)):
        if statistic == "rms":
            x, gain = np.repeat([level, 1 / level], size), 2 * size * math.log((level**2 + level**-2) / 2)
        else:
            x, gain = np.repeat([0.0, level + 0.1], size), (level + 0.1) ** 2 * size / 2
        assert segment(x, gain, statistic=statistic).change_points == (), (level, size)
        assert segment(x, gain * (1 - 1e-9), statistic=statistic).change_points == (size,), (level, size)


# Any scale, any length


@pytest.mark.parametrize("statistic", STATISTICS)
def test_counts_of_one_to_nine_after_counts_near_two_to_the_53_keep_their_segments(statistic: str) -> None:
    random = np.random.default_rng(3)
    huge = BIG - random.integers(0, 3, 400)
    low, high = random.integers(1, 3, 400), random.integers(7, 10, 400)
    # Neighbours that are equal have no deviation at all: for std, segments are long enough not to be made of such.
    found = segment(np.concatenate([huge, low, high, low]), 50.0, statistic=statistic, min_distance=40 if statistic == "std" else 2)
    assert found.change_points == (400, 800, 1200)


@pytest.mark.parametrize("level", [0.0, 2.0**52, -(2.0**52)])
def test_a_spread_of_one_is_seen_at_a_level_of_two_to_the_52(level: float) -> None:
    random = np.random.default_rng(4)
    parts = [level + np.rint(random.normal(0, sd, 300)) for sd in (1, 30, 1)]
    # Neighbours that are equal have no deviation at all: segments are long enough not to be made of such.
    found = segment(np.concatenate(parts), 30.0, statistic="std", min_distance=20)
    assert len(found.change_points) == 2
    np.testing.assert_allclose(found.change_points, [300, 600], atol=3)
    for number, part in enumerate(parts):
        assert found.segments["std"][number] == pytest.approx(float(np.std(part - level)), rel=0.05)


def test_the_std_of_a_segment_keeps_its_digits_at_a_level_of_two_to_the_52() -> None:
    offsets = np.array([0.0, 1.0, 3.0, 0.0, 2.0, 1.0])
    found = segment(2.0**52 + offsets, 1e9, statistic="std").segments
    assert found["std"][0] == pytest.approx(float(np.std(offsets)), rel=1e-13)


def test_the_mean_of_a_segment_keeps_ones_beside_counts_of_two_to_the_53() -> None:
    found = segment([0.0, BIG, 1.0, 1.0, 1.0, 1.0, -BIG], 1e9, min_distance=7).segments
    assert found["mean"].tolist() == [4 / 7]


@pytest.mark.slow
def test_a_million_samples_of_two_hundred_levels_give_their_change_points_back() -> None:
    random = np.random.default_rng(5)
    bounds = np.sort(random.choice(np.arange(1, 1000), 199, replace=False)) * 1000
    levels = 2.0 ** (np.cumsum(random.choice([-1, 1], 200)) % 40 + 10)
    series = np.rint(np.repeat(levels, np.diff([0, *bounds, 1_000_000])) * random.uniform(0.9, 1.1, 1_000_000))
    found = segment(series, 40.0)
    assert found.change_points == tuple(bounds)
    assert found.residual == pytest.approx(residual_by_fsum(series, found), rel=1e-13)
    assert found.segments["n_samples"].sum() == 1_000_000


def residual_by_fsum(series: np.ndarray, found: Segmentation) -> float:
    costs = []
    for part in np.split(series, found.change_points):
        values = part.tolist()
        if found.statistic == "rms":
            energy = math.fsum(value * value for value in values)
        else:
            middle = sum(map(Fraction, values)) / len(values)
            energy = float(sum((Fraction(value) - middle) ** 2 for value in values))
        if found.statistic == "mean":
            costs.append(energy)
        else:
            costs.append(len(values) * (math.log(max(energy, REALMIN)) - math.log(len(values))))
    return math.fsum(costs)


@pytest.mark.parametrize("statistic", STATISTICS)
def test_the_residual_is_the_sum_of_segment_costs_without_the_penalty(a_series: Callable, statistic: str) -> None:
    for seed in range(24):
        x = a_series(seed)
        x = x / (np.max(np.abs(x)) or 1.0)
        threshold = 2.0 * float(np.var(x)) if statistic == "mean" else 2.0
        found = segment(x, threshold, statistic=statistic)
        assert found.residual == pytest.approx(residual_by_fsum(x, found), rel=1e-10, abs=1e-10), seed
        assert found.objective == pytest.approx(found.residual + threshold * found.n_change_points)


@pytest.mark.parametrize("statistic", ["rms", "std"])
def test_data_in_other_units_keep_their_change_points_and_shift_the_residual(statistic: str) -> None:
    random = np.random.default_rng(6)
    x = np.repeat([1.0, 20.0, 3.0, 90.0], 65) * random.normal(1, 0.3, 260)
    one, thousand = (segment(scale * x, 5.0, statistic=statistic) for scale in (1.0, 1000.0))
    assert one.change_points == thousand.change_points != ()
    assert thousand.residual - one.residual == pytest.approx(2 * 260 * math.log(1000))
    assert 2 * 260 * math.log(1000) == pytest.approx(3592.03, abs=0.005)  # what MATLAB's own figures show


# MATLAB's public examples; its change points count from 1, ours from 0


def test_one_change_of_0_1_2_1_is_at_2_for_the_mean_and_at_3_for_the_rms() -> None:
    for statistic, min_distance, from_one in (("mean", 1, 2), ("rms", 2, 3)):
        path = threshold_path([0, 1, 2, 1], 0, 1000, statistic=statistic, min_distance=min_distance)
        assert path.with_at_most(1).change_points == (from_one - 1,), statistic


@pytest.mark.parametrize("early_exit", [False, True])
def test_0_1_2_has_two_one_and_no_change_at_thresholds_0_1_and_2(early_exit: bool) -> None:
    found = [segment([0, 1, 2], t, statistic="mean", min_distance=1, early_exit=early_exit) for t in (0, 1, 2)]
    assert [each.n_change_points for each in found] == [2, 1, 0]


SINE = np.sin(2 * np.pi * np.arange(11) / 5)


@pytest.mark.parametrize(("min_distance", "n_change_points"), [(3, 2), (5, 0)])
def test_at_most_five_changes_of_the_sine_are_matlabs_two_and_none(min_distance: int, n_change_points: int) -> None:
    path = threshold_path(SINE, 0, 1000, statistic="mean", min_distance=min_distance)
    assert path.with_at_most(5).n_change_points == n_change_points


def test_matlabs_five_changes_of_the_sine_are_the_optimum_of_one_threshold_which_three_and_six_share(the: Reference) -> None:
    """The path has no interval of five: only where three and six are equally good five are as good as these."""
    path = threshold_path(SINE, 0, 1000, statistic="mean", min_distance=1)
    assert path.intervals["n_change_points"].tolist() == [10, 6, 3, 0]
    threshold = float(path.intervals["threshold_from"][2])
    five = min(the.objective(SINE, points, threshold, "mean") for points in itertools.combinations(range(1, 11), 5))
    assert five == pytest.approx(path.at(threshold).objective, abs=1e-12)


def plateau() -> np.ndarray:
    random = np.random.default_rng(0)
    return np.concatenate([random.normal(0, 1, 100), random.normal(0, 2, 20), random.normal(0, 1, 100)])


def test_early_exit_returns_nothing_where_only_two_changes_together_pay() -> None:
    x = plateau()
    threshold = gain_of_the_best_single_split(x) + 1.0
    exact, matlab = segment(x, threshold), segment(x, threshold, early_exit=True)
    assert exact.n_change_points == 2
    assert np.abs(np.array(exact.change_points) - [100, 120]).max() <= 3
    assert matlab.change_points == ()
    assert exact.objective < matlab.objective
    assert (exact.early_exit, matlab.early_exit) == (False, True)


def gain_of_the_best_single_split(x: np.ndarray) -> float:
    def cost(part: np.ndarray) -> float:
        return len(part) * math.log(float(np.mean(part**2)))

    return cost(x) - min(cost(x[:split]) + cost(x[split:]) for split in range(2, len(x) - 1))


def test_early_exit_changes_nothing_up_to_the_gain_of_the_best_single_split() -> None:
    x = plateau()
    single = gain_of_the_best_single_split(x)
    for threshold in (0.5 * single, 0.999 * single):
        assert segment(x, threshold, early_exit=True).change_points == segment(x, threshold).change_points != ()
    assert segment(x, 1.001 * single, early_exit=True).change_points == ()


@pytest.mark.parametrize("statistic", STATISTICS)
@pytest.mark.parametrize("min_distance", [2, 3, 5])
def test_early_exit_weighs_the_first_and_the_last_place_where_a_segment_fits(statistic: str, min_distance: int) -> None:
    x = np.concatenate([np.tile([1.0, 3.0], 20), np.linspace(900.0, 1000.0, min_distance)])
    for series, change in ((x, 40), (x[::-1], min_distance)):
        gain = segment(series, 1e9, statistic=statistic, min_distance=min_distance).residual - residual_of_split(series, change, statistic)
        threshold = 0.999 * gain
        found = segment(series, threshold, statistic=statistic, min_distance=min_distance, early_exit=True)
        assert found.change_points == (change,)


def residual_of_split(x: np.ndarray, change: int, statistic: str) -> float:
    """The sum of the costs of two segments, neither of which is constant, by the definition."""
    parts = [x[:change], x[change:]]
    if statistic == "mean":
        return float(sum(len(part) * np.var(part) for part in parts))
    return float(sum(len(part) * np.log(np.mean(part**2) if statistic == "rms" else np.var(part)) for part in parts))


# The models of the segments


def test_segments_describe_their_own_samples() -> None:
    found = segment([1.0, 3.0, 1.0, 3.0, 100.0, 300.0, 200.0], 0.5, min_distance=3)
    assert found.change_points == (4,)
    expected = pd.DataFrame(
        {
            "start": [0, 4],
            "stop": [4, 7],
            "n_samples": [4, 3],
            "mean": [2.0, 200.0],
            "std": [1.0, math.sqrt(20000 / 3)],
            "rms": [math.sqrt(5), math.sqrt(140000 / 3)],
            "min": [1.0, 100.0],
            "max": [3.0, 300.0],
        }
    )
    pd.testing.assert_frame_equal(found.segments, expected, rtol=1e-14)
    assert (found.n_samples, found.threshold, found.statistic, found.min_distance) == (7, 0.5, "rms", 3)


def test_segments_lie_end_to_end(a_series: Callable) -> None:
    for seed in range(40):
        x = a_series(seed)
        found = segment(x, 0.5)
        assert [0, *found.change_points] == found.segments["start"].tolist()
        assert [*found.change_points, len(x)] == found.segments["stop"].tolist()
        assert (found.segments["stop"] - found.segments["start"]).tolist() == found.segments["n_samples"].tolist()
        assert len(found.segments) == found.n_change_points + 1
        for row, part in zip(found.segments.itertuples(), np.split(np.asarray(x, dtype=float), found.change_points), strict=True):
            assert (row.min, row.max) == (part.min(), part.max())
            assert row.mean == pytest.approx(part.mean(), rel=1e-12)


def test_one_sample_is_one_segment() -> None:
    for statistic in STATISTICS:
        found = segment([4.0], 0, statistic=statistic)
        assert found.change_points == ()
        assert found.segments[["n_samples", "mean", "std", "rms"]].to_numpy().tolist() == [[1, 4, 0, 4]]
    assert segment([4.0], 0).residual == pytest.approx(math.log(16))


@pytest.mark.parametrize("statistic", STATISTICS)
@pytest.mark.parametrize("early_exit", [False, True])
def test_fewer_samples_than_two_least_segments_are_one_segment(statistic: str, early_exit: bool) -> None:
    x = [1.0, 1.0, 1.0, 9.0, 900.0]
    for min_distance in (3, 5, 6, 100):
        assert segment(x, 0, statistic=statistic, min_distance=min_distance, early_exit=early_exit).change_points == ()


def test_two_least_segments_are_enough() -> None:
    assert segment([1.0, 1.0, 9.0, 9.0], 1.0).change_points == (2,)


@pytest.mark.parametrize("value", [0.0, 5.0, 1e-200, BIG])
def test_a_constant_series_has_no_change_point_once_one_costs_something(value: float) -> None:
    for statistic in ("rms", "mean"):
        assert segment([value] * 60, 1.0, statistic=statistic).change_points == ()


def test_a_threshold_above_all_gains_leaves_one_segment_and_a_higher_one_never_more_change_points() -> None:
    x = np.repeat([1.0, 50.0, 2.0], 30) * np.random.default_rng(7).normal(1, 0.2, 90)
    numbers = [segment(x, threshold).n_change_points for threshold in (0, 1, 2, 4, 8, 16, 64, 1e4, 1e12)]
    assert numbers == sorted(numbers, reverse=True)
    assert numbers[-1] == 0
    assert numbers[0] > 2


# Bad input


@pytest.mark.parametrize(
    ("series", "message"),
    [
        ([], "no samples"),
        ([1.0, float("nan"), 2.0, float("nan")], "sample 2 of 4 is nan"),
        ([1.0, 2.0, float("inf")], "sample 3 of 3 is inf"),
        ([1.0, -float("inf")], "sample 2 of 2 is -inf"),
        ([1e141, 1.0], "sample 1 of 2 is 1e\\+141"),
        ([[1.0, 2.0], [3.0, 4.0]], "shape \\(2, 2\\) has 2 dimensions"),
        (5.0, "0 dimensions"),
        (["a", "b"], "it must be numbers"),
        ("text", "it must be numbers"),
        (None, "series"),
        ([[1.0], [1.0, 2.0]], "it must be numbers"),
    ],
)
def test_a_series_that_cannot_be_segmented_is_told(series: object, message: str) -> None:
    with pytest.raises(ParameterError, match=f"^series: .*{message}" if message != "series" else "^series"):
        segment(series, 1.0)  # type: ignore[arg-type]


@pytest.mark.parametrize("threshold", [-1, -1e-9, float("nan"), float("inf"), "3", True])
def test_a_threshold_that_is_none_is_told(threshold: object) -> None:
    with pytest.raises(ParameterError, match="^threshold: .* must be a finite number of at least 0"):
        segment([1.0, 2.0], threshold)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("statistic", "min_distance", "least"),
    [("rms", 1, 2), ("std", 1, 2), ("mean", 0, 1), ("rms", -3, 2), ("rms", 2.5, 2), ("rms", "2", 2), ("mean", True, 1)],
)
def test_a_least_segment_too_short_for_the_statistic_is_told(statistic: str, min_distance: object, least: int) -> None:
    with pytest.raises(ParameterError, match=f"^min_distance: .* at least {least} for {statistic}"):
        segment([1.0, 2.0], 1.0, statistic=statistic, min_distance=min_distance)  # type: ignore[arg-type]


def test_an_unknown_statistic_is_told_with_the_known_ones() -> None:
    with pytest.raises(ParameterError, match="^statistic: 'linear' is not known; .*rms.*std.*mean"):
        segment([1.0, 2.0], 1.0, statistic="linear")  # type: ignore[arg-type]


# What goes in


@pytest.mark.slow
def test_the_series_stays_as_it_was_and_may_be_read_only() -> None:
    x = np.random.default_rng(8).normal(size=200)
    x.flags.writeable = False
    before = x.copy()
    for statistic in STATISTICS:
        segment(x.copy(), 0.5, statistic=statistic, early_exit=True)
    compiled = len(optimal_partition.signatures)
    for statistic in STATISTICS:
        segment(x, 0.5, statistic=statistic, early_exit=True)
    np.testing.assert_array_equal(x, before)
    assert len(optimal_partition.signatures) == compiled  # in seconds, while somebody waits


def test_the_same_series_gives_the_same_segments() -> None:
    x = np.random.default_rng(9).integers(0, 3, 300)
    one, two = segment(x, 0.5), segment(x, 0.5)
    assert one.change_points == two.change_points
    assert one.residual == two.residual
    pd.testing.assert_frame_equal(one.segments, two.segments)


def test_lists_integers_and_strided_views_are_the_series_of_their_numbers() -> None:
    x = np.array([1, 2, 1, 2, 90, 80, 90, 80])
    expected = segment(x.astype(float), 1.0)
    wide = np.zeros((8, 3))
    wide[:, 1] = x
    for same in (x.tolist(), tuple(x), x.astype(np.int32), x.astype(np.uint64), x.astype(np.float32), wide[:, 1], pd.Series(x)):
        found = segment(same, 1)
        assert found.change_points == expected.change_points == (4,)
        assert found.residual == expected.residual
        pd.testing.assert_frame_equal(found.segments, expected.segments)


def test_what_is_masked_was_not_counted() -> None:
    with pytest.raises(ParameterError, match="sample 2 of 4 is nan; each must be counted"):
        segment(np.ma.masked_array([1, 2, 3, 4], [0, 1, 0, 0]), 1)


@pytest.mark.parametrize("series", [[1 + 2j, 3], ["1", "2"]])
def test_numbers_alone_are_samples(series) -> None:
    with pytest.raises(ParameterError, match="must be numbers"):
        segment(series, 1)


@pytest.mark.slow
@pytest.mark.parametrize(("statistic", "threshold"), [("rms", 20.0), ("mean", 20.0)])
def test_long_segments_are_found_without_weighing_all_pairs(statistic, threshold) -> None:
    # 200,000 samples in four segments: with PELT's pruning alone 2.5e9 candidates would be weighed.
    random = np.random.default_rng(5)
    levels = np.repeat([1.0, 3.0, 2.0, 5.0], 50_000)
    found = segment(levels * (1 + 0.1 * random.normal(size=levels.size)), threshold, statistic=statistic)
    assert np.abs(np.array(found.change_points) - [50_000, 100_000, 150_000]).max() <= 2


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(300))
def test_among_zeros_the_optimum_is_found_though_few_places_are_weighed(the_optimum, the_objective, seed) -> None:
    random = np.random.default_rng(seed)
    x = np.zeros(int(random.integers(4, 70)))
    for _ in range(int(random.integers(0, 5))):
        start = int(random.integers(0, len(x)))
        x[start : start + int(random.integers(1, 13))] = random.choice([1.0, 5.0, 1e6, 1e-3])
    min_distance, threshold = int(random.choice([2, 3, 6])), float(random.choice([0, 0.3, 3, 40, 700, 3000]))
    found = segment(x, threshold, min_distance=min_distance)
    best, _ = the_optimum(x, threshold, "rms", min_distance)
    assert the_objective(x, found.change_points, threshold, "rms") <= best + 1e-10 * (1 + abs(best))


@pytest.mark.parametrize("statistic", ["rms", "std", "mean"])
@pytest.mark.parametrize("level", [0.0, 0.9, 2.0**53])
def test_where_nothing_changes_there_is_no_change_point_at_once(statistic, level) -> None:
    assert segment(np.full(300_000, level), 0.1, statistic=statistic).change_points == ()


def test_long_zeros_take_no_time_with_the_square_of_their_length() -> None:
    x = np.zeros(300_000)
    x[100_000:100_050] = 7.0
    assert segment(x, 5.0).change_points == (100_000, 100_050)


def test_a_small_gain_beside_a_huge_sum_is_seen() -> None:
    """One spike of 1e8 makes the sum of squares 1e16, of which the change from 1 to 5 is a 1e-13th."""
    random = np.random.default_rng(0)
    x = np.repeat([1.0, 5.0], 50) + 0.1 * random.normal(size=100)
    x[10] = 1e8
    found = segment(x, 10.0, statistic="mean", min_distance=2).change_points
    assert 50 in found
    assert len(found) == 3


@pytest.mark.parametrize("series", [[10**400, 1], [1, -(10**400)]])
def test_whole_numbers_beyond_floats_are_told(series) -> None:
    with pytest.raises(ParameterError, match="must be numbers"):
        segment(series, 1)


def test_the_share_that_the_segments_explain() -> None:
    # Means 1 and 11 around 6, each within 1: squares of 25 and 1.
    assert segment([0, 2, 0, 2, 10, 12, 10, 12], 2, statistic="mean").explained == pytest.approx(25 / 26)
    assert segment([1, 1, 1, 1, 5, 5, 5, 5], 2, statistic="mean").explained == 1
    assert np.isnan(segment([5, 5, 5, 5], 2, statistic="mean").explained)
