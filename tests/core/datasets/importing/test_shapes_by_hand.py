"""Shapes that tools and people write, each a table that one reads off: boxes, maps, sections, named indices, marked numbers, names."""

import json

import pandas as pd
import pytest

from hemcore.datasets import CounterSeries, PhaseTable, Subexperiments
from hemcore.datasets.importing import date_times
from hemcore.datasets.importing.guessing.growth import rotates
from hemcore.datasets.importing.guessing.row_kinds import is_units
from hemcore.datasets.importing.inspection import Preview, inspect
from hemcore.datasets.importing.other_forms.line_pairs import pairs_of
from hemcore.datasets.readers.recognition import recognise
from hemcore.datasets.readers.uploaded_files import UploadedFile

ROWS = [(0.5, 7_423_336, 51_204), (1.0, 7_498_120, 50_911), (1.5, 7_401_777, 52_007), (2.0, 7_455_001, 49_860), (2.5, 7_410_400, 51_555)]
BODY = {sep: "".join(sep.join(map(str, row)) + "\n" for row in ROWS) for sep in (" ", ",", "  ")}
MARKED = "".join(f"{a},{b:_},{c:_}\n" for a, b, c in ROWS)
BOXED = "".join(f"│ {a} │ {b} │ {c} │\n" for a, b, c in ROWS)
PRINTED = "".join(f"{a} {b:>10} {c:>7}\n" for a, b, c in ROWS)


def shown(text: str, name: str = "f.csv") -> Preview:
    found = inspect([UploadedFile(name, text.encode())])
    assert not found.fault
    return found


DUCKDB = f"┌───┬───┬───┐\n│ time │ cycles │ misses │\n│ double │ int64 │ int64 │\n├───┼───┼───┤\n{BOXED}└───┴───┴───┘\n"
POLARS = (
    f"shape: (5, 3)\n┌───┬───┬───┐\n│ time ┆ cycles ┆ misses │\n│ --- ┆ --- ┆ --- │\n│ f64 ┆ i64 ┆ i64 │\n╞═══╪═══╪═══╡\n{BOXED}└───┘\n"
)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"time,cycles,misses\n{MARKED}", id="underscores"),
        pytest.param(f"# node7\n# columns: time cycles misses\n# time cycles misses\n{BODY[' ']}", id="remarks over a marked header"),
        pytest.param(f"      cycles  misses\ntime\n{PRINTED}", id="a printed frame with a named index"),
        pytest.param(DUCKDB, id="a box of DuckDB"),
        pytest.param(POLARS, id="a box of polars"),
    ],
)  # fmt: skip
def test_a_series_in_other_forms(text: str) -> None:
    table = shown(text).result.table
    assert isinstance(table, CounterSeries)
    assert list(table.counts.columns) == ["cycles", "misses"]
    assert table.counts.to_numpy().tolist() == [[b, c] for _, b, c in ROWS]
    assert table.intervals["time"].tolist() == [a for a, _, _ in ROWS]


def test_two_levels_of_names_over_a_named_index() -> None:
    body = "".join(f"{a},{b},{c},{b + 5},{c + 5}\n" for a, b, c in ROWS)
    table = shown(f"cpu,0,0,1,1\nevent,cycles,misses,cycles,misses\ntime,,,,\n{body}").result.table
    assert list(table.counts.columns) == ["0 cycles", "0 misses", "1 cycles", "1 misses"]
    assert table.counts.iloc[0].tolist() == [7_423_336, 51_204, 7_423_341, 51_209]
    assert table.intervals["time"].tolist() == [a for a, _, _ in ROWS]


def test_names_with_blanks_between_columns_of_blanks() -> None:
    table = shown(f"Time (s)  L1 misses  CPU cycles\n{BODY['  ']}", "f.txt").result.table
    assert list(table.counts.columns) == ["L1 misses", "CPU cycles"]
    found = inspect([UploadedFile("f.txt", f"Time (s) L1 misses CPU cycles\n{BODY[' ']}".encode())])
    assert found.doubts[0].key == "lines"
    assert found.why.startswith("f.txt: row 1, 'Time (s) L1 misses CPU cycles', has 6 names and the rows below it 3 cells")


