"""Objects out of JSON as samples: lists within objects, series of InfluxDB, traces, benchmarks and rows by their names."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

from hemcore.datasets.importing.header_words import meaning_of
from hemcore.events.event_units import with_unit

# An object of the text: values by name.
Sample: TypeAlias = dict[str, Any]
# Keys of what tools write, of which not all is a reading.
KNOWN = frozenset(("traceEvents", "benchmarks", "hits"))
_DEEPEST, _FEWEST_ROWS, _FEWEST_CELLS, _FEWEST_PAIRS = 8, 3, 2, 5
_PLACE = re.compile(r"(core|cpu|processor|socket|package|thread|node|numa)?[ _#-]*(\d+)", re.IGNORECASE)
_UNITS, _NO_UNIT = ("unit", "units", "uom"), ("", "1", "-", "count", "counts", "none")
_NAMES = ("name", "label", "title")  # of an object and, in one with the same key, of what lies in it
_NAMES_OF_BENCHMARKS = frozenset(
    "run_name run_type family_index per_family_instance_index repetitions repetition_index threads aggregate_name aggregate_unit".split()
)


def unfolded(found: Sample) -> Iterator[Sample]:
    """The samples of an object that holds lists of plain values, all of one length, or one list of objects, each with the object's own
    words; the object itself where it has none."""
    lists = {key: value for key, value in found.items() if isinstance(value, list) and len(value) > 1}
    inner = [value for value in lists.values() if all(isinstance(each, dict) for each in value)]
    own = {key: value for key, value in found.items() if key not in lists}
    plain = not any(isinstance(each, dict | list) for value in lists.values() for each in value)
    if len(lists) == 1 and len(inner) == 1:
        for each in inner[0]:
            yield {("program" if key in _NAMES and key in each else key): value for key, value in own.items()} | each
    elif lists and plain and len({len(value) for value in lists.values()}) == 1 and len(next(iter(lists.values()))) >= _FEWEST_ROWS:
        yield from ({**own, **dict(zip(lists, row, strict=True))} for row in zip(*lists.values(), strict=True))
    else:
        yield found


def of_series(results: Sequence[Any]) -> list[Sample]:
    """The rows of all series of InfluxDB's answer, with their tags; none where it is another's."""
    rows: list[Sample] = []
    for result in results:
        for series in result.get("series", []) if isinstance(result, dict) else []:
            names, values = series.get("columns"), series.get("values")
            if not isinstance(names, list) or not isinstance(values, list):
                return []
            tags = series.get("tags") or {}
            rows += [{**dict(zip(names, row, strict=False)), **tags} for row in values]
    return rows


def frames(found: Any, depth: int = 0) -> Iterator[tuple[list[Sample], list[list[Any]]]]:
    """(the fields, their values) of each frame of Grafana anywhere in `found`: its answers, and the data and the state of a panel."""
    if isinstance(found, dict):
        fields = found.get("fields", (found.get("schema") or {}).get("fields") if isinstance(found.get("schema"), dict) else None)
        if isinstance(fields, list) and fields and all(isinstance(each, dict) and "name" in each for each in fields):
            data = found.get("data")
            values = data.get("values") if isinstance(data, dict) else [each.get("values") for each in fields]
            if isinstance(values, list) and len(values) == len(fields) and all(isinstance(each, list) for each in values):
                yield [{"frame": found.get("name"), **each} for each in fields], values
                return
    for each in found.values() if isinstance(found, dict) else found if isinstance(found, list) else ():
        if depth < _DEEPEST and isinstance(each, dict | list):
            yield from frames(each, depth + 1)


def of_frames(found: Sequence[tuple[list[Sample], list[list[Any]]]]) -> list[Sample]:
    """One row for each time and set of labels of Grafana's frames, one column for each event; labels that tell no fields of an event apart
    go. None where a frame is damaged."""
    if any(len({len(column) for column in values}) > 1 for _, values in found):
        return []
    own = [
        (field, column, [(str(axis["name"]), each) for axis, each in zip(fields, values, strict=True) if axis.get("type") != "number"])
        for fields, values in found
        for field, column in zip(fields, values, strict=True)
        if field.get("type") == "number"
    ]
    of_event: dict[str, list[Sample]] = {}
    for field, _, _ in own:
        of_event.setdefault(_event_of(field), []).append(field.get("labels") or {})
    keys = dict.fromkeys(key for labels in of_event.values() for each in labels for key in each if key != "__name__")
    apart = [key for key in keys if any(len({each.get(key) for each in labels}) > 1 for labels in of_event.values())]
    rows: dict[tuple[Any, ...], Sample] = {}
    taken: dict[tuple[Any, ...], int] = {}
    for field, column, axes in own:
        labels = {key: (field.get("labels") or {}).get(key, "") for key in apart}
        column_of = (_event_of(field), *labels.values())
        again = taken[column_of] = taken.get(column_of, 0) + 1
        event = _event_of(field) if again == 1 else f"{_event_of(field)} ({again})"
        for place, value in enumerate(column):
            at = {name: each[place] for name, each in axes} | labels
            rows.setdefault(tuple(at.items()), dict(at))[event] = value
    return list(rows.values())


def _event_of(field: Sample) -> str:
    """What a field of Grafana counts: its metric, else the name that it or its frame is shown by."""
    config, labels = field.get("config") or {}, field.get("labels") or {}
    named = (labels.get("__name__"), config.get("displayName"), config.get("displayNameFromDS"))
    plain = field["name"] if field["name"] != "Value" else field.get("frame") or "Value"
    return with_unit(str(next((name for name in named if name), plain)), str(config.get("unit") or ""))


def plain_lists(found: Sample, depth: int = 0) -> Iterator[tuple[str, list[Any]]]:
    for key, value in found.items():
        if isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict):
            value = value[0]
        if isinstance(value, dict) and depth < _DEEPEST:
            yield from plain_lists(value, depth + 1)
        elif isinstance(value, list) and len(value) >= _FEWEST_ROWS and not any(isinstance(each, dict | list) for each in value):
            yield key, value


def lists_below(found: Any, depth: int = 0) -> Iterator[list[Sample]]:
    """The lists of objects with numbers, two at least, within objects of objects: hits.hits of Elasticsearch, data.result of others."""
    for value in found.values():
        if isinstance(value, dict) and depth < _DEEPEST:
            yield from lists_below(value, depth + 1)
        elif isinstance(value, list) and len(value) > 1 and all(isinstance(each, dict) for each in value):
            yield value


def longest_list(found: Any, depth: int = 0) -> list[Sample]:
    """The longest list of objects anywhere in `found`; none where there is no list of two objects. Of lists within its objects nothing
    is looked at."""
    inside = list(found.values()) if isinstance(found, dict) else found if isinstance(found, list) else []
    if isinstance(found, list) and len(found) > 1 and all(isinstance(each, dict) for each in found):
        return found
    return max((longest_list(each, depth + 1) for each in inside if depth < _DEEPEST), key=len, default=[])


def spread(found: Sample) -> Iterator[Sample]:
    """An object with the lists of objects in it: one of one object is part of it, of several each object is a row; other lists go."""
    lists = {key: value for key, value in found.items() if isinstance(value, list)}
    own = {key: value for key, value in found.items() if key not in lists}
    of_objects = {key: value for key, value in lists.items() if value and all(isinstance(each, dict) for each in value)}
    own |= {key: value[0] for key, value in of_objects.items() if len(value) == 1}
    several = [value for value in of_objects.values() if len(value) > 1]
    yield from ({**own, **each} for each in several[0]) if len(several) == 1 else iter((own,))


def trace(events: Sequence[Any]) -> Iterator[Sample]:
    """The counters ("ph": "C") of a trace of Chrome or Perfetto, one row per value; its spans are left out."""
    counters = [each for each in events if isinstance(each, dict) and each.get("ph") == "C" and isinstance(each.get("args"), dict)]
    several = len({each.get("pid") for each in counters}) > 1
    for each in counters:
        for key, value in each["args"].items():
            event = each.get("name") if len(each["args"]) == 1 else f"{each.get('name')} {key}"
            yield {
                **({"program": f"process {each.get('pid')}"} if several else {}),
                "time [us]": each.get("ts"),
                "event": event,
                "value": value,
            }


def benchmarks(tests: Sequence[Sample]) -> Iterator[Sample]:
    """What Google Benchmark measured, without means and deviations of its repetitions, and without the numbers that name them."""
    single = [each for each in tests if each.get("run_type") != "aggregate"]
    for each in single or tests:
        yield {key: value for key, value in each.items() if key not in _NAMES_OF_BENCHMARKS}


def named_rows(found: Sample) -> list[Sample] | None:
    """The rows of {"fft": {"cycles": 5}, "sha": {...}}, as pandas writes orient="index", each with its name; None for other objects."""
    rows = [each for each in found.values() if isinstance(each, dict) and len(each) >= _FEWEST_CELLS]
    if len(rows) < max(len(found), _FEWEST_ROWS) or any(key.isdigit() for key in rows[0]):
        return None
    cells = [value for each in rows for value in each.values()]
    alike = len(set.intersection(*(set(each) for each in rows))) >= _FEWEST_CELLS
    numbers = sum(isinstance(value, int | float) for value in cells)
    first = name_of_index(list(found))
    if alike and list(found) == [str(number) for number in range(len(found))]:
        return rows  # numbered, as pandas does where there are no names
    return [{first: name, **each} for name, each in found.items()] if alike and 2 * numbers >= len(cells) else None


def index_of(found: Sample, rows: int) -> list[Any]:
    """What pandas' orient="split" writes of its index: one plain value for each row; none where it is missing or counts 0, 1, 2."""
    index = found.get("index")
    if not isinstance(index, list) or len(index) != rows or any(isinstance(each, dict | list) for each in index):
        return []
    return [] if index == list(range(rows)) else index


