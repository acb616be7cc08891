"""The Data page: what it does with good and bad uploads, and what the shelf shows and lets one do."""

import gzip
import io
import json
import zipfile

import numpy as np
import pandas as pd
import pytest

from hemcore import glossary
from hemcore.analysis import Question
from hemcore.datasets import load
from hemcore.datasets.readers import recognition
from hemcore.datasets.readers.formats import FORMATS, ReadOptions
from hemcore.datasets.readers.recognition import read_upload, recognise
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.shelf import samples
from hemcore.datasets.shelf.store import Lineage
from hemcore.datasets.tables import kinds
from hemcore.merge import HrmParams
from hemcore.merge.analysis import HRM
from hemcore.web import shelf
from hemcore.web.data import columns, manage

pytestmark = pytest.mark.detail

MARKUP = "<img src=x onerror=alert(1)>"
FORMULA = "=cmd()"


def one_sentence(workbench, at) -> str:
    """The one error box, which ends as a sentence does; nothing reached the shelf."""
    told = workbench.sentences(at)
    assert len(told) == 1
    assert told[0].endswith((".", "?"))
    assert workbench.records == []
    return told[0]


def tried(workbench, *files):
    """The files chosen, and put on the shelf where the page lets one."""
    at = workbench.choose_files(*files)
    return at if [each for each in at.button if each.label == "Add to your data" and each.disabled] else workbench.put_on_shelf(at)


def labelled(widgets, label):
    """The widget of this label; the keys of some hang on the upload or the dataset."""
    return next(each for each in widgets if each.label == label)


def frame_with(at, column) -> pd.DataFrame:
    """The table on the page that has this column."""
    return next(each.value for each in at.dataframe if column in each.value.columns)


def link_of(at) -> str:
    """What the link calls the open dataset; "" where none is open."""
    return "".join(at.query_params.get("data.opened", ""))


def told_of_deletion(at) -> list[str]:
    """The band that says what was deleted."""
    return [each.value for each in at.markdown if "Deleted" in each.value]


def shelf_button(at):
    return next(each for each in at.button if each.label == "Add to your data")


# Bad uploads: each is told in a sentence that names the file or the place, and nothing is kept.

BAD_FILES = {
    "a picture": (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(100), ["given.csv", "a picture (PNG)"]),
    "marks that prove nothing": (b"A;B\n1,500;2\n", ["given.csv", "line 2", "'A'", "'1,500' may be 1.500 or 1500"]),
    "an old workbook": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), ["given.csv", "a damaged workbook", "save it and send it again"]),
    "prose": (b"Dear reader,\nthis, in short, is not a table.\n", ["given.csv", "not recognised"]),
    "empty": (b"", ["given.csv", "empty"]),
    "blank lines": (b"\n \n\n", ["given.csv", "empty"]),
    "one column": (b"A\n5000\n6000\n", ["given.csv"]),
    "header only": (b"A,B\n", ["given.csv", "no row"]),
    "text in a number column": (b"A,B\n5000,6000\n5100,many\n", ["given.csv", "line 3", "'B'", "'many'"]),
    "a negative count": (b"A,B\n5000,-6000\n5100,70000\n", ["'B'", "-6000"]),
    "unknown codes": (b"X1,X99999,X1.1,X88888\n5000,6000,5100,6100\n5200,6200,5300,6300\n", ["'X99999'", "'X88888'"]),
    "all values missing": (b"A,B\nNA,NA\n,\nNA,NA\n", ["'A'", "complete"]),
    "an all NaN column": (b"A,B,A,C\n5000,6000,5100,\n5200,6200,5300,\n", ["'C'", "complete"]),
    "all zero": (b"A,B\n0,0\n0,0\n", ["mean", "min_mean = 0"]),
    "gzip cut short": (gzip.compress(b"A,B\n5000,6000\n" * 50)[:-12], ["given.csv", "gzip"]),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", BAD_FILES)
def test_bad_file_is_told_in_a_sentence(workbench, case) -> None:
    content, words = BAD_FILES[case]
    told = one_sentence(workbench, tried(workbench, ("given.csv", content)))
    assert [word for word in words if word not in told] == []


def test_n_pmcs_that_does_not_divide_the_columns(workbench, csv_of, readings) -> None:
    at = workbench.choose_files(("four.csv", csv_of(readings(["A", "B", "A", "C"]))))
    at.number_input(key="data.n_pmcs").set_value(3)
    told = one_sentence(workbench, workbench.put_on_shelf(workbench.run(at)))
    assert "3 does not divide the 4 columns" in told
    assert "1, 2, 4" in told


def test_a_hem_twice_in_one_subexperiment(workbench, csv_of, readings) -> None:
    at = workbench.choose_files(("twice.csv", csv_of(readings(["A", "B", "B", "C"]))))
    at.number_input(key="data.n_pmcs").set_value(4)
    told = one_sentence(workbench, workbench.put_on_shelf(workbench.run(at)))
    assert "'B'" in told


def test_duplicate_names_that_divide_are_further_readings(workbench, csv_of, readings) -> None:
    at = workbench.upload(("twice.csv", csv_of(readings(["A", "B", "B", "C"]))))
    assert not at.error
    assert [list(frame.columns) for frame in shelf.table(workbench.records[0].id).frames] == [["A", "B"], ["B", "C"]]


def test_the_format_chosen_over_the_recognised_one_is_told_where_it_does_not_fit(workbench, csv_of, readings) -> None:
    at = workbench.choose_files(("plain.csv", csv_of(readings(["A", "B", "A", "C"]))))
    choice = labelled(at.selectbox, "Format")
    choice.select(next(each for each in choice.options if each.startswith("EAR")))
    assert "plain.csv" in one_sentence(workbench, workbench.put_on_shelf(workbench.run(at)))


# Archives.


