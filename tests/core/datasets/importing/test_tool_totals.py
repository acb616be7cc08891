"""Totals of one command under the names of its sets of events are subexperiments; programs of their own are not."""

import pytest

from hemcore.datasets.importing.inspection import inspect
from hemcore.datasets.readers.uploaded_files import UploadedFile

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
