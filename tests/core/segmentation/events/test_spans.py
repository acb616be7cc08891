"""A span of the run beside the rest of it, by hand-computed figures."""

import math

import numpy as np

from hemcore.segmentation.events.spans import COLUMNS, compare_span
from tests.charts.conftest import run_of

STEPS = run_of(np.repeat([10.0, 30.0, 20.0], 4), [4, 8])


def row(start: float, stop: float, run=STEPS) -> dict:
    table = compare_span({"e": run}, start, stop)
    assert tuple(table.columns) == COLUMNS
    return table.iloc[0].to_dict()


def test_means_inside_and_outside() -> None:
    assert row(4, 8) == {
        "event": "e", "samples inside": 4, "mean inside": 30.0, "mean outside": 15.0, "inside / outside": 2.0, "std inside": 0.0,
        "change points inside": 1,
    }  # fmt: skip


def test_a_sample_belongs_to_the_span_in_which_it_begins() -> None:
    assert row(3.2, 8.1)["samples inside"] == 5  # intervals 4 to 8
    assert row(3.0, 8.0)["samples inside"] == 5  # intervals 3 to 7
    assert row(0, 12)["change points inside"] == 2


def test_nothing_inside_or_outside_is_not_a_mean_of_zero() -> None:
    empty = row(100, 200)
    assert empty["samples inside"] == 0
    assert math.isnan(empty["mean inside"])
    assert math.isnan(empty["std inside"])
    assert math.isnan(empty["inside / outside"])
    whole = row(0, 12)
    assert (whole["mean inside"], math.isnan(whole["mean outside"])) == (20.0, True)
    assert math.isnan(row(0, 4, run_of(np.repeat([5.0, 0.0], 4), [4]))["inside / outside"])


def test_a_run_with_times_is_divided_in_seconds() -> None:
    timed = run_of(np.repeat([10.0, 30.0], 4), [4], edges=np.arange(9) * 0.5)
    assert row(2.0, 4.0, timed)["mean inside"] == 30.0
    assert row(2.0, 4.0, timed)["change points inside"] == 1


def test_intervals_that_were_not_counted_are_not_samples() -> None:
    gaps = run_of(np.repeat([10.0, 30.0], 4), [4], positions=np.array([0, 1, 2, 3, 10, 11, 12, 13]))
    assert row(4, 10, gaps)["samples inside"] == 0
    assert row(10, 12, gaps)["samples inside"] == 2
