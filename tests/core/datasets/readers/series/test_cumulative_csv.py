"""Raw counters become counts: exact differences, wraps mended and resets left out, each listed."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hemcore.datasets.readers.format import ReadResult
from hemcore.datasets.readers.series import cumulative_csv
from hemcore.datasets.readers.series import wide_csv as wide_series_csv
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.errors import ReadError

WRAP = 2**48


def sent(text: str, name: str = "qsort.csv") -> UploadedFile:
    return UploadedFile(name, text.encode())


def of(*values: object) -> str:
    """One counter, read at 0, 1, 2 ... s."""
    return "time,A\n" + "".join(f"{time},{value}\n" for time, value in enumerate(values))


def read(*files: UploadedFile | str) -> ReadResult:
    return cumulative_csv.read([sent(file) if isinstance(file, str) else file for file in files])


def counts(*values: object) -> list[float]:
    return read(of(*values)).table.counts["A"].tolist()


def said_of(*files: UploadedFile | str) -> str:
    with pytest.raises(ReadError) as error:
        read(*files)
    return str(error.value)


def score(text: str) -> float:
    return cumulative_csv.recognise([sent(text)])[0]


def test_counts_are_differences_and_the_first_reading_starts_the_first_interval() -> None:
    readings = read("time,phase,A,B\n0.0,init,5,0\n0.5,init,7,0\n1.0,main,17,1\n")
    table = readings.table
    assert table.counts.to_dict("list") == {"A": [2, 10], "B": [0, 1]}
    assert table.intervals["interval"].tolist() == [1, 2]
    assert table.intervals["time"].tolist() == [0.5, 1.0]
    assert table.intervals["stage"].tolist() == ["init", "main"]
    assert (table.mode, table.interval_unit) == ("OCOE", "0.5 s")
    assert readings.repairs.empty


def test_intervals_that_the_file_numbers_keep_the_number_of_their_end() -> None:
    assert read("interval,A\n3,5\n4,7\n6,9\n").table.intervals["interval"].tolist() == [4, 6]


def test_each_run_starts_anew() -> None:
    table = read("app,run,A\nq,1,5\nq,1,9\nq,2,100\ns,1,0\nq,2,103\ns,1,7\n").table
    assert table.intervals[["application", "run", "interval"]].to_numpy().tolist() == [["q", 1, 1], ["q", 2, 1], ["s", 1, 1]]
    assert table.counts["A"].tolist() == [4, 3, 7]


def test_files_are_runs_with_their_own_numbers() -> None:
    table = read(sent("time,A\n1,5\n2,8\n", "q1.csv"), sent("interval,B\n7,5\n8,6\n", "q2.csv")).table
    assert table.intervals[["application", "run", "interval"]].to_numpy().tolist() == [["q", 1, 1], ["q", 2, 8]]
    assert table.counts["A"].tolist()[:1] == [3]
    assert np.isnan(table.counts["A"][1])


def test_a_wrap_is_mended_and_listed() -> None:
    readings = read(of(WRAP - 5, 3, 10))
    assert readings.table.counts["A"].tolist() == [8, 7]
    (repair,) = readings.repairs.to_dict("records")
    assert (repair["where"], repair["column"], repair["rows"]) == ("qsort, run 1, interval 1", "A", 1)
    assert repair["what"] == "wrapped, 2**48 added"
    assert (repair["value"], repair["bound"]) == (3, WRAP - 5)


def test_a_reset_is_not_counted_and_listed() -> None:
    readings = read(of(0, 500, 3, 10))
    assert readings.table.counts["A"].fillna(-1).tolist() == [500, -1, 7]
    (repair,) = readings.repairs.to_dict("records")
    assert (repair["where"], repair["what"]) == ("qsort, run 1, interval 2", "reset, not counted")
    assert (repair["value"], repair["bound"]) == (3, 500)


@pytest.mark.parametrize(
    ("before", "after", "count"),
    [
        (WRAP // 2, 0, np.nan),  # mended it would be 2**47 itself
        (WRAP // 2 + 1, 0, WRAP // 2 - 1),
        (WRAP // 2 - 1, 0, np.nan),
        (WRAP - 1, WRAP // 2 - 2, WRAP // 2 - 1),
        (WRAP - 1, WRAP // 2 - 1, np.nan),
        (WRAP - 1, 0, 1),
        (2 * WRAP, 0, np.nan),  # no counter of 48 bits
        (2 * WRAP, 2 * WRAP - 5, np.nan),
    ],
)
def test_what_is_a_wrap_and_what_a_reset(before: int, after: int, count: float) -> None:
    assert counts(before, after) == pytest.approx([count], abs=0, nan_ok=True)


def test_around_a_missing_reading_nothing_is_counted() -> None:
    readings = read(of(5, 7, "", 100, 101))
    assert readings.table.counts["A"].fillna(-1).tolist() == [2, -1, -1, 1]
    (repair,) = readings.repairs.to_dict("records")
    assert (repair["column"], repair["rows"]) == ("A", 2)
    assert "missing, not counted" in repair["what"]


@pytest.mark.parametrize("start", [2**53, 2**60, 2**63 - 4])
def test_readings_that_no_float_holds_are_exact(start: int) -> None:
    assert counts(start, start + 1, start + 3) == [1, 2]
    assert counts(start, "<not counted>", start + 1, start + 2)[2:] == [1]
    two = [sent(of(start, start + 1), "a.csv"), sent("time,B\n0,5\n1,6\n", "b.csv")]
    assert read(*two).table.counts["A"].tolist()[0] == 1


def test_readings_with_a_fraction_are_read() -> None:
    assert counts(0.5, 2.25, 4) == [1.75, 1.75]


@pytest.mark.slow
@settings(deadline=None, max_examples=60)
@given(
    st.integers(0, WRAP - 1),
    st.lists(st.tuples(st.integers(0, WRAP // 2 - 1), st.integers(0, 2**40)), min_size=1, max_size=12),
)
def test_counts_cumulated_modulo_two_to_the_48_read_back_equal(start: int, true: list[tuple[int, int]]) -> None:
    total, lines = [start, start], [f"0,{start},{start}"]
    for time, each in enumerate(true, start=1):
        total = [(before + count) % WRAP for before, count in zip(total, each, strict=True)]
        lines.append(f"{time},{total[0]},{total[1]}")
    readings = read("time,A,B\n" + "\n".join(lines) + "\n")
    assert readings.table.counts.to_numpy().tolist() == [list(each) for each in true]
    # A wrap each time the sum passes 2**48, and nothing else.
    assert len(readings.repairs) == sum((start + sum(column)) // WRAP for column in zip(*true, strict=True))


def test_a_run_of_one_reading_is_refused() -> None:
    said = said_of("run,A\n1,5\n1,6\n2,7\n")
    assert "qsort.csv: line 4: run 2 of 'qsort' has 1 reading; a cumulative counter needs at least 2" in said


def test_a_negative_reading_is_refused() -> None:
    assert "qsort.csv: line 3, column 'A': -7 must be at least 0" in said_of(of(5, -7))


@pytest.mark.parametrize(
    ("header", "said"), [("time", "time 1 comes after a larger one"), ("interval", "interval 1 comes after a larger one")]
)
def test_readings_that_go_back_are_refused(header: str, said: str) -> None:
    message = said_of(f"{header},A\n2,5\n1,6\n3,7\n")
    assert message.startswith(f"qsort.csv: line 3: {said}")
    assert "column named run" in message


def test_a_cell_that_is_not_a_number_is_named() -> None:
    assert "qsort.csv: line 3, column 'A': 'x' is not a number" in said_of(of(5, "x"))


GROWING = "time,A,B\n" + "".join(f"{time},{3 * time},{time * time + 1}\n" for time in range(6))


def test_counters_that_only_grow_are_recognised_before_one_column_an_event() -> None:
    found, why = cumulative_csv.recognise([sent(GROWING)])
    assert found == 0.97 > wide_series_csv.recognise([sent(GROWING)])[0] > 0
    assert why == "every counter only grows over the first 6 readings: cumulative counters, whose differences are the counts"


def test_recognised_with_a_wrap_a_gap_and_an_event_that_never_came() -> None:
    values = [(WRAP - 20 + 9 * time) % WRAP for time in range(11)]
    text = "interval,A,NEVER\n" + "".join(f"{time},{value if time != 5 else ''},0\n" for time, value in enumerate(values))
    assert score(text) == 0.97


def test_recognised_in_each_run_by_itself() -> None:
    rows = [(run, time, 10 * time + 1) for run in (1, 2) for time in range(6)]
    assert score("run,time,A\n" + "".join(f"{run},{time},{value}\n" for run, time, value in rows)) == 0.97
    assert score("time,A\n" + "".join(f"{time},{value}\n" for _, time, value in rows)) == 0


@pytest.mark.parametrize(
    "text",
    [
        GROWING.replace("time", "C"),  # no time
        GROWING + "6,1,99\n",  # falls
        "time,A,B\n" + "".join(f"{time},{time},5\n" for time in range(12)),  # stands still
        "time,A\n" + "".join(f"{time},0\n" for time in range(12)),  # never grows
        "time,A,B\n1,5,6\n2,7,8\n3,9,10\n",  # three readings grow by chance
        "time,A\n",
        "1,2\n3,4\n",
        "",
    ],
)
def test_what_is_not_recognised_as_cumulative(text: str) -> None:
    try:
        assert score(text) == 0
    except ReadError as error:
        assert "empty" in str(error)  # noqa: PT017


def test_all_files_must_grow() -> None:
    assert cumulative_csv.recognise([sent(GROWING), sent(GROWING)])[0] == 0.97
    assert cumulative_csv.recognise([sent(GROWING), sent("time,A\n1,5\n2,3\n")])[0] == 0


def test_all_columns_at_once_grow_and_fall_as_each_does_alone() -> None:
    # Grows; stays; falls twice; wraps once and goes on; begins above 0 and ends at 0.
    columns = [[1, 2, 5, 5], [7, 7, 7, 7], [9, 3, 4, 1], [WRAP - 3, 2, 5, 6], [0.5, 0.25, 0.75, 0]]
    rows = [[str(cell) for cell in row] for row in zip(*columns, strict=True)]
    by_hand = [(2, 0, True), (0, 0, True), (1, 2, True), (3, 0, True), (1, 2, False)]
    assert cumulative_csv._steps_of_each(rows, [], range(5)) == by_hand
    assert [cumulative_csv._steps([((), row[place]) for row in rows]) for place in range(5)] == by_hand
    # What a float does not hold exactly is compared as whole numbers.
    large = [[str(2**53)], [str(2**53 + 1)]]
    assert cumulative_csv._steps_of_each(large, [], [0]) == [(1, 0, True)]
