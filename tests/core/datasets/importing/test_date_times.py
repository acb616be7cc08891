"""Dates, times of day, epochs and durations, one by one."""

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.importing.date_times import clock_seconds, duration_of, epoch_of, kind_of, order_of, stamps_of
from hemcore.errors import ReadError


def test_which_kind_a_cell_is() -> None:
    assert [kind_of(cell) for cell in ("2026-05-03", "3.5.26", "2026-05-03 14:30", "14:30:05.5", "100:00:00", "2026-13", "x")] == [
        "date", "date", "date-time", "clock", "clock", "", "",
    ]  # fmt: skip


def test_durations_with_their_units() -> None:
    assert [duration_of(cell) for cell in ("12.5 ms", "-3µs", "1,5 h", "7 parsecs", "7")] == [
        (12.5, "ms"), (-3.0, "us"), (1.5, "h"), None, None,
    ]  # fmt: skip


def test_epochs_are_told_by_their_size() -> None:
    # 1990-01-01 and 2100-01-01 in seconds since 1970; a second less and one more are none.
    first, last = 631_152_000, 4_102_444_800
    assert [epoch_of(np.array([first, last]) * scale) for scale in (1, 1e3, 1e6, 1e9)] == ["epoch s", "epoch ms", "epoch us", "epoch ns"]
    assert (epoch_of(np.array([first - 1.0, last])), epoch_of(np.array([first, last + 1.0]))) == ("", "")


@pytest.mark.parametrize(
    ("cells", "order"),
    [
        (["13.04.2026", "12.04.2026"], "day first"),
        (["04/13/2026", "04/12/2026"], "month first"),
        (["12/12/2026"], None),
        (["03/04/2026 2:00 PM"], "month first"),  # an American clock
        (["01/04/2026", "02/04/2026", "03/04/2026"], "day first"),  # the month stays
        (["04/01/2026", "04/02/2026", "04/03/2026"], "month first"),
        (["01/04/2026", "02/04/2026"], None),  # two dates do not show it
        (["2026-04-03"], ""),
    ],
)
def test_day_or_month_first(cells: list[str], order: str | None) -> None:
    assert order_of(cells) == order


def test_seconds_of_a_day_go_on_over_midnight() -> None:
    seconds, midnights = clock_seconds("f", pd.Series(["23:59:58,5", "0:00:01", "0:00:00"]))
    # A second back is no midnight.
    assert (seconds.tolist(), midnights) == ([86_398.5, 86_401.0, 86_400.0], 1)
    half, _ = clock_seconds("f", pd.Series(["12:30 AM", "1:00 a.m.", "12:30 PM", "1:00 pm"]))
    assert half.tolist() == [1_800, 3_600, 45_000, 46_800]
    with pytest.raises(ReadError, match="f, row 3: 'noon' is not a time of day"):
        clock_seconds("f", pd.Series(["1:00", "noon"], index=[2, 3]))


def test_stamps_of_texts_and_epochs() -> None:
    def one(cell: str, unit: str = "date-time", zone: str = "", order: str = "") -> str:
        return str(stamps_of("f", pd.Series([cell]), unit, zone, order)[0])  # type: ignore[arg-type]

    assert one("3.4.26 14:30", order="day first") == "2026-04-03 14:30:00"
    assert one("3/4/2026", order="month first") == "2026-03-04 00:00:00"
    assert one("13/4/2026", order="month first") == "2026-04-13 00:00:00"  # what a date shows goes before what was chosen
    assert one("2026-07-01 12:00", zone="Europe/Berlin") == "2026-07-01 10:00:00+00:00"
    assert one("2026-07-01T12:00+02:00", zone="America/New_York") == "2026-07-01 10:00:00+00:00"
    assert one("2026/7/1 9:05") == "2026-07-01 09:05:00"
    assert one("1000000000500", "epoch ms") == "2001-09-09 01:46:40.500000+00:00"
    assert one("1000000000.25", "epoch s") == "2001-09-09 01:46:40.250000+00:00"
    assert [one(f"{year}-06-01") for year in (1678, 2261)] == ["1678-06-01 00:00:00", "2261-06-01 00:00:00"]
    for year in (1677, 2262):
        with pytest.raises(ReadError, match="not in the years 1678 to 2261|not a date"):
            one(f"{year}-01-01")
    with pytest.raises(ReadError, match="may have the day or the month first"):
        one("3/4/2026")
