"""Tables that programs write with marks of their own, as the text of a CSV: SQL, ARFF, Octave, scripts of
MATLAB, darshan, iostat, Graphite, oscilloscopes."""

import csv
import re
from itertools import islice

from hemcore.datasets.importing.date_times import kind_of
from hemcore.datasets.importing.other_forms.line_pairs import pairs_of
from hemcore.datasets.importing.other_forms.written_csv import csv_of_records, csv_of_rows
from hemcore.datasets.readers.decoding import lines_of
from hemcore.errors import ReadError

_HEAD, _LARGEST_SCRIPT = 60, 8 << 20
_FIGURE = re.compile(r"[-+]?(?:\d[\d.]*(?:[eE][-+]?\d+)?|NaN|Inf)")
_RELATION = re.compile(r"(?:[ \t]*(?:%.*)?\n)*[ \t]*@relation\b", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"@attribute\s+(?:'([^']*)'|\"([^\"]*)\"|(\S+))\s", re.IGNORECASE)
_CREATE = re.compile(r"CREATE TABLE (?:IF NOT EXISTS )?[`\"\[]?([\w. ]+?)[`\"\]]?\s*\((.*?)\)[^()]*;", re.DOTALL | re.IGNORECASE)
_INSERT = re.compile(r"INSERT INTO [`\"\[]?([\w. ]+?)[`\"\]]?\s*(?:\(([^()]*)\)\s*)?VALUES\s*", re.IGNORECASE)
_COLUMN = re.compile(r"\s*(?:[`\"\[]([^`\"\]]+)[`\"\]]|(\w+)).*", re.DOTALL)
_CONSTRAINT = re.compile(r"\s*(?:PRIMARY|UNIQUE|FOREIGN|CONSTRAINT|CHECK|KEY|INDEX)\b", re.IGNORECASE)
_TUPLE = re.compile(r"\s*\(((?:'(?:[^'\\]|''|\\.)*'|[^'()])*)\)\s*([,;]?)")
_VALUE = re.compile(r"\s*(?:'((?:[^'\\]|''|\\.)*)'|([^,']*?))\s*(?:,|\Z)")
_MATRIX = re.compile(r"# name: (\S+)\n# type: (?:matrix|scalar)\n(?:# rows: (\d+)\n# columns: (\d+)\n)?((?:[^#\n].*\n?)*)")
# Of a script of MATLAB: "X = [", rows that end lines or stand between semicolons, "]"; and the words of a remark.
_SCRIPT = re.compile(r"^[ \t]*[A-Za-z]\w*[ \t]*=[ \t]*\[([^\[\]]*)\]", re.MULTILINE)
_REMARK, _WORDS = re.compile(r"%+[ \t]*([^\n]*)"), (re.compile(r"\s{2,}|\s*[,;|\t]\s*"), re.compile(r"\s+"))
_TOTAL = re.compile(r"(total_\w+):\s*(\S+)")
_DARSHAN = ["module", "rank", "record", "counter", "value", "file"]
_SNAPSHOT = re.compile(r"(snapshot|time|mem_\w+)=(\d+)")
# Of Graphite: a path, a value, and when; of Rigol's oscilloscopes: where the samples begin, and how far apart they are.
_GRAPHITE = re.compile(r"([A-Za-z_][\w.:;=-]*) ([-+]?\d[\d.eE+-]*) (\d{10})")
_RIGOL = re.compile(
    r"X,(?P<names>(?:\w+,)+)Start,Increment,?\s*\nSequence,(?P<units>(?:\w+,)+)(?P<start>[-+.\deE]+),(?P<step>[-+.\deE]+),?\s*\n"
)
# The monitor of the Arduino IDE writes the time in front of each line.
_STAMPED = re.compile(r"(\d\d:\d\d:\d\d(?:\.\d+)?) -> (.*)")
_IOSTAT = re.compile(r"^Device|^\d\d[/.]\d\d[/.]\d{2,4} .*\navg-cpu:", re.MULTILINE)  # with devices, or with times
_TABLES_OF_IOSTAT = re.compile(r"(avg-cpu|Device)\b:?")


