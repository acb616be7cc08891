"""Tables whose columns have two levels of names, as of merged cells or of pandas, one of which is that of events: turned so that events
alone stand across."""

import re
from collections.abc import Collection, Sequence
from itertools import chain, groupby
from typing import NamedTuple

from hemcore.datasets.importing.header_words import are_runs, is_unit, meaning_of
from hemcore.datasets.importing.other_forms.listed_events import COUNTED
from hemcore.datasets.importing.raw_grid import filled_up, trimmed
from hemcore.datasets.importing.units.cell_kinds import is_missing, is_number, is_reading

Row = tuple[str, ...]
_MOST_ABOVE = 5
_KEYS = ("time", "date", "interval", "run", "program", "subexperiment", "stage", "load", "row")
_NUMBER_AT_END = re.compile(r"[\s_.#-]*(\d+)$")
# What is counted of every program; L1 and L2, or user and kernel, are parts of the names of events.
_OF_PROGRAMS = re.compile(r"(?:cpu.?)?cycles|zyklen|instr(?:uctions|_?retired)?|inst_retired.*|befehle|PAPI_TOT_(?:CYC|INS)", re.IGNORECASE)
# "cycles_run1", "cycles run 2", "cycles (rep 3)"; "fft:cycles".
_OF_RUN, _OF_PROGRAM = re.compile(r"(.+?)[\s_.:(\[-]+(([^\W\d_]+)[\s_.#-]*\d+)[)\]]?"), re.compile(r"([^:/]+):\s*([^:/]+)")
# "('fft', 'cycles')", as pandas writes two levels in one; "cycles.fft", as R's reshape does.
_TUPLE, _OF_TUPLE = re.compile(r"\(\s*(?:'[^']*'|\d+)(?:,\s*(?:'[^']*'|\d+))+\s*\)"), re.compile(r"'([^']*)'|(\d+)")
_DOTTED = re.compile(r"(.+)\.([^\W\d][^.]*)")
_JOINS = "\x1f"  # between the labels of several levels above that of events
_PARTS_OF_EVENTS = re.compile(
    r"l[123][id]?|llc|user|kernel|sys(?:tem)?|guest|host|[pe][- ]?cores?|cpu_(?:core|atom)|reads?|writes?|loads?|stores?|[ukh]"
    r"|raw|scaled|counts?|rates?|shares?|percent|%|values?|totals?|caches?|branch(?:es)?|tlb|[a-z]|memory|pipeline|frontend|backend"
    r"|sem?|sd|std|var|mad|iqr|ci|err(?:or)?|lower|upper|low|high|per_?(?:s(?:ec)?|instr\w*)|norm(?:ali[sz]ed)?|diff|delta|ratio|unit",
    re.IGNORECASE,
)


class _Levels(NamedTuple):
    """keys: the names of the columns before the first label. labels: over their places. names: of the columns below the labels. first:
    the first row of data."""

    keys: Row
    labels: list[tuple[str, list[int]]]
    names: Row
    first: int


def stacked(rows: Sequence[Row]) -> list[Row] | None:
    """The rows of a table with two levels of names, so that events alone stand across: where the same names of events stand under each
    label of a program, a run, a phase; where the same labels stand under each event; or where events are rows. None for any other."""
    for number in range(min(_MOST_ABOVE, len(rows) - 2)):
        row = trimmed(rows[number])
        if len(row) > 1 and (found := _in_one_row(rows, number) or _levels(rows, number)) is not None:
            return _stacked(found, [row for row in rows[found.first :] if any(row)])
        if 2 * sum(map(is_reading, row)) > len(row) > 1:
            return None  # readings
    return None


