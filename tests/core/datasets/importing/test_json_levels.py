"""JSON whose objects lie within each other: every key on the way is a column, and no number is lost without a word."""

import json
from typing import Any

import pytest

from hemcore.datasets import CounterSeries, PhaseTable, Subexperiments
from hemcore.datasets.importing.inspection import inspect
from hemcore.datasets.importing.other_forms import json_levels
from hemcore.datasets.importing.other_forms.json_lines import as_table
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.kinds import Table

A, B = [[{"cycles": 100 * each + run, "misses": 10 * run} for run in (1, 2, 3)] for each in (1, 2)]
OTHER = [{"cycles": 300 + run, "stalls": 7 * run} for run in (1, 2, 3)]
LISTS = {"cycles": [101, 102, 103], "misses": [10, 20, 30]}


def rows(found: Any) -> list[str]:
    text = as_table(json.dumps(found))
    assert text is not None
    return text.splitlines()


def table_of(found: Any) -> Table:
    seen = inspect([UploadedFile("a.json", json.dumps(found).encode())])
    assert seen.result is not None, seen.fault
    return seen.result.table


@pytest.mark.parametrize(
    ("found", "first", "last"),
    [
        ({"fft": A, "sha": B}, "program,cycles,misses fft,101,10", "sha,203,30"),
        ({"results": {"fft": A, "sha": B}}, "program,cycles,misses fft,101,10", "sha,203,30"),
        ({"run1": A, "run2": B}, "run,cycles,misses 1,101,10", "2,203,30"),
        ({"group1": A, "group2": OTHER}, "subexperiment,cycles,misses,stalls group1,101,10,", "group2,303,,21"),
        ({"warm": A, "cold": OTHER}, "subexperiment,cycles,misses,stalls warm,101,10,", "cold,303,,21"),
        ({"fft": LISTS, "sha": LISTS}, "program,cycles,misses fft,101,10", "sha,103,30"),
        ({"fft": {"run1": A[0], "run2": A[1]}, "sha": {"run1": B[0]}}, "program,run,cycles,misses fft,1,101,10", "sha,1,201,10"),
        ({"fft": {"O2": A, "O3": B}, "sha": {"O2": A, "O3": B}}, "program,cycles,misses fft O2,101,10", "sha O3,203,30"),
        ({"program": "fft", "runs": {"1": A[0], "2": A[1]}}, "program,run,cycles,misses fft,1,101,10", "fft,2,102,20"),
        ({"runs": [{"id": 4, "samples": A}, {"id": 6, "samples": B}]}, "run,cycles,misses 4,101,10", "6,203,30"),
        ({"groups": [{"name": "A", "runs": A}, {"name": "A", "runs": OTHER}]}, "subexperiment,cycles,misses,stalls A (1),101,10,",
         "A (2),303,,21"),
        ({"sets": [{"id": 1, "events": ["a", "b"], "rows": [[1, 2], [3, 4]]}, {"id": 2, "events": ["a", "c"], "rows": [[5, 6]]}]},
         "subexperiment,a,b,c 1,1,2,", "2,5,,6"),
        ([{"name": "run 1", "interval_ms": 200, "counters": LISTS}, {"name": "run 2", "interval_ms": 200, "counters": LISTS}],
         "run,time [ms],cycles,misses 1,200.0,101,10", "2,600.0,103,30"),
        ({"plan": [["cycles", "misses"], ["cycles", "stalls"]], "per_group": 3, "data": [A, OTHER]},
         "subexperiment,cycles,misses,stalls 1,101,10,", "2,303,,21"),
        ({"data": [{"id": "a", "at": ["10:00", "10:01"], "values": [5, 7]}, {"id": "b", "at": ["10:00", "10:01"], "values": [1, 2]}]},
         "event,at,values a,10:00,5", "b,10:01,2"),
        ({"program": "fft", "run": 3, "counters": A[0]}, "program,run,cycles,misses", "fft,3,101,10"),
    ],
)  # fmt: skip
def test_each_level_is_a_column(found: Any, first: str, last: str) -> None:
    names, *body = rows(found)
    assert " ".join([names, body[0]]).startswith(first)
    assert body[-1] == last


def test_tables_that_result() -> None:
    groups = table_of({"group1": A, "group2": OTHER})
    assert isinstance(groups, Subexperiments)
    assert [list(frame.columns) for frame in groups.frames] == [["cycles", "misses"], ["cycles", "stalls"]]
    assert groups.frames[0]["cycles"].tolist() == [101, 102, 103]
    programs = table_of({"fft": {"run1": A[0], "run2": A[1]}, "sha": {"run1": B[0], "run2": B[2]}})
    assert isinstance(programs, PhaseTable)
    assert programs.frame["program"].tolist() == ["fft", "fft", "sha", "sha"]
    assert programs.frame["cycles"].tolist() == [101, 102, 201, 203]
    times = [{"t": place / 5, "cycles": 100 + 7 * place % 5} for place in range(1, 9)]
    series = table_of({"fft": times, "sha": times})
    assert isinstance(series, CounterSeries)
    assert series.intervals["application"].value_counts().to_dict() == {"fft": 8, "sha": 8}


