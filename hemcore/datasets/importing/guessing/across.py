"""Tables with events in rows whose runs, times, cores, programs or phases stand across: turned so that events do."""

import re
from collections.abc import Sequence

import pandas as pd

from hemcore.datasets.importing.date_times import duration_of, kind_of
from hemcore.datasets.importing.guessing.column_facts import rises_evenly
from hemcore.datasets.importing.guessing.two_levels import Row, label_of, level_of, stacked
from hemcore.datasets.importing.header_words import meaning_of
from hemcore.datasets.importing.raw_grid import filled_up, trimmed
from hemcore.datasets.importing.units.cell_kinds import is_missing, is_number

_MOST_ABOVE, _FEWEST = 5, 3
_KEYS = ("time", "date", "interval", "run", "program", "subexperiment", "stage", "load", "place")
# "Event / time (s)", "Zeit [ms]" over the names of events, beside times.
_CORNER = re.compile(r"(?:.*[\W_])?(?:time|zeit|temps|t)(?:[\s_]*(?:[(\[/]|in\b)?\s*([mnuµμ]?s|sec|min|h)\s*[)\]]?)?", re.IGNORECASE)
_EQUALS = re.compile(r"t(?:ime)?\s*=\s*(.+)", re.IGNORECASE)


def melted_rows(rows: Sequence[Row]) -> list[Row] | None:
    """The rows turned so that events stand across: times beside the names of events, or runs, parts of the machine, programs or
    phases where another column stands beside the events. None for any other table.
    """
    if (levels := stacked(rows)) is not None:
        return levels
    header = next((number for number, row in enumerate(rows[:_MOST_ABOVE]) if sum(map(bool, row)) >= _FEWEST), None)
    if header is None:
        return None
    names = trimmed(rows[header])
    body = [filled_up(row, len(names)) for row in rows[header + 1 :] if any(row)]
    if len(body) < 2 or any(len(trimmed(row)) > len(names) for row in body):
        return None
    events = next((at for at, name in enumerate(names) if meaning_of(name).role == "event name" and _are_words(body, at)), None)
    if events is None and (_CORNER.fullmatch(names[0]) is not None or _are_instants(names[1:])) and _are_words(body, 0):
        events = 0
    if events is None:
        return None
    roles = [meaning_of(name).role for name in names]
    across = [at for at in range(len(names)) if at != events and roles[at] not in (*_KEYS, "text", "row") and _are_numbers(body, at)]
    times = _times([names[at] for at in across], names[events])
    if times:
        across = [at for at in range(events + 1, len(names)) if _are_numbers(body, at) or names[at] in times]
        times = _times([names[at] for at in across], names[events])
    keys = [at for at in range(len(names)) if at not in across and at != events]
    if any(roles[at] not in (*_KEYS, "text") for at in keys) or len(across) < 2:
        return None
    unit = (_CORNER.fullmatch(names[events]) or [None, None])[1] if times else None
    taken = {roles[at] for at in keys} - {"text"}
    of_labels = level_of([names[at] for at in across], taken) if taken else ""
    what = f"time [{unit}]" if unit else "time" if times else of_labels
    if not what:
        return None
    shown = dict(zip(across, times or [label_of(names[at]) for at in across], strict=True))
    kept = [at for at in keys if roles[at] != "text"]
    found: dict[Row, dict[str, str]] = {}
    above: Row = ("",) * len(names)
    for row in body:
        above = tuple(cell or (above[at] if at in kept else "") for at, cell in enumerate(row))  # merged cells
        for place in across:
            cells = found.setdefault((*(above[at] for at in kept), shown[place]), {})
            if row[events] in cells:
                return None
            cells[row[events]] = row[place]
    every = list(dict.fromkeys(row[events] for row in body))
    made = [(*key, *(cells.get(event, "") for event in every)) for key, cells in found.items()]
    return [(*(names[at] for at in kept), what, *every), *made]


def _times(names: Sequence[str], corner: str) -> list[str]:
    """The times that names of columns are, with their units: "0.5 s", "t=0.5", and numbers under a corner called a time, or that rise
    evenly and are not whole; date-times and times of day; none where one is no time."""
    if len(names) < _FEWEST:
        return []
    plain = [found[1] if (found := _EQUALS.fullmatch(name)) is not None else name for name in names]
    if all(map(duration_of, plain)) or _are_instants(plain):
        return plain
    if not all(map(is_number, plain)):
        return []
    numbers = pd.to_numeric(pd.Series(plain), errors="coerce")
    rise = bool((numbers.diff().iloc[1:] > 0).all())
    called = _CORNER.fullmatch(corner) is not None or plain != list(names)
    return plain if rise and (called or (rises_evenly(numbers) and bool((numbers % 1 != 0).any()))) else []


def _are_instants(names: Sequence[str]) -> bool:
    return len(names) >= _FEWEST and all(kind_of(name) in ("date-time", "clock") for name in names) and len(set(names)) == len(names)


def _are_words(body: Sequence[Row], at: int) -> bool:
    return all(row[at] and not is_number(row[at]) for row in body)


def _are_numbers(body: Sequence[Row], at: int) -> bool:
    return all(is_number(row[at]) or is_missing(row[at]) for row in body) and any(is_number(row[at]) for row in body)
