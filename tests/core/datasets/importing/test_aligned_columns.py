"""Columns that stand below each other, parted by where they stand."""

import pytest

from hemcore.datasets.importing.other_forms.aligned_columns import aligned

GROUPS = "            Total     Cache\ntime       cycles    misses\n 0.1         1000        20\n 0.2        11000       120\n"


@pytest.mark.parametrize(
    ("text", "first", "last", "names", "rows"),
    [
        (
            "time     cycles   misses\n 0.1      1000       20\n 0.2     11000      120\n",
            1,
            3,
            "time|cycles|misses",
            ["0.1|1000|20", "0.2|11000|120"],
        ),
        (
            "kernel   | time  | count\n  main   | 12 ns |  5\n  other  | 1 ns  | 10\n",
            1,
            3,
            "kernel|time|count",
            ["main|12 ns|5", "other|1 ns|10"],
        ),
        (GROUPS, 1, 4, "time|Total cycles|Cache misses", ["0.1|1000|20", "0.2|11000|120"]),
        ("a  b  c\n1  2  3\n4  5  6\ntotal of all\n", 1, 3, "a|b|c", ["1|2|3", "4|5|6"]),
        (
            "A report\n\nLeft      Mid       Right\nab         5           70\ncd         6          800\n",
            3,
            5,
            "Left|Mid|Right",
            ["ab|5|70", "cd|6|800"],
        ),
    ],
)
def test_names_and_cells_by_place(text: str, first: int, last: int, names: str, rows: list[str]) -> None:
    found = aligned(text)
    assert found is not None
    assert (found.first, found.last, "|".join(found.names), found.rows) == (first, last, names, len(rows))
    assert [line.replace("\t", "|") for line in found.text.split("\n") if line] == [names, *rows]


@pytest.mark.parametrize("text", ["only one line  5 6\n", "prose that says something of 3 things\nand of 4 others\n", "", "1  2\n3  4\n"])
def test_what_has_no_such_columns(text: str) -> None:
    assert aligned(text) is None
