"""Rows that summarise others, by their names and by their values; columns that number events."""

import numpy as np
import pytest

from hemcore.datasets.importing.footers import ends_in_sums, is_summary, may_be_summary
from hemcore.datasets.importing.inspection import Preview, inspect
from hemcore.datasets.readers.uploaded_files import UploadedFile

PROGRAMS = "program,cycles,misses\ncg,103450372,1878\nep,308344449,11044\nft,137471680,3250\nlu,234365831,5823\n"
RUNS = "run,cycles,misses\n1,1000,90\n2,1400,70\n3,1200,50\n4,1600,30\n"
# The means: of the programs 783632332 / 4 = 195908083 and 21995 / 4 = 5498.75; of the runs 1300 and 60.
NAMES = "Total Result,Gesamtergebnis,Total Résultat,Gesamt Ergebnis,Σ,Ø,95% CI,Geomean,Mittelwert ± s,rel. std,± %,Stddev.s,Écart type,Suma"
NAMES += ",Standardabw.,Varianz,Desviación estándar,Media/Total,Deviazione standard,Mean of the runs"


def preview(text: str) -> Preview:
    return inspect([UploadedFile("a.csv", text.encode())])


def rows(found: Preview) -> list[str]:
    return [str(name) for name in found.result.table.frame["program"]]


@pytest.mark.parametrize("name", NAMES.split(","))
def test_names_of_summaries(name):
    assert is_summary(name) or name in ("Media/Total", "95% CI")
    assert may_be_summary(name)
    found = preview(RUNS + f"{name},7,7\n")
    assert [len(frame) for frame in found.result.table.frames] == [4]
    assert any("row 6" in repair and name in repair for repair in found.repairs)


@pytest.mark.parametrize("name", ["cg", "mean_shift", "Totaliser", "n-body", "all-reduce", "run 5", "sum2d", "12", ""])
def test_names_of_programs_are_no_summaries(name):
    assert not may_be_summary(name)


@pytest.mark.parametrize(
    "last", ["All,783632332,21995", "everything,783632332,21995", "n,195908083,5498", "together,195908083,5498.75", "all,308344449,11044"]
)
def test_a_row_whose_values_are_sums_or_means_is_left_out_whatever_it_is_called(last):
    found = preview(f"{PROGRAMS}{last}\n")
    assert rows(found) == ["cg", "ep", "ft", "lu"]
    assert not found.doubts
    assert any("a row of sums or means left out" in repair for repair in found.repairs)


@pytest.mark.parametrize("last", ["mg,783632332,21990", "mg,308344449,11044", "mg,783642332,21995", "mg,4,4"])
def test_a_row_whose_values_are_not_all_sums_is_a_program(last):
    found = preview(f"{PROGRAMS}{last}\n")
    assert rows(found) == ["cg", "ep", "ft", "lu", "mg"]
    assert not found.doubts


def test_a_name_that_may_be_of_a_summary_is_asked_about_where_the_values_do_not_say_so():
    found = preview(f"{PROGRAMS}all,5,7\n")
    assert rows(found) == ["cg", "ep", "ft", "lu", "all"]
    assert [(doubt.key, doubt.answers[-1][0]) for doubt in found.doubts] == [("summaries", "Keep")]
    left_out = inspect([UploadedFile("a.csv", f"{PROGRAMS}all,5,7\n".encode())], found.doubts[0].answers[0][1])
    assert rows(left_out) == ["cg", "ep", "ft", "lu"]


def test_a_mean_above_the_runs_is_left_out():
    head, *others = RUNS.splitlines()
    found = preview("\n".join([head, "AVG,1300,60", *others, "", ""]))
    assert found.result.table.frames[0]["cycles"].tolist() == [1000, 1400, 1200, 1600]