@pytest.mark.slow
def test_zip_with_10_000_entries(workbench, zip_of) -> None:
    archive = zip_of([(f"{number}.csv", b"A,B\n5000,6000\n") for number in range(10_000)])
    told = one_sentence(workbench, tried(workbench, ("many.zip", archive)))
    assert "many.zip" in told
    assert "10,000 entries" in told
    assert "1,000" in told


@pytest.mark.long
@pytest.mark.slow
def test_zip_that_unpacks_to_more_than_the_limit(workbench) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive, archive.open("a.csv", "w") as entry:
        for _ in range(10):
            entry.write(bytes(64 << 20))
    assert len(packed.getvalue()) < 8 << 20
    told = one_sentence(workbench, tried(workbench, ("bomb.zip", packed.getvalue())))
    assert "bomb.zip" in told
    assert "512 MiB" in told


@pytest.mark.parametrize("path", ["../../outside.csv", "/etc/outside.csv", "a/../../outside.csv", "C:/outside.csv"])
def test_zip_with_a_path_that_leads_out(workbench, zip_of, tmp_path, path) -> None:
    told = one_sentence(workbench, tried(workbench, ("paths.zip", zip_of([(path, b"A,B\n5000,6000\n")]))))
    assert path in told
    assert not list(tmp_path.rglob("outside.csv"))


@pytest.mark.parametrize("content", [b"PK\x03\x04 and then nothing of the kind", b"PK\x05\x06" + bytes(18)], ids=["damaged", "no entry"])
def test_zip_that_holds_nothing_readable(workbench, content) -> None:
    assert "odd.zip" in one_sentence(workbench, tried(workbench, ("odd.zip", content)))


def test_zip_of_subexperiments_is_one_dataset(workbench, zip_of, csv_of, readings) -> None:
    files = [(f"run/{name}.csv", csv_of(readings(["A", name]))) for name in "BCD"]
    at = workbench.upload(("three.zip", zip_of(files)))
    assert not at.error
    (record,) = workbench.records
    assert shelf.table(record.id).labels == ("B.csv", "C.csv", "D.csv")
    assert shelf.table(record.id).hems == ["A", "B", "C", "D"]


def test_files_that_come_in_any_order_are_one_dataset(workbench) -> None:
    """As those of a folder that is dropped do: by their numbers, so that the same folder is not added twice."""
    files = [(f"run {run}.csv", f"time,cycles,misses\n1,{run},3\n2,{run},4\n".encode()) for run in (10, 9)]
    at = workbench.choose_files(*files)
    assert [each.value for each in at.text_input if each.label == "Name"] == ["run 9.csv"]
    workbench.put_on_shelf(at)
    (record,) = workbench.records
    assert shelf.store().load(record.id).counts["cycles"].tolist() == [9, 9, 10, 10]
    at = workbench.put_on_shelf(workbench.choose_files(*reversed(files)))
    assert any("Nothing was added" in each.value for each in at.info)


def test_a_folder_is_chosen_like_files_and_named_after_itself(workbench) -> None:
    at = workbench.open("data")
    at.toggle(key="data.folder").set_value(True)
    at = workbench.run(at)
    assert at.file_uploader(key="data.upload-folder").accept_directory
    for name, cycles in (("night/run 10.csv", 10), ("night/run 9.csv", 9), ("night/.DS_Store", 0)):
        at.file_uploader(key="data.upload-folder").upload(name, f"time,cycles,misses\n1,{cycles},3\n2,{cycles},4\n".encode())
    at = workbench.run(at)
    assert [each.value for each in at.text_input if each.label == "Name"] == ["night"]
    workbench.put_on_shelf(at)
    (record,) = workbench.records
    assert shelf.store().load(record.id).counts["cycles"].tolist() == [9, 9, 10, 10]


def test_files_of_one_name_in_several_folders_are_all_kept(workbench, zip_of, csv_of, readings) -> None:
    files = [(f"run_{name}/counters.csv", csv_of(readings(["A", name]))) for name in "BCD"]
    at = workbench.upload(("folders.zip", zip_of(files)))
    if at.error:
        assert "counters.csv" in one_sentence(workbench, at)  # refusing them is fair, losing two of three is not
    else:
        assert shelf.table(workbench.records[0].id).hems == ["A", "B", "C", "D"]


def test_of_several_files_the_bad_one_is_named(workbench, csv_of, readings) -> None:
    at = workbench.choose_files(("good.csv", csv_of(readings(["A", "B"]))), ("empty.csv", b""))
    assert "empty.csv" in one_sentence(workbench, at)


# Odd but good uploads.


def test_names_that_would_be_markup_or_a_formula_stay_text(workbench, csv_of, readings) -> None:
    at = workbench.upload((f"{MARKUP}.csv", csv_of(readings([MARKUP, FORMULA, "**bold**"]))))
    assert not at.error
    (record,) = workbench.records
    assert record.name == f"{MARKUP}.csv"
    assert shelf.table(record.id).hems == [MARKUP, FORMULA, "**bold**"]
    shown = [each.value for kind in (at.subheader, at.caption, at.markdown, at.toast) for each in kind]
    assert [text for text in shown if MARKUP in text] == []  # wherever it is written as markdown, it is escaped
    assert workbench.read(at.subheader[0].value) == f"{MARKUP}.csv"


def test_error_sentences_quote_markup_escaped(workbench) -> None:
    at = workbench.upload((f"{MARKUP}.csv", f"A,{MARKUP}\n5000,{MARKUP}\n".encode()))
    assert MARKUP not in at.error[0].value
    assert MARKUP in workbench.sentences(at)[0]


@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_one_row(workbench, csv_of, readings, suffix) -> None:
    content = csv_of(readings(["A", "B", "A", "C"], runs=1))
    at = workbench.upload((f"row.csv{suffix}", gzip.compress(content) if suffix else content))
    assert not at.error
    assert "1 run" in workbench.records[0].shape


