"""InfluxDB's line protocol, as Telegraf and ClusterCockpit write it: `cpu,host=a,cpu=cpu0 cycles=5i,ipc=1.2 1772620000000000000`.

Source: InfluxDB's documentation, "Line protocol" (https://docs.influxdata.com/influxdb/v2/reference/syntax/line-protocol/).
"""

import re

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
    found = [_LINE.fullmatch(line.strip()) for line in lines_of(text) if line.strip() and not line.startswith("#")]
    lines = [each for each in found if each is not None]
    if len(lines) < len(found):
        return None
    several = len({each[1] for each in lines}) > 1
    values: dict[str, set[str]] = {}
    for tags in {each[2]: _tags(each[2]) for each in lines}.values():
        for tag, value in tags.items():
            values.setdefault(tag, set()).add(value)
    everywhere = all(set(values) == set(_tags(tags)) for tags in {each[2] for each in lines})
    differ = [tag for tag, known in values.items() if len(known) > 1 or not everywhere]
    alone = len(differ) == 1 and everywhere and not all(value.isdigit() for value in values[differ[0]])
    return csv_of_records(_rows(lines, differ, alone=alone, several=several))


def _rows(lines: list[re.Match[str]], differ: list[str], *, alone: bool, several: bool) -> list[dict[str, str]]:
    made: list[dict[str, str]] = []
    rows: dict[tuple[str, str], dict[str, str]] = {}
    for line in lines:
        tags = _tags(line[2])
        told = [f"{tag}={tags[tag]}" for tag in differ if tag in tags]
        series = tags[differ[0]] if alone else " ".join(told) or ("all" if differ else "")
        fields = {_plain(key): _WHOLE.sub(r"\1", _plain(value.strip('"'))) for key, value in _FIELDS.findall(line[3])}
        named = {f"{_plain(line[1])} {key}": value for key, value in fields.items()} if several else fields
        row = rows.get((line[4], series))
        if row is None or not row.keys().isdisjoint(named):  # a field again is another reading
            same = {tag: value for tag, value in tags.items() if tag not in differ}
            row = {"time": line[4], **same, **({differ[0] if alone else "program": series} if differ else {})}
            rows[line[4], series] = row
            made.append(row)
        row |= named
    return made


def _tags(written: str) -> Tags:
    return {_plain(tag): _plain(value) for tag, value in _TAGS.findall(written)}


def _plain(written: str) -> str:
    return _ESCAPE.sub(r"\1", written)
