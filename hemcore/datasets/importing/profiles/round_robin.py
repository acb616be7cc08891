"""What rrdtool's xport writes as JSON and XML, as the text of a CSV: a legend, rows without times, where they begin and their step.

Source: rrdtool, rrdxport(1), and rrd_xport.c (rrd_xport_format_xmljson).
"""

import json
import re
from html import unescape
from typing import Any

from hemcore.datasets.importing.other_forms.written_csv import csv_of_rows

_XML = re.compile(r"\s*(?:<\?xml[^>]*\?>\s*)?<xport>")
_FIELD = r"<{0}>\s*([^<]*?)\s*</{0}>"
_ROW = re.compile(r"<row>(.*?)</row>", re.DOTALL)
_DEEPEST, _LARGEST = 3, 1e18


def as_table(text: str) -> str | None:
    """CSV with commas: the time of each row and a column per entry of the legend; None for any other text.

    Any JSON is read so that has a legend (one list of names), the start and step beside it, and rows as wide as this elsewhere.
    """
    if _XML.match(text) is not None:
        return _of_xml(text)
    if text.lstrip()[:1] != "{" or '"step"' not in text[:100_000]:
        return None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    head = _head_of(found)
    if head is None:
        return None
    names = next(value for value in head.values() if _are_names(value))
    rows = next((each for each in found.values() if isinstance(each, list) and _are_rows(each, len(names))), None)
    return None if rows is None else _timed(names, rows, float(head["start"]), float(head["step"]))


def _timed(names: list[str], rows: list[list[Any]], start: float, step: float) -> str | None:
    """A row stands for the step that ends at its time."""
    cells = (["" if cell is None else cell for cell in row] for row in rows)
    return csv_of_rows(["time", *names], ([f"{start + place * step:.15g}", *row] for place, row in enumerate(cells, start=1)))


def _head_of(found: Any, depth: int = 0) -> dict[str, Any] | None:
    """The object with a list of names, a start and a step."""
    if not isinstance(found, dict) or depth > _DEEPEST:
        return None
    numbers = all(isinstance(each := found.get(key), int | float) and abs(each) < _LARGEST for key in ("start", "step"))
    if numbers and sum(map(_are_names, found.values())) == 1:
        return found
    return next((head for each in found.values() if (head := _head_of(each, depth + 1)) is not None), None)


def _are_names(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, str) for each in value)


def _are_rows(value: list[Any], width: int) -> bool:
    return bool(value) and all(
        isinstance(row, list) and len(row) == width and all(cell is None or isinstance(cell, int | float) for cell in row) for row in value
    )


def _of_xml(text: str) -> str | None:
    head, _, body = text.partition("<data>")
    names = [unescape(entry) for entry in re.findall(_FIELD.format("entry"), head)]
    rows = [re.findall(_FIELD.format("v"), row) for row in _ROW.findall(body)]
    times = re.findall(_FIELD.format("t"), body)
    if not names or not rows or any(len(row) != len(names) for row in rows):
        return None
    cells = [["" if cell.lower().lstrip("-") == "nan" else cell for cell in row] for row in rows]
    if len(times) == len(rows):
        return csv_of_rows(["time", *names], ([time, *row] for time, row in zip(times, cells, strict=True)))
    start, step = re.search(_FIELD.format("start"), head), re.search(_FIELD.format("step"), head)
    try:
        return _timed(names, cells, float(start[1]), float(step[1])) if start is not None and step is not None else None
    except ValueError:
        return None
