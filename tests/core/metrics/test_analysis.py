"""The analyses of metrics and the front door: which definitions are used, and what the verdict rests on."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import hemcore as hem
from hemcore.datasets.shelf import samples
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import HemError, ParameterError, UnknownNameError
from hemcore.events.spelling import EventColumns
from hemcore.events.t2080 import T2080_EVENTS
from hemcore.metrics import OURS, check_identities, evaluate, our_definitions, read_definitions
from hemcore.metrics.headline import PLAN_MISSING
from hemcore.metrics.params import MetricsParams
from hemcore.metrics.sets.definition_sets import best_of_ours


def frames(runs: int, **counts: float) -> list[pd.DataFrame]:
    """One frame per two events, each run of its own length."""
    length = np.random.default_rng(4).uniform(0.9, 1.1, runs)
    names = list(counts)
    return [pd.DataFrame({name: counts[name] * length for name in names[at : at + 2]}) for at in range(0, len(names), 2)]


def test_the_samples_are_read_with_our_own_set() -> None:
    table = samples.load("subexperiments-hrm")
    assert isinstance(table, Subexperiments)
    answer = hem.metrics(table, draws=100)
    assert answer.result.definitions == "valgrind"
    assert answer.result.anchor == "CYCLES"
    rows = answer.table.set_index("metric")
    expected = evaluate(our_definitions("valgrind"), table)["IPC"].iloc[0]
    assert rows.loc["IPC", "value"] == expected
    assert rows["value"].notna().all()
    assert answer.verdict.level == "good"
    assert not answer.verdict.too_long()
    assert answer.result.tree.path[0] == "Last-level misses"
    assert set(answer.result.identities["holds"]) == {1}


@pytest.mark.parametrize("name", OURS)
def test_our_sets_parse_and_name_events_that_exist(name: str) -> None:
    definitions = our_definitions(name)
    assert len(definitions.repairs) == 0
    assert all(metric.description and metric.formula.constants == () for metric in definitions.metrics.values())
    events = {event for needed in definitions.needed_events.values() for event in needed}
    if name == "t2080":
        assert events <= set(T2080_EVENTS.values())
    if name == "valgrind":
        assert events == {"CYCLES", *samples.EVENTS}
    assert best_of_ours(EventColumns(events)) == name
    assert best_of_ours(EventColumns(["nothing known"])) == ""


def test_the_samples_model_sums_to_the_whole() -> None:
    rows = check_identities(our_definitions("valgrind"), samples.load("subexperiments-much"), draws=50)  # type: ignore[arg-type]
    assert rows["holds"].to_list() == [1, 1, 1, 1]


def test_definitions_of_a_notebook(tmp_path: Path) -> None:
    table = pd.DataFrame({"instructions": [4.0, 9], "cycles": [2.0, 3]})
    found = hem.metrics(table, {"IPC": "inst_retired.any / cycles", "GHz": "cycles / duration_time / 1e9"}, constants={"duration_time": 2})
    assert found.table["IPC"].to_list() == [2, 3]
    assert found.table["GHz"].to_list() == [1e-9, 1.5e-9]
    path = tmp_path / "own.csv"
    path.write_text("name,formula\nCPI,cycles / instructions\n")
    assert hem.metrics(table, path).table["CPI"].to_list() == [0.5, 1 / 3]
    assert hem.metrics(table, [str(path)]).result.definitions == "given"
    assert read_definitions(path).names == hem.read(path).names  # type: ignore[union-attr]


def test_what_is_missing_is_planned_and_few_runs_are_told() -> None:
    counts = {"INST_RETIRED": 200.0, "CPU_CYCLES": 100.0, "BRANCH_MISPRED": 4.0, "BRANCH_PRED": 40.0}
    answer = hem.metrics(frames(20, **counts))
    assert answer.result.definitions == "cortex-a15"
    assert answer.verdict.level == "limited"
    assert answer.verdict.answer == "4 of 14 metrics are known."
    assert answer.verdict.trust == "Only 20 runs; 30 or more are needed."
    assert PLAN_MISSING in answer.verdict.remedies
    assert answer.cards[0].shown == "4 of 14"
    rows = answer.table.set_index("metric")
    assert rows.loc["L1I MPKI", "note"] == "needs L1I_CACHE_REFILL, read in no subexperiment."


def test_a_failing_identity_comes_first() -> None:
    names = {"sum": "a + b == c"}
    answer = hem.metrics(frames(40, a=10, b=10, c=30, d=1), names)
    assert answer.verdict.trust == "1 identity fails: counts contradict one another."
    assert answer.verdict.level == "limited"


def test_no_metric_has_a_value() -> None:
    answer = hem.metrics(frames(40, a=10, b=10, c=30, d=1))
    assert answer.verdict.level == "poor"
    assert answer.verdict.answer == "Not one of 18 metrics has a value."
    assert answer.verdict.trust == "They are defined by other events than these."
    assert [each.page for each in answer.verdict.remedies] == ["data"]  # further events would help nothing


LIKWID = """TABLE,Group 1 Raw,BRANCH,5,
Event,Counter,HWThread 0,HWThread 1
INSTR_RETIRED_ANY,FIXC0,1000000,900000
CPU_CLK_UNHALTED_CORE,FIXC1,500000,600000
BR_INST_RETIRED_ALL_BRANCHES,PMC0,100000,90000
BR_MISP_RETIRED_ALL_BRANCHES,PMC1,1000,1800
TABLE,Group 2 Raw,L2,2,
Event,Counter,HWThread 0,HWThread 1
INSTR_RETIRED_ANY,FIXC0,1000010,900010
L1D_REPLACEMENT,PMC0,20000,18000
"""


@pytest.mark.parametrize(
    ("instructions", "cycles"),
    [
        ("instructions:u", "cycles:u"),
        ("INSTR_RETIRED_ANY", "CPU_CLK_UNHALTED_CORE"),
        ("INST_RETIRED.ANY", "CPU_CLK_UNHALTED.THREAD"),
        ("PAPI_TOT_INS", "PAPI_TOT_CYC"),
        ("cpu_core/instructions/", "cpu_core/cycles/"),
    ],
)
def test_a_usual_event_gives_ipc_under_any_name(instructions: str, cycles: str) -> None:
    answer = hem.metrics(frames(40, **{instructions: 200, cycles: 100}))
    assert answer.result.definitions == "generic"
    assert answer.table.set_index("metric").loc[["IPC", "CPI"], "value"].tolist() == pytest.approx([2, 0.5])


def test_what_likwid_counted_has_metrics(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    path.write_text(LIKWID)
    answer = hem.metrics(path)
    assert answer.verdict.answer == "5 of 18 metrics are known in 2 rows."
    assert answer.table["IPC"].tolist() == [2, 1.5]
    assert answer.table["Misprediction ratio"].tolist() == [0.01, 0.02]


def test_a_constant_is_given_and_no_event_planned_for_it() -> None:
    names = {"IPC": "a / b", "GHz": "b * #SYSTEM_TSC_FREQ", "lacks": "c / b"}
    of_constant = hem.metrics(frames(40, a=10, b=10), {"IPC": "a / b", "GHz": names["GHz"]})
    assert of_constant.verdict.trust == "1 metric lacks a constant: give it under Constants."
    assert [(each.label, each.choose) for each in of_constant.verdict.remedies] == [("Enter constants", {"view": "Missing"})]
    assert of_constant.cards[0].note == "1 constant missing"
    none = hem.metrics(frames(40, a=10, b=10), {"GHz": names["GHz"]})
    assert none.verdict.text == "Not one of 1 metric has a value. Each lacks a constant: give it under Constants."
    assert none.verdict.remedies == of_constant.verdict.remedies
    given = hem.metrics(frames(40, a=10, b=10), {"GHz": names["GHz"]}, constants={"SYSTEM_TSC_FREQ": 2})
    assert given.verdict.answer == "1 of 1 metric is known."
    both = hem.metrics(frames(40, a=10, b=10), names)
    assert both.verdict.trust == "1 metric lacks an event."
    assert both.verdict.remedies[0] == PLAN_MISSING
    assert both.cards[0].note == "1 event and 1 constant missing"
    nothing = hem.metrics(frames(40, a=10, b=10), {"GHz": names["GHz"]})
    assert nothing.verdict.trust == "Each lacks a constant: give it under Constants."
    assert [each.choose for each in nothing.verdict.remedies] == [{"view": "Missing"}]


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda: hem.metrics(), HemError, "no data was given"),
        (lambda: hem.metrics("hems-t2080"), HemError, "a HemList holds no readings"),
        (lambda: hem.metrics("phases", "nothing"), UnknownNameError, "nothing"),
        (lambda: hem.metrics("phases", 5), HemError, "a int is neither MetricDefinitions nor a path"),
        (lambda: hem.metrics("phases", "sample-phases"), ParameterError, "'sample-phases' holds no metrics"),
        (lambda: MetricsParams(constants="SMT_on: 1"), ParameterError, "'SMT_on: 1' must be a name, = and a number"),
        (lambda: MetricsParams(constants="a = inf"), ParameterError, "'a = inf' must be a name"),
    ],
)
def test_what_cannot_be(call: object, error: type[HemError], said: str) -> None:
    with pytest.raises(error) as refused:
        call()  # type: ignore[operator]
    assert said in str(refused.value)


def test_constants_as_text() -> None:
    params = MetricsParams(constants="#SMT_on = 1; system.count * 2 = 96\nTSC=2e9;")
    assert params.constant_values == {"SMT_on": 1, "system.count * 2": 96, "TSC": 2e9}


def test_metrics_as_text() -> None:
    assert MetricsParams(metrics=" IPC ; ;CPI per load ").metric_names == ["IPC", "CPI per load"]
    assert MetricsParams(metrics=" ; ").metric_names is None
