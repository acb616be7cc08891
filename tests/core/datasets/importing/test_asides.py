"""What stands beside a table in its sheet, statistics of its columns above all, is no event of it."""

import pytest

from hemcore.datasets.importing.inspection import inspect
from hemcore.datasets.importing.sheets.asides import table_alone
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.counter_series import CounterSeries

# Four rows; mean, max and min of a (1, 3, 2, 6) and of b (8, 4, 4, 4).
SERIES = ["t (s),a,b", "1,1,8", "2,3,4", "3,2,4", "4,6,4"]
STATISTICS = ["Statistic,A,B", "mean,3,5", "max,6,8", "min,1,4", ",,"]
UNNAMED = ["Value,A,B", "Peak,6,8", "Base,1,4", "All,12,20", ",,"]
EACH = [",Mean,Max", "a,3,6", "b,5,8", ",,", ",,"]


def beside(aside: list[str], gap: str, series: list[str] = SERIES) -> str:
    return "".join(f"{row}{gap}{more}\n" for row, more in zip(series, aside, strict=True))


def series_of(text: str) -> CounterSeries:
    shown = inspect([UploadedFile("lab.csv", text.encode())])
    assert shown.result is not None, shown.fault
    assert any("beside the table" in line for line in shown.repairs)
    assert isinstance(shown.result.table, CounterSeries)
    return shown.result.table


@pytest.mark.parametrize(
    "aside", [STATISTICS, UNNAMED, EACH, [",,", ",,", *STATISTICS[1:-1]]], ids=["rows", "by value", "columns", "lower"]
)
@pytest.mark.parametrize("gap", [",,", ",,,,"])
def test_statistics_beside_a_series_of_any_length_are_left_out(aside: list[str], gap: str) -> None:
    table = series_of(beside(aside, gap))
    assert table.counts.to_dict("list") == {"a": [1, 3, 2, 6], "b": [8, 4, 4, 4]}
    assert table.intervals["time"].tolist() == [1, 2, 3, 4]


def test_statistics_without_a_blank_column_end_before_the_series() -> None:
    assert series_of(beside(STATISTICS, ",")).counts.to_dict("list") == {"a": [1, 3, 2, 6], "b": [8, 4, 4, 4]}


def test_statistics_of_other_runs_are_known_by_their_names() -> None:
    text = beside(["of all runs,A", "mean,77", "max,88", ",", ","], ",,")
    assert series_of(text).counts.columns.tolist() == ["a", "b"]


def test_a_title_stands_over_both() -> None:
    assert series_of(f"Lab 7,,,,Results\n{beside(STATISTICS, ',,')}").counts.columns.tolist() == ["a", "b"]


def test_facts_at_the_left_of_a_series_are_left_out() -> None:
    text = "Host,n1,,t (s),a\n" + "".join(f"{'Kernel,6.1' if row == 1 else ','},,{row},{row % 3}\n" for row in range(1, 8))
    assert series_of(text).counts.to_dict("list") == {"a": [1, 2, 0, 1, 2, 0, 1]}


@pytest.mark.parametrize(
    "text",
    [
        beside([",u,v", "p,3,1", "q,9,7", "r,1,2", ",,"], ",,"),  # a table of its own
        beside([",kind", ",max", ",max", ",min", ",min"], ""),  # a word for each row
        beside(["kind,v", "max,33", "max,44", "min,55", "min,66"], ",,"),  # names that come again
        "t,a,,run,u\n1,2,,1,5\n2,9,,2,7\n3,4,,,\n4,8,,,\n5,3,,,\n6,6,,,\n",
        "t,a,kind,b\n1,2,mean,3\n2,4,max,5\n3,1,min,6\n",  # as long as the table
        "phase,,t,a\nwarm,,1,2\n,,2,3\n,,3,4\nrun,,4,4\n,,5,4\n,,6,4\n",  # names of rows
    ],
)
def test_what_may_be_readings_stays(text: str) -> None:
    assert table_alone([tuple(line.split(",")) for line in text.splitlines()]) is None
