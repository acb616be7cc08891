"""What exploring answers, for tables of a few phases."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.prediction.analysis import CELLS, CURVE, MEASURE, REPRESENT
from hemcore.prediction.explore import views
from hemcore.prediction.explore.params import ExploreParams
from tests.core.prediction.few_programs import programs_of_cost


def two_kinds() -> PhaseTable:
    """Two programs of four phases of 100 instructions: two without misses, of 100 cycles, and two with 10 misses, of 300 and 500 cycles."""
    table = programs_of_cost({"a": 1.0, "b": 1.0}, (100,) * 4, D1mr=(0, 0, 10, 10))
    return PhaseTable(frame=table.frame.assign(CYCLES=[100, 100, 300, 500] * 2), counters=table.counters)


def test_two_phases_of_four_stand_for_their_kinds() -> None:
    found = MEASURE.of(two_kinds(), ExploreParams(program="a", n_measured=2))
    # One of each kind, each for two phases: 2 * 100 and 2 * 300 or 2 * 500, instead of 1,000.
    assert found.weights.tolist() == pytest.approx([2, 2])
    assert found.measured["stands_for"].tolist() == [2, 2]
    assert found.measured["share"].tolist() == pytest.approx([0.5, 0.5])
    assert round(found.estimate) in (800, 1200)
    assert found.error == pytest.approx(found.estimate / 1_000 - 1)
    assert found.work.tolist() == [100] * 4


def test_every_program_from_two_phases(monkeypatch: pytest.MonkeyPatch) -> None:
    found = REPRESENT.of(two_kinds(), ExploreParams(n_measured=5))
    # n_measured belongs to one program's phases; every program is measured with the usual five, here all four.
    assert found.programs[["phases", "measured"]].to_numpy().tolist() == [[4, 4], [4, 4]]
    assert found.worst == pytest.approx(0)
    assert found.errors.shape == (2, views.SEEDS)


def test_medians_and_worst_over_programs_and_seeds() -> None:
    found = replace(
        REPRESENT.of(two_kinds(), ExploreParams()), errors=np.array([[0.1, 0.2, 0.6], [0.0, 0.1, 0.2]]), random=np.array([[0.3, 0.5, 0.4]])
    )
    assert (found.median, found.mean, found.worst, found.random_median) == pytest.approx((0.15, 0.2, 0.6, 0.4))


def test_the_curve_of_one_program() -> None:
    found = CURVE.of(two_kinds(), ExploreParams(program="b")).curve.set_index("n")
    assert list(found.index) == [1, 2, 3]
    # Two phases of four: 200 of 1,000 off, whatever the seed.
    assert found.loc[2, "error"] == pytest.approx(0.2)
    assert found.loc[2, "largest"] == pytest.approx(0.2)
    # One phase at random stands for four: 400, 400, 1,200 or 2,000 instead of 1,000, which is off by 60%, 60%, 20% or 100%.
    # More than one draw in ten takes the last, so nine in ten are off by at most 100%.
    assert found.loc[1, "random"] == pytest.approx(0.6)
    assert found.loc[1, "random_largest"] == pytest.approx(1.0)


def test_the_error_of_the_curve_is_the_median_over_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    # Mean 22%, median 10%, largest 70%; at random median 30%.
    errors = np.array([0.0, 0.1, 0.7, 0.1, 0.2]), np.array([0.1, 0.3, 0.9])
    monkeypatch.setattr(views, "_errors", lambda space, cost, n, seed: errors)
    row = CURVE.of(two_kinds(), ExploreParams(program="a")).curve.iloc[0]
    assert (row["error"], row["largest"], row["random"]) == pytest.approx((0.1, 0.7, 0.3))
    every = REPRESENT.of(two_kinds(), ExploreParams()).programs.iloc[0]
    assert (every["error"], every["largest"], every["random"]) == pytest.approx((0.1, 0.7, 0.3))


def test_each_cell_of_granularity_and_load_by_itself() -> None:
    one = programs_of_cost({"a": 1.0}, (100, 200, 300), D1mr=(3, 2, 1)).frame
    frame = pd.concat([one, one.assign(load="idle", D1mr=[1, 2, 3]), one.assign(granularity=20, D1mr=[1.0, np.nan, np.nan])])
    found = CELLS.of(PhaseTable(frame=frame, counters=("CYCLES", "Ir", "D1mr")), ExploreParams()).cells
    own = found.set_index(["granularity", "load", "counter"])
    assert own.loc[("10", "single core", "D1mr"), "r"] == pytest.approx(-1)
    assert own.loc[("10", "idle", "D1mr"), "r"] == pytest.approx(1)
    assert np.isnan(own.loc[("20", "single core", "D1mr"), "r"])
    assert own["rows"].loc[:, :, "D1mr"].tolist() == [3, 3, 1, 0]
