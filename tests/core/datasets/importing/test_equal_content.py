"""The same table in other bytes is the same table: marks within, zeros at the end, blanks and tabs, JSON; and what is lost in a row."""

import codecs
import json

import numpy as np
import pytest

from hemcore.datasets import CounterSeries, Subexperiments
from hemcore.datasets.importing.inspection import apply, inspect
from hemcore.datasets.importing.other_forms import json_lines
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.kinds import Table

ROWS = [(each / 10, 1_000 + 37 * each % 91, 2_000 + 53 * each % 97) for each in range(1, 13)]
PLAIN = "time,cycles,instructions\n" + "".join(f"{a},{b},{c}\n" for a, b, c in ROWS)
MARK = "\ufeff"


def table_of(content: str | bytes, name: str = "f.csv") -> Table:
    found = inspect([UploadedFile(name, content if isinstance(content, bytes) else content.encode())])
    assert found.result is not None, found.fault
    return found.result.table


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(PLAIN.replace("cycles", f"{MARK}cycles"), id="a mark in the header"),
        pytest.param(PLAIN.encode() + bytes(8), id="zeros at the end"),
        pytest.param(PLAIN.replace("\n", "\t\n"), id="tabs at the ends"),
        pytest.param(PLAIN.replace("\n", "  \n"), id="blanks at the ends"),
        pytest.param(PLAIN.encode("utf-16-le"), id="UTF-16 without a mark"),
        pytest.param(PLAIN.encode("utf-16-be"), id="UTF-16 BE without a mark"),
        pytest.param(PLAIN.encode("utf-32-le"), id="UTF-32 without a mark"),
        pytest.param(codecs.BOM_UTF32_LE + PLAIN.encode("utf-32-le"), id="UTF-32"),
        pytest.param(json.dumps([dict(zip(("time", "cycles", "instructions"), row, strict=True)) for row in ROWS]), id="a list"),
        pytest.param(json.dumps(dict(zip(("time", "cycles", "instructions"), map(list, zip(*ROWS, strict=True)), strict=True))),
                     id="columns"),
        pytest.param(json.dumps({"columns": ["time", "cycles", "instructions"], "index": list(range(12)), "data": ROWS}), id="split"),
    ],
)  # fmt: skip
def test_other_bytes_of_one_table(content: str | bytes) -> None:
    found = table_of(content)
    assert isinstance(found, CounterSeries)
    assert list(found.counts.columns) == ["cycles", "instructions"]
    assert found.counts.to_numpy().tolist() == [[b, c] for _, b, c in ROWS]
    np.testing.assert_allclose(found.intervals["time"], [a for a, _, _ in ROWS])


def test_files_put_together_with_their_marks_are_two_runs() -> None:
    found = table_of(f"{MARK}{PLAIN}{MARK}{PLAIN}")
    assert isinstance(found, CounterSeries)
    assert found.intervals["run"].tolist() == [1] * 12 + [2] * 12


def test_a_lost_reading_of_the_only_event_does_not_begin_the_table_anew() -> None:
    found = table_of("time,cycles\n0.1,5\n0.2,\n0.3,7\n0.4,9\n0.5,6\n")
    assert isinstance(found, CounterSeries)
    np.testing.assert_array_equal(found.counts["cycles"], [5, np.nan, 7, 9, 6])


def test_a_column_of_growing_durations_is_the_time() -> None:
    found = table_of("duration,cycles\n0:00:10.0,5\n0:00:20.0,9\n0:00:30.0,7\n")
    assert isinstance(found, CounterSeries)
    assert found.intervals["time"].tolist() == [10, 20, 30]
    runs = table_of("duration,cycles\n3.5,5\n2.5,9\n3.1,7\n")
    assert isinstance(runs, Subexperiments)


def test_few_rows_with_lost_values_are_no_subexperiment() -> None:
    rows = "".join(f"{each},{each * 2}\n" for each in range(5, 17))
    frames = getattr(table_of(f"cycles,instructions\n{rows}inf,5\nnan,6\n"), "frames", ())
    assert [list(frame.columns) for frame in frames] == [["cycles", "instructions"]]
    assert len(frames[0]) == 12
    # Several rows of their own: another set of HEMs.
    frames = getattr(table_of("a,b,c\n" + "5,6,\n" * 4 + "7,,8\n" * 4), "frames", ())
    assert [list(frame.columns) for frame in frames] == [["a", "b"], ["a", "c"]]


@pytest.mark.slow
def test_a_long_list_in_json_is_looked_at_by_its_beginning_and_read_whole() -> None:
    values = [1_000 + 911 * each % 377 for each in range(12_000)]
    file = UploadedFile("f.json", json.dumps([{"time": each / 10, "cycles": value} for each, value in enumerate(values, 1)]).encode())
    found = inspect([file])
    assert found.recipe is not None
    assert not found.whole
    table = apply(found.recipe, [file]).table
    assert isinstance(table, CounterSeries)
    assert table.counts["cycles"].tolist() == values


