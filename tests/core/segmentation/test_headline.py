"""The headline figures and the verdict of a segmented run: what they say, and when to trust it."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.headline import Card
from hemcore.segmentation import SegmentationParams
from hemcore.segmentation.analysis import PATH, SEGMENTATION, SEGMENTS, THRESHOLDS, segmented_run
from hemcore.segmentation.headline import cards, verdict, what_may_show_phases
from tests.core.segmentation.made import NAN, made, params_of, table


def card(found: Any, label: str) -> Card:
    return {each.label: each for each in cards(found)}[label]


def runs(*series: np.ndarray, stages: list[str] | None = None) -> CounterSeries:
    """One application `p`, a run a series."""
    lengths = [len(each) for each in series]
    columns: dict[str, object] = {
        "run": np.repeat(np.arange(1, len(series) + 1), lengths),
        "interval": np.concatenate([np.arange(length) for length in lengths]),
    }
    if stages is not None:
        columns["stage"] = stages * len(series)
    return made(columns, A=np.concatenate(series))


def test_the_cards_of_a_run_whose_phases_are_all_found() -> None:
    found = SEGMENTATION.of(table(), params_of())
    assert [each.label for each in cards(found)] == ["Segments", "Threshold", "Variation explained", "Agreement of runs", "True boundaries"]
    assert (card(found, "Segments").shown, card(found, "Segments").note) == ("3", "2 change points, within 2 to 20")
    assert card(found, "Threshold").shown == "10"
    assert card(found, "Threshold").note == f"Algorithm 1's: {found.thresholds.optimal.threshold:,}"
    explained = card(found, "Variation explained")
    counts, levels = found.run.samples.counts, np.repeat(found.run.models[:, 3], np.diff([0, *found.run.segmentation.change_points, 55]))
    assert explained.value == pytest.approx(1 - ((counts - levels) ** 2).sum() / ((counts - counts.mean()) ** 2).sum())
    assert explained.note == (
        f"residual error {found.run.segmentation.residual:,.0f}; its CoV over 2 runs {found.found.residual_cov_percent:.2g}%"
    )
    agree = card(found, "Agreement of runs")
    assert agree.value == 1
    assert 0.9 < found.found.median_covering < 1
    assert agree.note == (
        f"in the same order; durations differ by {found.found.median_in_order[1]:.0%}, "
        f"covering {found.found.median_covering:.0%} (median run)"
    )
    truth = card(found, "True boundaries")
    assert (truth.value, truth.shown, truth.note) == (2, "2 of 2", "precision 100%; median run 100%, 100%")


def test_variation_explained_is_compared_between_statistics_and_not_between_stretches() -> None:
    before = SEGMENTATION.of(table(), params_of())
    for params, compared in ((params_of(threshold=5.0), True), (params_of(statistic="mean"), True), (params_of(trim_head=1), False)):
        now = SEGMENTATION.of(table(), params)
        assert (card(now, "Variation explained").change_from(card(before, "Variation explained")) is not None) == compared, params


def test_true_boundaries_found_are_compared_where_as_many_are_true() -> None:
    series = np.repeat([10.0, 50.0, 10.0, 50.0], 20) + np.tile([0.0, 1.0], 40)
    two = SEGMENTATION.of(runs(series, stages=["a"] * 40 + ["b"] * 40), SegmentationParams(threshold=2.0))
    four = SEGMENTATION.of(runs(series, stages=["a"] * 20 + ["b"] * 20 + ["c"] * 20 + ["d"] * 20), SegmentationParams(threshold=2.0))
    assert card(two, "True boundaries").text == "1 of 1"
    assert card(four, "True boundaries").text == "3 of 3"
    assert card(four, "True boundaries").change_from(card(two, "True boundaries")) is None
    assert card(four, "True boundaries").change_from(card(four, "True boundaries")) is not None


def test_the_verdict_of_a_run_whose_phases_are_all_found() -> None:
    found = SEGMENTATION.of(table(), params_of())
    said = verdict(found)
    assert said.answer == "A shows 3 phases in run 4 of prog."
    covering, change = found.found.median_covering, found.found.median_in_order[1]
    assert (said.level, said.trust) == ("limited", "Only 2 runs; 30 or more are needed.")
    assert said.why == (
        f"2 of 2 true boundaries found. {covering:.0%} overlap with the segments of the other runs.",
        "A change point finds a true boundary if it is at most 2 samples away.",
        f"The median run against run 4, 2 runs: covering {covering:.0%}, 100% of the segments in the same order, "
        f"durations differ by {change:.0%}.",
    )


def test_the_optimal_threshold_is_named_as_such() -> None:
    best = THRESHOLDS.of(table(), params_of()).optimal.threshold
    assert card(SEGMENTATION.of(table(), params_of(threshold=best)), "Threshold").note == "Algorithm 1's"


@pytest.mark.parametrize(("threshold", "shown"), [(1_000_000, "1,000,000"), (123_456.5, "123,456.5"), (2.25, "2.25")])
def test_a_threshold_is_shown_to_its_last_digit(threshold: float, shown: str) -> None:
    found = SEGMENTATION.of(table(), params_of(threshold=threshold))
    assert card(found, "Threshold").shown == shown
    if threshold == 1_000_000:
        assert verdict(found).answer == "A shows no phases in run 4 of prog."
        assert verdict(found).why[-1] == "No change point lowers the residual error by more than the threshold, 1,000,000."


def test_no_change_point_is_a_poor_answer_that_says_what_to_try() -> None:
    found = SEGMENTATION.of(table(stages=False), params_of(threshold=100_000))
    said = verdict(found)
    assert (said.answer, said.level) == ("A shows no phases in run 4 of prog.", "poor")
    assert said.trust == "This threshold gives no change point."
    assert said.why == (
        "Another event, a lower threshold or the statistic mean may show some.",
        "No change point lowers the residual error by more than the threshold, 100,000.",
    )
    assert (card(found, "Segments").shown, card(found, "Segments").note) == ("1", "0 change points, outside 2 to 20")
    assert (card(found, "Agreement of runs").value, card(found, "Agreement of runs").note) == (None, "run 4 is one segment")


def test_the_other_runs_are_asked_for_and_one_run_alone_says_so() -> None:
    params = params_of()
    alone = segmented_run(table(), params, None, THRESHOLDS.of(table(), params), PATH.of(table(), params), None)
    assert (card(alone, "Agreement of runs").shown, card(alone, "Agreement of runs").note) == ("–", "open All runs")
    assert card(alone, "Variation explained").note == f"residual error {alone.run.segmentation.residual:,.0f}"
    assert "other runs" not in verdict(alone).trust
    untold = segmented_run(table(stages=False), params, None, THRESHOLDS.of(table(), params), PATH.of(table(stages=False), params), None)
    assert (verdict(untold).level, verdict(untold).trust) == ("limited", "Not compared with the other runs yet: open All runs.")
    assert card(alone, "True boundaries").note == "precision 100%"
    one = SEGMENTATION.of(table(), params_of(event="B", run=2))
    assert card(one, "Agreement of runs").note == "one run only"
    assert "CoV" not in card(one, "Variation explained").note


def test_without_true_boundaries_the_samples_are_told_and_the_other_runs_decide() -> None:
    found = SEGMENTATION.of(table(stages=False), params_of())
    assert (card(found, "Samples").shown, card(found, "Samples").note) == ("55", "Left out: 5 intervals that were not counted.")
    whole = SEGMENTATION.of(table(stages=False), params_of(event="B", run=2))
    assert card(whole, "Samples").note == "every interval counted"
    trimmed = SEGMENTATION.of(table(stages=False), params_of(event="A", run=2, trim_head=3, trim_tail=1))
    assert trimmed.left_out_sentence == "Left out: 3 at the head, 1 at the tail."
    level = np.repeat([10.0, 1000.0], 30) + np.tile([0.0, 1.0, 2.0], 20)
    params = SegmentationParams(threshold=3, min_change_points=0)
    # 100% longer or 50% longer: the first segment takes 30 of 60 intervals and 15, the second 30 and 45.
    for other, trust, said, detail in (
        (
            level,
            "good",
            "100% overlap with the segments of the other runs.",
            "covering 100%, 100% of the segments in the same order, durations differ by 0%.",
        ),
        (
            np.repeat([10.0, 1000.0], [15, 45]),
            "good",
            "100% of the segments recur in order in other runs.",
            "covering 58%, 100% of the segments in the same order, durations differ by 75%.",
        ),
        (
            np.repeat([10.0, 1000.0] * 10, 3),
            "poor",
            "Only 18% of the segments recur in order in other runs.",
            "covering 10%, 18% of the segments in the same order, durations differ by 900%.",
        ),
    ):
        found = SEGMENTATION.of(runs(level, *[other] * 29), params)
        assert verdict(found).level == trust, found.found.median_covering
        assert verdict(found).trust == said
        assert verdict(found).why[0].startswith(f"The median run against run 1, 30 runs: {detail}")


def test_few_runs_and_no_truth_limit_the_trust_however_well_they_agree() -> None:
    level = np.repeat([10.0, 1000.0], 30)
    params = SegmentationParams(threshold=3, min_change_points=0)
    two = verdict(SEGMENTATION.of(runs(level, level), params))
    assert (two.level, two.trust) == ("limited", "Only 2 runs: 100% overlap with the segments of the other runs.")
    one = verdict(SEGMENTATION.of(runs(level), params))
    assert (one.level, one.trust) == ("limited", "One run only: no other run confirms these phases.")
    flat = verdict(SEGMENTATION.of(runs(np.full(60, 10.0), level), params.but(run=2)))
    assert (flat.level, flat.trust) == ("limited", "Run 1, which the others are compared with, is one segment.")


def test_where_the_truth_is_known_it_decides_and_not_the_other_runs() -> None:
    stages = ["a"] * 30 + ["b"] * 30
    level, other = np.repeat([10.0, 1000.0], 30), np.repeat([10.0, 1000.0] * 10, 3)
    params = SegmentationParams(threshold=3, min_change_points=0)
    level = level + np.tile([0.0, 1.0, 2.0], 20)
    found = SEGMENTATION.of(runs(level, *[other] * 29, stages=stages), params)
    assert found.found.median_covering < 0.5
    assert verdict(found).level == "good"
    assert verdict(found).trust.startswith("1 of 1 true boundary found.")
    missed = SEGMENTATION.of(runs(np.repeat([10.0, 1000.0], [15, 45]), stages=stages), params)
    assert verdict(missed).level == "poor"
    assert verdict(missed).trust.startswith("0 of 1 true boundary found; 1 further change may be inner phases.")
    one_stage = SEGMENTATION.of(runs(level, stages=["a"] * 60), params)
    assert (card(one_stage, "True boundaries").shown, card(one_stage, "True boundaries").note) == ("none", "the run has one stage")
    assert (verdict(one_stage).level, verdict(one_stage).trust) == ("limited", "The data has one stage in this run.")
    unnamed = SEGMENTATION.of(runs(*[level] * 30, stages=[""] * 60), params)
    assert (verdict(unnamed).level, verdict(unnamed).trust) == ("good", "100% overlap with the segments of the other runs.")


def test_more_or_fewer_change_points_than_the_bounds_limit_the_trust() -> None:
    few = verdict(SEGMENTATION.of(runs(np.repeat([10.0, 1000.0], 30)), SegmentationParams(threshold=3)))
    assert few.trust == "One run only: no other run confirms these phases. 1 change point: below the bounds, 2 to 20."
    assert few.level == "limited"
    many = verdict(SEGMENTATION.of(table(), params_of(min_change_points=0, max_change_points=1)))
    # What limits the trust comes first.
    assert many.trust.startswith("2 change points: above the bounds, 0 to 1. 2 of 2 true boundaries found")
    assert many.level == "limited"


def test_segments_that_any_threshold_finds_are_named() -> None:
    counts = np.concatenate([np.zeros(20), np.random.default_rng(0).uniform(900, 1100, 20)])
    said = verdict(SEGMENTATION.of(runs(counts), SegmentationParams(threshold=3)))
    assert said.why[0] == "1 segment of one value: found at any threshold."
    assert "any threshold" not in verdict(SEGMENTATION.of(table(), params_of())).full_text


def test_a_spread_that_is_not_known_is_not_written() -> None:
    """Residuals of 0 in both runs: the mean is 0 and has no coefficient of variation."""
    found = SEGMENTATION.of(runs(np.ones(20), np.ones(20)), SegmentationParams())
    assert np.isnan(found.found.residual_cov_percent)
    assert (card(found, "Variation explained").shown, card(found, "Variation explained").note) == ("–", "residual error 0")


def test_what_was_left_out_of_a_run_in_words() -> None:
    counts = np.repeat([10.0, 1000.0], 30)
    counts[7] = NAN
    found = SEGMENTATION.of(runs(counts), SegmentationParams(threshold=3))
    assert found.left_out_sentence == "Left out: 1 interval that was not counted."
    assert SEGMENTATION.of(runs(np.ones(9)), SegmentationParams()).left_out_sentence == ""
    assert isinstance(found.own_segments, pd.DataFrame)
    assert not {"application", "event", "run", "unit"} & set(found.own_segments)
    assert found.own_segments["n_samples"].tolist() == [29, 30]


def test_segments_of_the_run_alone_where_the_others_were_not_asked_for() -> None:
    params = params_of()
    alone = segmented_run(table(), params, None, THRESHOLDS.of(table(), params), PATH.of(table(), params), None)
    every = SEGMENTS.of(table(), params).segments
    pd.testing.assert_frame_equal(alone.segments, every[every["run"] == 4].reset_index(drop=True))
    pd.testing.assert_frame_equal(SEGMENTATION.of(table(), params).segments, every)


def test_few_counts_few_levels_and_little_explained_are_never_good() -> None:
    params = SegmentationParams(threshold=3, min_change_points=0)
    # Two counts in 60 intervals: one run of them is a "phase" that explains everything.
    rare = np.zeros(60)
    rare[20:22] = 1.0
    told = verdict(SEGMENTATION.of(runs(*[rare] * 30), params))
    assert (told.level, told.trust) == ("poor", "A counted 2 in all: too few to tell.")
    assert told.answer == "A is counted too seldom in run 1 of p to show phases."
    assert not told.too_long()
    two_levels = verdict(SEGMENTATION.of(runs(*[np.repeat([10.0, 1000.0], 30)] * 30), params))
    assert (two_levels.level, two_levels.trust) == ("limited", "A has only 2 different values.")
    random = np.random.default_rng(3)
    noisy = [np.rint(np.repeat([1000.0, 1100.0], 30) + random.normal(0, 100, 60)) for _ in range(30)]
    found = SEGMENTATION.of(runs(*noisy), SegmentationParams(threshold=2, statistic="mean", min_change_points=0))
    assert found.run.explained < 0.5
    assert any("explain only" in each for each in (verdict(found).trust, *verdict(found).why))
    assert verdict(found).level != "good"


@pytest.mark.parametrize(
    ("changes", "statistic", "said"),
    [
        ([0], "std", "No threshold gives a change point. Another event or the statistic mean may show some."),
        ([2, 0], "mean", "This threshold gives no change point. Another event or a lower threshold may show some."),
        ([0], "mean", "No threshold gives a change point. Another event may show some."),
    ],
)
def test_what_was_tried_already_is_not_recommended(changes: list[int], statistic: str, said: str) -> None:
    path = SimpleNamespace(path=SimpleNamespace(intervals=pd.DataFrame({"n_change_points": changes})))
    found = SimpleNamespace(path=path, run=SimpleNamespace(segmentation=SimpleNamespace(statistic=statistic)))
    assert " ".join(what_may_show_phases(found)) == said
