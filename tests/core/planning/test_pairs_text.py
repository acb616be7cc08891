"""Wanted pairs as they are pasted."""

import pytest

from hemcore.errors import ParameterError
from hemcore.planning.pairs_text import wanted_pairs

HEMS = ["cycles", "LLC misses", "cpu/event=0x3c,umask=0x1/", "x", "a with b"]


@pytest.mark.parametrize(
    ("said", "pairs"),
    [
        ("cycles with LLC misses", [("cycles", "LLC misses")]),
        ("cycles, LLC misses; x\tcycles", [("cycles", "LLC misses"), ("x", "cycles")]),
        ("cycles cpu/event=0x3c,umask=0x1/\r\n", [("cycles", "cpu/event=0x3c,umask=0x1/")]),
        ("cpu/event=0x3c,umask=0x1/,x", [("cpu/event=0x3c,umask=0x1/", "x")]),
        ("x x cycles\ncycles × x", [("x", "cycles")]),
        ("a with b with cycles", [("a with b", "cycles")]),
        ("x with *", [("x", "cycles"), ("x", "LLC misses"), ("x", "cpu/event=0x3c,umask=0x1/"), ("x", "a with b")]),
    ],
)
def test_pairs_are_read_however_they_are_parted(said: str, pairs: list[tuple[str, str]]) -> None:
    assert wanted_pairs(said, HEMS) == pairs


def test_no_text_wants_every_pair_and_two_stars_do_too() -> None:
    assert wanted_pairs(" \n", HEMS) is None
    assert len(wanted_pairs("* with *", HEMS) or []) == 10


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("cycles", "pair 1, 'cycles': only one name"),
        ("cycles with x\n\nx with NONE", "pair 2, 'x with NONE': 'NONE' is not among the HEMs"),
        ("NONE with x", "'NONE' is not among"),
        ("cycles, cycles", "cannot be paired with itself"),
        (";;", "names no pair"),
    ],
)
def test_what_is_no_pair_is_said(said: str, told: str) -> None:
    with pytest.raises(ParameterError, match=told):
        wanted_pairs(said, HEMS)
