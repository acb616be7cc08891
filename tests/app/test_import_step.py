"""Between upload and shelf: what plain tables hold, the roles of their columns, what will be changed, and the recipe that is kept."""

import dataclasses
import json

import pandas as pd
import pytest
import streamlit as st

from hemcore.datasets.importing.recipe import recipe_of
from hemcore.errors import ParameterError
from hemcore.web import shelf
from hemcore.web.data import manage, origin
from hemcore.web.data.row_ranges import rows_of

MARKUP = "<img src=x onerror=alert(1)>"


def spreadsheet(n: int = 40, *, comment: str = "ok", event: str = "misses") -> bytes:
    """A title, a header, a row of units; two runs whose counts rise and fall; a column of text."""
    rows = [f"{run};{10 * at};{1000 + 37 * at % 91};{5 + at % 7};{comment}" for run in (1, 2) for at in range(n)]
    return "\n".join(["My measurements", f"run;time;cycles;{event};comment", ";ms;;;", *rows]).encode()


@pytest.fixture
def says(monkeypatch):
    """Change cells of a row of the columns' table, which AppTest cannot."""

    def said(row: int, **cells: str) -> None:
        def changed(frame: pd.DataFrame, **more: object) -> pd.DataFrame:
            frame = frame.copy()
            for name, value in cells.items():
                frame.loc[row, name] = value
            return frame

        monkeypatch.setattr(st, "data_editor", changed)

    return said


def words(at) -> str:
    return " ".join(each.value.replace("\\", "") for each in (*at.markdown, *at.caption))


def add_button(at):
    return next(each for each in at.button if each.label == "Add to your data")


def test_a_spreadsheet_needs_one_click_and_says_what_it_changes(workbench) -> None:
    at = workbench.choose_files(("sheet.csv", spreadsheet()))
    assert workbench.sentences(at) == []
    told = words(at)
    assert "Recognised: **A table of counter series**" in told
    assert "row 1: above the header, skipped: 'My measurements'" in told
    assert "comment: column left out: it holds text" in told
    assert "The table that results: **1 application, 2 runs, 80 intervals, 2 events, OCOE**" in told
    # Its first rows as they are, from row 1.
    assert at.dataframe[0].value.iloc[0, 0] == "My measurements"
    workbench.put_on_shelf(at)
    (record,) = workbench.records
    table = shelf.table(record.id)
    assert list(table.counts.columns) == ["cycles", "misses"]
    assert table.intervals["run"].unique().tolist() == [1, 2]
    assert [each.name for each in recipe_of(record.recipe).columns if each.role == "event"] == ["cycles", "misses"]


def test_a_column_is_what_the_visitor_says(workbench, says) -> None:
    says(3, Role="ignore")
    at = workbench.choose_files(("sheet.csv", spreadsheet()))
    assert "**1 application, 2 runs, 80 intervals, 1 event, OCOE**" in words(at)
    workbench.put_on_shelf(at)
    (record,) = workbench.records
    assert list(shelf.table(record.id).counts.columns) == ["cycles"]
    assert recipe_of(record.recipe).role_of("misses").role == "ignore"
    # The recipe reads the same files again in a notebook.
    assert json.loads(record.recipe)["columns"][3] == {"name": "misses", "why": "chosen"}


def test_the_roles_of_an_earlier_upload_are_offered_for_its_shape(workbench, says, monkeypatch) -> None:
    editor = st.data_editor
    says(3, Role="ignore")
    workbench.upload(("monday.csv", spreadsheet()))
    monkeypatch.setattr(st, "data_editor", editor)
    at = workbench.choose_files(("tuesday.csv", spreadsheet(30)))
    assert "2 events" in words(at)
    next(each for each in at.button if each.label.startswith("Read it as monday")).click()
    at = workbench.run(at)
    assert "1 event," in words(at)
    workbench.put_on_shelf(at)
    assert [list(shelf.table(record.id).counts.columns) for record in workbench.records] == [["cycles"], ["cycles"]]


def test_two_roles_that_exclude_each_other_are_one_sentence(workbench, says) -> None:
    says(3, Role="run")
    at = workbench.choose_files(("sheet.csv", spreadsheet()))
    (told,) = workbench.sentences(at)
    assert "'run' and 'misses' are both 'run'" in told
    assert add_button(at).disabled
    assert workbench.records == []


def test_a_question_is_answered_by_choosing(workbench) -> None:
    rising = "\n".join(["a title", "time,instructions,misses", *(f"{at},{1000 + 9 * at},{5 + at % 7}" for at in range(60))]).encode()
    at = workbench.choose_files(("rising.csv", rising))
    (told,) = workbench.sentences(at)
    assert "cumulative counters" in told
    assert add_button(at).disabled
    next(each for each in at.selectbox if each.label == "Counters").select("counts")
    at = workbench.run(at)
    assert workbench.sentences(at) == []
    workbench.put_on_shelf(at)
    assert shelf.table(workbench.records[0].id).counts["instructions"].iloc[0] == 1000


