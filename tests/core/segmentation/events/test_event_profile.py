"""Table I of Imtiaz et al. (2022) on runs whose phases are known."""

import math

import numpy as np
import pandas as pd
import pytest

from hemcore.errors import ParameterError
from hemcore.segmentation import optimal_threshold, profile_events, segment
from hemcore.segmentation.events.event_profile import COLUMNS, contradiction, judged, ranked, relative_spread


def run(levels: list[float], seed: int, each: int = 50, sd: float = 0.1) -> np.ndarray:
    return np.repeat(levels, each) * np.random.default_rng(seed).normal(1, sd, len(levels) * each)


def runs(levels: list[float], n_runs: int = 5, **how: float) -> list[np.ndarray]:
    return [run(levels, seed, **how) for seed in range(n_runs)]  # type: ignore[arg-type]


STAIRS = [10.0, 100.0, 10.0, 1000.0]


def test_each_event_has_the_figures_of_its_runs_in_the_order_given() -> None:
    events = {"stairs": runs(STAIRS), "flat": runs([100.0], each=200), "busy": runs([1.0, 50.0] * 15, each=10), "one": runs([5.0, 9.0])}
    found = profile_events(events, 50)
    assert tuple(found.columns) == COLUMNS
    assert found["event"].tolist() == ["stairs", "flat", "busy", "one"]
    assert found["n_segments"].tolist() == [4, 1, 30, 2]
    assert found["fewest_segments"].tolist() == [4, 1, 30, 2]
    assert found["most_segments"].tolist() == [4, 1, 30, 2]
    assert found["n_runs"].tolist() == [5] * 4
    assert found["kept"].tolist() == [True, False, False, False]
    assert found["kept"].dtype == bool
    for event, row in found.set_index("event").iterrows():
        best = optimal_threshold(events[event], 50)
        residuals = [segment(each, best.threshold).residual for each in events[event]]
        assert row["optimal_threshold"] == best.threshold
        assert row["max_residual"] == max(residuals)
        spread = np.std(residuals, ddof=1) / np.mean(residuals)
        assert row["cov_percent"] == pytest.approx(100 * spread, rel=1e-12)
        assert row["cov_percent_as_printed"] == pytest.approx(100 * math.sqrt(spread), rel=1e-12)


def test_runs_that_differ_show_the_median_the_fewest_and_the_most_segments() -> None:
    found = profile_events({"a": [run(STAIRS[:n], n) for n in (1, 2, 4, 4)]}, 50).iloc[0]
    assert (found["fewest_segments"], found["n_segments"], found["most_segments"]) == (1, 3, 4)


def test_the_spread_of_the_residual_is_that_of_a_hand_calculation() -> None:
    """Constant runs: the residual is n log(x**2), so that 2 * 2 log(e) = 4 and 2 * 2 log(e**2) = 8."""
    found = profile_events({"a": [[math.e] * 2, [math.e**2] * 2]}, 5).iloc[0]
    assert found["max_residual"] == pytest.approx(8)
    assert found["cov_percent"] == pytest.approx(100 * math.sqrt(8) / 6)
    assert found["cov_percent_as_printed"] == pytest.approx(100 * math.sqrt(math.sqrt(8) / 6))


def test_a_negative_residual_has_a_spread_above_zero() -> None:
    found = profile_events({"a": [[1 / math.e] * 2, [1 / math.e**2] * 2]}, 5).iloc[0]
    assert found["max_residual"] == pytest.approx(-4)
    assert found["cov_percent"] == pytest.approx(100 * math.sqrt(8) / 6)
    assert found["cov_percent_as_printed"] == pytest.approx(100 * math.sqrt(math.sqrt(8) / 6))


def test_one_run_has_no_spread() -> None:
    found = profile_events({"a": runs(STAIRS, n_runs=1)}, 50).iloc[0]
    assert found["kept"]
    assert found["n_runs"] == 1
    assert math.isnan(found["cov_percent"])
    assert math.isnan(found["cov_percent_as_printed"])


def test_a_mean_residual_of_zero_has_no_spread() -> None:
    assert math.isnan(profile_events({"a": [[1.0] * 4, [1.0] * 6]}, 5)["cov_percent"][0])
    assert math.isnan(relative_spread(np.array([-2.0, 2.0])))


@pytest.mark.parametrize(
    ("fewest", "most", "why"),
    [
        (3, 3, "kept by the bounds: 3 change points (median of runs), within 3 to 3"),
        (0, 3, "kept by the bounds: 3 change points (median of runs), within 0 to 3"),
        (3, 20, "kept by the bounds: 3 change points (median of runs), within 3 to 20"),
        (4, 20, "3 change points (median of runs), fewer than 4: too little variation to model"),
        (0, 2, "3 change points (median of runs), more than 2: too irregular to profile"),
        (0, 0, "3 change points (median of runs), more than 0: too irregular to profile"),
    ],
)
def test_an_event_is_kept_with_exactly_the_fewest_or_the_most_change_points(fewest: int, most: int, why: str) -> None:
    found = profile_events({"a": runs(STAIRS, 3)}, 50, min_change_points=fewest, max_change_points=most).iloc[0]
    assert found["why"] == why
    assert found["kept"] == why.startswith("kept")


