"""Counts written in thousands, millions or billions, as a header or a row of units says: "Cycles (G)", "[M]", "x10^6", "in millions"."""

import re
from collections.abc import Sequence
from functools import lru_cache

import pandas as pd

from hemcore.datasets.importing.header_words import SCALE, meaning_of, scale_of
from hemcore.datasets.importing.units.cell_kinds import missing, with_columns
from hemcore.datasets.importing.units.united_numbers import with_points, without_units
from hemcore.datasets.readers.repairs import Repair
from hemcore.events.hardware_tree import is_momentary

_COUNTED = ("", "event", "value")
_IN_NAME = re.compile(rf"(.+?)\s*(?:[(\[]\s*([^()\[\]]+?)\s*[)\]]|/\s*({SCALE}))\s*")


@lru_cache(maxsize=8_192)
def of_name(name: str) -> tuple[str, str]:
    """ "Cycles" and "G" of "Cycles (G)"; the name itself and "" where it has no scale, or is of a state such as a temperature in K."""
    found = _IN_NAME.fullmatch(name)
    scale = scale_of(found[2] or found[3]) if found is not None else ""
    return (found[1], scale) if found is not None and scale and not is_momentary(name) else (name, "")


def are_scaled(names: Sequence[str]) -> bool:
    """Whether one of the names has a scale."""
    return any(of_name(name)[1] for name in names)


def multiplied(
    texts: pd.DataFrame, names: Sequence[str], unit_cells: Sequence[str], decimal: str, repairs: list[Repair], file: str
) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """The table with plain counts, and its names without the scale; each such column is listed. unit_cells: by number of the column."""
    changed, found = {}, list(names)
    for place, column in enumerate(texts.columns):
        name, scale = of_name(names[place])
        number = int(str(column))
        if not scale and number < len(unit_cells) and not is_momentary(name):
            scale = scale_of(unit_cells[number])
        if not scale or meaning_of(name).role not in _COUNTED:
            continue
        empty = missing(texts[column])
        cells = texts[column].where(empty, texts[column] + f" {scale}")
        made = without_units(with_points(cells, empty, decimal), empty)
        if made is not None:
            changed[column] = made.texts
            found[place] = name if name not in found else names[place]
            repairs.append(Repair(file, names[place], f"in {_SAID[scale]}: {made.what.rpartition(': ')[2]}", made.cells))
    return with_columns(texts, changed), tuple(found)


_SAID = {"k": "thousands (k)", "M": "millions (M)", "G": "billions (G)"}
