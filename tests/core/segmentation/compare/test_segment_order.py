"""Runs whose segments come in the same order and last differently."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hemcore.aligned_order import MOST_SEGMENTS
from hemcore.errors import ParameterError
from hemcore.segmentation import agreement_between_runs, agreement_in_order, runs_in_order
from hemcore.segmentation.analysis import JOINT, SEGMENTATION, with_event_and_run
from hemcore.segmentation.params import SegmentationParams
from tests.core.segmentation.made import made, params_of, table


@pytest.mark.slow
def test_the_same_levels_in_the_same_order_agree_whatever_they_last() -> None:
    found = agreement_in_order([10.0, 90.0, 30.0], [11.0, 88.0, 31.0], [10, 10, 20], [20, 10, 10])
    assert found.matched == ((0, 0), (1, 1), (2, 2))
    assert found.in_order == 1
    # Shares of the run: 1/4 and 1/2, 1/4 and 1/4, 1/2 and 1/4.
    assert found.duration_change == pytest.approx(1)


def test_a_segment_that_one_run_lacks_costs_that_one_alone() -> None:
    found = agreement_in_order([10.0, 90.0, 30.0, 60.0], [10.0, 30.0, 60.0], [5] * 4, [5] * 3)
    assert found.matched == ((0, 0), (2, 1), (3, 2))
    assert found.in_order == pytest.approx(6 / 7)


def test_the_reverse_order_is_another_one() -> None:
    assert agreement_in_order([0.0, 50.0, 100.0], [100.0, 50.0, 0.0], [5] * 3, [5] * 3).in_order == pytest.approx(1 / 3)


def test_levels_far_from_each_other_are_not_matched() -> None:
    found = agreement_in_order([0.0], [9.0], [5], [5], unit=10.0)
    assert (found.matched, found.in_order) == ((), 0)
    assert np.isnan(found.duration_change)
    assert agreement_in_order([0.0], [5.0], [5], [5], unit=10.0).in_order == 1
    assert agreement_in_order([7.0, 7.0], [7.0], [5, 5], [5]).in_order == pytest.approx(2 / 3)


def test_an_event_that_was_not_counted_says_nothing() -> None:
    first, second = [[1.0, np.nan], [5.0, 9.0]], [[1.0, 4.0], [5.0, 9.0]]
    assert agreement_in_order(first, second, [5, 5], [5, 5]).in_order == 1
    nothing = [[np.nan, np.nan], [5.0, 9.0]]
    assert agreement_in_order(nothing, second, [5, 5], [5, 5]).matched == ((1, 1),)


@settings(max_examples=60)
@given(
    one=st.lists(st.integers(0, 4), min_size=1, max_size=9),
    two=st.lists(st.integers(0, 4), min_size=1, max_size=9),
    by=st.floats(0.01, 100),
)
def test_the_alignment_is_as_long_as_the_longest_common_subsequence(one: list[int], two: list[int], by: float) -> None:
    """Levels are equal or far apart, so that pairs are equal levels: their number is that of the textbook's table."""
    longest = np.zeros((len(one) + 1, len(two) + 1), dtype=int)
    for i, a in enumerate(one):
        for j, b in enumerate(two):
            longest[i + 1, j + 1] = longest[i, j] + 1 if a == b else max(longest[i, j + 1], longest[i + 1, j])
    levels = [np.array(each, dtype=float) * by for each in (one, two)]
    found = agreement_in_order(*levels, [5] * len(one), [5] * len(two), unit=by)
    assert len(found.matched) == longest[-1, -1]
    assert list(found.matched) == sorted(found.matched)
    back = agreement_in_order(*levels[::-1], [5] * len(two), [5] * len(one), unit=by)
    assert back.in_order == found.in_order


def test_runs_that_last_differently_read_as_one_order_where_covering_reads_as_little() -> None:
    """Sixty runs, three phases, all boundaries known; what the eye calls the same is not what stretched runs overlap."""
    random = np.random.default_rng(0)
    runs = []
    for _ in range(60):
        durations = random.integers(5, 60, 3)
        runs.append((np.cumsum(durations)[:-1].tolist(), int(durations.sum()), [100.0, 900.0, 400.0] * random.uniform(0.95, 1.05, 3)))
    covering = agreement_between_runs([(points, n) for points, n, _ in runs])["covering"].iloc[1:].median()
    found = runs_in_order(runs)
    assert covering < 0.7
    assert (found["in_order"] == 1).all()
    assert found["duration_change"].iloc[0] == 0
    assert found["duration_change"].iloc[1:].median() > 0.2