def test_maps_and_sections() -> None:
    maps = shown(
        "Attaching 3 probes...\n\n@cycles[fft]: 7423336\n@cycles[io]: 1234\n@misses[fft]: 512\n@misses[io]: 99\n", "f.txt"
    ).result.table
    assert isinstance(maps, PhaseTable)
    assert maps.frame[["program", "cycles", "misses"]].to_numpy().tolist() == [["fft", 7_423_336, 512], ["io", 1_234, 99]]
    sections = shown("".join(f"[run {at}]\ncycles = {b}\nmisses = {c}\n\n" for at, (_, b, c) in enumerate(ROWS)), "f.ini").result.table
    assert isinstance(sections, Subexperiments)
    assert sections.frames[0].to_numpy().tolist() == [[b, c] for _, b, c in ROWS]


def test_sums_by_any_name_below_the_data_and_threads_that_are_rows() -> None:
    text = (
        "\tRunning\tWaiting\nTHREAD 1\t812\t12\nTHREAD 2\t802\t22\nTHREAD 3\t822\t31\n\nTotal\t2436\t65\nStDev\t8\t7\nAvg/Max\t0.98\t0.69\n"
    )
    table = shown(text).result.table
    assert isinstance(table, PhaseTable)
    assert table.frame["program"].tolist() == ["THREAD 1", "THREAD 2", "THREAD 3"]


def test_rows_with_names_are_no_instants() -> None:
    """Google Benchmark: real_time rises, and each row is a benchmark of its own."""
    marks = [{"name": f"sort/{2**at}", "real_time": 10.5 * at, "CYCLES": b} for at, (_, b, _) in enumerate(ROWS, start=1)]
    table = shown(json.dumps({"context": {"num_cpus": 8}, "benchmarks": marks}), "f.json").result.table
    assert isinstance(table, PhaseTable)
    assert table.counters == ("real_time", "CYCLES")


def test_names_and_rows_of_json_whatever_they_are_called() -> None:
    told = {"host": "n1", "events": ["time", "cycles", "misses"], "samples": ROWS}
    table = shown(json.dumps(told), "f.json").result.table
    assert isinstance(table, CounterSeries)
    assert table.counts.to_numpy().tolist() == [[b, c] for _, b, c in ROWS]
    for other in ({"samples": [*ROWS, (3.0, 5)]}, {"tags": ["a", "b", "c"]}):
        assert inspect([UploadedFile("f.json", json.dumps(told | other).encode())]).result is None


def test_units_and_a_remark_on_each_column_between_names_and_data() -> None:
    table = shown("time\tcycles\tmisses\nms\tcounts\tcounts\nrun A\trun A\trun A\n" + BODY[" "].replace(" ", "\t"), "f.txt").result.table
    assert list(table.counts.columns) == ["cycles", "misses"]
    assert table.intervals["time"].tolist() == [a / 1_000 for a, _, _ in ROWS]


def test_a_question_is_asked_also_where_a_plain_reader_would_see_other_columns() -> None:
    """Two lines on the machine, wider than the table below them; a column that mostly grows."""
    rising = "".join(f"{7 + at % 12},{at / 4}\n" for at in range(14))
    found = recognise([UploadedFile("f.csv", f"os,cpu,gpu\nLinux,A,B\nops,elapsed\n{rising}".encode())])
    assert "'ops' rises 12 times and falls 1 times" in found[0].asks


def test_elapsed_times_between_readings_of_sensors() -> None:
    told = [(0.5, 12.5, 3.1), (1.0, 13.5, 3.3), (1.5, 11.5, 3.0)]
    table = shown("".join(f"Time: {t} s\nPackage energy: {a} J\nDRAM energy: {b} J\n\n" for t, a, b in told), "f.txt").result.table
    assert isinstance(table, CounterSeries)
    assert table.intervals["time"].tolist() == [0.5, 1.0, 1.5]
    assert table.counts.to_numpy().tolist() == [[a, b] for _, a, b in told]


