"""What both forms of LIKWID's output share: its numbers, and its text."""

import math
import re
from collections.abc import Sequence
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from hemcore.datasets.readers import decoding
from hemcore.datasets.readers.uploaded_files import UploadedFile

_PLAIN = re.compile(r"[0-9.e+]+")
_CELLS, _DIGIT = re.compile(r"[,;|\t]"), re.compile(r"\d")
_NOT_COUNTED = ("nan", "-nan", "-", "", "inf", "-inf")


def text_of(file: UploadedFile) -> str:
    """The text of a file. Raises ReadError where it is binary or empty."""
    return decoding.text_of(file.name, file.content, remedy="Send what `likwid-perfctr -o FILE.csv` wrote.")


def count_of(cell: str) -> float | None:
    """The number of a cell; NaN where LIKWID says that it is none (nan, -), None where the cell is no number of at least 0."""
    cell = cell.strip()
    if cell.lower() in _NOT_COUNTED:
        return math.nan
    try:
        value = float(cell)
    except ValueError:
        return None
    return value if value >= 0 else None


def counts_of(cells: Sequence[str]) -> NDArray[np.float64] | None:
    """`count_of` of each cell, shape (cells,); None where one of them is no number of at least 0."""
    if _PLAIN.fullmatch("".join(cells)):  # a line may have 100,000 of them
        with suppress(ValueError):
            return np.array(cells, dtype=float)
    counts = [count_of(cell) for cell in cells]
    return None if None in counts else np.array(counts, dtype=float)


def is_row(line: str) -> bool:
    """Whether `line` has three cells with digits, as no remark of LIKWID has: outside its tables, it is something else's data."""
    return sum(_DIGIT.search(cell) is not None for cell in _CELLS.split(line)) > 2
