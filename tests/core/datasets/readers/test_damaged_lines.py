"""Lines that lost or changed their ends, rows with too many fields or too few: read as before, listed or refused, never less in silence."""

import numpy as np
import pytest

from hemcore.datasets import CounterSeries, SignatureTable
from hemcore.datasets.readers.formats import ReadResult
from hemcore.datasets.readers.recognition import read_upload, recognise
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.errors import ReadError

ROWS = [f"     {second}.000100000,{100 + second},,{event},1000,100.00,," for second in range(1, 6) for event in ("cycles", "instructions")]
CSV = "".join(f"{row}\n" for row in ROWS)
TEXT = "#           time             counts unit events\n" + "".join(
    f"     {second}.000100000        {value:>10}      {event:<25}#    {metric}\n"
    for second in range(1, 16)
    for value, event, metric in ((f"{second},234", "cycles", "1.21  insn per cycle     "), (f"{second},999", "faults", "0.02 K/sec"))
)
ENDS = ["\r", "\r\n", "\x85", "\u2028", "\u2029"]
EAR = "JOBID;NODENAME;CPI;TPI;MEM_GBS;GFLOPS\n1;a;0.5;0.1;30;100\n2;b;0.6;0.2;31;101\n3;c;0.7;0.3;32;102\n"


def read(text: str, key: str | None = None, name: str = "f.csv") -> ReadResult:
    return read_upload([UploadedFile(name, text.encode())], format_key=key)


def series(text: str, key: str | None = None) -> CounterSeries:
    table = read(text, key).table
    assert isinstance(table, CounterSeries)
    return table


def same(one: CounterSeries, other: CounterSeries) -> bool:
    return one.events == other.events and np.array_equal(one.counts.to_numpy(), other.counts.to_numpy(), equal_nan=True)


@pytest.mark.slow
@pytest.mark.parametrize("end", ENDS, ids=ascii)
@pytest.mark.parametrize("text", [CSV, TEXT], ids=["csv", "text"])
def test_every_end_of_line_ends_a_row(text: str, end: str) -> None:
    assert same(series(text.replace("\n", end)), series(text))


@pytest.mark.slow
@pytest.mark.parametrize("end", ENDS, ids=ascii)
@pytest.mark.parametrize("text", [CSV, TEXT], ids=["csv", "text"])
def test_ends_of_lines_may_be_mixed(text: str, end: str) -> None:
    lines = text.split("\n")
    mixed = "\n".join(lines[:4]) + end + "\n".join(lines[4:])
    assert same(series(mixed), series(text))


@pytest.mark.slow
@pytest.mark.parametrize("place", range(9))
@pytest.mark.parametrize("tail", [",,", "", ",1.21,insn per cycle", ",,,good"])
@pytest.mark.sweep
def test_a_row_of_perf_that_swallowed_the_next_is_refused(tail: str, place: int) -> None:
    rows = [row.removesuffix(",,") + tail for row in ROWS]
    joined = "\n".join([*rows[:place], rows[place] + rows[place + 1], *rows[place + 2 :]]) + "\n"
    assert same(series("\n".join(rows) + "\n"), series(CSV))
    with pytest.raises(ReadError, match=rf"^f.csv: line {place + 1}, .* holds two readings"):
        read(joined, "perf_stat_csv")


def test_a_row_of_perf_with_more_fields_than_the_format_is_refused() -> None:
    with pytest.raises(ReadError, match=r"f.csv: line 3"):
        read(CSV.replace(",,\n", ",1.2,GHz,good,more\n", 3).replace(",1.2,GHz,good,more\n", ",,\n", 2), "perf_stat_csv")


@pytest.mark.slow
@pytest.mark.parametrize("place", range(1, 29))
def test_a_line_of_text_that_swallowed_the_next_is_listed(place: int) -> None:
    lines = TEXT.split("\n")
    found = read("\n".join([*lines[:place], lines[place] + lines[place + 1], *lines[place + 2 :]]))
    assert len(found.repairs) == 1
    assert found.repairs["where"][0] == f"f.csv, line {place + 1}"


def test_a_reading_in_the_line_of_the_heading_is_listed() -> None:
    found = read(TEXT.replace("events\n", "events", 1))
    assert "on the heading's line" in found.repairs["what"][0]


@pytest.mark.parametrize("text", [CSV, TEXT], ids=["csv", "text"])
def test_a_reading_behind_a_number_sign_is_listed(text: str) -> None:
    lines = text.split("\n")
    lines[5] = "#" + lines[5][1:]
    found = read("\n".join(lines))
    assert "behind '#'" in found.repairs["what"][0]


def test_a_row_of_likwid_that_swallowed_the_next_is_refused() -> None:
    text = "TABLE,Group 1 Raw,L3,2,\nEvent,Counter,HWThread 0,,\nA,FIXC0,5,,\nB,PMC0,6,,\n"
    with pytest.raises(ReadError, match="f.csv: line 3"):
        read(text.replace("5,,\n", "5,,"))


