"""What columns and rows are taken for, in tables of a few rows: their roles, what a row is, and the counts that result."""

import pytest

from hemcore.datasets.importing import plain_tables
from hemcore.datasets.importing.date_times import is_day_alone
from hemcore.datasets.importing.guessing.table_lines import tables_within
from hemcore.datasets.importing.inspection import Preview, inspect
from hemcore.datasets.importing.recipe import ImportRecipe
from hemcore.datasets.readers.metrics.tool_lists import listed_by_tool
from hemcore.datasets.readers.series.readings import begun_alike
from hemcore.datasets.readers.uploaded_files import UploadedFile


def shown(*texts: str, names: tuple[str, ...] = ("a.csv", "b.csv", "c.csv"), recipe: ImportRecipe | None = None) -> Preview:
    rows = (text.replace("|", "\n") + "\n" for text in texts)
    return inspect([UploadedFile(name, text.encode()) for name, text in zip(names, rows, strict=False)], recipe)


@pytest.mark.parametrize(
    ("text", "roles", "layout", "kind"),
    [
        ("set,run,cycles|a,1,500|a,2,510|b,1,505|b,2,511", "subexperiment run event", "runs", "Subexperiments"),
        ("day,begin,cycles|2026-03-12,12:00:00,5|2026-03-12,12:00:01,6|2026-03-12,12:00:02,7", "date time event", "intervals", ""),
        ("time,core,cycles|1,0,10|1,1,25|2,0,14|2,1,21|3,0,12|3,1,29", "time program event", "intervals", ""),
        ("Time,cycles,misses|46093.5,500,3|46093.6,510,4|46093.7,505,5", "time event event", "intervals", ""),
        ("Time,cycles,misses|0.5,500,3|0.6,510,4|0.7,505,5", "time event event", "intervals", ""),
        ("interval,event,count|1,cycles,5|1,misses,1|2,cycles,6|2,misses,2", "interval event-name value", "long", ""),
        ("event,count|cycles,5|misses,1|cycles,6|misses,2", "event-name value", "long", "Subexperiments"),
        ("event,1,2,3,4|cycles,5,6,7,8|misses,1,2,3,4", "event-name value value value value", "hems_as_rows", "Subexperiments"),
        ("event,0.5 s,1.0 s,1.5 s|cycles,5,6,7|misses,1,2,3", "time event event", "intervals", ""),
        ("time,0.5,1.0,1.5|cycles,5,6,7|misses,1,2,3", "time event event", "intervals", ""),
        ("event,0.5,1.0,1.5,2.0|cycles,5,6,7,8|misses,1,2,3,4", "event-name value value value value", "hems_as_rows", "Subexperiments"),
        ("program,granularity,load,phase,cycles|fft,9,one,0,5|fft,9,one,1,6|sha,9,two,0,7|sha,9,two,1,8",
         "program granularity load phase event", "phases", "PhaseTable"),
        ("program,run,subexperiment,cycles|fft,1,A,5|fft,2,A,6|fft,3,B,7|fft,4,B,8",
         "program run subexperiment event", "runs", "Subexperiments"),
        ("program,run,cycles|fft,1,5|fft,2,6|sha,1,7|sha,2,8", "program run event", "phases", "PhaseTable"),
        ("program,run,time,cycles|fft,1,0.5,5|fft,2,0.7,6|fft,3,0.6,7", "program run event event", "runs", "Subexperiments"),
    ],
)  # fmt: skip
def test_what_columns_and_rows_are(text: str, roles: str, layout: str, kind: str) -> None:
    recipe = shown(text).recipe
    assert recipe is not None
    assert " ".join(column.role.replace(" ", "-") for column in recipe.columns) == roles
    assert (recipe.layout, recipe.kind) == (layout, kind or "CounterSeries")


def test_loads_of_programs_stay_and_times_are_in_seconds() -> None:
    frame = shown("program,load,run,cycles|fft,idle,1,5|fft,idle,2,6|sha,full,1,7|sha,full,2,8").result.table.frame
    assert frame[["program", "load", "cycles"]].to_numpy().tolist() == [
        ["fft", "idle", 5],
        ["fft", "idle", 6],
        ["sha", "full", 7],
        ["sha", "full", 8],
    ]
    days = shown("Time,cycles,misses|46093.5,500,3|46093.6,510,4|46093.7,505,5").result.table
    assert str(days.intervals["date"][0]) == "2026-03-12 12:00:00", "46093 days after 1899-12-30, and a half"
    assert days.intervals["time"].diff().tolist()[1:] == [8640, 8640]
    long = shown("interval,event,count|1,cycles,5|1,misses,1|2,cycles,6|2,misses,2").result.table
    assert long.intervals["interval"].tolist() == [1, 2]
    assert long.counts.to_dict("list") == {"cycles": [5, 6], "misses": [1, 2]}


def test_a_second_column_of_one_name_is_noted_and_no_other() -> None:
    assert shown("time,a,a|1,5,6|2,6,7|3,7,8").repairs == ("a.csv: a second column 'a' is called 'a (2)'.",)
    mixed = shown("time,a,b,a|1,5,6,4|2,6,,5|3,7,8,6")
    assert [each for each in mixed.repairs if "second column" in each] == ["a.csv: a second column 'a' is called 'a (2)'."]
    assert list(mixed.result.table.counts) == ["a", "b", "a (2)"]


