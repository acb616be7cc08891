"""InfluxDB's line protocol, as Telegraf and ClusterCockpit write it: `cpu,host=a,cpu=cpu0 cycles=5i,ipc=1.2 1772620000000000000`.

Source: InfluxDB's documentation, "Line protocol" (https://docs.influxdata.com/influxdb/v2/reference/syntax/line-protocol/).
"""

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from hemcore.datasets.importing.other_forms.written_csv import csv_of_records
from hemcore.datasets.readers.decoding import lines_of

_NAME, _VALUE = r"(?:[^\s,=\\]|\\.)+", r"(?:\"(?:[^\"\\]|\\.)*\"|(?:[^\s,\\\"]|\\.)+)"
_TAG, _FIELD = rf"{_NAME}=(?:[^\s,\\]|\\.)+", rf"{_NAME}={_VALUE}"
_LINE = re.compile(rf"((?:[^\s,\\]|\\.)+)((?:,{_TAG})*) ({_FIELD}(?:,{_FIELD})*) (\d{{10,19}})")
_TAGS, _FIELDS = re.compile(rf"({_NAME})=((?:[^\s,\\]|\\.)*)"), re.compile(rf"({_NAME})=({_VALUE})")
_ESCAPE, _WHOLE = re.compile(r"\\([ ,=\"\\])"), re.compile(r"(-?\d+)[iu]")
Tags = dict[str, str]


def as_table(text: str) -> str | None:
    """CSV with commas, a header and one row for each time of each series; None where a line that is not blank or a remark is none.

    A series is what has the same tags. Where one tag alone differs, it is a column; where several do or it is a number, they are joined as
    `program` ("host=a index=0"). Several measurements of one time and series stand in one row, each field behind the name of its
    measurement.
    """
    if _LINE.match(text.lstrip()) is None:
        return None
    names, tags_written, count = set[str](), dict[str, Tags](), 0
    for line in _lines(text):
        if (found := _LINE.fullmatch(line)) is None:
            return None
        names.add(found[1])
        if found[2] not in tags_written:
            tags_written[found[2]] = _tags(found[2])
        count += 1
    values: dict[str, set[str]] = {}
    for tags in tags_written.values():
        for tag, value in tags.items():
            values.setdefault(tag, set()).add(value)
    everywhere = all(set(values) == set(tags) for tags in tags_written.values())
    differ = [tag for tag, known in values.items() if len(known) > 1 or not everywhere]
    alone = len(differ) == 1 and everywhere and not all(value.isdigit() for value in values[differ[0]])
    return csv_of_records(_Series(text, tags_written, differ, alone=alone, several=len(names) > 1).rows(count))


def _lines(text: str) -> Iterator[str]:
    """Those that are not blank or remarks."""
    return (line.strip() for line in lines_of(text) if line.strip() and not line.startswith("#"))


class _Series:
    """The rows of a text that is read a second time, since now it is known which tags differ. several: measurements."""

    def __init__(self, text: str, tags: Mapping[str, Tags], differ: Sequence[str], *, alone: bool, several: bool) -> None:
        self._text, self._alone, self._several = text, alone, several
        self._series: dict[str, str] = {}
        self._same: dict[str, Tags] = {}
        for written, own in tags.items():
            told = [f"{tag}={own[tag]}" for tag in differ if tag in own]
            self._series[written] = own[differ[0]] if alone else " ".join(told) or ("all" if differ else "")
            self._same[written] = {tag: value for tag, value in own.items() if tag not in differ}
        self._column = (differ[0] if alone else "program") if differ else ""

    def rows(self, count: int) -> Iterator[dict[str, str]]:
        """One for each time of each series, in the order in which they begin, as soon as the last of its `count` lines is there: of a log
        few are held."""
        keys = np.fromiter((hash((line[4], self._series[line[2]])) for line in self._found()), np.int64, count)
        found, times = np.unique(keys, return_counts=True)
        left = dict(zip(found[times > 1].tolist(), times[times > 1].tolist(), strict=True))  # lines to come, where there are several
        rows: dict[tuple[str, str], dict[str, str]] = {}
        waiting: deque[tuple[int, dict[str, str]]] = deque()
        for line in self._found():
            at = line[4], self._series[line[2]]
            key = hash(at)
            fields = {_plain(name): _WHOLE.sub(r"\1", _plain(value.strip('"'))) for name, value in _FIELDS.findall(line[3])}
            named = {f"{_plain(line[1])} {name}": value for name, value in fields.items()} if self._several else fields
            row = rows.get(at)
            if row is None or not row.keys().isdisjoint(named):  # a field again is another reading
                row = {"time": line[4], **self._same[line[2]], **({self._column: at[1]} if self._column else {})}
                waiting.append((key, row))
            row |= named
            if (more := left.pop(key, 1) - 1) > 0:
                left[key], rows[at] = more, row
            else:
                rows.pop(at, None)
            while waiting and waiting[0][0] not in left:
                yield waiting.popleft()[1]

    def _found(self) -> Iterator[re.Match[str]]:
        return filter(None, map(_LINE.fullmatch, _lines(self._text)))


def _tags(written: str) -> Tags:
    return {_plain(tag): _plain(value) for tag, value in _TAGS.findall(written)}


def _plain(written: str) -> str:
    return _ESCAPE.sub(r"\1", written)
