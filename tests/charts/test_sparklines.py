"""Small pictures of columns: few points that keep the shape, and strips that show where values are missing."""

import numpy as np
import pandas as pd
import pytest

from hemcore.charts.sparklines import course, distribution, missing, missing_strip, row_times
from hemcore.datasets.tables.checks import LARGEST


def test_a_short_course_is_the_values_themselves() -> None:
    assert course(np.array([3.0, 9.0, 5.0])) == [3.0, 9.0, 5.0]
    # What was not measured is bridged where it was.
    assert course(np.array([3.0, np.nan, 5.0])) == [3.0, 4.0, 5.0]
    assert course(np.array([np.nan, 7.0])) == [7.0]
    assert course(np.array([])) == []
    assert course(np.full(200, np.nan)) == []


def test_a_long_course_is_means_over_stretches() -> None:
    values = np.repeat(np.arange(60.0), 10)
    values[0] = np.nan
    # Each point is the mean of ten values.
    assert course(values) == pytest.approx(np.arange(60.0), abs=0.1)


@pytest.mark.parametrize("n", [59, 60, 61, 90, 119, 1_000])
def test_a_straight_line_stays_straight(n: int) -> None:
    points = np.array(course(3.0 * np.arange(n)))
    assert np.ptp(np.diff(points)) < 1e-9 * n
    lost = 3.0 * np.arange(n)
    lost[n // 3 : n // 2] = np.nan
    assert np.ptp(np.diff(course(lost))) < 1e-9 * n


def test_unequal_intervals_are_drawn_where_they_were() -> None:
    # Read at 0, 1, 2 and 10 s, each value its time: on an even axis of four points 0, 3.33, 6.67, 10.
    at = np.array([0.0, 1, 2, 10])
    assert course(at, at) == pytest.approx([0, 10 / 3, 20 / 3, 10])
    times = np.cumsum(np.where(np.arange(500) < 250, 1.0, 4.0))
    assert np.ptp(np.diff(course(2 * times, times))) < 1e-8


def test_runs_follow_one_another_in_time() -> None:
    frame = pd.DataFrame({"application": ["a", "a", "a", "a", "b"], "run": [1, 1, 2, 2, 2], "interval": [0, 1, 0, 3, 0]})
    # Steps of 1 and 3 in the runs: a run begins 2 after the one before.
    assert row_times(frame).tolist() == [2, 3, 5, 8, 10]
    assert row_times(frame.assign(time=[0.5, 1.0, 7.0, 7.5, 1.0])).tolist() == [0.5, 1.0, 1.5, 2.0, 2.5]
    assert row_times(frame.assign(time=[1.0, 1.0, 7.0, 7.5, 1.0])).tolist() == [0, 1, 2, 3, 4]


def test_a_course_of_the_largest_counts_is_finite() -> None:
    assert course(np.full(600, LARGEST)) == pytest.approx([LARGEST] * 60)


def test_a_distribution_counts_what_was_measured() -> None:
    counts = distribution(np.array([0.0, 0.0, 24.0, np.nan]))
    assert (len(counts), counts[0], counts[-1], sum(counts)) == (24, 2.0, 1.0, 3.0)
    assert distribution(np.array([np.nan])) == []


@pytest.mark.parametrize("values", [[7.0, 7.0], [1e16, 1e16 + 2], [LARGEST, LARGEST], [0.0, 5e-324]])
def test_a_distribution_without_a_span_is_one_bar(values: list[float]) -> None:
    assert distribution(np.array(values)) == [2.0]


def test_strips_say_where_values_are_missing() -> None:
    frame = pd.DataFrame(
        {"whole": 1.0, "half": [np.nan, 1.0] * 500, "late": [1.0] * 500 + [np.nan] * 500, "none": np.nan}, index=range(1000)
    )
    strip = missing_strip(frame)
    assert strip is not None
    assert strip.names == ("half", "late", "none")
    assert strip.share.shape == (3, 200)
    assert strip.share.mean(axis=1) == pytest.approx([0.5, 0.5, 1.0])
    assert strip.share[1, [0, 99, 100, 199]].tolist() == [0, 0, 1, 1]
    figure = missing(strip)
    (heatmap,) = figure.data
    assert (heatmap.x0 - heatmap.dx / 2, heatmap.x0 + heatmap.dx * 199.5) == pytest.approx((0, 1000))
    assert list(figure.layout.yaxis.ticktext) == ["half", "late", "none"]


def test_a_stretch_of_two_rows_with_one_missing_is_half_missing() -> None:
    # 201 rows in 200 stretches: the last one has rows 199 and 200, the others have one row each.
    values = np.ones(201)
    values[[0, 199]] = np.nan
    strip = missing_strip(pd.DataFrame({"a": values}))
    assert strip is not None
    assert strip.share.tolist() == [[1.0, *[0.0] * 198, 0.5]]
    (heatmap,) = missing(strip).data
    assert np.asarray(heatmap.z).tolist() == strip.share.tolist()
    assert (heatmap.zmin, heatmap.zmax) == (0, 1)


def test_nothing_missing_has_no_strip() -> None:
    assert missing_strip(pd.DataFrame({"a": [1.0, 2.0]})) is None
    assert missing_strip(pd.DataFrame({"a": []})) is None


def test_of_many_columns_the_first_are_drawn_and_the_rest_is_said() -> None:
    strip = missing_strip(pd.DataFrame({f"<b>{number}": [np.nan, 1.0] for number in range(45)}))
    assert strip is not None
    assert (len(strip.names), strip.n_columns) == (30, 45)
    figure = missing(strip)
    assert "first 30 of 45" in figure.layout.title.text.replace("<br>", " ")
    assert "<b>" not in "".join(figure.layout.yaxis.ticktext)
