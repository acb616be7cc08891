"""Rows of `perf stat -x` many at a time: blocks of lines that are all of one plain form, which are most of a large file.

A block is a megabyte of lines. Its form is that of its first line: [time,] value, unit, event, run time, per cent, and what perf puts
behind, without an id or a cgroup. Each cell that is used is checked as the reader of single lines checks it, and a line of each unit and
event is read by that reader too; a block with anything else in it is left to that reader.
"""

import io
import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from hemcore.datasets.readers.perf.lines import WORDS
from hemcore.datasets.readers.perf.perf_rows import Rows, Values

_BLOCK = 1 << 20
_TIME, _VALUE, _RUNNING, _SHARE = r"^ *\d+\.\d{9}$", r"^(?:\d+(?:\.\d+)?|<not (?:counted|supported)>)$", r"^\d{1,18}$", r"^\d{1,3}\.\d\d$"


class _Form(NamedTuple):
    cells: int
    first: int  # of the cell of the value: 1 where a time stands before it


def blocks_of(text: str) -> Iterator[str]:
    """`text` in pieces of about a megabyte, each of whole lines without the last end of line."""
    start = 0
    while start < len(text):
        end = text.find("\n", start + _BLOCK)
        end = len(text) if end < 0 else end
        yield text[start:end]
        start = end + 1


def add_block(rows: Rows, block: str, separator: str, row: re.Pattern[str]) -> list[str] | None:
    """Add the readings of `block` to `rows` and return the names of its events; None, with nothing added, where it is not of one form.

    row: a line of one reading: time, id, value, event, run time, per cent, more.
    """
    form = _form(block[: block.find("\n")], separator, row)
    if form is None or '"' in block:
        return None
    names = [f"c{place}" for place in range(form.cells)]
    try:
        table = csv.read_csv(
            io.BytesIO(block.encode()),
            read_options=csv.ReadOptions(column_names=names, use_threads=False),
            parse_options=csv.ParseOptions(delimiter=separator, quote_char=False, ignore_empty_lines=False),
            convert_options=csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string())),
        ).combine_chunks()
    except (pa.ArrowInvalid, UnicodeEncodeError):
        return None
    at = form.first
    value, unit, event, running, share = (table.column(at + place) for place in range(5))
    checks = [(value, _VALUE), (running, _RUNNING), (share, _SHARE), *([(table.column(0), _TIME)] if at else [])]
    if not all(pc.all(pc.match_substring_regex(column, form_of)).as_py() for column, form_of in checks):
        return None
    if form.cells > at + 5 and pc.any(pc.match_substring_regex(table.column(at + 5), r"^ *\d+$")).as_py():
        return None  # may be another row, whose line's end was lost
    events = np.asarray(event.to_pandas(), dtype=object)
    pairs = pc.binary_join_element_wise(unit, event, "\n").combine_chunks().dictionary_encode()
    lines = block.split("\n")
    for place in np.unique(np.asarray(pairs.indices), return_index=True)[1]:
        found = row.match(lines[place])
        if found is None or found[4] != events[place] or found[2] is not None:
            return None
    rows.add_many(
        _floats(pc.utf8_ltrim_whitespace(table.column(0))) if at else np.full(len(events), np.nan),
        np.full(len(events), "", dtype=object), events, _counts(value), _floats(share), _floats(running),
    )  # fmt: skip
    return list(dict.fromkeys(events))


def _form(line: str, separator: str, row: re.Pattern[str]) -> _Form | None:
    found = row.match(line)
    if found is None or found[2] is not None or len(separator) != 1 or separator in found[4] or separator == " ":
        return None
    return _Form(line.count(separator) + 1, 0 if found[1] is None else 1)


def _floats(column: pa.ChunkedArray) -> Values:
    return np.asarray(column.cast(pa.float64()).to_numpy(), dtype=float)


def _counts(column: pa.ChunkedArray) -> Values:
    words = pc.match_substring(column, "<")
    if not pc.any(words).as_py():
        return _floats(column)
    counts = _floats(pc.if_else(words, "0", column))
    for word, number in WORDS.items():
        counts = np.where(pc.equal(column, word).to_numpy(), number, counts)
    return counts