def test_a_constant_hem_is_kept(workbench, csv_of, readings) -> None:
    at = workbench.upload(("constant.csv", csv_of([("A", [5000] * 40), *readings(["B", "C"])])))
    assert not at.error
    assert shelf.table(workbench.records[0].id).hems == ["A", "B", "C"]


@pytest.mark.long
@pytest.mark.slow
def test_200_000_rows_of_12_columns(workbench, csv_of, readings) -> None:
    at = workbench.upload(("large.csv", csv_of(readings(list("ABCDEFAGHIJK"), runs=200_000))))
    assert not at.error
    assert "200,000 runs" in workbench.records[0].shape
    assert "2 subexperiments, 11 HEMs" in workbench.records[0].shape
    preview = workbench.in_tab(at, "Preview").dataframe[0].value
    assert len(preview) <= 1_000  # the browser is sent a part
    assert any("200,000" in each.value for each in workbench.in_tab(at, "Preview").caption)


# What an upload shows before and after it is put on the shelf.


def test_the_recognised_format_is_shown_and_can_be_overridden(workbench, csv_of, readings) -> None:
    at = workbench.choose_files(("four.csv", csv_of(readings(["A", "B", "A", "C"]))))
    assert any(each.value.startswith("Recognised: **subexperiments side by side") for each in at.markdown)
    assert any("2 group" in each.value and "2 columns" in each.value for each in at.caption)
    assert len(labelled(at.selectbox, "Format").options) == 1 + len(FORMATS)
    assert workbench.records == []  # choosing files keeps nothing yet


def test_n_pmcs_of_the_form_is_used(workbench, csv_of, readings) -> None:
    at = workbench.choose_files(("four.csv", csv_of(readings(["A", "B", "C", "D"]))))
    at.number_input(key="data.n_pmcs").set_value(2)
    workbench.put_on_shelf(workbench.run(at))
    assert workbench.records[0].shape.startswith("2 subexperiments, 4 HEMs, 2 PMCs")


def test_the_same_upload_twice_is_one_dataset(workbench, csv_of, readings) -> None:
    content = csv_of(readings(["A", "B", "A", "C"]))
    for _ in range(2):
        workbench.upload(("same.csv", content))
    assert len(workbench.records) == 1


def test_the_upload_form_says_what_its_fields_say(workbench, csv_of, readings) -> None:
    at = workbench.choose_files(("four.csv", csv_of(readings(["A", "B"]))))
    for name, bounds in {"n_pmcs": (1, 1_000), "min_mean": (0, 1e15)}.items():
        field, widget = ReadOptions.model_fields[name], at.number_input(key=f"data.{name}")
        assert widget.label.startswith(field.title)
        assert widget.help == field.description
        assert (widget.min, widget.max) == bounds
        assert widget.value == field.default


MIXED = {
    "a picture": (("photo.png", b"\x89PNG\r\n\x1a\n\x00"), "", ""),
    "an empty file": (("none.csv", b""), "none.csv: the file is empty", "Leave out none.csv"),
    "perf": (("perf.csv", b"0.500000000,100,,cycles,500,100.00,,\n"), "perf.csv is perf stat -x (CSV)", "upload them separately"),
}


@pytest.mark.parametrize("case", MIXED)
@pytest.mark.parametrize(("name", "content"), [("events_raw.data", "LOG"), ("wide.csv", "WIDE")])
def test_files_that_do_not_belong_together_are_told_before_the_button(workbench, name, content, case) -> None:
    other, said, remedy = MIXED[case]
    at = workbench.choose_files((name, globals()[content]), other)
    if case == "a picture":  # documents are left out and listed
        assert not shelf_button(at).disabled
        return
    told = one_sentence(workbench, at)
    assert said in told
    assert f"{name} is " in told
    assert remedy in told
    assert shelf_button(at).disabled
    assert not [each for each in at.markdown if each.value.startswith("Recognised")]


def test_the_reader_of_a_chosen_format_says_why_not_before_anything_is_added(workbench) -> None:
    at = workbench.choose_files(("events_raw.data", LOG), ("photo.png", b"\x89PNG\x00"))
    choice = labelled(at.selectbox, "Format")
    choice.select(next(each for each in choice.options if each.startswith("Cortex")))
    at = workbench.run(at)
    assert "photo.png: not a file of the Cortex-A15 logger" in one_sentence(workbench, at)
    assert shelf_button(at).disabled


def test_the_panel_is_empty_after_an_upload(workbench, csv_of, readings) -> None:
    at = workbench.upload(("first.csv", csv_of(readings(["A", "B"]))))
    assert [each.value for each in at.toast] == ["Added to your data: first\\.csv"]
    assert at.file_uploader(key="data.upload-1").value == []
    assert not [each for each in at.button if each.label == "Add to your data"]
    at.file_uploader(key="data.upload-1").upload("second.csv", csv_of(readings(["C", "D"])))
    at = workbench.run(at)
    assert not at.toast
    assert labelled(at.text_input, "Name").value == "second.csv"
    at = workbench.put_on_shelf(at)
    assert sorted(record.source_names for record in workbench.records) == [("first.csv",), ("second.csv",)]
    assert workbench.read(at.subheader[0].value) == "second.csv"
    assert at.file_uploader(key="data.upload-2").value == []


def test_an_upload_that_fails_keeps_its_files(workbench) -> None:
    at = workbench.upload(("broken.csv", b"A,B\n5000,many\n"))
    assert len(at.file_uploader(key="data.upload").value) == 1
    assert shelf_button(at).disabled
    assert next(each.value for each in at.markdown if each.value.startswith(("Recognised", "Looks like"))).startswith("Looks like")