def name_of_index(index: Sequence[Any]) -> str:
    """What the column of an index is called: "index" where it holds numbers that are not whole, which number no rows; else nothing."""
    try:
        return "index" if any(float(each) % 1 for each in index) else ""
    except (TypeError, ValueError):
        return ""


def is_row(row: object, width: int) -> bool:
    return isinstance(row, Sequence) and not isinstance(row, str) and len(row) == width


def cells(column: object) -> Sample | None:
    """The cells of a column by their place, if `column` is one: a list, or an object with numbers as names, of plain values."""
    cells: Sample = {}
    if isinstance(column, list):
        cells = {str(place): cell for place, cell in enumerate(column)}
    elif isinstance(column, dict) and all(key.isdigit() for key in column):
        cells = column
    return cells if cells and not any(isinstance(cell, (dict, list)) for cell in cells.values()) else None


def without_pairs(found: Any, depth: int = 0) -> Any:
    """`found` with an object of a time and a value for each pair of lists of such pairs, [[0.1, 5], [0.2, 7], ...]; not where names stand
    beside them."""
    if depth > 2 * _DEEPEST:
        return found
    if isinstance(found, dict):
        named = any(isinstance(value, list) and value and all(isinstance(each, str) for each in value) for value in found.values())
        return found if named else {key: without_pairs(value, depth + 1) for key, value in found.items()}
    if not isinstance(found, list):
        return found
    if len(found) < _FEWEST_PAIRS or not all(is_row(row, 2) and isinstance(row[0], int | float) for row in found):
        return [without_pairs(each, depth + 1) for each in found]
    rises = all(one[0] < other[0] for one, other in pairwise(found)) and all(
        row[1] is None or isinstance(row[1], int | float) for row in found
    )
    return [{"time": time, "value": value} for time, value in found] if rises else found


