"""A preview says what files are before they are read, and a recipe reads them as it says: by hand, with a change, and over many files."""

import json
from dataclasses import fields
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import hemcore as hem
from hemcore.datasets import CounterSeries, PhaseTable, Subexperiments
from hemcore.datasets.importing import plain_tables
from hemcore.datasets.importing.inspection import Preview, apply, apply_unpacked, inspect, inspect_unpacked
from hemcore.datasets.importing.recipe import ColumnRole, ImportRecipe, TableOptions, recipe_of
from hemcore.datasets.readers.formats import format_of
from hemcore.datasets.readers.recognition import unpack
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.shelf import staged
from hemcore.datasets.shelf.store import DatasetStore
from hemcore.errors import HemError, ReadError
from tests.core.datasets.zipped import zipped

LAB = "Messung 3\n\nZeit (ms);Zyklen;Befehle;Bemerkung\n[ms];-;-;\n500;81,5;64;\n1000;80;65;warm\n1500;82;63;\nSumme;243,5;192;\n"
PERF = "81,,cycles,500,100.00,,\n64,,instructions,500,100.00,,\n"


def sent(text: str | bytes, name: str = "lab.csv") -> UploadedFile:
    return UploadedFile(name, text.encode() if isinstance(text, str) else text)


def role(preview: Preview, name: str) -> str:
    assert preview.recipe is not None
    column = preview.recipe.role_of(name)
    return "" if column is None else column.role


def series_of(preview: Preview) -> CounterSeries:
    assert preview.result is not None, preview.fault
    assert isinstance(preview.result.table, CounterSeries)
    return preview.result.table


def test_a_preview_says_what_was_found_and_what_is_repaired() -> None:
    preview = inspect([sent(LAB)])
    (part,) = preview.parts
    assert (part.header_row, part.header_rows, part.units_row, part.first_row) == (3, 1, 4, 5)
    assert part.rows[0] == ("Messung 3",)
    assert part.rows[2] == ("Zeit (ms)", "Zyklen", "Befehle", "Bemerkung")
    assert [(column.name, column.role, column.unit) for column in part.columns] == [
        ("Zeit (ms)", "time", "ms"), ("Zyklen", "event", ""), ("Befehle", "event", ""), ("Bemerkung", "ignore", ""),
    ]  # fmt: skip
    assert preview.title == "A table of counter series"
    assert preview.why == "A table: one row per interval."
    assert preview.whole
    assert preview.fault == ""
    assert preview.summary == "1 application, 1 run, 3 intervals, 2 events, OCOE"
    said = "\n".join(preview.repairs)
    for part_of in ("above the header, skipped: 'Messung 3'", "row of units", "left out: 'Summe'", "converted from ms to s", "holds text"):
        assert part_of in said
    table = series_of(preview)
    assert table.intervals["time"].tolist() == [0.5, 1.0, 1.5]
    assert table.counts.to_dict("list") == {"Zyklen": [81.5, 80, 82], "Befehle": [64, 65, 63]}


def test_a_choice_is_taken_over() -> None:
    preview = inspect([sent(LAB)])
    assert preview.recipe is not None
    columns = tuple(column.but(role="ignore") if column.name == "Befehle" else column for column in preview.recipe.columns)
    again = inspect([sent(LAB)], preview.recipe.but(columns=columns, skip_rows=(6,)))
    assert series_of(again).counts.to_dict("list") == {"Zyklen": [81.5, 82]}
    assert "lab.csv, row 6: skipped, as chosen (1)" in again.repairs
    told = inspect([sent(LAB)], ImportRecipe(header_row=4, units_row=0))
    assert told.fault or told.parts[0].header_row == 4


