"""LIKWID's totals and time lines of a few lines."""

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.readers.format import ReadResult
from hemcore.datasets.readers.likwid import time_lines, timeline, totals
from hemcore.datasets.readers.likwid.numbers import count_of, counts_of, is_row
from hemcore.datasets.readers.series.readings import combinations
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.shelf.store import DatasetStore
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ReadError

TOTALS = """STRUCT,Info,3,,
CPU name:,Xeon,,,
STRUCT,Info,5,,
1,old,,,
TABLE,Group 1 Raw,L3,2,
Event,Counter,HWThread 0,HWThread 4,
Runtime (RDTSC) [s],TSC,1.5,1.5,
LINES,PMC0,10,nan,
TABLE,Group 1 Metric,L3,2,
Metric,HWThread 0,HWThread 4,,
Bandwidth,3,4,,
TABLE,Region new,Group 2 Raw,L2,2,
Region Info,HWThread 0,HWThread 4,,
call count,1,1,,
Event,Counter,HWThread 0,HWThread 4,
LINES,PMC0,30,,
MISSES,PMC1,40,50,
"""
HEAD = "# GID|EventCount|CpuCount|Total runtime [s]|A|B"
TIMELINE = f"# HWThreads|3|7\n{HEAD}\n1 2 2 0.1 1 2 3 4\n# a remark of LIKWID 1 2 3\nhello from the program\n1 2 2 0.3 5 6 7 nan\n"


def of_totals(text: str) -> ReadResult[CounterSeries]:
    return totals.read([UploadedFile("f.csv", text.encode())])


def of_timeline(text: str) -> ReadResult[CounterSeries]:
    return timeline.read([UploadedFile("f.txt", text.encode())])


def test_each_thread_of_each_region_is_an_application() -> None:
    found = of_totals(TOTALS)
    table = found.table
    counts = table.counts.set_axis(table.intervals["application"]).T
    assert counts.columns.tolist() == ["f region old HWThread 0", "f region new HWThread 0", "f region new HWThread 4"]
    assert counts.loc["LINES"].tolist()[:2] == [10, 30]
    assert math.isnan(counts.loc["LINES"].iloc[2])
    assert counts.loc["MISSES"].tolist()[1:] == [40, 50]
    assert any("tables of metrics and of sums left out, because LIKWID computes them from the counts: 1." in note for note in found.notes)
    assert any("2 groups of events were measured one after the other" in note for note in found.notes)
    # Counted by no event: left out; the empty cell of line 16 is told.
    assert "f region old HWThread 4" in " ".join(found.repairs["where"])
    assert found.repairs["where"].tolist() == ["f.csv, line 16", "f region old HWThread 4, run 1"]


def test_the_output_of_another_run_and_tables_without_counters() -> None:
    drawn = "+-----+\n| Event | core 0 | core 1 |\n+-----+\n| LINES | 1 | 2 |\n+-----+\n".replace("+-----+", "+---+---+")
    table = of_totals(drawn + drawn.replace("| 1 | 2 |", "| 3 | 4 |")).table
    assert table.intervals[["application", "run"]].to_numpy().tolist() == [[f"f HWThread {at}", run] for run in (1, 2) for at in (0, 1)]
    assert table.counts["LINES"].tolist() == [1, 2, 3, 4]
    again = of_totals(TOTALS + TOTALS).table
    assert again.runs("f region new HWThread 4") == [1, 2]
    assert again.events == ["LINES", "MISSES"]


@pytest.mark.parametrize("row", ["MISSES,PMC1,40", "MISSES,PMC1,40,-5,", "MISSES,PMC1,40,50,60", ",PMC1,40,50,"])
def test_a_wrong_row_of_totals_is_named_and_left_out_only_at_the_end(row: str) -> None:
    with pytest.raises(ReadError, match="line 17, .* is not an event, its counter and 2 counts"):
        of_totals(TOTALS.replace("MISSES,PMC1,40,50,", row))
    cut = of_totals(TOTALS.replace("MISSES,PMC1,40,50,\n", row))
    assert cut.table.events == ["LINES"]
    assert "cut off" in " ".join(cut.repairs["what"])


def test_a_time_line_by_hand() -> None:
    found = of_timeline(TIMELINE.replace("CpuCount", "CPUsCount"))
    table = found.table
    assert table.applications == ["f HWThread 3", "f HWThread 7"]
    first, second = (table.run(name, 1) for name in table.applications)
    # The threads of an event stand beside each other.
    assert (first.counts["A"].tolist(), first.counts["B"].tolist()) == ([1, 5], [3, 7])
    assert second.counts["A"].tolist() == [2, 6]
    np.testing.assert_array_equal(second.counts["B"], [4, np.nan])
    assert (first.intervals["time"].tolist(), first.intervals["interval"].tolist()) == ([0.1, 0.3], [1, 2])
    assert (table.mode, table.interval_unit) == ("OCOE", "0.2 s")
    assert found.repairs["where"].tolist() == ["f.txt, line 5"]  # what the program printed, not what LIKWID remarks


