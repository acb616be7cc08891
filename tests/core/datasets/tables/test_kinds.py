"""What a table holds, in words and figures that a reader can check by hand."""

import json
from typing import get_args

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets import CounterSeries, HemList, MetricDefinitions, PhaseTable, SignatureTable, Subexperiments
from hemcore.datasets.tables import kinds
from hemcore.datasets.tables.kinds import KINDS
from hemcore.errors import TableError

ONE = pd.DataFrame({"a": [1, 2], "b": [3, 4]})
TWO = pd.DataFrame({"a": [5], "c": [6]})
INTERVALS = pd.DataFrame({"application": ["s", "s", "s", "t"], "run": [1, 1, 2, 1], "interval": [0, 1, 0, 0]})
COUNTS = pd.DataFrame({"Ir": [1.0, 2.0, np.nan, 4.0], "Bc": [1, 2, 3, 4]})
SERIES = CounterSeries(intervals=INTERVALS, counts=COUNTS, mode="MPX")
PHASES = PhaseTable(
    frame=pd.DataFrame({"program": ["s", "t"], "granularity": 10, "load": ["single core", "dual core no load"], "phase": 0, "Ir": [1, 2]}),
    counters=("Ir",),
)
SIGNATURES = SignatureTable(frame=pd.DataFrame({"CPI": np.ones(1_234), "TPI": 1.0, "MEM_GBS": 1.0, "GFLOPS": 1.0}))
METRICS = MetricDefinitions(frame=pd.DataFrame({"name": ["A", "B"], "formula": ["x / y", "A * z"], "level": [1, 2]}))
HEMS = HemList(frame=pd.DataFrame({"hem": ["a", "b", "c"], "counters": ["0", "", ""], "limit": ["x:1", "x:1", ""]}))

CORES = CounterSeries(
    intervals=pd.DataFrame(
        {"application": [*"abab"], "run": [1, 1, 2, 2], "interval": 1, "program": "solve", "core": ["0", "1", "0", "1"]},
    ),
    counts=pd.DataFrame({"cycles": [1.0, 2, 3, 4]}),
    mode="OCOE",
)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (Subexperiments(frames=(ONE, ONE), n_pmcs=2), "2 subexperiments, 2 HEMs, 2 PMCs, 2 runs each"),
        (Subexperiments(frames=(ONE, TWO), n_pmcs=4), "2 subexperiments, 3 HEMs, 4 PMCs, 1 to 2 runs each"),
        (HEMS, "3 HEMs, 1 bound to counters, 1 limit"),
        (SERIES, "2 applications, 3 runs, 4 intervals, 2 events, MPX"),
        (SERIES.run("t", 1), "1 application, 1 run, 1 interval, 2 events, MPX"),
        (CORES, "1 program, 2 cores, 2 runs, 4 intervals, 1 event, OCOE"),
        (Subexperiments(frames=(TWO[["a"]],), n_pmcs=1), "1 subexperiment, 1 HEM, 1 PMC, 1 run each"),
        (PHASES, "2 programs, 2 phases, 1 counter, 2 loads"),
        (SIGNATURES, "1,234 signatures"),
        (METRICS, "2 metrics, 3 events, 2 levels"),
    ],
)
def test_the_shape_in_words(table: kinds.Table, words: str) -> None:
    assert kinds.shape(table) == words


def test_the_frames_of_each_kind() -> None:
    parts = kinds.frames(Subexperiments(frames=(ONE, TWO), n_pmcs=2, labels=("first", "second")))
    assert list(parts) == ["first", "second"]
    pd.testing.assert_frame_equal(parts["second"], TWO)
    (series,) = kinds.frames(SERIES).values()
    assert list(series.columns) == ["application", "run", "interval", "Ir", "Bc"]
    assert series["Bc"].tolist() == [1, 2, 3, 4]
    assert list(kinds.frames(PHASES)) == ["phases"]
    assert list(kinds.frames(SIGNATURES)) == ["signatures"]
    assert list(kinds.frames(HEMS)) == ["HEMs"]
    assert list(kinds.frames(METRICS)) == ["metrics", "events", "constants"]


