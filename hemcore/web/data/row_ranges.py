"""Rows to skip as one writes them, "12, 40-42"."""

import re

from hemcore.errors import ParameterError

_MOST = 100_000  # in one range
_ROWS = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?", re.ASCII)


def rows_of(said: str) -> tuple[int, ...]:
    """ "12, 40-42" as (12, 40, 41, 42); () of nothing. Raises ParameterError for anything else."""
    rows: list[int] = []
    for each in filter(None, said.replace(";", ",").replace(" ", "").split(",")):
        found = _ROWS.fullmatch(each)
        first, last = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
        if not 0 < first <= last < first + _MOST:
            raise ParameterError(f"Rows to skip: {each[:40]!r} is no row. Give rows as 12, 40-45.")
        rows.extend(range(first, last + 1))
    return tuple(sorted(set(rows)))


def rows_text(rows: tuple[int, ...]) -> str:
    """ "12, 40-42" of (12, 40, 41, 42)."""
    starts = [row for row in rows if row - 1 not in rows]
    ends = [row for row in rows if row + 1 not in rows]
    return ", ".join(f"{first}-{last}" if last > first else str(first) for first, last in zip(starts, ends, strict=True))
