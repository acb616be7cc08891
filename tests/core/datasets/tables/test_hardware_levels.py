"""A series by socket, core or thread: sums checked by hand, ratios averaged, and no sum over what was not counted."""

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets import CounterSeries
from hemcore.datasets.readers.recognition import read_upload
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.shelf import library
from hemcore.datasets.shelf.store import DatasetStore
from hemcore.datasets.tables.hardware_levels import at_level, levels
from hemcore.errors import UnknownNameError

NAN = np.nan
# Two sockets of two cores; socket 1's second core did not count misses in the second interval; only core 0 of each has the uncore event.
PLACES = [("0", "0"), ("0", "1"), ("1", "0"), ("1", "1")]
CYCLES = [[10, 20, 30, 40], [11, 21, 31, 41]]
MISSES = [[1, 2, 3, 4], [1, 2, 3, NAN]]
UNCORE = [[5, NAN, 7, NAN], [6, NAN, 8, NAN]]
IPC = [[1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0]]


def series(share: bool = False) -> CounterSeries:
    intervals, counts = [], []
    for place, (socket, core) in enumerate(PLACES):
        for number in (0, 1):
            intervals.append(
                {"application": f"a S{socket}-D0-C{core}", "run": 1, "interval": number + 1, "program": "a", "socket": socket, "core": core}
                | {"time": 0.5 * (number + 1)}
            )
            counts.append(
                {
                    "cycles": CYCLES[number][place],
                    "misses": MISSES[number][place],
                    "uncore": UNCORE[number][place],
                    "ipc": IPC[number][place],
                }
            )
    frame = pd.DataFrame(counts)
    parts = pd.DataFrame(0.5, index=frame.index, columns=frame.columns)
    parts["cycles"] = np.repeat([0.2, 0.4, 0.6, 0.8], 2)
    return CounterSeries(
        intervals=pd.DataFrame(intervals), counts=frame, mode="MPX" if share else "OCOE", share=parts.mask(frame.isna()) if share else None
    )


def test_the_levels_are_those_that_tell_places_apart() -> None:
    assert levels(series()) == ["machine", "socket", "core"]
    whole = at_level(series(), "machine")
    assert levels(whole) == []
    one = series().run("a S0-D0-C0", 1)
    assert levels(one) == []


def test_counts_are_summed_and_ratios_averaged() -> None:
    by_socket = at_level(series(), "socket")
    assert by_socket.applications == ["a socket 0", "a socket 1"]
    assert by_socket.counts["cycles"].tolist() == [30, 32, 70, 72]
    assert by_socket.counts["ipc"].tolist() == [1.5, 1.5, 3.5, 3.5]
    assert by_socket.intervals["time"].tolist() == [0.5, 1.0, 0.5, 1.0]
    whole = at_level(series(), "machine")
    assert whole.applications == ["a"]
    assert whole.counts["cycles"].tolist() == [100, 104]
    assert whole.counts["ipc"].tolist() == [2.5, 2.5]


def test_a_sum_without_one_of_its_parts_is_not_known_but_what_never_counts_is_no_part() -> None:
    whole = at_level(series(), "machine")
    np.testing.assert_array_equal(whole.counts["misses"], [10, NAN])
    assert whole.counts["uncore"].tolist() == [12, 14]
    by_socket = at_level(series(), "socket")
    np.testing.assert_array_equal(by_socket.counts["misses"], [3, 3, 7, NAN])


def test_a_place_without_a_row_makes_the_sum_unknown() -> None:
    table = series()
    short = table.where(~((table.intervals["core"] == "1") & (table.intervals["interval"] == 2)).to_numpy())
    np.testing.assert_array_equal(at_level(short, "machine").counts["cycles"], [100, NAN])


def test_sums_of_sums_know_the_cores_that_they_began_with() -> None:
    table = series()
    by_socket = at_level(table, "socket")
    assert by_socket.finer is table
    assert at_level(by_socket, "machine").finer is table
    assert at_level(table, "core").finer is None


def test_shares_are_averaged_and_the_finest_level_is_the_series_itself() -> None:
    whole = at_level(series(share=True), "machine")
    assert whole.share is not None
    np.testing.assert_allclose(whole.share["cycles"], [0.5, 0.5])
    assert at_level(series(), "core").applications == series().applications
    with pytest.raises(UnknownNameError, match="level: 'thread' is not a level of this series; its levels are 'machine', 'socket', 'core'"):
        at_level(series(), "thread")


