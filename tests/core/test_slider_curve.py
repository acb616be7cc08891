"""What a slider does, in words: values that a reader can check by hand."""

import math

import numpy as np
import pytest

from hemcore.slider_curve import SliderCurve, points


def curve(**changes: object) -> SliderCurve:
    given = {"field": "n", "label": "Runs", "answer": "error", "x": np.array([10.0, 100.0, 1000.0]), "y": np.array([8.0, 4.0, 2.0])}
    return SliderCurve(**{**given, **changes})


def test_between_points_lie_straight_lines() -> None:
    assert curve().at(55) == pytest.approx(6)  # halfway from 10 to 100
    assert curve(log=True).at(math.sqrt(10) * 10) == pytest.approx(6)  # halfway of the logarithms
    assert curve(stairs=True).at(99.9) == 8
    assert curve(stairs=True).at(100) == 4


def test_outside_its_range_nothing_is_known() -> None:
    assert math.isnan(curve().at(9.9))
    assert math.isnan(curve().at(1001))
    assert math.isnan(curve(x=np.array([]), y=np.array([])).at(5))


def test_a_change_is_told_from_the_baseline() -> None:
    assert curve().sentence(100, 10) == "Runs 10 (default) → 100: error 8 → 4, −50%."
    assert curve().sentence(10, 100, "baseline") == "Runs 100 (baseline) → 10: error 4 → 8, +100%."
    assert (
        curve(y=np.array([0.5, 0.25, 0.2]), form=".1%").sentence(100, 10) == "Runs 10 (default) → 100: error 50.0% → 25.0%, −25.0 points."
    )
    assert curve(y=np.array([0.0, 4.0, 2.0])).sentence(100, 10) == "Runs 10 (default) → 100: error 0 → 4, +4."
    assert curve(y=np.array([100.0, 101.0, 2.0])).sentence(100, 10) == "Runs 10 (default) → 100: error 100 → 101, +1.0%."


def test_without_a_change_there_are_few_words() -> None:
    assert curve(unit="jobs").sentence(100, 100) == "error 4 jobs, default."
    assert curve(known_to=50).sentence(100, 100, "baseline") == "Extrapolated beyond 50. error 4, baseline."


def test_an_extrapolation_is_said_before_the_number() -> None:
    told = curve(known_to=100, because="the pilot's 100 runs")
    assert not told.extrapolated(100)
    assert told.sentence(1000, 10) == "Extrapolated beyond the pilot's 100 runs. Runs 10 (default) → 1,000: error 8 → 2, −75%."


def test_a_band_follows_its_answer() -> None:
    banded = curve(low=np.array([7.0, 3.0, 1.0]), high=np.array([9.0, 5.0, 3.0]))
    assert banded.band(100) == (3, 5)
    assert banded.band(5) is None
    assert curve().band(100) is None
    assert banded.sentence(100, 10) == "Runs 10 (default) → 100: error 8 → 4 (3 to 5), −50%."


def test_what_is_not_known_is_no_zero() -> None:
    assert curve(y=np.full(3, np.nan)).sentence(10, 10) == "error: not known at any Runs."
    assert curve(y=np.array([np.nan, 4.0, 2.0])).sentence(100, 10) == "Runs 10 (default) → 100: error – → 4."


def test_points_have_both_ends() -> None:
    assert points(0, 4, most=5).tolist() == [0, 1, 2, 3, 4]
    assert points(1, 100, log=True, whole=True, most=3).tolist() == [1, 10, 100]
    assert points(1, 3, whole=True).tolist() == [1, 2, 3]