def test_the_same_content_again_is_said_with_the_name_it_has(workbench, csv_of, readings) -> None:
    content = csv_of(readings(["A", "B"]))
    workbench.stored(("first.csv", content), name="Mine *already*")
    at = workbench.upload(("again.csv", content))
    assert not at.toast
    told = [workbench.read(each.value) for each in at.info]
    assert told == ["Nothing was added: these files are already your dataset Mine *already*."]
    assert [record.name for record in workbench.records] == ["Mine *already*"]
    assert workbench.read(at.subheader[0].value) == "Mine *already*"
    assert not workbench.run(at).info  # said once


def test_the_form_does_not_outlive_a_wrong_file(workbench, csv_of, readings) -> None:
    at = workbench.upload(("broken.csv", b"A,B\n5000,many\n"))
    assert at.error
    at = workbench.upload(("good.csv", csv_of(readings(["A", "B"]))))
    assert not at.error


# Series.

WIDE = b"time,phase,cycles,instructions\n0.5,init,100,\n1.0,init,110,40\n1.5,main,90,60\n"
PERF = b"""     0.500000000,100,,cycles,500,100.00,,
     0.500000000,50,,instructions,250,50.00,,
     1.000000000,110,,cycles,500,100.00,,
     1.000000000,40,,instructions,250,50.00,,
"""
LOG = b"Start:\t1000\nEvent 1 Label:\tCPU_CYCLES\t\tRAW Identifier:\tcycles\n     0.5\t100\tcycles\n     1.0\t<not counted>\tcycles\n"
RAW = "time,cycles\n" + "".join(f"{time},{value}\n" for time, value in enumerate([2**48 - 9, 3, 9, 10, 20, 30, 44, 51, 60, 66]))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "content", "title", "holds"),
    [
        ("wide.csv", WIDE, "series in CSV, one column per event", "1 application, 1 run, 3 intervals, 2 events, OCOE"),
        ("raw.csv", RAW.encode(), "series in CSV, cumulative counters", "1 application, 1 run, 9 intervals, 1 event, OCOE"),
        ("perf.csv", PERF, "perf stat", "1 application, 1 run, 2 intervals, 2 events, MPX"),
        ("events_raw.data", LOG, "Cortex-A15 event logs", "1 application, 1 run, 2 intervals, 1 event, OCOE"),
    ],
)
def test_a_series_is_recognised_and_put_on_the_shelf(workbench, name, content, title, holds) -> None:
    at = workbench.choose_files((name, content))
    recognised = [workbench.read(each.value) for each in at.markdown if each.value.startswith("Recognised")]
    assert len(recognised) == 1
    assert recognised[0].startswith(f"Recognised: **{title}")
    at = workbench.put_on_shelf(at)
    assert not at.error
    row = workbench.shelf_rows(at).iloc[0]
    assert (row["Name"], row["Kind"], row["Holds"]) == (name, "counter series", holds)


def test_the_preview_of_a_series_shows_intervals_and_counts(workbench) -> None:
    at = workbench.upload(("wide.csv", WIDE))
    preview = workbench.in_tab(at, "Preview").dataframe[0].value
    assert list(preview.columns) == ["application", "run", "interval", "time", "stage", "cycles", "instructions"]
    assert preview["stage"].tolist() == ["init", "init", "main"]
    assert preview["instructions"].isna().tolist() == [True, False, False]
    columns = workbench.in_tab(at, "Columns").dataframe[0].value.set_index("column")
    assert columns.loc["instructions", ["measured", "missing"]].tolist() == [2, 1]


@pytest.mark.long
def test_how_a_kept_series_was_counted_can_be_chosen(workbench) -> None:
    at = workbench.upload(("full.csv", b"time,cycles,instructions\n1,10,5\n2,11,6\n3,10,5\n4,12,6\n"))
    (choice,) = [each for each in at.radio if each.key.startswith("data.counted-")]
    assert choice.value == "All the time (OCOE)"
    choice.set_value("In turns (MPX)")
    workbench.run(at)
    (share,) = [each for each in at.number_input if each.key.startswith("data.share-")]
    share.set_value(25.0)
    at.button(key="data.counted").click()
    workbench.run(at)
    rows = workbench.shelf_rows(at)
    assert rows["Name"].tolist()[:2] == ["full.csv, counted in turns", "full.csv"]
    assert rows["Holds"].iloc[0].endswith("MPX")
    assert rows["Holds"].iloc[1].endswith("OCOE")


def test_a_dataset_leads_to_every_page_of_its_kind(workbench, csv_of, readings) -> None:
    for content, pages in [
        (WIDE, {"metrics", "segmentation"}),  # counted all the time: nothing is hidden
        (csv_of(readings(["instructions", "cycles"])), {"merge", "metrics"}),
        (csv_of(readings(["A", "B"])), {"merge"}),
    ]:
        at = workbench.upload(("mine.csv", content))
        links = [link.proto.page for link in at.page_link]
        assert set(links) == pages
        lacking = [each for each in at.caption if "No definitions fit these events" in each.value]
        assert len(lacking) == ("metrics" not in pages)
        assert all(workbench.query_of(link)["dataset"].startswith("mine.csv") for link in at.page_link)


def test_the_repairs_and_notes_of_a_series_are_shown(workbench) -> None:
    tab = workbench.in_tab(workbench.upload(("raw.csv", RAW.encode())), "Repairs")
    repairs = tab.dataframe[0].value
    assert repairs["what"].tolist() == ["wrapped, 2**48 added"]
    assert repairs["value"].tolist() == [3]
    tab = workbench.in_tab(workbench.upload(("events_raw.data", LOG)), "Repairs")
    assert tab.dataframe[0].value["what"].tolist() == ["not counted"]
    assert any("no benchmarks.data" in workbench.read(each.value) for each in tab.caption)