def test_numbers_in_no_row_are_noted() -> None:
    notes: list[str] = []
    assert as_table(json.dumps({"machine": {"cores": 8, "ghz": 2.5}, "runs": A}), notes) is not None
    assert notes == ["2 numbers of the file stand in no row of the table: 'machine.cores', 'machine.ghz'."]
    assert json_levels.lost_of({"a": [5, 7], "b": 5}, [{"a": 5}, {"a": 7}]) == ["b"]
    assert json_levels.lost_of({"a": [5, 7]}, [{"a": 5, "b": "7"}]) == []
    notes = []
    assert as_table(json.dumps({"fft": A, "sha": B}), notes) is not None
    assert notes == []
    assert as_table(json.dumps({"build": {"jobs": 4, "level": 2}, "run": {"threads": 8, "size": 9}})) is None


def test_objects_that_each_have_a_time_are_readings_and_no_runs() -> None:
    readings = [{"timestamp": f"10:00:0{at}", "load": [{"cpu": "0", "usr": at}, {"cpu": "1", "usr": 9 - at}]} for at in (1, 2)]
    host = {"date": "05/06/2024", "release": "6.1", "statistics": readings}
    expected = [{"timestamp": f"10:00:0{at}", "cpu": cpu, "usr": usr} for at in (1, 2) for cpu, usr in (("0", at), ("1", 9 - at))]
    assert [{key: value for key, value in row.items() if key != "program"} for row in json_levels.rows_of({"hosts": [host]})] == expected
    again = [each | {"timestamp": "10:00:01"} for each in readings]  # the same time in each tells no reading
    assert [row["run"] for row in json_levels.rows_of({"statistics": again})] == ["1", "1", "2", "2"]


def test_lists_beside_their_mean_and_spread_are_of_runs() -> None:
    results = [{"command": name, "mean": 1.5, "stddev": 0.1, "user": 1.4, "times": [1, 2]} for name in ("a", "b")]
    expected = [{"run": str(run), "times": run} for run in (1, 2)] * 2
    assert [
        {key: row[key] for key in row if key in ("run", "times", "mean", "user")} for row in json_levels.rows_of({"results": results})
    ] == expected
    without = [{key: value for key, value in each.items() if key != "stddev"} for each in results]
    assert "run" not in json_levels.rows_of({"results": without})[0]


PAIRS = [[0.1, 5], [0.2, 9], [0.3, 7], [0.4, 8], [0.5, 6]]


@pytest.mark.parametrize(
    "found",
    [
        [{"event": "cycles", "unit": "count", "data": PAIRS}, {"event": "misses", "unit": "count", "data": PAIRS}],
        {"cycles": PAIRS, "misses": PAIRS},
    ],
)
def test_pairs_of_a_time_and_a_value_are_readings_of_the_event_they_stand_under(found: Any) -> None:
    table = table_of(found)
    assert isinstance(table, CounterSeries)
    assert table.counts.columns.tolist() == ["cycles", "misses"]
    assert table.counts["misses"].tolist() == [5, 9, 7, 8, 6]


def test_pairs_of_several_programs_and_pairs_that_are_no_times() -> None:
    assert rows([{"name": "fft", "cycles": PAIRS, "misses": PAIRS}, {"name": "sha", "cycles": PAIRS, "misses": PAIRS}])[0] == (
        "program,event,time,value"
    )
    assert rows({"events": ["cycles", "misses"], "readings": PAIRS})[:2] == ["cycles,misses", "0.1,5"]


def test_names_stand_once_for_the_rows_of_all_runs_and_groups() -> None:
    found = {"columns": ["t", "cycles"], "runs": {"1": [[0.1, 5], [0.2, 6]], "2": [[0.1, 7], [0.2, 8]]}}
    assert rows(found) == ["run,t,cycles", "1,0.1,5", "1,0.2,6", "2,0.1,7", "2,0.2,8"]
    groups = {f"g{group}": {"events": ["cycles", name], "readings": [[5, 6], [7, 8]]} for group, name in enumerate(("misses", "stalls"))}
    assert rows({"experiment": "sort 1e6", "groups": groups})[:2] == ["subexperiment,cycles,misses,stalls", "g0,5,6,"]


def test_samples_with_the_keys_of_the_one_before_are_written_as_any_other() -> None:
    first = '[{"a": {"x": 1}, "b": 2}, {"a": 3, "b": 4}, {"a": 5.50, "b": true}, {"a": "x  y", "b": null}'
    table = as_table(first + ', {"b": 8, "a": 7}, {"a": 9, "b": 1, "c": 2}, {"a": 9, "b": 1}]')
    assert table == "x,b,a,c\n1,2,,\n,4,3,\n,true,5.5,\n,,x y,\n,8,7,\n,1,9,2\n,1,9,\n"


@pytest.mark.parametrize(("bins", "asked"), [(5, []), (6, ["lost"])])
def test_a_fifth_of_the_numbers_that_stand_in_no_row_is_asked_about(bins: int, asked: list[str]) -> None:
    readings = [{"run": run, "cycles": run * 7 % 5, "loads": run * run % 11} for run in range(1, 9)]  # 24 numbers
    found = inspect(
        [UploadedFile("a.json", json.dumps({"readings": readings, "machine": {"bins": list(range(100, 100 + bins))}}).encode())]
    )
    assert [doubt.key for doubt in found.doubts] == asked
    assert any("stand in no row of the table: 'machine.bins'" in line for line in found.repairs)
