"""Frames of a few rows as intervals, counters and pieces."""

import numpy as np
import pandas as pd
import pytest

from hemcore.errors import TableError
from hemcore.front.answer import _at, _with_times
from hemcore.front.frames import counters_of, frame_of, is_pieces
from hemcore.front.given_columns import intervals_of, only_text, whole_numbers


def test_times_of_each_run_are_ends_of_intervals() -> None:
    # Steps of 2, 2 and 4 s, and 1 h between the runs: the usual step is 2 s.
    stamps = pd.to_datetime([0, 2, 4, 8, 3600, 3602], unit="s")
    frame = pd.DataFrame({"run": [1, 1, 1, 1, 2, 2], "A": range(6)}, index=stamps)
    found, counts, times = intervals_of(frame, "f", ("app", 1), None, (), [])
    assert found["time"].tolist() == [2, 4, 6, 10, 2, 4]
    assert found["interval"].tolist() == [0, 1, 2, 3, 0, 1]
    assert found["application"].unique().tolist() == ["app"]
    assert counts.columns.tolist() == ["A"]
    assert times is not None
    # One row says no step: a second is taken.
    assert intervals_of(frame.iloc[:1], "f", ("app", 1), None, (), [])[0]["time"].tolist() == [1]
    with pytest.raises(TableError, match="not ascending"):
        intervals_of(frame.iloc[[1, 0]], "f", ("app", 1), None, (), [])


def test_seconds_of_a_column_and_the_program_asked_for() -> None:
    frame = pd.DataFrame({"time (ms)": [500, 1000], "host": ["x", "y"], "A": [1, 2], "interval": [7, 9]})
    found, _, times = intervals_of(frame, "f", ("app", 3), "host", (), [])
    assert (found["time"].tolist(), found["interval"].tolist()) == ([0.5, 1.0], [7, 9])
    assert (found["application"].tolist(), found["run"].tolist(), times) == (["x", "y"], [3, 3], None)


def test_a_wrong_cell_is_named_by_its_row_from_1() -> None:
    with pytest.raises(TableError, match=r"f: column 'run', row 2: '1.5' is not a whole number"):
        whole_numbers(pd.Series([1, 1.5], name="run"), "f")
    empty = pd.DataFrame({"app": ["x", None], "A": [1, 2]})
    with pytest.raises(TableError, match="column 'app', row 2 is empty"):
        intervals_of(empty, "f", ("app", 1), None, (), [])
    with pytest.raises(TableError, match="row 2 of the index is not a time"):
        frame_of(pd.DataFrame({"A": [1, 2]}, index=pd.DatetimeIndex(["2026-01-01", None])), "f")


def test_counters_are_numbers_and_numbers_in_text() -> None:
    frame = pd.DataFrame({"A": ["1", "2"], "B": ["1", "x"], "C": [True, False], "D": [1, np.nan], "E": [3, 4]})
    counts, repairs = counters_of(frame, ["E"], "f")
    assert counts["A"].tolist() == [1, 2]
    assert counts.columns.tolist() == ["A", "D"]
    assert [each.column for each in repairs] == ["B", "C"]
    assert counters_of(frame, [], "f", ["E"])[0].columns.tolist() == ["E"]


def test_the_only_column_of_text() -> None:
    frame = pd.DataFrame({"kernel": ["a", "b"], "number": ["1", "2"], "A": [1, 2]})
    assert only_text(frame) == "kernel"
    for other in (frame.drop(columns="kernel"), frame.assign(host=["x", "y"])):
        with pytest.raises(TableError, match="no column names the program"):
            only_text(other)


def test_what_is_several_tables() -> None:
    frame = pd.DataFrame({"A": [1]})
    assert is_pieces([frame, frame])
    assert is_pieces({"a": frame})
    assert is_pieces(([1, 2], [3, 4]))
    assert not any(map(is_pieces, ([1, 2], {"A": [1, 2]}, [], {}, frame, "a")))


def test_levels_of_an_index_and_arrays_are_columns() -> None:
    indexed = pd.DataFrame({"A": [1, 2]}, index=pd.MultiIndex.from_tuples([("x", 1), ("y", 2)], names=["app", "run"]))
    assert frame_of(indexed, "f").frame.columns.tolist() == ["app", "run", "A"]
    assert frame_of(indexed.set_index(pd.Index([5, 6], name="row")), "f").frame.columns.tolist() == ["A"]
    assert frame_of(np.arange(4).reshape(2, 2), "f").frame.columns.tolist() == ["column 1", "column 2"]
    assert frame_of([1, 2], "f").frame.to_dict("list") == {"value": [1, 2]}
    assert frame_of(indexed.set_index(pd.PeriodIndex(["2026-01", "2026-02"], freq="M")), "f").times[1] == pd.Timestamp("2026-02-01")  # type: ignore[index]


def test_positions_get_the_times_of_their_run() -> None:
    first = pd.DatetimeIndex(pd.to_datetime([0, 2, 4], unit="s"))
    later = first + pd.Timedelta("1D")
    # The position after the last one is where the last one ends: 2 s later, the usual distance.
    assert pd.DatetimeIndex(_at(first, np.array([0, 2, 3]))).equals(pd.DatetimeIndex(pd.to_datetime([0, 4, 6], unit="s")))
    assert np.isnat(_at(first, np.array([-1, 4]))).all()
    table = pd.DataFrame({"application": "a", "run": [1, 2], "start": [0, 1], "stop": [2, 3], "share": [0.5, 0.5]})
    found = _with_times(table.copy(), {("a", 1): first, ("a", 2): later})
    assert found.columns.tolist() == ["application", "run", "start", "start_time", "stop", "stop_time", "share"]
    assert found["start_time"].tolist() == [first[0], later[1]]
    assert found["stop_time"].tolist() == [first[2], pd.Timestamp(1970, 1, 2, 0, 0, 6)]
    # What has times already, or no whole positions, stays.
    named = table.assign(start_time="kept", stop=[0.5, 1.5])
    assert _with_times(named.copy(), {("a", 1): first, ("a", 2): later}).equals(named)
