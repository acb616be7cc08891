"""Tables of numbers alone are read in one pass; whatever needs a closer look is not, and both ways give the same."""

import numpy as np
import pytest

from hemcore.datasets.importing import parts
from hemcore.datasets.importing.one_pass import number_tables
from hemcore.datasets.importing.one_pass.number_tables import NumbersAlone
from hemcore.datasets.importing.parts import read_part
from hemcore.datasets.importing.recipe import ImportRecipe
from hemcore.datasets.readers.known_files import remembered
from hemcore.datasets.readers.uploaded_files import UploadedFile

TABLE = b"time,cycles,misses\n0.1,10,3\n0.25,20,4.125\n"


def _found(content: bytes) -> NumbersAlone | None:
    return number_tables.numbers_alone(UploadedFile("a.csv", content))


def test_cells_and_numbers() -> None:
    table = _found(TABLE)
    assert table is not None
    assert table.names == ("time", "cycles", "misses")
    assert table.numbers.tolist() == [[0.1, 10, 3], [0.25, 20, 4.125]]
    assert table.column(2).tolist() == ["3", "4.125"]
    assert table.texts().loc[3].tolist() == ["0.25", "20", "4.125"]
    assert table.index.tolist() == [2, 3]
    assert table.decimal == "."


@pytest.mark.parametrize(
    ("body", "decimal"),
    [(b"1,2\n3,4\n", ""), (b"1,1.234\n3,4\n", ""), (b"1,0.234\n3,4\n", "."), (b"1,1234.567\n3,4\n", "."), (b"1,1.23\n3,4\n", ".")],
)
def test_a_point_proves_itself_unless_it_may_stand_between_thousands(body: bytes, decimal: str) -> None:
    table = _found(b"t,a\n" + body)
    assert table is not None
    assert table.decimal == decimal


@pytest.mark.parametrize(
    "content",
    [
        b"", b"a,b\n", b"a,b\n1,2\n", b"a\n1\n2\n", b"a,b\n1,2\n\n3,4\n", b"a,b\n1,2\n3,\n", b"a,b\n1,2\n3,-4\n", b"a,b\n1,2\n3,+4\n",
        b"a,b\n1,2\n3,4,5\n", b"a,b\n1,2\n3,x\n", b"a,b\n1,2\n3, 4\n", b"a,b\n1,2\n3,4e5\n", b"a,b\n1,2\n3,.5\n", b"a,b\n1,2\n3,5.\n",
        b"a,b\n1,2\n3;4\n", b"a,b,\n1,2,3\n4,5,6\n", b'"a",b\n1,2\n3,4\n', b"a=1,b\n1,2\n3,4\n", b"k: v,b\n1,2\n3,4\n", b"1,2\n3,4\n5,6\n",
        "ä,b\n1,2\n3,4\n".encode(), b"\xef\xbb\xbfa,b\n1,2\n3,4\n", b"a,b\r1,2\r3,4\r", b"a,b\n1,2\n3,4\n\0", b"a,b\n1,2\n3,1.234.567\n",
        b"a,b\n1,2\n3," + b"4" * 31 + b"\n", b"a;b\n1,234;2\n3;4\n", b"a;b\n1,5;2\n3;4.5\n", b"a;b\n1,5;2\n3;1,234,567\n",
        b"a,x;b\n1,5;2\n3;4\n", b"a;b\n1;2\n3,5;4\n",
    ],
)  # fmt: skip
def test_what_needs_a_closer_look_is_not_taken(content: bytes) -> None:
    assert _found(content) is None


def test_a_large_table_is_read_in_blocks_as_a_small_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(number_tables, "_BLOCK", 30)  # two rows
    content = b"t,a\r\n" + b"".join(b"%d.5,%d\r\n" % (row, 10**16 + row) for row in range(1_200))
    table = _found(content)
    assert table is not None
    assert table.numbers[:, 0].tolist() == [row + 0.5 for row in range(1_200)]
    assert table.numbers[:, 1].tolist() == [float(10**16 + row) for row in range(1_200)]
    assert table.column(0).tolist() == [f"{row}.5" for row in range(1_200)]
    assert (table.column(0).dtype, table.index[0], table.index[-1]) == ("str", 2, 1_201)
    without_end = _found(content.removesuffix(b"\r\n"))
    assert without_end is not None
    assert np.array_equal(without_end.numbers, table.numbers)
    assert _found(content + b"1,\n") is None
    assert _found(content + b"\n") is None