def test_a_recipe_gives_the_same_by_apply_by_read_and_in_the_store(tmp_path: Path) -> None:
    preview = inspect([sent(LAB)])
    assert preview.recipe is not None
    assert preview.result is not None
    (tmp_path / "lab.csv").write_text(LAB)
    with pytest.warns(UserWarning, match="repairs"):
        read = hem.read(tmp_path / "lab.csv", recipe=preview.recipe.to_json())
    applied = apply(preview.recipe, [sent(LAB)])
    store = DatasetStore(tmp_path / "store")
    record = store.add([sent(LAB)], options=preview.recipe)
    assert recipe_of(record.recipe) == recipe_of(store.record(record.id).recipe) == preview.recipe
    kept = store.load(record.id)
    by_key = store.load(store.add([sent(LAB)], format_key="table_series", options=TableOptions(recipe=preview.recipe.to_json())).id)
    staged_id = staged.stage([sent(LAB)], store.root)
    shown = staged.preview_staged(staged=staged_id, progress=lambda done, note: None, root=store.root)
    assert shown.recipe == preview.recipe
    added = staged.add_staged(
        staged=staged_id, format_key=None, options={}, name="lab", progress=lambda done, note: None, root=store.root,
        recipe=preview.recipe.to_json(),
    )  # fmt: skip
    assert added == {"id": record.id, "was_there": True}
    for table in (read, applied.table, kept, by_key):
        assert isinstance(table, CounterSeries)
        pd.testing.assert_frame_equal(table.counts, series_of(preview).counts)
        pd.testing.assert_frame_equal(table.intervals, series_of(preview).intervals, check_dtype=False)
    pd.testing.assert_frame_equal(applied.repairs, preview.result.repairs)
    assert applied.notes == preview.result.notes


@pytest.mark.slow
def test_a_recipe_is_applied_to_many_files_of_its_shape() -> None:
    recipe = inspect([sent(LAB)]).recipe
    assert recipe is not None
    many = zipped({"README.md": "# Runs\n", **{f"lab_{run}.csv": LAB.replace("81,5", f"{run},5") for run in range(1, 41)}})
    other = inspect([sent(many, "all.zip")])
    assert other.recipe is not None
    assert other.recipe.shape == recipe.shape != ""
    table = apply(recipe, [sent(many, "all.zip")]).table
    assert isinstance(table, CounterSeries)
    assert table.runs("lab") == list(range(1, 41))
    assert table.counts["Zyklen"][::3].tolist() == [run + 0.5 for run in range(1, 41)]
    assert inspect([sent(LAB.replace("Befehle", "Treffer"))]).recipe.shape != recipe.shape  # type: ignore[union-attr]
    with pytest.raises(ReadError, match="no column of counts; give a column the role 'event'"):
        apply(recipe, [sent("a,b\n1,2\n3,4\n")])


@pytest.mark.slow
def test_a_large_file_is_looked_at_in_its_first_rows_and_read_whole() -> None:
    text = "run 7\ntime,cycles\n" + "".join(f"{row},{row % 7}\n" for row in range(1, 20_001)) + "total,60000\n"
    preview = inspect([sent(text)], head=20_000)
    assert not preview.whole
    assert 500 < len(series_of(preview).counts) < 5_000
    assert preview.recipe is not None
    result = apply(preview.recipe, [sent(text)])
    assert len(result.table.counts) == 20_000  # type: ignore[union-attr]
    assert any("left out: 'total'" in str(what) for what in result.repairs["what"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("time,cycles\n0.5,12\n1.0,x7\n1.5,13\n", "column 'cycles', row 3: 'x7' is not a number"),
        ("title\ntime,cycles\n0.5,12\n1.0,-7\n1.5,13\n", "column 'cycles', row 4: -7 must be at least 0"),
        ("title\ntime,cycles\n0.5,12\n0.1,7\n1.5,13\n2,5\n", "row 4: time 0.1 comes after a larger one"),
        ('title\ntime,cycles\n1,"1,234"\n2,"5,678"\n', "'1,234' may be 1.234 or 1234"),
        ("date,cycles\n03/04/2026 10:00,12\n04/05/2026 10:00,13\n", "may have the day or the month first"),
    ],
)
def test_what_is_in_doubt_or_wrong_is_one_sentence_with_its_cure(text: str, said: str) -> None:
    preview = inspect([sent(text)])
    assert preview.result is None
    assert said in preview.fault
    assert "\n" not in preview.fault
    assert preview.fault.endswith((".", "?"))


def test_a_choice_settles_the_doubt() -> None:
    dated = "date,cycles\n03/04/2026 10:00,12\n04/05/2026 10:00,13\n"
    recipe = ImportRecipe(dates="month first")
    assert series_of(inspect([sent(dated)], recipe)).intervals["date"].dt.month.tolist() == [3, 4]
    marked = 'title\ntime,cycles\n1,"1,234"\n2,"5,678"\n'
    assert series_of(inspect([sent(marked)], ImportRecipe(decimal=","))).counts["cycles"].tolist() == [1.234, 5.678]
    assert series_of(inspect([sent(marked)], ImportRecipe(decimal="."))).counts["cycles"].tolist() == [1234, 5678]
    headless = inspect([sent("0.5,12\n1.0,13\n1.5,11\n")], ImportRecipe(header_row=-1))
    assert headless.result is not None
    assert [column.name for column in headless.parts[0].columns] == ["column 1", "column 2"]