def _levels(rows: Sequence[Row], number: int) -> _Levels | None:
    """The two levels that begin in row `number`, or three, the upper two of which are joined; None where there are none."""
    if number + 3 < len(rows) and (joined := _joined(rows[number], rows[number + 1], trimmed(rows[number + 2]))) is not None:
        found = _levels([*rows[:number], joined, *rows[number + 2 :]], number)
        if found is not None:
            return found._replace(first=found.first + 1)
    lower = trimmed(rows[number + 1])
    upper = filled_up(rows[number], len(lower))
    index = trimmed(rows[number + 2])
    of_index = 0 < len(index) < len(lower) - 1 and not any(map(is_reading, index)) and not is_unit(index[0])
    starts = [at for at, cell in enumerate(upper) if cell and at and at < len(lower) and lower[at]]
    keys = len(index) if of_index else next(iter(starts), 0)
    if not keys or len(upper) > len(lower) or not all(lower[keys:]) or any(map(is_reading, upper)) or not upper[keys]:
        return None
    over: list[str] = []
    for cell in upper[keys:]:
        over.append(cell or over[-1])
    groups = [(label, [at + keys for at, _ in places]) for label, places in groupby(enumerate(over), key=lambda each: each[1])]
    named = index if of_index else tuple(lower[at] or upper[at] for at in range(keys))
    found = _Levels(filled_up(named, keys), groups, lower, number + 2 + of_index)
    return found if _are_alike(found) else None


def _joined(upper: Row, middle: Row, lower: Row) -> Row | None:
    """The labels of two levels as one, where both stand above the names of the columns in `lower`; None where they do not."""
    if any(map(is_reading, (*middle, *lower))) or len(trimmed(middle)) > len(lower) or len(trimmed(upper)) > len(lower):
        return None
    first = next((at for at, cell in enumerate(upper) if at and cell), 0)
    labels, found = ["", ""], [""] * len(lower)
    for at in range(first, len(lower) if first else 0):
        for level, row in enumerate((upper, middle)):
            if at < len(row) and row[at]:
                labels[level:] = [row[at], *[""] * (1 - level)]
        if not all(labels):
            return None
        found[at] = _JOINS.join(labels)
    inner: dict[str, set[str]] = {}
    for label in filter(None, found):
        inner.setdefault(label.partition(_JOINS)[0], set()).add(label.partition(_JOINS)[2])
    alike = len(set(map(frozenset, inner.values()))) == 1 and len(next(iter(inner.values()))) > 1
    return tuple(found) if len(inner) > 1 and alike else None


def _are_alike(found: _Levels) -> bool:
    """Whether the same names, two at least, stand once under each of several labels."""
    names = [tuple(found.names[at] for at in places) for _, places in found.labels]
    alike = len(names) > 1 and len(names[0]) > 1 and len(set(map(frozenset, names))) == 1 and len(set(names[0])) == len(names[0])
    return alike and len({label for label, _ in found.labels}) == len(names) == len([each for each in names if len(each) == len(names[0])])


def _in_one_row(rows: Sequence[Row], number: int) -> _Levels | None:
    """Both levels in the names of row `number`: "fft:cycles", "cycles_run1"; None where they are not."""
    header = tuple(_alone(name) for name in trimmed(rows[number]))
    parts = [_in_two(name) for name in header]
    keys = next((at for at, part in enumerate(parts) if part is not None), 0)
    labels: dict[str, list[int]] = {}
    for at, part in enumerate(parts[keys:], start=keys):
        if part is None:
            return None
        labels.setdefault(part[0], []).append(at)
    names = tuple(part[1] if part is not None else header[at] for at, part in enumerate(parts))
    found = _Levels(header[:keys], list(labels.items()), names, number + 1)
    return found if keys and _are_alike(found) else None


def _alone(name: str) -> str:
    """The name of a column that has one level where others have several: "('time_s', '')" is time_s."""
    levels = _levels_in(name)
    return levels[0] if levels[:1] != [""] and levels and not any(levels[1:]) else name


def _levels_in(name: str) -> list[str]:
    """The levels in what pandas writes of several, "('fft', 1, 'cycles')"; [] for any other name."""
    return [word or number for word, number in _OF_TUPLE.findall(name)] if _TUPLE.fullmatch(name) is not None else []


def are_in_two(names: Sequence[str]) -> bool:
    """Whether most names of columns have two parts: "fft:cycles", "cycles_run1"."""
    return 2 * sum(_in_two(name) is not None for name in names) > len(names)


def _in_two(name: str) -> tuple[str, str] | None:
    """(the label, the event) in the name of a column; None where it has no two parts."""
    if (found := _OF_RUN.fullmatch(name)) is not None and meaning_of(found[3]).role == "run":
        return found[2], found[1]
    if levels := _levels_in(name):
        return (_JOINS.join(levels[:-1]), levels[-1]) if all(levels) else None
    if (found := _OF_PROGRAM.fullmatch(name)) is not None:
        return found[1], found[2]
    found = _DOTTED.fullmatch(name)
    return (found[2], found[1]) if found is not None else None