def as_table(name: str, text: str) -> str | None:
    """CSV with commas, a header and the rows of a dump; None where `text` is none of a program that is known.

    Of SQL the rows that are inserted. Of Octave one matrix, or several of as many rows side by side; of a
    script of MATLAB its one matrix, whose columns a remark in or above it names. Of darshan-parser one row per file and
    rank, -1 (not measured) empty; of its totals one row. Of massif one row per snapshot. Of iostat one row per report, with columns such as
    "sda r/s". Of Graphite one row per reading; of an oscilloscope one row per sample, with its time. name: of the file, for messages.

    Raises ReadError where rows are inserted into several tables.
    """
    head = "\n".join(islice(lines_of(text), _HEAD))
    if _RELATION.match(head) is not None:
        return _of_arff(text)
    if _INSERT.search(text[:200_000]) is not None and re.search(r"^\s*(?:--|CREATE|BEGIN|PRAGMA|INSERT|DROP|SET|/\*)", head) is not None:
        return _of_sql(name, text)
    if "# type: " in head and head.lstrip().startswith("#"):
        return _of_octave(text)
    if "[" in head and "%" in head and (scripted := _of_script(text)) is not None:
        return scripted
    if head.startswith("# darshan log version"):
        return _of_darshan(text)
    if "snapshot=" in head and "mem_heap_B=" in head:
        return _of_massif(text)
    if "avg-cpu:" in head and _IOSTAT.search(head) is not None:
        return _of_iostat(text)
    if (scope := _RIGOL.match(text)) is not None:
        names = [f"{name} [{unit}]" for name, unit in zip(scope["names"].split(","), scope["units"].split(","), strict=False) if name]
        samples = [line.split(",")[: len(names) + 1] for line in lines_of(text[scope.end() :]) if line.strip(" ,")]
        start, step = float(scope["start"]), float(scope["step"])
        return csv_of_rows(["time [s]", *names], ([f"{start + step * int(at):.12g}", *values] for at, *values in samples))
    if (stamped := _STAMPED.match(head.lstrip())) is not None and len(pairs_of(stamped[2])) < 2:
        return _of_monitor(text, next((each for each in ",;\t" if each in stamped[2]), " "))
    if _GRAPHITE.fullmatch(head.partition("\n")[0].strip()) is not None:
        found = [_GRAPHITE.fullmatch(line.strip()) for line in lines_of(text) if line.strip()]
        rows = [[each[3], each[1], each[2]] for each in found if each is not None]
        return csv_of_rows(["time", "event", "value"], rows) if len(rows) == len(found) else None
    return None


def _of_arff(text: str) -> str | None:
    lines = lines_of(text)
    names: list[str] = []
    for line in lines:
        if (found := _ATTRIBUTE.match(line.strip())) is not None:
            names.append(found[1] or found[2] or found[3])
        elif line.strip().lower() == "@data":
            break
    body = [line for line in lines if line.strip() and not line.startswith("%")]
    if any(line.lstrip().startswith("{") for line in body[:_HEAD]):
        return None  # only what is not 0 is written
    quote = "'" if body and "'" in body[0] else '"'
    return csv_of_rows(names, csv.reader(body, quotechar=quote, skipinitialspace=True))


def _of_sql(name: str, text: str) -> str | None:
    columns = {found[1].lower(): _columns(found[2]) for found in _CREATE.finditer(text)}
    rows: dict[str, list[list[str]]] = {}
    for found in _INSERT.finditer(text):
        table, place = found[1].lower(), found.end()
        if found[2]:
            columns[table] = _columns(found[2])
        while (values := _TUPLE.match(text, place)) is not None:
            rows.setdefault(table, []).append(_values(values[1]))
            place = values.end()
            if values[2] != ",":
                break
    if len(rows) > 1:
        raise ReadError(f"{name}: rows of {len(rows)} tables ({', '.join(rows)[:100]}). Send the dump of one table, or export it as CSV.")
    for table, found_rows in rows.items():
        if table in columns and len(columns[table]) == len(found_rows[0]):
            return csv_of_rows(columns[table], found_rows)
    return None


def _columns(body: str) -> list[str]:
    parts = re.split(r",(?![^()]*\))", body)
    return [found[1] or found[2] for part in parts if not _CONSTRAINT.match(part) and (found := _COLUMN.fullmatch(part)) is not None]


def _values(body: str) -> list[str]:
    found, place = [], 0
    while place <= len(body) and (value := _VALUE.match(body, place)) is not None:
        found.append(value[1].replace("''", "'") if value[1] is not None else "" if value[2].upper() == "NULL" else value[2])
        if value.end() == len(body) and not value[0].rstrip().endswith(","):
            break
        place = value.end()
    return found


