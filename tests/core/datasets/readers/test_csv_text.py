"""Delimited text is taken as it stands, and every fault is told by line and column."""

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hemcore.datasets.readers.csv_text import header_of, number_table
from hemcore.errors import HemError, ReadError


def table(text: str | bytes) -> object:
    return number_table("f.csv", text.encode() if isinstance(text, str) else text)[0]


def said_of(text: str | bytes) -> str:
    with pytest.raises(ReadError) as error:
        table(text)
    return str(error.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "f.csv: the file is empty"),
        (" \n\n", "f.csv: the file is empty"),
        (b"\xef\xbb\xbf", "f.csv: the file is empty"),
        (b"\xc2\xa0", "f.csv: the file is empty"),
        (bytes(range(256)), "f.csv: not a text file"),
        ("a,b\n1,2\n".encode("utf-16") + b"x", "f.csv: not a text file"),  # half a character
        ("".encode("utf-16"), "f.csv: the file is empty"),
        ("a,b", "f.csv: a header and no row"),
        ("a,b\n", "f.csv: a header and no row"),
        ("a,b\r\n\r\n", "f.csv: a header and no row"),
        ("a\n1\n2\n", "f.csv: one column, 'a'; at least two HEMs are needed"),
        ("a,b\n1,2\n3,lots\n", "f.csv: line 3, column 'b': 'lots' is not a number"),
        ("a,b\n1,2\n\n3,x\n", "f.csv: line 4, column 'b': 'x' is not a number"),
        ("a,b\n1,2\n   \n3,x\n", "f.csv: line 4, column 'b': 'x' is not a number"),
        ("\n\na,b\n1,x\n", "f.csv: line 4, column 'b': 'x' is not a number"),
        ('a,b\n"1","2"\n"3","x"\n', "f.csv: line 3, column 'b': 'x' is not a number"),
        ("a,b\n1_000,2\n", "f.csv: line 2, column 'a': '1_000' is not a number"),
        ("a;b\n1,5;2\n1,5,5;2\n", "f.csv: line 3, column 'a': '1,5,5' is not a number"),
        ("a,b\n1,2\n" + "1,2\n" * 3000 + "1,\x00\n", "f.csv: line 3003, column 'b'"),
        ("a,b\nTrue,1\nFalse,2\n", "f.csv: line 2, column 'a': 'True' is not a number"),
        ("a,b\n,1\nTrue,2\n", "f.csv: line 3, column 'a': 'True' is not a number"),
        ("a,b\n1,2,3\n4,5,6\n", "f.csv: line 2 has 3 cells, the header 2"),
        ("a,b\n1,2\n3\n", "f.csv: line 3 has 1 cells, the header 2"),
        ("a,b\n1,2\n3,4,5\n", "f.csv: line 3 has 3 cells, the header 2"),
        ('"",a,b\n"1",2,3\n"2",4\n', "f.csv: line 3 has 2 cells, the header 3"),
        ('"",a,b\n"1",2,3,7\n"2",4,5,6\n', "f.csv: line 2 has 4 cells, the header 3"),
        ("a,,b\n1,2,3\n", "f.csv: line 1, column 2 has no name"),
        ('"",a,,b\n1,2,3,4\n', "f.csv: line 1, column 3 has no name"),
        ("a" * 200_000, "f.csv: the first line is not a header"),
        (';"a\n;b', "f.csv: the first line is not a header (a quotation mark is left open)"),
        ("9" * 5_000 + ",b\n1,2\n", "f.csv: line 1 has a name of 5,000 characters"),
    ],
)
def test_a_wrong_file_is_told_where(text: str | bytes, said: str) -> None:
    assert said in said_of(text)


@pytest.mark.parametrize(
    "text",
    [
        "a,b\n1,2\n3,4\n",
        "a,b\n1,2\n3,4",
        "a;b\n1;2\n3;4\n",
        "a\tb\n1\t2\n3\t4\n",
        "a, b\n1, 2\n3, 4\n",
        "a,b\r\n1,2\r\n3,4\r\n",
        "a,b\r1,2\r3,4\r",
        "\ufeffa,b\n1,2\n3,4\n",
        '"a","b"\n1,2\n3,4\n',
        '"a","b"\n"1","2"\n"3","4"\n',
        "\n\na,b\n1,2\n\n3,4\n",
        '"","a","b"\n"1",1,2\n"2",3,4\n',
    ],
)
def test_every_spelling_of_one_table(text: str) -> None:
    read = table(text)
    assert list(read.columns) == ["a", "b"]  # type: ignore[attr-defined]
    assert read.to_numpy().tolist() == [[1, 2], [3, 4]]  # type: ignore[attr-defined]


