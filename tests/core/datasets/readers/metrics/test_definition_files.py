"""Files of metric definitions, small ones whose metrics are known; the real ones are in tests/core/metrics."""

import json

import pytest

from hemcore.datasets.readers.metrics.definition_files import recognise
from hemcore.datasets.readers.metrics.vendors import is_intel_metrics
from hemcore.datasets.readers.recognition import Unpacked, read_upload
from hemcore.datasets.readers.recognition import recognise as recognise_any
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.metric_definitions import MetricDefinitions
from hemcore.errors import HemError, ReadError


def file(content: object, name: str = "metrics.json") -> UploadedFile:
    return UploadedFile(name, (content if isinstance(content, str) else json.dumps(content)).encode())


def read(*files: UploadedFile) -> MetricDefinitions:
    assert recognise_any(files)[0].key == "metric_definitions"
    table = read_upload(files).table
    assert isinstance(table, MetricDefinitions)
    return table


PERF = [
    {"EventName": "cs", "EventAlias": "context-switches", "EventType": "Software event", "BriefDescription": "Context switches"},
    {"MetricGroup": "Backend", "MetricName": "tma_core", "MetricExpr": "tma_be - m\\-x", "ScaleUnit": "100%"},
    {"MetricGroup": "TopdownL2;tma_L2_group;tma_be_group", "MetricName": "tma_core", "MetricExpr": "tma_be - m\\-x", "ScaleUnit": "100%"},
    {"MetricGroup": "tma_L1_group", "MetricName": "tma_be", "MetricExpr": "a / slots", "MetricThreshold": "tma_be > 0.2"},
    {"MetricGroup": "tma_L2_group;tma_be_group", "MetricName": "tma_info_clks", "MetricExpr": "clks"},
    {"MetricGroup": "", "MetricName": "bandwidth", "MetricExpr": "x / duration_time", "ScaleUnit": "6.1E-5MB/sec"},
]


def test_perf_list_as_json() -> None:
    table = read(file(PERF))
    assert table.names == ["tma_core", "tma_be", "tma_info_clks", "bandwidth"]
    core = table.metrics["tma_core"]
    assert (core.level, core.parent, core.scale, core.unit) == (2, "tma_be", 100, "%")
    assert core.groups == ("Backend", "TopdownL2", "tma_L2_group", "tma_be_group")
    assert core.formula.names == ("tma_be", "m-x")
    assert (table.metrics["tma_be"].level, table.metrics["tma_be"].parent) == (1, "")
    assert (table.metrics["tma_info_clks"].level, table.metrics["tma_info_clks"].parent) == (0, "")
    assert (table.metrics["bandwidth"].scale, table.metrics["bandwidth"].unit) == (6.1e-5, "MB/sec")
    assert dict(zip(table.events["event"], table.events["description"], strict=True))["cs"] == "Context switches"
    assert table.needed_events["tma_core"] == ("m-x", "a", "slots")


TEXT = """
List of pre-defined events (to be used in -e or -M):

cache:
  l1d.replacement
       [L1D data line replacements. Unit: cpu]
        cpu/event=0x51,umask=0x1/

Metric Groups:

Backend: [Grouping]
  tma_core
       [A long description that
        goes on in a second line]
       [tma_be - x]
       [tma_core > 0.1 &
        tma_be > 0.2]

tma_L1_group:
  tma_be
       [Waits]
       [a / slots]
"""


def test_perf_list_as_text() -> None:
    table = read(file(TEXT, "list.txt"))
    core = table.metrics["tma_core"]
    assert core.description == "A long description that goes on in a second line"
    assert core.formula.text == "tma_be - x"
    assert core.threshold is not None
    assert core.threshold.text == "tma_core > 0.1 & tma_be > 0.2"
    assert core.groups == ("Backend",)
    assert table.metrics["tma_be"].level == 1
    assert table.events[["event", "description", "counters"]].to_dict("records") == [
        {"event": "l1d.replacement", "description": "L1D data line replacements. Unit: cpu", "counters": ""}
    ]


def test_perf_list_without_formulas_says_what_to_do() -> None:
    with pytest.raises(ReadError, match="have no formulas. Add --details"):
        read_upload([file("Metrics:\n\n  IPC\n       [Instructions per cycle]\n  CPI\n       [Cycles]\n", "list.txt")])
    with pytest.raises(ReadError, match="has no MetricExpr. Add --details"):
        read_upload([file([{"MetricName": "IPC", "MetricGroup": "x"}])], format_key="metric_definitions")


