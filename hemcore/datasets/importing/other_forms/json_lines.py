"""JSON of samples, one object per line or per element of a list, or columns by name, as the text of a table."""

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from hemcore.datasets.importing import header_words
from hemcore.datasets.importing.other_forms import json_levels, json_shapes
from hemcore.datasets.importing.other_forms.json_shapes import Sample
from hemcore.datasets.readers import decoding
from hemcore.datasets.readers.uploaded_files import UploadedFile

_DEEPEST = 8
_FEWEST_CELLS = 2
# As objects, a line takes many times its bytes.
_LONGEST_LINE = 12 << 20
_LABELS = frozenset(("tags", "tag", "labels", "label"))
_NUMBER = re.compile(r"[-+]?\d[\d.]*")
_START, _NEXT = re.compile(r"\s*"), re.compile(r"\s*([,\]])")


def as_table(text: str, notes: list[str] | None = None) -> str | None:
    """CSV with commas: a header, then one row for each sample; None where `text` is no JSON of samples.

    Samples are lines that are each an object (blank ones too), a list of objects, or columns by name: {"cycles": [5, 7]}, and what pandas
    writes with orient="columns" ({"cycles": {"0": 5, "1": 7}}) or "split" ({"columns": ..., "index": ..., "data": ...}), rows by their
    names ({"fft": {"cycles": 5, "misses": 7}, ...}), one list of objects beside words on the whole, Google Benchmark's, Chrome's
    counters, Grafana's frames; else the longest list of objects anywhere, as of sysstat.

    An object within an object gives a column for each of its values, named by its own key ("cycles") where no other column has that name,
    and by the whole path ("counters.cycles") otherwise. null and what a sample lacks are empty; lists are texts. The last line may be cut
    off if two lines are whole: its row is empty, and `notes` gets a sentence on it. Raises RepeatedKeyError for a key with two values.
    """
    start = text.lstrip()[:1]
    if start not in ("{", "["):
        return None
    if '"fields"' in text and '"values"' in text and (rows := _frames(text)):
        return _table(rows)
    notes = [] if notes is None else notes
    lists: list[Any] = []
    table = _table(_lines(text, notes) if start == "{" else _elements(text), lists=lists)
    if table is not None and not any(map(json_levels.has_numbers, lists)):
        return table
    try:
        found = _decoded(text if table is None or start == "[" else f"[{','.join(filter(str.strip, text.splitlines()))}]")
    except _NoSamplesError:
        return table
    if table is None:
        return _of_levels(found, notes)
    lost, others = json_levels.lost_of(found, levels := json_levels.rows_of(found)), json_levels.lost_of(found, found)
    notes += json_levels.notes_on(min(lost, others, key=len), found)
    return _table(levels) if len(lost) < len(others) else table


def _of_levels(found: Any, notes: list[str]) -> str | None:
    """The table of `found` by the first of the known shapes that it has; where numbers stand in no row of it, by its levels if these hold
    more of them. What neither holds is noted."""
    rows, found = list[Sample](), json_shapes.with_units(found)
    shapes = (json_shapes.of_times, _whole, _one_run, _columns_anywhere, _longest) if isinstance(found, dict) else (_rows_below_names,)
    for shape in shapes:
        try:
            rows = list(shape(found))
        except _NoSamplesError:
            continue
        if len(rows) >= (1 if shape is _one_run else 2):
            break
        rows = []
    if isinstance(found, dict) and not json_shapes.KNOWN.isdisjoint(found):
        return _table(rows)
    lost = json_levels.lost_of(found, rows)
    if lost and (levels := json_levels.rows_of(found)) and len(fewer := json_levels.lost_of(found, levels)) < len(lost):
        rows, lost = levels, fewer
    one = len(rows) == 1 and (json_levels.is_one_run(rows[0]) or (len(rows[0]) > 1 and all(map(json_levels.is_number, rows[0].values()))))
    table = _table(rows, 1 if one else 2)
    notes += json_levels.notes_on(lost, found) if table is not None else []
    return table


def _longest(found: Sample) -> Iterator[Sample]:
    return (row for each in json_shapes.longest_list(found) for row in json_shapes.spread(each))


def _frames(text: str) -> list[Sample]:
    try:
        return json_shapes.of_frames(list(json_shapes.frames(json.loads(text))))
    except (ValueError, RecursionError, TypeError):
        return []


class _NoSamplesError(Exception):
    """The text is not of the shape that was tried."""