def test_runs_in_folders_of_an_archive_are_one_series(workbench, zip_of) -> None:
    at = workbench.upload(("runs.zip", zip_of([(f"list_1/Run_{run}/events_raw.data", LOG) for run in (1, 2)])))
    assert not at.error
    table = shelf.table(workbench.records[0].id)
    assert {name: table.runs(name) for name in table.applications} == {"list_1": [1, 2]}


@pytest.mark.parametrize("content", [WIDE, PERF])
def test_the_options_of_subexperiments_are_not_offered_for_a_series(workbench, csv_of, readings, content) -> None:
    at = workbench.choose_files(("series.csv", content))
    assert not at.number_input
    choice = labelled(at.selectbox, "Format")
    choice.select(next(each for each in choice.options if each.startswith("subexperiments side by side")))
    assert [each.key for each in workbench.run(at).number_input] == ["data.n_pmcs", "data.min_mean"]
    at = workbench.choose_files(("sub.csv", csv_of(readings(["A", "B"]))))
    assert [each.key for each in at.number_input] == ["data.n_pmcs", "data.min_mean"]


def test_a_wrong_cell_of_a_series_is_told_by_line_and_column(workbench) -> None:
    told = one_sentence(workbench, tried(workbench, ("wide.csv", WIDE.replace(b"110", b"-110"))))
    assert "wide.csv: line 3, column 'cycles': -110 must be at least 0" in told
    assert "cumulative" in told


# The shelf.


def test_the_shelf_lists_uploads_before_samples(workbench, csv_of, readings) -> None:
    workbench.stored(("mine.csv", csv_of(readings(["A", "B", "A", "C"]))), name="Mine")
    mine, bundled = workbench.lists(workbench.open("data")).values()
    assert list(mine["Name"]) == ["Mine"]
    assert list(mine["From"]) == ["mine.csv"]
    assert mine["Holds"][0].startswith("2 subexperiments, 3 HEMs, 2 PMCs, 40 runs")
    assert list(bundled["Name"]) == [samples.title(name) for name in samples.names()]
    assert (bundled["Holds"] != "").all()


def test_without_a_choice_the_page_says_what_to_do(workbench) -> None:
    at = workbench.open("data")
    assert not at.tabs
    assert "Click a row" in at.info[0].value


@pytest.mark.sweep(of=3)
@pytest.mark.slow
@pytest.mark.parametrize("name", samples.names())
def test_every_sample_opens_from_the_shelf(workbench, name) -> None:
    at = workbench.select(workbench.open("data"), samples.title(name))
    assert workbench.read(at.subheader[0].value) == samples.title(name)
    assert workbench.tabs(at) == ["Columns", "Preview", "Repairs", "Origin"]
    assert len(workbench.in_tab(at, "Preview").dataframe[0].value) > 0
    assert len(workbench.in_tab(at, "Columns").dataframe[0].value) > 0
    assert not [each for each in at.button if each.key in ("data.rename", "data.delete")]  # bundled samples stay as they are


@pytest.mark.slow
def test_an_upload_survives_a_new_visit_and_a_new_server(workbench, csv_of, readings) -> None:
    workbench.upload(("kept.csv", csv_of(readings(["A", "B"]))))
    shelf.opened_store.cache_clear()
    for cached in (shelf.loaded_table, shelf.known_shape):
        cached.clear()
    at = workbench.select(workbench.open("data"), "kept.csv")
    assert workbench.read(at.subheader[0].value) == "kept.csv"


def test_preview_and_columns_show_the_readings(workbench, csv_of) -> None:
    at = workbench.upload(("small.csv", csv_of([("A", [200, 400, 600]), ("B", [1000, 3000, 8000])])))
    preview = workbench.in_tab(at, "Preview").dataframe[0].value
    assert preview["A"].tolist() == [200, 400, 600]
    columns = workbench.in_tab(at, "Columns").dataframe[0].value.set_index("column")
    assert columns.loc["B", ["measured", "missing", "least", "median", "mean", "largest"]].tolist() == [3, 0, 1000, 3000, 4000, 8000]
    assert columns.loc["A", "CoV %"] == pytest.approx(50.0)


def test_the_preview_goes_through_every_subexperiment(workbench, csv_of, readings) -> None:
    at = workbench.upload(("a.csv", csv_of(readings(["A", "B"]))), ("c.csv", csv_of(readings(["A", "C"], runs=25))))
    labelled(at.selectbox, "Part").select("c.csv")
    workbench.run(at)
    preview = workbench.in_tab(at, "Preview").dataframe[0].value
    assert list(preview.columns) == ["A", "C"]
    assert len(preview) == 25


def test_repairs_list_what_was_left_out(workbench, csv_of) -> None:
    full = np.arange(5000, 5010)
    gaps = full.astype(float)
    gaps[[2, 7]] = np.nan
    at = workbench.choose_files(("gaps.csv", csv_of([("A", full), ("B", gaps), ("A", full), ("LOW", np.full(10, 40))])))
    at.number_input(key="data.min_mean").set_value(100.0)
    at = workbench.put_on_shelf(workbench.run(at))
    repairs = workbench.in_tab(at, "Repairs").dataframe[0].value
    assert repairs["where"].tolist() == ["subexperiment 1", "subexperiment 2"]
    assert repairs["rows"].tolist() == [2, 10]
    assert "missing value" in repairs["what"][0]
    assert "LOW" in repairs.iloc[1].tolist()
    assert repairs.loc[1, ["value", "bound"]].tolist() == [40, 100]
    assert [len(frame) for frame in shelf.table(workbench.records[0].id).frames] == [8, 10]


