"""Objects within objects of JSON as rows: each key on the way to the values is a column, so that no program, run or group is lost."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from hemcore.datasets.importing import date_times
from hemcore.datasets.importing.header_words import meaning_of
from hemcore.datasets.importing.header_words import plain as bare
from hemcore.datasets.importing.other_forms.json_shapes import Sample, is_row, without_pairs
from hemcore.datasets.readers.repairs import Note

_DEEPEST, _SHOWN, _FEWEST_LOST, _MUCH = 12, 3, 5, 0.2
_LEVELS = ("run", "program", "subexperiment", "place")
_LABELS = frozenset("id name label number nr no index title key".split())
_NUMBERED = re.compile(r"([^\W\d_]*)[\s_.#:-]*(\d+|[A-Z])?")
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?")
_INTERVAL = re.compile(r"(?:sampling[_ ]?)?interval(?:[_ ]\(?(s|ms|us|ns)\)?)?", re.IGNORECASE)
_MEANS, _SPREADS = frozenset(("mean", "avg", "average")), frozenset("std stdev stddev sd standarddeviation".split())
_WITHIN = frozenset("counters counts events values readings hems metrics measurements pmcs data".split())


def rows_of(found: Any) -> list[Sample]:
    """The rows of objects and lists within each other, such as {"gzip": {"run1": {"cycles": 5}, ...}, ...}, or [] where there are none.

    A row is an object of plain values, or one place of lists of one length by name, or a list below a list of names; it has the plain
    values of what it lies in, and a column for each level: "run", "program" or "subexperiment" by what the level or its keys are called,
    else "program", or "subexperiment" where its objects have different names in them. Objects of a list that each have a time of their own
    are no level. Numbers and days that lie above the rows and are the same in all are left out: they are no readings, and a time of day
    may pass midnight. Lists beside their mean and spread are of runs, and what else is a number there is left out.
    """
    rows = list(_rows(without_pairs(found), {}, "", 0))
    events = Counter(key for row in rows for key, value in row.items() if is_number(value) or isinstance(value, dict))
    if len(rows) > 1 and max(events.values(), default=2) < 2:
        return []  # settings, each of its own
    above = {
        key
        for key in (rows[0] if rows else ())
        if all(isinstance(row.get(key), _Above | _WordsAbove) for row in rows) and len({row[key] for row in rows}) == 1
    }
    return [{key: value for key, value in row.items() if key not in above} for row in rows]


def lost_of(found: Any, rows: Sequence[Sample]) -> list[str]:
    """The paths of the numbers of `found` that stand in no row, one path for each number; but of an index 0, 1, 2, as of pandas."""
    if isinstance(found, dict) and isinstance(index := found.get("index"), list) and index == list(range(len(index))):
        found = {key: value for key, value in found.items() if key != "index"}
    left = Counter(value for row in rows for _, value in _numbers(row, whole=False))
    left.update(float(value) for row in rows for value in row.values() if isinstance(value, str) and value.isdecimal())
    lost = []
    for path, value in _numbers(found):
        left[value] -= 1
        if left[value] < 0:
            lost.append((path, value))
    if not lost:
        return []
    # Of equal numbers, one that stands by itself is lost rather than one of many of its name.
    often, again = Counter(path for path, _ in _numbers(found)), {value for _, value in lost}
    alike = Counter(each for each in _numbers(found) if each[1] in again)
    rarest: dict[float, list[str]] = {}
    for (path, value), times in sorted(alike.items(), key=lambda each: often[each[0][0]]):
        rarest.setdefault(value, []).extend([path] * min(times, len(lost)))
    paths = {value: iter(each) for value, each in rarest.items()}
    return [next(paths[value]) for _, value in lost]


def notes_on(lost: Sequence[str], found: Any) -> list[Note]:
    """The sentence on numbers of `found` that stand in no row; [] for none. Its kind is "much" where they are five, and a fifth of all."""
    if not lost:
        return []
    much = len(lost) >= max(_FEWEST_LOST, _MUCH * sum(1 for _ in _numbers(found)))
    names = list(dict.fromkeys(re.sub(r"\[\d+\]", "", path) for path in lost))
    shown = ", ".join(repr(name[:60]) for name in names[:_SHOWN])
    more = f" and {len(names) - _SHOWN} others" if len(names) > _SHOWN else ""
    one = len(lost) == 1
    text = f"{len(lost):,} number{'s' * (not one)} of the file stand{'s' * one} in no row of the table: {shown}{more}."
    return [Note(text, "much" if much else "")]


def is_number(value: object) -> bool:
    return isinstance(value, float) or (isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1e308)


def is_one_run(row: Sample) -> bool:
    """Whether an object is one run by itself: numbers, and the run or the program that they are of."""
    return sum(1 for _ in _numbers(row)) > 2 and any(meaning_of(key).role in ("run", "program") for key in row)


def has_numbers(found: Any) -> bool:
    return next(_numbers(found), None) is not None


class _Above(float):
    """A number that lies above the rows."""


class _WordsAbove(str):
    """A number in quotes, or a day, that lies above the rows."""

    __slots__ = ()


def _put_above(key: str, value: Any) -> Any:
    if is_number(value):
        return _Above(value)
    alike = isinstance(value, str) and meaning_of(key).role not in _LEVELS
    return _WordsAbove(value) if alike and (_NUMBER.fullmatch(value) or date_times.kind_of(value) == "date") else value


def _numbers(found: Any, path: str = "", depth: int = 0, *, whole: bool = True) -> Iterator[tuple[str, float]]:
    """(path, number) of each number; of lists only where `whole`."""
    if is_number(found):
        yield path, float(found)
    elif isinstance(found, dict):
        for key, value in found.items() if depth < 2 * _DEEPEST else ():
            yield from _numbers(value, f"{path}.{key}".lstrip("."), depth + 1, whole=whole) if not isinstance(value, str) else ()
    elif isinstance(found, list) and whole and depth < 2 * _DEEPEST:
        for value in found:
            if type(value) in (int, float) and abs(value) < 1e308:  # a list of millions
                yield path, float(value)
            elif not isinstance(value, str):
                yield from _numbers(value, path, depth + 1)


def _rows(found: Any, above: Sample, name: str, depth: int, *, is_level: bool = False) -> Iterator[Sample]:
    """`rows_of` what lies at `depth` under the key `name`. is_level: whether the keys of those beside it are a level."""
    if depth > _DEEPEST:
        return
    if isinstance(found, list):
        yield from _of_list(found, above, name, depth)
        return
    if not isinstance(found, dict):
        return
    plain = {key: value for key, value in found.items() if not isinstance(value, dict | list)}
    inner = {key: value for key, value in found.items() if isinstance(value, dict | list) and has_numbers(value)}
    own = above | {key: _put_above(key, value) for key, value in plain.items()}
    names = [value for value in found.values() if isinstance(value, list) and value and all(isinstance(each, str) for each in value)]
    if not inner:
        yield {**above, **plain}
    elif len(names) == 1 and (below := {key: _named(value, names[0]) for key, value in inner.items()}) != inner:
        yield from _rows(plain | below, above, name, depth + 1)
    elif (columns := _columns(found)) is not None:
        if _has_spread(plain):
            own = {key: value for key, value in own.items() if not (key in plain and is_number(value))}
            yield from ({**own, "run": str(place), **row} for place, row in enumerate(columns, start=1))
        else:
            yield from ({**own, **_timed(own, place), **row} for place, row in enumerate(columns))
    elif len(inner) == 1 and (key := next(iter(inner))) and _is_record(inner[key]) and key.lower() in _WITHIN:
        yield {**above, **found}
    elif (len(inner) > 1 or is_level) and len({_shape(value) for value in inner.values()}) == 1:
        level = _level(name, list(inner), list(inner.values()), above)
        several = any(isinstance(value, dict) and sum(isinstance(each, dict) for each in value.values()) > 1 for value in inner.values())
        for key, value in inner.items():
            yield from _rows(value, _below(own, level, key), "", depth + 1, is_level=several)
    else:  # what is most of it; the rest is listed
        key = max(inner, key=lambda each: sum(1 for _ in _numbers(inner[each])))
        yield from _rows(inner[key], own, key, depth + 1)


def _of_list(found: Sequence[Any], above: Sample, name: str, depth: int) -> Iterator[Sample]:
    if not found or not all(isinstance(each, dict | list) for each in found):
        return
    if all(isinstance(each, list) for each in found):
        keys = [str(place) for place in range(1, len(found) + 1)]
        level = _level(name, keys, found, above, of_lists=True)
        for key, value in zip(keys, found, strict=True):
            yield from _rows(value, _below(above, level, key), "", depth + 1)
        return
    if not all(isinstance(each, dict) for each in found):
        return
    deep = [
        any(isinstance(value, dict | list) and not _is_record(value) and has_numbers(value) for value in each.values()) for each in found
    ]
    if not any(deep):
        yield from ({**above, **each} for each in found)
        return
    if len(found) > 1 and any(_tells_time(found, key) for key in found[0]):
        yield from chain.from_iterable(_rows(each, above, "", depth + 1) for each in found)
        return
    label = next((key for key in found[0] if key.lower() in _LABELS or meaning_of(key).role in (*_LEVELS, "event name")), "")
    keys = [str(each.get(label, "")) for each in found]
    if len(set(keys)) < len(keys):
        keys = [f"{key} ({place})".strip() if label else str(place) for place, key in enumerate(keys, start=1)]
    known = meaning_of(label).role if label and label.lower() not in _LABELS else ""
    level = known if known in _LEVELS else "event" if known else _level(name, keys, found, above)
    for key, each in zip(keys, found, strict=True):
        inside = {other: value for other, value in each.items() if other != label}
        yield from _rows(inside, _below(above, level, key), "", depth + 1)


def _tells_time(found: Sequence[Sample], key: str) -> bool:
    """Whether `key` is a time in each, and another one in each: what they hold are readings, not runs."""
    values = [str(each.get(key, "")) for each in found]
    cells = not any(isinstance(each.get(key), dict | list) for each in found)
    return cells and meaning_of(key).role == "time" and len(set(values)) == len(values) and all(map(_is_instant, values))


def _is_instant(value: str) -> bool:
    return date_times.kind_of(value) in ("clock", "date-time")


def _below(above: Sample, level: str, key: str) -> Sample:
    """`above` with the key of one more level; a second one of programs is part of the program's name, and words above that mean the same,
    "experiment" above "groups", are of the whole."""
    number = re.fullmatch(r"[^\d]*?(\d+)", key) if level == "run" else None
    cell = number[1] if number is not None else key
    alike = {key for key, value in above.items() if key != level and isinstance(value, str) and meaning_of(key).role == level}
    own = {key: value for key, value in above.items() if key not in alike} if level in ("program", "subexperiment") else {**above}
    return own | {level: f"{own[level]} {cell}" if level in own else cell}


def _level(name: str, keys: Sequence[str], values: Sequence[Any], above: Mapping[str, Any], *, of_lists: bool = False) -> str:
    """What a level is: by its name ("runs"), by that of its keys ("run1", "group 2"), or by what lies in it."""
    for word in (name, name.removesuffix("s")):
        if word and (role := meaning_of(word).role) in _LEVELS:
            return role
    stems = {found[1].lower() for key in keys if (found := _NUMBERED.fullmatch(key)) is not None and found[2]}
    numbered = len(stems) == 1 and all(_NUMBERED.fullmatch(key) for key in keys)
    stem = stems.pop() if numbered else None
    if stem and ((role := meaning_of(stem).role) in _LEVELS or stem.startswith("subexp")):
        return role if role in _LEVELS else "subexperiment"
    events = {frozenset(_names(value)) for value in values}
    alone = all(isinstance(value, list) or sum(map(_holds_objects, value.values())) < 2 for value in values)
    if alone and len(events) == 1 and {meaning_of(each).role for each in next(iter(events))} - {"time"} == {"value"}:
        return "event"
    if len(events) > 1 and not any(one <= other or other <= one for one in events for other in events if one != other):
        return "subexperiment" if "subexperiment" not in above else "run"
    if stem in ("", "r", "i") and not of_lists:
        return "run"
    if stem == "" and of_lists:
        return "run" if "run" not in above else "subexperiment"
    return "program"


def _names(found: Any, depth: int = 0) -> Iterator[str]:
    """The names of the values in it that are numbers, or lists of numbers."""
    if isinstance(found, dict):
        for key, value in found.items():
            if is_number(value) or (isinstance(value, list) and value and all(is_number(each) or each is None for each in value)):
                yield key
            elif depth < _DEEPEST:
                yield from _names(value, depth + 1)
    elif isinstance(found, list) and depth < _DEEPEST:
        yield from chain.from_iterable(_names(each, depth + 1) for each in found[:2])


def _timed(own: Sample, place: int) -> Sample:
    """The time at the end of the interval at `place`, where the length of an interval is known."""
    for key, value in own.items():
        if (found := _INTERVAL.fullmatch(key)) is not None and is_number(value) and value > 0:
            return {f"time [{found[1] or 's'}]": round((place + 1) * float(value), 9)}
    return {}


def _has_spread(own: Sample) -> bool:
    """Whether a mean stands beside how its values vary: the lists there are what was measured again and again."""
    names = {bare(key) for key, value in own.items() if is_number(value)}
    return not names.isdisjoint(_MEANS) and not names.isdisjoint(_SPREADS)


def _columns(found: Sample) -> Iterator[Sample] | None:
    """The rows of lists of plain values of one length, in an object or in the one within it; None for anything else."""
    inner = [value for value in found.values() if isinstance(value, dict | list)]
    if len(inner) == 1 and isinstance(inner[0], dict):
        return _columns(inner[0])
    lists = {key: value for key, value in found.items() if isinstance(value, dict | list) and len(value)}
    if not all(isinstance(value, list) and not any(isinstance(each, dict | list) for each in value) for value in lists.values()):
        return None
    alike = len(set(map(len, lists.values()))) == 1
    return (dict(zip(lists, row, strict=True)) for row in zip(*lists.values(), strict=True)) if alike else None


def _are_rows(found: Any, width: int) -> bool:
    return isinstance(found, list) and all(
        isinstance(row, list) and is_row(row, width) and not any(isinstance(x, list) for x in row) for row in found
    )


def _named(found: Any, names: Sequence[str]) -> Any:
    """`found` with an object for each row of the lists in it that are as long as `names`."""
    if isinstance(found, dict):
        return {key: _named(value, names) for key, value in found.items()}
    return [dict(zip(names, row, strict=True)) for row in found] if _are_rows(found, len(names)) else found


def _holds_objects(found: Any) -> bool:
    return isinstance(found, dict) or (isinstance(found, list) and bool(found) and isinstance(found[0], dict))


def _is_record(found: Any) -> bool:
    return isinstance(found, dict) and not any(isinstance(value, dict | list) for value in found.values())


def _shape(found: Any, depth: int = 0) -> str:
    """What objects and lists it is made of, the same for {"a": [5], "b": [7]} and {"c": [1]}."""
    if isinstance(found, dict):
        return "{" + ",".join(sorted({_shape(value, depth + 1) for value in found.values() if isinstance(value, dict | list)})) + "}"
    return "[" + ",".join(sorted({_shape(value, depth + 1) for value in found[:2] if isinstance(value, dict | list)})) + "]"
