"""Threads of PAPI's high-level output are parts of the machine, not programs."""

import json

import pytest

from hemcore.datasets.readers.recognition import read_upload
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.hardware_levels import at_level, levels
from hemcore.segmentation.params import SegmentationParams
from hemcore.segmentation.uneven_cores import core_balance


def of_thread(number: int, solve: int, *more: dict[str, dict[str, str]]) -> dict[str, object]:
    """Thread 0 alone reads the input: 500 cycles."""
    begin = [{"read": {"cycles": "500"}}] if number == 0 else []
    return {"id": str(number), "regions": [*begin, {"solve": {"cycles": str(solve)}}, {"reduce": {"cycles": "100"}}, *more]}


def read(*threads: dict[str, object]) -> tuple[CounterSeries, str]:
    found = read_upload([UploadedFile("omp.json", json.dumps({"threads": threads}).encode())])
    assert isinstance(found.table, CounterSeries)
    return found.table, " ".join(found.notes)


def test_eight_threads_are_one_program_whose_slow_thread_is_named() -> None:
    """Seven threads solve in 1,000 cycles, thread 5 in 1,800: with 100 each of reduce and 500 of read, the sum is 10,100."""
    series, _ = read(*(of_thread(number, 1_800 if number == 5 else 1_000) for number in range(8)))
    assert levels(series) == ["machine", "thread"]
    machine = at_level(series, "machine")
    assert machine.applications == ["omp"]
    assert machine.intervals["stage"].tolist() == ["read", "solve", "reduce"]
    assert machine.counts["cycles"].tolist() == [500, 8_800, 800]
    found = core_balance(machine, SegmentationParams(application="omp", run=1, event="cycles"))
    assert found.own is not None
    assert (found.level, found.own["place"], found.own["mean"]) == ("thread", "thread 5", 10_100 / 8)
    assert found.own["imbalance"] == pytest.approx(1_900 * 8 / 10_100 - 1)


def test_a_region_that_comes_again_is_another_interval_in_every_thread() -> None:
    series, _ = read(of_thread(0, 10, {"solve": {"cycles": "3"}}), of_thread(1, 20, {"solve": {"cycles": "4"}}))
    rows = series.intervals.assign(cycles=series.counts["cycles"])
    assert rows.loc[rows["thread"] == "0", ["interval", "stage", "cycles"]].to_numpy().tolist() == [
        [1, "read", 500],
        [2, "solve", 10],
        [3, "reduce", 100],
        [4, "solve", 3],
    ]
    assert rows.loc[rows["thread"] == "1", ["interval", "cycles"]].to_numpy().tolist() == [[1, 0], [2, 20], [3, 100], [4, 4]]
    assert at_level(series, "machine").counts["cycles"].tolist() == [500, 30, 200, 7]


def test_regions_within_others_are_counted_once() -> None:
    regions = {"0": {"name": "all", "parent_region_id": "-1", "cycles": "10"}, "1": {"name": "in", "parent_region_id": "0", "cycles": "4"}}
    found = read_upload(
        [UploadedFile("omp.json", json.dumps({"threads": {"0": {"regions": regions}, "7": {"regions": regions}}}).encode())]
    )
    table = found.table
    assert isinstance(table, CounterSeries)
    assert (table.applications, table.counts["cycles"].tolist()) == (["omp thread 0", "omp thread 7"], [10, 10])
    assert "Regions within others left out, because the counts of the outer ones include theirs: 2." in " ".join(found.notes)
