"""Lines of a text whose numbers stand in no row of the table that was made of it."""

import re
from collections.abc import Iterator, Sequence

from hemcore.datasets.readers.decoding import lines_of

_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?")
_FEWEST = 4  # digits; fewer stand in dates, versions and numbers of lines
_LARGEST = 8 << 20


def note_of(text: str, table: str) -> str:
    """A sentence on the lines of `text` with numbers of four digits at least of which none stands in `table`; "" for none, and
    for a text of more than 8 MiB."""
    if len(text) > _LARGEST:
        return ""
    there = {digits for line in lines_of(table) for digits in _numbers(line.replace(",", " "))}
    lost = [line for line in lines_of(text) if (found := list(_numbers(line))) and there.isdisjoint(found)]
    if not lost:
        return ""
    return f"lines with numbers that stand in no row of the table: {len(lost):,}, as {lost[0].strip()[:60]!r}."


def note_of_unread(lines: Sequence[str]) -> list[str]:
    """A sentence on lines of readings that do not fit their form; none for none."""
    return [f"lines that could not be read, wholly or in part: {len(lines):,}, as {lines[0].strip()[:60]!r}."] if lines else []


def _numbers(line: str) -> Iterator[str]:
    """The digits of each number of a line, without zeros at their ends; of one with commas also those of its parts."""
    for found in _NUMBER.findall(line):
        for number in {found.replace(",", ""), *found.split(",")}:
            digits = number.replace(".", "").strip("0")
            if len(digits) >= _FEWEST:
                yield digits
