"""Rows of perf stat -x as scripts gather them: behind a cell, below a line, and without running times."""

import pytest

from hemcore.datasets.readers.perf import csv
from hemcore.datasets.readers.perf.csv_marks import as_new_rows
from hemcore.datasets.readers.perf.refusals import why_mixed
from hemcore.datasets.readers.recognition import read_upload
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.errors import ReadError


def _file(*lines: str) -> list[UploadedFile]:
    return [UploadedFile("p.csv", "".join(f"{line}\n" for line in lines).encode())]


def test_a_cell_before_each_row_is_its_run() -> None:
    files = _file("1,49,,page-faults,543,100.00,,", "2,50,,page-faults,542,100.00,,", "2b,51,,page-faults,541,50.00,,")
    assert csv.recognise(files[:1])[0] > 0.9
    series, _, notes = csv.read(_file("1,49,,page-faults,543,100.00,,", "2,50,,page-faults,542,100.00,,"))
    assert series.counts["page-faults"].tolist() == [49, 50]
    assert series.intervals["run"].tolist() == [1, 2]
    assert any("'1', '2' stands before rows" in note for note in notes)


def test_words_before_rows_name_programs() -> None:
    rows = [f"{name},{count},,cycles,543,100.00,," for name, count in [("fft", 5), ("lu", 6), ("fft", 7)]]
    series = csv.read(_file(*rows)).table
    assert series.intervals["application"].tolist() == ["p fft", "p lu", "p fft"]
    assert series.counts["cycles"].tolist() == [5, 6, 7]


def test_a_numbered_line_begins_a_run_where_all_runs_are_alike() -> None:
    runs = ["n=1", "4,,cycles,543,100.00,,", "5,,faults,543,100.00,,", "n=8", "6,,cycles,543,100.00,,", "7,,faults,543,100.00,,"]
    series = csv.read(_file(*runs)).table
    assert series.counts["cycles"].tolist() == [4, 6]
    assert series.counts["faults"].tolist() == [5, 7]
    for other in (runs[:-1], [*runs[:3], "m=8", *runs[4:]], [*runs, "done"]):
        with pytest.raises(ReadError, match="n=1"):
            csv.read(_file(*other))


def test_rows_before_perf_had_running_times() -> None:
    series = csv.read(_file("812,cycles", "<not counted>,branches", "12,instructions,50.00", "6,my_event")).table
    assert series.counts.iloc[0].to_dict() == {"cycles": 812, "instructions": 12, "my_event": 6}
    assert series.share is None or series.share["instructions"].tolist() == [0.5]
    assert csv.recognise(_file("12,apples", "13,pears", "5,cycles"))[0] == 0
    assert as_new_rows("  1.000705334,812,cycles\n") == "1.000705334,812,,cycles,0,100.00\n"
    assert as_new_rows("812,cycles\n\n<not counted>,faults\n") == "812,,cycles,0,100.00\n\n<not counted>,,faults,0,0.00\n"


def test_a_line_without_the_cell_of_the_others_is_told() -> None:
    with pytest.raises(ReadError, match="line 1"):
        csv.read(_file("1,49,,page-faults,543,100.00,,", "2,50,,page-faults,542,100.00,,", "done"))


@pytest.mark.parametrize(
    "above",
    [
        "step 1 residual 0.5\nstep 2 residual 0.25\nstep 3 residual 0.125\n",
        "Solver 3\nIteration 1: error=0.5\nIteration 2: error=0.25\nIteration 3: error=0.2\n",
    ],
)
def test_rows_below_what_a_program_printed_are_no_remarks_of_its_numbers(above: str) -> None:
    rows = "# started on Mon Nov 23 10:00:00 2026\n\n123456,,cycles,500120000,100.00,,\n7890,,instructions,500120000,100.00,,\n"
    with pytest.raises(
        ReadError, match=r"line \d, '123456,,cycles,500120000,100.00,', is a row of perf stat -x, but what stands before it"
    ):
        read_upload([UploadedFile("run.txt", (above + rows).encode())])
    # A title and a header above such rows are a table's.
    assert why_mixed(UploadedFile("t.csv", b"Title\nvalue,unit,event,time,share\n123,,cycles,500,100.00\n"), below_words=True) is None
    assert why_mixed(UploadedFile("t.csv", b"a,b\nwords\n123,,cycles,500,100.00\n"), below_words=True) is None