def _stacked(found: _Levels, body: Sequence[Row]) -> list[Row] | None:
    body = [filled_up(row, len(found.names)) for row in body]
    uppers, lowers = [label for label, _ in found.labels], [found.names[at] for at in found.labels[0][1]]
    at = {(label, found.names[place]): place for label, places in found.labels for place in places}
    of_rows = {meaning_of(key).role for key in found.keys}
    counted = any(all(map(is_number, each)) for each in (uppers, lowers))  # "0", "1": of what, only the names of the levels say
    numbers = not counted and all(is_number(row[place]) or is_missing(row[place]) for row in body for place in at.values())
    if len(body) < 2 or any(len(row) > len(found.names) for row in body) or not numbers:
        return None
    events = [row[0] for row in body]
    if of_rows == {"event name"} or (len(found.keys) == 1 and not any(map(is_reading, events)) and all(map(COUNTED.search, events))):
        outer = level_of(uppers, set())
        inner = level_of(lowers, {"program" if outer == "program" else meaning_of(outer).role})
        if not (outer and inner and all(events)) or len(set(events)) < len(events):
            return None
        cells = ((label_of(upper), label_of(lower), *(row[at[upper, lower]] for row in body)) for upper in uppers for lower in lowers)
        return [(outer, inner, *events), *cells]
    swapped = any(map(_OF_PROGRAMS.fullmatch, uppers))
    labels, names = (lowers, uppers) if swapped else (uppers, lowers)
    levels = list(zip(*(label.split(_JOINS) for label in labels), strict=False))
    what: list[str] = []
    for level in levels:
        what.append(
            level_of(list(dict.fromkeys(level)), of_rows | {"program" if each == "program" else meaning_of(each).role for each in what})
        )
    parts = any(map(_PARTS_OF_EVENTS.fullmatch, chain(*levels))) or any(meaning_of(each).role == "place" for each in what)
    if not any(map(_OF_PROGRAMS.fullmatch, names)) or not all(what) or parts or not of_rows <= set(_KEYS):
        return None
    keys = range(len(found.keys))
    return [
        (*what, *found.keys, *names),
        *(
            (
                *map(label_of, label.split(_JOINS)),
                *(row[key] for key in keys),
                *(row[at[(name, label) if swapped else (label, name)]] for name in names),
            )
            for label in labels
            for row in body
        ),
    ]


def level_of(labels: Sequence[str], taken: Collection[str]) -> str:
    """What `labels` of columns that stand across are, as a name of a column: runs, parts of the machine, phases, or programs; "" where they
    have other meanings, and where a column of that role, one of `taken`, is there already."""
    if any(meaning_of(label).role for label in labels):
        return ""
    stems = {_NUMBER_AT_END.sub("", label) for label in labels}
    if are_runs(labels):
        return "" if "run" in taken else "run"
    if len(stems) == 1 and (role := meaning_of(stem := stems.pop()).role) in ("place", "stage", "load"):
        return "" if role in taken else stem
    return "program" if "program" not in taken else "phase" if "stage" not in taken else ""


def label_of(label: str) -> str:
    """A label as a cell of its column: "phase 3" is 3."""
    found = _NUMBER_AT_END.search(label)
    return found[1] if found is not None and meaning_of(label[: found.start()]).role == "stage" else label


def labels_beside_events(names: Sequence[str]) -> list[str]:
    """The labels of which each stands, before or behind a blank or a sign, in the names of the same events, "fft cycles" and "sha cycles",
    where they may be programs; [] where there are none."""
    for pattern in (r"(?P<label>.+?)[\s_.:/-]+(?P<event>.+)", r"(?P<event>.+)[\s_.:/-]+(?P<label>.+?)"):
        found: dict[str, set[str]] = {}
        for each in filter(None, (re.fullmatch(pattern, name) for name in names)):
            found.setdefault(each["label"], set()).add(each["event"])
        labels = [label for label, events in found.items() if len(events) > 1]
        events = found[labels[0]] if labels else set()
        alike = len(labels) > 1 and all(found[label] == events for label in labels) and any(map(_OF_PROGRAMS.fullmatch, events))
        if alike and level_of(labels, set()) in ("program", "run") and not any(map(_PARTS_OF_EVENTS.fullmatch, labels)):
            return labels
    return []
