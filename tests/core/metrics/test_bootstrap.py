"""Intervals of metrics: what they rest on, worked out by hand where nothing is left to chance."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import ParameterError, TableError
from hemcore.metrics import bootstrapped, evaluate, metric_intervals, variance_shares
from hemcore.metrics.run_means import RunMeans
from tests.core.metrics.conftest import defined

SUM = defined({"sum": "X + Y", "of Y": "Y"})


def two(n: int = 100) -> Subexperiments:
    """X has ten times the spread of Y, so 100 / 101 of the variance of X + Y; 100 and n runs."""
    random = np.random.default_rng(3)
    x, y = random.normal(1000, 100, 100), random.normal(1000, 10, n)
    return Subexperiments(frames=(pd.DataFrame({"X": x}), pd.DataFrame({"Y": y})), n_pmcs=1, labels=("first", "second"))


def test_an_interval_is_as_wide_as_theory_says() -> None:
    table = two()
    found = metric_intervals(SUM, table, draws=4_000).set_index("metric")
    errors = [float(frame.iloc[:, 0].std(ddof=0)) / 10 for frame in table.frames]
    # The middle 80 % of a normal distribution is 2 x 1.2816 standard errors wide.
    width = 2 * 1.2816 * math.hypot(*errors)
    assert found.loc["sum", "high"] - found.loc["sum", "low"] == pytest.approx(width, rel=0.05)
    assert found.loc["sum", "value"] == evaluate(SUM, table)["sum"].iloc[0]
    assert found.loc["sum", "low"] < found.loc["sum", "value"] < found.loc["sum", "high"]


@pytest.mark.parametrize(
    ("variances", "runs", "upper"),
    [
        # 5 runs: t(0.9; 4) = 1.533, times sqrt(5 / 4) is 1.714, which the normal distribution exceeds once in 23 times.
        ([2.0], [5], 0.9567),
        # Two alike: t(0.9; 8) = 1.397, times sqrt(5 / 4) is 1.562.
        ([2.0, 2.0], [5, 5], 0.9408),
        # What does not vary does not count, however few its runs.
        ([2.0, 0.0], [5, 2], 0.9567),
        # Parts that were not drawn alone: as if all had the fewest runs.
        ([2.0], [5, 50], 0.9567),
        # Many runs: the plain percentile; one run or no variance: nothing better is known.
        ([2.0], [100_000], 0.9),
        ([0.0, 0.0], [1, 1], 0.9),
    ],
)
def test_few_runs_take_percentiles_further_out(variances: list[float], runs: list[int], upper: float) -> None:
    found = bootstrapped(defined({"mean": "Y"}), two().frames[1], draws=50)
    draws = np.arange(10_001)[None, ::-1] / 10_000
    few = replace(found, draws=draws, variances=np.array([variances]), runs=runs)
    (low,), (high,) = few.interval()
    assert (low, high) == pytest.approx((1 - upper, upper), abs=2e-4)
    # Other draws are those of identities, whose parts are not known.
    assert few.interval(draws)[1] == pytest.approx([0.9], abs=2e-4)
    # Nine draws cut the line into ten parts alike: 80% of further draws lie between the first and the last.
    assert [float(end[0]) for end in few.interval(np.arange(9.0)[None])] == [0, 8]


def test_the_share_of_each_subexperiment_and_what_would_halve_the_interval() -> None:
    found = bootstrapped(SUM, two())
    shares = variance_shares(found).set_index(["metric", "subexperiment"])
    assert shares.loc[("sum", "first"), "share"] == pytest.approx(100 / 101, abs=0.01)
    assert shares.loc[("of Y", "second"), "share"] == 1
    # A quarter of the variance must remain: of Y alone, 100 runs become 400.
    assert shares.loc[("of Y", "second"), "runs_to_halve"] == 300
    assert math.isnan(shares.loc[("sum", "second"), "runs_to_halve"])
    rows = metric_intervals(SUM, two()).set_index("metric")
    assert rows.loc["sum", "needs_most"] == "first"
    assert 300 < rows.loc["sum", "runs_to_halve"] < 330  # 100 (s / (s - 3/4) - 1) at s = 0.99 is 312


def test_runs_that_never_vary_have_an_interval_of_one_point() -> None:
    table = Subexperiments(frames=(pd.DataFrame({"X": [2.0] * 5}), pd.DataFrame({"Y": [3.0] * 5})), n_pmcs=1)
    row = metric_intervals(SUM, table).iloc[0]
    assert (row["low"], row["value"], row["high"], row["needs_most"]) == (5, 5, 5, "")


def test_what_was_read_together_varies_together() -> None:
    """X / A is 2 in every run: it is known exactly from its own subexperiment, however much A varies."""
    a = np.random.default_rng(1).uniform(1, 100, 50)
    table = Subexperiments(frames=(pd.DataFrame({"A": a, "X": 2 * a}), pd.DataFrame({"A": a[::-1] * 3, "Y": a})), n_pmcs=2)
    row = metric_intervals(defined({"ratio": "X / A"}), table).iloc[0]
    assert (row["low"], row["high"]) == pytest.approx((2, 2), rel=1e-12)


def test_weights_are_runs_drawn_again() -> None:
    means = RunMeans(two(), None)
    first, second = np.zeros((1, 100)), np.ones((1, 100))
    first[0, [4, 7]] = 1, 3
    x = two().frames[0]["X"]
    assert means.means([first, second])["X"][0] == pytest.approx((x[4] + 3 * x[7]) / 4)


def test_the_seed_decides() -> None:
    one, again, other = (metric_intervals(SUM, two(), seed=seed)["low"].iloc[0] for seed in (1, 1, 2))
    assert one == again != other


def test_thresholds_are_passed_in_a_share_of_the_draws() -> None:
    value = float(evaluate(SUM, two())["sum"].iloc[0])
    found = metric_intervals(defined({"sum": "X + Y", "no": "X"}, threshold=[f"sum > {value}", ""]), two()).set_index("metric")
    assert 0.4 < found.loc["sum", "passed_share"] < 0.6
    assert found.loc["sum", "passed"] == 0
    assert math.isnan(found.loc["no", "passed"])


def test_rows_of_a_merged_table_are_runs() -> None:
    frame = pd.DataFrame({"X": two().frames[0]["X"], "Y": 1.0})
    keys = {"program": "merged", "granularity": "whole run", "load": "as read", "phase": range(100)}
    phases = PhaseTable(frame=pd.DataFrame({**keys, **frame}), counters=("X", "Y"))
    pd.testing.assert_frame_equal(metric_intervals(SUM, phases), metric_intervals(SUM, frame))
    assert metric_intervals(SUM, frame)["value"].iloc[0] == pytest.approx(frame["X"].mean() + 1)
    several = PhaseTable(frame=phases.frame.assign(program=["a", "b"] * 50), counters=("X", "Y"))
    with pytest.raises(TableError, match="whole runs of several programs"):
        metric_intervals(SUM, several)
    with pytest.raises(TableError, match="phases follow on one another"):
        metric_intervals(SUM, PhaseTable(frame=phases.frame.assign(granularity=100), counters=("X", "Y")))


def test_intervals_of_time_are_no_runs_and_bounds_are_told() -> None:
    intervals = pd.DataFrame({"application": "a", "run": 1, "interval": range(3)})
    with pytest.raises(TableError, match="no interval can be drawn"):
        metric_intervals(SUM, CounterSeries(intervals=intervals, counts=pd.DataFrame({"X": [1.0, 2, 3]}), mode="OCOE"))
    with pytest.raises(ParameterError, match="draws: 10 must be between 50 and 20,000"):
        metric_intervals(SUM, two(), draws=10)
    with pytest.raises(ParameterError, match="level: 1.2"):
        metric_intervals(SUM, two(), level=1.2)
