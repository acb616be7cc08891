"""Medians with weights, the smoother, and curves along the true one, by numbers that can be worked out."""

import math

import numpy as np
import pytest

from hemcore.mpx import MpxParams, dtw_cost, estimate
from hemcore.mpx.analysis import ALIGN
from hemcore.mpx.estimators.kalman import KALMAN
from hemcore.mpx.estimators.pchip import _end_slope
from hemcore.mpx.sampled import Sampled
from tests.core.mpx.made import bursty, series

NAN = math.nan


def gate(*counts: float) -> list[float]:
    other = np.where(np.isnan(counts), 1.0, NAN)
    return estimate(series({"A": counts, "B": other}), "gate").counts["A"].tolist()


def test_a_nearer_count_weighs_more() -> None:
    # Around the hidden slot 14, 14 at 1 slot: 2 x 10/14 = 1.43; 10 at 2, 3 and 2 slots: 1.33. By number alone 10 would win, 3 to 1.43.
    assert gate(10, 10, 14, NAN, 14, 10)[3] == 14


def test_a_larger_count_weighs_less() -> None:
    # 14, 14 at 1 slot: 1.43; 10 at 2, 3, 2 and 3 slots: 1.67. By nearness alone 14 would win, 2 to 1.67.
    assert gate(10, 10, 14, NAN, 14, 10, 10)[3] == 10


def test_of_equal_weights_the_lower_count_is_the_median() -> None:
    # In slot 2: 10 at 2 slots, 1/2; 20 at 1 slot, 10/20.
    assert gate(10, NAN, NAN, 20) == [10, 10, 10, 20]


def test_the_smoother_by_hand() -> None:
    # Logs 0, 3, 2: differences 3 and -1, so noise 3 x 1 / (3 - 2) = 3; 10 - 2 x 3 x 2 is below 0, so next to no drift: the level is
    # constant. The first reading is both the start and a reading: (0 + 0 + 3 + 2) / 4 = 1.25.
    found = KALMAN.fill(Sampled(counts=np.expm1([[0.0, 3, 2]]), starts=np.array([0, 3])))
    np.testing.assert_allclose(found, np.expm1([[1.25] * 3]), rtol=1e-3)


def test_a_curve_along_the_true_one_is_in_logs_of_ten() -> None:
    found = ALIGN.of(bursty(), MpxParams(slots_per_count=4, event="E1", tail="nothing"))
    truth = bursty().run("p", 1).counts["E1"].to_numpy()
    np.testing.assert_allclose(found.truth, np.log10(1 + truth))
    assert found.cost == pytest.approx(dtw_cost(10**found.estimate - 1, truth))
    assert (found.event, found.path[0].tolist(), found.path[-1].tolist()) == ("E1", [0, 0], [79, 79])


@pytest.mark.parametrize(("m1", "slope"), [(0.5, 1.25), (-3, 3), (-4, 3), (4, 0)])
def test_the_slope_at_an_end(m1: float, slope: float) -> None:
    # (3 x 1 - m1) / 2; not the other way, and at most three times the first slope where the next one goes back.
    assert _end_slope(1.0, 1.0, 1.0, m1) == slope
    assert _end_slope(1.0, 1.0, -1.0, -m1) == -slope
