"""A small campaign of each kind; `make hostile` runs the large one."""

import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from hemcore.datasets.readers import recognition
from hemcore.datasets.readers.uploaded_files import UploadedFile
from tests.hostile import verdict
from tests.hostile.campaign import DIED, costs_of, outcome, table_of
from tests.hostile.mutations import KINDS, Mutation, mutated
from tests.hostile.originals import Original, originals
from tests.hostile.verdict import FAULTS, judge
from tests.hostile.written_forms import CYCLES, MISSES

ROOT = Path(__file__).resolve().parents[2]
ROWS = "".join(f"{row}.000000001,{100 + row},,cycles,9,100.00,,\n" for row in range(1, 9))
ORIGINAL = Original("made", (UploadedFile("f.csv", ROWS.encode()),))


def sent(text: str, **said: bool) -> Mutation:
    return Mutation("made", (UploadedFile("f.csv", text.encode()),), **said)


@pytest.mark.slow
@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.long) for part in (1, 2, 3))])
def test_a_small_campaign_finds_nothing(part: int) -> None:
    found = [outcome(7, number) for number in range(part, 120, 4)]
    assert not [each for each in found if each[3] in (*FAULTS, DIED)]
    assert table_of(Counter((kind, verdict) for _, _, kind, verdict, _, _ in found)).endswith(f"{len(found)}")


def test_what_inputs_took_is_said() -> None:
    assert [each >= 0 for each in outcome(7, 1)[5]] == [True] * 3
    # 100 MB grown of the 300 and 4 times nothing; and of those and 4 times 25 MB.
    assert costs_of([(0, 0.5, 100 << 20), (25 << 20, 1.5, 100 << 20)]).split("\n") == [
        "seconds of the processor: median 1.000, 99% 1.490, most 1.500",
        "MB grown by: median 100.0, 99% 100.0, most 100.0",
        "of the bound of memory at most 0.33",
    ]


@pytest.mark.parametrize("original", [each for each in originals() if each.previewed], ids=lambda original: original.name)
def test_a_written_form_is_read_whole(original: Original) -> None:
    there = {value for _, value in verdict.read_before(original)[1]}
    text = original.files[0].content.decode()
    readings = [value for values in (CYCLES, MISSES) for value in values if str(value) in text]
    scaled = original.derived or original.name in ("form Criterion", "form hpcviewer", "form Mathematica", "form date in a loop")
    assert there
    assert scaled or there >= set(readings)


def test_it_is_the_same_again_by_its_seed() -> None:
    one, two = (mutated(originals()[3].files, random.Random("1 2")) for _ in range(2))
    assert one == two
    assert len(KINDS) == 12
    assert len(originals()) > 80


def test_a_fault_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ROWS.split("\n")
    assert judge(ORIGINAL, sent(ROWS)).verdict == "as before"
    assert judge(ORIGINAL, sent(ROWS.replace("104", "987"))).verdict == "touched alone"
    # A reader that takes two rows for one, loses one, changes another, raises anything, or refuses without a place.
    for read, mutation, fault in (
        ("\n".join([*lines[:3], *lines[4:]]), sent("\n".join([*lines[:2], lines[2] + lines[3], *lines[4:]])), "lost untold"),
        (ROWS.replace("101", "999"), sent(ROWS.replace("104", "987")), "untouched changed"),
        (ROWS.replace("101", "999"), sent(ROWS, same=True), "untouched changed"),
    ):
        with monkeypatch.context() as patch:
            wrong = recognition.read_upload([UploadedFile("f.csv", read.encode())])
            verdict.read_before(ORIGINAL)
            patch.setattr(verdict, "read_upload", lambda files, wrong=wrong: wrong)
            assert judge(ORIGINAL, mutation).verdict == fault
    for error, fault in ((ZeroDivisionError("x"), "crash"), (recognition.ReadError("no."), "no place")):

        def raised(files: object, error: Exception = error) -> None:
            raise error

        with monkeypatch.context() as patch:
            patch.setattr(verdict, "read_upload", raised)
            assert judge(ORIGINAL, sent(ROWS)).verdict == fault


@pytest.mark.slow
def test_kills_and_flipped_bits_leave_a_whole_store() -> None:
    command = [sys.executable, "-m", "tests.hostile.store", "--kills", "8", "--flips", "60"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "8 kills: {'whole': 8}" in done.stdout
