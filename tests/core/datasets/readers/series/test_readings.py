"""Which run a file is, and rows into a series."""

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.readers.repairs import Repair, repairs_table
from hemcore.datasets.readers.series.readings import from_rows, natural_order, runs_of_files, unit_of
from hemcore.errors import TableError


@pytest.mark.parametrize(
    ("names", "runs"),
    [
        ([], []),
        (["qsort.csv"], [("qsort", 1)]),
        (["qsort_run2.csv"], [("qsort", 2)]),
        (["sha256.csv"], [("sha256", 1)]),
        (["qsort_run2.csv", "qsort_run1.csv"], [("qsort", 2), ("qsort", 1)]),
        (["qsort-1.perf.csv", "qsort-7.perf.csv"], [("qsort", 1), ("qsort", 7)]),
        (["qsort_run1.csv", "qsort-r1.csv"], [("qsort", 1), ("qsort", 2)]),
        (["run1.csv", "run2.csv"], [("run", 1), ("run", 2)]),
        (["a.csv", "b.csv"], [("a", 1), ("b", 1)]),
        (["a.csv", "a.csv"], [("a", 1), ("a", 2)]),
        (["node11.csv", "node12.csv"], [("node11", 1), ("node12", 1)]),
        (["n01/power.csv", "n02/power.csv"], [("n01", 1), ("n02", 1)]),
        (["fft_core_0.csv", "fft_core_1.csv"], [("fft_core_0", 1), ("fft_core_1", 1)]),
        (["cpu0_run1.csv", "cpu0_run2.csv"], [("cpu0", 1), ("cpu0", 2)]),
        (["i01r01c01.perf", "i01r01c02.perf"], [("i01r01c01", 1), ("i01r01c02", 1)]),
        (["sha256r1.csv", "sha256r2.csv"], [("sha256", 1), ("sha256", 2)]),
        (["score1.csv", "score2.csv"], [("score", 1), ("score", 2)]),
    ],
)
def test_runs_by_the_names_of_the_files(names: list[str], runs: list[tuple[str, int]]) -> None:
    assert runs_of_files(names) == runs


@pytest.mark.parametrize(
    ("names", "runs"),
    [
        (["list_1/Run_1/e.data", "list_1/Run_2/e.data", "list_2/Run_1/e.data"], [("list_1", 1), ("list_1", 2), ("list_2", 1)]),
        (["all/list_1/Run_1/e.data", "all/list_1/Run_2/e.data"], [("list_1", 1), ("list_1", 2)]),
        (["Run_1/e.data", "Run_2/e.data"], [("e", 1), ("e", 2)]),
        (["qsort/run1.csv", "sha/run1.csv"], [("qsort", 1), ("sha", 1)]),
        (["qsort/1.csv", "sha/1.csv"], [("qsort", 1), ("sha", 1)]),
        (["x/a.csv", "x/b.csv", "y/a.csv", "y/b.csv"], [("x/a", 1), ("x/b", 1), ("y/a", 1), ("y/b", 1)]),
        (["x/a.csv", "y/b.csv"], [("a", 1), ("b", 1)]),
    ],
)
def test_folders_count_where_files_of_one_name_lie_in_several(names: list[str], runs: list[tuple[str, int]]) -> None:
    assert runs_of_files(names) == runs


def rows(*readings: tuple[int, str, float], **columns: list) -> pd.DataFrame:
    frame = pd.DataFrame(readings, columns=["interval", "event", "count"])
    return frame.assign(application="a", run=1, **columns)


def test_rows_become_columns_in_the_order_of_first_appearance() -> None:
    series = from_rows(rows((1, "B", 5), (1, "A", 6), (2, "A", 7), (2, "B", 8)))
    assert series.events == ["B", "A"]
    assert series.counts.to_numpy().tolist() == [[5, 6], [8, 7]]
    assert (series.mode, series.share, series.interval_unit) == ("OCOE", None, "interval")


def test_what_no_row_says_is_not_counted() -> None:
    series = from_rows(rows((1, "A", 5), (2, "B", 0)))
    assert np.isnan(series.counts["B"][0])
    assert series.counts["B"][1] == 0


def test_an_event_twice_in_an_interval_is_two_events() -> None:
    series = from_rows(rows((1, "A", 5), (1, "A", 6), (2, "A", 7), (2, "A", 8)))
    assert series.counts.to_dict("list") == {"A": [5, 7], "A (2)": [6, 8]}


def test_a_share_below_one_makes_it_multiplexed() -> None:
    readings = [(1, "A", 5.0), (1, "B", 6.0), (2, "A", np.nan), (2, "B", 8.0)]
    series = from_rows(rows(*readings, share=[1.0, 0.5, np.nan, 1.0]))
    assert series.mode == "MPX"
    assert series.share is not None
    assert series.share["B"].tolist() == [0.5, 1.0]
    always = from_rows(rows(*readings, share=[1.0, 1.0, 0.0, 1.0]))  # of what was not counted the share says nothing
    assert (always.mode, always.share) == ("OCOE", None)


def test_time_and_stage_go_to_the_intervals() -> None:
    series = from_rows(rows((1, "A", 5), (2, "A", 6), (3, "A", 7), time=[0.5, 1.0, 1.5], stage=["x", None, "y"]))
    assert series.intervals["time"].tolist() == [0.5, 1.0, 1.5]
    assert series.intervals["stage"].isna().tolist() == [False, True, False]
    assert series.interval_unit == "0.5 s"


def test_a_unit_that_is_given_is_taken() -> None:
    assert from_rows(rows((1, "A", 5), time=[0.5]), interval_unit="1 loop").interval_unit == "1 loop"


def test_the_distance_of_times_is_taken_within_a_run() -> None:
    intervals = pd.DataFrame({"application": "a", "run": [1, 1, 2, 2], "time": [0.1, 0.2, 5.1, 5.2]})
    assert unit_of(intervals) == "0.1 s"
    assert unit_of(intervals.iloc[[0, 2]]) == "interval"


def test_a_negative_count_is_refused() -> None:
    with pytest.raises(TableError, match="-5 must be at least 0"):
        from_rows(rows((1, "A", -5)))


def test_repairs_have_their_columns_even_where_there_are_none() -> None:
    assert list(repairs_table([]).columns) == ["where", "column", "what", "rows", "value", "bound"]
    (made,) = repairs_table([Repair("f.csv", "A", "not counted", 3)]).to_dict("records")
    assert (made["where"], made["rows"]) == ("f.csv", 3)
    assert np.isnan(made["value"])


def test_numbers_in_names_count_by_their_value() -> None:
    names = ["Run_10", "Run_2", "Run_1/b", "Run_1/a10", "Run_1/a9", "Run_002", "9" * 5_000, "run", ""]
    ordered = ["", "9" * 5_000, "Run_1/a9", "Run_1/a10", "Run_1/b", "Run_2", "Run_002", "Run_10", "run"]
    assert sorted(names, key=natural_order) == ordered