def test_files_after_one_that_is_no_table_are_read_and_another_set_of_files_is_looked_at_anew() -> None:
    runs = "run,cycles|1,5|2,6"
    found = shown(runs, "hello|readme", runs.replace("5", "7"), names=("r1.csv", "README.txt", "r2.csv"))
    assert [frame["cycles"].tolist() for frame in found.result.table.frames] == [[5, 6], [7, 6]]
    assert found.repairs == ("README.txt: left out: it holds no table",)
    first = UploadedFile("a.csv", b"run,cycles\n1,5\n2,6\n")
    others = [UploadedFile("b.csv", b"run,misses\n1,5\n2,6\n")]
    assert [len(plain_tables.look_at([first, *each]).parts) for each in ([], others, [])] == [1, 2, 1]


def test_places_of_rows_are_counted_from_one() -> None:
    (part,) = shown("time,cycles|ms,1|10,5|20,6|30,7").parts
    assert (part.header_row, part.header_rows, part.units_row, part.first_row) == (1, 1, 2, 3)
    (part,) = shown("Report||time,cycles|1,5|2,6|3,7").parts
    assert (part.header_row, part.header_rows, part.units_row, part.first_row) == (3, 1, 0, 4)


@pytest.mark.parametrize(
    ("cells", "counts", "unit"),
    [
        ("1 MiB,2 MiB,1.5 KiB", [2**20, 2**21, 1536], "in B"),
        ("1 GiB,2 GiB,1 TiB", [2**30, 2**31, 2**40], "in B"),
        ("1 Mio,2.5 Mio,3 Mio", [1e6, 2.5e6, 3e6], ""),
        ("1 K,2.5 M,3 G", [1e3, 2.5e6, 3e9], ""),
        ("0x10,0xFF,0x0a", [16, 255, 10], ""),
        ("10 kHz,2 MHz,3 GHz", [1e4, 2e6, 3e9], "in Hz"),
    ],
)
def test_units_of_cells(cells: str, counts: list[float], unit: str) -> None:
    found = shown("run,mem|" + "|".join(f"{run},{cell}" for run, cell in enumerate(cells.split(","), start=1)))
    assert found.result.table.frames[0]["mem"].tolist() == counts
    assert unit in " ".join(found.repairs)


def test_days_names_and_texts() -> None:
    cells = ("20260312", "20261231", "20261312", "20260332", "2026031", "202603120", "18000101")
    assert [is_day_alone(cell) for cell in cells] == [True, True, False, False, False, False, False]
    assert [begun_alike(names) for names in ([], ["abc"], ["abc", "abd"], ["x", "y"])] == ["", "abc", "ab", ""]
    table = "a,b\n1,2\n3,4\n5,6\n"
    assert [(each.first, each.last, each.rows) for each in tables_within("\n" + table)] == [(2, 5, 3)]
    assert tables_within("  \n[1,2]\n" + table) == [], "a text of JSON"


@pytest.mark.parametrize(
    ("text", "programs"),
    [
        ("time,core,cycles|1,0,5|1,1,6|2,0,5|2,1,6", ["core 0", "core 1"]),
        ("time,socket,core,cycles|1,0,0,5|1,0,1,6|1,1,0,7|1,1,1,8|2,0,0,5|2,0,1,6|2,1,0,7|2,1,1,8",
         ["socket 0 core 0", "socket 0 core 1", "socket 1 core 0", "socket 1 core 1"]),
        ("time,core,socket,cycles|1,0,0,5|1,1,0,6|1,0,1,7|1,1,1,8|2,0,0,5|2,1,0,6|2,0,1,7|2,1,1,8",
         ["core 0 socket 0", "core 1 socket 0", "core 0 socket 1", "core 1 socket 1"]),
    ],
)  # fmt: skip
def test_parts_of_the_machine_are_named_in_the_order_of_their_columns(text: str, programs: list[str]) -> None:
    table = shown(text).result.table
    assert table.applications == programs
    first = table.counts["cycles"].groupby(table.intervals["application"], sort=False).first()
    assert first.tolist() == list(range(5, 5 + len(programs)))


def test_ranks_are_programs_and_what_is_one_row_is_no_table() -> None:
    ranks = shown("rank,time,cycles|0,1.5,9|1,1.2,8|2,1.9,7").recipe
    assert ranks is not None
    assert [column.role for column in ranks.columns] == ["program", "event", "event"]
    for text in ("rank,cycles,misses|0,5,9", "day,begin,cycles|2026-03-12,12:00:00,5"):
        assert "no column holds several numbers" in shown(text).fault
    assert [doubt.key for doubt in shown("duration_s,cycles,misses|1,5,9|1,6,8|1,7,9|1,6,7").doubts] == ["order"]
    assert listed_by_tool("name,derived,postfix,\nPAPI_A,1,2\n\nPAPI_B,1,2\nPAPI_A,3,3\n").cells == [["PAPI_A"], ["PAPI_B"]]
    assert listed_by_tool('[{"EventName": "a"}, {"EventName": "b"}, {"x": 1}]').cells == [["a"], ["b"]]
    for none in ("name,derived,postfix,\n", '[{"EventName": "a", "MetricName": "m"}]', '[{"x": 1}]'):
        assert listed_by_tool(none) is None


def test_rows_with_names_as_intervals_are_asked_about_and_others_are_not() -> None:
    chosen = ImportRecipe(layout="intervals")
    assert [doubt.key for doubt in shown("program,cycles|a,5|b,6|c,7", recipe=chosen).doubts] == ["order"]
    assert not shown("cycles,misses|5,9|6,8|7,9", recipe=chosen).doubts
    assert not shown("program,time,cycles|a,1,5|a,2,6|a,3,7", recipe=chosen).doubts
