"""The e6500/T2080 event numbers."""

from pathlib import Path

import pandas as pd
import pytest

from hemcore.errors import UnknownNameError
from hemcore.events.t2080 import T2080_EVENTS, event_name

TABLE = Path(__file__).resolve().parents[3] / ".." / "shared" / "data" / "t2080" / "t2080_code2name.csv"


def test_names_are_unique_and_plain():
    assert len(T2080_EVENTS) == len(set(T2080_EVENTS.values())) == 262
    assert all(name.replace("_", "").isalnum() and name == name.upper() for name in T2080_EVENTS.values())


def test_numbers_ascend():
    assert list(T2080_EVENTS) == sorted(T2080_EVENTS)


def test_known_and_unknown_numbers():
    assert event_name(1) == "PROCESSOR_CYCLES"
    assert event_name(457) == "L2_MISSES"
    assert event_name(52) == event_name(44) + "_CYCLES"
    with pytest.raises(UnknownNameError, match="4 is not an event number"):
        event_name(4)


def test_numbers_and_names_are_the_published_ones():
    if not TABLE.exists():
        pytest.skip(f"the published table is not at {TABLE}")
    published = pd.read_csv(TABLE)
    assert list(T2080_EVENTS) == list(published["code"])
    for code, name in zip(published["code"], published["hems"], strict=True):
        assert T2080_EVENTS[code] == name.removesuffix(".1") + ("_CYCLES" if name.endswith(".1") else "")