@pytest.mark.parametrize(
    ("text", "column", "values"),
    [
        ("t;;\ntime;cycles\n0,5;81.200\n1,0;80.100\n", "cycles", [81200, 80100]),
        ('t\ntime,cycles\n0.5,"81,200"\n1.0,"80,100"\n', "cycles", [81200, 80100]),
        ("t;;\ntime;cycles\n0,5;1.234,5\n1,0;900\n", "cycles", [1234.5, 900]),
    ],
)
def test_one_decimal_sign_in_a_file_settles_the_other_mark(text: str, column: str, values: list[float]) -> None:
    assert series_of(inspect([sent(text)])).counts[column].tolist() == values


@pytest.mark.parametrize(
    ("first", "second", "dates"),
    [
        ("03/25/2026 10:00", "04/26/2026 10:00", ["2026-03-25", "2026-04-26"]),
        ("25/03/2026 10:00", "26/04/2026 10:00", ["2026-03-25", "2026-04-26"]),
        ("01.02.2026 10:00", "02.03.2026 10:00", ["2026-02-01", "2026-03-02"]),
        ("1/2/2026 1:05 PM", "3/4/2026 1:05 PM", ["2026-01-02", "2026-03-04"]),
        ("2026/3/5 9:05", "2026/11/6 9:05", ["2026-03-05", "2026-11-06"]),
    ],
)
def test_which_number_of_a_date_is_the_day_is_taken_from_the_dates(first: str, second: str, dates: list[str]) -> None:
    table = series_of(inspect([sent(f"date,cycles\n{first},5\n{second},6\n")]))
    assert table.intervals["date"].dt.strftime("%Y-%m-%d").tolist() == dates


def test_cumulative_counters_next_to_counts_are_asked_about() -> None:
    counts = sent("t\ntime,a\n" + "".join(f"{row},{5 + row % 3}\n" for row in range(1, 13)), "counts.csv")
    raw = sent("t\ntime,a\n" + "".join(f"{row},{5 * row}\n" for row in range(1, 13)), "raw.csv")
    assert "raw.csv holds cumulative counters, which only grow; counts.csv holds counts" in inspect([counts, raw]).fault
    assert inspect([raw]).recipe.per_interval == "cumulative"  # type: ignore[union-attr]
    recipe = inspect([raw]).recipe
    assert recipe is not None
    kept = inspect([raw], recipe.but(per_interval="counts"))
    assert series_of(kept).counts["a"].tolist() == [5 * row for row in range(1, 13)]
    doubtful = "t\ntime,a\n" + "".join(f"{row},{5 * row if row != 9 else 4}\n" for row in range(1, 21))
    assert "Are these cumulative counters" in inspect([sent(doubtful)]).fault


def test_totals_of_many_runs_become_subexperiments_and_can_stay_a_series() -> None:
    files = {f"run_{run}.csv": PERF.replace("81", str(80 + run)) for run in range(1, 5)}
    files |= {f"run_{run}.csv": PERF.replace("instructions", "branches").replace("81", str(80 + run)) for run in range(5, 8)}
    preview = inspect([sent(zipped({**files, "README.md": "Seven runs.\n"}), "all.zip")])
    assert preview.result is not None, preview.fault
    assert preview.recipe is not None
    assert (preview.recipe.format, preview.recipe.kind, preview.recipe.leave_out) == ("perf_stat_csv", "Subexperiments", ("README.md",))
    table = preview.result.table
    assert isinstance(table, Subexperiments)
    assert [list(frame.columns) for frame in table.frames] == [["cycles", "instructions"], ["cycles", "branches"]]
    assert [frame["cycles"].tolist() for frame in table.frames] == [[81, 82, 83, 84], [85, 86, 87]]
    assert any("Totals of 7 runs" in line for line in preview.repairs)
    assert any("README.md" in line for line in preview.repairs)
    again = inspect([sent(zipped(files), "all.zip")], preview.recipe.but(kind="CounterSeries", leave_out=()))
    assert len(series_of(again).counts) == 7


