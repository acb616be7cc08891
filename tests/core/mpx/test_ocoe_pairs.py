"""Multiplexed runs beside OCOE runs: what is matched, what is not, and that it is told."""

import math

import numpy as np
import pytest

from hemcore.errors import ParameterError
from hemcore.mpx import MpxParams, pair, virtual_multiplex
from hemcore.mpx.analysis import ESTIMATE
from tests.core.mpx.made import bursty, series

NAN = math.nan


def test_runs_of_one_number_stand_beside_one_another() -> None:
    ocoe = bursty()
    paired = pair(virtual_multiplex(ocoe, 4), ocoe)
    assert paired.notes == ()
    np.testing.assert_array_equal(paired.series.truth, ocoe.counts)
    assert ESTIMATE.of(paired.series).same_run is True


def test_runs_of_other_lengths_are_compared_up_to_the_shorter() -> None:
    paired = pair(series({"A": [1, NAN, 3, NAN]}), series({"A": [5, 6, 7]}, mode="OCOE"))
    np.testing.assert_array_equal(paired.series.truth["A"], [5, 6, 7, NAN])
    assert paired.notes == ("1 of 1 runs differ in length from their partners; only the shorter length is compared.",)


def test_an_event_on_one_side_only_has_no_truth() -> None:
    paired = pair(series({"A": [1, NAN], "B": [NAN, 2]}), series({"B": [1, 2], "C": [1, 1]}, mode="OCOE"))
    assert paired.series.truth is not None
    assert paired.series.truth["A"].isna().all()
    assert paired.notes == ("Not in the OCOE series, so not scored: 'A'.",)


def test_another_run_is_no_truth_and_the_verdict_says_so() -> None:
    paired = pair(virtual_multiplex(bursty(seed=1), 4), bursty(seed=2))
    found = ESTIMATE.of(paired.series, MpxParams())
    assert found.same_run is False
    assert "from other runs" in ESTIMATE.verdict(found).trust
    assert ESTIMATE.verdict(found).level == "poor"


@pytest.mark.parametrize(
    ("mpx", "ocoe", "why"),
    [
        (bursty(), bursty(), "counted in every slot"),
        (virtual_multiplex(bursty(), 2), virtual_multiplex(bursty(), 2), "cannot serve as the truth"),
        (series({"A": [1, NAN]}), series({"B": [1, 2]}, mode="OCOE"), "no event in common"),
    ],
)
def test_what_is_no_pair_is_told(mpx, ocoe, why: str) -> None:
    with pytest.raises(ParameterError, match=why):
        pair(mpx, ocoe)
