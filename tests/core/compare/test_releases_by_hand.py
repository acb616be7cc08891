"""Courses of six sets whose levels are whole numbers of percents, and errors of levels and of lengths, by hand."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from scipy.special import stdtrit

from hemcore.compare.params import CompareParams
from hemcore.compare.releases import releases
from hemcore.compare.releases.course_limits import _LIMITS, limit_at, probability_of
from hemcore.compare.stages.exact_split import split
from hemcore.compare.stages.stage_changes import StageChanges
from hemcore.compare.two_sets import comparison_of
from hemcore.datasets.tables.subexperiments import Subexperiments


def sets_of(*logs: float) -> list[Subexperiments]:
    """Two equal runs a set, so that only sets scatter; logs: of the levels, in hundredths."""
    frames = [pd.DataFrame({"A": [1_000 * np.exp(each / 100)] * 2}) for each in logs]
    return [Subexperiments(frames=(frame,), labels=("runs",), n_pmcs=6) for frame in frames]


def test_a_course_is_judged_by_what_one_step_explains_of_its_scatter() -> None:
    # Around 1.5 squares add up to 9.5; around 1/3 and 8/3 to 4/3, with 6 - 1 - 1 degrees of freedom: (9.5 - 4/3) / (1/3) = 24.5.
    found = releases(sets_of(0, 1, 0, 3, 2, 3))
    assert found.table["probability"].tolist() == pytest.approx([probability_of(24.5, 6)])


def test_the_interval_of_a_step_is_that_of_a_difference_of_means() -> None:
    # Levels 0.5 (two sets) and 10.5 (four): squares 0.5 + 1 with four degrees of freedom, 0.375; of the difference 0.375 (1/2 + 1/4).
    (row,) = releases(sets_of(0, 1, 10, 11, 10, 11)).changes.to_dict("records")
    reach = stdtrit(4, 0.95) * np.sqrt(0.375 * 0.75)
    assert row["place"] == 2
    assert (row["low"], row["change"], row["high"]) == pytest.approx(tuple(np.expm1([0.1 - reach / 100, 0.1, 0.1 + reach / 100])))


def test_of_two_steps_the_surest_counts_twice() -> None:
    random = np.random.default_rng(1)
    sets = [Subexperiments(frames=(pd.DataFrame({"A": random.normal(1_000, 10, 20)}),), labels=("runs",), n_pmcs=6) for _ in range(3)]
    found = releases(sets)
    steps = [comparison_of(each, CompareParams()).table["probability"].iloc[0] for each in found.levels.steps]
    assert found.table["probability"].tolist() == pytest.approx([min(2 * min(steps), 1)])


def test_the_error_of_a_mean_of_two_subexperiments() -> None:
    # 90 and 110 scatter by 0.02 of the squared mean, their mean by 0.01; that of two subexperiments by (0.01 + 0.01) / 4.
    frame = pd.DataFrame({"A": [90.0, 110.0]})
    table = Subexperiments(frames=(frame, frame), labels=("x", "y"), n_pmcs=6)
    found = releases([table] * 6).levels
    assert found.variances[:, 0].tolist() == pytest.approx([0.005] * 6)
    assert found.freedom[:, 0].tolist() == [2] * 6


def test_the_error_of_the_length_part() -> None:
    # One and two long, no run is longer than another; after, 3 and 5 are counted, 4 give or take 1. The length part is (2 - 1) times the
    # mean of the rates 1 and 4 / 2, so of a count it moves by half of a half.
    before, after = (np.array([1.0, 1.0]), np.array([1.0, 1.0])), (np.array([3.0, 5.0]), np.array([2.0, 2.0]))
    found = split(before, after)
    assert (found.change, found.by_length, found.error, found.length_error) == pytest.approx((3, 1.5, 1, 0.25))


def test_the_interval_of_the_length_part_is_as_wide_as_its_own_error() -> None:
    # Student's t with one degree of freedom is at 95% tan(0.45 pi); the length part has a quarter of the error of the change.
    row = {"program": "p", "phase": 1, "hem": "A", "before": 1.0, "after": 4.0, "change": 3.0, "by_length": 1.5, "error": 1.0}
    row |= {"length_error": 0.25, "freedom": 1.0, "probability": 0.2, "runs_before": 2, "runs_after": 2}
    changes = StageChanges(rows=pd.DataFrame([row]), lengths=pd.DataFrame(), unit="s", cut=(), notes=(), params=CompareParams(level=0.9))
    (told,) = changes.table.to_dict("records")
    reach = np.tan(0.45 * np.pi)
    assert (told["low"], told["high"]) == pytest.approx((3 - reach, 3 + reach))
    assert (told["by_length_low"], told["by_length_high"]) == pytest.approx((1.5 - reach / 4, 1.5 + reach / 4))
    assert (told["by_rate"], told["share"]) == (1.5, 1.0)


def test_a_change_is_provable_if_it_is_found_nine_times_in_ten_in_the_middle_of_the_sets() -> None:
    # Around 1/3 and 8/3 squares add up to 4/3 with four degrees of freedom; of means of three sets, 1/3 (1/3 + 1/3).
    (provable,) = releases(sets_of(0, 1, 0, 3, 2, 3)).table["provable"]
    error = np.sqrt(1 / 3 * 2 / 3) / 100
    assert provable == pytest.approx(np.expm1((np.sqrt(limit_at(0.05, 6)) + 1.2816) * error))


def test_rarer_limits_are_higher_and_more_sets_need_less() -> None:
    for limits in _LIMITS.values():
        assert list(limits) == sorted(set(limits))
    # As many changes are allowed for 6 to 11 sets: the scatter around the course is better known with each set.
    rarest = [_LIMITS[n][3:10] for n in range(6, 12)]
    assert all((np.array(more) < fewer).all() for fewer, more in pairwise(rarest))
