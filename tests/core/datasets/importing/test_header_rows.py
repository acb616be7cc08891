"""Rows of names above a table, each rule on two or three rows."""

import pytest

from hemcore.datasets.importing.header_rows import has_second_header, is_grouped, is_header, is_level, joined, names_rows
from hemcore.datasets.importing.raw_grid import RawGrid, grid_of
from hemcore.datasets.readers.uploaded_files import UploadedFile


def grid(text: str) -> RawGrid:
    return grid_of(UploadedFile("a.csv", (text.replace("|", "\n") + "\n").encode()), "")


@pytest.mark.parametrize(
    ("row", "least", "expected"),
    [
        ("a,b", 2, True),
        ("a,b", 3, False),
        ("a,1", 2, True),
        ("a,1,2", 2, False),
        ("event,1,2", 2, True),
        ("1,2", 1, False),
        (",a", 2, True),
    ],
)
def test_most_cells_of_a_header_are_words(row: str, least: int, expected: bool) -> None:
    assert is_header(row.split(","), least) == expected


@pytest.mark.parametrize(
    ("text", "rows", "expected"),
    [
        (",a,b|run,,|1,2,3", 1, True),
        ("x,a,b|run,,|1,2,3", 1, False),
        ("x,a,b|run,,|1,2,3", 2, True),
        ("event,a,b|run,,|1,2,3", 1, True),
        ("event,a,b|foo,,|1,2,3", 1, False),
        (",,a,b|x,y,,|1,2,3,4", 1, True),  # an index of two columns
        (",,a,b|x,y,,|1,2,3,4", 2, False),
        (",a|7,|1,2", 1, False),
    ],
)
def test_a_row_under_the_header_names_the_rows(text: str, rows: int, expected: bool) -> None:
    assert names_rows(grid(text), 0, rows) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a,a,b|x,y,x|run|1,2,3,4", True),
        ("a,b,c|x,y,x|run|1,2,3,4", False),  # no name comes again
        ("a,a,b|,y,x|run|1,2,3,4", True),
        ("a,a,b|x,y,x|5|1,2,3,4", False),
        ("a,a,b|x,y,x|run,z|1,2,3,4", False),
    ],
)
def test_a_second_level_of_names(text: str, expected: bool) -> None:
    assert is_level(grid(text), 1) == expected
    assert not is_level(grid(text), 0)


@pytest.mark.parametrize(
    ("text", "header", "above", "expected"),
    [
        ("Core 0,,Core 1,|a,b,a,b|1,2,3,4", 1, [0, 1], True),
        ("Core 0,,Core 1,|a,b,c,d|1,2,3,4", 1, [0, 1], True),
        ("x,y,z,w|a,b,a,b|1,2,3,4", 1, [0, 1], False),
        ("Core 0,,Core 1,||a,b,a,b|1,2,3,4", 2, [0, 2], False),  # a blank row between them
        ("Title,,,|a,b,a,b|1,2,3,4", 1, [0, 1], False),
        ("Core 0,,5,|a,b,a,b|1,2,3,4", 1, [0, 1], False),
        ("a,b,a,b|1,2,3,4", 0, [0], False),
        ("1,2,3,4|a,b,a,b", 1, [1], False),
    ],
)
def test_groups_of_columns_have_blanks_and_names_that_come_again(text: str, header: int, above: list[int], expected: bool) -> None:
    assert is_grouped(grid(text), header, above) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("time,cycles|Unit clock,CPU clock|1,2", True),
        ("foo,bar|time,run|1,2", False),  # the row below knows more of the words
        ("time,,c|Unit clock,a,b|1,2,3", False),
        ("time,time|Unit clock,CPU clock|1,2", False),
        ("# a,b,c|d,e|1,2", False),
        ("time,cycles,misses|Unit clock,CPU clock|1,2,3", True),
        ("time|Unit clock,CPU clock|1,2", False),
        ("#,a|#,b|1,2", True),
        ("#,a|x,b|1,2", False),
    ],
)
def test_a_row_that_describes_the_names_above_it(text: str, expected: bool) -> None:
    assert has_second_header(grid(text), 1, [0, 1], 2) == expected
    assert not has_second_header(grid(text), 1, [1], 2)


def test_groups_are_joined_to_names_but_not_to_times() -> None:
    assert joined(["", "Core 0", "", "Core 1"], ["time", "a", "b", "a"]) == ["time", "Core 0 a", "Core 0 b", "Core 1 a"]
    assert joined(["Time", "A"], ["", "x", "y"]) == ["Time", "A x", "A y"]
