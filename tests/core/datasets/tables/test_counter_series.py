"""The runs of a series, and the steps of a column within each."""

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.readers.series.readings import interval_ends
from hemcore.datasets.tables.counter_series import beyond_gaps, run_of, steps


@pytest.mark.parametrize(
    ("values", "run", "expected"),
    [
        ([1, 3, 2], [0, 0, 0], [None, 2, -1]),
        ([1, 3, 2, 7], [0, 0, 1, 1], [None, 2, None, 5]),
        ([1, 3, 2, 7], [0, 1, 0, 1], [None, None, 1, 4]),  # runs that take turns
        ([1.5, None, 2.0], [0, 0, 0], [None, None, None]),
        ([], [], []),
    ],
)
def test_steps_within_runs(values: list[float], run: list[int], expected: list[float | None]) -> None:
    found = steps(pd.Series(values, dtype=float), pd.Series(run, dtype=int))
    assert [None if np.isnan(each) else each for each in found] == expected


def test_one_run_is_known_without_counting_its_names() -> None:
    rows = pd.DataFrame({"application": ["a", "a", "b", "a"], "run": [1, 1, 1, 1]})
    assert run_of(rows).tolist() == [0, 0, 1, 0]
    assert run_of(rows[:2]).tolist() == [0, 0]
    assert run_of(rows.assign(application="a", run=[2, 1, 2, 1])).tolist() == [0, 1, 0, 1]


def test_an_interval_ends_before_a_missing_row_after_the_usual_distance() -> None:
    rows = pd.DataFrame({"application": "a", "run": 1, "time": [0.0, 1.0, 2.0, 4.0, 5.0, 6.0]})
    notes: list[str] = []
    assert interval_ends(rows, notes).tolist() == [1, 2, 3, 5, 6, 7]
    assert "the last one and those before a missing row after the median distance" in notes[0]
    # Distances of 1, 1, 2, 3, 1: two of five are not the usual one, so the intervals are of different lengths.
    assert interval_ends(rows.assign(time=[0.0, 1.0, 2.0, 4.0, 7.0, 8.0]), notes).tolist() == [1, 2, 4, 7, 8, 9]
    assert "a missing row" not in notes[1]


@pytest.mark.parametrize(
    ("distance", "expected"),
    [
        ([np.nan, 1, 1.05, 2, 1, 1], [False, False, False, True, False, False]),
        ([np.nan, 1, 1, 2, 1], [False] * 5),  # a quarter of them vary
        ([np.nan, 1, 1.2, 2, 1, 1], [False] * 6),  # two of five
        ([np.nan, 1, 1, 1.5, 1, 1], [False] * 6),  # no more than half as long again
        ([np.nan], [False]),
    ],
)
def test_which_rows_follow_a_missing_one(distance: list[float], expected: list[bool]) -> None:
    assert beyond_gaps(np.array(distance), 1.0).tolist() == expected


def test_a_start_that_comes_twice_ends_at_once() -> None:
    # Starts 0, 0, 2: the first ends where the second begins, the last after the usual distance, 2.
    rows = pd.DataFrame({"application": "a", "run": 1, "time": [0.0, 0.0, 2.0]})
    assert interval_ends(rows, []).tolist() == [0.0, 2.0, 4.0]
    two = pd.concat([rows, rows.assign(run=2, time=[5.0, 6.0, 7.0])], ignore_index=True)
    assert interval_ends(two, []).tolist() == [0.0, 2.0, 4.0, 5.0, 6.0, 7.0]
