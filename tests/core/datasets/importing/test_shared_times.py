"""JSON of cores, processors or programs whose lists share one list of times; notes that carry what is asked about them."""

import copy
import json

import pytest

from hemcore.datasets.importing.inspection import Preview, inspect
from hemcore.datasets.importing.other_forms.json_levels import notes_on
from hemcore.datasets.readers.repairs import Note
from hemcore.datasets.readers.uploaded_files import UploadedFile

TIMES = [0.5, 1.0, 1.5]
FIRST, SECOND = {"cycles": [900, 910, 880], "misses": [4, 5, 6]}, {"cycles": [700, 710, 680], "misses": [3, 3, 2]}


def seen(found: object) -> Preview:
    return inspect([UploadedFile("x.json", json.dumps(found).encode())])


@pytest.mark.parametrize(
    ("found", "level"),
    [
        ({"time": TIMES, "cores": {"0": FIRST, "1": SECOND}}, "core"),
        ({"time": TIMES, "core0": FIRST, "core1": SECOND}, "core"),
        ({"timestamps": TIMES, "series": [{"core": 0, **FIRST}, {"core": 1, **SECOND}]}, "core"),
        ({"time": TIMES, **{event: {"cpu0": FIRST[event], "cpu1": SECOND[event]} for event in FIRST}}, "thread"),
        ({"time": TIMES, "data": {"socket 0": FIRST, "socket 1": SECOND}}, "socket"),
    ],
)  # fmt: skip
def test_lists_of_places_share_one_list_of_times(found: object, level: str) -> None:
    shown = seen(found)
    assert shown.result is not None, shown.fault
    table = shown.result.table
    assert table.counts.to_dict("list") == {"cycles": [900, 910, 880, 700, 710, 680], "misses": [4, 5, 6, 3, 3, 2]}
    assert table.intervals["time"].tolist() == TIMES * 2
    assert table.intervals[level].tolist() == list("000111")
    assert not any("stand in no row" in line for line in shown.repairs)


def test_lists_of_programs_share_one_list_of_times() -> None:
    table = seen({"time": TIMES, "fft": FIRST, "sort": SECOND}).result.table  # type: ignore[union-attr]
    assert table.intervals["application"].tolist() == ["fft"] * 3 + ["sort"] * 3


def test_lists_of_other_lengths_and_columns_side_by_side_are_read_as_before() -> None:
    table = seen({"time": TIMES, **FIRST}).result.table  # type: ignore[union-attr]
    assert table.counts.to_dict("list") == FIRST
    odd = seen({"time": TIMES, "core0": FIRST, "core1": {"cycles": [1, 2], "misses": [3, 4]}})
    assert any("4 numbers of the file stand in no row" in line for line in odd.repairs)


def test_a_note_carries_what_is_asked_about_it() -> None:
    found = {"a": [1, 2, 3, 4, 5], "b": 9}
    (much,), (little,) = notes_on(["a"] * 5, found), notes_on(["b"], found)
    assert (str(much), much.kind) == ("5 numbers of the file stand in no row of the table: 'a'.", "much")
    assert (little, little.kind) == ("1 number of the file stands in no row of the table: 'b'.", "")
    named = much.about("x.json")
    assert (named, named.kind) == ("x.json: 5 numbers of the file stand in no row of the table: 'a'.", "much")
    assert copy.deepcopy(named).kind == "much"
    assert Note("x") == "x"
