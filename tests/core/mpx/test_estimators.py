"""Estimators: what every one of them keeps to, and what each gives on counts that can be worked out by hand."""

import copy
import math
from typing import get_args

import numpy as np
import pandas as pd
import pytest
from scipy.interpolate import PchipInterpolator

from hemcore.datasets import CounterSeries
from hemcore.errors import ParameterError, UnknownNameError
from hemcore.mpx import ESTIMATORS, estimate, virtual_multiplex
from hemcore.mpx.params import MethodName
from hemcore.mpx.sampled import Sampled
from tests.core.mpx.made import bursty, series

NAN = math.nan
EVERY = list(ESTIMATORS)


def filled(method: str, *counts: float) -> list[float]:
    return estimate(series({"A": counts}), method).counts["A"].tolist()


@pytest.mark.slow
@pytest.mark.parametrize("method", EVERY)
@pytest.mark.parametrize("k", [2, 3, 4])
def test_counted_values_stay_and_hidden_ones_are_filled(method: str, k: int) -> None:
    sampled = virtual_multiplex(bursty(), k)
    before = copy.deepcopy(sampled.counts)
    found = estimate(sampled, method)
    hidden = before.isna().to_numpy()
    np.testing.assert_array_equal(found.counts.to_numpy()[~hidden], before.to_numpy()[~hidden])
    values = found.counts.to_numpy()[hidden]
    assert np.isfinite(values).all()
    assert (values >= 0).all()
    pd.testing.assert_frame_equal(sampled.counts, before)
    assert found.mode == "MPX"
    pd.testing.assert_frame_equal(found.share, sampled.share)
    pd.testing.assert_frame_equal(estimate(sampled, method).counts, found.counts, check_exact=True)


@pytest.mark.parametrize("method", [each for each in EVERY if each != "by event"])
def test_runs_do_not_know_of_one_another(method: str) -> None:
    sampled = virtual_multiplex(bursty(), 4)
    alone = estimate(sampled.run("p", 2), method).counts
    together = estimate(sampled, method).run("p", 2).counts
    pd.testing.assert_frame_equal(alone, together, check_exact=True)


@pytest.mark.parametrize("method", EVERY)
def test_rows_of_runs_that_are_mixed_come_back_in_their_order(method: str) -> None:
    sampled = virtual_multiplex(bursty(), 4)
    order = np.argsort(sampled.intervals["interval"], kind="stable").to_numpy()
    mixed = CounterSeries(intervals=sampled.intervals.iloc[order], counts=sampled.counts.iloc[order], mode="MPX")
    found = estimate(mixed, method).counts.to_numpy()
    np.testing.assert_allclose(found, estimate(sampled, method).counts.to_numpy()[order])


@pytest.mark.parametrize("method", EVERY)
def test_what_is_constant_stays_so(method: str) -> None:
    assert filled(method, NAN, 7, NAN, NAN, 7, NAN, 7, NAN) == pytest.approx([7] * 8)
    assert filled(method, NAN, 0, NAN, NAN, 0, NAN) == pytest.approx([0] * 6)


@pytest.mark.parametrize("method", EVERY)
def test_one_count_stands_for_the_whole_run(method: str) -> None:
    assert filled(method, NAN, NAN, 5, NAN) == pytest.approx([5] * 4)


@pytest.mark.parametrize("method", EVERY)
def test_an_event_that_was_never_counted_stays_unknown(method: str) -> None:
    found = estimate(series({"A": [1, NAN, 3], "B": [NAN] * 3}), method).counts
    assert found["B"].isna().all()
    assert found["A"].notna().all()


@pytest.mark.parametrize("method", [name for name in EVERY if name != "kalman"])
def test_a_hidden_count_lies_between_the_counts_near_it(method: str) -> None:
    sampled = virtual_multiplex(bursty(seed=3), 4)
    values = sampled.counts.to_numpy()
    found = estimate(sampled, method).counts.to_numpy()
    for start in range(0, len(values) - 40, 13):
        part = values[start : start + 40]
        inner = found[start + 16 : start + 24]
        assert (inner >= np.nanmin(part, axis=0) - 1e-9).all()
        assert (inner <= np.nanmax(part, axis=0) + 1e-9).all()