@pytest.mark.parametrize(
    "text",
    [
        "TABLE,Group 1 Raw,L3,2,\nEvent,Counter,HWThread 0,HWThread 1,\nA,FIXC0,5,6,\nB,PMC0,7,\n",
        "# HWThreads: 0|3\n# GID,EventCount,CpuCount,Total runtime [s],A,B\n1,2,2,0.1,5,6,7,\n",
    ],
)
def test_an_empty_cell_of_likwid_is_not_counted_and_told(text: str) -> None:
    found = read(text)
    assert found.table.counts["B"].isna().sum() == 1
    assert "an empty cell" in found.repairs["what"][0]


def lost_digit(column: int) -> str:
    counters = [[1000 * row + 37 * (row % 3), 7000 * row, 50 * row] for row in range(1, 40)]
    counters[20][column] //= 10
    return "time,cycles,instructions,faults\n" + "".join(f"{row / 10},{','.join(map(str, each))}\n" for row, each in enumerate(counters))


@pytest.mark.parametrize("column", range(3))
def test_cumulative_counters_with_a_digit_lost_are_asked_for(column: int) -> None:
    name = ("cycles", "instructions", "faults")[column]
    with pytest.raises(ReadError, match=rf"f.csv: column '{name}' rises 37 times and falls 1 times .* Choose the format"):
        read(lost_digit(column))
    falls = read(lost_digit(column), "series_cumulative").repairs
    assert falls["column"].tolist() == [name]
    assert read(lost_digit(column), "series_wide").repairs.empty


def test_counts_that_rise_and_fall_are_not_asked_for() -> None:
    text = "time,a,b\n" + "".join(f"{row / 10},{1000 + 31 * row % 97},{row}\n" for row in range(40))
    assert recognise([UploadedFile("f.csv", text.encode())])[0].key == "series_wide"
    plain = "time,a,b\n" + "".join(f"{row / 10},{1000 + 31 * row % 97},{41 * row % 89}\n" for row in range(40))
    assert recognise([UploadedFile("f.csv", plain.encode())])[0].asks == ""


@pytest.mark.parametrize("row", ["1;2;3", ";;", ";;;;;", " ; ;;;;", "\x1d", "9;z;1;1;1;1;1"], ids=ascii)
@pytest.mark.parametrize("place", [1, 2, 3])
def test_a_damaged_row_of_ear_is_refused(row: str, place: int) -> None:
    lines = EAR.split("\n")
    lines.insert(place, row)
    with pytest.raises(ReadError, match=rf"jobs.csv: line {place + 1} "):
        read("\n".join(lines), name="jobs.csv")


def test_the_last_row_of_ear_may_be_cut_off() -> None:
    found = read(EAR[:-8])
    assert isinstance(found.table, SignatureTable)
    assert len(found.table.frame) == 2
    assert found.repairs[["where", "what"]].to_numpy().tolist() == [["f.csv, line 4", "cut off, left out: '3;c;0.7;0.3'"]]


def test_signatures_that_were_not_measured_are_listed() -> None:
    found = read(EAR + "4;d;0;0;0;0\n5;e;;;;\n")
    assert found.repairs[["what", "rows"]].to_numpy().tolist() == [["all four 0 or empty: not measured", 2]]


LIKWID = {
    "timeline": "# GID,EventCount,CpuCount,Total runtime [s],A\n1,1,1,0.1,5\n1,1,1,0.2,6\n",
    "totals": "STRUCT,Info,1\nCPU clock:,2.3 GHz\nTABLE,Group 1 Raw,FLOPS,1\nEvent,Counter,HWThread 0\nA,PMC0,5\n",
}


@pytest.mark.parametrize("kind", LIKWID)
def test_rows_above_the_tables_of_likwid_are_listed(kind: str) -> None:
    clean, mixed = read(LIKWID[kind]), read("time;a;b\n0.1;7;8\n0.2;9;10\n" + LIKWID[kind])
    assert len(clean.repairs) == 0
    assert mixed.table.counts["A"].tolist() == clean.table.counts["A"].tolist()
    assert mixed.repairs["where"].tolist() == ["f.csv, line 2", "f.csv, line 3"]
    assert mixed.repairs["what"].str.contains("0.1;7;8").tolist() == [True, False]


def test_a_date_that_no_clock_can_hold_is_refused_by_its_row() -> None:
    with pytest.raises(ReadError, match=r"row 3: '0001-01-02 00:00:02' is not in the years 1678 to 2261"):
        read("date,a\n0001-01-02 00:00:01,5\n".replace("0001", "2026") + "0001-01-02 00:00:02,6\n2026-01-02 00:00:03,7\n", "table_series")