def test_what_is_not_certain_is_asked_and_one_click_answers_it(workbench) -> None:
    """Threads go round among counts: read as a count, with a question; its answers leave it out, or settle it."""
    sweep = "threads,cycles,misses\n" + "".join(f"{2 ** (at % 4)},{5000 + 37 * at % 91},{600 + 53 * at % 97}\n" for at in range(12))
    at = workbench.choose_files(("sweep.csv", sweep.encode()))
    (asked,) = [each.value.replace("\\", "") for each in at.warning]
    assert asked == "Check this: 'threads' repeats 4 values in a fixed order (1, 2, 4): is it a setting, or a count?"
    assert not add_button(at).disabled  # a question stops nobody
    next(each for each in at.button if each.label.startswith("A setting")).click()
    at = workbench.run(at)
    assert not at.warning
    assert "2 HEMs" in words(at)
    workbench.put_on_shelf(at)
    assert list(shelf.table(workbench.records[0].id).hems) == ["cycles", "misses"]


def test_clean_files_keep_their_reader_unless_the_visitor_says_more(workbench, says) -> None:
    clean = b"A,B\n5000,6000\n5200,6200\n5100,6300\n"
    at = workbench.choose_files(("clean.csv", clean))
    # As it is, and as its reader gives it with the options on the page.
    assert at.dataframe[0].value.iloc[1].tolist() == ["5000", "6000"]
    assert "The table that results: **1 subexperiment, 2 HEMs, 2 PMCs, 3 runs each**" in words(at)
    at.number_input(key="data.min_mean").set_value(5500.0)
    at = workbench.run(at)
    assert "The table that results: **1 subexperiment, 1 HEM, 2 PMCs, 1 HEM not read, 3 runs each**" in words(at)
    assert "A: HEM left out: its mean is not above the bound" in words(at)
    next(each for each in at.toggle if "rows and columns" in each.label).set_value(True)
    at = workbench.run(at)
    assert "The table that results: **1 subexperiment, 2 HEMs" in words(at)
    says(1, Role="ignore")
    at = workbench.run(at)
    assert "1 HEM," in words(at)


def test_a_note_beside_the_data_is_left_out_with_the_reason_and_not_as_chosen(workbench) -> None:
    at = workbench.choose_files(("sheet.csv", spreadsheet()), ("notes.txt", b"made on node 7\n"))
    (said,) = [line for each in at.markdown for line in each.value.replace("\\", "").splitlines() if "notes.txt: left out" in line]
    assert said == "- notes.txt: left out: it holds no table"


def test_names_in_a_file_are_no_markup(workbench) -> None:
    at = workbench.choose_files(("sheet.csv", spreadsheet(comment=MARKUP, event=MARKUP)))
    assert "<img" not in " ".join(each.value.replace("\\<", "") for each in (*at.markdown, *at.caption))
    workbench.put_on_shelf(at)
    assert list(shelf.table(workbench.records[0].id).counts.columns) == ["cycles", MARKUP]


@pytest.mark.parametrize("low", [False, True])
def test_the_code_under_origin_reads_the_file_to_the_same_table(workbench, says, tmp_path, monkeypatch, low) -> None:
    """With a column that was set aside by hand, or read with another mean bound than the usual one."""
    name, content = ("sheet.csv", spreadsheet()) if not low else ("low.csv", b"cycles,misses\n" + b"5000,3\n" * 40)
    if not low:
        says(3, Role="ignore")
    at = workbench.choose_files((name, content))
    if low:
        at.number_input(key="data.min_mean").set_value(1.0)
        at = workbench.run(at)
    workbench.put_on_shelf(at)
    (record,) = workbench.records
    (tmp_path / name).write_bytes(content)
    monkeypatch.chdir(tmp_path)
    made: dict[str, object] = {}
    exec(origin.reading(record), made)  # noqa: S102
    ours, its = shelf.table(record.id), made["table"]
    of = (lambda table: table.frames[0]) if low else (lambda table: table.counts)
    assert list(of(ours).columns) == (["cycles", "misses"] if low else ["cycles"])
    pd.testing.assert_frame_equal(of(its), of(ours))