@pytest.mark.parametrize(("fewest", "kept"), [(2, True), (3, False)])
def test_a_median_between_two_whole_numbers_counts_as_it_is(fewest: int, kept: bool) -> None:
    found = profile_events({"a": [run(STAIRS[:3], 0), run(STAIRS, 1)]}, 50, min_change_points=fewest).iloc[0]
    assert found["n_segments"] == 3.5
    assert found["kept"] == kept
    assert found["why"] == (
        "kept by the bounds: 2.5 change points (median of runs), within 2 to 20"
        if kept
        else "2.5 change points (median of runs), fewer than 3: too little variation to model"
    )


def test_one_change_point_is_told_in_the_singular() -> None:
    assert profile_events({"a": runs([5.0, 9.0])}, 50)["why"][0].startswith("1 change point (median of runs), fewer than 2")


def test_an_event_that_cannot_be_segmented_has_a_reason_and_the_others_their_figures() -> None:
    broken = run(STAIRS, 0)
    broken[6] = np.nan
    found = profile_events({"gap": [run(STAIRS, 1), broken], "none": [], "good": runs(STAIRS)}, 50)
    assert found["kept"].tolist() == [False, False, True]
    assert found["why"][0].startswith("cannot be segmented: run 2: sample 7 of 200 is nan")
    assert found["why"][1].startswith("no run has a counted sample")
    assert found["n_runs"].tolist() == [2, 0, 5]
    assert found.loc[:1, "optimal_threshold":"max_residual"].isna().all(axis=None)
    alone = profile_events({"good": runs(STAIRS)}, 50)
    for name in COLUMNS:
        assert found[name][2] == alone[name][0], name


def test_no_event_is_an_empty_table_with_its_columns() -> None:
    found = profile_events({}, 50)
    assert found.empty
    assert tuple(found.columns) == COLUMNS


def test_the_search_is_the_one_that_was_asked_for() -> None:
    series = runs([10.0, 12.0, 10.0, 14.0], each=60, sd=0.05)
    for search in ({"statistic": "std"}, {"min_distance": 70}, {"early_exit": True}):
        found = profile_events({"a": series}, 30, **search).iloc[0]
        best = optimal_threshold(series, 30, **search)
        numbers = [segment(each, best.threshold, **search).n_change_points for each in series]
        assert found["optimal_threshold"] == best.threshold
        assert found["n_segments"] == np.median(numbers) + 1, search


def test_progress_tells_the_share_done_and_the_next_event() -> None:
    told: list[tuple[float, str]] = []
    profile_events({"a": runs(STAIRS), "b": runs(STAIRS)}, 20, progress=lambda share, note: told.append((share, note)))
    assert told == [(0.0, "a (1 of 2)"), (0.5, "b (2 of 2)"), (1.0, "done")]


def test_what_progress_raises_ends_the_work() -> None:
    seen = []

    def cancelled(share: float, note: str) -> None:
        seen.append(note)
        if share > 0:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        profile_events({name: runs(STAIRS) for name in "abc"}, 20, progress=cancelled)
    assert len(seen) == 2


# Other bounds for a table that is there already


def test_other_bounds_judge_anew_what_a_profile_with_them_says() -> None:
    events = {"stairs": runs(STAIRS), "flat": runs([100.0], each=200), "gap": [[1.0, math.nan]], "busy": runs([1.0, 50.0] * 15, each=10)}
    usual = profile_events(events, 50)
    before = usual.copy()
    for bounds in ((2, 20), (0, 0), (3, 3), (0, 29), (4, 28), (29, 29)):
        expected = profile_events(events, 50, min_change_points=bounds[0], max_change_points=bounds[1])
        pd.testing.assert_frame_equal(judged(usual, *bounds), expected)
    pd.testing.assert_frame_equal(usual, before)


# What is found, and not how many change points there are


def found_by(**events: tuple[float, ...]) -> pd.DataFrame:
    """A profile of events (segments, explained[, recall, precision]), judged by the usual bounds."""
    frame = pd.DataFrame(
        [(event, True, "", figures[0], figures[1], *figures[2:]) for event, figures in events.items()],
        columns=["event", "kept", "why", "n_segments", "explained", "recall_true", "precision_true"][
            : 3 + len(next(iter(events.values())))
        ],
    )
    return judged(frame, 2, 20)