def test_a_low_hem_is_kept_and_the_mean_bound_of_the_form_drops_it(workbench, csv_of) -> None:
    at = workbench.choose_files(("low.csv", csv_of([("A", [5000, 6000]), ("LOW", [40, 41])])))
    at.number_input(key="data.min_mean").set_value(100.0)
    at = workbench.run(at)
    assert any("1 of 2 HEMs left out, because their mean is at most 100" in each.value for each in at.markdown)
    at.number_input(key="data.min_mean").set_value(0.0)
    at = workbench.put_on_shelf(workbench.run(at))
    assert shelf.table(workbench.records[0].id).hems == ["A", "LOW"]
    assert not workbench.in_tab(at, "Repairs").dataframe
    assert any("Nothing was repaired" in each.value for each in workbench.in_tab(at, "Repairs").markdown)


def test_a_first_column_of_row_numbers_is_noted(workbench) -> None:
    at = workbench.upload(("numbered.csv", b",A,B\n1,5000,6000\n2,5100,6200\n"))
    assert shelf.table(workbench.records[0].id).hems == ["A", "B"]
    assert any("row numbers" in each.value for each in workbench.in_tab(at, "Repairs").caption)


def test_rename(workbench, csv_of, readings) -> None:
    at = workbench.upload(("before.csv", csv_of(readings(["A", "B"]))))
    id = workbench.records[0].id
    at.text_input(key=f"data.new-name-{id}").set_value("After the rename")
    workbench.run(at)
    at.button(key="data.rename").click()
    workbench.run(at)
    assert [record.name for record in workbench.records] == ["After the rename"]
    assert workbench.shelf_rows(at)["Name"][0] == "After the rename"
    assert workbench.records[0].source_names == ("before.csv",)


def test_a_name_of_spaces_cannot_be_given(workbench, csv_of, readings) -> None:
    at = workbench.upload(("before.csv", csv_of(readings(["A", "B"]))))
    id = workbench.records[0].id
    at.text_input(key=f"data.new-name-{id}").set_value("   ")
    workbench.run(at)
    assert at.button(key="data.rename").disabled


def test_delete_can_be_undone_after_a_refresh_too_until_the_next_action(workbench, csv_of, readings) -> None:
    entry = workbench.stored(("gone.csv", csv_of(readings(["A", "B"]))), name="Gone *soon*")
    at = workbench.open("data", {"opened": entry.id})
    at.button(key="data.delete").click()
    workbench.run(at)
    assert workbench.records == []
    assert "Gone *soon*" not in list(workbench.shelf_rows(at)["Name"])
    assert not at.tabs
    assert "Gone *soon*" in workbench.read(told_of_deletion(at)[0])
    refreshed = workbench.open("data", {"opened": link_of(at)})
    assert told_of_deletion(refreshed) == told_of_deletion(at)
    refreshed.button(key="data.restore").click()
    workbench.run(refreshed)
    assert [record.name for record in workbench.records] == ["Gone *soon*"]
    assert workbench.read(refreshed.subheader[0].value) == "Gone *soon*"
    assert not told_of_deletion(refreshed)
    refreshed.button(key="data.delete").click()
    at = workbench.select(workbench.run(refreshed), samples.title(samples.names()[0]))
    assert not told_of_deletion(at)


# Two tabs, and disks that were tampered with.


def test_a_row_that_another_tab_deleted_meanwhile(workbench, second_store, csv_of, readings) -> None:
    workbench.stored(("mine.csv", csv_of(readings(["A", "B"]))))
    at = workbench.select(workbench.open("data"), samples.title(samples.names()[-1]))
    second_store.delete(workbench.records[0].id)
    workbench.run(at)


def test_what_was_just_uploaded_is_shown_whatever_row_was_clicked_before(workbench, csv_of, readings) -> None:
    at = workbench.select(workbench.open("data"), samples.title("subexperiments-much"))
    at.file_uploader(key="data.upload").upload("new.csv", csv_of(readings(["A", "B"])))
    at = workbench.put_on_shelf(workbench.run(at))
    assert workbench.read(at.subheader[0].value) == "new.csv"


def test_an_upload_does_not_change_which_dataset_is_open(workbench, second_store, csv_of, readings) -> None:
    title = samples.title("subexperiments-much")
    at = workbench.select(workbench.open("data"), title)
    workbench.stored(("elsewhere.csv", csv_of(readings(["A", "B"]))))
    assert workbench.read(workbench.run(at).subheader[0].value) == title


def test_damaged_files_are_told_and_can_be_deleted(workbench, data_dir, csv_of, readings) -> None:
    entry = workbench.stored(("hurt.csv", csv_of(readings(["A", "B"]))))
    (data_dir / "datasets" / entry.id / "0000.parquet").write_bytes(b"not parquet")
    at = workbench.select(workbench.open("data"), "hurt.csv")
    assert "Delete it and upload it again" in workbench.sentences(at)[0]
    assert [each for each in at.button if each.key == "data.delete"]  # the remedy can be followed


def test_a_damaged_record_is_told_and_mended_by_uploading_again(workbench, data_dir, csv_of, readings) -> None:
    content = csv_of(readings(["A", "B"]))
    entry = workbench.stored(("hurt.csv", content))
    (data_dir / "datasets" / entry.id / "record.json").write_text("{")
    at = workbench.open("data")
    assert entry.id[:8] in workbench.sentences(at)[0]
    at = workbench.upload(("hurt.csv", content))
    assert not at.error
    assert [record.id for record in workbench.records] == [entry.id]


def test_a_missing_list_of_repairs_is_told(workbench, data_dir, csv_of, readings) -> None:
    entry = workbench.stored(("hurt.csv", csv_of(readings(["A", "B"]))))
    (data_dir / "datasets" / entry.id / "repairs.parquet").unlink()
    at = workbench.select(workbench.open("data"), "hurt.csv")
    workbench.in_tab(at, "Repairs")
    assert "repairs is damaged" in workbench.sentences(at)[0]


# Links, names, lineage, pictures of columns.