def test_rows_to_skip_are_rows_and_ranges(workbench) -> None:
    assert rows_of(" 12, 40-42;7") == (7, 12, 40, 41, 42)
    assert rows_of("") == ()
    for wrong in ("a", "5-", "-5", "9-7", "1-900000"):
        with pytest.raises(ParameterError, match="Rows to skip: '.*' is no row"):
            rows_of(wrong)
    at = workbench.choose_files(("sheet.csv", spreadsheet()))
    next(each for each in at.text_input if each.label == "Rows to skip").set_value("4-13")
    told = words(workbench.run(at))
    assert "70 intervals" in told
    next(each for each in at.text_input if each.label == "Rows to skip").set_value("4-x")
    at = workbench.run(at)
    assert workbench.sentences(at) == ["Rows to skip: '4-x' is no row. Give rows as 12, 40-45."]
    assert add_button(at).disabled  # else all rows would be read


def test_header_and_units_rows_are_shown_as_found_and_can_be_changed(workbench) -> None:
    above = b",Core 0,,Core 1,\ntime,a,b,a,b\ns,1,1,1,1\n"
    groups = above + b"".join(b"%d,%d,7,6,%d\n" % (at, 500 + 37 * at % 91, 60 + 5 * at % 7) for at in range(1, 21))
    at = workbench.choose_files(("groups.csv", groups))

    def number(label: str):
        return next(each for each in at.number_input if each.label == label)

    assert [number(label).value for label in ("Header row", "Header rows", "Units row")] == [1, 2, 3]
    number("Header rows").set_value(1)
    number("Header row").set_value(2)
    at = workbench.run(at)
    assert "called 'a (2)'" in words(at)


def test_a_role_that_was_chosen_stays_where_other_rows_are_chosen(workbench, says, monkeypatch) -> None:
    editor = st.data_editor
    says(3, Role="ignore")
    at = workbench.choose_files(("sheet.csv", spreadsheet()))
    monkeypatch.setattr(st, "data_editor", editor)
    next(each for each in at.text_input if each.label == "Rows to skip").set_value("4-13")
    assert "**1 application, 2 runs, 70 intervals, 1 event, OCOE**" in words(workbench.run(at))


@pytest.mark.parametrize("name", [pytest.param("series-mpx", marks=pytest.mark.long), "subexperiments-hrm", "hems-t2080"])
def test_a_download_reads_back_as_what_it_was(workbench, name) -> None:
    sample = f"sample-{name}"
    at = workbench.choose_files(("download.zip", manage.zipped(sample, "csv")))
    workbench.put_on_shelf(at)
    (record,) = workbench.records
    was, now = shelf.table(sample), shelf.table(record.id)
    assert type(now) is type(was)
    # Its fields alone: what was asked of the sample before is remembered beside them.
    names = [each.name for each in dataclasses.fields(was)]
    for before, after in (((name, getattr(was, name)), (name, getattr(now, name))) for name in names):
        # A truth of further runs, which only samples have, is no part of a download.
        if isinstance(before[1], pd.DataFrame) and before[0] != "truth":
            assert before[1].shape == after[1].shape, before[0]


def test_a_readme_and_a_plan_beside_what_a_tool_wrote_are_left_out(workbench, zip_of) -> None:
    """Two totals of perf, a README and the plan that was downloaded here: one click, as without them."""
    runs = [
        (f"run_{k}.csv", f"{4_000_000 + 900 * k},,cycles,1000,100.00,,\n{6_000_000 + 70 * k},,branches,1000,100.00,,\n") for k in (1, 2)
    ]
    beside = [("README.txt", "how it was measured\n"), ("plan.csv", "subexperiment,HEM 1,HEM 2\n1,cycles,branches\n")]
    at = workbench.choose_files(("night.zip", zip_of([(name, text.encode()) for name, text in [*runs, *beside]])))
    assert workbench.sentences(at) == []
    assert "The table that results: **1 subexperiment, 2 HEMs, 2 PMCs, 2 runs each**" in words(at)
    assert "plan.csv: left out: it holds no data." in words(at)
    workbench.put_on_shelf(at)
    (record,) = workbench.records
    assert list(shelf.table(record.id).hems) == ["cycles", "branches"]


def test_of_many_files_those_that_are_left_out_are_chosen(workbench) -> None:
    """22 files of three rows: one of them is left out; of two files, those that are read are chosen."""
    files = [(f"m{k}.csv", b"a title\ntime,cycles\n1,50\n2,40\n3,60\n") for k in range(22)]
    at = workbench.choose_files(*files)
    assert "22 runs, 66 intervals" in words(at)
    next(each for each in at.multiselect if each.label == "Files and sheets to leave out").select("m21.csv")
    at = workbench.run(at)
    assert "21 runs, 63 intervals" in words(at)
    at = workbench.choose_files(*files[:2])
    assert next(each for each in at.multiselect if "Files and sheets" in each.label).value == ["m0.csv", "m1.csv"]
