"""A table of numbers and names beside readings, as databases are exported: its names stand for the numbers of the events."""

from collections.abc import Sequence
from dataclasses import replace

from hemcore.datasets.importing.header_words import meaning_of
from hemcore.datasets.importing.parts import Part

_WIDTH = 2


def with_names(parts: Sequence[Part]) -> tuple[list[Part], list[tuple[str, str]]]:
    """(the parts, events named; what is left out and why): where one part of two columns gives each number a name of its own, and others
    have all of their events by these numbers, the names stand in them and the part is gone."""
    for lookup in parts if len(parts) > 1 else ():
        if len(lookup.names) != _WIDTH or lookup.is_numbers_alone:
            continue
        keys, names = (lookup.column(place).tolist() for place in range(_WIDTH))
        keys, names = (keys, names) if all(key.isdecimal() for key in keys) else (names, keys)
        known = dict(zip(keys, names, strict=True))
        unique = len(known) == len(set(names)) == len(keys) and all(key.isdecimal() for key in keys)
        if not unique or any(name.isdecimal() or not name for name in names):
            continue
        made = [_named(part, known, lookup.name) if part is not lookup else None for part in parts]
        if any(made):
            kept = [new or part for part, new in zip(parts, made, strict=True) if part is not lookup]
            return kept, [(lookup.name, "it names the events of the others")]
    return list(parts), []


def _named(part: Part, known: dict[str, str], source: str) -> Part | None:
    """`part` with names for the numbers of its events; None where no column has them."""
    for place, name in enumerate(part.names):
        stem = name.lower().removesuffix("id").strip(" _-.#")
        if meaning_of(name).role != "event name" and meaning_of(stem).role != "event name":
            continue
        if set(part.column(place).unique()) <= set(known):
            texts = part.texts.copy()
            texts.isetitem(place, part.column(place).map(known).to_numpy())
            notes = [*part.notes, f"{part.name}: the events, {name!r}, have their names from {source}."]
            names = tuple("event" if at == place and "event" not in part.names else each for at, each in enumerate(part.names))
            return replace(part, names=names, cells=texts, notes=notes)
    return None