def test_a_tools_output_next_to_a_readme_is_read(tmp_path: Path) -> None:
    (tmp_path / "perf.csv").write_text(PERF)
    (tmp_path / "README.md").write_text("# One run\n")
    table = hem.read(tmp_path)
    assert isinstance(table, CounterSeries)
    assert table.counts.to_dict("list") == {"cycles": [81], "instructions": [64]}
    assert any("README.md: left out" in note for note in table.repairs.notes)


def test_hems_with_a_low_mean_are_kept_or_named() -> None:
    text = "cycles,faults,cycles,switches\n812000,3,815300,2\n808400,4,809900,1\n"
    preview = inspect([sent(text)])
    assert preview.result is not None
    assert preview.result.table.hems == ["cycles", "faults", "switches"]  # type: ignore[union-attr]
    assert preview.recipe is not None
    dropped = apply(preview.recipe.but(min_mean=100), [sent(text)])
    said = "2 of 3 HEMs left out, because their mean is at most 100: 'faults', 'switches'. Lower the minimum mean to keep them."
    assert said in dropped.notes
    with pytest.warns(UserWarning, match="repairs"):
        assert said in hem.read(text.encode(), min_mean=100).repairs.notes
    assert hem.read(text.encode()).hems == ["cycles", "faults", "switches"]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.json", json.dumps({"alpha": 1, "beta": [2]}), "it looks like JSON with the keys alpha, beta"),
        ("a.html", "<!doctype html><html><p>hello</p></html>\n", "it looks like a page of HTML"),
        ("a.csv", "name,city\nAda,London\nBob,Lyon\n", "it looks like a table of 2 columns of text, separated by commas: name, city"),
        ("a.txt", "Dear reader\nno readings\n", "it looks like a text of 2 lines that begins 'Dear reader'"),
    ],
)
def test_what_is_not_recognised_is_described_with_the_nearest_formats(name: str, content: str, said: str) -> None:
    preview = inspect([sent(content, name)])
    assert preview.result is None
    assert said in preview.fault
    assert preview.fault.count(" (") >= 3
    assert len(preview.fault) < 1_000


def test_never_raises_for_what_is_in_files() -> None:
    for content in (b"", b"\x00" * 50, bytes(range(256)) * 4, b"PK\x03\x04broken", b"a;b\n", b'"', b"time\n1\n2\n", b"1 2 3\n" * 50):
        preview = inspect([UploadedFile("f.csv", content)])
        assert preview.result is not None or preview.fault.endswith((".", "?"))
    assert inspect([]).fault


def test_years_are_kept_whatever_their_column_is_called() -> None:
    text = "n,time,flow\n" + "".join(f"{row},{1871 + row},{row}\n" for row in range(20))
    table = series_of(inspect([sent(text)]))
    assert table.intervals["interval"].tolist() == list(range(1871, 1891))
    assert table.interval_unit == "year"
    assert "time" not in table.intervals
    assert table.counts["flow"].tolist() == list(range(20))  # what grows year by year is not cumulative


def test_parts_of_a_machine_are_read_by_themselves() -> None:
    text = "time,core,cycles\n0.5,0,10\n0.5,1,20\n1.0,0,11\n1.0,1,19\n1.5,0,9\n1.5,1,30\n"
    table = series_of(inspect([sent(text)]))
    assert table.events == ["cycles"]
    assert table.run("core 0", 1).counts["cycles"].tolist() == [10, 11, 9]
    assert table.run("core 1", 1).counts["cycles"].tolist() == [20, 19, 30]


@pytest.mark.parametrize(
    ("text", "kind", "counters"),
    [
        ("kernel,cycles\nfoo,10\nbar,20\nbaz,30\n", "PhaseTable", ["cycles"]),
        (",cycles\nfoo,10\nbar,20\nbaz,30\n", "PhaseTable", ["cycles"]),
        (",run1,run2\ncycles,10,20\nmisses,5,6\n", "Subexperiments", ["cycles", "misses"]),
        ("name,cycles\nr1,10\nr2,20\nr3,30\n", "Subexperiments", ["cycles"]),
        ("command,mean,max\na,1.5,2\nb,2.5,3\n", "PhaseTable", ["mean", "max"]),
        ("benchmark,real_time,cycles\na,1.5,20\nb,2.5,10\n", "PhaseTable", ["real_time", "cycles"]),
    ],
)
def test_rows_with_names_are_programs_or_runs(text: str, kind: str, counters: list[str]) -> None:
    preview = inspect([sent(text)])
    assert preview.result is not None, preview.fault
    table = preview.result.table
    assert type(table).__name__ == kind
    assert list(getattr(table, "counters", ()) or table.hems) == counters  # type: ignore[union-attr]


