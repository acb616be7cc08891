"""Decimal commas and thousands separators are read where the numbers prove them; what proves nothing is a sentence, never a guess."""

import csv
import io

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hemcore.datasets import CounterSeries, SignatureTable, Subexperiments
from hemcore.datasets.readers.number_marks import decimal_sign, plain_head, plain_numbers
from hemcore.datasets.readers.recognition import read_upload, recognise
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.errors import ReadError

# Name -> how a number is written: (decimal mark, thousands separator).
STYLES = {
    "plain": (".", ""),
    "German": (",", "."),
    "German, no groups": (",", ""),
    "French": (",", " "),
    "French, no-break": (",", "\u00a0"),
    "French, narrow": (",", "\u202f"),
    "Swiss": (".", "'"),
    "Swiss, curly": (".", "’"),
    "English": (".", ","),
    "SI": (".", "\u2009"),
}
SUBEXPERIMENTS = [
    ["X1", "X24", "X1.1", "X110"],
    [2_000_345.25, 300, 2_100.5, 400],
    [1_234, 301.75, 2_101, 401],
    [12_345_678, 999, 7_000, 402],
]
SERIES = [
    ["time", "program", "run", "stage", "A", "B"],
    [0.5, "qsort", 1, "init", 12_345.5, 1],
    [1.25, "qsort", 1, "main, sort", 2_345, 2],
    [1_000.75, "qsort", 1, "", 1_234_567, 3],
]
PHASES = [
    ["program", "phase", "interval", "CYCLES", "Ir"],
    ["sort", "a", 1, 1_000_000, 0.5],
    ["sort", "b", 2, 12_345.5, 1_234],
    ["heap", "a", 1, 999, 7_654_321.125],
]
SIGNATURES = [["JOBID", "CPI", "TPI", "MEM_GBS", "GFLOPS"], [1, 0.5, 0.125, 1_234.5, 1_000_000.25], [2, 0.4, 0.1, 20, 90]]
TABLES = {"subexperiments": SUBEXPERIMENTS, "series": SERIES, "phases": PHASES, "signatures": SIGNATURES}


def written(rows: list[list], style: str, separator: str = ";", encoding: str = "utf-8", newline: str = "\n") -> bytes:
    decimal, group = STYLES[style]

    def text(value: object) -> str:
        if isinstance(value, str):
            return value
        return f"{value:,}".replace(",", "G").replace(".", decimal).replace("G", group)

    target = io.StringIO()
    csv.writer(target, delimiter=separator, lineterminator=newline).writerows([[text(cell) for cell in row] for row in rows])
    return target.getvalue().encode(encoding)


def read(content: bytes, name: str = "qsort.csv") -> object:
    return read_upload([UploadedFile(name, content)]).table


def assert_same(one: object, two: object) -> None:
    assert type(one) is type(two)
    if isinstance(one, Subexperiments) and isinstance(two, Subexperiments):
        pairs = list(zip(one.frames, two.frames, strict=True))
    elif isinstance(one, CounterSeries) and isinstance(two, CounterSeries):
        pairs = [(one.intervals, two.intervals), (one.counts, two.counts)]
    else:
        assert isinstance(one, SignatureTable)
        assert isinstance(two, SignatureTable)
        pairs = [(one.frame, two.frame)]
    for left, right in pairs:
        pd.testing.assert_frame_equal(left, right, check_exact=True)


@pytest.mark.slow
@pytest.mark.parametrize("style", [name for name in STYLES if name != "plain"])
@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.sweep
def test_every_style_reads_as_the_plain_table(kind: str, style: str) -> None:
    separator = ";" if kind == "signatures" else ","
    assert_same(read(written(TABLES[kind], style)), read(written(TABLES[kind], "plain", separator)))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["subexperiments", "series", "phases"])
@pytest.mark.parametrize(
    ("style", "separator", "encoding", "newline"),
    [
        ("German", "\t", "utf-8", "\n"),
        ("German", ",", "utf-8", "\n"),
        ("English", ",", "utf-8", "\r\n"),
        ("English", "\t", "utf-16", "\r\n"),
        ("German", ";", "utf-8-sig", "\r\n"),
        ("German", ";", "utf-16", "\r\n"),
        ("French, no-break", ";", "latin-1", "\n"),
        ("French, narrow", ";", "utf-16", "\r\n"),
        ("French", ",", "utf-8-sig", "\n"),
        ("German, no groups", ";", "utf-8", "\r"),
        ("Swiss", "\t", "utf-8", "\n"),
        ("plain", ";", "utf-16", "\n"),
        ("plain", "\t", "utf-8-sig", "\r\n"),
    ],
)
@pytest.mark.sweep
def test_separators_encodings_and_ends_of_line(kind: str, style: str, separator: str, encoding: str, newline: str) -> None:
    content = written(TABLES[kind], style, separator, encoding, newline)
    assert_same(read(content), read(written(TABLES[kind], "plain", ",")))


