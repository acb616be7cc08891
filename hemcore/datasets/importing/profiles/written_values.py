"""Tables as programs write values: R's dput of a data frame, lists of lists of Mathematica; as the text of a CSV.

Sources: R, ?dput; Wolfram Language, Export to "Table" and "WL".
"""

import csv
import io
import json
import re

from hemcore.datasets.importing.other_forms.written_csv import csv_of_rows

_FRAME = re.compile(r"\s*(?:\w+ ?(?:<-|=) ?)?structure\(list\(")
_VECTOR = re.compile(
    r"""(?P<name>[\w.]+|`[^`]*`|"[^"]*") = (?:(?P<first>-?\d{1,9}):(?P<last>-?\d{1,9})|c\((?P<cells>(?:"[^"]*"|[^()"])*)\))(?=[,)])"""
)
_END = re.compile(r"\)\s*,\s*(?:class|row\.names)\s*=")
_NUMBER = re.compile(r"(-?\d[\d.]*(?:e[-+]?\d+)?)L?")
_LISTS = re.compile(r"\s*(?:\w+ ?= ?)?\{\s*\{")
_POWER = re.compile(r"(?<=\d)\*\^(-?\d+)|(?<=\d)`[\d.]*")
_MOST = 1 << 24  # characters
_TIMES = 16  # so many numbers as its characters a text may have in ranges such as 1:1000


def as_table(text: str) -> str | None:
    """CSV with commas, a header and a row per row of the frame, or per list; None for any other text, and where columns differ in length or
    are no lists of numbers or texts."""
    if len(text) > _MOST:
        return None
    if _FRAME.match(text) is not None:
        return _of_frame(text)
    return _of_lists(text) if _LISTS.match(text) is not None else None


def _of_frame(text: str) -> str | None:
    text = " ".join(_END.split(_FRAME.sub("", text, count=1), maxsplit=1)[0].split())
    if _VECTOR.sub("", f"{text})").strip(" ,)"):
        return None
    columns: dict[str, list[str]] = {}
    left = _TIMES * len(text)
    for found in _VECTOR.finditer(f"{text})"):
        if found["first"] is not None:
            first, last = int(found["first"]), int(found["last"])
            left -= max(last - first, 0) + 1
            cells = list(map(str, range(first, last + 1))) if left >= 0 else []
        else:
            cells = [_plain(cell) for cell in next(csv.reader(io.StringIO(found["cells"]), skipinitialspace=True), [])]
        columns[found["name"].strip('`"')] = cells
    if len({len(cells) for cells in columns.values()}) != 1:
        return None
    return csv_of_rows(list(columns), zip(*columns.values(), strict=True))


def _plain(cell: str) -> str:
    cell = cell.strip()
    found = _NUMBER.fullmatch(cell)
    return found[1] if found is not None else "" if cell in ("NA", "NA_integer_", "NA_real_", "NaN") else cell


def _of_lists(text: str) -> str | None:
    inner = text[text.index("{") :].strip().rstrip(";")
    inner = _POWER.sub(lambda found: f"e{found[1]}" if found[1] else "", inner).replace("{", "[").replace("}", "]")
    try:
        rows = json.loads(re.sub(r"(?<=\d)\.(?=[\s,\]e])", ".0", inner))
    except (ValueError, RecursionError):
        return None
    plain = isinstance(rows, list) and len(rows) > 1 and all(isinstance(row, list) for row in rows)
    if not plain or len({len(row) for row in rows}) != 1 or any(isinstance(cell, list | dict) for row in rows for cell in row):
        return None
    return csv_of_rows(rows[0], rows[1:]) if all(isinstance(cell, str) for cell in rows[0]) else None