def test_json_of_another_shape_is_no_table() -> None:
    for other in (
        "[1, 2]",
        '[{"a": 1}]',
        '{"a": 5}',
        '{"columns": ["a"], "data": [[1, 2]]}',
        '{"a": [1, 2], "b": [1]}',
        "[{",
        '{"a": [[1]]}',
    ):
        assert json_lines.as_table(other) is None
    assert json_lines.beginning(UploadedFile("f", b'[{"a": 1}, {"a": 2}, {"a": 3}]'), 24) == b'[{"a": 1}, {"a": 2}]'
    assert json_lines.beginning(UploadedFile("f", b'{"a": [1, 2, 3]}'), 5) == b'{"a": [1, 2, 3]}'
    assert json_lines.beginning(UploadedFile("f", b"a,b\n1,2\n3,4\n"), 9) == b"a,b\n1,2\n"


def test_dates_that_jump_are_stretches_of_their_own() -> None:
    begun = 1_481_276_182_000
    rows = [(begun + each * 500 + (each >= 20) * 9_000_000, "sha", 1, each % 7 + 5) for each in range(40)]
    rows += [(begun + 100_000_000 + each * 500, "qsort", 1, each % 5 + 9) for each in range(20)]
    text = "timestamp,program,run,cycles,comment\n" + "".join(f"{a},{b},{c},{d},x\n" for a, b, c, d in rows)
    found = inspect([UploadedFile("f.csv", text.encode())])
    assert found.result is not None
    assert isinstance(found.result.table, CounterSeries)
    intervals = found.result.table.intervals
    assert intervals.groupby("application", sort=False).size().to_dict() == {"sha": 20, "sha part 2": 20, "qsort": 20}
    assert intervals["time"].max() == 10
    assert any("the clock jumps by up to 9,000 s within runs" in line for line in found.repairs)


def test_each_setting_of_tables_put_together_is_an_application() -> None:
    """3 frequencies x 2 numbers of cores, each measured twice, a day apart; with a column of runs, and without one, where a setting that
    comes again is a further run."""
    settings = [(mhz, cores) for cores in (4, 1) for mhz in (2000, 1500, 1000)]
    head = "#Timestamp\tProgram\tRun(#)\tCPU(4) Frequency(MHz)\tCores(#)\tCPU_CYCLES"
    begun = 1_481_276_182 * 10**9
    rows = [
        f"{begun + stretch * 86_400 * 10**9 + second * 10**9}\tfft\t{stretch // 6 + 1}\t{mhz}\t{cores}\t{stretch * 100 + second * 7 % 5}"
        for stretch, (mhz, cores) in enumerate(2 * settings)
        for second in range(5)
    ]
    for places in ((0, 1, 2, 3, 4, 5), (0, 3, 4, 5)):
        lines = ["\t".join(line.split("\t")[place] for place in places) for line in [head, *rows]]
        found = inspect([UploadedFile("fft.data", "\n".join([*lines, ""]).encode())])
        assert found.result is not None
        intervals = found.result.table.intervals  # type: ignore[union-attr]
        of_each = intervals.groupby(["application", "run"], sort=False)["time"].agg(["size", "max"])
        names = [f"fft {mhz} MHz {cores} core{'s' * (cores > 1)}" for mhz, cores in settings]
        assert list(of_each.index) == [(name, run) for run in (1, 2) for name in names]
        assert (of_each == 5).all(axis=None)
        again = ", and a run each time it comes" * (len(places) == 4)
        assert any(f"each setting is an application of its own{again}" in line for line in found.repairs)


def test_a_setting_that_comes_again_in_one_of_two_files_is_a_part() -> None:
    begun = 1_481_276_182_000
    rows = [(begun + second * 1000 + stretch * 10**8, mhz) for stretch, mhz in enumerate((2000, 1000, 2000)) for second in range(5)]
    text = "timestamp,freq (MHz),cycles,comment\n" + "".join(f"{time},{mhz},{place * 7 % 5},x\n" for place, (time, mhz) in enumerate(rows))
    found = inspect([UploadedFile(name, text.encode()) for name in ("a.csv", "b.csv")])
    assert found.result is not None
    names = [" 2000 MHz", " 1000 MHz", " 2000 MHz part 2"]
    assert found.result.table.applications == [f"{file}{name}" for file in "ab" for name in names]  # type: ignore[union-attr]


def test_a_pause_of_fewer_than_a_hundred_intervals_is_no_gap() -> None:
    begun = 1_481_276_182_000
    text = "timestamp,cycles,comment\n" + "".join(f"{begun + each * 1000 + (each > 4) * 89_000},{each * 7 % 5},x\n" for each in range(10))
    found = inspect([UploadedFile("a.csv", text.encode())])
    assert found.result is not None
    assert found.result.table.applications == ["a"]  # type: ignore[union-attr]