def test_a_row_of_figures_for_each_column() -> None:
    rows = kinds.columns(pd.DataFrame({"a": [1.0, 2.0, np.nan, 6.0], "text": list("wxyz"), "b": [5, 5, 5, 5]}))
    assert rows["column"].tolist() == ["a", "b"]
    a, b = rows.to_dict("records")
    assert (a["measured"], a["missing"], a["least"], a["median"], a["mean"], a["largest"]) == (3, 1, 1, 2, 3, 6)
    assert a["CoV %"] == pytest.approx(100 * 7**0.5 / 3)  # variance of 1, 2, 6 is (4 + 1 + 9) / 2
    assert (b["mean"], b["CoV %"]) == (5, 0)


def test_a_mean_of_zero_has_no_cov() -> None:
    (row,) = kinds.columns(pd.DataFrame({"a": [-1, 1]})).to_dict("records")
    assert (row["least"], row["mean"], row["largest"]) == (-1, 0, 1)
    assert np.isnan(row["CoV %"])


def test_a_column_without_a_value_is_all_missing() -> None:
    (row,) = kinds.columns(pd.DataFrame({"a": [np.nan, np.nan]})).to_dict("records")
    assert (row["measured"], row["missing"]) == (0, 2)
    assert np.isnan([row[name] for name in ("least", "median", "mean", "largest", "CoV %")]).all()


def test_one_row_has_no_spread() -> None:
    (row,) = kinds.columns(pd.DataFrame({"a": [3]})).to_dict("records")
    assert row["mean"] == 3
    assert np.isnan(row["CoV %"])


def test_no_number_is_no_row() -> None:
    rows = kinds.columns(pd.DataFrame({"text": ["x"]}))
    assert rows.empty
    assert list(rows.columns) == ["column", "measured", "missing", "least", "median", "mean", "largest", "CoV %"]


def test_the_frame_is_not_changed() -> None:
    frame = pd.DataFrame({"a": [1.0, np.nan]})
    kinds.columns(frame)
    pd.testing.assert_frame_equal(frame, pd.DataFrame({"a": [1.0, np.nan]}))


def test_figures_of_huge_counts_raise_no_warning() -> None:
    (row,) = kinds.columns(pd.DataFrame({"a": [1e300, 2e300]})).to_dict("records")
    assert (row["mean"], row["largest"]) == (1.5e300, 2e300)
    assert np.isnan(row["CoV %"])


EACH = (Subexperiments(frames=(ONE, TWO), n_pmcs=2), SERIES, PHASES, SIGNATURES, HEMS, METRICS)


def test_every_type_of_table_has_one_entry_under_its_name() -> None:
    assert [kinds.kind_of(table) for table in EACH] == list(KINDS.values())
    assert [kind.type for kind in KINDS.values()] == list(get_args(kinds.Table))
    assert all(kind.name == name == kind.type.__name__ for name, kind in KINDS.items())
    assert [kind.words for kind in KINDS.values()] == [
        "subexperiments",
        "counter series",
        "phases",
        "signatures",
        "HEMs to read",
        "metrics",
    ]


@pytest.mark.parametrize("table", EACH, ids=lambda table: type(table).__name__)
def test_a_table_comes_back_of_its_files(table: kinds.Table) -> None:
    frames, rest = kinds.kind_of(table).to_files(table)
    again = kinds.kind_of(table).from_files(frames, json.loads(json.dumps(rest)))
    assert type(again) is type(table)
    assert kinds.shape(again) == kinds.shape(table)
    for one, two in zip(kinds.frames(again).items(), kinds.frames(table).items(), strict=True):
        assert one[0] == two[0]
        pd.testing.assert_frame_equal(one[1], two[1])


@pytest.mark.parametrize("thing", [None, 5, ONE, [ONE]])
def test_what_is_no_table_is_told(thing: object) -> None:
    with pytest.raises(TableError, match="table: a .*; it must be one of Subexperiments, CounterSeries, PhaseTable, SignatureTable"):
        kinds.shape(thing)  # type: ignore[arg-type]
