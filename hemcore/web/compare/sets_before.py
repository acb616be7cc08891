"""Which datasets can stand before another one: of its kind, with HEMs in common, the best match first."""

import re
from collections.abc import Mapping
from difflib import SequenceMatcher

import streamlit as st

from hemcore.compare.replicates import FEWEST_PROGRAMS
from hemcore.compare.run_sets import RunSet, names_of, run_set_of
from hemcore.datasets.shelf import library, samples
from hemcore.datasets.shelf.library import SAMPLE_PREFIX, Entry
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.hardware_levels import levels
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import HemError
from hemcore.web import shelf

_EARLIER = frozenset(
    "before old older base baseline ref reference orig original master main stock unpatched vorher alt avant ancien".split()
)
_LATER = frozenset("after new newer patched patch changed candidate optimized optimised nachher neu après apres nouveau".split())


def partners(entry: Entry) -> list[Entry]:
    """The datasets that can be compared with `entry`.

    A sample's own partner is first, then datasets by origin (uploads with uploads), those that are comparable, tables of one set
    (Subexperiments.sets), by the share of HEMs in common and by likeness of their names.
    """
    own = samples.before(entry.id.removeprefix(SAMPLE_PREFIX)) if entry.bundled else None
    mine = _hems(library.base_id(entry.id))
    found = []
    for number, other in enumerate(library.entries(shelf.store(), entry.kind)):
        if other.id == library.base_id(entry.id):
            continue
        theirs = _hems(other.id)
        shared = len(mine & theirs) / max(len(mine | theirs), 1)
        if shared:
            alike = SequenceMatcher(None, entry.name, other.name).ratio()
            first = own is not None and other.id == f"{SAMPLE_PREFIX}{own}"
            several = _sets(other.id) > 1 and _sets(entry.id) == 1
            key = (not first, other.bundled != entry.bundled, not comparable(entry, other), several, -shared, -alike, number)
            found.append((key, other))
    return [other for _, other in sorted(found, key=lambda each: each[0])]


def seen_alike(entry: Entry, other: str) -> str:
    """The id `other`, of a table that has the level of the machine at which `entry` is seen, at that level; else as it is."""
    level = library.level_of(entry.id)
    return library.id_at(other, level) if level and level in levels(shelf.table(other)) else other


def comparable(entry: Entry, other: Entry) -> bool:
    """Whether two series can be compared, at the level at which `entry` is seen: counts per the same interval, of one program each, or of
    one of a name. Other kinds can."""
    if entry.kind != CounterSeries.__name__:
        return True
    (unit, mine), (other_unit, theirs) = _unit_and_runs(entry.id), _unit_and_runs(seen_alike(entry, other.id))
    return unit == other_unit and (bool(mine.keys() & theirs) or len(mine) == len(theirs) == 1)


def of_this_name(entry: Entry) -> list[Entry]:
    """`entry` and the other uploads of its kind whose names differ from its in numbers alone, in the order of those numbers; with HEMs in
    common. Samples have names of their own."""
    if entry.bundled:
        return [entry]
    mine = _hems(library.base_id(entry.id))
    found = [
        other
        for other in library.entries(shelf.store(), entry.kind)
        if not other.bundled and _without_numbers(other.name) == _without_numbers(entry.name) and mine & _hems(other.id)
    ]
    found.reverse()  # of one name, the first upload first: the newest is listed first
    return earlier_first(found)


def earlier_first(entries: list[Entry]) -> list[Entry]:
    """What is called before or old, all others, what is called after or new; each by the words of their names, then by the numbers in them;
    equal ones as they are."""
    in_all = set.intersection(*(_words(each.name) for each in entries)) if entries else set()

    def key(entry: Entry) -> tuple[int, str, list[int]]:
        own = _words(entry.name) - in_all
        side = bool(own & _LATER) - bool(own & _EARLIER)
        return side, _without_numbers(entry.name), [int(digits) for digits in re.findall(r"\d+", entry.name)]

    return sorted(entries, key=key)


def _words(name: str) -> set[str]:
    return set(re.findall(r"[^\W\d_]+", name.casefold()))


def _without_numbers(name: str) -> str:
    return re.sub(r"\d+", "#", name.casefold())


def has_partner(table: object) -> bool:
    """Whether the page has an answer for `table`: another dataset of its kind has HEMs of it, and the two that the page opens on, this one
    and another of its origin or its own halves, have the runs that `answers` asks for."""
    try:
        own = run_set_of(table)  # type: ignore[arg-type]
    except HemError:
        return False
    mine, runs = set(own.hems), _most_runs(own)
    fitting = [entry for entry in library.entries(shelf.store(), type(table).__name__) if mine & _hems(entry.id)]
    if len(fitting) < 2:
        return False
    if answers({name: n // 2 for name, n in runs.items()}):
        return True
    # The table's own dataset is among those that fit it.
    of_origin = [entry.bundled for entry in fitting if (found := _unit_and_runs(entry.id))[0] == own.unit and answers(runs, found[1])]
    return max(of_origin.count(True), of_origin.count(False)) > 1


def answers(*sets: Mapping[str, int]) -> bool:
    """Whether sets with so many runs by program tell a change from noise: two runs each of one program, or programs enough to compare."""
    common = set.intersection(*(set(each) for each in sets))
    fewest = [min(each[name] for each in sets) for name in common]
    if not common and all(len(each) == 1 for each in sets):
        fewest = [min(n for each in sets for n in each.values())]
    return max(fewest, default=0) > 1 or sum(n > 0 for n in fewest) >= FEWEST_PROGRAMS


def _most_runs(runs: RunSet) -> dict[str, int]:
    return {name: max(len(group.counts) for group in runs.groups if group.program == name) for name in names_of(runs.groups)}


@st.cache_data(max_entries=512, show_spinner=False)
def _unit_and_runs(dataset_id: str) -> tuple[str, dict[str, int]]:
    """What a row counts over, and the most runs of each program under one load; nothing of what cannot be read."""
    try:
        runs = run_set_of(shelf.table(dataset_id))  # type: ignore[arg-type]
    except HemError:
        return "", {}
    return runs.unit, _most_runs(runs)


@st.cache_data(max_entries=512, show_spinner=False)
def _sets(dataset_id: str) -> int:
    table = shelf.table(dataset_id)
    return table.sets if isinstance(table, Subexperiments) else 1


@st.cache_data(max_entries=512, show_spinner=False)
def _hems(dataset_id: str) -> frozenset[str]:
    try:
        return frozenset(run_set_of(shelf.table(dataset_id)).hems)  # type: ignore[arg-type]
    except HemError:
        return frozenset()  # a damaged upload is told where it is opened
