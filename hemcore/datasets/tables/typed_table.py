"""What every typed table has: the repairs of its reading, and a short form for a notebook."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import pandas as pd

_SHOWN = 5
TypedT = TypeVar("TypedT", bound="TypedTable")


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Repairs:
    """What reading left out or mended; prints as a short list.

    frame: one row per repair, with the columns where, column, what, rows, value, bound (readers.repairs.Repair); None: none. notes: what
    else the reader assumed, one sentence each.
    """

    frame: pd.DataFrame | None = None
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return 0 if self.frame is None else len(self.frame)

    @property
    def lines(self) -> list[str]:
        """One line per repair, then the notes."""
        rows = [] if self.frame is None else self.frame[["where", "column", "what", "rows"]].itertuples(index=False)
        said = (f"{where}: {f'{column}: ' if column else ''}{what}{f' ({many:,})' if many else ''}" for where, column, what, many in rows)
        return [*said, *self.notes]

    def __repr__(self) -> str:
        lines = self.lines
        more = [f"and {len(lines) - _SHOWN} more: see .frame and .notes"] if len(lines) > _SHOWN else []
        return "\n".join([f"{len(self)} repair{'' if len(self) == 1 else 's'}", *(f"  {line}" for line in [*lines[:_SHOWN], *more])])

    def _repr_html_(self) -> str:
        items = "".join(f"<li>{escape(line)}</li>" for line in self.lines[:100])
        return f"<p>{len(self)} repair{'' if len(self) == 1 else 's'}</p><ul>{items}</ul>"


_NONE = Repairs()


class TypedTable:
    """The base of the typed tables. repairs: what reading left out or mended; empty for a table that was not read."""

    repairs: Repairs = _NONE

    def __repr__(self) -> str:
        from hemcore.datasets.tables import kinds

        return f"{type(self).__name__}: {kinds.shape(self)}"  # type: ignore[arg-type]

    def _repr_html_(self) -> str:
        from hemcore.datasets.tables import kinds

        frame = next(iter(kinds.frames(self).values()))  # type: ignore[arg-type]
        told = f"<p>{len(self.repairs)} repairs: see <code>.repairs</code></p>" if len(self.repairs) else ""
        return f"<p><b>{escape(repr(self))}</b></p>{told}{frame.head().to_html(max_cols=12)}"


def with_repairs(table: TypedT, repairs: Repairs) -> TypedT:
    """`table`, which nothing else holds yet, with what its reading left out."""
    object.__setattr__(table, "repairs", repairs)
    return table
