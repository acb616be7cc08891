"""Metrics of every kind of table, worked out by hand."""

import math

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.hem_list import HemList
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.datasets.tables.signature_table import SignatureTable
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import HemError, ParameterError, TableError, UnknownNameError
from hemcore.metrics import evaluate, evaluation
from tests.core.metrics.conftest import defined

NAN = math.nan
IPC = defined({"IPC": "INST / CYC", "CPI": "1 / IPC"})


def subexperiments(*frames: dict[str, list[float]]) -> Subexperiments:
    return Subexperiments(frames=tuple(pd.DataFrame(frame) for frame in frames), n_pmcs=4)


def test_a_frame_row_by_row_and_what_has_no_value_is_told() -> None:
    frame = pd.DataFrame({"CYC": [2.0, 4.0, 0.0, NAN], "INST": [4, 0, 1, 1]}, index=list("abcd"))
    found = evaluate(IPC, frame)
    assert list(found.index) == list("abcd")
    np.testing.assert_array_equal(found["IPC"], [2, 0, NAN, NAN])
    np.testing.assert_array_equal(found["CPI"], [0.5, NAN, NAN, NAN])
    assert found.attrs["notes"] == {
        "IPC": "IPC divides by zero; it has no value there: 1 of 4 rows.",
        "CPI": "CPI divides by zero; it has no value there: 1 of 4 rows.",
    }


def test_subexperiments_without_an_anchor_are_means_of_the_runs_that_read_the_event() -> None:
    table = subexperiments({"INST": [10, 20, 30]}, {"CYC": [4, 6]})  # 20 / 5
    assert evaluate(IPC, table)["IPC"].to_list() == [4]


def test_subexperiments_with_an_anchor_are_ratios_to_it() -> None:
    # The second subexperiment's runs were twice as long: INST per A is 60 / 10, CYC per A is 60 / 40.
    table = subexperiments({"A": [4, 6], "INST": [20, 40]}, {"A": [20, 20], "CYC": [20, 40]})
    assert evaluate(IPC, table)["IPC"].iloc[0] == pytest.approx(6 / 1.5)
    assert evaluate(IPC, table, anchor="")["IPC"].iloc[0] == pytest.approx(30 / 30)
    # A's own mean is that of all runs: 50 / 4.
    assert evaluate(defined({"A": "INST"}), table)["A"].iloc[0] == pytest.approx(6 * 12.5)


def test_the_anchor_must_be_read_everywhere() -> None:
    table = subexperiments({"A": [4.0], "INST": [20.0]}, {"A": [20.0], "CYC": [20.0]})
    with pytest.raises(ParameterError, match="'INST' is not read in every subexperiment; those that are: 'A'"):
        evaluate(IPC, table, anchor="INST")


def test_runs_in_which_an_event_was_not_counted_do_not_count() -> None:
    table = subexperiments({"A": [1, 1, 100], "INST": [2, 4, NAN]}, {"A": [1.0, 1, 1], "CYC": [1, 1, 1]})
    assert evaluate(IPC, table)["IPC"].iloc[0] == pytest.approx(3)


def test_an_event_of_no_subexperiment() -> None:
    found = evaluation(IPC, subexperiments({"INST": [1, 2]}))
    assert found.needs == {"IPC": ("CYC",), "CPI": ("CYC",)}
    assert found.notes["CPI"] == ("needs CYC, read in no subexperiment.",)
    assert found.frame.isna().all(axis=None)


def test_a_series_knows_how_long_its_intervals_are() -> None:
    intervals = pd.DataFrame({"application": "a", "run": [1, 1, 1, 2, 2], "interval": [0, 1, 2, 0, 1], "time": [0.5, 1.0, 2.0, 7.0, 7.5]})
    table = CounterSeries(intervals=intervals, counts=pd.DataFrame({"CYC": [1e9, NAN, 1e9, 1e9, 1e9]}), mode="MPX")
    definitions = defined({"GHz": "CYC / duration_time / 1e9", "again": "CYC / (#DURATIONTIMEINMILLISECONDS / 1000) / 1e9"})
    found = evaluation(definitions, table)
    # The second run begins at 6.5 or later: its first interval is taken to be as long as most.
    np.testing.assert_allclose(found.frame["GHz"], [2, NAN, 1, 2, 2])
    np.testing.assert_allclose(found.frame["again"], [2, NAN, 1, 2, 2])
    assert set(found.constants["source"]) == {"the table's times"}
    given = evaluation(definitions, table, constants={"duration_time": 4})
    np.testing.assert_allclose(given.frame["again"], [0.25, NAN, 0.25, 0.25, 0.25])