def test_columns_that_number_events_are_no_runs():
    across = ",".join(f"Run {number}" for number in range(1, 5))
    for column, cells in [("Code", ("0x11", "0x08")), ("PMC", ("0", "1")), ("Slot of it", ("4", "9"))]:
        found = preview(f"Event,{column},{across}\ncycles,{cells[0]},1000,1400,1200,1600\nmisses,{cells[1]},90,70,50,30\n")
        assert found.result.table.frames[0]["cycles"].tolist() == [1000, 1400, 1200, 1600]
        assert any(column in repair and "numbers the events" in repair for repair in found.repairs)


def test_a_deviation_is_of_n_minus_1_or_of_n_and_small_numbers_prove_nothing():
    table = "program,cycles,misses\na,1000,90\nb,1400,70\nc,1200,50\nd,1600,30\n"
    # The squares of the differences from 1300 and 60 sum up to 200,000 and 2,000: their root over 3, and over 4.
    for last in ("spread,258.1989,25.8199", "spread,223.6068,22.3607"):
        assert rows(preview(f"{table}{last}\n")) == ["a", "b", "c", "d"]
    assert rows(preview("program,cycles,misses\na,1,2\nb,2,4\nc,3,2\nd,6,8\n")) == ["a", "b", "c", "d"]


def test_summaries_above_and_between_programs_are_asked_about_unless_each_of_several_programs_has_one():
    head, *others = PROGRAMS.splitlines()
    found = preview("\n".join([head, "Total,5,7", *others, ""]))
    assert rows(found)[0] == "Total"
    assert [doubt.key for doubt in found.doubts] == ["summaries"]
    phases = "program,phase,cycles\n" + "".join(
        f"{name},{phase},{len(name) * 7 + phase * phase}\n" for name in ("cg", "all") for phase in range(4)
    )
    assert all(doubt.key != "summaries" for doubt in preview(phases).doubts)


@pytest.mark.parametrize(("last", "kept"), [(",,9,30", 3), (",,3,10", 3), (",,9,10", 3), (",,9,11", 0), (",,9,", 3), ("x,,9,31", 4)])
def test_a_last_row_without_a_key_is_left_out_where_all_its_numbers_are_sums_or_means(last: str, kept: int) -> None:
    found = inspect([UploadedFile("a.csv", f"program,note,cycles,misses\na,,2,5\nb,x,3,10\nc,,4,15\n{last}\n".encode())])
    assert (len(rows(found)) if found.result is not None else 0) == kept
    # Of two rows a sum proves nothing: what lacks its key is a fault.
    assert inspect([UploadedFile("a.csv", b"program,cycles\na,2\nb,3\n,5\n")]).result is None


ROWS = [f"{row / 10 + 0.1:.1f}  {1000 + 37 * row % 91}  {50 + 7 * row % 29}" for row in range(12)]


@pytest.mark.parametrize(
    "said", ["# \u2139 28 more rows", "# ... with 28 more rows", ' [ reached getOption("max.print") -- omitted 28 rows ]']
)
def test_a_print_without_some_of_its_rows_is_refused(said: str) -> None:
    text = "\n".join(["time_s  cycles  misses", *ROWS, said, ""])
    found = inspect([UploadedFile("print.txt", text.encode())])
    assert found.result is None
    assert "is a print that leaves rows out" in found.fault
    assert "Print all rows, or send the table as CSV." in found.fault
    assert found.doubts == ()


def test_a_row_of_dots_of_pandas_is_refused_and_a_remark_is_not() -> None:
    dots = "\n".join(["time_s  cycles  misses", *ROWS[:5], "...     ...     ...", *ROWS[-5:], "[1000 rows x 3 columns]", ""])
    assert "is a print that leaves rows out" in inspect([UploadedFile("print.txt", dots.encode())]).fault
    remark = "time_s,cycles,misses\n" + "".join(",".join(row.split()) + "\n" for row in ROWS) + "# more rows tomorrow\n"
    assert inspect([UploadedFile("a.csv", remark.encode())]).result is not None


