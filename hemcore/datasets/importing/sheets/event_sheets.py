"""Sheets or files that each hold one event, of the same programs, runs or times: joined, so that the events stand across."""

from collections.abc import Sequence
from pathlib import PurePosixPath

from hemcore.datasets.importing.guessing.two_levels import Row, label_of, level_of
from hemcore.datasets.importing.header_words import meaning_of
from hemcore.datasets.importing.other_forms.listed_events import COUNTED
from hemcore.datasets.importing.raw_grid import filled_up, trimmed
from hemcore.datasets.importing.units.cell_kinds import is_missing, is_number
from hemcore.datasets.readers.series.readings import begun_alike

_MOST, _FEWEST_ROWS = 200, 2
_KEYS = ("time", "date", "interval", "run", "program", "stage", "row", "place")


def joined(names: Sequence[str], tables: Sequence[Sequence[Row]]) -> list[Row] | None:
    """One table of `tables`, whose names are `names`, where each is of one event: all have the same names of columns and the same first
    column, and either one column of values or the same runs, phases or programs across; the names of the tables are then those of the
    events. None where this is not certain."""
    if not 1 < len(tables) <= _MOST or any(len(rows) <= _FEWEST_ROWS for rows in tables):
        return None
    events = _events(names)
    header = trimmed(tables[0][0])
    bodies = [[filled_up(trimmed(row), len(header)) for row in rows[1:] if any(row)] for rows in tables]
    firsts = [[row[0] for row in body] for body in bodies]
    if len(header) < 2 or len(set(events)) < len(events) or any(each != firsts[0] for each in firsts):
        return None
    if any(len(row) != len(header) for body in bodies for row in body) or len(set(firsts[0])) < len(firsts[0]):
        return None
    if not all(is_number(cell) or is_missing(cell) for body in bodies for row in body for cell in row[1:]):
        return None
    key, columns = meaning_of(header[0]).role, header[1:]
    counted = any(map(COUNTED.search, events)) and not any(meaning_of(event).role for event in events)
    alone = len(columns) == 1 and counted and not COUNTED.search(columns[0])
    headers = {trimmed(rows[0])[: 1 if alone else None] for rows in tables}
    if key not in _KEYS or len(headers) > 1 or any(len(trimmed(rows[0])) != len(header) for rows in tables):
        return None
    if alone:
        return [(header[0], *events), *((first, *(body[at][1] for body in bodies)) for at, first in enumerate(firsts[0]))]
    what = level_of(columns, {key})
    if (
        not what
        or any(map(COUNTED.search, columns))
        or not (counted or (meaning_of(what).role in ("place", "stage") and not any(meaning_of(event).role for event in events)))
    ):
        return None
    cells = (
        (first, label_of(label), *(body[at][place] for body in bodies))
        for at, first in enumerate(firsts[0])
        for place, label in enumerate(columns, start=1)
    )
    return [(header[0], what, *events), *cells]


def _events(names: Sequence[str]) -> list[str]:
    """The names without their ending and the words with which all of them begin, as sheets of one workbook."""
    stems = [PurePosixPath(name).stem for name in names]
    begin = begun_alike(stems).rfind(" ") + 1
    return [stem[begin:] for stem in stems]
