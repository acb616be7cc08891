"""Tables within texts, by hand: where they begin and end, columns that stand below each other, and what is asked of them."""

import pytest

import hemcore as hem
from hemcore.datasets import PhaseTable, Subexperiments
from hemcore.datasets.importing.guessing.table_lines import tables_within
from hemcore.datasets.importing.inspection import Preview, apply, inspect
from hemcore.datasets.importing.other_forms.aligned_columns import aligned
from hemcore.datasets.importing.parts import read_part
from hemcore.datasets.importing.recipe import ImportRecipe
from hemcore.datasets.importing.two_tables import SideBySideError, check_one_table
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.errors import HemError, ParameterError, ReadError

REPORT = """Report of a tool
Version 5

program,cycles,misses
fft,500,10
sha,600,20
aes,700,30

Done in 5 s
level,hits,misses,rate,total
all of them, 5 of 7 calls
"""
ALIGNED = """% time     seconds  calls  errors call name
------ --- ------ ------- ---------
 60.00    0.300000     50       3 read file
 40.00    0.200000     70         map at end
------ --- ------ ------- ---------
"""
GROUPED = """#              out of place
#  size   time   rate
#   (B)   (us) (GB/s)
      8   1.50   0.25
     16  12.50  10.25
"""


def seen(text: str | bytes, recipe: ImportRecipe | None = None) -> Preview:
    return inspect([UploadedFile("f.txt", text.encode() if isinstance(text, str) else text)], recipe)


def test_the_largest_block_of_rows_is_offered_with_its_lines() -> None:
    found = seen(REPORT)
    (doubt,) = found.doubts
    assert "lines 4 to 7" in doubt.question
    assert isinstance(found.result.table, PhaseTable)  # type: ignore[union-attr]
    assert found.result.table.frame["cycles"].tolist() == [500, 600, 700]  # type: ignore[union-attr]
    assert any("lines 4 to 7 are the table" in line for line in found.repairs)
    yes = doubt.answers[-1][1]
    assert seen(REPORT, yes).doubts == ()
    assert apply(yes, [UploadedFile("f.txt", REPORT.encode())]).table.frame.equals(found.result.table.frame)  # type: ignore[union-attr]


def test_a_text_is_read_without_a_page_by_its_lines_alone() -> None:
    with pytest.raises(ReadError, match=r"lines 4 to 7 look like a table.*'first_line': 4, 'last_line': 7"):
        hem.read(REPORT.encode())
    assert len(hem.read(REPORT.encode(), recipe={"first_line": 4, "last_line": 7}).frame) == 3  # type: ignore[attr-defined]


def test_a_second_table_is_another_answer() -> None:
    found = seen(REPORT + "\nprogram,loads\nfft,1\nsha,2\naes,4\n")
    assert [label for label, _ in found.doubts[0].answers] == ["Lines 13 to 16: program,loads", "Yes, lines 4 to 7"]


def test_lines_count_from_one_and_the_last_is_below_the_first() -> None:
    assert [(each.first, each.last, each.rows) for each in tables_within(REPORT)] == [(4, 7, 3)]
    assert tables_within("") == tables_within("a text\nof words\n") == tables_within('{"a": [1, 2]}') == []
    with pytest.raises(ParameterError, match="last_line"):
        ImportRecipe(first_line=5, last_line=5)


def test_columns_are_parted_where_every_row_has_a_blank() -> None:
    found = aligned(ALIGNED)
    assert found is not None
    assert (found.first, found.last, found.rows) == (1, 4, 2)
    assert found.names == ("% time", "seconds", "calls", "errors", "call name")
    assert found.text.split("\n")[3] == "40.00\t0.200000\t70\t\tmap at end"
    assert aligned("one column\n1\n2\n") is None


def test_names_of_several_lines_are_joined_over_their_columns() -> None:
    found = aligned(GROUPED)
    assert found is not None
    assert found.names == ("size (B)", "time (us)", "rate (GB/s)")


def test_a_unit_behind_numbers_belongs_to_them() -> None:
    found = aligned("name       time        runs\nfft    1.50 ns     100\nsha   12.50 ns      20\n")
    assert found is not None
    assert found.text.split("\n")[1] == "fft\t1.50 ns\t100"


def test_numbers_without_names_are_asked_about() -> None:
    found = seen("0.5,1608937,1230441\n1.7,1708937,1330441\n2.1,1608937,1230441\n")
    assert found.doubts[0].answers[-1][0] == "Yes, without names"
    assert isinstance(found.result.table, Subexperiments)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "label", "expected"),
    [
        ("run,cycles\n1,7.42m\n2,1.5m\n", "Millions", [7.42e6, 1.5e6]),
        ("run,cycles\n1,7.5m\n2,1.5m\n", "Thousandths", [7.5e-3, 1.5e-3]),
        ("run,cycles\n1,2m\n2,1.5m\n", "Minutes", [120.0, 90.0]),
        ("run,cycles\n1,~7\n2,~5\n", "Read the numbers alone", [7.0, 5.0]),
    ],
)
def test_marks_behind_numbers_are_what_is_answered(text: str, label: str, expected: list[float]) -> None:
    text = text.replace("run,", "run,other,").replace("1,", "1,60,", 1).replace("\n2,", "\n2,80,")
    (doubt,) = seen(text).doubts
    found = seen(text, dict(doubt.answers)[label])
    assert found.result.table.frames[0]["cycles"].tolist() == pytest.approx(expected)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("bin_left,bin_right,count\n0,10,5\n10,20,7\n20,30,6\n", "bins of a histogram (0 to 10, 10 to 20 ...)"),
        ("usecs,count\n0 -> 1,5\n2 -> 3,7\n4 -> 7,6\n", "bins of a histogram (0 to 1, 2 to 3 ...)"),
    ],
)
def test_bins_are_no_readings(text: str, said: str) -> None:
    assert said in seen(text).fault


