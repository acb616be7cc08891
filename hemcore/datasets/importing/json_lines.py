"""JSON lines, one object per sample, as the text of a table."""

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

_DEEPEST = 8


def as_table(text: str) -> str | None:
    """CSV with commas: a header, then one row for each line of `text`, blank ones too; None unless each line is a JSON object.

    An object within an object gives a column for each of its values, named by its own key ("cycles") where no other column has that name,
    and by the whole path ("counters.cycles") otherwise. null and what a line lacks are empty; lists are texts. The last line may be cut
    off if two lines are whole: its row is empty.
    """
    if not text.lstrip().startswith("{"):
        return None
    lines = text.split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    rows: list[dict[tuple[str, ...], str]] = []
    for number, line in enumerate(lines):
        try:
            found = json.loads(line) if line.strip() else {}
        except (ValueError, RecursionError):
            if number < 2 or number < len(lines) - 1:
                return None
            found = {}
        if not isinstance(found, dict):
            return None
        rows.append(dict(_leaves(found)))
    paths = list(dict.fromkeys(path for row in rows for path in row))
    if len(rows) < 2 or not paths:
        return None
    often = Counter(path[-1] for path in paths)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([path[-1] if often[path[-1]] == 1 else ".".join(path) for path in paths])
    writer.writerows([row.get(path, "") for path in paths] for row in rows)
    return out.getvalue()


def _leaves(found: dict[str, Any], above: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    for key, value in found.items():
        path = (*above, " ".join(key.split()))
        if isinstance(value, dict) and len(path) < _DEEPEST:
            yield from _leaves(value, path)
        elif value is None:
            yield path, ""
        else:
            yield path, " ".join((value if isinstance(value, str) else json.dumps(value)).split())