def test_runs_of_several_programs_are_not_merged() -> None:
    recipe = inspect([sent("kernel,cycles\nfoo,10\nbar,20\nbaz,30\n")]).recipe
    assert recipe is not None
    with pytest.raises(ReadError, match="names 3 programs .'foo', 'bar', 'baz'., but subexperiments are runs of one"):
        apply(recipe.but(layout="runs", kind="Subexperiments"), [sent("kernel,cycles\nfoo,10\nbar,20\nbaz,30\n")])


@pytest.mark.parametrize("name", ["Europe/Berlin", "Nowhere/Town"])
def test_a_zone_that_is_chosen(name: str) -> None:
    text = "date,cycles\n2026-07-01 12:00:00,12\n2026-07-01 12:00:05,13\n"
    recipe = ImportRecipe(layout="intervals", columns=(
        ColumnRole(name="date", role="time", unit="date-time", zone=name), ColumnRole(name="cycles", role="event"),
    ))  # fmt: skip
    if name == "Nowhere/Town":
        with pytest.raises(HemError, match="zone 'Nowhere/Town' does not fit"):
            apply(recipe, [sent(text)])
        return
    table = apply(recipe, [sent(text)]).table
    assert isinstance(table, CounterSeries)
    assert table.intervals["date"].dt.strftime("%H:%M %Z").tolist() == ["10:00 UTC", "10:00 UTC"]
    np.testing.assert_array_equal(table.intervals["time"], [5.0, 10.0])


@pytest.mark.parametrize(("sign", "first"), [(".", 1234.0), (",", 1.234)])
def test_numbers_that_can_be_read_in_two_ways_name_the_choice_that_settles_them(sign: str, first: float) -> None:
    files = [UploadedFile("f.csv", b"time;A\n1;1,234\n2;2,345\n3;3,111\n")]
    asked = inspect(files)
    assert "Choose the decimal sign in the import step (',' reads 1.234, '.' reads 1234)" in asked.fault
    assert asked.recipe is not None
    chosen = inspect(files, asked.recipe.but(decimal=sign))
    assert chosen.result is not None
    assert isinstance(chosen.result.table, CounterSeries)
    assert chosen.result.table.counts["A"].iloc[0] == first


def test_totals_as_subexperiments_list_every_hem_and_run_that_is_left_out() -> None:
    """Five runs of one command: migrations never happen (mean 0), and one run counted nothing."""
    runs = ["81,,cycles,500,100.00,,\n0,,cpu-migrations,500,100.00,,\n"] * 4
    runs.append("<not counted>,,cycles,0,0.00,,\n7,,x,500,100.00,,\n")
    found = inspect([sent(text, f"run_{number}.csv") for number, text in enumerate(runs, start=1)])
    assert found.result is not None, found.fault
    assert isinstance(found.result.table, Subexperiments)
    assert found.result.table.not_read == ("cpu-migrations",)
    assert "cpu-migrations" in found.result.repairs["column"].tolist()
    assert "1 HEM not read" in found.summary


@pytest.mark.parametrize("names", [["0", "1", "2"], ["init", "solve", "write"]], ids=["numbered", "named"])
def test_programs_with_phases_are_phases_without_a_load(names: list[str]) -> None:
    rows = [f"{program},{name},{10 + place},{5 + place}" for program in ("fft", "sha") for place, name in enumerate(names)]
    preview = inspect([sent("\n".join(["program,phase,cycles,instructions", *rows]))])
    assert preview.result is not None, preview.fault
    table = preview.result.table
    assert isinstance(table, PhaseTable)
    assert table.counters == ("cycles", "instructions")
    assert table.frame["phase"].tolist() == [0, 1, 2, 0, 1, 2]
    assert set(table.frame["granularity"]) == {"phase"}
    assert table.frame["cycles"].tolist() == [10, 11, 12, 10, 11, 12]
    if names[0] == "init":
        assert table.frame["phase name"].tolist() == [*names, *names]