def test_an_interval_after_a_missing_one_is_no_longer_than_the_others() -> None:
    intervals = pd.DataFrame({"application": "a", "run": 1, "interval": [1, 2, 4, 5], "time": [1.0, 2.0, 4.0, 5.0]})
    table = CounterSeries(intervals=intervals, counts=pd.DataFrame({"CYC": [1e9] * 4}), mode="OCOE")
    definitions = defined({"GHz": "CYC / duration_time / 1e9"})
    np.testing.assert_allclose(evaluate(definitions, table)["GHz"], [1, 1, 1, 1])
    tens = CounterSeries(intervals=intervals.assign(interval=[10, 20, 30, 40]), counts=table.counts, mode="OCOE")
    np.testing.assert_allclose(evaluate(definitions, tens)["GHz"], [1, 1, 0.5, 1])


def test_perfs_own_clock_counts_nanoseconds() -> None:
    intervals = pd.DataFrame({"application": "a", "run": [1], "interval": [0]})
    table = CounterSeries(intervals=intervals, counts=pd.DataFrame({"CYC": [3e9], "duration_time": [1.5e9]}), mode="OCOE")
    assert evaluate(defined({"GHz": "CYC / duration_time / 1e9"}), table)["GHz"].to_list() == [2]


def test_phases_and_signatures() -> None:
    keys = {"program": "p", "granularity": 100, "load": "single core", "phase": [0, 1]}
    phases = PhaseTable(frame=pd.DataFrame({**keys, "INST": [6.0, 8], "CYC": [3.0, 2], "other": [9.0, 9]}), counters=("INST", "CYC"))
    assert evaluate(IPC, phases)["IPC"].to_list() == [2, 4]
    frame = pd.DataFrame({"CPI": [1.0], "TPI": 1.0, "MEM_GBS": 8.0, "GFLOPS": 4.0, "TIME_SEC": 2.0, "CYCLES": 6e9, "INSTRUCTIONS": 3e9})
    found = evaluate(defined({"GHz": "cycles / duration_time / 1e9", "IPC": "instructions / cycles"}), SignatureTable(frame=frame))
    assert found.iloc[0].to_list() == [3, 0.5]


def test_constants_by_any_of_their_names() -> None:
    frame = pd.DataFrame({"CYC": [8.0], "ANY": [6.0]})
    definitions = defined({"clocks": "ANY / 2 if #SMT_on else CYC", "threads": "#THREADS_PER_CORE", "clock": "1e-6 / #inverseClock"})
    assumed = evaluation(definitions, frame)
    assert assumed.frame.iloc[0].to_list()[:2] == [8, 1]
    assert assumed.notes["clock"] == ("needs the value of #inverseClock: give it in constants.",)
    assert dict(zip(assumed.constants["constant"], assumed.constants["source"], strict=True))["SMT_on"] == "assumed"
    for given in ({"#SMT_on": 1}, {"HYPERTHREADING_ON": True}, {"THREADS_PER_CORE": 2}):
        assert evaluate(definitions, frame, constants={**given, "SYSTEM_TSC_FREQ": 2.5e9}).iloc[0].to_list() == [3, 2, 2500]
    with pytest.raises(ParameterError, match="'SMT_on' is 'nan'; it must be a finite number"):
        evaluate(definitions, frame, constants={"SMT_on": NAN})


def test_a_metric_that_is_chosen_brings_those_it_needs() -> None:
    found = evaluate(IPC, pd.DataFrame({"INST": [4.0], "CYC": [2.0]}), metrics=["CPI"])
    assert found.columns.to_list() == ["CPI"]
    assert found["CPI"].to_list() == [0.5]
    with pytest.raises(UnknownNameError, match="'MPKI' is not defined"):
        evaluate(IPC, pd.DataFrame({"INST": [4.0]}), metrics=["MPKI"])


