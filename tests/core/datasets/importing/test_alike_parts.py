"""Files of one shape are read in one pass once two of them read so as the long way, and say the same as that way does."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.importing.inspection import apply, inspect
from hemcore.datasets.importing.one_pass.alike_parts import AlikeParts
from hemcore.datasets.importing.one_pass.number_tables import NumbersAlone, headed, like
from hemcore.datasets.importing.one_pass.packed_cells import PackedCells, packed
from hemcore.datasets.importing.parts import Part, read_part
from hemcore.datasets.importing.recipe import ImportRecipe
from hemcore.datasets.importing.sheets.sheet_tables import single_tables
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.errors import HemError

GERMAN = "Messung {n} im Labor\nZeit;Zyklen;Befehle\n0,5;{n}10;3\n1,0;{n}20;4\n1,5;{n}31;7\n"
ENGLISH = "Measurement {n},,\nTime,cycles,L1 misses\ns,1,1\n0.1,{n}10,3\n0.2,{n}20,4\n0.3,{n}31,7\n"
UMLAUTS = "Zeit;Zyklen für fft;Befehle\n0,5;{n}10;3\n1,0;{n}20;4\n1,5;{n}31;7\n"


def _file(text: str, number: int = 7) -> UploadedFile:
    return UploadedFile(f"run_{number}.csv", text.replace("{n}", str(number)).encode())


def _said(part: Part) -> tuple[Any, ...]:
    texts = part.texts
    numbers = [list(map(str, part.numbers(place))) for place in range(len(part.names))]  # no nan equals another
    head = part.grid.rows[: part.found.first]
    cells = texts.to_numpy().tolist()
    rows, whole, notes = part.rows.tolist(), part.grid.whole, part.grid.notes
    told = (part.repairs, part.notes, part.units, part.decimal, part.ends_open)
    return part.names, part.found, head, rows, whole, notes, told, cells, numbers


def _both(before: str, text: str, recipe: ImportRecipe | None = None) -> tuple[Any, Any, bool]:
    """What is said of `text` after three files of the text `before`, and the long way; whether it was read in one pass."""
    reader, recipe = AlikeParts(recipe or ImportRecipe()), recipe or ImportRecipe()
    for number in range(3):
        reader.read(_file(before, number))
    said: list[Any] = []
    quick = False
    for read in (reader.read, lambda file: read_part(file, recipe)):
        try:
            part = read(_file(text))
            quick |= isinstance(part.cells, NumbersAlone)
            said.append(_said(part))
        except HemError as error:
            said.append(str(error))
    return said[0], said[1], quick


@pytest.mark.parametrize("text", [GERMAN, ENGLISH, UMLAUTS])
@pytest.mark.parametrize("change", [("", ""), ("\n", "\r\n"), ("7\n$", "7"), ("1,0", "1"), ("0.1", "1")])
def test_the_fourth_file_is_read_in_one_pass_and_as_the_long_way(text: str, change: tuple[str, str]) -> None:
    old, new = change
    changed = text.removesuffix("\n") if old.endswith("$") else text.replace(old, new) if old else text
    before = changed if new == "\r\n" else text
    said, truth, quick = _both(before, changed)
    assert said == truth
    assert quick


def test_what_is_read_by_hand() -> None:
    reader = AlikeParts(ImportRecipe())
    parts = [reader.read(_file(GERMAN, number)) for number in range(4)]
    assert [isinstance(part.cells, NumbersAlone) for part in parts] == [False, False, True, True]
    last = parts[3]
    assert last.names == ("Zeit", "Zyklen", "Befehle")
    assert last.rows.tolist() == [3, 4, 5]
    assert last.numbers(0).tolist() == [0.5, 1.0, 1.5]
    assert last.column(1).tolist() == ["310", "320", "331"]
    assert [repair[:4] for repair in last.repairs] == [("run_3.csv, row 1", "", "above the header, skipped: 'Messung 3 im Labor'", 1)]
    assert last.notes == ["run_3.csv: commas were read as decimal marks, as in '0,5'."]
    assert last.decimal == ","


@pytest.mark.parametrize(
    "text",
    [
        GERMAN.replace("1,0;{n}20;4", "1,0;{n}20"), GERMAN.replace("1,0;{n}20;4", "1,0;-{n}20;4"), GERMAN.replace("1,0;", "1,0;n/a;"),
        GERMAN.replace(";{n}20;", ";;"), GERMAN.replace("im Labor", "im Freien"), GERMAN + "\n1,6;3;4\n", GERMAN + "Summe;1;2\n",
        GERMAN.replace("0,5", "1,234").replace("1,0", "2,345").replace("1,5", "3,456"), GERMAN.replace("Befehle", "Sprünge"),
        GERMAN + "3,0;{n}61;14\n" * 2, GERMAN.replace("1,0", "1.0"), GERMAN.replace("1,0", "# 1,0"), GERMAN.replace(";", ","),
        GERMAN.replace(";4\n", ";4;5\n"), GERMAN.replace("Zeit;", "Zeit;;"), GERMAN.replace("1,5;", "Mean:;"), GERMAN[:60],
        GERMAN.replace("\n0,5", "\ns;1;1\n0,5"), GERMAN.replace("1,0;{n}20;4\n", "1,0;{n}20;4\r"), GERMAN.replace("Zeit", '"Zeit"'),
        "", "Messung 3 im Labor\n", GERMAN.replace("1,5;{n}31;7", "3,0;1450;14"),
    ],
)  # fmt: skip
def test_a_file_that_differs_reads_as_the_long_way(text: str) -> None:
    said, truth, _ = _both(GERMAN, text)
    assert said == truth


def test_sums_below_the_rows_are_left_out_as_the_long_way_does() -> None:
    head = "Messung {n} im Labor\nZyklen;Befehle;Treffer\n"
    rows = "".join(f"{10 + row}1,5;{7 * row + 3};{row * row}\n" for row in range(5))
    sums = f"{sum(10 * (10 + row) + 1.5 for row in range(5))}".replace(".", ",") + ";85;30\n"
    said, truth, quick = _both(head + rows, head + rows + sums)
    assert said == truth
    assert not quick


def test_a_title_that_names_counters_is_told_apart() -> None:
    text = "cpustat -c pic0=Cycle_cnt{n},pic1=Instr_cnt\ntime\tpic0\tpic1\n1\t10\t5\n2\t20\t6\n3\t31\t9\n"
    said, truth, _ = _both(text, text)
    assert said == truth
    assert said[0] == ("time", "Cycle_cnt7", "Instr_cnt")


@pytest.mark.parametrize(
    "text",
    [
        "Messung {n}\nZeit;Zyklen\ns;Mio\n0,5;{n}10\n1,0;{n}20\n1,5;{n}31\n", GERMAN.replace("Zyklen", ""),
        GERMAN.replace("Zyklen", "Zyklen [k]"),
        GERMAN.replace("\n0,5", "\n\n0,5"), "# t;a;b\n0,5;{n}10;3\n1,0;{n}20;4\n1,5;{n}31;7\n",
        "procs;---memory---\nr;free;cache\n1;{n}10;3\n0;{n}20;4\n1;{n}31;7\n",
    ],
)  # fmt: skip
def test_a_head_that_changes_more_than_names_reads_as_the_long_way(text: str) -> None:
    said, truth, _ = _both(text, text)
    assert said == truth


@pytest.mark.parametrize("rows", [398, 399])
def test_whether_all_rows_are_at_hand(rows: int) -> None:
    """Of a file with more than 400 lines, more is to be read than the first rows."""
    body = "".join(f"{row},5;{row * row}\n" for row in range(rows))
    said, truth, quick = _both("Lauf {n}\nZeit;Zyklen\n" + body, "Lauf {n}\nZeit;Zyklen\n" + body)
    assert said == truth
    assert said[4] == (rows == 398)
    assert quick


@pytest.mark.parametrize("recipe", [ImportRecipe(skip_rows=(6,)), ImportRecipe(last_line=5)])
def test_rows_that_only_a_longer_file_has_are_skipped_as_chosen(recipe: ImportRecipe) -> None:
    said, truth, _ = _both(GERMAN, GERMAN + "2,0;{n}44;9\n", recipe)
    assert said == truth
    assert len(said[3]) == 3


@pytest.mark.parametrize(
    "recipe",
    [ImportRecipe(skip_rows=(4,)), ImportRecipe(first_line=2, last_line=4), ImportRecipe(decimal=","), ImportRecipe(header_row=2)],
)
def test_a_recipe_that_says_more_is_followed(recipe: ImportRecipe) -> None:
    said, truth, _ = _both(GERMAN, GERMAN, recipe)
    assert said == truth


def test_an_example_stands_for_all_of_a_head() -> None:
    one, other = like(_file(GERMAN, 4)), like(_file(GERMAN, 5))
    assert one is other
    assert one.content == b"Messung 0 im Labor\nZeit;Zyklen;Befehle\n1,1;1;1\n1,1;1;1\n"
    assert like(_file(GERMAN.replace("Zyklen", "L1"), 4)) is not like(_file(GERMAN.replace("Zyklen", "L2"), 4))


@pytest.mark.parametrize(
    "text", ["1;2\n3;4\n", "a\n1;2\n3;4\n", "a;b\n", "", "a;b\n1;2\n3;x\n", "a;b\n1\n2\n", "a;b\n" * 42 + "1;2\n3;4\n"]
)
def test_what_is_not_numbers_below_a_head(text: str) -> None:
    assert headed(_file(text)) is None


def test_a_hundred_files_are_one_series_by_preview_and_by_recipe() -> None:
    files = [_file(GERMAN, number) for number in range(100)]
    shown = inspect(files)
    assert shown.recipe is not None
    assert shown.result is not None
    again = apply(shown.recipe, files)
    for table in (shown.result.table, again.table):
        assert table.counts.sum().tolist() == [sum(int(f"{n}{end}") for n in range(100) for end in (10, 20, 31)), 1_400]
    assert shown.repairs[99] == "run_99.csv, row 1: above the header, skipped: 'Messung 99 im Labor' (1)"
    assert list(again.notes) == list(shown.result.notes)


def test_remarks_and_dates_of_many_files_are_packed_and_read() -> None:
    text = "Datum;Zyklen;Bemerkung\n2026-11-{n} 10:00:00;{n}10;warm\n2026-11-{n} 10:00:01;{n}20;\n2026-11-{n} 10:00:02;n/a;é\n"
    text += "2026-11-{n} 10:00:03;5;é\n"
    part = read_part(_file(text, 12), ImportRecipe())
    small = part.in_little_memory()
    assert isinstance(small.cells, PackedCells)
    assert small.texts.equals(part.texts)
    for place in range(3):
        assert small.column(place).equals(part.column(place))
        assert small.is_plain(place) == part.is_plain(place) == (place == 1)
    np.testing.assert_array_equal(small.numbers(1), [1210, 1220, np.nan, 5])
    np.testing.assert_array_equal(small.plain_counts([1]), [[1210], [1220], [np.nan], [5]])
    assert small.plain_counts([0, 1]) is None
    assert small.grid.rows == (part.grid.rows[0], *((row[0], *[""] * (len(row) - 1)) for row in part.grid.rows[1:]))
    small.forget_cells()
    assert small.rows.tolist() == [2, 3, 4, 5]
    files = [_file(text, number) for number in range(10, 28)] * 4
    named = [UploadedFile(f"{number}.csv", file.content) for number, file in enumerate(files)]
    table = inspect(named).result.table  # type: ignore[union-attr]
    assert len(table.counts) == 4 * 72
    assert float(table.counts["Zyklen"].sum()) == 4 * sum(200 * n + 35 for n in range(10, 28))


@pytest.mark.parametrize("cell", ["a\0b", "\ud800"])
def test_cells_that_could_not_be_told_apart_again_stay_as_they_are(cell: str) -> None:
    assert packed(pd.DataFrame([["1", cell]], dtype=object), {}) is None
    assert packed(pd.DataFrame(dtype=object), {}) is None


def test_tables_below_one_another_are_found_in_each_file_that_has_them() -> None:
    one = [_file(GERMAN, number) for number in range(9)]
    several = [_file(GERMAN + "\nMessung 2\nZeit;Zyklen;Befehle\n0,5;1;2\n1,0;2;3\n", number) for number in range(10, 19)]
    recipe = ImportRecipe(tables="each")
    assert single_tables(one, recipe) == one
    assert single_tables(several, recipe) == [table for file in several for table in single_tables([file], recipe)]


def test_whether_a_time_that_comes_again_is_another_is_asked_of_each_file() -> None:
    """Two groups with one time are one table; with two times they are two tables beside one another."""
    head, recipe = "Lauf {n}\ntime;a;b;time;c;d\n", ImportRecipe(tables="each")
    same = [_file(head + "".join(f"{t};{n}1;2;{t};3;{n}4\n" for t in range(1, 5)), n) for n in range(1, 8)]
    other = _file(head + "".join(f"{t};1;2;{t}.5;3;4\n" for t in range(1, 5)), 9)
    assert single_tables(same, recipe) == same
    assert len(single_tables([*same, other], recipe)) == 9


def test_a_head_of_several_tables_is_split_in_every_file() -> None:
    head, recipe = "Lauf {n};;;\n;run 1;;run 2;\ntime;a;b;c;d\n", ImportRecipe(tables="each")
    files = [_file(head + "".join(f"{t};{n}1;2;3;{n}4\n" for t in range(1, 5)), n) for n in range(1, 8)]
    each = [len(single_tables([file], recipe)) for file in files]
    assert len(single_tables(files, recipe)) == sum(each)