INTEL = {
    "Header": {},
    "Metrics": [
        {
            "MetricName": "Memory_Bound",
            "LegacyName": "metric_TMA_..Memory_Bound(%)",
            "ParentCategory": "Backend_Bound",
            "Level": 2,
            "UnitOfMeasure": "percent",
            "Events": [{"Name": "X.Y:c1", "Alias": "a"}, {"Name": "CLK", "Alias": "b"}],
            "Constants": [{"Name": "20", "Alias": "weight"}, {"Name": "system.count * 2", "Alias": "c"}],
            "Formula": "100 * ( a[0] + weight ) / b / c if b > = 1 else min( a, undeclared )",
            "Threshold": {
                "Formula": "a > 20 & b > 10",
                "ThresholdMetrics": [
                    {"Alias": "a", "Value": "metric_TMA_..Memory_Bound(%)"},
                    {"Alias": "b", "Value": "metric_TMA_Backend_Bound(%)"},
                ],
            },
        },
        {"MetricName": "Backend_Bound", "LegacyName": "metric_TMA_Backend_Bound(%)", "Level": 1, "Events": [], "Formula": "1"},
        {"MetricName": "frequency", "Level": 1, "Events": [{"Name": "CLK", "Alias": "a"}], "Constants": [], "Formula": "a"},
    ],
}
EVENTS = {
    "Events": [{"EventName": "CLK", "Counter": "Fixed counter 1", "BriefDescription": "Clocks"}, {"EventName": "X.Y", "Counter": "0,1"}]
}


def test_intels_aliases_become_names() -> None:
    table = read(file(INTEL), file(EVENTS, "core.json"))
    metric = table.metrics["Memory_Bound"]
    assert metric.formula.text == ('100 * ( X.Y:c1 + 20 ) / CLK / #"system.count * 2" if CLK >= 1 else min ( X.Y:c1 , #undeclared )')
    assert metric.formula.constants == ("system.count * 2", "undeclared")
    assert metric.threshold is not None
    assert metric.threshold.text == "Memory_Bound > 20 & Backend_Bound > 10"
    assert (metric.unit, metric.level, metric.parent) == ("%", 2, "Backend_Bound")
    assert [table.metrics[name].level for name in ("Backend_Bound", "frequency")] == [1, 0]
    assert table.events["counters"].to_list() == ["fixed1", "0 1"]


GROUP = """SHORT Branch prediction

EVENTSET
FIXC0 INSTR_RETIRED_ANY
PMC0  BR_MISP
PMC1:EDGEDETECT CYCLES_X
MBOX0C0 CAS_RD
MBOX1C0 CAS_RD

METRICS
Runtime (RDTSC) [s] time
Branch rate PMC0/FIXC0
Bandwidth [MBytes/s] 1.0E-06*(MBOX0C0+MBOX1C0)*64.0/time
Clock [MHz]  1.E-06*PMC1/inverseClock
Broken PMC0/*

LONG
Branch rate = BR_MISP / INSTR_RETIRED_ANY
"""


def test_likwids_counters_become_events() -> None:
    found = read_upload([file(GROUP, "BRANCH.txt")])
    table = found.table
    assert isinstance(table, MetricDefinitions)
    assert table.names == ["Runtime (RDTSC)", "Branch rate", "Bandwidth", "Clock"]
    assert table.metrics["Branch rate"].formula.text == "BR_MISP / INSTR_RETIRED_ANY"
    assert table.metrics["Bandwidth"].formula.names == ("CAS_RD:MBOX0C0", "CAS_RD:MBOX1C0")
    assert table.metrics["Bandwidth"].unit == "MBytes/s"
    assert table.metrics["Clock"].formula.constants == ("inverseClock",)
    assert table.metrics["Clock"].formula.names == ("CYCLES_X:EDGEDETECT",)
    assert table.metrics["Clock"].groups == ("BRANCH",)
    assert found.repairs["column"].to_list() == ["Broken"]


def test_our_own_json_and_csv() -> None:
    own = {
        "metrics": [{"name": "IPC", "formula": "i / c", "level": 1, "group": ["a", "b"]}],
        "events": {"i": "Instructions"},
        "constants": {"TSC": 2e9},
    }
    table = read(file(own), file('name;formula;scale\nCPI;"c / i";2\n\nIPC;i / c;1\n', "own.csv"))
    assert table.names == ["IPC", "CPI"]
    assert (table.metrics["IPC"].groups, table.metrics["CPI"].scale) == (("a", "b"), 2)
    assert table.constants["value"].to_list() == [2e9]
    assert len(table.repairs) == 0


