"""Files as people paste and export them: Markdown, JSON lines, two tables in one sheet, units in cells, decimal commas in times."""

import json

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.importing.inspection import inspect
from hemcore.datasets.importing.other_forms import json_lines
from hemcore.datasets.readers.perf import csv as perf_csv
from hemcore.datasets.readers.recognition import why_not_recognised
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.counter_series import CounterSeries

STEPS = range(1, 21)


def series(text: str, name: str = "f.txt") -> CounterSeries:
    found = inspect([UploadedFile(name, text.encode())])
    assert found.result is not None, found.fault
    assert isinstance(found.result.table, CounterSeries)
    return found.result.table


@pytest.mark.parametrize(
    ("rule", "edge"),
    [("|---------:|:-------:|", "|"), ("----------+---------", ""), ("| --- | --- |", "|")],
)
def test_the_rule_of_a_pasted_table_is_not_its_header(rule: str, edge: str) -> None:
    rows = "".join(f"{edge} {each / 10:.1f} | {1000 * (each % 3):,} {edge}\n" for each in STEPS)
    table = series(f"Results of run 3:\n\n{edge} time (s) | cycles {edge}\n{rule}\n{rows}\nMeasured on cn042.\n")
    assert table.counts.columns.tolist() == ["cycles"]
    assert table.counts["cycles"].tolist() == [1000 * (each % 3) for each in STEPS]
    np.testing.assert_allclose(table.intervals["time"], [each / 10 for each in STEPS])


def lines(extra: str = "") -> str:
    rows = [
        {"ts": each / 2, "host": "cn042", "counters": {"cycles": 7 * (each % 5), "misses": None if each == 3 else each % 3}}
        for each in STEPS
    ]
    return "".join(json.dumps(row) + "\n" for row in rows) + extra


def test_json_lines_are_a_table_with_a_row_per_line() -> None:
    table = series(lines(), "samples.jsonl")
    assert table.counts.columns.tolist() == ["cycles", "misses"]
    assert table.counts["cycles"].tolist() == [7 * (each % 5) for each in STEPS]
    assert np.flatnonzero(table.counts["misses"].isna()).tolist() == [2]
    assert table.interval_unit == "0.5 s"


def test_the_columns_of_json_lines() -> None:
    text = '{"a": {"n": 1, "m": "x,y"}, "b": {"n": 2}}\n{"b": {"n": 3}, "c": [1, 2]}\n'
    assert json_lines.as_table(text) == 'a.n,m,b.n,c\n1,"x,y",2,\n,,3,"[1, 2]"\n'
    # The last line of a run that was stopped.
    assert json_lines.as_table(text + '{"b": {"n"') == 'a.n,m,b.n,c\n1,"x,y",2,\n,,3,"[1, 2]"\n,,,\n'
    for none in ('{"a": 1}\n', '{"a": 1}\n{"b"\n{"a": 2}\n', '{"a": 1}\n[2]\n', "a,b\n1,2\n", "{}\n{}\n", '{"a": 1}\n{"a"'):
        assert json_lines.as_table(none) is None


def side_by_side(second: list[float]) -> str:
    rows = "".join(f"{each / 10:.4g},{each % 3 + 5},,{other:.4g},{each % 4 + 4}\n" for each, other in zip(STEPS, second, strict=True))
    return f"time,cycles,,time,cycles\n{rows}"


def test_two_tables_side_by_side_with_unlike_times_are_not_mixed() -> None:
    for times in ([each / 10 if each < 3 else each * 0.15 for each in STEPS], [each / 10 for each in STEPS]):
        apart = series(side_by_side(times))
        assert apart.intervals["run"].tolist() == [1] * 20 + [2] * 20
        np.testing.assert_allclose(apart.intervals["time"], [*(each / 10 for each in STEPS), *times])
        assert apart.counts["cycles"].tolist() == [*(each % 3 + 5 for each in STEPS), *(each % 4 + 4 for each in STEPS)]


def test_cells_with_units_name_the_cure() -> None:
    rows = "".join(f'"2026-11-16 09:12:{each:02d}","{each}.5 KB","{each} m"\n' for each in STEPS)
    said = why_not_recognised([UploadedFile("g.csv", f'"Time","Read","Left"\n{rows}'.encode())])
    assert "Its cells hold numbers with units, as in '1.5 KB'. Export plain numbers" in said
    assert "Formatted data off" in said


