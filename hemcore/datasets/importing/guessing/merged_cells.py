"""Merged cells of a sheet: what stands in the first of them alone belongs to all. Times of day whose thousandths stand in a column of their
own are put together again."""

from collections.abc import Hashable, Sequence

import pandas as pd

from hemcore.datasets.importing.header_words import meaning_of, plain
from hemcore.datasets.importing.units.cell_kinds import is_number, with_columns
from hemcore.datasets.readers.repairs import Repair

# Of columns whose cells say what the rows below them belong to; of times, where several events stand at one.
_OF_ROWS = ("program", "run", "subexperiment", "stage", "load", "granularity", "date", "place", "setting", "event name")
_OF_EVENTS = ("time", "interval")
_THOUSANDTHS, _WHOLE_SECONDS = (
    frozenset("ms msec millis millisec millisecond milliseconds millisekunden".split()),
    r"(?:.*\D)?\d{1,2}:\d{2}:\d{2}",
)


def without_merged(texts: pd.DataFrame, names: Sequence[str], repairs: list[Repair], file: str) -> pd.DataFrame:
    """`texts` with the cells of columns that name rows filled downwards where they are merged: each text stands once, at the first of its
    rows, or once within each text of a merged column to its left; and with times of day in one cell each."""
    texts = _with_thousandths(texts, names, repairs, file)
    roles = [meaning_of(name).role for name in names]
    of_rows = (*_OF_ROWS, *(_OF_EVENTS if "event name" in roles else ()))
    filled: dict[Hashable, pd.Series] = {}
    for column, name, role in zip(texts, names, roles, strict=True):
        is_first = column == texts.columns[0] and role in ("", "row") and not is_number(str(texts.iloc[0, 0]))
        if (role in of_rows and name) or is_first:
            cells = texts[column]
            outer = list(filled.values())[-1] if filled else None
            # One name of a phase, alone at the first row, may be the start of a phase that ends somewhere.
            alone = role == "stage" and (cells != "").sum() == 1
            if not alone and (made := _filled_downwards(cells, outer)) is not None:
                filled[column] = made
                repairs.append(Repair(file, name, "merged cells: filled downwards", int((cells == "").sum())))
    return with_columns(texts, filled)


def _with_thousandths(texts: pd.DataFrame, names: Sequence[str], repairs: list[Repair], file: str) -> pd.DataFrame:
    """`texts` with "09:00:00.200" for a time of day of 09:00:00 and 200 in the column of milliseconds beside it, which is left blank."""
    place = next((at for at, name in enumerate(names) if at and plain(name) in _THOUSANDTHS), 0)
    clock, parts = texts[texts.columns[place - 1]], texts[texts.columns[place]]
    if not place or not bool(parts.str.fullmatch(r"\d{1,3}").all()) or not bool(clock.str.fullmatch(_WHOLE_SECONDS).all()):
        return texts
    repairs.append(Repair(file, names[place - 1], f"{names[place]} put behind the seconds", len(texts)))
    made = {clock.name: clock + "." + parts.str.zfill(3), parts.name: parts.mask(parts != "", "")}
    return with_columns(texts, made)


def _filled_downwards(cells: pd.Series, outer: pd.Series | None) -> pd.Series | None:
    """Cells with the text above in each that is blank, where those are merged: at least half are blank, and no text comes again (within
    one text of `outer`, where that is filled). None for any other."""
    there = cells != ""
    if not there.iloc[0] or not 1 < 2 * int(there.sum()) <= len(cells):
        return None
    if outer is None:
        again = bool(cells[there].duplicated().any())
    else:
        begins = outer != outer.shift()
        again = not bool(there[begins].all()) or bool(pd.DataFrame({"of": begins.cumsum(), "text": cells})[there].duplicated().any())
    return None if again else cells.where(there).ffill().astype(object)
