"""Accuracy by slots per count and by where the rotation begins."""

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ParameterError
from hemcore.mpx import rotation_scores
from hemcore.mpx.analysis import ESTIMATE
from hemcore.mpx.estimators import estimator_named, settled
from hemcore.mpx.hidden_slots import filled_by
from hemcore.mpx.params import MpxParams
from hemcore.mpx.prepared import prepare
from hemcore.mpx.rotation_scores import can_rotate, rotation_curve, rotations
from hemcore.mpx.sampled import Sampled


def series(counts: np.ndarray, names: str = "ABCD") -> CounterSeries:
    """One run; counts of shape (slots, events)."""
    intervals = pd.DataFrame({"application": "a", "run": 1, "interval": np.arange(len(counts))})
    return CounterSeries(intervals=intervals, counts=pd.DataFrame(counts, columns=list(names)), mode="OCOE")


def test_constant_counts_are_right_at_every_k_and_place() -> None:
    rows = rotations(series(np.full((120, 4), 7.0)), MpxParams(tail="nothing"))
    assert rows["slots_per_count"].tolist() == [2, 3, 4]
    assert rows["places"].tolist() == [2, 3, 3]
    np.testing.assert_allclose(rows[["ra", "low", "high"]], 1.0)


def test_other_k_need_a_truth_and_three_events() -> None:
    counts = pd.DataFrame(np.full((12, 3), 7.0), columns=list("ABC"))
    intervals = pd.DataFrame({"application": "a", "run": 1, "interval": np.arange(12)})
    rotating = counts.where(np.arange(12)[:, None] % 3 == np.arange(3))
    asked = MpxParams()
    assert not can_rotate(CounterSeries(intervals=intervals, counts=rotating, mode="MPX"), asked)
    assert can_rotate(CounterSeries(intervals=intervals, counts=rotating, mode="MPX", truth=counts), asked)
    assert can_rotate(series(np.full((12, 3), 7.0), "ABC"), asked)
    assert not can_rotate(series(np.full((12, 2), 7.0), "AB"), asked)


def test_the_band_holds_every_place_where_the_rotation_begins() -> None:
    table = series(np.random.default_rng(1).poisson(100, (200, 4)) * (1.0 + np.arange(200)[:, None] % 3))
    params = MpxParams(tail="nothing", method="linear")
    rows = rotations(table, params).set_index("slots_per_count")
    scores = [ESTIMATE.of(table, params.but(slots_per_count=4, start=start)).of("linear")["ra"] for start in range(3)]
    assert rows.loc[4, "ra"] == pytest.approx(np.mean(scores))
    assert (rows.loc[4, "low"], rows.loc[4, "high"]) == (pytest.approx(min(scores)), pytest.approx(max(scores)))


def test_what_suits_each_event_is_chosen_once_per_k() -> None:
    # Of a straight line harmonic's and linear's counts differ; chosen for the line, linear stays, also for a constant.
    line = Sampled(counts=np.where(np.arange(200) % 2, np.nan, 1.0 + np.arange(200.0))[None], starts=np.array([0, 200]))
    flat = Sampled(counts=np.where(np.arange(200) % 2, np.nan, 5.0)[None], starts=np.array([0, 200]))
    assert filled_by(flat, settled("by event", line)).tolist() == [[5.0] * 200]
    own, other = (filled_by(line, settled("by event", each)) for each in (line, flat))
    np.testing.assert_allclose(own, filled_by(line, estimator_named("by event")))
    np.testing.assert_allclose(other, filled_by(line, estimator_named("harmonic")))
    assert settled("linear", flat) is estimator_named("linear")


def test_the_choice_is_made_at_the_first_place(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[np.ndarray] = []
    monkeypatch.setattr(rotation_scores, "settled", lambda name, sampled: seen.append(sampled.counts) or settled(name, sampled))
    table, params = series(np.random.default_rng(1).poisson(100.0, (120, 4))), MpxParams(tail="nothing")
    rotations(table, params)
    for counts, k in zip(seen, (2, 3, 4), strict=True):
        np.testing.assert_array_equal(counts, prepare(table, params.but(application="a", slots_per_count=k, start=0)).sampled.counts)


def test_the_change_is_in_points() -> None:
    rows = pd.DataFrame({"slots_per_count": [2, 4], "ra": [0.9, 0.7], "low": [0.8, 0.6], "high": [0.95, 0.75], "places": [2, 4]})
    assert rotation_curve(rows, "linear").sentence(4, 2) == (
        "Slots per count 2 (default) → 4: RA by linear 90.0% → 70.0% (60.0% to 75.0%), −20.0 points."
    )


def test_what_nobody_counted_has_no_curve() -> None:
    table = series(np.full((60, 2), 7.0), "AB")
    assert not can_rotate(table, MpxParams())
    with pytest.raises(ParameterError, match="other k"):
        rotations(table, MpxParams())