def test_values_by_hand() -> None:
    assert filled("fixed", NAN, 2, NAN, NAN, 8, NAN) == [2, 2, 2, 2, 8, 8]
    assert filled("minimum", NAN, 2, NAN, 8, NAN, 4, NAN) == [2, 2, 2, 8, 4, 4, 4]
    assert filled("linear", 2, NAN, NAN, 8) == pytest.approx([2, 4, 6, 8])
    # (1 + 2)^(2/3) (1 + 26)^(1/3) - 1 and the other third
    assert filled("log1p", 2, NAN, NAN, 26) == pytest.approx([2, 3 ** (5 / 3) - 1, 3 ** (7 / 3) - 1, 26])
    assert filled("harmonic", 2, NAN, NAN, 8) == pytest.approx([2, 1 / (2 / 6 + 1 / 24), 1 / (1 / 6 + 2 / 24), 8])
    assert filled("harmonic", 8, NAN, NAN, 2) == pytest.approx([8, 1 / (1 / 6 + 2 / 24), 1 / (2 / 6 + 1 / 24), 2])
    assert filled("harmonic", 0, NAN, 8) == [0, 0, 8]
    assert filled("cam", 1, NAN, NAN, math.e, NAN) == pytest.approx([1, math.e - 1, math.e - 1, math.e, math.e])
    assert filled("cam", 6, NAN, 0, NAN, 5) == [6, 6, 0, 0, 5]
    assert filled("dcam", 1, NAN, NAN, 8) == pytest.approx([1, 2, 4, 8])
    assert filled("dcam", 0, NAN, 8, NAN, 0) == [0, 4, 8, 4, 0]


def test_pchip_is_scipys() -> None:
    random = np.random.default_rng(1)
    for n in (2, 3, 4, 60):
        places = np.sort(random.choice(200, n, replace=False))
        counts = np.full(200, NAN)
        counts[places] = np.rint(random.lognormal(5, 2, n))
        expected = PchipInterpolator(places, counts[places])(np.clip(np.arange(200), places[0], places[-1]))
        np.testing.assert_allclose(filled("pchip", *counts), expected, rtol=1e-9, atol=1e-6)


def test_the_gate_takes_a_median_where_an_event_is_steady() -> None:
    steady = [10, NAN, 11, NAN, 10, NAN, 12, NAN, 10, NAN, 11, NAN, 10]
    assert set(filled("gate", *steady)[1::2]) <= {10, 11, 12}
    burst = [10, NAN, 1000, NAN, 10, NAN, 900, NAN, 10]
    assert filled("gate", *burst) == filled("harmonic", *burst)


def test_the_smoother_stays_near_a_level_that_is_read_with_noise() -> None:
    random = np.random.default_rng(0)
    truth = np.full(400, 1000.0)
    seen = np.where(np.arange(400) % 4 == 0, np.rint(truth * random.lognormal(0, 0.2, 400)), NAN)
    found = np.array(filled("kalman", *seen))[np.isnan(seen)]
    held = np.array(filled("fixed", *seen))[np.isnan(seen)]
    assert np.abs(found - 1000).mean() < 0.5 * np.abs(held - 1000).mean()


def test_only_the_minimum_is_a_control() -> None:
    assert [name for name, each in ESTIMATORS.items() if each.control] == ["minimum"]
    assert all(each.description.endswith(".") for each in ESTIMATORS.values())


def test_the_page_offers_every_estimator() -> None:
    assert set(EVERY) <= set(get_args(MethodName)), "add the name of the estimator to MethodName in hemcore/mpx/params.py"


@pytest.mark.parametrize("method", EVERY)
def test_a_fill_does_not_change_what_it_is_given(method: str) -> None:
    counts = np.where(np.arange(60) % 3 == 0, np.arange(60.0), NAN)[None]
    sampled = Sampled(counts=counts, starts=np.array([0, 60]))
    gaps = [each.copy() for each in sampled.gaps]
    ESTIMATORS[method].fill(sampled)
    for now, before in zip((*sampled.gaps, sampled.counts), (*gaps, counts.copy()), strict=True):
        np.testing.assert_array_equal(now, before)


class Trained:
    """A model as its own room will have it."""

    name = "all events"

    def __init__(self, events: list[str]) -> None:
        self.events = events

    def predict(self, sampled: CounterSeries) -> CounterSeries:
        if sampled.events != self.events:
            raise ParameterError(f"sampled: the model knows {self.events}.")
        counts = sampled.counts.fillna(42.0) + 1
        return CounterSeries(intervals=sampled.intervals, counts=counts, mode="MPX")


def test_a_trained_model_fills_hidden_slots_alone() -> None:
    found = estimate(series({"A": [1, NAN, 3]}), Trained(["A"]))
    assert found.counts["A"].tolist() == [1, 43, 3]


def test_a_model_of_other_events_is_refused() -> None:
    with pytest.raises(ParameterError, match="the model knows"):
        estimate(series({"A": [1, NAN, 3]}), Trained(["B"]))


def test_an_unknown_method_is_named_with_those_there_are() -> None:
    with pytest.raises(UnknownNameError, match="'cubic' is no estimator; they are 'fixed', 'linear'"):
        estimate(series({"A": [1, NAN, 3]}), "cubic")


def test_nothing_can_be_estimated_from_hidden_slots_alone() -> None:
    with pytest.raises(ParameterError, match="every slot is hidden"):
        estimate(series({"A": [NAN, NAN]}), "linear")
