"""The rms cost: values that a reader can check by hand, its digits, and every search of ruptures that takes it."""

import math
from collections.abc import Callable

import numpy as np
import pytest
import ruptures
from hypothesis import given, settings
from hypothesis import strategies as st
from ruptures.costs import cost_factory
from ruptures.exceptions import NotEnoughPoints

from hemcore.errors import ParameterError
from hemcore.segmentation.search.cost_rms import CostRms
from hemcore.segmentation.search.segment_costs import REALMIN

BIG = 2.0**53
LOW_HIGH = np.array([1.0, -1.0] * 10 + [100.0, -100.0] * 10)

SEARCHES: dict[str, Callable[[np.ndarray], list[int]]] = {
    "Pelt": lambda x: ruptures.Pelt(custom_cost=CostRms(), jump=1).fit(x).predict(pen=10),
    "Binseg": lambda x: ruptures.Binseg(custom_cost=CostRms(), jump=1).fit(x).predict(pen=10),
    "BottomUp": lambda x: ruptures.BottomUp(custom_cost=CostRms(), jump=1).fit(x).predict(pen=10),
    "Window": lambda x: ruptures.Window(width=8, custom_cost=CostRms(), jump=1).fit(x).predict(pen=10),
    "Dynp": lambda x: ruptures.Dynp(custom_cost=CostRms(), jump=1).fit(x).predict(n_bkps=1),
}


def by_formula(samples: np.ndarray) -> float:
    length, energy = len(samples), math.fsum(value * value for value in samples.tolist())
    floor = math.log(REALMIN) - math.log(length)
    return length * max(floor, math.log(energy / length) if energy / length > 0 else floor)


def test_the_cost_is_length_times_the_log_of_the_mean_square() -> None:
    cost = CostRms().fit(np.array([3.0, 4.0, 0.0, 0.0, math.e, math.e]))
    assert cost.error(0, 2) == pytest.approx(2 * math.log(12.5))
    assert cost.error(0, 4) == pytest.approx(4 * math.log(6.25))
    assert cost.error(4, 6) == pytest.approx(4)
    assert cost.sum_of_costs([2, 6]) == pytest.approx(cost.error(0, 2) + cost.error(2, 6))


def test_zeros_cost_the_log_of_the_smallest_float_over_their_number() -> None:
    assert CostRms().fit(np.zeros(5)).error(1, 5) == pytest.approx(4 * (math.log(2.2250738585072014e-308) - math.log(4)))


def test_a_column_costs_what_a_series_costs_and_ruptures_finds_the_cost_by_name() -> None:
    series = np.array([1, 2, 30, 40])
    assert CostRms().fit(series[:, None]).error(1, 4) == CostRms().fit(series).error(1, 4) == by_formula(series[1:])
    assert isinstance(cost_factory("rms"), CostRms)


def test_a_segment_of_one_sample_has_no_cost() -> None:
    with pytest.raises(NotEnoughPoints, match="samples 1 to 2 .* 1 samples, at least 2"):
        CostRms().fit(np.ones(4)).error(1, 2)