@pytest.mark.slow
def test_a_link_opens_the_dataset_and_a_click_changes_the_link(workbench, csv_of, readings) -> None:
    entry = workbench.stored(("mine.csv", csv_of(readings(["A", "B"]))))
    at = workbench.open("data", {"opened": entry.id[:16]})
    assert workbench.read(at.subheader[0].value) == "mine.csv"
    title = samples.title("series-ocoe")
    at = workbench.select(at, title)
    assert workbench.read(at.subheader[0].value) == title
    assert link_of(at) == "sample-series-ocoe"
    del at.query_params["data.opened"]  # the browser's Back to where nothing was open
    assert not workbench.run(at).subheader
    assert link_of(at) == ""


def test_a_link_to_what_is_not_here_is_told(workbench) -> None:
    at = workbench.open("data", {"opened": MARKUP})
    assert MARKUP in workbench.sentences(at)[0]
    assert MARKUP not in at.error[0].value


def test_names_that_are_the_same_are_told_apart(workbench, csv_of, readings) -> None:
    for seed in (1, 2):
        workbench.stored(("x.csv", csv_of(readings(["A", "B"], seed=seed))), name="Twice")
    workbench.stored(("x.csv", csv_of(readings(["A", "B"], seed=3))), name="Once")
    names = list(workbench.shelf_rows(workbench.open("data"))["Name"][:3])
    assert len(set(names)) == 3
    assert sum(name.startswith("Twice · ") for name in names) == 2
    assert "Once" in names


@pytest.fixture
def kept(workbench):
    """A merged table of a sample, kept as the Merge page keeps it, and asked for to be opened."""
    question = Question(analysis=HRM, dataset="sample-subexperiments-hrm", params=HrmParams())
    (keeps,) = HRM.keeps
    table = load(question.dataset)
    said = question.to_dict()
    lineage = Lineage(
        parent=question.dataset, parent_name="before", analysis=said["analysis"], params=said["params"], version="9.9", gives=keeps.name
    )
    return shelf.store().keep(keeps.make(question.answer(table), table), name="Merged", lineage=lineage)


def test_a_kept_dataset_tells_where_it_comes_from_and_how_it_is_made_again(workbench, kept) -> None:
    at = workbench.open("data")
    parent = samples.title("subexperiments-hrm")
    assert workbench.shelf_rows(at)["From"][0] == f"kept from {parent} by HRM merge"
    at.session_state["data:opened"] = kept.id  # what Keep on another page leaves
    tab = workbench.in_tab(at, "Origin")
    assert workbench.read(at.subheader[0].value) == "Merged"
    assert frame_with(at, "Parameter")["Parameter"].tolist() == ["Anchor HEM"]
    assert any("9.9" in workbench.read(each.value) for each in tab.caption)
    assert kept.id in [each.value for each in tab.code]
    made: dict = {}
    exec(next(each.value for each in tab.code if each.language == "python"), made)  # noqa: S102
    pd.testing.assert_frame_equal(made["kept"].frame, shelf.table(kept.id).frame)
    at.button(key="data.parent").click()
    assert workbench.read(workbench.run(at).subheader[0].value) == parent
    assert link_of(at) == "sample-subexperiments-hrm"


def test_each_column_has_a_picture_a_meaning_and_digits_that_tell(workbench) -> None:
    rows = "".join(f"{place},{1000 + place / 7},{'' if place < 5 else 0.000123456789},\n" for place in range(90))
    entry = workbench.stored(("x.csv", f"time,cycles,tiny,nothing\n{rows}".encode()))
    at = workbench.open("data", {"opened": entry.id})
    table = at.tabs[0].dataframe[0].value.set_index("column")
    assert len(table.loc["cycles", "picture"]) == 60
    assert table.loc["cycles", "meaning"] == glossary.define("cycles")
    assert table.loc["tiny", "mean"] == pytest.approx(0.00012346, rel=1e-9)
    columns = json.loads(at.tabs[0].dataframe[0].proto.columns)
    assert columns["mean"]["type_config"]["format"] == "%.15g"  # as the reader's language writes it, it would be 0
    assert columns["measured"]["type_config"]["format"] == "localized"
    assert len(table.loc["nothing", "picture"]) == 0
    assert len(workbench.pictures(at.tabs[0])) == 1  # where values are missing


@pytest.mark.long
@pytest.mark.slow
def test_of_very_many_columns_a_part_is_shown_and_said(workbench) -> None:
    names = [f"event_{number}" for number in range(700)]
    content = "\n".join([",".join(["time", *names]), *(",".join([str(time), *["500"] * 700]) for time in (1, 2))])
    entry = workbench.stored(("wide.csv", content.encode()))
    at = workbench.open("data", {"opened": entry.id})
    assert len(at.tabs[0].dataframe[0].value) == columns.COLUMNS_SHOWN
    assert any("300 of 703 columns are shown" in workbench.read(each.value) for each in at.tabs[0].caption)
    at.text_input(key="data.wanted").set_value("event_699")
    assert workbench.run(at).tabs[0].dataframe[0].value["column"].tolist() == ["event_699"]
    assert workbench.in_tab(at, "Preview").dataframe[0].value.shape[1] == columns.COLUMNS_SHOWN


def test_a_download_comes_in_again_as_the_same_readings(workbench, csv_of, readings) -> None:
    files = [(f"{name}.csv", csv_of(readings(["A", name]))) for name in "BCD"]
    entry = workbench.stored(*files)
    again = workbench.stored(("down.zip", manage.zipped(entry.id, "csv")))
    before, after = shelf.table(entry.id), shelf.table(again.id)
    assert after.labels == before.labels
    for one, other in zip(before.frames, after.frames, strict=True):
        pd.testing.assert_frame_equal(one, other)
    with zipfile.ZipFile(io.BytesIO(manage.zipped(entry.id, "parquet"))) as archive:
        assert archive.namelist() == ["dataset.json", "B.parquet", "C.parquet", "D.parquet"]