def test_names_in_latin_1_and_utf_8() -> None:
    for encoding in ("latin-1", "utf-8"):
        assert list(table("Zähler,Durchläufe\n1,2\n".encode(encoding)).columns) == ["Zähler", "Durchläufe"]  # type: ignore[attr-defined]
    # Not every character that Unicode calls a line end is one.
    assert list(table(b"a\x85c,b\n1,2\n").columns) == ["a\x85c", "b"]  # type: ignore[attr-defined]


def test_quoted_names_may_hold_separators() -> None:
    assert list(table('"a,b",c\n1,2\n').columns) == ["a,b", "c"]  # type: ignore[attr-defined]
    assert list(table('"a;b;c",d\n1,2\n').columns) == ["a;b;c", "d"]  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["<img src=x onerror=alert(1)>", "=cmd()", "+1", "@x", "-x", "../a", "{0}", "%s", "a.1"])
def test_a_name_is_data_whatever_it_looks_like(name: str) -> None:
    assert list(table(f"{name},b\n1,2\n").columns) == [name, "b"]  # type: ignore[attr-defined]


def test_the_same_name_may_stand_twice() -> None:
    read = table("a,a,b\n1,2,3\n")
    assert list(read.columns) == ["a", "a", "b"]  # type: ignore[attr-defined]
    assert read.iloc[0].tolist() == [1, 2, 3]  # type: ignore[attr-defined]


def test_the_column_of_row_names_is_left_out_and_noted() -> None:
    read, notes = number_table("f.csv", b'"","a","b"\n"first",1,2\n"second",3,4\n')
    assert list(read.columns) == ["a", "b"]
    assert notes == ["f.csv: the first column has no name and was read as row numbers."]


def test_no_note_where_nothing_was_done() -> None:
    assert number_table("f.csv", b"a,b\n1,2\n")[1] == []


def test_empty_cells_and_na_are_missing() -> None:
    read = table("a,b\n,2\nNA,4\n5,6\n")
    assert np.isnan(read["a"].iloc[:2]).all()  # type: ignore[index]
    assert read["b"].tolist() == [2, 4, 6]  # type: ignore[index]


def test_infinite_cells_are_missing_and_noted() -> None:
    read, notes = number_table("f.csv", b"a,b\n1,inf\n-Inf,2\n3,4\n")
    assert np.isfinite(read.to_numpy()).sum() == 4
    assert read.isna().sum().tolist() == [1, 1]
    assert notes == ["f.csv: 2 infinite values were treated as missing."]


def test_large_whole_numbers_stay_exact() -> None:
    assert table(f"a,b\n{2**62 + 1},1\n")["a"].tolist() == [2**62 + 1]  # type: ignore[index]


def test_header_of_gives_separator_and_cells() -> None:
    assert header_of("f.csv", b"\n a ; b\n1;2\n")[:2] == (["a", "b"], ";")


# Whatever bytes are sent, what is wrong with them is a sentence.
@settings(deadline=None)
@given(st.one_of(st.binary(max_size=200), st.text(alphabet='ab1,;\t\n\r" \x85\x00é.-', max_size=60).map(str.encode)))
def test_any_bytes_give_numbers_or_a_sentence(content: bytes) -> None:
    try:
        read, _ = number_table("f.csv", content)
    except HemError as error:
        assert str(error).startswith("f.csv: ")  # noqa: PT017
    else:
        assert len(read) > 0
        assert all(kind.kind in "iuf" for kind in read.dtypes)
        assert not np.isinf(read.to_numpy(dtype=float)).any()


@pytest.mark.slow
def test_two_hundred_thousand_rows() -> None:
    values = np.random.default_rng(0).integers(0, 10**6, (200_000, 12))
    text = ",".join(f"h{number}" for number in range(12)) + "\n" + "\n".join(",".join(map(str, row)) for row in values.tolist()) + "\n"
    started = time.perf_counter()
    read = table(text)
    print(f"200,000 rows x 12: {time.perf_counter() - started:.2f} s")
    assert np.array_equal(read.to_numpy(), values)  # type: ignore[attr-defined]