def test_a_metric_that_does_not_parse_is_left_out_and_listed() -> None:
    found = read_upload([file("name,formula,threshold\nA,x +,\nB,x / y,B >\n", "own.csv")])
    assert list(found.table.frame["name"]) == ["B"]  # type: ignore[union-attr]
    assert found.repairs["what"].to_list() == [
        "metric left out: metric A: at character 4 a number, a name or '(' is needed, but it ends here. Correct the formula.",
        "threshold left out: threshold of B: at character 4 a number, a name or '(' is needed, but it ends here. Correct the formula.",
    ]


def test_a_second_formula_of_one_name_is_told() -> None:
    found = read_upload([file("name,formula\nA,x\n", "a.csv"), file("name,formula\nA,y\n", "b.csv")])
    assert found.repairs["what"].to_list() == ["a second formula for this name: the first is used"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("name,formula\nA," + "x+" * 500_000 + "x\n", "a cell is longer than a formula may be (100,000 characters)"),
        ("name,formula\n" + "".join(f"m{number},x\n" for number in range(100_000)), "100,000 metrics; at most 20,000 are read"),
        ([{"name": "A", "formula": "x+" * 500_000 + "x"}], "no metric found. The first that was left out: metric A: 1,000,001 characters"),
        ([{"name": f"m{number}", "formula": "x"} for number in range(100_000)], "more than 20,000 metrics"),
        ("name,formula\nA,B\nB,A\n", "'A' needs 'B' needs 'A'"),
        ("name,formula,level\nA,x,high\n", "level 'high' is no number"),
        ("name,formula\nA,x,y\n", "3 cells in 2 columns"),
        ('[{"name": "A", "formula": "x"', "not valid JSON"),
        ('{"formula": 1}', "a list of metrics is needed"),
        ("name,formula\n", "no metric found"),
        ({"metrics": [{"name": "A", "formula": "x"}], "constants": {"c": "many"}}, "constant 'c' is 'many'"),
    ],
    ids=lambda each: str(each)[:30],
)
def test_hostile_files_get_a_sentence(content: object, said: str) -> None:
    with pytest.raises(HemError) as refused:
        read_upload([file(content, "metrics.json" if not isinstance(content, str) or content[0] in "[{" else "m.csv")])
    assert said in str(refused.value)
    assert len(str(refused.value)) < 900


def test_values_of_the_wrong_kind_are_no_traceback() -> None:
    odd = {"MetricName": 5, "Level": "high", "Events": {"a": 1}, "Constants": None, "Formula": "1", "Threshold": [], "MetricGroup": 7}
    table = read(file({"Metrics": [odd, *INTEL["Metrics"]]}))
    assert table.metrics["5"].level == 0
    own = [{"name": "A", "formula": "x", "description": "half \ud800", "scale": 1e400, "level": 7e400}]
    metric = read(file(json.dumps(own))).metrics["A"]
    assert (metric.description, metric.scale, metric.level) == ("half ?", 1.0, 0)


def test_events_alone_are_no_definitions() -> None:
    assert recognise([file(EVENTS)]) == (0.0, "")


def test_a_list_of_events_and_metrics_says_that_it_is_both() -> None:
    events = "  branch-misses [Hardware event]\n  cycles [Hardware event]\n"
    text = f"{events}\nMetrics:\n\n  IPC\n       [Per cycle]\n       [instructions / cycles]\n"
    metrics, hems = Unpacked([file(text, "list.txt")]).matches
    assert metrics.why == "definitions of metrics: perf list --details; to plan with its events, choose the format HEMs to read"
    assert "list.txt lists events too" in Unpacked([file(text, "list.txt")]).read().notes[1]
    assert Unpacked([file(text, "list.txt")]).read(format_key=hems.key).table.frame["hem"].tolist() == ["branch-misses", "cycles"]


def test_one_formula_makes_a_file_of_metrics() -> None:
    assert is_intel_metrics({"Metrics": [{"MetricName": "a"}, {"Formula": "x / y"}]})
    assert not is_intel_metrics({"Metrics": [{"MetricName": "a"}]})
