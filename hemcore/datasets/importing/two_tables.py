"""Two tables next to each other in one sheet: their rows do not belong together."""

from collections.abc import Sequence

from hemcore.datasets.importing.parts import Part, first_row
from hemcore.datasets.importing.recipe import ColumnRole
from hemcore.errors import ReadError


class SideBySideError(ReadError):
    """Two tables in one."""


def check_one_time(part: Part, columns: Sequence[ColumnRole]) -> None:
    """Raise SideBySideError where two columns of `part` have the name of its time and differ: a row would mix two instants."""
    first = next((place for place, column in enumerate(columns) if column.role == "time" and column.name), None)
    if first is None:
        return
    for place in range(first + 1, len(part.names)):
        unlike = part.column(place) != part.column(first)
        if part.names[place] == part.names[first] and bool(unlike.any()):
            row = first_row(unlike)
            one, other = (str(part.column(each).loc[row]) or "empty" for each in (first, place))
            raise SideBySideError(
                f"{part.name}: two columns are called {part.names[first]!r} and differ (row {row}: {one} and {other}), so these are two"
                " tables side by side. Put each in a sheet or file of its own and send both."
            )