def test_the_share_of_variation_explained_is_that_of_a_hand_calculation() -> None:
    """Levels 0 and 10, 4 each, with deviations of 1: within 8, around the mean of 5 in all 8 * 25 + 8."""
    level = np.repeat([0.0, 10.0], 4) + np.tile([1.0, -1.0], 4)
    found = profile_events({"a": [level, level]}, 50, statistic="mean").iloc[0]
    assert found["n_segments"] == 2
    assert found["explained"] == pytest.approx(200 / 208)
    assert math.isnan(profile_events({"a": [[3.0] * 9]}, 5)["explained"][0])


def test_events_that_find_most_come_first_with_the_truth_and_without() -> None:
    with_truth = found_by(busy=(40, 0.9, 0.87, 0.8), poor=(4, 0.95, 0.0, 0.0), fair=(5, 0.2, 0.5, 0.5), unknown=(5, 0.9, np.nan, np.nan))
    assert ranked(with_truth)["event"].tolist() == ["busy", "fair", "poor", "unknown"]
    without = found_by(one=(1, 0.0), few=(4, 0.8), many=(400, 0.85), broken=(np.nan, np.nan), flat=(3, np.nan))
    assert ranked(without)["event"].tolist() == ["few", "many", "one", "broken", "flat"]


def test_an_event_that_finds_nothing_is_not_kept_before_one_that_finds_most_by_the_other_rule() -> None:
    profile = found_by(busy=(40, 0.9, 0.87, 0.8), poor=(4, 0.95, 0.25, 0.25))
    assert profile["kept"].tolist() == [False, True]
    assert profile["why"][1] == "kept by the bounds: 3 change points (median of runs), within 2 to 20"
    assert contradiction(profile) == (
        "The bounds on change points keep poor, which finds 25% of the true boundaries, and prune busy, which finds 87%: what they "
        "find suggests the opposite."
    )
    better = judged(profile, 2, 20, by="found")
    assert better["kept"].tolist() == [True, False]
    assert better["why"].tolist() == [
        "kept by what it finds: 87% of the true boundaries, precision 80%",
        "pruned by what it finds: 25% of the true boundaries, precision 25%",
    ]
    assert contradiction(better) == ""
    without = judged(found_by(a=(4, 0.8), b=(4, 0.1), c=(1, 0.0), d=(90, 0.9), e=(np.nan, np.nan)), 2, 20, by="found")
    assert without["kept"].tolist() == [True, False, False, False, True]
    assert without["why"][0] == "kept by what it finds: 80% of the variance explained by 3 change points"
    assert contradiction(found_by(a=(4, 0.8), b=(4, 0.1))) == ""
    assert contradiction(found_by(a=(np.nan, np.nan))) == ""


def test_a_rule_that_is_none_is_told() -> None:
    with pytest.raises(ParameterError, match="^by: 'luck' is not a rule; choose bounds or found"):
        judged(profile_events({}, 50), 2, 20, by="luck")


# Bad input


@pytest.mark.parametrize(("fewest", "most"), [(-1, 5), (3, 2)])
def test_bounds_that_exclude_everything_are_told(fewest: int, most: int) -> None:
    message = f"^min_change_points: {fewest} must be from 0 to max_change_points, {most}"
    with pytest.raises(ParameterError, match=message):
        profile_events({"a": runs(STAIRS, 1)}, 50, min_change_points=fewest, max_change_points=most)
    with pytest.raises(ParameterError, match=message):
        judged(profile_events({}, 50), fewest, most)


@pytest.mark.parametrize(
    ("max_threshold", "search", "message"),
    [
        (0, {}, "^max_threshold: 0 must be at least 1"),
        (math.nan, {}, "^max_threshold: nan must be"),
        (9, {"min_distance": 1}, "^min_distance: 1 must be"),
        (9, {"statistic": "linear"}, "^statistic: 'linear' is not known"),
    ],
)
def test_a_search_that_is_none_is_told_once_and_not_under_each_event(max_threshold: float, search: dict, message: str) -> None:
    for events in ({"a": runs(STAIRS, 1)}, {}):
        with pytest.raises(ParameterError, match=message):
            profile_events(events, max_threshold, **search)


def test_bounds_are_applied_where_no_event_could_be_segmented() -> None:
    profiled = profile_events({"huge": [[1e200, 1.0, 2.0]], "none": []}, 10)
    again = judged(profiled, 1, 5)
    pd.testing.assert_frame_equal(again, profiled)
    assert not again["kept"].any()


def test_the_spread_per_sample_does_not_depend_on_the_lengths_of_runs() -> None:
    # Constant runs of e: n log(e**2) = 2 n, so residuals of 4 and 12 (mean 8, sigma sqrt(32)), and 2 per sample in both.
    found = profile_events({"a": [[math.e] * 2, [math.e] * 6]}, 5).iloc[0]
    assert found["cov_percent"] == pytest.approx(100 * math.sqrt(32) / 8)
    assert found["cov_percent_per_sample"] == pytest.approx(0, abs=1e-9)