def test_events_of_the_other_kind_of_core_do_not_hide_a_sum() -> None:
    """A hybrid processor: CPU0 counts cpu_core events alone, CPU1 cpu_atom events alone."""
    rows = [("CPU0", "cpu_core/cycles/", "10"), ("CPU1", "cpu_core/cycles/", "<not counted>")]
    rows += [("CPU0", "cpu_atom/cycles/", "<not counted>"), ("CPU1", "cpu_atom/cycles/", "7")]
    rows = [(f"{time}.000000000", *row) for time in (1, 2) for row in rows]
    text = "".join(f"{time};{place};{value};;{event};1000;{'0.00' if '<' in value else '100.00'};;\n" for time, place, event, value in rows)
    table = read_upload([UploadedFile("f.csv", text.encode())]).table
    assert isinstance(table, CounterSeries)
    assert table.intervals["core_type"].tolist() == ["cpu_core", "cpu_atom", "cpu_core", "cpu_atom"]
    whole = at_level(table, "machine")
    assert whole.counts["cpu_core/cycles/"].tolist() == [10, 10]
    assert whole.counts["cpu_atom/cycles/"].tolist() == [7, 7]


def test_an_id_with_a_level_is_the_series_at_that_level(tmp_path) -> None:
    text = "".join(f"{time}.0{'0' * 8};S{socket};2;{10 * socket + time};;cycles;9;100.00;;\n" for time in (1, 2) for socket in (0, 1))
    record = DatasetStore(tmp_path).add([UploadedFile("f.csv", text.encode())])
    viewed = library.id_at(record.id, "machine")
    table = library.load(viewed, tmp_path)
    assert isinstance(table, CounterSeries)
    assert table.counts["cycles"].tolist() == [12, 14]
    assert library.fingerprint(viewed, tmp_path) == record.id
    with pytest.raises(UnknownNameError, match="its levels are 'machine', 'socket'"):
        library.load(library.id_at(record.id, "core"), tmp_path)
    with pytest.raises(UnknownNameError, match="only a counter series has levels"):
        library.load("sample-hems-t2080@machine")


def test_a_task_that_did_not_run_adds_nothing() -> None:
    """perf --per-thread: a sleeping thread is <not counted> with 100 %, as it was not even asked for."""
    rows = [("1", "w-1", "10"), ("1", "w-2", "<not counted>"), ("2", "w-1", "11"), ("2", "w-2", "4"), ("3", "w-1", "12")]
    text = "".join(f"{time}.000000000;{task};{value};;cycles;{0 if '<' in value else 9};100.00;;\n" for time, task, value in rows)
    table = read_upload([UploadedFile("f.csv", text.encode())]).table
    assert isinstance(table, CounterSeries)
    assert at_level(table, "machine").counts["cycles"].tolist() == [10, 15, 12]


def test_what_turbostat_reads_of_a_package_is_counted_once() -> None:
    """40 W of package 0 on two of its threads, 41 W of package 1 on one: 81 W. Of the cores' own power each thread counts."""
    places = [("0", "0"), ("0", "1"), ("1", "2"), ("1", "3")]
    rows = pd.DataFrame({"application": [f"CPU {cpu}" for _, cpu in places], "run": 1, "interval": 1, "program": "machine"})
    counts = pd.DataFrame({"PkgWatt": [40, 40, NAN, 41], "CorWatt": [5, 6, 7, 8], "IRQ": [1, 2, 3, 4]})
    told = CounterSeries(
        intervals=rows.assign(socket=[each for each, _ in places], thread=[cpu for _, cpu in places]), counts=counts, mode="OCOE"
    )
    assert at_level(told, "socket").counts.to_dict("list") == {"PkgWatt": [40, 41], "CorWatt": [11, 15], "IRQ": [3, 7]}
    assert at_level(told, "machine").counts.to_numpy().tolist() == [[81, 26, 10]]
    # Of one package, turbostat names none.
    alone = CounterSeries(intervals=rows.assign(thread=[cpu for _, cpu in places]), counts=counts.assign(PkgWatt=40), mode="OCOE")
    assert at_level(alone, "machine").counts["PkgWatt"].tolist() == [40]


def test_a_package_that_was_not_read_leaves_no_sum() -> None:
    """Package 1 has 41 W in the first interval and nothing in the second."""
    rows = pd.DataFrame({"application": ["CPU 0", "CPU 1"] * 2, "run": 1, "interval": [1, 1, 2, 2], "program": "machine"})
    rows = rows.assign(socket=["0", "1"] * 2, thread=["0", "1"] * 2).sort_values("application", kind="stable", ignore_index=True)
    counts = pd.DataFrame({"PkgWatt": [40, 42, 41, NAN], "IRQ": [1, 2, 3, 4]})
    whole = at_level(CounterSeries(intervals=rows, counts=counts, mode="OCOE"), "machine")
    np.testing.assert_array_equal(whole.counts.to_numpy(), [[81, 4], [NAN, 6]])