def _of_octave(text: str) -> str | None:
    names: list[str] = []
    columns: list[list[str]] = []
    for found in _MATRIX.finditer(text):
        rows = [line.split() for line in found[4].splitlines() if line.strip()]
        if len(rows) < 2:
            continue
        width = len(rows[0])
        names += [found[1]] if width == 1 else [f"{found[1]} {place}" for place in range(1, width + 1)]
        columns += [list(column) for column in zip(*rows, strict=False)]
    return csv_of_rows(names, zip(*columns, strict=True)) if columns and len({len(column) for column in columns}) == 1 else None


def _of_script(text: str) -> str | None:
    """The one matrix of a script; None where there are several, or where no remark has as many words as it has columns."""
    found = list(_SCRIPT.finditer(text[:_LARGEST_SCRIPT]))
    if len(found) != 1 or len(text) > _LARGEST_SCRIPT:
        return None
    rows = [re.split(r"[,\s]+", row.strip()) for row in re.split(r"[;\n]", _REMARK.sub("", found[0][1])) if row.strip()]
    if len(rows) < 2 or len({len(row) for row in rows}) > 1 or not all(map(_FIGURE.fullmatch, (cell for row in rows for cell in row))):
        return None
    remarks = [each[1].strip(" %") for each in _REMARK.finditer(text[: found[0].end()])]
    called = [words for remark in reversed(remarks) for parts in _WORDS if len(words := parts.split(remark)) == len(rows[0]) and all(words)]
    return csv_of_rows(called[0], rows) if called else None


def _of_darshan(text: str) -> str | None:
    totals = {found[1]: _measured(found[2]) for line in lines_of(text) if (found := _TOTAL.fullmatch(line.strip())) is not None}
    if totals:
        return csv_of_records([totals])
    rows = [dict(zip(_DARSHAN, line.split("\t"), strict=False)) for line in lines_of(text) if line.count("\t") >= len(_DARSHAN) - 1]
    rows = [row for row in rows if not row["module"].startswith("#")]
    ranks = len({row["rank"] for row in rows}) > 1
    records: dict[tuple[str, str], dict[str, str]] = {}
    for row in rows:
        program = f"{row['file']} rank {row['rank']}" if ranks else row["file"]
        record = records.setdefault((row["rank"], row["record"]), {"program": program, "granularity": "file"})
        record[row["counter"]] = _measured(row["value"])
    return csv_of_records(records.values()) if records else None


def _measured(cell: str) -> str:
    """The cell, empty where darshan says with -1 that nothing was measured."""
    return "" if cell in ("-1", "-1.000000") else cell


def _of_massif(text: str) -> str | None:
    """The time stays a text where it counts instructions or bytes: it is no time then."""
    unit = next((line.partition(":")[2].strip() for line in lines_of(text) if line.startswith("time_unit:")), "")
    rows: list[dict[str, str]] = []
    for line in lines_of(text):
        if (found := _SNAPSHOT.fullmatch(line.strip())) is None:
            continue
        if found[1] == "snapshot":
            rows.append({"interval": found[2]})
        elif rows and found[1] == "time":
            rows[-1] |= {"time [ms]": found[2]} if unit == "ms" else {f"time in {unit}": f"{found[2]} {unit}"}
        elif rows:
            rows[-1][found[1]] = found[2]
    return csv_of_records(rows)


def _of_monitor(text: str, separator: str) -> str | None:
    found = [_STAMPED.fullmatch(line.strip()) for line in lines_of(text) if line.strip()]
    rows = [[each[1], *(cell.strip() for cell in each[2].strip().split(separator if separator != " " else None))] for each in found if each]
    width = max(map(len, rows))
    named = not any(re.fullmatch(r"[-+]?\d.*", cell) for cell in rows[0][1:])
    names = ["time", *(rows.pop(0)[1:] if named else [f"column {place}" for place in range(1, width)])]
    return csv_of_rows(names, rows) if len(found) == len(rows) + named and len(names) == width else None


def _of_iostat(text: str) -> str | None:
    rows: list[dict[str, str]] = []
    stamp, names, table = "", [""], ""
    for line in lines_of(text):
        words = line.split()
        if kind_of(" ".join(words)) == "date-time":
            stamp = " ".join(words)
        elif (found := _TABLES_OF_IOSTAT.match(line)) is not None:
            table, names = found[1], line[found.end() :].split()
            if table == "avg-cpu":
                rows.append({"time": stamp} if stamp else {})
        elif rows and table == "avg-cpu" and len(words) == len(names):
            rows[-1] |= {f"avg-cpu {name}": word for name, word in zip(names, words, strict=True)}
        elif rows and table == "Device" and len(words) == len(names) + 1:
            rows[-1] |= {f"{words[0]} {name}": word for name, word in zip(names, words[1:], strict=True)}
    return csv_of_records(rows)