def test_errors_of_a_spreadsheet_are_no_values_and_listed() -> None:
    found = seen("run,cycles,rate\n1,500,0.5\n2,600,#DIV/0!\n3,700,0.75\n")
    assert found.result.table.frames[0]["cycles"].tolist() == [500, 600, 700]  # type: ignore[union-attr]
    assert any("#DIV/0!" in line for line in found.repairs)


def test_what_must_be_chosen_has_a_button_for_each_choice() -> None:
    signs = seen('title\ntime,cycles\n1,"1,234"\n2,"5,678"\n')
    assert signs.result is None
    assert seen('title\ntime,cycles\n1,"1,234"\n2,"5,678"\n', signs.doubts[0].answers[1][1]).result is not None
    dates = "date,cycles\n03/04/2026 10:00,12\n04/05/2026 10:00,13\n"
    assert [label for label, _ in seen(dates).doubts[0].answers] == ["The day", "The month"]
    assert isinstance(seen(dates, seen(dates).doubts[0].answers[0][1]).fault, str)


def test_a_sweep_has_no_time_that_goes_on() -> None:
    found = seen("threads,time_s,speedup\n1,40,1\n2,20.5,1.9\n4,10.9,3.6\n8,6.1,6.5\n16,4.2,9.5\n32,4,10\n")
    assert {doubt.key for doubt in found.doubts} == {"setting threads"}
    assert isinstance(found.result.table, Subexperiments)  # type: ignore[union-attr]


def test_damage_is_still_told() -> None:
    with pytest.raises(HemError):
        hem.read(b"a text\nwithout numbers\n")


def test_tables_of_the_same_names_can_be_read_as_runs() -> None:
    def block(run: int) -> str:
        return f"Run {run}\ntime,cycles,misses\n" + "".join(
            f"{at / 10},{run * 1000 + at * 7 % 5},{at * 3 % 7 + 9}\n" for at in range(1, 13)
        )

    sent = [UploadedFile("a.csv", f"{block(1)}\n{block(2)}\n{block(3)}".encode())]
    apart = inspect(sent)
    assert not apart.doubts
    assert apart.summary.startswith("1 application, 3 runs, 36 intervals")
    sent = [UploadedFile("a.csv", f"{block(1)}\n{block(2)}\nsee,below\n{block(3)}".encode())]  # a row that fits none
    asked = next(each for each in inspect(sent).doubts if each.key == "lines")
    label, recipe = asked.answers[0]
    assert label == "All 3 tables of these names, as runs (lines 2 to 45)"
    result = inspect(sent, recipe).result
    assert result is not None
    intervals = result.table.intervals  # type: ignore[union-attr]
    assert intervals["run"].tolist() == [run for run in (1, 2, 3) for _ in range(12)]
    assert intervals["time"].tolist() == [at / 10 for at in range(1, 13)] * 3


def test_words_in_columns_of_numbers_begin_another_table() -> None:
    def check(rows: str) -> None:
        check_one_table(read_part(UploadedFile("f.csv", rows.encode()), ImportRecipe(header_row=1)))

    with pytest.raises(SideBySideError, match=r"row 4: a second table with other columns begins \(x, y\)"):
        check("a,b\n1,5\n2,6\nx,y\n4,7\n5,8\n")
    check("a,b\n1,5\n2,6\n3,7\nx,y\n")  # the last row, a remark
    check("a,b\n1,5\n2,6\nx,2\n3,7\n")  # one word, of which two are needed


def test_lines_that_were_chosen_are_told_where_they_hold_numbers_alone_too() -> None:
    assert "lines 2 to 4 are the table" in seen("remark\na,b\n1,5\n2,6\nend of it\n", ImportRecipe(first_line=2, last_line=4)).repairs[0]
    assert seen("a,b\n1,5\n2,6\n", ImportRecipe()).repairs == ()


def test_what_fails_or_stands_under_a_sentence_is_not_offered() -> None:
    simpleperf = (
        "Performance counter statistics:\n\n#  count  event_name  # count / runtime\n  5,122  cycles  # 1.8 GHz\n"
        "  2811.8(ms)  task-clock  # 0.9 used\n"
    )
    bench = "Running without the API. Activate it with -m on here.\nCycles:   5812\nCPU Clock:   2394\nTime:   2.4\n"
    for text in (simpleperf, bench):
        found = inspect([UploadedFile("f.txt", text.encode())])
        assert found.result is None
        assert found.doubts == ()
        assert found.fault