@pytest.mark.parametrize(
    ("label", "sums"), [("{} Total", (9, 30)), ("{} Ergebnis", (9, 30)), ("Mittelwert {}", (3, 10)), ("{} Total", (9, 31))]
)
def test_sums_below_the_rows_of_each_program_are_left_out_where_they_are_sums(label: str, sums: tuple[int, int]) -> None:
    rows = ["program,phase,cycles,misses"]
    for program in ("fft", "sha", "aes"):
        rows += [f"{program},{phase},{cycles},{misses}" for phase, (cycles, misses) in enumerate(((2, 5), (3, 10), (4, 15)))]
        rows.append(f"{label.format(program)},,{sums[0]},{sums[1]}")
    found = inspect([UploadedFile("a.csv", ("\n".join(rows) + "\n").encode())])
    programs = found.result.table.programs if found.result is not None else []
    assert (programs == ["fft", "sha", "aes"]) == (sums != (9, 31))
    if programs == ["fft", "sha", "aes"]:
        assert found.result.table.frame["misses"].tolist() == [5, 10, 15] * 3


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("time,a,b,c\n1,5,6,7\n2,5,6,8\n3,56,9\n4,6,6,8\n5,7,6,8\n", [4]),
        ("time,a,b,c\n1,5,6,7\n2,5,6,\n3,5,6,9\n4,6,6,8\n5,7,6,8\n", []),  # an empty cell, not one less
        ("time,a,b,c\n1,5,6\n2,5,6\n3,6,9\n4,6,6,8\n", []),  # as most rows
        ("time,stage,a,b\n1,x,6,7\n2,x,6,\n3,y,9\n", [4]),  # most end in an empty cell
        ('time,a,b,stage\n1,5,6,x\n\n2,5,6\n3,5,6,"y, z"\n4,6,6,x\n', [4]),
    ],
)
def test_a_row_that_lacks_a_separator_is_told(text: str, rows: list[int]) -> None:
    repairs = inspect([UploadedFile("f.csv", text.encode())]).repairs
    assert [each for each in repairs if "fewer cells" in each] == [
        f"f.csv, row {row}: fewer cells than other rows, those at its end read as empty: is a separator lost? (1)" for row in rows
    ]


@pytest.mark.parametrize(
    ("last", "kept"),
    [("10,24", 4), ("10,25", 5), ("5,10,24", 4), ("5,10,25", 5), (",10,.9", 4), ("9,10,24", 5)],
)
def test_a_last_row_of_sums_among_rows_that_are_numbered_or_have_no_name_is_left_out(last: str, kept: int) -> None:
    values = ["1,9", "4,3", "2,4", "3,8"]
    first = [f"{row}," for row in range(1, 5)] if last.count(",") > 1 else [""] * 4
    text = "run,cycles,misses\n"[4 * (not first[0]) :] + "".join(map("{}{}\n".format, first, values)) + last + "\n"
    found = preview(text)
    assert [len(frame) for frame in found.result.table.frames] == [kept]
    assert any("sums of the columns" in line for line in found.repairs) is (kept == 4)


def test_lines_of_another_form_below_a_column_of_times_are_told_and_no_readings() -> None:
    sar = "12:00:00   cswch/s   intr/s\n" + "".join(f"12:00:0{each}   {each}000   {each}70\n" for each in range(1, 7))
    found = preview(sar + "total_flops: 1085314\n0,5755355,5410365\n")
    told = [repair for repair in found.repairs if "a line of another form below the data" in repair]
    assert ["'0,5755355,5410365'" in told[0], "'total_flops:'" in told[1], len(told)] == [True, True, 2]
    assert found.result.table.counts["intr/s"].tolist() == [70 + 100 * each for each in range(1, 7)]


@pytest.mark.parametrize(
    ("last", "sums"),
    [("13,40", True), ("3.25,10.00", True), ("3.25,10.5", False), ("3,10", False), ("3.5,10", False)],
)
def test_sums_or_means_of_all_rows_are_known_by_their_numbers_alone(last: str, sums: bool) -> None:
    """1 + 2 + 4 + 6 = 13 and 8 + 9 + 11 + 12 = 40; their means are 3.25 and 10."""
    rows = [[1, 8], [2, 9], [4, 11], [6, 12], [float(cell) for cell in last.split(",")]]
    assert ends_in_sums(np.array(rows, dtype=float)) is sums
