"""What of a tool's print does not fit its form is listed, and nothing else is read in its place."""

import pytest

from hemcore.datasets.importing.inspection import Preview, inspect
from hemcore.datasets.importing.profiles import label_rows, written_values
from hemcore.datasets.readers.formats import format_of
from hemcore.datasets.readers.recognition import read_upload
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ReadError
from tests.core.datasets.corpus.stranger_shapes import LABELLED
from tests.hostile.written_forms import CYCLES, written_forms

FORMS = dict(written_forms())


def seen(text: str) -> Preview:
    shown = inspect([UploadedFile("a.txt", text.encode())])
    assert shown.result is not None, shown.fault
    return shown


@pytest.mark.parametrize(
    ("form", "old", "new", "line"),
    [
        ("numastat", "numa_miss  ", 'numa_miss "', "numa_miss"),
        ("numastat", "30422\nnuma_foreign", "     \nnuma_foreign", "numa_miss"),
        ("free -s", "           0      200512", "                  200512", "Swap:"),
        ("kubectl top", "4219m", "4219mp", "fft-0"),
        ("kubectl top", "4219m", "", "fft-0"),
        ("hpmcount", "7718230914", "771;230914", "PM_INST_CMPL"),
        ("poop", "0%\n  peak_rss", "0%  peak_rss", "wall_time"),
        ("iai-callgrind", "(No change)\n  L1", "(No change)  L1", "Instructions:"),
        ("ESP-IDF", "331209", "331;209", "Value =   331;209"),
        ("Vivado ILA", ",4219\n", ",4219,", "0,0,0,01d661,4219,1"),
        ("poop", "peak_rss          ", "peak_rss        5 ", "peak_rss"),
        ("iai-callgrind", "120417|", "120;17|", "Instructions:"),
        ("Criterion", "120417.0", "120,17.0", "Sorting,fft"),
    ],
)
def test_a_line_that_does_not_fit_is_listed(form: str, old: str, new: str, line: str) -> None:
    (text,) = FORMS[form].values()
    assert old in text
    told = [repair for repair in seen(text.replace(old, new, 1)).repairs if "could not be read, wholly or in part: 1, as" in repair]
    assert [line in repair for repair in told] == [True]
    assert not any("could not be read" in repair for repair in seen(text).repairs)


def test_a_counter_has_no_number_of_the_line_that_is_joined_to_its_own() -> None:
    (text,) = FORMS["hpmcount"].values()
    shown = inspect([UploadedFile("a.txt", text.replace("7718230914\n", "7718230914").encode())])
    assert shown.result is None
    assert "not recognised" in shown.fault


def test_a_report_of_free_whose_names_are_damaged_is_one_of_its_own() -> None:
    (text,) = FORMS["free -s"].values()
    first, second, *others = text.split("total  ")
    shown = seen("total  ".join([first, f"{second}$ ", *others]))
    assert shown.result is not None
    assert isinstance(shown.result.table, CounterSeries)
    assert shown.result.table.counts["Mem used"].tolist() == CYCLES
    assert any("could not be read, wholly or in part: 1, as '$ total" in repair for repair in shown.repairs)


def test_a_frame_of_which_a_column_is_damaged_is_not_read_without_it() -> None:
    for end in ("), class = 'data.frame', row.names = c(NA, -2L))", "), row.names = c(NA, -2L), class = 'data.frame')"):
        assert written_values.as_table(f"structure(list(a = 1:2, b = c(5, 6){end}") == "a,b\n1,5\n2,6\n"
        assert written_values.as_table(f"structure(list(a = 1:2, b = c(5, 6{end}") is None
        assert written_values.as_table(f"structure(list(a = 1:2, b = 5, 6){end}") is None


def test_a_row_at_a_time_is_no_row_of_labels() -> None:
    text = LABELLED.replace("GMT+0200 (Central European Summer Time)", "GMT+0200 (Central ", 1)
    assert label_rows.as_table(LABELLED) is not None
    assert label_rows.as_table(text) is None


def test_a_short_row_of_a_turned_table_is_listed() -> None:
    (text,) = FORMS["dates across"].values()
    assert any(
        "fewer cells than in others, those at the end read as empty, in row 3" in each for each in seen(text.replace(";4219", "")).repairs
    )
    assert not any("fewer cells" in each for each in seen(text).repairs)


def test_a_time_of_rocprof_that_is_no_number_is_an_error() -> None:
    ((name, text),) = format_of("rocprof").example.items()
    with pytest.raises(ReadError, match=r"line 2, column 'EndNs': '52x0' is not a number"):
        read_upload([UploadedFile(name, text.replace("5200", "52x0").encode())])
