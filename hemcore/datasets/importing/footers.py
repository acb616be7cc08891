"""What stands below the data of a table: sums and means of its columns, sources and remarks, and a last line that is cut off."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from hemcore.datasets.importing.header_words import meaning_of
from hemcore.datasets.importing.raw_grid import filled, is_missing, is_number, is_reading, numbers_of
from hemcore.datasets.readers.repairs import Repair
from hemcore.datasets.readers.uploaded_files import UploadedFile

_MOST_FOOTERS = 20
_MOSTLY = 0.9
_FEWEST_WHOLE = 2  # rows beside one that is cut off
_CLOSE = 1e-6


def without_footers(texts: pd.DataFrame, repairs: list[Repair], name: str) -> pd.DataFrame:
    """Without what stands below the data: sums and means of the columns, sources and remarks."""
    tail = texts.iloc[-_MOST_FOOTERS:]
    above = texts.iloc[:-_MOST_FOOTERS] if len(texts) > 40 else texts
    while len(tail) > 1:
        row = tail.iloc[-1]
        words = [cell for cell in row if cell and not is_reading(cell) and not is_missing(cell) and cell.strip("-=")]
        cells = [cell for cell in row if cell]
        summary = next((cell for cell in words[:2] if is_summary(cell)), None)
        alone = len(cells) == 1 and bool(words) and texts.shape[1] > 1 and bool((tail.iloc[:-1] != "").sum(axis=1).max() > 1)
        rule = not words and bool(cells) and all(not cell.strip("-=") for cell in cells)
        sums = "sums of the columns" if _is_sum(texts.loc[: tail.index[-1]], above) else ""
        said = summary or (words[0] if alone else cells[0] if rule else sums)
        if not said:
            return texts
        what = "a row of sums or means" if not alone else "a remark below the data"
        repairs.append(Repair(f"{name}, row {tail.index[-1]}", "", f"{what} left out: {said[:60]!r}", 1))
        texts, tail = texts.iloc[:-1], tail.iloc[:-1]
    return texts


def has_open_end(file: UploadedFile, limit: int | None) -> bool:
    """Whether `file` has no end of line at its end, which is within `limit` bytes (None: anywhere)."""
    return (limit is None or file.size <= limit) and file.content[-1:] not in (b"\n", b"\r", b"\x00", b"")


def without_cut_line(texts: pd.DataFrame, repairs: list[Repair], name: str) -> pd.DataFrame:
    """Without a last row that lacks its last cell, as no other row does, in a file that ends within a line."""
    blank = texts.iloc[:, -1] == ""
    if len(texts) <= _FEWEST_WHOLE or not bool(blank.iloc[-1]) or bool(blank.iloc[:-1].any()):
        return texts
    repairs.append(Repair(f"{name}, row {texts.index[-1]}", "", "the last line is cut off, left out", 1))
    return texts.iloc[:-1]


def without_rows(texts: pd.DataFrame, rows: Sequence[int], repairs: list[Repair], name: str, what: str) -> pd.DataFrame:
    """Without the rows of these numbers; `what` is said of those that are there."""
    there = [row for row in rows if row in texts.index]
    if not there:
        return texts
    shown = ", ".join(map(str, there[:5])) + (f" and {len(there) - 5:,} more" if len(there) > 5 else "")
    repairs.append(Repair(f"{name}, row {shown}", "", what, len(there)))
    return texts.drop(index=there)


def is_summary(cell: str) -> bool:
    """Whether a cell is the name of a row of sums or means: "Total:", "Avg/Max", "*"."""
    return cell == "*" or all(meaning_of(part).role == "summary" for part in cell.rstrip(":").split("/"))


def _is_numeric(texts: pd.Series) -> bool:
    there = filled(texts)
    return len(there) > 0 and sum(map(is_number, there.iloc[:200])) >= _MOSTLY * min(len(there), 200)


def _is_sum(texts: pd.DataFrame, judged: pd.DataFrame) -> bool:
    """Whether the last row has no key (its first cell is blank, as nowhere else) and is the sum or the mean of all above it.

    judged: the rows that say which columns are of numbers.
    """
    last = texts.iloc[-1].to_dict()
    if len(texts) < 4 or next(iter(last.values())) or bool((texts.iloc[:-1, 0] == "").any()):
        return False
    values = {place: numbers_of(texts[place]) for place in judged.columns if last[place] and _is_numeric(judged[place])}
    above = {place: column.iloc[:-1] for place, column in values.items()}
    fits = [
        any(np.isclose(column.iloc[-1], each, rtol=_CLOSE) for each in (above[place].sum(), above[place].mean()))
        for place, column in values.items()
    ]
    return bool(fits) and all(fits)