def test_groups_in_turn_are_multiplexed_and_threads_without_names_are_numbered() -> None:
    text = f"{HEAD}\n{HEAD.replace('A|B', 'C')}\n1 2 2 0.1 1 2 3 4\n2 1 2 0.2 8 9\n1 2 2 0.05 1 2 3 4\n"
    found = of_timeline(text)
    assert found.table.mode == "MPX"
    assert found.table.applications == ["f HWThread 0", "f HWThread 1"]
    np.testing.assert_array_equal(found.table.run("f HWThread 1", 1).counts["C"], [np.nan, 9])
    # The time fell: another run.
    assert found.table.runs("f HWThread 0") == [1, 2]
    assert any("2 groups of events were measured in turn" in note for note in found.notes)
    assert any("read as the start of a new run: 1 times" in note for note in found.notes)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("1 2 2 0.1 1 2 3\n1 2 2 0.2 1 2 3 4", "line 3 declares 2 events of 2 hardware threads but has 3 counts"),
        ("1 1 2 0.1 1 2\n", "line 3 declares 1 events of 2 hardware threads but has 2 counts, and its heading 2 names"),
        ("2 2 2 0.1 1 2 3 4\n", "line 3 is of group 2, but 1 groups have a heading"),
        ("0 2 2 0.1 1 2 3 4\n", "line 3 is of group 0"),
        ("", "line 2 is a timeline heading, but no row follows it"),
    ],
)
def test_a_wrong_row_of_a_time_line_is_named(row: str, said: str) -> None:
    with pytest.raises(ReadError, match=said):
        of_timeline(f"# HWThreads|3|7\n{HEAD}\n{row}")


def test_numbers_of_likwid() -> None:
    assert [count_of(cell) for cell in ("3", " 0 ", "-1", "x", "1e3")] == [3, 0, None, None, 1000]
    assert all(math.isnan(count_of(cell)) for cell in ("nan", "-", "", "INF"))  # type: ignore[arg-type]
    assert counts_of(["1", "2.5"]).tolist() == [1, 2.5]  # type: ignore[union-attr]
    assert counts_of(["1", "-2"]) is None
    np.testing.assert_array_equal(counts_of(["1", "nan"]), [1, np.nan])  # type: ignore[arg-type]
    assert [is_row(line) for line in ("a1,b2,c3", "a1,b2,c", "1|2|3")] == [True, False, True]


def test_one_file_of_several_groups_makes_all_multiplexed_and_what_was_asked_for_in_vain_is_counted() -> None:
    one, two = (
        f"{HEAD}\n1 2 2 0.1 1 2 nan nan\n1 2 2 0.3 5 6 nan nan\n",
        f"{HEAD}\n{HEAD.replace('A|B', 'C')}\n1 2 1 0.1 1 nan\n2 1 1 0.2 8\n",
    )
    found = timeline.read([UploadedFile("f.txt", one.encode()), UploadedFile("g.txt", two.encode())])
    assert found.table.mode == "MPX"
    assert found.table.events == ["A", "C"]
    # Two lines of two threads, and one of one.
    assert found.repairs.loc[found.repairs["column"] == "B", "rows"].tolist() == [5]


def test_only_tables_of_raw_counts_are_totals() -> None:
    assert totals.recognise([UploadedFile("f.csv", TOTALS.encode())])[0] == 0.97
    metrics = "\n".join(line for line in TOTALS.split("\n") if "Raw" not in line)
    assert totals.recognise([UploadedFile("f.csv", TOTALS.encode()), UploadedFile("g.csv", metrics.encode())]) == (0.0, "")
    assert totals.recognise([]) == (0.0, "")


@pytest.mark.parametrize("what", ["Event", "Metrics"])
def test_the_names_of_a_heading_are_divided_at_its_bars(what: str) -> None:
    found = of_timeline(f"{HEAD.replace('Event', what)}\n1 2 1 0.1 5 6\n")
    assert found.table.events == ["A", "B"]


def test_other_lines_between_drawn_tables_are_left_out() -> None:
    table = "CPU name:\tX\nGroup 1: CPI\n+-----+---------+------------+\n| Event | Counter | HWThread 0 |\n+-----+---------+------------+\n"
    text = "".join(f"threads {run}\n{table}| CYCLES | PMC0 | {run}00 |\n+-----+---------+------------+\n\n" for run in (1, 2))
    series = totals.FORMAT.read([UploadedFile("loop.log", text.encode())]).table
    assert series.counts["CYCLES"].tolist() == [100, 200]


def test_texts_of_millions_of_rows_are_categories_until_the_dataset_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few = of_timeline(TIMELINE).table.intervals
    assert few["application"].dtype == few["thread"].dtype == "str"
    monkeypatch.setattr(time_lines, "_MOST_TEXTS", len(few) - 1)
    many = of_timeline(TIMELINE).table.intervals
    assert {str(many[name].dtype) for name in ("application", "program", "thread")} == {"category"}
    store = DatasetStore(tmp_path)
    opened = store.load(store.add([UploadedFile("f.txt", TIMELINE.encode())]).id)
    pd.testing.assert_frame_equal(opened.intervals, few)  # type: ignore[union-attr]


def test_combinations_are_numbered_as_they_come() -> None:
    columns = {"same": ["a"] * 5, "run": [2, 1, 2, 1, 3], "place": pd.Categorical(["b", "a", "a", "a", None])}
    codes, first = combinations(pd.DataFrame(columns))
    assert codes.tolist() == [0, 1, 2, 1, 3]
    assert first.tolist() == [0, 1, 2, 4]
    codes, first = combinations(pd.DataFrame(columns)[["same"]])
    assert (codes.tolist(), first.tolist()) == ([0] * 5, [0])
    assert [each.tolist() for each in combinations(pd.DataFrame({"run": []}))] == [[], []]
