"""What is asked about a table after it was read, where it looks unlike a right one; and what looks alike and is right."""

import pytest

from hemcore.datasets.importing.inspection import Preview, inspect
from hemcore.datasets.readers.uploaded_files import UploadedFile

CELLS = ["5,9,3,8", "9,2,7,4", "6,8,2,9", "7,3,9,1", "2,7,4,6", "8,4,6,2", "4,9,1,7", "9,5,8,3", "3,6,5,8", "7,8,3,5"]


def seen(text: str, **others: str) -> Preview:
    files = [UploadedFile("lab.csv", text.encode()), *(UploadedFile(f"{name}.csv", each.encode()) for name, each in others.items())]
    found = inspect(files)
    assert found.result is not None, found.fault
    return found


def timed(names: str, *, above: str = "") -> str:
    return f"{above}time,{names}\n" + "".join(f"{row / 10 + 0.1:.1f},{cells}\n" for row, cells in enumerate(CELLS))


def named(names: str, rows: str) -> str:
    return f"{names}\n" + "".join(f"{name},{cells}\n" for name, cells in zip(rows.split(","), CELLS, strict=False))


SAME_TIMES = "time,cycles,misses\n" + "".join(f"{1 + row // 5},{cells[:3]}\n" for row, cells in enumerate(CELLS))
TWO_TABLES = (
    named("program,a,b,c,d", "fft,sha,aes,lu").replace(",3,8", ",,").replace(",7,4", ",,").replace(",2,9", ",,").replace(",9,1", ",,")
)
TWO_TABLES += "is,,,4,6\nep,,,6,2\ncg,,,1,7\nft,,,8,3\n"
ENDS = "time,a,b\n1,5,9\n2,9,2\n3,7,{}\n4,6,{}\n"
OTHER_EVENTS = ",time,a,b\n" + "".join(
    f"{row // 5},{row % 5},{row * 7 % 4 if row < 5 else ''},{'' if row < 5 else row * 3 % 4}\n" for row in range(10)
)
EVEN = "at,key,a,b,c\n" + "".join(
    f"2026-03-02T10:{row:02}:00Z,{1772446200000 + 5000 * row},{row * 7 % 5},{row * 3 % 8},{row * 5 % 7}\n" for row in range(40)
)
LONG = "program,event,value,other\n" + "".join(f"p{row // 2},{'ab'[row % 2]},{row * 7 % 5},{row * 3 % 7}\n" for row in range(8))


@pytest.mark.parametrize(
    ("text", "key"),
    [
        (timed("a,b,c,d", above="5,6,7,8,1\n8,9,10,3,2\n"), "skipped"),
        (timed("a,b,c,d", above="load,6,7,8,1\n"), ""),
        (timed("IPC,L2,IPC,L3"), "again"),
        (timed("fft cycles,fft misses,sha cycles,sha misses"), "levels"),
        (timed("cycles fft,cycles sha,misses fft,misses sha"), "levels"),
        (timed("cycles,,misses,d"), "nameless"),
        (timed("user cycles,user misses,kernel cycles,kernel misses"), ""),
        (timed("core 0 cycles,core 0 misses,core 1 cycles,core 1 misses"), ""),
        (named("benchmark,a0,b0,c0,d0", "cycles,instructions,misses"), "programs"),
        (named("benchmark,a0,b0,c0,d0", "sort,fft,aes"), ""),
        ("run,event_id,value\n" + "".join(f"{row // 2},{row % 2 + 1},{row * 7 % 5}\n" for row in range(8)), "labels"),
        (SAME_TIMES, "no length"),
        (SAME_TIMES.replace("\n2,", "\n1.9,"), "no length"),
        (timed("a,b,c,d"), ""),
        (TWO_TABLES, "blocks"),
        (ENDS.format("", ""), "short"),
        (ENDS.format("4", ""), ""),
        (ENDS.format("4", "6"), ""),
        (EVEN, "even"),
        (EVEN.replace("1772446", "77244"), ""),
        (named("benchmark,a0,b0,c0,d0", "cycles,sort,fft,aes,lu,is,ep,mg"), ""),
        ("time,a,b\n" + "".join(f".{row},{row * 7 % 5 if row % 2 else ''},{'' if row % 2 else row * 3 % 4}\n" for row in range(1, 9)), ""),
        ("program" + OTHER_EVENTS, "blocks"),
        ("run" + OTHER_EVENTS, ""),
        (LONG, "left out"),
    ],
)  # fmt: skip
def test_what_looks_unlike_a_right_table_is_asked_about(text: str, key: str) -> None:
    assert [doubt.key for doubt in seen(text).doubts] == [key] * bool(key)


def test_what_was_settled_is_not_asked_again_and_an_answer_reads_the_rows_as_events() -> None:
    found = seen(named("benchmark,a0,b0,c0,d0", "cycles,instructions,misses"))
    (events, recipe), (_, kept) = found.doubts[0].answers
    assert events == "Rows are events"
    files = [UploadedFile("lab.csv", named("benchmark,a0,b0,c0,d0", "cycles,instructions,misses").encode())]
    assert not inspect(files, kept).doubts
    table = inspect(files, recipe).result
    assert table is not None
    assert "3 HEMs" in str(table.table) or "3 counters" in str(table.table)


def test_sets_of_the_same_events_and_sets_of_one_run_are_asked_about() -> None:
    runs = named("run,a,b,c,d", "1,2,3")
    assert [doubt.key for doubt in seen(runs, lab2=named("run,d,c,b,a", "1,2,3")).doubts] == ["same events"]
    assert not seen(runs, lab2=named("run,a,b,e,f", "1,2,3")).doubts
    files = [UploadedFile(f"run{number}.csv", runs.encode()) for number in (1, 2)]
    assert not inspect(files).doubts
