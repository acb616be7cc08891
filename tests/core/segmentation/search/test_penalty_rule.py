"""`segment` alone: the statistic and the threshold that it chooses, and how well on series that nobody tuned it on."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hemcore.errors import ParameterError
from hemcore.segmentation import optimal_threshold, segment
from hemcore.segmentation.analysis import BY_RULE
from hemcore.segmentation.params import SegmentationParams
from hemcore.segmentation.search.outlying_samples import without_outlying
from hemcore.segmentation.search.penalty_rule import _least
from hemcore.segmentation.search.residuals import without_bends
from hemcore.segmentation.search.slow_waves import beside_a_wave
from tests.core.segmentation.annotated import KINDS, covering_of, every, f1_of, held_out, tuning
from tests.core.segmentation.made import made, params_of, table


def noise(seed: int, n: int = 200) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=n)


@pytest.mark.parametrize(
    ("statistic", "n", "least"),
    [("mean", 5, 1), ("mean", 30, 3), ("mean", 900, 5), ("std", 4, 2), ("std", 20, 5), ("rms", 200, 10), ("rms", 400, 20)],
)
def test_the_least_segment_grows_with_the_series(statistic: str, n: int, least: int) -> None:
    # Of means a tenth, at most 5; else 10 or a twentieth, at most a quarter.
    assert _least(statistic, n, None) == least
    assert _least(statistic, n, 7) == 7


def test_levels_are_found_and_said() -> None:
    series = np.repeat([0.0, 5.0, 2.0], 60) + noise(0, 180)
    found = segment(series)
    assert found.statistic == "mean"
    assert np.abs(np.array(found.change_points) - [60, 120]).max() <= 1
    assert found.chosen_by == "Changes of the mean, each more than 4 log(n) times the long-run variance of the noise."
    assert segment(series, found.threshold, statistic="mean", min_distance=found.min_distance).chosen_by == ""


def test_a_small_change_on_a_large_offset_is_found() -> None:
    """rms sees nothing here: 3 in a million."""
    series = 1e6 + np.repeat([0.0, 3.0], 100) + noise(1)
    assert segment(series).n_change_points == 1
    assert segment(series, 10.0).n_change_points == 0


@pytest.mark.parametrize("seed", range(6))
def test_noise_and_straight_trends_are_no_steps(seed: int) -> None:
    x = np.arange(300)
    for series in (noise(seed, 300), x / 10 + noise(seed, 300), 50 - x / 3 + noise(seed, 300)):
        assert segment(series).change_points == ()
    assert segment(noise(seed, 300)).change_points == ()


def test_steps_are_not_taken_for_correlated_noise() -> None:
    """Residuals around one mean have a correlation of 0.99 here, as a random walk has; around three they have none."""
    series = np.repeat([0.0, 9.0, 2.0], 60) + noise(0, 180)
    assert np.abs(np.array(segment(series).change_points) - [60, 120]).max() <= 1
    quick = 8 / (1 + np.exp(-(np.arange(200) - 90) / 3.0)) + 0.5 * noise(1)
    assert any(abs(each - 90) <= 5 for each in segment(quick).change_points)


def test_correlated_noise_raises_the_price_of_a_step() -> None:
    """Innovations of variance 1 and coefficient 0.8 have a long-run variance of 1 / 0.2^2 = 25."""
    none = 0
    for seed in range(10):
        left = noise(seed, 300)
        for at in range(1, 300):
            left[at] += 0.8 * left[at - 1]
        none += segment(left).change_points == ()
    assert none >= 8


def test_where_the_deviation_alone_changes_it_is_found() -> None:
    series = noise(3, 240) * np.repeat([1.0, 6.0, 1.0], 80)
    found = segment(series)
    assert found.statistic == "std"
    assert np.abs(np.array(found.change_points) - [80, 160]).max() <= 8
    assert found.min_distance >= 10
    assert "standard deviation" in found.chosen_by
    assert segment(series, statistic="mean").change_points == ()
    assert segment(np.repeat([0.0, 50.0], 100) + noise(4), statistic="std").statistic == "std"


@given(seed=st.integers(0, 5_000), kind=st.sampled_from(list(KINDS)))
@settings(max_examples=40)
def test_at_the_threshold_that_it_chose_the_same_is_found(seed: int, kind: str) -> None:
    series, _ = KINDS[kind](np.random.default_rng(seed))
    found = segment(series)
    again = segment(without_outlying(series), found.threshold, statistic=found.statistic, min_distance=found.min_distance)
    assert again.change_points == found.change_points
    assert again.residual == found.residual or "aside" in found.chosen_by


@given(seed=st.integers(0, 5_000), by=st.sampled_from([1e-100, 1e-3, 1e6, 1e100]), offset=st.sampled_from([0.0, 1.0, -1e3]))
@settings(max_examples=30)
def test_units_and_offsets_do_not_matter(seed: int, by: float, offset: float) -> None:
    series = np.repeat([0.0, 4.0, 1.0], 50) + noise(seed, 150)
    assert segment((series + offset) * by).change_points == segment(series).change_points


@pytest.mark.parametrize("series", [[3.0], [3.0, 4.0], [1.0, 9.0, 1.0], [5.0] * 40, [0.0] * 40, [1e300 * 1e-165] * 5])
def test_where_nothing_can_change_there_is_one_segment(series: list[float]) -> None:
    found = segment(series)
    assert found.change_points == ()
    assert found.chosen_by.endswith("one segment.")


def test_steps_without_noise_are_found() -> None:
    assert segment(np.repeat([0.0, 1.0, 0.5], 20)).change_points == (20, 40)
    assert segment(np.repeat([0.0, 1.0], 4)).change_points == (4,)


def test_a_threshold_keeps_rms_and_std_takes_segments_that_suit_it() -> None:
    series = np.abs(noise(0)) + 1
    assert segment(series, 10.0).statistic == "rms"
    assert segment(series, 10.0).min_distance == 2
    std = segment(np.rint(noise(2, 400)), 12.0, statistic="std")
    assert std.min_distance == 10
    # With segments of two samples every pair of equal ones pays.
    assert segment(np.rint(noise(2, 400)), 12.0, statistic="std", min_distance=2).n_change_points > 20 > std.n_change_points
    assert segment(noise(0, 12), 1.0, statistic="std").min_distance == 3


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"statistic": "rms"}, "^statistic: rms has no rule to choose its threshold"),
        ({"early_exit": True}, "^early_exit: it compares the threshold"),
        ({"statistic": "linear"}, "^statistic: 'linear' is not known"),
        ({"min_distance": 0}, "^min_distance: 0 must be a whole number of at least 1 for mean"),
        ({"statistic": "std", "min_distance": 1}, "^min_distance: 1 must be a whole number of at least 2 for std"),
    ],
)
def test_what_the_rule_does_not_know_is_told(how: dict, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        segment(noise(0), **how)


def test_every_run_by_its_own_rule() -> None:
    found = BY_RULE.of(table(), params_of())
    assert [each.samples.run for each in found.runs] == [4, 2]
    assert all(len(each.models) == 3 for each in found.runs)
    assert found.agreement["recall_true"].tolist() == [1, 1]
    flat = BY_RULE.of(made({"run": 1, "interval": np.arange(9)}, A=np.ones(9)), SegmentationParams())
    assert flat.segments["n_samples"].tolist() == [9]


# The annotated set


@pytest.mark.slow
def test_the_set_is_varied_and_each_of_its_series_is_made_from_a_seed_alone() -> None:
    assert len(every()) > 650
    assert len(tuning()) + len(held_out()) == len(every())
    assert {each.kind for each in every()} >= set(KINDS)
    assert sum(not each.change_points for each in every()) > 150
    for kind, make in KINDS.items():
        (one, points), (other, _) = make(np.random.default_rng(7)), make(np.random.default_rng(7))
        np.testing.assert_array_equal(one, other)
        assert 50 <= len(one) <= 500, kind
        assert np.isfinite(one).all()
        assert list(points) == sorted(set(points))
        assert all(0 < point < len(one) for point in points)


def test_the_measures_are_those_of_the_literature() -> None:
    """The start is a change point of both: none found of one true gives precision 1, recall a half."""
    assert f1_of([50], []) == pytest.approx(2 / 3)
    assert f1_of([], []) == 1
    assert f1_of([50], [55]) == 1
    assert f1_of([50], [56]) == pytest.approx(1 / 2)
    assert covering_of([50], [], 100) == pytest.approx(0.5)


@pytest.mark.slow
def test_on_series_that_it_was_not_tuned_on_it_is_as_good_as_is_said() -> None:
    """Figures of benchmarks/bench_default_segmentation.py, every third series of the half that is held out."""
    ours, algorithm, none = [], [], []
    for each in held_out()[::3]:
        series, true = each.series, each.change_points
        threshold = optimal_threshold([series], 100).threshold
        for figures, found in (
            (ours, segment(series).change_points),
            (algorithm, segment(series, threshold).change_points),
            (none, ()),
        ):
            figures.append((covering_of(true, found, len(series)), f1_of(true, found)))
    covering, f1 = np.mean(ours, axis=0)
    assert covering > 0.85
    assert f1 > 0.85
    assert (np.mean(ours, axis=0) > np.mean(algorithm, axis=0) + 0.12).all()
    assert (np.mean(ours, axis=0) > np.mean(none, axis=0) + 0.18).all()


def test_a_walk_and_a_slow_wave_are_no_steps() -> None:
    """Steps through them beat noise of a correlation up to 0.5; what they leave is what steps leave of a walk, or lines leave less."""
    walk = np.cumsum(noise(7, 3_000))
    assert segment(walk).change_points == ()
    assert segment(walk).chosen_by == "A walk or a slow wave fits as well as steps of the mean: one segment."
    jump = np.cumsum(noise(7, 300)) + np.repeat([0.0, 60.0], 150)
    assert segment(jump).change_points == (150,)
    wave = 3 * np.sin(np.arange(9_000) / 700) + 0.2 * noise(8, 9_000)
    found = segment(wave, statistic="mean")
    assert found.change_points == ()
    assert found.chosen_by.endswith("fit better than steps of the mean: one segment.") or "slow wave" in found.chosen_by


def test_far_samples_are_set_aside_by_hand() -> None:
    """Of seven values 1 and -1 in turn the median is the other one, 2 away: noise 2 / .6745 = 2.97, 7 times that is 20.8."""
    samples = np.tile([1.0, -1.0], 10)
    samples[[4, 13]] = [19, -20]
    near = without_outlying(samples)
    assert np.flatnonzero(near != samples).tolist() == [13]
    assert near[13] == 1
    samples[4] = 20
    assert without_outlying(samples)[4] == -1
    # Three in a row go, four stay: they are half of the 7 around each.
    for many, left in ((3, 0), (4, 4)):
        burst = noise(5)
        burst[90 : 90 + many] += 40
        assert (without_outlying(burst) > 20).sum() == left
    steps = np.repeat([0.0, 9.0], 20)
    for same in (steps, noise(6), np.zeros(30), samples[:13]):
        assert without_outlying(same) is same


def test_far_samples_do_not_hide_steps() -> None:
    series = np.repeat([0.0, 3.0, 1.0], 60) + noise(9, 180)
    series[[20, 21, 75, 130, 131, 150]] += [30, 20, -25, 30, 25, -28]
    found = segment(series)
    assert len(found.change_points) == 2
    assert np.abs(np.array(found.change_points) - [60, 120]).max() <= 2
    assert found.chosen_by.endswith("noise. 6 samples far from those around them set aside.")
    # The segments are of the series as it is.
    assert found.segments["max"].max() == series.max()
    series[[21, 75, 130, 131, 150]] = 0
    assert segment(series).chosen_by.endswith(" 1 sample far from those around it set aside.")


def test_steps_beside_a_slow_wave() -> None:
    wave = 2 * np.sin(np.arange(400) / 45) + 0.3 * noise(10, 400)
    found = segment(wave + np.repeat([0.0, 6.0], 200))
    assert found.change_points == (200,)
    assert found.chosen_by == "Steps of the mean beside a slow wave, which explains the others."
    assert segment(wave).change_points == ()
    # Levels alone are no wave.
    assert "wave" not in segment(np.repeat([0.0, 5.0, 2.0, 6.0], 60) + noise(0, 240)).chosen_by


def test_which_steps_are_left_beside_a_wave() -> None:
    cosine = 3 * np.cos(np.pi * 2 * (np.arange(200) + 0.5) / 200)
    rows = [np.array([50, 100, 150]), np.array([100]), np.empty(0, dtype=int)]
    assert beside_a_wave(cosine + np.repeat([0.0, 4.0], 100) + 0.1 * noise(1), rows, 0, 3, 0.5) == 1
    assert beside_a_wave(cosine + 0.1 * noise(1), rows, 0, 3, 0.5) == 2
    # No wave; one of more half periods than are tried; steps that are not among those allowed; few samples.
    assert beside_a_wave(np.repeat([0.0, 4.0], 100) + 0.1 * noise(1), rows, 1, 3, 0.5) is None
    assert beside_a_wave(np.cos(np.pi * 14 * (np.arange(200) + 0.5) / 200) + 0.1 * noise(1), rows, 2, 3, 0.5) is None
    assert beside_a_wave(cosine + np.repeat([0.0, 40.0], 100) + 0.1 * noise(1), rows, 0, 0, 0.5) is None
    assert beside_a_wave(cosine[:39], [np.empty(0, dtype=int)], 0, 0, 0.5) is None
    # Of a long series every second sample, with the steps at their places.
    long = np.repeat(cosine, 50) + np.repeat([0.0, 4.0], 5_000) + 0.1 * noise(1, 10_000)
    assert beside_a_wave(long, [each * 50 for each in rows], 0, 3, 0.5) == 1


def test_lines_between_segments_by_hand() -> None:
    """Means 1 and 5, in the middle of 3 samples each, at 1 and 4: level until 1, then 4 / 3 a sample."""
    samples = np.array([0.0, 1.0, 2.0, 5.0, 5.0, 5.0])
    assert without_bends(samples, np.array([3])) == pytest.approx(samples - [1, 1, 7 / 3, 11 / 3, 5, 5])