@pytest.mark.parametrize(
    ("signal", "message"),
    [
        (np.ones((4, 2)), r"signal: shape \(4, 2\) has 2 dimensions"),
        (np.float64(3), r"signal: shape \(\) has 0 dimensions"),
        (np.ones((2, 1, 1)), r"signal: shape \(2, 1, 1\) has 3 dimensions"),
        ([], "signal: no samples"),
        (["a", "b"], "signal: it must be numbers"),
        ([1.0, 2.0, math.nan, math.inf], "signal: sample 3 of 4 is nan; each must be counted"),
        ([-math.inf, 2.0], "signal: sample 1 of 2 is -inf; each must be a finite number"),
    ],
)
def test_what_is_no_series_of_known_numbers_is_refused(signal: object, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        CostRms().fit(signal)  # type: ignore[arg-type]


def test_ones_beside_counts_of_two_to_the_53_keep_every_digit() -> None:
    series = np.array([BIG, BIG, 1, 1, 1, 2, BIG, 1, 3] + [BIG] * 1000 + [1, 1, 0, 0, 1, 2])
    cost = CostRms().fit(series)
    assert cost.error(2, 5) == 0
    assert cost.error(2, 6) == pytest.approx(4 * math.log(7 / 4), rel=1e-15)
    assert cost.error(1009, 1011) == 0
    assert cost.error(1011, 1013) == by_formula(np.zeros(2))
    assert cost.error(0, 2) == pytest.approx(4 * math.log(BIG), rel=1e-15)


def test_samples_whose_squares_are_below_the_smallest_float_still_have_a_cost() -> None:
    cost = CostRms().fit(np.array([1e140, 1e140, 1e-300, 1e-300, 1, 1]))
    assert cost.error(0, 2) == pytest.approx(4 * math.log(1e140))
    assert cost.error(2, 4) == pytest.approx(2 * (math.log(REALMIN) - math.log(2)))
    assert cost.error(4, 6) == 0
    assert cost.error(np.int64(0), np.int64(2)) == cost.error(0, 2)  # type: ignore[arg-type]


COUNTS = st.one_of(
    st.sampled_from([0.0, 1.0, BIG, BIG - 1]),
    st.integers(0, 2**53).map(float),
    st.floats(-BIG, BIG, allow_nan=False, allow_subnormal=False),
)


@settings(deadline=None)
@given(series=st.lists(COUNTS, min_size=2, max_size=30), data=st.data())
def test_the_cost_is_the_formula_to_nine_digits(series: list[float], data: st.DataObject) -> None:
    given_series = np.array(series)
    start = data.draw(st.integers(0, len(series) - 2))
    end = data.draw(st.integers(start + 2, len(series)))
    cost = CostRms().fit(given_series).error(start, end)
    assert math.isfinite(cost)
    assert cost == pytest.approx(by_formula(given_series[start:end]), rel=1e-9, abs=1e-9)
    assert given_series.tolist() == series


def test_fit_copies_what_it_is_given() -> None:
    series = np.array([1.0, 2.0, 3.0])
    cost = CostRms().fit(series)
    before = cost.error(0, 3)
    series[:] = 9
    assert cost.error(0, 3) == before
    assert cost.signal.tolist() == [[1.0], [2.0], [3.0]]


@pytest.mark.parametrize("search", SEARCHES)
def test_every_search_finds_one_change_of_size(search: str) -> None:
    before = LOW_HIGH.copy()
    assert SEARCHES[search](LOW_HIGH) == SEARCHES[search](LOW_HIGH) == [20, 40]
    assert (before == LOW_HIGH).all()


@pytest.mark.parametrize("search", [name for name in SEARCHES if name != "Dynp"])  # Dynp finds as many as it is told
@pytest.mark.parametrize("series", [np.full(40, 7.0), np.full(40, BIG)], ids=["constant", "largest count"])
def test_no_search_finds_a_change_in_a_constant_series(search: str, series: np.ndarray) -> None:
    assert SEARCHES[search](series) == [40]


@pytest.mark.parametrize("search", SEARCHES)
def test_every_search_ends_on_zeros(search: str) -> None:
    assert SEARCHES[search](np.zeros(40))[-1] == 40


@pytest.mark.parametrize("search", ["Pelt", "Binseg", "BottomUp"])
def test_two_samples_are_one_segment(search: str) -> None:
    assert SEARCHES[search](np.array([1.0, 100.0])) == [2]


@pytest.mark.parametrize("search", [name for name in SEARCHES if name != "Window"])  # its window is longer than four samples
def test_four_samples_may_be_two_segments(search: str) -> None:
    assert SEARCHES[search](np.array([1.0, 1.0, 1e6, 1e6])) == [2, 4]