def test_a_second_column_of_one_name_that_is_no_event_is_told() -> None:
    found = inspect([sent("time,stage,cycles,stage\n1,init,50,8123\n2,init,60,9321\n3,run,40,7123\n")])
    assert found.result is not None
    assert found.result.table.events == ["cycles"]
    assert found.result.repairs["what"].tolist() == ["column left out: an earlier column has this name; one is the stage"]


def test_a_cell_too_long_for_a_table_is_told_with_its_line() -> None:
    found = inspect([sent("t a\n1 2\n3 4\n5 " + "9" * 140_000 + "\n", "a.txt")])
    assert "a.txt: line 4 " in found.fault
    assert "131072" in found.fault


def test_what_stands_in_no_row_is_noted() -> None:
    lines = inspect([sent('{"t": 1, "a": 53}\n{"t": 2, "a": 61}\n{"t": 3, "a"', "a.jsonl")])
    assert lines.repairs[-1] == """a.jsonl: line 3, the last one, is no whole object and is left out: '{"t": 3, "a"'."""
    rows = "".join(f"<tr><td>{row}</td><td>{50 + row * row % 7}</td></tr>" for row in range(4))
    table = f"<table><tr><th>time</th><th>a</th></tr>{rows}"
    page = inspect([sent(f"<html>{table}{rows}</table>{table}</table><tr><td>5</td></tr></html>", "a.html")])
    assert "a.html: the page has 6 rows in other tables or in none; the largest table alone is read." in page.repairs
    alone = inspect([sent(f"<html>{table}</table></html>", "a.html")])
    assert not any("the largest table" in line for line in alone.repairs)


@pytest.mark.parametrize(("text", "once"), [("time,cycles\n1,20\n2,30\n", True), (PERF, True), ("time,cycles\n1,20\n2,\n3,40\n", False)])
def test_a_preview_is_read_once_where_its_recipe_changes_nothing(text: str, once: bool) -> None:
    unpacked = unpack([sent(text, "run.csv")])
    preview = inspect_unpacked(unpacked)
    assert preview.recipe is not None
    again = apply_unpacked(recipe_of(preview.recipe.to_json()), unpacked)
    assert (again is preview.result) == once
    assert apply_unpacked(preview.recipe.but(settled=("asked",)), unpacked) is not preview.result
    anew = apply(preview.recipe, [sent(text, "run.csv")])
    assert preview.result is not None
    assert (anew.notes, len(anew.repairs)) == (preview.result.notes, len(preview.result.repairs))
    one, other = ([str(getattr(table, each.name)) for each in fields(table)] for table in (anew.table, preview.result.table))
    assert one == other


def test_a_quotation_mark_left_open_over_a_large_file_is_a_sentence() -> None:
    text = 'time,a\n1,2\n3,"' + "".join(f"{row},{row}\n" for row in range(20_000))
    fault = inspect([UploadedFile("f.csv", text.encode())]).fault
    assert fault == (
        "f.csv: row 3 is not readable as cells (field larger than field limit (131072)). Close its quotation mark, or leave the row out."
    )


def test_the_last_column_without_a_name_shifts_no_other() -> None:
    preview = inspect([sent("time,cycles,misses,\n" + "".join(f"{row},{row * 37 % 11},{row * 5 % 7},{row * 3 % 5}\n" for row in range(9)))])
    table = preview.result.table if preview.result is not None else None
    assert isinstance(table, CounterSeries)
    assert table.counts["cycles"].tolist() == [row * 37 % 11 for row in range(9)]
    assert table.counts["misses"].tolist() == [row * 5 % 7 for row in range(9)]


def test_remarks_between_rows_are_listed_and_lose_no_row() -> None:
    rows = [f"{row},{row * 37 % 11},{row * 5 % 7}\n" for row in range(9)]
    preview = inspect([sent("time,cycles,misses\n" + "".join(rows[:3]) + "# turbo off\n# again\n" + "".join(rows[3:]))])
    assert preview.result is not None
    assert len(preview.result.table.counts) == 9  # type: ignore[attr-defined]
    assert [line for line in preview.repairs if "remark" in line] == [
        "lab.csv: a remark between the rows, left out: '# turbo off' (1)", "lab.csv: a remark between the rows, left out: '# again' (1)",
    ]  # fmt: skip


