"""Lists of JSON that become rows, by hand."""

from typing import Any

from hemcore.datasets.importing.other_forms.json_shapes import lists_below, of_frames, plain_lists, spread, trace


def counter(name: str, at: int, process: int = 1, **values: int) -> dict[str, Any]:
    return {"ph": "C", "name": name, "ts": at, "pid": process, "args": values}


def test_counters_of_a_trace() -> None:
    rows = list(trace([counter("a", 5, x=1), {"ph": "X", "name": "span"}, counter("b", 6, x=2, y=3)]))
    assert [tuple(row.values()) for row in rows] == [(5, "a", 1), (6, "b x", 2), (6, "b y", 3)]
    assert [row["program"] for row in trace([counter("a", 5, x=1), counter("a", 5, process=2, x=1)])] == ["process 1", "process 2"]


def test_lists_within_objects() -> None:
    two = [{"a": 1}, {"a": 2}]
    assert list(lists_below({"took": 1, "hits": {"hits": two, "one": [{"a": 1}], "mixed": [{"a": 1}, 2]}})) == [two]
    assert list(spread({"a": 1, "one": [{"b": 2}], "two": [{"c": 3}, {"c": 4}], "n": [1, 2]})) == [
        {"a": 1, "one": {"b": 2}, "c": 3},
        {"a": 1, "one": {"b": 2}, "c": 4},
    ]
    assert list(spread({"a": 1, "two": two, "other": two})) == [{"a": 1}]
    six = [1, 2, 3, 4, 5, 6]
    assert list(plain_lists({"t": six, "x": {"a": six}, "s": [1], "o": [{"q": six}], "l": [[1, 2]] * 6})) == [
        ("t", six),
        ("a", six),
        ("q", six),
    ]


def frame(core: str, *values: int) -> tuple[list[dict[str, Any]], list[list[Any]]]:
    labels = {"__name__": "cycles", "core": core, "job": "node"}
    return [{"name": "Time", "type": "time"}, {"name": "Value", "type": "number", "labels": labels}], [[1, 2], list(values)]


def test_labels_of_grafanas_frames_that_tell_fields_apart_stay() -> None:
    assert of_frames([frame("0", 5, 6), frame("1", 7, 8)]) == [
        {"Time": 1, "core": "0", "cycles": 5},
        {"Time": 2, "core": "0", "cycles": 6},
        {"Time": 1, "core": "1", "cycles": 7},
        {"Time": 2, "core": "1", "cycles": 8},
    ]
    assert of_frames([frame("0", 5, 6)]) == [{"Time": 1, "cycles": 5}, {"Time": 2, "cycles": 6}]
    assert of_frames([frame("0", 5, 6), frame("0", 7, 8)])[1] == {"Time": 2, "cycles": 6, "cycles (2)": 8}
    assert of_frames([frame("0", 5)]) == [], "two times and one value"
