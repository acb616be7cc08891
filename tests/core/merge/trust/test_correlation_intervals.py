"""Intervals around measured correlations: how often they hold the truth, and what has none."""

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets import load
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import ParameterError
from hemcore.merge import measured_intervals
from hemcore.merge.trust.correlation_intervals import outside


def covered(intervals: pd.DataFrame, truth: pd.DataFrame) -> np.ndarray:
    real = np.array([truth.loc[a, b] for a, b in zip(intervals["hem_a"], intervals["hem_b"], strict=True)])
    return ((intervals["low"] <= real) & (real <= intervals["high"])).to_numpy()


@pytest.mark.slow
def test_nine_of_ten_intervals_hold_the_true_r() -> None:
    table = load("sample-subexperiments-much")
    assert isinstance(table, Subexperiments)
    assert table.truth is not None
    # Runs drawn from the truth's: it is what is true of them.
    held = []
    for seed in range(24):
        random = np.random.default_rng(seed)
        frames = [table.truth.iloc[random.integers(0, 1000, 500)][list(frame)].reset_index(drop=True) for frame in table.frames]
        held.append(covered(measured_intervals(frames), table.truth.corr()))
    share = np.array(held, dtype=float)
    assert share.shape == (24, 91)
    assert 0.87 <= share.mean() <= 0.93  # 0.885
    assert share.mean(axis=0).min() >= 0.65


def test_of_gaussian_readings_it_is_fishers_interval() -> None:
    random = np.random.default_rng(4)
    frame = pd.DataFrame(random.multivariate_normal([1000, 1000], [[100, 60], [60, 100]], 50_000), columns=["A", "B"])
    (row,) = measured_intervals([frame]).itertuples(index=False)
    reach = 1.6449 / np.sqrt(50_000)
    assert (row.hem_a, row.hem_b, row.runs, row.r) == ("A", "B", 50_000, pytest.approx(frame.corr().loc["A", "B"]))
    assert np.arctanh(row.high) - np.arctanh(row.r) == pytest.approx(reach, rel=0.05)
    assert np.arctanh(row.r) - np.arctanh(row.low) == pytest.approx(reach, rel=0.05)


def test_a_wider_level_is_a_wider_interval() -> None:
    frame = pd.DataFrame(np.random.default_rng(4).normal(9, 1, (80, 2)), columns=["A", "B"])
    narrow, wide = measured_intervals([frame], level=0.5), measured_intervals([frame], level=0.99)
    assert wide["low"][0] < narrow["low"][0] < narrow["r"][0] < narrow["high"][0] < wide["high"][0]


def test_pairs_never_read_together_have_none() -> None:
    random = np.random.default_rng(1)
    frames = [pd.DataFrame(random.normal(9, 1, (30, 2)), columns=names) for names in (["A", "B"], ["A", "C"])]
    found = measured_intervals(frames)
    assert found[["hem_a", "hem_b"]].to_numpy().tolist() == [["A", "B"], ["A", "C"]]
    assert found.columns.tolist() == ["hem_a", "hem_b", "r", "low", "high", "runs"]


def test_hems_that_go_together_exactly_few_runs_and_constants() -> None:
    level = np.arange(10.0)
    (exact,) = measured_intervals([pd.DataFrame({"A": level, "B": 3 * level})]).itertuples(index=False)
    assert (exact.low, exact.r, exact.high) == (pytest.approx(1), pytest.approx(1), pytest.approx(1))
    (few,) = measured_intervals([pd.DataFrame({"A": [1, 2, 3], "B": [1, 3, 2]})]).itertuples(index=False)
    assert np.isnan([few.low, few.high]).all()
    assert few.r == pytest.approx(0.5)
    assert measured_intervals([pd.DataFrame({"A": level, "K": 7.0})]).empty
    assert measured_intervals([pd.DataFrame({"A": level})]).empty


def test_merged_values_outside_are_told() -> None:
    rows = pd.DataFrame({"hem_a": ["A", "A", "B"], "hem_b": ["B", "C", "C"], "r": 0.5, "low": 0.4, "high": [0.6, 0.6, np.nan], "runs": 9})
    achieved = pd.DataFrame([[1, 0.3, 0.55], [0.3, 1, 0.9], [0.55, 0.9, 1]], index=list("ABC"), columns=list("ABC"))
    found = outside(rows, achieved)
    assert found[["hem_a", "hem_b", "merged"]].to_numpy().tolist() == [["A", "B", 0.3]]
    assert outside(rows, achieved.iloc[1:, 1:]).empty  # of the pair that is left, the interval is not known


@pytest.mark.parametrize("level", [0.0, 0.499, 1.0, np.nan])
def test_a_level_out_of_bounds_is_told(level: float) -> None:
    with pytest.raises(ParameterError, match="^level: .* must be 0.5 to 0.999"):
        measured_intervals([pd.DataFrame({"A": [1, 2], "B": [2, 1]})], level=level)


def test_four_runs_have_an_interval_and_three_have_none() -> None:
    """u^2 of 1, 2, 3, 4 is 1.8, 0.2, 0.2, 1.8. r = 0.8, and the influences u_a u_b - 0.4 (u_a^2 + u_b^2) are 0.36, -0.36, -0.36, 0.36, so
    the standard error is sqrt(4 * 0.36^2) / 4 = 0.18. Student's 95% point for 2 degrees is 2.92: z = artanh 0.8 -+ 2.92 * 0.18 / 0.36.
    """
    (four,) = measured_intervals([pd.DataFrame({"A": [1, 2, 3, 4], "B": [1, 3, 2, 4]})]).itertuples(index=False)
    assert (four.r, four.runs) == (pytest.approx(0.8), 4)
    assert (four.low, four.high) == (pytest.approx(np.tanh(1.0986 - 1.46), abs=1e-4), pytest.approx(np.tanh(1.0986 + 1.46), abs=1e-4))
    (three,) = measured_intervals([pd.DataFrame({"A": [1, 2, 3], "B": [1, 3, 2]})]).itertuples(index=False)
    assert np.isnan([three.low, three.high]).all()
