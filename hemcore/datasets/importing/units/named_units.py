"""Units that a file gives in its cells, in a row or in a column of units, kept in the names of its events: "power [W]"."""

from collections.abc import Mapping, Sequence

import pandas as pd

from hemcore.datasets.importing.header_words import UNIT_HEADERS, plain
from hemcore.datasets.importing.parts import Part
from hemcore.events.event_units import with_unit


def column_of_units(part: Part, but: int) -> int | None:
    """The column that holds the unit of each row, other than column `but`; None if there is none."""
    return next((place for place, name in enumerate(part.names) if plain(name) in UNIT_HEADERS and place != but), None)


def names_with_units(part: Part, events: Sequence[int], roles: Mapping[str, int]) -> dict[str, str]:
    """Event -> its name with its unit, without those that stay as they are. events: the columns of the readings; roles: role -> column.

    Where a column names the events, an event has the unit that all its rows give.
    """
    if (event_name := roles.get("event name")) is None:
        units = {part.names[place]: part.units.get(part.names[place], "") or part.unit_cell(place) for place in events}
    else:
        names, at = part.column(event_name), column_of_units(part, events[0])
        if at is None:
            units = dict.fromkeys(names.unique(), part.units.get(part.names[events[0]], ""))
        else:
            each = pd.DataFrame({"name": names, "unit": part.column(at)}).drop_duplicates()
            units = dict(each.drop_duplicates("name", keep=False).itertuples(index=False, name=None))
    return {name: named for name, unit in units.items() if (named := with_unit(name, unit)) != name}


def renamed(frame: pd.DataFrame, names: Sequence[Mapping[str, str]]) -> pd.DataFrame:
    """`frame` with the names of all files, without those that the files do not agree on or that would come twice."""
    found = {old: {each.get(old, old) for each in names} for old in frame.columns}
    new = {old: options.pop() for old, options in found.items() if len(options) == 1}
    columns = [new.get(old, old) for old in frame.columns]
    return frame.set_axis(columns, axis=1) if len(set(columns)) == len(columns) else frame