@pytest.mark.parametrize(("name", "second"), [("wall-clock time (min)", 30.0), ("Minuten", 30.0), ("wallclock (s)", 0.5)])
def test_times_are_in_the_unit_of_their_name(name: str, second: float) -> None:
    preview = inspect([sent(f"{name},cycles\n" + "".join(f"{row / 2},{row * 37 % 11}\n" for row in range(9)))])
    assert preview.result is not None
    assert preview.result.table.intervals["time"].iloc[0] == second  # type: ignore[attr-defined]


@pytest.mark.parametrize("key", ["perf_stat_json", "perf_stat_text", "papi_hl", "cluster_cockpit", "otlp_metrics", "ocount"])
def test_notes_beside_the_text_or_json_of_a_tool_are_left_out(key: str) -> None:
    example = [UploadedFile(name, text.encode()) for name, text in format_of(key).example.items()]
    alone, beside = inspect(example), inspect([*example, UploadedFile("notes.txt", b"these are notes\nabout it\n")])
    assert (beside.title, beside.summary, beside.fault) == (alone.title, alone.summary, "")
    assert any("notes.txt: left out" in line for line in beside.repairs)


def test_what_many_files_share_is_told_once() -> None:
    """Five files with a title, decimal commas and a column of text: each is one line, not five."""
    files = [
        UploadedFile(f"m{k}.csv", f"Messung\nzeit;zyklen;notiz\n0,5;{50 + k};x\n1,0;{40 + k};x\n1,5;{60 + k};x\n".encode())
        for k in range(5)
    ]
    found = inspect(files)
    assert found.title == "5 tables of counter series"
    assert found.repairs == (
        "5 files, row 1: above the header, skipped: 'Messung' (5)",
        "5 files: notiz: column left out: it holds text (15)",
        "5 files: commas were read as decimal marks, as in '0,5'.",
    )
    few = inspect(files[:3])
    assert [line for line in few.repairs if "row 1" in line] == [
        f"m{k}.csv, row 1: above the header, skipped: 'Messung' (1)" for k in range(3)
    ]


def test_many_files_are_all_named_and_the_first_fifty_shown() -> None:
    files = [UploadedFile(f"m{k}.csv", b"time,cycles\n1,50\n2,40\n3,60\n") for k in range(52)]
    found = inspect(files)
    assert [part.name for part in found.parts] == [file.name for file in files]
    assert [bool(part.rows) for part in found.parts] == [True] * 50 + [False] * 2
    without = inspect(files, ImportRecipe(leave_out=("m51.csv",)))
    assert "51 runs" in without.summary
    assert [part.name for part in without.parts if not part.used] == ["m51.csv"]


def test_what_a_file_is_alone_does_not_push_out_what_all_are_together(monkeypatch: pytest.MonkeyPatch) -> None:
    files = [UploadedFile(f"m{k}.csv", b"a title\ntime,cycles\n1,50\n2,40\n3,60\n") for k in range(2)]
    looks: list[int] = []
    look = plain_tables._look
    monkeypatch.setattr(plain_tables, "_look", lambda files, *more: looks.append(len(files)) or look(files, *more))
    for some in (files, files[:1], files, files[:1]):
        plain_tables.look_at(some)
    assert looks == [2, 1]


def test_the_readings_of_a_job_are_shown_not_their_statistics() -> None:
    metrics = {
        name: {"node": {"unit": {"base": "B/s"}, "timestep": 60, "series": [
            {"hostname": host, "statistics": {"min": 0, "avg": 5, "max": 9}, "data": list(range(10))} for host in ("e1", "e2")
        ]}}
        for name in ("mem_bw", "net_bw")
    }  # fmt: skip
    meta = {"jobId": 5, "startTime": 1764000000, "subCluster": "main", "resources": []}
    found = inspect([UploadedFile("data.json", json.dumps(metrics).encode()), UploadedFile("meta.json", json.dumps(meta).encode())])
    assert found.recipe is not None
    assert found.recipe.format == "cluster_cockpit"
    lines = [[row[0] for row in part.rows] for part in found.parts]
    assert '"data": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]},' in lines[0]
    assert lines[1] == ["{", '"jobId": 5,', '"startTime": 1764000000,', '"subCluster": "main",', '"resources": []}']


def test_a_table_of_records_in_json_is_shown_as_one() -> None:
    records = [{"run": 1, "cycles": 50, "max": 9}, {"run": 2, "cycles": 40, "max": 8}]
    assert inspect([sent(json.dumps(records), "a.json")]).parts[0].rows[0] == ("run", "cycles", "max")