def test_d_ratio_of_nothing_is_told() -> None:
    found = evaluation(defined({"M": "d_ratio(a, b)"}), pd.DataFrame({"a": [1.0, 1], "b": [0.0, 2]}))
    assert found.frame["M"].to_list() == [0, 0.5]
    assert found.notes["M"] == ("M has d_ratio with a denominator of 0, which gives 0: 1 of 2 rows.",)


def test_an_event_of_two_columns_is_not_chosen_by_chance() -> None:
    found = evaluation(defined({"M": "x"}), pd.DataFrame({"x:u": [1.0], "x:k": [2.0]}))
    assert found.notes["M"] == ("needs x, which may be 'x:u', 'x:k': leave one of them out, or name it in the formula.",)


@pytest.mark.parametrize("table", [HemList(frame=pd.DataFrame({"hem": ["a"]})), pd.DataFrame({"a": ["text"]}), pd.DataFrame([[1.0]]), 5])
def test_what_holds_no_counts(table: object) -> None:
    with pytest.raises(TableError, match="^metrics: "):
        evaluate(IPC, table)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("formulas", "said"),
    [
        ({"a": "b + 1", "b": "c", "c": "a"}, "metrics: 'a' needs 'b' needs 'c' needs 'a': a circle has no value"),
        ({"a": "b + a", "b": "a"}, "'a' needs 'b' needs 'a'"),
        ({"a": "x +"}, "metric a: at character 4"),
        ({"": "x"}, "row 1 is named ''"),
        ({"a\x00": "x"}, "a name must be printable text"),
        ({f"m{number}": "x" for number in range(20_001)}, "20,001 rows; at most 20,000"),
        ({"m": "(" * 999_999}, "999,999 characters"),
    ],
)
def test_definitions_that_cannot_be(formulas: dict[str, str], said: str) -> None:
    with pytest.raises(HemError) as refused:
        defined(formulas)
    assert said in str(refused.value)
    assert len(str(refused.value)) < 400


def test_a_long_chain_of_metrics_is_no_circle_and_no_deep_recursion() -> None:
    chain = defined({f"m{number}": f"m{number + 1} + 1" for number in range(3_000)} | {"m3000": "x"})
    assert evaluate(chain, pd.DataFrame({"x": [5.0]}), metrics=["m0"])["m0"].to_list() == [3_005]


def test_names_that_look_like_code_are_names() -> None:
    names = {"<script>alert(1)</script>": "x", "__import__('os')": '"<b>" / x', "=cmd()": "x"}
    found = evaluate(defined(names), pd.DataFrame({"x": [2.0], "<b>": [4.0]}))
    assert found.iloc[0].to_list() == [2, 2, 2]


def test_a_metric_named_like_its_own_event_means_the_event_in_its_own_formula_alone() -> None:
    both = defined({"instructions": "instructions / 1000", "IPC": "instructions / cycles"})
    assert both.needed_events == {"instructions": ("instructions",), "IPC": ("cycles", "instructions")}
    row = evaluate(both, pd.DataFrame({"instructions": [4000.0], "cycles": [2.0]})).iloc[0]
    assert row.tolist() == [4.0, 2.0]
    lacking = evaluation(both, pd.DataFrame({"cycles": [2.0]}))
    assert lacking.needs == {"instructions": ("instructions",), "IPC": ("instructions",)}


def test_the_clock_of_perf_is_in_nanoseconds_in_phases_too() -> None:
    frame = pd.DataFrame({"program": "p", "granularity": "segment", "load": "alone", "phase": [0], "duration_time": [2e9], "a": [6.0]})
    table = PhaseTable(frame=frame, counters=("duration_time", "a"))
    assert evaluate(defined({"rate": "a / duration_time"}), table)["rate"].tolist() == [3.0]


def test_a_ratio_of_what_was_not_counted_is_unknown_though_its_divisor_is_0() -> None:
    table = pd.DataFrame({"a": [1.0, np.nan], "b": [0.0, 0.0]})
    found = evaluate(defined({"share": "d_ratio(a, b)"}), table)["share"]
    np.testing.assert_array_equal(found, [0.0, np.nan])
