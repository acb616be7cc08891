"""JSON of samples, one object per line or per element of a list, or columns by name, as the text of a table."""

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from hemcore.datasets.readers import decoding

_DEEPEST = 8


def as_table(text: str) -> str | None:
    """CSV with commas: a header, then one row for each sample; None where `text` is no JSON of samples.

    Samples are lines that are each an object (blank ones too), a list of objects, or columns by name: {"cycles": [5, 7]}, and what pandas
    writes with orient="columns" ({"cycles": {"0": 5, "1": 7}}) or "split" ({"columns": ..., "data": ...}).

    An object within an object gives a column for each of its values, named by its own key ("cycles") where no other column has that name,
    and by the whole path ("counters.cycles") otherwise. null and what a sample lacks are empty; lists are texts. The last line may be cut
    off if two lines are whole: its row is empty.
    """
    if not text.lstrip().startswith(("{", "[")):
        return None
    found = _lines(text) if text.lstrip().startswith("{") else None
    if found is None:
        found = _whole(text)
    rows = [dict(_leaves(each)) for each in found or ()]
    paths = list(dict.fromkeys(path for row in rows for path in row))
    if len(rows) < 2 or not paths:
        return None
    often = Counter(path[-1] for path in paths)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([path[-1] if often[path[-1]] == 1 else ".".join(path) for path in paths])
    writer.writerows([row.get(path, "") for path in paths] for row in rows)
    return out.getvalue()


def beginning(content: bytes, limit: int) -> bytes:
    """The whole lines among the first `limit` bytes of a file; of a list in JSON its whole objects, of one object on one line all of it."""
    if len(content) <= limit:
        return content
    head = decoding.head_lines(content, limit)
    first = head.lstrip(b" \r\n\t\xef\xbb\xbf")[:1]
    if first == b"{" and b"\n" not in head:
        return content
    if first != b"[":
        return head
    text = head.decode("utf-8-sig", errors="ignore")
    decoder, place = json.JSONDecoder(), text.index("[") + 1
    last = place
    while (begin := text.find("{", place)) >= 0 and not text[place:begin].strip(" ,\r\n\t"):
        try:
            _, place = decoder.raw_decode(text, begin)
        except (ValueError, RecursionError):
            break
        last = place
    return f"{text[:last]}]".encode()


def _lines(text: str) -> list[dict[str, Any]] | None:
    """The objects of lines that are one each; None where they are not."""
    lines = text.split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    rows: list[dict[str, Any]] = []
    for number, line in enumerate(lines):
        try:
            found = json.loads(line) if line.strip() else {}
        except (ValueError, RecursionError):
            if number < 2 or number < len(lines) - 1:
                return None
            found = {}
        if not isinstance(found, dict):
            return None
        rows.append(found)
    return rows if len(rows) > 1 else None


def _whole(text: str) -> list[dict[str, Any]] | None:
    """The samples of one document in JSON; None where they are of another shape."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(found, list):
        return found if all(isinstance(each, dict) for each in found) else None
    if isinstance(names := found.get("columns"), list) and isinstance(rows := found.get("data"), list):
        if not all(isinstance(name, str) for name in names) or not all(_is_row(row, len(names)) for row in rows):
            return None
        return [dict(zip(names, row, strict=True)) for row in rows]
    columns = {name: _cells(cells) for name, cells in found.items()}
    if not columns or any(cells is None for cells in columns.values()):
        return None
    keys = [list(cells) for cells in columns.values() if cells is not None]
    if any(other != keys[0] for other in keys):
        return None
    return [{name: cells[key] for name, cells in columns.items() if cells is not None} for key in keys[0]]


def _is_row(row: object, width: int) -> bool:
    return isinstance(row, Sequence) and not isinstance(row, str) and len(row) == width


def _cells(column: object) -> dict[str, Any] | None:
    """The cells of a column by their place, if `column` is one: a list, or an object with numbers as names, of plain values."""
    cells: dict[str, Any] = {}
    if isinstance(column, list):
        cells = {str(place): cell for place, cell in enumerate(column)}
    elif isinstance(column, dict) and all(key.isdigit() for key in column):
        cells = column
    return cells if cells and not any(isinstance(cell, (dict, list)) for cell in cells.values()) else None


def _leaves(found: dict[str, Any], above: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    for key, value in found.items():
        path = (*above, " ".join(key.split()))
        if isinstance(value, dict) and len(path) < _DEEPEST:
            yield from _leaves(value, path)
        elif value is None:
            yield path, ""
        else:
            yield path, " ".join((value if isinstance(value, str) else json.dumps(value)).split())