def test_an_upload_is_looked_into_once_and_each_file_is_listed(workbench, csv_of, readings, monkeypatch) -> None:
    calls = []
    for name in ("recognise", "expand"):
        once = getattr(recognition, name)
        monkeypatch.setattr(
            recognition, name, lambda *given, name=name, once=once, **further: calls.append(name) or once(*given, **further)
        )
    at = workbench.choose_files(("wide.csv", WIDE), ("more.csv", WIDE.replace(b"100", b"105")))
    assert calls == ["expand", "recognise"]
    assert frame_with(at, "File")["File"].tolist() == ["more.csv", "wide.csv"], "in the order of their names"
    assert frame_with(at, "By itself")["By itself"].str.contains("series").all()
    workbench.run(workbench.run(at))
    held = [value for value in at.session_state._state.filtered_state.values() if isinstance(value, bytes) or WIDE.decode() in str(value)]
    assert held == []
    workbench.put_on_shelf(at)
    assert [record.name for record in workbench.records] == ["more.csv"]
    assert calls == ["expand", "recognise"]


@pytest.mark.slow
@pytest.mark.parametrize("each", FORMATS, ids=lambda each: each.key)
def test_every_example_is_recognised_as_its_format_and_read(each) -> None:
    files = [UploadedFile(name, text.encode()) for name, text in each.example.items()]
    assert files
    assert recognise(files)[0].key == each.key
    result = read_upload(files)
    assert kinds.kind_of(result.table).name == each.kind


def test_the_page_shows_the_example_of_each_format(workbench) -> None:
    at = workbench.open("data")
    assert at.selectbox(key="data.example").options == [each.title for each in FORMATS]
    assert [each.value for each in at.code] == [text.strip() for text in FORMATS[0].example.values()]


@pytest.mark.parametrize(("value", "shown"), [(123456.789, 123457), (1.2345678, 1.2346), (0.00012345678, 0.00012346), (0, 0)])
def test_statistics_have_five_significant_digits_and_whole_digits_in_full(value: float, shown: float) -> None:
    assert columns._telling(value) == shown


# Real readings.


@pytest.mark.slow
@pytest.mark.parametrize(("name", "subexperiments"), [("t2080_hrm_raw.csv", 3), ("t2080_much_raw.csv", 24)])
def test_t2080_readings_are_recognised(workbench, t2080, name, subexperiments) -> None:
    at = workbench.upload((name, (t2080 / name).read_bytes()))
    assert not at.error
    table = shelf.table(workbench.records[0].id)
    r = pd.read_csv(t2080 / "r_hrm_merged_PROCESSOR_CYCLES.csv", nrows=1)
    assert (len(table.frames), table.n_pmcs) == (subexperiments, 6)
    assert sorted(table.hems) == sorted(r.columns)


@pytest.mark.slow
def test_t2080_with_a_high_bound_lists_every_column_left_out(workbench, t2080) -> None:
    raw = t2080 / "t2080_hrm_raw.csv"
    at = workbench.choose_files((raw.name, raw.read_bytes()))
    at.number_input(key="data.min_mean").set_value(100_000.0)
    at = workbench.put_on_shelf(workbench.run(at))
    means = pd.read_csv(raw).mean()
    repairs = workbench.in_tab(at, "Repairs").dataframe[0].value
    assert sorted(repairs["value"].dropna()) == pytest.approx(sorted(means[means <= 100_000]))
    assert 0 < len(repairs) < len(means)


def test_two_builds_dropped_together_become_two_datasets_to_compare(workbench) -> None:
    files = [(f"build {number}.csv", f"A,B\n{number}00,200\n300,400\n500,600\n".encode()) for number in (1, 2)]
    at = workbench.choose_files(*files)
    labelled(at.button, "Add as 2 datasets").click()
    at = workbench.run(at)
    assert not at.exception
    assert sorted(record.name for record in workbench.records) == ["build 1.csv", "build 2.csv"]
    at = workbench.choose_files(files[0])
    assert not [each for each in at.button if each.label.startswith("Add as")]


def test_totals_of_several_runs_of_one_command_become_subexperiments(workbench) -> None:
    block = '\tCommand being timed: "./sort"\n\tUser time (seconds): 1.2{0}\n\tMinor (reclaiming a frame) page faults: 10{0}\n'
    block += "\tMaximum resident set size (kbytes): 230{0}\n"
    at = workbench.choose_files(*((f"run_{run}.txt", block.format(run).encode()) for run in range(4)))
    assert any("each total is a run of a subexperiment" in each.value for each in at.caption)
    workbench.put_on_shelf(at)
    assert [record.kind for record in workbench.records] == ["Subexperiments"]
    at = workbench.choose_files(("alone.txt", block.format(1).encode()))
    assert not any("each total is a run of a subexperiment" in each.value for each in at.caption)


def test_a_step_that_leads_here_says_what_to_choose_until_something_is_added(workbench, csv_of, readings) -> None:
    files = [(f"{place}.csv", csv_of(readings(["a", f"h{place}"]))) for place in range(2)]
    workbench.upload(*files)
    (record,) = shelf.store().records()
    at = workbench.open("data", {"opened": record.id, "step": "Add runs"})
    (note,) = [each.value for each in at.info if "Add runs" in each.value]
    assert workbench.read(note) == (
        f"**Add runs.** Choose the files of “{record.name}” again, together with those of further runs (in a series, each run with a "
        "number of its own): files chosen together are read as one dataset."
    )
    at.file_uploader(key="data.upload").upload("c.csv", csv_of(readings(["a", "h2"])))
    at = workbench.put_on_shelf(workbench.run(at))
    assert not [each for each in at.info if "Add runs" in each.value]
    assert not [each for each in workbench.open("data", {"step": "<b>Buy now</b>"}).info if "Buy" in each.value]
