"""Totals of one command under the names of its sets of events are subexperiments; programs of their own are not."""

import pandas as pd
import pytest

from hemcore.datasets.importing.inspection import inspect
from hemcore.datasets.importing.tool_totals import are_totals_by_place, runs_at
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.events.hardware_tree import MACHINE

A, B = ("cycles", "instructions"), ("cycles", "branches")


def total(name: str, events: tuple[str, ...], command: str = "'./solve 400'") -> UploadedFile:
    rows = "".join(f"{5_000_000 + 70 * len(name) + at:>18,}      {event}\n" for at, event in enumerate(events))
    return UploadedFile(name, f"\n Performance counter stats for {command}:\n\n{rows}\n       1.100000000 seconds time elapsed\n".encode())


@pytest.mark.parametrize(
    ("files", "summary"),
    [
        (
            [total(f"perf_{name}_{run}.txt", events) for name, events in (("A", A), ("B", B)) for run in range(3)],
            "2 subexperiments, 3 HEMs, 2 PMCs, 3 runs each",
        ),
        # Two programs, by their commands; and two of one script that read the same events.
        (
            [total(f"perf_{name}_{run}.txt", events, f"'./{name}'") for name, events in (("A", A), ("B", B)) for run in range(3)],
            "2 applications, 6 runs, 6 intervals, 3 events, OCOE",
        ),
        (
            [total(f"perf_{name}_{run}.txt", A) for name in "AB" for run in range(3)],
            "2 applications, 6 runs, 6 intervals, 2 events, OCOE",
        ),
        # One run of each.
        ([total("perf_A_1.txt", A), total("perf_B_1.txt", B)], "2 applications, 2 runs, 2 intervals, 3 events, OCOE"),
    ],
)
def test_names_of_sets_of_events_of_one_command_are_no_programs(files: list[UploadedFile], summary: str) -> None:
    assert inspect(files).summary == summary


def by_thread(*, runs: int = 2, intervals: int = 1, programs: int = 1) -> CounterSeries:
    """Two threads; thread t counts 100 (t + 1) + 10 run cycles at 2,000 + 500 t MHz. In every second run misses are counted, not cycles."""
    keys = [(p, t, r, i) for p in range(programs) for t in range(2) for r in range(runs) for i in range(intervals)]
    frame = pd.DataFrame(keys, columns=["program", "thread", "run", "interval"])
    frame.insert(0, "application", [f"p{p} thread {t}" for p, t, *_ in keys])
    cycles = [100.0 * (t + 1) + 10 * r for _, t, r, _ in keys]
    odd = frame["run"] % 2 == 1
    counts = pd.DataFrame({"cycles": cycles, "misses": cycles, "frequency (MHz)": [2000.0 + 500 * t for _, t, *_ in keys]})
    counts.loc[odd, "cycles"] = None
    counts.loc[~odd, "misses"] = None
    return CounterSeries(intervals=frame.astype({"program": str, "thread": str}), counts=counts, mode="OCOE")


def test_totals_by_thread_are_runs_of_the_machine_or_of_one_thread() -> None:
    table = by_thread(runs=4)
    assert are_totals_by_place(table)
    machine = runs_at(table, MACHINE).table
    assert [frame.to_dict("list") for frame in machine.frames] == [
        {"cycles": [300.0, 340.0], "frequency (MHz)": [2250.0, 2250.0]},
        {"misses": [320.0, 360.0], "frequency (MHz)": [2250.0, 2250.0]},
    ]
    second = runs_at(table, "p0 thread 1").table
    assert [frame.to_dict("list") for frame in second.frames] == [
        {"cycles": [200.0, 220.0], "frequency (MHz)": [2500.0, 2500.0]},
        {"misses": [210.0, 230.0], "frequency (MHz)": [2500.0, 2500.0]},
    ]


@pytest.mark.parametrize("made", [{"runs": 1}, {"intervals": 2}, {"programs": 2}])
def test_one_run_series_and_several_programs_are_no_totals_by_place(made: dict[str, int]) -> None:
    assert not are_totals_by_place(by_thread(**made))
    assert not are_totals_by_place(by_thread().where((by_thread().intervals["thread"] == "0").to_numpy()))
