"""Which datasets can stand before another one: of its kind, with HEMs in common, the best match first."""

import re
from difflib import SequenceMatcher

import streamlit as st

from hemcore.compare.run_sets import run_set_of
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
    (unit, mine), (other_unit, theirs) = _unit_and_programs(entry.id), _unit_and_programs(seen_alike(entry, other.id))
    return unit == other_unit and (bool(mine & theirs) or len(mine) == len(theirs) == 1)


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
    """Whether two datasets of the kind of `table`, itself among them, have HEMs of it."""
    try:
        mine = set(run_set_of(table).hems)  # type: ignore[arg-type]
    except HemError:
        return False
    fitting = 0
    for entry in library.entries(shelf.store(), type(table).__name__):
        fitting += bool(mine & _hems(entry.id))
        if fitting == 2:
            return True
    return False


@st.cache_data(max_entries=512, show_spinner=False)
def _unit_and_programs(dataset_id: str) -> tuple[str, frozenset[str]]:
    table = shelf.table(dataset_id)
    return (table.interval_unit, frozenset(table.applications)) if isinstance(table, CounterSeries) else ("", frozenset())


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
