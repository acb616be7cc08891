"""The first rows of a file as they are, for the eye."""

from collections.abc import Sequence

from hemcore.datasets.importing.raw_grid import HEAD_BYTES, grid_of
from hemcore.datasets.readers import decoding
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.errors import HemError

_ROWS, _COLUMNS, _LETTERS = 30, 60, 200


def first_lines(file: UploadedFile) -> UploadedFile:
    """Its beginning: JSON may be one line of 200 MB."""
    return file if file.size <= HEAD_BYTES else UploadedFile(file.name, decoding.head_lines(file.content, HEAD_BYTES))


def rows_of(file: UploadedFile) -> tuple[tuple[str, ...], ...]:
    """The first rows that are shown; none of a file that is no text."""
    try:
        return cut(grid_of(file).rows)
    except HemError:
        return ()


def cut(rows: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """The first 30 rows, 60 cells each, 200 letters each."""
    return tuple(tuple(cell[:_LETTERS] for cell in row[:_COLUMNS]) for row in rows[:_ROWS])
