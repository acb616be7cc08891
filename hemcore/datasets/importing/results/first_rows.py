"""The first rows of a file as they are, for the eye."""

import re
from collections.abc import Sequence

from hemcore.datasets.importing.header_words import meaning_of
from hemcore.datasets.importing.raw_grid import HEAD_BYTES, grid_of
from hemcore.datasets.readers import decoding
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.errors import HemError

_ROWS, _COLUMNS, _LETTERS = 30, 60, 200
_SHOWN = 20_000  # bytes of JSON, more than the rows that are shown
_NAMES = ("text", "program", "place", "row")
_BEFORE_NAMES = re.compile(r'([{\[,])\s*(?=["{\[])')


def first_lines(file: UploadedFile) -> UploadedFile:
    """Its beginning: JSON may be one line of 200 MB."""
    return file if file.size <= HEAD_BYTES else UploadedFile(file.name, decoding.head_lines(file.content, HEAD_BYTES))


def rows_of(file: UploadedFile) -> tuple[tuple[str, ...], ...]:
    """The first rows that are shown; none of a file that is no text."""
    try:
        return cut(_as_written(file, grid_of(file).rows))
    except HemError:
        return ()


def cut(rows: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """The first 30 rows, 60 cells each, 200 letters each."""
    return tuple(tuple(cell[:_LETTERS] for cell in row[:_COLUMNS]) for row in rows[:_ROWS])


def _as_written(file: UploadedFile, rows: Sequence[tuple[str, ...]]) -> Sequence[tuple[str, ...]]:
    """`rows`; of JSON whose rows are pieces of its text, or statistics alone, its text, with a line for each name or object."""
    text = decoding.head_text(file.head(_SHOWN), _SHOWN).lstrip()
    if not rows or not rows[0] or text[:1] not in ("{", "["):
        return rows
    numbers = {role for name in rows[0] if (role := meaning_of(name).role) not in _NAMES}
    if not rows[0][0].startswith(("{", "[")) and numbers != {"summary"}:
        return rows
    return [(line.strip(),) for line in _BEFORE_NAMES.sub(r"\1\n", text).split("\n") if line.strip()]