def test_times_with_a_decimal_comma_are_those_of_perf() -> None:
    rows = "".join(f"     {each // 10},{each % 10}00012345;{each * 9};;cycles;100000000;100,00;1,5;GHz\n" for each in STEPS)
    file = UploadedFile("p.csv", f"# started on Mon Nov 16 09:12:44 2026\n\n{rows}".encode())
    assert perf_csv.recognise([file])[0] > 0.9
    found = perf_csv.read([file]).table
    assert found.counts["cycles"].tolist() == [9 * each for each in STEPS]
    np.testing.assert_allclose(found.intervals["time"], [each / 10 + 0.000012345 for each in STEPS])


def test_the_name_of_an_index_under_a_header_of_two_rows_names_the_first_column() -> None:
    frame = pd.DataFrame({"program": list("aabb"), "cycles": [1.0, 3, 5, 9], "misses": [2.0, 4, 6, 8]})
    text = frame.groupby("program").agg(["mean", "sum"]).to_csv()
    assert text.splitlines()[2] == "program,,,,"
    found = inspect([UploadedFile("grouped.csv", text.encode())]).result
    assert found is not None
    rows = found.table.frame.set_index("program")  # type: ignore[union-attr]
    assert rows.loc["b", ["cycles mean", "cycles sum", "misses mean", "misses sum"]].tolist() == [7, 14, 7, 14]
    assert found.repairs["what"].tolist() == [
        "the word under the header read as the name of the first column, as pandas writes that of its index"
    ]
    # The name above it is of the columns' second level: it is no HEM.
    runs = pd.DataFrame({"run": [0, 0, 1, 1], "program": list("abab"), "cycles": [11, 22, 13, 21], "misses": [5, 7, 6, 4]})
    wide = inspect([UploadedFile("pivoted.csv", runs.pivot(index="run", columns="program").to_csv().encode())]).result
    assert wide is not None
    assert list(wide.table.hems) == ["cycles a", "cycles b", "misses a", "misses b"]  # type: ignore[union-attr]


@pytest.mark.parametrize("head", ["program", "program,phase"])
def test_columns_of_one_name_with_different_counts_lose_nothing(head: str) -> None:
    rows = "".join(f"p{each}{',1' if 'phase' in head else ''},{100 + each},{200 + each},{each % 3}\n" for each in STEPS)
    found = inspect([UploadedFile("f.csv", f"{head},cycles,cycles,misses\n{rows}".encode())])
    assert found.result is None
    assert "column 'cycles' is the name of 2 columns with different counts. Give each a name of its own" in found.fault
    alike = rows.replace(",2", ",1")  # 101 and 101
    same = inspect([UploadedFile("f.csv", f"{head},cycles,cycles,misses\n{alike}".encode())]).result
    assert same is not None
    assert same.table.counters == ("cycles", "misses")  # type: ignore[union-attr]


@pytest.mark.parametrize(("name", "scale"), [("timeUnixNano", 10**9), ("start_ts", 1), ("", 10**6), ("nanos", 10**3)])
def test_instants_under_an_unknown_name_are_the_time(name: str, scale: int) -> None:
    rows = "".join(f"{(1_764_000_000 + each) * scale},{1000 * (each % 3)}\n" for each in STEPS)
    table = series(f"{name},cycles\n{rows}")
    assert table.counts.columns.tolist() == ["cycles"]
    assert table.interval_unit == "1 s"


@pytest.mark.parametrize("first", [1_764_000_000, 100_000_000])
def test_counts_of_the_size_of_instants_are_counts(first: int) -> None:
    """They rise unevenly, or began lower."""
    uneven = [each**3 for each in STEPS] if first > 10**9 else [100_000_000 * each for each in STEPS]
    rows = "".join(f"{first + step},{step % 7}\n" for step in uneven)
    found = inspect([UploadedFile("f.csv", f"ticks,misses\n{rows}".encode())])
    assert found.result is None or "ticks" in found.result.table.hems  # type: ignore[union-attr]


def test_a_row_under_the_header_names_the_first_column() -> None:
    table = series(",cycles,misses\nt,,\n0.1,5,6\n0.2,7,8\n0.3,9,10\n")
    assert table.counts["cycles"].tolist() == [5, 7, 9]
    assert table.intervals["time"].tolist() == [0.1, 0.2, 0.3]