def _are_named_rows(rows: list[Any]) -> bool:
    named = len(rows) >= _FEWEST_ROWS and isinstance(rows[0], list) and len(rows[0]) > 1 and all(isinstance(name, str) for name in rows[0])
    return named and all(is_row(row, len(rows[0])) for row in rows)


def with_units(found: Any, depth: int = 0) -> Any:
    """`found` with {"time [ms]": [...]} for {"time": {"unit": "ms", "data": [...]}}: an object of a unit and one list of plain values;
    of an object whose one list holds rows below names, this."""
    if not isinstance(found, dict) or depth > _DEEPEST:
        return found
    if len(lists := [each for each in found.values() if isinstance(each, list)]) == 1 and not depth and _are_named_rows(lists[0]):
        return lists[0]
    made = {}
    for key, value in found.items():
        inner = value if isinstance(value, dict) and 1 < len(value) < _FEWEST_PAIRS else {}
        unit = next((inner[each] for each in _UNITS if isinstance(inner.get(each), str)), None)
        lists = [each for each in inner.values() if isinstance(each, list)]
        if unit is None or len(lists) != 1 or any(isinstance(each, dict | list) for each in lists[0]):
            made[key] = with_units(value, depth + 1)
        else:
            made[f"{key} [{unit}]" if unit.strip() not in _NO_UNIT else key] = lists[0]
    return made


