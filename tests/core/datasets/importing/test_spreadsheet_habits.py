"""Habits of spreadsheets and scripts: merged names, a sheet per program, runs numbered anew per variant, marks for no value, a cut line."""

import json

import pytest

from hemcore.datasets.importing.inspection import Preview, inspect
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.datasets.tables.subexperiments import Subexperiments


def seen(*texts: str, names: tuple[str, ...] = ("lab.csv",)) -> Preview:
    return inspect([UploadedFile(name, text.encode()) for name, text in zip(names, texts, strict=True)])


def phases(found: Preview) -> PhaseTable:
    assert found.result is not None, found.fault
    assert isinstance(found.result.table, PhaseTable)
    return found.result.table


def series(found: Preview) -> CounterSeries:
    assert found.result is not None, found.fault
    assert isinstance(found.result.table, CounterSeries)
    return found.result.table


def test_merged_names_of_programs_leave_their_rows_phases() -> None:
    frame = phases(seen("program,phase,cycles,misses\nfft,0,10,1\n,1,11,2\nsha,0,12,3\n,1,13,4\n")).frame
    assert frame["program"].tolist() == ["fft", "fft", "sha", "sha"]
    assert frame["phase"].tolist() == [0, 1, 0, 1]


def test_a_sheet_per_program_is_called_without_what_all_begin_with() -> None:
    texts = [f"Phase,cycles,misses\n0,1{each},1\n1,1{each},2\n2,9,3\n" for each in (1, 2)]
    frame = phases(seen(*texts, names=("my lab fft.csv", "my lab fir.csv"))).frame
    assert frame["program"].tolist() == ["fft"] * 3 + ["fir"] * 3
    assert frame["phase"].tolist() == [0, 1, 2] * 2


@pytest.mark.parametrize(("name", "variants"), [("flags", ("O2", "O3")), ("threads", ("1", "4"))])
def test_runs_numbered_anew_for_each_variant_are_asked_about(name: str, variants: tuple[str, str]) -> None:
    rows = "".join(
        f"{variant},{run},{100 + 7 * run % 5 + 50 * (variant == variants[1])},{run * 3 % 4}\n" for variant in variants for run in (1, 2, 3)
    )
    found = seen(f"{name},run,cycles,misses\n{rows}")
    assert found.result is not None
    assert isinstance(found.result.table, Subexperiments)
    assert [frame["cycles"].tolist() for frame in found.result.table.frames] == [[102, 104, 101], [152, 154, 151]]
    asked = next(each for each in found.doubts if each.key == "sets")
    answers = dict(asked.answers)
    assert list(answers)[-1] == "Sets of runs, each by itself"
    files = [UploadedFile("lab.csv", f"{name},run,cycles,misses\n{rows}".encode())]
    assert phases(inspect(files, answers["Programs"])).frame["program"].nunique() == 2
    assert inspect(files, answers["Further runs of the same: leave it out"]).summary.startswith("1 subexperiment")


def test_marks_of_no_value_and_minus_one_are_gaps() -> None:
    found = seen("time_s,cycles,misses\n.1,10,k. A.\n.2,-1,5\n.3,12,n/v\n.4,13,6\n.5,14,7\n")
    counts = series(found).counts
    assert counts["cycles"].isna().tolist() == [False, True, False, False, False]
    assert counts["misses"].isna().tolist() == [True, False, True, False, False]
    assert any("-1: not read" in line for line in found.repairs)
    assert "-2 must be at least 0" in seen("time_s,cycles,misses\n.1,10,4\n.2,-2,5\n.3,12,6\n.4,13,6\n.5,14,7\n").fault


def test_a_last_line_that_is_cut_off_is_left_out_or_asked_about() -> None:
    rows = "".join(f"{each / 10},{100 + each % 3},{200 + each % 4}\n" for each in range(1, 9))
    text = f"time_s,cycles,misses\n{rows}"
    short = seen(f"{text}0.9,10")
    assert len(series(short).counts) == 8
    assert any("cut off" in line for line in short.repairs)
    asked = next(each for each in seen(f"{text}0.9,101,20").doubts if each.key == "cut")
    without = inspect([UploadedFile("lab.csv", f"{text}0.9,101,20".encode())], asked.answers[0][1])
    assert len(series(without).counts) == 8
    for whole in (f"{text}0.9,101,20\n", f"{text}0.9,101,203", f"{text}0.9,40,80"):  # a whole line; no less; a shorter last interval
        assert not any(each.key == "cut" for each in seen(whole).doubts)
        assert len(series(seen(whole)).counts) == 9


@pytest.mark.parametrize("name", ["interval_s", "dt", "Period (ms)", "sampling interval"])
def test_one_length_of_all_rows_is_no_counter_unasked(name: str) -> None:
    rows = "".join(f"0.1,{1000 + 37 * row % 11},{50 + 7 * row % 5}\n" for row in range(12))
    found = inspect([UploadedFile("a.csv", f"{name},cycles,misses\n{rows}".encode())])
    (doubt,) = found.doubts
    tables = [
        inspect([UploadedFile("a.csv", f"{name},cycles,misses\n{rows}".encode())], recipe).result.table for _, recipe in doubt.answers
    ]
    assert isinstance(tables[0], CounterSeries)
    assert list(tables[0].counts) == ["cycles", "misses"]
    assert isinstance(tables[1], Subexperiments)
    assert list(tables[1].frames[0]) == ["cycles", "misses"]


def test_values_beside_the_length_of_intervals_are_the_values() -> None:
    text = json.dumps([{"event": event, "interval_s": 0.1, "values": [place, 7, 9, 4]} for place, event in enumerate(("a", "b"))])
    table = inspect([UploadedFile("a.json", text.encode())]).result.table
    assert {name: list(values) for name, values in table.frames[0].items()} == {"a": [0, 7, 9, 4], "b": [1, 7, 9, 4]}


def test_a_day_at_midnight_is_joined_with_the_time_of_day() -> None:
    rows = "".join(
        f"2026-04-{1 + row // 4:02d} 00:00:00,{6 * (row % 4):02d}:00:00,{1000 + 37 * row % 91},{50 + 7 * row % 29}\n" for row in range(12)
    )
    table = inspect([UploadedFile("a.csv", f"Date,Time,cycles,misses\n{rows}".encode())]).result.table
    assert table.intervals["time"].tolist() == [21600.0 * (row + 1) for row in range(12)]  # the ends
