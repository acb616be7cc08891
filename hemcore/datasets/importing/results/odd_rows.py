"""The few rows of a table that hold words where others have a time or a number of a run, as a mean or a heading between them."""

import re
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from hemcore.datasets.importing.guessing.doubt import Doubt, settled
from hemcore.datasets.importing.recipe import ImportRecipe

_MOST = 3
_ODD = re.compile(
    r"column '(.*)', row (\d+): (.+) is not a (number|date or time|time of day|time)\. Correct (?:it, skip the row|or empty it)"
)


class _Seen(Protocol):
    @property
    def recipe(self) -> ImportRecipe | None: ...
    @property
    def result(self) -> Any: ...
    @property
    def fault(self) -> str: ...


Seen = TypeVar("Seen", bound=_Seen)


def without_odd_rows(look: Callable[[ImportRecipe], Seen], fault: str) -> tuple[Seen, Doubt] | None:
    """(what is seen without the rows that faults name, whether to leave them out); None where it still cannot be read, `fault` names no
    such row, or its column holds what was counted. look: gives what is seen by a recipe."""
    rows: tuple[int, ...] = ()
    while len(rows) < _MOST and (found := _ODD.search(fault)) is not None and int(found[2]) not in rows and found[3].strip("'\""):
        rows = (*rows, int(found[2]))
        shown = look(ImportRecipe(skip_rows=rows))
        column = shown.recipe.role_of(found[1]) if shown.recipe is not None else None
        if shown.recipe is None or column is None or column.role not in ("time", "date", "run", "interval"):
            return None
        if shown.result is not None:
            named = f"Row {rows[0]} holds" if len(rows) == 1 else f"Rows {', '.join(map(str, rows))} hold"
            said = f"no {'number' if found[4] == 'number' else 'time'} ({found[3][:40]})"
            question = f"{named} {said} where others have one. Leave {'it' if len(rows) == 1 else 'them'} out?"
            return shown, Doubt(key="odd rows", question=question, answers=(("Leave out", settled(shown.recipe, "odd rows")),))
        fault = shown.fault
    return None