def test_blanks_rotate_where_most_rows_count_other_events_than_the_one_before() -> None:
    none = float("nan")
    # A, A, B again and again: 2 of 3 rows differ from the one before; A, A, A, B: 1 of 2.
    two, one = (pd.DataFrame([(5, none)] * times + [(none, 7)], columns=["A", "B"]) for times in (2, 3))
    for rows, expected in ((two, True), (one, False)):
        counts = pd.concat([rows] * 4, ignore_index=True)
        assert rotates(counts, pd.Series(["r"] * len(counts))) == expected


def test_one_phase_of_each_program_is_its_whole_run() -> None:
    rows = "".join(f"{name},0,{b},{c}\n" for name, (_, b, c) in zip("pqrst", ROWS, strict=True))
    table = shown(f"program,phase,cycles,misses\n{rows}").result.table
    assert isinstance(table, PhaseTable)
    assert table.frame["granularity"].unique().tolist() == ["whole run"]


def test_one_row_with_another_hem_is_no_subexperiment() -> None:
    found = inspect([UploadedFile("f.csv", b"cycles,misses,loads\n5,6,\n7,9,\n6,8,\n5,,7\n")])
    assert not any("different sets of columns" in each for each in found.repairs)
    two = shown("cycles,misses,loads\n5,6,\n7,9,\n6,8,\n5,,7\n8,,9\n")
    assert [list(frame.columns) for frame in two.result.table.frames] == [["cycles", "misses"], ["cycles", "loads"]]
    # 3 of 9 rows without a HEM are too many to be lost values.
    less = shown("cycles,misses\n" + "5,6\n7,9\n6,8\n" * 2 + "5,\n8,\n9,\n")
    assert [list(frame.columns) for frame in less.result.table.frames] == [["cycles", "misses"], ["cycles"]]


def test_two_rows_of_one_time_begin_no_run() -> None:
    times = (0.5, 0.5, 1, 1.5, 2, 2.5, 3, 3.5)
    table = shown(
        "a title\ntime,cycles,misses\n" + "".join(f"{t},{5_000 + 37 * at % 91},{at % 7}\n" for at, t in enumerate(times))
    ).result.table
    assert table.intervals["run"].unique().tolist() == [1]


def test_durations_of_go() -> None:
    assert [date_times.duration_of(each) for each in ("1m30.5s", "2h0m1s", "7s", "1m")] == [(90.5, "s"), (7_201, "s"), (7, "s"), None]


def test_ocount_without_a_header() -> None:
    table = shown("CPU_CLK,812000,100.00\nINST_RETIRED,640100,50.00\nMISSES,0,0.00\n", "f.txt").result.table
    assert isinstance(table, CounterSeries)
    assert table.counts.iloc[0].tolist()[:2] == [812_000, 640_100]
    assert table.share is not None
    assert table.share.iloc[0].tolist()[:2] == [1, 0.5]
    assert not inspect([UploadedFile("f.txt", b"CPU_CLK,812000,100.00\nINST,5,101.00\n")]).title.startswith("Ocount")


def test_names_and_numbers_that_blanks_part_are_events_by_their_names() -> None:
    text = "Loading gcc/13.2\n*** 40 steps ***\n" + "".join(
        f"step  {at}  PAPI_TOT_INS {2000 + 7 * at % 5}  PAPI_L3_TCM 3{at}\n" for at in range(1, 7)
    )
    found = inspect([UploadedFile("slurm.out", f"{text}done, 81.2 s\n".encode())])
    assert [repair for repair in found.repairs if "without values" in repair] == [
        "slurm.out: 3 lines without values left out: 'Loading gcc/13.2'."
    ]
    frame = found.result.table.frames[0] if hasattr(found.result.table, "frames") else found.result.table.counts
    assert frame["PAPI_L3_TCM"].tolist() == [31, 32, 33, 34, 35, 36]


