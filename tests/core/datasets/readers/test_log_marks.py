"""What others put around the lines of a tool, and logs with names and numbers."""

import json

import pytest

from hemcore.datasets.importing.inspection import inspect
from hemcore.datasets.readers.system.log_marks import without_marks
from hemcore.datasets.readers.uploaded_files import UploadedFile

STAT = " Performance counter stats for './a':\n\n     1,234      cycles\n\n   0.5 seconds time elapsed\n"


def table_of(text: str):
    return inspect([UploadedFile("serial.log", text.encode())]).result.table


@pytest.mark.parametrize("mark", ["1: ", "2026-05-06T10:00:0{}.5Z ", "bench_1  | ", "May 06 10:00:0{} n1 job[7]: "])
def test_the_mark_of_each_line_of_perf_stat_goes(mark: str) -> None:
    marked = "".join(mark.format(place) + line + "\n" for place, line in enumerate(STAT.splitlines()))
    assert without_marks(b"begin\n" + marked.encode()).decode().split() == ["begin", *STAT.split()]


def test_other_texts_keep_their_marks() -> None:
    regions = b"".join(b"Region a, Group %d: L3\n+-----+-----+\n| Event | Counter |\n" % group for group in range(4))
    assert without_marks(regions) is regions
    for text in (b"1: a\n1: b\n1: c\n", STAT.encode(), b"x: Performance counter stats for 'a'\n1 cycles\n"):
        assert without_marks(text) is text


def test_tasks_between_each_other_come_one_after_the_other() -> None:
    lines = [f"{task}: {line}" for line in STAT.splitlines() for task in (1, 2)]
    made = without_marks("\n".join(["log", *lines]).encode()).decode()
    assert made.split() == ["log", *STAT.split(), *STAT.split()]


def test_colours_and_a_containers_log_go() -> None:
    assert without_marks(b"\x1b[0;32mI (5) a: n=1\x1b[0m\n") == b"I (5) a: n=1\n"
    inside = '{"interval": 1.0}\n'
    line = json.dumps({"log": inside, "stream": "stderr", "time": "2026-05-06T10:00:00Z"})
    assert without_marks(f"{line}\n{line}\n".encode()) == (2 * inside).encode()
    assert without_marks(line.replace('{\\"interval\\": 1.0}', "a=1").encode()) == b"2026-05-06T10:00:00Z a=1\n"


@pytest.mark.parametrize(
    ("stamp", "step"),
    [("[00:00:0{}.000,500] <inf> perf: ", 1), ("[   2{}.000000] pmu: ", 1), ("I ({}00) b: ", 0.1), ("10:00:0{}.000 -> ", 1)],
)
def test_stamps_of_logs_are_times_and_other_lines_are_left_out(stamp: str, step: float) -> None:
    rows = [stamp.format(place) + f"cyc={100 + place * place % 7} ld={50 - place}\n" for place in range(1, 9)]
    told = inspect([UploadedFile("serial.log", "".join([*rows[:5], stamp.format(5) + "no link\n", *rows[5:]]).encode())])
    assert told.result.table.counts["ld"].tolist() == [50 - place for place in range(1, 9)]
    assert told.result.table.intervals["time"].diff().iloc[1:].round(6).tolist() == [step] * 7
    assert any("1 line of the log" in line for line in told.repairs)


def test_who_printed_a_line_tells_series_apart() -> None:
    rows = [
        f"[{20 + place}.000000] pmu: cpu{cpu} a={100 * cpu + place * place % 5} b={place % 3}\n" for place in range(6) for cpu in (0, 1)
    ]
    table = table_of("".join(rows))
    assert table.intervals["application"].nunique() == 2
    assert table.counts["a"][table.intervals["application"] == "pmu: cpu1"].tolist() == [100, 101, 104, 104, 101, 100]


def test_two_kinds_of_lines_with_values_are_no_log_of_one() -> None:
    rows = [f"[{place}.5] {'a=1 b=2' if place % 2 else 'c=3 d=4'}\n" for place in range(8)]
    assert inspect([UploadedFile("serial.log", "".join(rows).encode())]).result is None