def _decoded(text: str, place: int | None = None) -> Any:
    """`text` read as JSON; from `place` on, with where it ends. Raises _NoSamplesError where it is none, and RepeatedKeyError."""
    try:
        return decoding.JSON.decode(text) if place is None else decoding.JSON.raw_decode(text, place)
    except decoding.RepeatedKeyError:
        raise  # which is a ValueError
    except (ValueError, RecursionError):
        raise _NoSamplesError from None


def _table(samples: Iterable[Sample], fewest: int = 2, lists: list[Any] | None = None) -> str | None:
    """The samples one after the other as CSV, all rows of one width; None where they are not `fewest`. lists: gets the cells that are."""
    body = io.StringIO()
    writer = csv.writer(body, lineterminator="\n")
    places: dict[tuple[str, ...], int] = {}
    widths: list[int] = []
    flat: dict[str, int] = {}  # the places of the keys of the last sample that was no tree: most have those of the one before
    try:
        for sample in samples:
            if flat.keys() == sample.keys() and not any(isinstance(value, dict | list) for value in sample.values()):
                cells = {flat[key]: _cell(value) for key, value in sample.items()}
            else:
                cells = {places.setdefault(path, len(places)): cell for path, cell in _leaves(sample, lists)}
                is_flat = len(cells) == len(sample) and not any(isinstance(value, dict) for value in sample.values())
                flat = dict(zip(sample, cells, strict=True)) if is_flat else {}
            widths.append(len(places))
            writer.writerow([cells.get(place, "") for place in range(max(len(places), 1))])
    except _NoSamplesError:
        return None
    if len(widths) < fewest or not places:
        return None
    often = Counter(path[-1] for path in places)
    names = [path[-1] if often[path[-1]] == 1 else ".".join(path) for path in places]
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(names)
    if widths[0] == len(names):
        return table.getvalue() + body.getvalue()
    writer.writerows([*row, *[""] * (len(names) - len(row))] for row in csv.reader(decoding.lines_of(body.getvalue(), ends=True)))
    return table.getvalue()


def beginning(file: UploadedFile, limit: int) -> bytes:
    """The whole lines among the first `limit` bytes of a file; of a list in JSON its whole objects, of one object on one line all of it
    up to 12 MiB."""
    if file.size <= limit:
        return file.content
    head = decoding.head_lines(file.head(decoding.head_bytes(limit)), limit)
    first = head.lstrip(b" \r\n\t\xef\xbb\xbf")[:1]
    if first == b"{" and b"\n" not in head and file.size <= _LONGEST_LINE:
        return file.content
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


def _lines(text: str, notes: list[str]) -> Iterator[Sample]:
    """The objects of lines that are one each; {} for a blank line, and for the last one where it is cut off.

    Raises _NoSamplesError where they are not, or there is one line alone.
    """
    last = text.rstrip().count("\n")
    if last < 1:
        raise _NoSamplesError
    for number, line in enumerate(decoding.lines_of(text)):
        if number > last:
            return
        try:
            found = _decoded(line) if line.strip() else {}
        except _NoSamplesError:
            if number < 2 or number < last:
                raise
            notes.append(f"line {number + 1}, the last one, is no whole object and is left out: {line.strip()[:60]!r}.")
            found = {}
        if not isinstance(found, dict):
            raise _NoSamplesError
        yield found


def _elements(text: str) -> Iterator[Sample]:
    """The objects of a list. Raises _NoSamplesError where it is no list of objects, or not whole."""
    place = text.index("[") + 1
    while True:
        place = _START.match(text, place).end()  # type: ignore[union-attr]
        found, place = _decoded(text, place)
        if not isinstance(found, dict):
            raise _NoSamplesError
        yield from json_shapes.unfolded(found)
        after = _NEXT.match(text, place)
        if after is None:
            raise _NoSamplesError
        place = after.end()
        if after[1] == "]":
            if text[place:].strip():
                raise _NoSamplesError
            return


def _rows_below_names(found: list[Any]) -> Iterator[Sample]:
    """The rows of a list of lists of which the first holds names. Raises _NoSamplesError for any other."""
    lists = len(found) > _FEWEST_CELLS and all(isinstance(row, list) and row for row in found)
    if not lists or not all(isinstance(name, str) for name in found[0]) or not all(json_shapes.is_row(row, len(found[0])) for row in found):
        raise _NoSamplesError
    yield from (dict(zip(found[0], row, strict=True)) for row in found[1:])


