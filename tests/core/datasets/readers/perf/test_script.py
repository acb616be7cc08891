"""Samples of perf script as counts: sums over intervals, by CPU or by task, whatever fields were printed."""

import numpy as np
import pytest

from hemcore.datasets import CounterSeries
from hemcore.datasets.readers.perf.script import ScriptOptions
from hemcore.datasets.readers.recognition import read_upload, recognise
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.hardware_levels import at_level
from hemcore.errors import ReadError

LINES = [(0, "10.000000", 100), (1, "10.000500", 40), (0, "10.000900", 10), (0, "10.002100", 7)]


def read(text: str, seconds: float = 0.001) -> CounterSeries:
    files = [UploadedFile("f.txt", text.encode())]
    assert recognise(files)[0].key == "perf_script"
    table = read_upload(files, options=ScriptOptions(seconds=seconds)).table
    assert isinstance(table, CounterSeries)
    return table


@pytest.mark.parametrize(
    "form",
    [
        "  my prog  4711 [{cpu:03d}] {time}: {period} cycles: \n",
        "  my prog  4711/4712 [{cpu:03d}] {time}: {period} cycles:u: ffffffff81 main+0x5 (/bin/a)\n",
        "[{cpu:03d}] {time}000: {period:>12} cycles:\n",
        "  a 1 [{cpu:03d}] {time}: {period} cycles:\n\tffffffff8112 main+0x5 (/bin/a)\n\n",
        "[{cpu:03d}] {time}: {period}\n",
    ],
)
def test_periods_are_summed_by_cpu(form: str) -> None:
    table = read("".join(form.format(cpu=cpu, time=time, period=period) for cpu, time, period in LINES))
    assert table.applications == ["f CPU0", "f CPU1"]
    np.testing.assert_array_equal(table.counts.iloc[:, 0], [110, 0, 7, 40, 0, 0])
    assert at_level(table, "machine").counts.iloc[:, 0].tolist() == [150, 0, 7]
    np.testing.assert_allclose(table.intervals["time"], [0.001, 0.002, 0.003] * 2)


def test_without_cpus_tasks_are_told_apart_and_tracepoints_happen_once() -> None:
    text = "a 1 10.000000: sched:sched_switch: prev=1\nb 2 10.000100: sched:sched_switch: prev=2\nb 2 10.000200: sched:sched_switch: x\n"
    table = read(text)
    assert table.applications == ["f a-1", "f b-2"]
    assert table.counts["sched:sched_switch"].tolist() == [1, 2]


def test_samples_without_a_period_are_refused_with_the_cure() -> None:
    text = "qsort 1 [000] 10.000000: cycles: 40 main (a)\n" * 3
    with pytest.raises(ReadError, match="perf script -F comm,tid,cpu,time,event,period"):
        read_upload([UploadedFile("f.txt", text.encode())], format_key="perf_script")


def test_about_200_intervals_are_made() -> None:
    text = "".join(f"a 1 [000] {10 + 0.01 * number:.6f}: 5 cycles:\n" for number in range(1_000))
    table = read(text, seconds=0)
    assert table.interval_unit == "0.05 s"
    assert len(table.counts) == 200
    assert float(table.counts["cycles"].sum()) == 5_000
