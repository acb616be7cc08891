"""Rows of perf stat -x read in blocks are those that are read line by line."""

import random

import pandas as pd
import pytest

from hemcore.datasets.readers.perf import csv, csv_blocks
from hemcore.datasets.readers.perf.perf_rows import Rows
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.errors import HemError

EVENTS = ("cycles", "instructions", "cpu/event=0x3c/", "power/energy-pkg/", "task-clock [software]")
STRANGE = (
    "",
    "# started on Sat Jan  3 12:00:00 2026",
    "     1.000000000,CPU0,5,,cycles,100,100.00,,",
    "     1.000000000,,,,,,,0.79,insn per cycle",
    "1.000000000,5,,cpu/inst,cmask=1/,100,100.00,,",
    "1.000000000,5,,cycles,100,100.00,100,100.00",
    "1.000000000,5,,cycles,1e2,100.00,,",
    "1.000000000,inf,,cycles,100,100.00,,",
    "1.0,5,,cycles,100,100.00,,",
    "1.000000000,5,,cycles,100",
    "1.000000000,5,7,cycles,100,100.00,,",
    "1.000000000,+5,,cycles,100,100.00,,",
)


def line(random: random.Random, interval: int) -> str:
    value = random.choice([str(random.randrange(10**9)), f"{random.random() * 1000:.2f}", "<not counted>", "<not supported>"])
    event = random.choice(EVENTS)
    unit = {"power/energy-pkg/": "Joules", "task-clock [software]": "msec"}.get(event, "")
    return f"{interval:6d}.{random.randrange(10**9):09d},{value},{unit},{event},{random.randrange(10**9)},{random.random() * 100:.2f},,"


def found(text: str) -> tuple[pd.DataFrame, list] | str:
    try:
        rows = csv.rows_of(UploadedFile("perf.csv", text.encode()))
    except HemError as error:
        return str(error)
    return rows.frame(), [*rows.repairs, *rows.notes, rows.first_line]


def same(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = found(text)
    with monkeypatch.context() as single:
        single.setattr(csv, "add_block", lambda *_: None)
        lines = found(text)
    if isinstance(lines, str) or isinstance(blocks, str):
        assert blocks == lines
        return
    pd.testing.assert_frame_equal(blocks[0], lines[0])
    assert repr(blocks[1]) == repr(lines[1])


@pytest.mark.sweep(of=3)
@pytest.mark.parametrize("seed", range(8))
def test_blocks_are_as_lines(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_blocks, "_BLOCK", 400)
    choose = random.Random(seed)
    lines = [line(choose, number // 5) for number in range(300)]
    same("\n".join(lines) + "\n", monkeypatch)
    for _ in range(4):
        lines.insert(choose.randrange(len(lines)), choose.choice(STRANGE))
        same("\n".join(lines), monkeypatch)
    same("\n".join(lines)[:-4], monkeypatch)


@pytest.mark.parametrize("strange", STRANGE)
def test_one_strange_line(strange: str, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = "1.000000000,5,,cycles,100,100.00,,\n1.000000000,6,,instructions,100,50.00,,\n"
    for text in (usual + strange, strange + "\n" + usual, usual + strange + "\n" + usual):
        same(text, monkeypatch)


def test_a_usual_block_is_read_at_once() -> None:
    rows = Rows("perf.csv")
    row = csv._patterns(",")[0]
    block = "     1.000000000,5,,cycles,200,50.00,,\n     1.000000000,<not counted>,,branches,0,0.00,,"
    assert csv_blocks.add_block(rows, block, ",", row) == ["cycles", "branches"]
    found = rows.frame()
    assert found["count"].fillna(-9).tolist() == [5, -9]
    assert found["share"].tolist() == [0.5, 0]