def _whole(found: Sample) -> Iterator[Sample]:
    """The samples of columns by name, of one object in JSON. Raises _NoSamplesError where it is of another shape."""
    columns_of = found.get("columns", found.get("meta"))
    if isinstance(columns_of, list) and isinstance(rows := found.get("data"), list):
        names = [str(each.get("name", "")) if isinstance(each, dict) else each for each in columns_of]  # of ClickHouse, with their types
        if not all(isinstance(name, str) for name in names) or not all(json_shapes.is_row(row, len(names)) for row in rows):
            raise _NoSamplesError
        index = json_shapes.index_of(found, len(rows))
        first = json_shapes.name_of_index(index)
        index = index if first not in names else []
        yield from ({**({first: index[place]} if index else {}), **dict(zip(names, row, strict=True))} for place, row in enumerate(rows))
        return
    if isinstance(events := found.get("traceEvents"), list):
        yield from json_shapes.trace(events)
        return
    if isinstance(tests := found.get("benchmarks"), list) and all(isinstance(each, dict) for each in tests):
        yield from json_shapes.benchmarks(tests)
        return
    words = [
        value for value in found.values() if isinstance(value, list) and len(value) > 1 and all(isinstance(each, str) for each in value)
    ]
    below = [value for value in found.values() if len(words) == 1 and isinstance(value, list) and value and value is not words[0]]
    if len(below) == 1 and all(
        json_shapes.is_row(row, len(words[0])) for row in below[0]
    ):  # one list of names and one of rows, whatever they are called
        yield from (dict(zip(words[0], row, strict=True)) for row in below[0])
        return
    lists = [value for value in found.values() if isinstance(value, list) and value and all(isinstance(each, dict) for each in value)]
    if len(lists) == 1 and len(lists[0]) > 1 and not any(isinstance(value, list) and value is not lists[0] for value in found.values()):
        yield from lists[0]  # beside words on the whole, or the schema of pandas
        return
    if isinstance(results := found.get("results"), list) and (series := json_shapes.of_series(results)):
        yield from series
        return
    if (rows := json_shapes.named_rows(found)) is not None:
        yield from rows
        return
    if len(inner := list(json_shapes.lists_below(found))) == 1:
        for each in inner[0]:
            yield from json_shapes.unfolded(each)
        return
    columns = {name: cells for name, column in found.items() if (cells := json_shapes.cells(column)) is not None}
    if not columns or len(columns) < len(found) or len({tuple(cells) for cells in columns.values()}) > 1:
        raise _NoSamplesError
    for key in next(iter(columns.values())):
        yield {name: cells[key] for name, cells in columns.items()}


def _columns_anywhere(found: Sample) -> Iterator[Sample]:
    """The rows of lists of plain values, two at least and all of one length, anywhere in an object. Raises _NoSamplesError for others."""
    columns = dict(json_shapes.plain_lists(found))
    if len(columns) < _FEWEST_CELLS or len({len(column) for column in columns.values()}) > 1:
        raise _NoSamplesError
    yield from (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))


def _one_run(found: Sample) -> Iterator[Sample]:
    """An object of numbers alone, two at least: one run, as scripts write them. Raises _NoSamplesError for any other."""
    cells = list(found.values())
    if len(cells) < _FEWEST_CELLS or not all(map(json_levels.is_number, cells)):
        raise _NoSamplesError
    yield found


def _leaves(found: Sample, lists: list[Any] | None, above: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    for key, value in found.items():
        path = (*above, " ".join(key.split()))
        if isinstance(value, dict) and len(path) < _DEEPEST:
            yield from _leaves(value, lists, path)
        else:
            if lists is not None and isinstance(value, list):
                lists.append(value)
            text = _cell(value)
            yield path, f"{path[-1]}={text}" if _is_label(path, text) else text


def _is_label(path: tuple[str, ...], text: str) -> bool:
    """Whether a number stands among the tags of a sample, as telegraf's "package_id": it is a name; what places and runs are called has
    numbers anyway."""
    return (
        len(path) > 1 and path[-2].lower() in _LABELS and _NUMBER.fullmatch(text) is not None and not header_words.meaning_of(path[-1]).role
    )


def _cell(value: object) -> str:
    if type(value) is int:
        return str(value)
    return "" if value is None else " ".join((value if isinstance(value, str) else json.dumps(value)).split())