def of_times(found: Sample) -> Iterator[Sample]:
    """The rows of lists that lie within objects and share one list of times beside these: {"time": [...], "core0": {"cycles": [...], ...},
    "core1": ...}, the levels in either order, or a list of objects with words of their own. Nothing of another shape."""
    times = [key for key, value in found.items() if isinstance(value, list) and _is_time(key)]
    length = len(found[times[0]]) if len(times) == 1 else 0
    series = [each for key, value in found.items() if key not in times for each in _series(value, (key,), {})]
    if length < _FEWEST_CELLS or len(series) < _FEWEST_CELLS or any(len(values) != length for _, _, values in series):
        return
    events_first = all(_PLACE.fullmatch(path[-1]) for path, _, _ in series)
    groups: dict[tuple[object, ...], Sample] = {}
    columns: dict[tuple[object, ...], dict[str, list[Any]]] = {}
    for path, labels, values in series:
        if not labels and len(path) < _FEWEST_CELLS:
            return  # columns beside one another
        event, group = (path[-2], path[-1]) if events_first else (path[-1], path[-2])
        key = (*path[:-2], group, *labels.values())
        groups[key] = labels or _label(group, path[0] if len(path) > _FEWEST_CELLS else "")
        if event in columns.setdefault(key, {}):
            return
        columns[key][event] = values
    if len(groups) < _FEWEST_CELLS:
        return
    name = times[0] if meaning_of(times[0]).role == "time" else "time"
    for key, label in groups.items():
        for place, time in enumerate(found[times[0]]):
            yield {name: time, **label, **{event: values[place] for event, values in columns[key].items()}}


def _is_time(key: str) -> bool:
    return "time" in (meaning_of(key).role, meaning_of(key.removesuffix("s")).role)


def _series(found: Any, path: tuple[str, ...], labels: Sample) -> Iterator[tuple[tuple[str, ...], Sample, list[Any]]]:
    """(path, labels, values) of each list of plain values below `found`; of objects in a list, their plain values are the labels."""
    if isinstance(found, dict) and len(path) < _DEEPEST:
        for key, value in found.items():
            yield from _series(value, (*path, key), labels)
    elif isinstance(found, list) and found and all(isinstance(each, dict) for each in found):
        for each in found:
            own = {key: value for key, value in each.items() if not isinstance(value, dict | list)}
            yield from _series({key: value for key, value in each.items() if key not in own}, path, {**labels, **own})
    elif isinstance(found, list) and not any(isinstance(each, dict | list) for each in found):
        yield path, labels, found


def _label(group: str, above: str) -> Sample:
    """The column that tells the lists of `group` from others: "core0" is core 0, "0" below "cores" as well, any other name a program."""
    place = _PLACE.fullmatch(group)
    what = place[1] or above.lower().removesuffix("s") if place is not None else ""
    return {what.lower(): int(place[2])} if place is not None and what and _PLACE.fullmatch(f"{what}0") else {"program": group}
