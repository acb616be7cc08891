"""input.dat and output.dat: pairs, what their folders say, and what is wrong with a line."""

import pytest

from hemcore.datasets.readers.phases import thesis
from hemcore.datasets.readers.recognition import recognise
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.errors import ReadError

ROW = " ".join(str(number) for number in range(13))


def pair(source: bytes, target: bytes, folder: str = "") -> list[UploadedFile]:
    return [UploadedFile(f"{folder}input.dat", source), UploadedFile(f"{folder}output.dat", target)]


def test_thirteen_columns_are_the_thesiss_counters() -> None:
    table, _, notes = thesis.read(pair(f"{ROW}\n{ROW}\n".encode(), b"100\n200\n"))
    assert table.counters == ("PAPI_TOT_CYC", *thesis.COUNTERS)
    assert table.frame["PAPI_TOT_CYC"].tolist() == [100, 200]
    assert table.frame["PAPI_TOT_INS"].tolist() == [7, 7]
    assert table.frame[["program", "granularity", "load", "phase"]].to_numpy().tolist() == [
        ["training data", "phase", "as read", 0],
        ["training data", "phase", "as read", 1],
    ]
    assert "named in the order of the thesis's batches" in notes[0]


def test_folders_say_granularity_and_load() -> None:
    files = pair(b"a,b\n1,2\n", b"9\n", "single_core/1000/") + pair(b"a,b\n3,4\n", b"8\n", "dual_core/full_load/3000/")
    files[3] = UploadedFile("dual_core/full_load/3000/ouput.dat", files[3].content)  # as the thesis spells it
    assert recognise(files)[0].key == "phases_thesis"
    table, _, notes = thesis.read(files)
    assert table.granularities == [1000, 3000]
    assert table.loads == ["single core", "dual core full load"]
    assert table.counters == ("PAPI_TOT_CYC", "a", "b")
    assert notes == ()


def test_other_columns_are_numbered() -> None:
    table, _, _ = thesis.read(pair(b"1;2\n3;4\n", b"9\n8\n"))
    assert table.counters == ("PAPI_TOT_CYC", "counter 1", "counter 2")


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (pair(b"1 2\n", b"9\n8\n"), "input.dat: 1 lines, but output.dat has 2"),
        (pair(b"1 2\n3\n", b"9\n8\n"), "input.dat: line 2 has 1 cells, the others 2"),
        (pair(b"1 2\n3 x\n", b"9\n8\n"), "input.dat: line 2: 'x' is not a number"),
        (pair(b"1 -2\n", b"9\n"), "line 1: a count must be a finite number of at least 0"),
        (pair(b"1 2\n", b"9 8\n"), "output.dat: line 1 has 2 cells"),
        (pair(b"a b\n", b"9\n"), "input.dat: no line of numbers"),
        (pair(b"PAPI_TOT_CYC b\n1 2\n", b"9\n"), "line 1 names PAPI_TOT_CYC"),
        (pair(b"1\n", b"2\n")[:1], r"input.dat: the cycles \(output.dat\) are missing"),
        ([UploadedFile("x.dat", b"1\n")], "x.dat: neither input.dat nor output.dat"),
        (pair(b"1\n", b"2\n") * 2, "belongs to the same run"),
    ],
)
def test_what_is_wrong_is_told(files: list[UploadedFile], said: str) -> None:
    with pytest.raises(ReadError, match=said):
        thesis.read(files)


def test_other_files_of_such_names_are_not_taken_for_them() -> None:
    assert thesis.recognise(pair(b"some words\nand more\n", b"9\n")) == (0.0, "")
    assert thesis.recognise([]) == (0.0, "")
