"""Columns as a dashboard formats them: which become plain numbers, and which are refused because they are not clear."""

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.importing.inspection import inspect, unpack
from hemcore.datasets.importing.units.united_numbers import with_points, without_units
from hemcore.datasets.readers.uploaded_files import UploadedFile


def converted(*cells: str, are_times: bool = False) -> list[str] | None:
    texts = pd.Series(cells, index=range(3, 3 + len(cells)))
    made = without_units(texts, texts == "", are_times=are_times)
    return None if made is None else made.texts.tolist()


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (("512", "1.2 K", "3 Mil", ""), ["512", "1200", "3000000", ""]),
        (("3.4 ms", "1.2 s", "50 µs", "2 min"), ["0.0034", "1.2", "5e-05", "120"]),
        (("1.5 MiB", "512 B", "1 GB"), ["1572864", "512", "1000000000"]),
        (("1.5 MiB/s", "2 kBps"), ["1572864", "2000"]),
        (("8 kb/s", "1 Mbps"), ["8000", "1000000"]),
        (("950 mW", "1.2 kW"), ["0.95", "1200"]),
        (("1.5 Gops/s", "20 Mops/s", "7 ops/s"), ["1500000000", "20000000", "7"]),
        (("1.25 K req/s", "9 req/s"), ["1250", "9"]),
        (("-3.5e-1 kW",), ["-350"]),
        (("900 Tsd", "3.4 Mio", "1.5 Mrd."), ["900000", "3400000", "1500000000"]),
        (("41.5 °C", "42 °C"), ["41.5", "42"]),
    ],
)
def test_one_kind_of_unit_becomes_plain_numbers(cells: tuple[str, ...], expected: list[str]) -> None:
    assert converted(*cells) == expected


@pytest.mark.parametrize(
    "cells",
    [
        ("1", "2", "3"),  # nothing to do
        ("12.5%", "13%"),  # as they are
        ("1.5 KB", "2 KB"),  # 1000 or 1024
        ("5 m", "6 m"),  # milli or minutes
        ("1.2 K", "3 B"),  # billions or bytes
        ("1.5 B", "2 B"),
        ("8 kb", "8 kB"),  # bits and bytes
        ("3 W", "4 Hz"),
        ("3 W", "0"),
        ("3.4 ms", "5"),
        ("1,5 K", "2 K"),
        ("3 apples", "4 apples"),
        ("2026-11-16", "x"),
        ("1.2 K", "n. m."),
    ],
)
def test_what_is_not_clear_stays_as_it_is(cells: tuple[str, ...]) -> None:
    assert converted(*cells) is None


@pytest.mark.parametrize(
    ("cells", "decimal", "expected"),
    [
        (("1,5 K", "12 K", ""), "", ["1.5 K", "12 K", ""]),
        (("12 %", "25,5 %"), "", ["12 %", "25.5 %"]),
        (("1,250 K", "3,400 K"), ",", ["1.250 K", "3.400 K"]),
        (("1,250 K", "3,400 K"), "", ["1,250 K", "3,400 K"]),  # 1.25 or 1250
        (("1,250 K", "3,4 K"), ".", ["1,250 K", "3,4 K"]),
        (("1,5 K", "main, 2"), "", ["1,5 K", "main, 2"]),  # no column of numbers
    ],
)
def test_a_comma_before_a_unit_is_a_point_where_that_is_proven(cells: tuple[str, ...], decimal: str, expected: list[str]) -> None:
    texts = pd.Series(cells)
    assert with_points(texts, texts == "", decimal).tolist() == expected


def test_no_row_of_cells_with_units_is_lost_above_the_header() -> None:
    # "25,5 %" was taken for the name of a column, and the rows above it were skipped.
    cells = [("12 %", "1,2 Tsd", "3,4 Mio"), ("25,5 %", "3,4 Tsd", "3,5 Mio"), ("40 %", "980", "900 Tsd"), ("9 %", "2,1 Tsd", "1,2 Mio")]
    rows = "".join(f"2026-03-12 14:30:0{at};{';'.join(row)}\n" for at, row in enumerate(cells))
    counts = unpack([UploadedFile("g.csv", f"Time;load;requests;memory\n{rows}".encode())]).read().table.counts
    np.testing.assert_allclose(counts["load [%]"], [12, 25.5, 40, 9])
    np.testing.assert_allclose(counts["requests"], [1200, 3400, 980, 2100])
    np.testing.assert_allclose(counts["memory"], [3.4e6, 3.5e6, 9e5, 1.2e6])
    unknown = "".join(f"2026-03-12 14:30:0{at};{at} apples;{at} pears;{at} plums\n" for at in range(1, 6))
    assert "Export plain numbers" in inspect([UploadedFile("g.csv", f"Time;a;b;c\n{unknown}".encode())]).fault


def test_times_keep_a_unit_and_it_is_that_of_the_first() -> None:
    assert converted("500 ms", "1 s", "1.5 s", are_times=True) == ["500 ms", "1000 ms", "1500 ms"]
    assert converted("500 ms", "900 ms", are_times=True) is None
    assert converted("1 K", "2 K", are_times=True) is None


def test_an_export_of_a_dashboard_is_read_and_each_conversion_listed() -> None:
    rows = ""
    for each in range(1, 31):
        short, unit = "K" if each % 2 else "Mil", "ms" if each % 3 else "s"
        rows += f'"2026-11-16 09:12:{each:02d}","{each}.5 {short}","{100 + each} {unit}","{each}.5 MiB","{each} m"\n'
    files = [UploadedFile("g.csv", f'"Time","instructions","latency","read","odd"\n{rows}'.encode())]
    assert inspect(files).fault == ""
    result = unpack(files).read()
    counts = result.table.counts
    np.testing.assert_allclose(counts["instructions"], [(each + 0.5) * (1e3 if each % 2 else 1e6) for each in range(1, 31)])
    np.testing.assert_allclose(counts["latency [s]"], [(100 + each) * (1e-3 if each % 3 else 1) for each in range(1, 31)])
    np.testing.assert_allclose(counts["read [B]"], [(each + 0.5) * 2**20 for each in range(1, 31)])
    assert "odd" not in counts
    told = dict(
        zip(result.repairs["column"] if "column" in result.repairs else result.repairs.iloc[:, 1], result.repairs["what"], strict=True)
    )
    assert told["instructions"] == "numbers with units became plain ones: '1.5 K' is 1500"
    assert told["latency"] == "numbers with units became plain ones, in s: '101 ms' is 0.101"
    assert told["read"] == "numbers with units became plain ones, in B: '1.5 MiB' is 1572864"
