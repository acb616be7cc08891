"""Where a table begins: the rows of names, of units and of titles in a few lines, rows numbered from 0."""

import pytest

from hemcore.datasets.importing.header_search import NoTableError, find_table, usual_table
from hemcore.datasets.importing.inspection import inspect
from hemcore.datasets.importing.raw_grid import grid_of
from hemcore.datasets.importing.recipe import ImportRecipe
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.errors import ReadError


@pytest.mark.parametrize(
    ("text", "header", "rows", "units", "first", "names"),
    [
        ("time,cycles|1,5|2,6", 0, 1, -1, 1, "time,cycles"),
        ("time,cycles|ms,1|10,5|20,6", 0, 1, 1, 2, "time,cycles"),
        ("time,power|ms,mW|10,5|20,6", 0, 1, 1, 2, "time,power"),
        ("date,a,b|date,1,1|2026-01-01,500,6|2026-01-02,510,7", 0, 1, 1, 2, "date,a,b"),
        # Their first cells are units, too, and so are 1 and 10 to any power: but a unit stands over numbers.
        ("program,faults|a,1|b,5|c,7", 0, 1, -1, 1, "program,faults"),
        ("event,value|cycles,1000|misses,12", 0, 1, -1, 1, "event,value"),
        ("Report of Monday||time,cycles|1,5|2,6", 2, 1, -1, 3, "time,cycles"),
        ("Report,Monday|Machine,box|time,cycles,misses|1,5,6|2,6,7", 2, 1, -1, 3, "time,cycles,misses"),
        ("time,cycles,misses|Time of sample,CPU clock,Cache misses|1,2,3|4,5,6", 0, 1, -1, 2, "time,cycles,misses"),
        (",Core 0,,Core 1,|time,a,b,a,b|1,2,3,4,5|2,3,4,5,6", 1, 2, -1, 2, "time,Core 0 a,Core 0 b,Core 1 a,Core 1 b"),
        ("cycles misses|1 10 20|2 30 40", 0, 1, -1, 1, ",cycles,misses"),
        ("cycles,misses,|1,10,|2,30,", 0, 1, -1, 1, "cycles,misses"),
        ("# t cycles|1 2|3 4", 0, 1, -1, 1, "t,cycles"),
        ("#t,cycles|1,2|3,4", 0, 1, -1, 1, "t,cycles"),
        ("a,b|1,2||report of|c,d|1,2|3,4|5,6", 4, 1, -1, 5, "c,d"),  # the longest stretch of rows
        (",cycles,misses|run,,|1,2,3|2,3,4", 0, 1, -1, 2, "run,cycles,misses"),
        ("A,B|name|1,2|3,4", 0, 1, -1, 2, "A,B"),
        ("14:00:00,cycles,misses|14:00:01,5,6|14:00:02,6,7", 0, 1, -1, 1, "time,cycles,misses"),
        ("time,cycles||1,5||2,6", 0, 1, -1, 2, "time,cycles"),
    ],
)
def test_where_names_units_and_data_are(text: str, header: int, rows: int, units: int, first: int, names: str) -> None:
    found = find_table(grid_of(UploadedFile("a.csv", (text.replace("|", "\n") + "\n").encode()), ""))
    assert (found.header, found.header_rows, found.units, found.first, ",".join(found.names)) == (header, rows, units, first, names)
    used = {header - rows + 1, header, units, found.rows_named}
    assert set(found.skipped) == {row for row in range(first) if text.split("|")[row] and row not in used}


@pytest.mark.parametrize(
    ("text", "recipe", "header", "rows", "units", "first", "names"),
    [
        ("a,b|time,cycles|1,5|2,6", {"header_row": 1}, 0, 1, -1, 2, "a,b"),  # the row of names that is not meant is no data
        ("a,b|time,cycles|1,5|2,6", {"header_row": 2}, 1, 1, -1, 2, "time,cycles"),
        ("a,b|time,cycles|1,5|2,6", {"header_rows": 2}, 1, 2, -1, 2, "time,b cycles"),
        ("time,cycles|ms,k|10,5|20,6", {"header_row": 1}, 0, 1, 1, 2, "time,cycles"),
        ("time,cycles|ns,n/a|ms,k|10,5|20,6", {"units_row": 3, "header_row": 1}, 0, 1, 2, 3, "time,cycles"),
        ("time,cycles|in,thousands|10,5|20,6", {"units_row": 2}, 0, 1, 1, 2, "time,cycles"),
        ("a,b|time,cycles|in,thousands|10,5|20,6", {"units_row": 3, "header_rows": 2}, 1, 2, 2, 3, "time,b cycles"),
        ("time,cycles|n/a,n/a|10,5|20,6", {"header_row": 1}, 0, 1, -1, 1, "time,cycles"),  # a row of missing values is one of data
        ("time,note|a,b|c,d", {"header_row": 1}, 0, 1, -1, 1, "time,note"),  # no readings: the rows stay as they are
    ],
)
def test_rows_that_are_chosen_are_taken(
    text: str, recipe: dict[str, int], header: int, rows: int, units: int, first: int, names: str
) -> None:
    found = find_table(grid_of(UploadedFile("a.csv", (text.replace("|", "\n") + "\n").encode()), ","), ImportRecipe(**recipe))
    assert (found.header, found.header_rows, found.units, found.first, ",".join(found.names)) == (header, rows, units, first, names)


@pytest.mark.parametrize(
    ("text", "fault"),
    [("hello\nworld\n", "no rows of numbers"), ("1,2\n3,4\n", "row 1, '1 2'"), (f"time,{'x' * 1_001}\n1,2\n", "has 1,001 characters")],
)
def test_what_is_no_table(text: str, fault: str) -> None:
    with pytest.raises(ReadError, match=fault) as error:
        find_table(grid_of(UploadedFile("a.csv", text.encode()), ""))
    assert isinstance(error.value, NoTableError) == (fault == "no rows of numbers")
    assert len(find_table(grid_of(UploadedFile("a.csv", f"time,{'x' * 1_000}\n1,2\n".encode()), "")).names) == 2


def test_a_header_over_numbers_alone_is_usual_where_its_names_are_words() -> None:
    assert usual_table(("time", "cycles")) is not None
    assert usual_table(("5", "6")) is None


def test_programs_called_like_units_lose_no_row() -> None:
    for text in ("program,cycles\na,1000\nb,1400\nc,1300\n", "program,cycles,misses\nc,1000,1\nd,1200,3\nk,1090,1\n"):
        found = inspect([UploadedFile("a.csv", text.encode())])
        assert not found.repairs
        assert len(found.result.table.frame) == 3
