"""Columns that blanks part, with tabs between them: names and times that hold a blank stay whole."""

import csv
import re
from itertools import islice

from hemcore.datasets.readers.decoding import lines_of
from hemcore.errors import ReadError

_PROBED = 400  # lines
# "12:00:01 AM" and "2026-03-04 12:00:01" among columns that blanks separate are one cell each.
_HALF_DAY = re.compile(r"\b(\d{1,2}:\d{2}:\d{2}) +([AP]M)\b")
_STAMP = re.compile(r"\b(\d{4}-\d{2}-\d{2}) +(\d{1,2}:\d{2}:\d{2})\b")
_GAP = re.compile(r" {2,}")


def tabbed(name: str, text: str) -> str:
    """`text` with a tab between cells that blanks part. Raises ReadError, naming the line, for a cell that is too long."""
    if whole := _with_whole_names(text):
        return whole
    reader = csv.reader(lines_of(_with_whole_times(text), ends=True), delimiter=" ", skipinitialspace=True)
    try:
        return "".join("\t".join(map(_quoted, row)) + "\n" for row in reader)
    except csv.Error as error:
        raise ReadError(f"{name}: line {reader.line_num} does not fit a table ({error}). Correct the line, or leave it out.") from None


def _with_whole_times(text: str) -> str:
    """`text` with times that hold a blank as one cell, unless the header has a name for each half."""
    halves = _HALF_DAY.sub(r"\1\2", text)
    text = halves if _evenness(halves) >= _evenness(text) else text
    stamps = _STAMP.sub(r"\1T\2", text)
    return stamps if _evenness(stamps) > _evenness(text) else text


def _with_whole_names(text: str) -> str:
    """`text` with tabs between its columns where two blanks or more part them, as in "L1 misses   L2 misses", and one does not; else ""."""
    lines = [line.strip() for line in islice(lines_of(text), _PROBED) if line.strip()]
    widths = {len(_GAP.split(line)) for line in lines}
    if len(widths) != 1 or len(lines) < 2 or max(widths) < 2 or len({len(line.split()) for line in lines[1:]} | widths) > 1:
        return ""
    return "" if len(lines[0].split()) in widths else "".join(f"{_GAP.sub(chr(9), line.strip())}\n" for line in lines_of(text))


def _evenness(text: str) -> float:
    """The share of the first lines that have the usual number of cells between blanks."""
    widths = [len(cells) for line in islice(lines_of(text, ends=True), _PROBED) if (cells := line.split())]
    return max(map(widths.count, set(widths))) / len(widths) if widths else 0.0


def _quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"' if re.search('["\t\n]', cell) else cell