def test_lines_with_numbers_beside_a_table_of_a_page_are_told() -> None:
    rows = "".join(f"<tr><td>{at}.5</td><td>{800 + 7 * at}</td></tr>" for at in range(6))
    head = "<tr><th>time</th><th>cycles</th></tr>"
    page = f"<html><script>var a = 1 , 2 ;</script>\n12:00:01  84187 24364\nof 2026\n<table>{head}{rows}</table></html>"
    repairs = inspect([UploadedFile("a.html", page.encode())]).repairs
    assert [each for each in repairs if "beside" in each] == [
        "a.html: lines with numbers beside the table left out: 1, as '12:00:01  84187 24364'."
    ]


def test_types_below_the_names_of_a_printed_table_are_no_names() -> None:
    rows = "".join(f"│ 2026-03-12 14:02:{10 + n} ┆ {b} ┆ {c} │\n" for n, (_, b, c) in enumerate(ROWS))
    box = f"┌──┬──┬──┐\n│ ts ┆ cycles ┆ watts │\n│ --- ┆ --- ┆ --- │\n│ datetime[μs] ┆ i64 ┆ f64 │\n╞══╪══╪══╡\n{rows}└──┘\n"
    table = shown(box).result.table
    assert isinstance(table, CounterSeries)
    assert table.counts["watts"].tolist() == [c for _, _, c in ROWS]
    assert [is_units(row) for row in (("", "<dttm>", "<int>", "<dbl>"), ("VARCHAR(10)", "bigint"))] == [True, True]
    assert not any(map(is_units, (("date", "text"), ("time", "cycles"), ("i64", "cycles"))))


@pytest.mark.parametrize("header", ["program,event,unit,value", "unit,event,program,value", "program,name,unit,value"])
def test_a_long_table_with_a_column_of_units(header: str) -> None:
    rows = [("sort", "time", "us", 704.9), ("sort", "allocs", "count", 58), ("join", "time", "us", 2192.8), ("join", "allocs", "count", 27)]
    places = {"program": 0, "event": 1, "name": 1, "unit": 2, "value": 3}
    order = [places[name] for name in header.split(",")]
    table = shown(f"{header}\n" + "".join(",".join(str(row[place]) for place in order) + "\n" for row in rows)).result.table
    assert isinstance(table, PhaseTable)
    assert table.frame.set_index("program")[["time", "allocs"]].to_dict("index") == {
        "sort": {"time": 704.9, "allocs": 58},
        "join": {"time": 2192.8, "allocs": 27},
    }


def test_values_in_objects_with_a_name_below_objects_with_one() -> None:
    programs = [
        {"name": name, "metrics": [{"name": "cycles", "unit": "1", "value": 10 * n}, {"name": "joules", "unit": "J", "value": n + 0.5}]}
        for n, name in enumerate(("sort", "join", "hash"), start=1)
    ]
    table = shown(json.dumps(programs), "f.json").result.table
    assert isinstance(table, PhaseTable)
    assert table.frame[["program", "cycles", "joules"]].to_numpy().tolist() == [["sort", 10, 1.5], ["join", 20, 2.5], ["hash", 30, 3.5]]


def test_two_labels_in_front_of_the_values_of_a_line() -> None:
    lines = "".join(f"[rank {r}] iter {i}: cycles={1000 + 10 * i + r} misses={50 + i}\n" for i in range(6) for r in range(2))
    assert pairs_of(lines.splitlines()[3]) == [("rank", "1"), ("iter", "1"), ("cycles", "1011"), ("misses", "51")]
    assert pairs_of("[rank 0] of node 5: cycles=1 misses=2")[0] != ("rank", "0")


def test_durations_of_more_than_a_day_and_days_without_a_year() -> None:
    days = pd.Series(["23:20:00", "1 day, 0:00:00", "1 day, 0:40:00"])
    assert date_times.clock_seconds("f", days)[0].tolist() == [84_000, 86_400, 88_800]
    assert date_times.kind_of("Mar-12 14:02:10") == "date-time"