def test_excel_says_its_separator_in_the_first_line() -> None:
    plain = read(written(SERIES, "plain", ","))
    for first in (b"sep=;\r\n", b'"sep=;"\n', b"SEP=;\n"):
        assert_same(read(first + written(SERIES, "German")), plain)
    with pytest.raises(ReadError, match="line 4, column 'A': 'x' is not a number"):
        read(b"sep=;\ntime;A;B,C\n1;5;2\n2;x;2\n")
    with pytest.raises(ReadError, match="the file is empty"):
        read(b"sep=;\n")


def test_what_was_taken_is_noted() -> None:
    result = read_upload([UploadedFile("f.csv", written(SERIES, "German"))])
    assert result.notes == (
        "f.csv: commas were read as decimal marks, as in '0,5'.",
        "f.csv: thousands separators were removed, as in '12.345,5'.",
    )
    assert read_upload([UploadedFile("f.csv", written(SERIES, "plain"))]).notes == ()


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (["1,234", "5"], "f.csv: line 3, column 'A': '1,234' may be 1.234 or 1234, and no other number in the file settles which."),
        (["1,234", "12.5"], "f.csv: line 3, column 'A': '1,234' may be 1.234 or 1234"),
        (["1,234", "1.234"], "f.csv: line 3, column 'A': '1,234' may be 1.234 or 1234"),
        (["1,5", "1.234"], "f.csv: line 3, column 'B': '1.234' may be 1.234 or 1234"),
        (["1,5", "0.5"], "line 3, column 'A': '1,5' has ',' as a decimal mark, but line 3, column 'B': '0.5' has '.' as one."),
        (["0,123", "1,234,567"], "'0,123' has ',' as a decimal mark, but line 3, column 'B': '1,234,567' has it between thousands."),
        (["1,234.5", "1.234,5"], "'1.234,5' has ',' as a decimal mark, but line 3, column 'A': '1,234.5' has it between thousands"),
        (["1,234,567", "1.234.567"], "'1,234,567' has ',' as a thousands separator, but line 3, column 'B': '1.234.567' has '.' as one"),
        (["1.234.567", "12.5"], "'12.5' has '.' as a decimal mark, but line 3, column 'A': '1.234.567' has it between thousands"),
        (["1,23,456", "1,5"], "'1,5' has ',' as a decimal mark, but line 3, column 'A': '1,23,456' has it between thousands"),
        (["12 34", "1,5"], "line 3, column 'A': '12 34' is not a number"),
    ],
)
def test_what_proves_nothing_or_opposite_things_is_told(cells: list[str], said: str) -> None:
    content = ("A;B\n1;2\n" + ";".join(cells) + "\n").encode()
    with pytest.raises(ReadError) as error:
        read(content, "f.csv")
    assert said in str(error.value)


def test_what_is_not_clear_is_told_for_a_series_too() -> None:
    with pytest.raises(ReadError, match="f.csv: line 2, column 'A': '1,234' may be 1.234 or 1234"):
        read(b"time;A\n1;1,234\n2;2,345\n", "f.csv")


@pytest.mark.parametrize(
    ("cells", "plain"),
    [
        ("1,234;0,5", "1.234;0.5"),
        ("1,234;1,234,567", "1234;1234567"),
        ("1,234;1,234.5", "1234;1234.5"),
        ("1.234;1.234.567", "1234;1234567"),
        ("1.234;1.234,5", "1234;1234.5"),
        ("0,123;12", "0.123;12"),
        ("1234,567;12", "1234.567;12"),
        ("1,234e3;12", "1.234e3;12"),
        ("-1,5;+2,5E-3", "-1.5;+2.5E-3"),
        (",5;12", ".5;12"),
        ("1 234;12", "1234;12"),
        ("1 234,567;12", "1234.567;12"),
        (' 1,5 ;"2,5"', '1.5 ;"2.5"'),
        ("1.234;12.5", "1.234;12.5"),  # points alone are decimal marks, as ever
        ("1.234;12", "1.234;12"),
        ("a, b;1,5 x", "a, b;1,5 x"),
        ("12.;1,5", "12.;1.5"),
    ],
)
def test_what_each_number_becomes(cells: str, plain: str) -> None:
    text, notes = plain_numbers("f", ["A", "B"], f"A;B\n{cells}\n", ";")
    assert text == f"A;B\n{plain}\n"
    assert bool(notes) == (text != f"A;B\n{cells}\n")