def test_counts_are_compared_by_their_square_roots_and_what_is_below_zero_as_it_is() -> None:
    far = runs_in_order([([5], 10, [1.0, 10_000.0]), ([5], 10, [900.0, 10_000.0])])
    assert far["in_order"].tolist() == [1, 1 / 2]
    assert runs_in_order([([5], 10, [-1.0, 10_000.0]), ([5], 10, [900.0, 10_000.0])])["in_order"].tolist() == [1, 1]


def test_more_segments_than_can_be_aligned_are_not() -> None:
    many = np.arange(MOST_SEGMENTS + 1.0)
    found = agreement_in_order(many, [1.0], np.ones(len(many)), [5])
    assert np.isnan(found.in_order)
    assert found.matched == ()


@pytest.mark.parametrize(
    ("first", "lengths", "message"),
    [
        ([], [], r"^first: shape \(0,\) for 0 segments; one level per segment is needed, at least one"),
        ([1.0, 2.0], [5], r"^first: shape \(2,\) for 1 segments"),
        ([1.0], [0], "^first: a segment of 0 samples; each needs at least 1"),
        ([[1.0, 2.0]], [5], "^second: its levels have 1 events, those of first have 2"),
    ],
)
def test_what_cannot_be_aligned_is_told(first: list, lengths: list[int], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        agreement_in_order(first, [1.0], lengths, [5])
    with pytest.raises(ParameterError, match="^runs is empty"):
        runs_in_order([])
    with pytest.raises(ParameterError, match=r"^levels of runs\[0\]: shape \(1,\) for 2 segments"):
        runs_in_order([([5], 10, [1.0])])


def test_a_program_whose_phases_last_differently_is_believed_on_the_page_too() -> None:
    random = np.random.default_rng(2)
    parts = []
    for run in range(30):
        durations = random.integers(15, 60, 3)
        counts = np.rint(np.repeat([100.0, 5000.0, 900.0], durations) * random.uniform(0.9, 1.1, durations.sum()))
        parts.append(pd.DataFrame({"run": run, "interval": np.arange(len(counts)), "A": counts}))
    frame = pd.concat(parts, ignore_index=True)
    series = made({"run": frame["run"], "interval": frame["interval"]}, A=frame["A"])
    found = SEGMENTATION.of(series, SegmentationParams(threshold=10.0))
    said, cards = SEGMENTATION.verdict(found), {each.label: each for each in SEGMENTATION.cards(found)}
    assert found.found.median_covering < 0.85
    assert cards["Agreement of runs"].shown == "100%"
    assert said.level == "good"
    assert said.trust == "100% of the segments recur in order in other runs."
    jointly = JOINT.of(series, SegmentationParams())
    assert jointly.agreement["n_change_points"].tolist() == [2] * 30
    assert JOINT.verdict(jointly).level == "good"
    assert JOINT.verdict(jointly).trust == "100% of the segments recur in order in other runs."


def test_all_events_of_a_table_with_stages_and_gaps() -> None:
    found = JOINT.of(table(), params_of(run=2))
    assert [each.run for each in found.runs] == [4, 2]
    assert found.shown.run == 2
    assert found.shown.segmentation.change_points == (20, 40)
    assert found.agreement["recall_true"].tolist() == [1, 1]
    assert found.segments.columns.tolist() == ["application", "run", "segment", "start", "stop", "n_samples", "unit"]
    # Run 4 did not count its first and last interval, nor three within.
    assert found.segments[found.segments["run"] == 4][["start", "stop", "n_samples"]].to_numpy().tolist() == [
        [1, 20, 17],
        [20, 40, 19],
        [40, 59, 19],
    ]
    assert {each.label: each.shown for each in JOINT.cards(found)}["True boundaries"] == "2 of 2"
    assert JOINT.verdict(found).answer == "2 events together show 3 phases in run 2 of prog."
    trimmed = JOINT.of(table(), params_of(trim_head=25))
    assert trimmed.segments["start"].min() == 25
    with pytest.raises(ParameterError, match="^application: no interval of 'prog' was counted after trimming its runs"):
        JOINT.of(table(), params_of(trim_head=60))
    assert with_event_and_run(table(), SegmentationParams()).application == "prog"


def test_durations_are_shares_of_their_runs() -> None:
    # The second run is twice as long throughout: each segment has the same share of it.
    assert agreement_in_order([1.0, 9.0], [1.0, 9.0], [10, 30], [20, 60]).duration_change == pytest.approx(0)
    # Shares of 1/4 and 3/4 become 1/2 and 1/2: 100% longer, and 50% shorter by ratio. Their median is 75%.
    assert agreement_in_order([1.0, 9.0], [1.0, 9.0], [10, 30], [40, 40]).duration_change == pytest.approx(0.75)