def test_the_decimal_sign_is_judged_by_the_first_2000_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(number_tables, "_BLOCK", 100)
    rows = b"1,1.234\n" * 1_999
    proved = _found(b"t,a\n" + rows + b"2,0.5\n" + rows)
    late = _found(b"t,a\n" + rows + b"1,1.234\n2,0.5\n" + rows)
    assert proved is not None
    assert late is not None
    assert (proved.decimal, late.decimal) == (".", "")


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("header", ["time,cycles,L1-dcache misses", ",a,b", "#t,a,a", "12:00:01,a,b", "Zeit (ms),a,%b"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_both_ways_give_the_same(separator: str, header: str, end: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = ["1.5,2,3", "2.5,007,1.234", "20260304,5,6"]
    file = UploadedFile("a.csv", (end.join([header, *rows, ""])).replace(",", separator).encode())
    quick = read_part(file, ImportRecipe())
    monkeypatch.setattr(parts, "_of_numbers_alone", lambda *_: None)
    slow = read_part(file, ImportRecipe())
    assert (quick.names, quick.decimal, quick.repairs, quick.notes) == (slow.names, slow.decimal, slow.repairs, slow.notes)
    assert quick.found == slow.found
    assert quick.texts.to_numpy().tolist() == slow.texts.to_numpy().tolist()
    assert quick.rows.tolist() == slow.rows.tolist()
    assert quick.grid.whole == slow.grid.whole
    assert quick.is_numbers_alone == (header[0] not in "1")
    places = range(len(quick.names))
    assert all(np.array_equal(quick.numbers(place), slow.numbers(place)) for place in places)
    assert np.array_equal(quick.plain_counts([2, 1]), slow.plain_counts([2, 1]))  # type: ignore[arg-type]


@pytest.mark.parametrize(("cells", "proof"), [("0;1,234;1,5", "1,5"), ("0,0;0,25;1,234", "0,0")])
def test_decimal_commas_are_read_as_the_long_way_reads_them(cells: str, proof: str, monkeypatch: pytest.MonkeyPatch) -> None:
    file = UploadedFile("a.csv", f"t;a;b\n{cells}\n1;2;3\n2;4,5;77\n".encode())
    quick = read_part(file, ImportRecipe())
    monkeypatch.setattr(parts, "_of_numbers_alone", lambda *_: None)
    slow = read_part(file, ImportRecipe())
    assert (quick.is_numbers_alone, slow.is_numbers_alone) == (True, False)
    assert (quick.names, quick.decimal, quick.notes) == (slow.names, slow.decimal, slow.notes)
    assert quick.notes == [f"a.csv: commas were read as decimal marks, as in {proof!r}."]
    assert quick.texts.to_numpy().tolist() == slow.texts.to_numpy().tolist()
    assert np.array_equal(quick.plain_counts([0, 1, 2]), slow.plain_counts([0, 1, 2]))  # type: ignore[arg-type]
    assert quick.numbers(1).tolist()[2] == 4.5


@pytest.mark.parametrize("recipe", [{"header_row": 1}, {"units_row": 2}, {"skip_rows": (2,)}, {"decimal": ","}, {"header_row": -1}])
def test_what_was_chosen_is_read_the_long_way(recipe: dict[str, object]) -> None:
    without_decimals = TABLE.replace(b"0.", b"")  # which contradict a decimal comma
    assert not read_part(UploadedFile("a.csv", without_decimals), ImportRecipe(**recipe)).is_numbers_alone  # type: ignore[arg-type]


def test_only_whole_files_are_taken() -> None:
    assert not read_part(UploadedFile("a.csv", TABLE), ImportRecipe(), limit=len(TABLE) - 1).is_numbers_alone
    assert read_part(UploadedFile("a.csv", TABLE), ImportRecipe(), limit=len(TABLE)).is_numbers_alone


def test_what_was_found_of_a_file_is_kept_while_there_is_room() -> None:
    asked = []

    @remembered(most=2)
    def name_of(file: UploadedFile) -> str:
        asked.append(file.name)
        return file.name

    one, two, three = (UploadedFile(name, name.encode()) for name in "abc")
    assert [name_of(each) for each in (one, two, one, two)] == ["a", "b", "a", "b"]
    assert asked == ["a", "b"]
    name_of(three)
    name_of(one)
    assert asked == ["a", "b", "c", "a"]


def test_cells_that_are_let_go_of_leave_the_numbers_of_rows() -> None:
    part = read_part(UploadedFile("a.csv", b"t,a\n1,2\n\n3,x\n"), ImportRecipe())
    part.forget_cells()
    assert part.rows.tolist() == [2, 4]
    assert part.texts.shape == (2, 0)


def test_files_of_one_header_are_recognised_by_one_example() -> None:
    one, other, longer = (
        UploadedFile(name, TABLE[:20] + body)
        for name, body in (("a.csv", b"1,2,3\n4,5,6\n"), ("b.csv", b"7,8,9\n1,1,1\n"), ("c.csv", b"1,2.5,3\n" * 9))
    )
    assert number_tables.like(one) is number_tables.like(other) is number_tables.like(longer)
    assert number_tables.like(one).content == b"time,cycles,misses\n1,1,1\n1,1,1\n"
    # Words, a sign, commas that prove nothing or another header: what stands in the cells matters.
    for content in (b"time,a\n1,x\n2,y\n", b"time,a\n1,-2\n2,3\n", b"time;a\n1;2,345\n2;3,456\n"):
        file = UploadedFile("d.csv", content)
        assert number_tables.like(file) is file
    assert number_tables.like(UploadedFile("d.csv", b"time;a\n1;2,345\n2;3,5\n")).content == b"time;a\n1;1,1\n1;1,1\n"
    assert number_tables.like(UploadedFile("e.csv", b"time;cycles;misses\n1;2;3\n4;5;6\n")) is not number_tables.like(one)


def test_numbers_that_blanks_or_records_part_are_read_in_one_pass_where_they_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    blanks = b"t a b\n" + b"".join(b"%d.5  %d %d\n" % (row, row % 7, row * row) for row in range(20_000))
    lines = b"".join(b"cpu a=%di,b=%di %d\n" % (row % 7, row * row, 1_700_000_000 + row) for row in range(20_000))
    for name, content in (("a.txt", blanks[:-1]), ("b.txt", lines)):
        file = UploadedFile(name, content)
        quick = read_part(file, ImportRecipe(), limit=None)
        assert quick.is_numbers_alone
        with monkeypatch.context() as patch:
            patch.setattr(parts, "_of_numbers_alone", lambda *_: None)
            long = read_part(file, ImportRecipe(), limit=None)
        assert not long.is_numbers_alone
        assert (quick.names, quick.decimal, quick.notes, quick.repairs) == (long.names, long.decimal, long.notes, long.repairs)
        assert quick.ends_open == long.ends_open == (name == "a.txt")
        assert quick.texts.to_numpy().tolist() == long.texts.to_numpy().tolist()
        assert quick.rows.tolist() == long.rows.tolist()