def test_the_header_is_left_as_it_is() -> None:
    header = "1,5;2.345.678;1 234"
    assert plain_numbers("f", header.split(";"), f"\n{header}\n1,5;2;3\n", ";")[0] == f"\n{header}\n1.5;2;3\n"


def test_between_commas_only_quoted_numbers_have_commas() -> None:
    text = 'a,b,c\n1,234,567\n"1,5",0,234\n'
    assert plain_numbers("f", ["a", "b", "c"], text, ",")[0] == 'a,b,c\n1,234,567\n"1.5",0,234\n'
    assert plain_numbers("f", ["a", "b", "c"], "a,b,c\n1,234,567\n", ",") == ("a,b,c\n1,234,567\n", [])


def test_a_head_that_does_not_tell_is_still_numbers() -> None:
    assert plain_head("A;B\n1,234;1.234.567\nx;12,5\n", ";") == "A;B\n1.234;1234567\nx;12.5\n"
    rows = "".join(f"{time};1,{100 + time % 7}\n" for time in range(300)) + "300;0,5\n"
    (match, *_) = recognise([UploadedFile("f.csv", f"time;A\n{rows}".encode())])
    assert match.key == "series_wide"
    table = read(f"time;A\n{rows}".encode())
    assert isinstance(table, CounterSeries)
    assert table.counts["A"].iloc[[0, 5, -1]].tolist() == [1.1, 1.105, 0.5]


def test_cumulative_counters_with_decimal_commas_are_recognised() -> None:
    content = "time;A\n" + "".join(f"{time / 2};{time * 1_000_000 + 3}\n".replace(".", ",") for time in range(20))
    assert recognise([UploadedFile("f.csv", content.encode())])[0].key == "series_cumulative"
    table = read(content.encode())
    assert isinstance(table, CounterSeries)
    assert table.interval_unit == "0.5 s"
    assert table.counts["A"].unique().tolist() == [1_000_000]


def test_readings_that_no_float_holds_stay_exact_beside_decimal_commas() -> None:
    start = 2**60
    content = "time;A\n" + "".join(f"{time},5;{start + time}\n" for time in range(3))
    table = read_upload([UploadedFile("f.csv", content.encode())], format_key="series_cumulative").table
    assert isinstance(table, CounterSeries)
    assert table.counts["A"].tolist() == [1, 1]


numbers = st.one_of(
    st.integers(0, 10**9), st.floats(0, 1e6, allow_nan=False).map(lambda value: round(value, 3)), st.sampled_from([0.5, 1234567.25])
)


@pytest.mark.slow
@settings(deadline=None, max_examples=150)
@given(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=5), st.sampled_from(sorted(STYLES)))
def test_a_table_in_any_style_is_read_right_or_told(rows: list[tuple], style: str) -> None:
    try:
        text, _ = plain_numbers("f", ["A", "B"], written([["A", "B"], *map(list, rows)], style).decode(), ";")
    except ReadError as error:
        assert "may be" in str(error)  # noqa: PT017
        return
    found = pd.read_csv(io.StringIO(text), sep=";").to_numpy(dtype=float).tolist()
    # Points alone are decimal marks: a table that has no comma and no group twice is read so.
    if style != "German" or "," in written([list(row) for row in rows], style).decode():
        assert found == [[float(one), float(two)] for one, two in rows]


@settings(deadline=None, max_examples=200)
@given(st.text(alphabet="0123456789.,;' \n\r\"eE+-ax\u00a0\t", max_size=60), st.sampled_from(";,\t"))
def test_any_text_is_taken_or_told(text: str, separator: str) -> None:
    try:
        plain, _ = plain_numbers("f", ["a"], text, separator)
    except ReadError as error:
        assert str(error).startswith("f: ")  # noqa: PT017
    else:
        assert plain.count("\n") == text.count("\n")
    plain_head(text, separator)


def test_the_decimal_sign_that_numbers_prove() -> None:
    signs = {"1,5": ",", "1.234.567": ",", "1.5": ".", "1,234,567": ".", "1,234": "", "1,5;1,234,567": "", "7": ""}
    assert {cells: decimal_sign(f"A;B\n{cells}\n", ";") for cells in signs} == signs
