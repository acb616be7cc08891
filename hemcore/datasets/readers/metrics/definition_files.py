"""Files of metric definitions in any of five forms, recognised by content; several files make one set."""

import csv
import io
import re
from collections.abc import Mapping, Sequence
from pathlib import PurePath

from hemcore.datasets.readers import decoding
from hemcore.datasets.readers.format import NO_OPTIONS, Format, NoOptions, ReadResult, read_result
from hemcore.datasets.readers.metrics import likwid_groups, perf_list, vendors
from hemcore.datasets.readers.metrics.found import REMEDY, Found
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.metric_definitions import COLUMNS, MOST_METRICS, MetricDefinitions
from hemcore.errors import ReadError
from hemcore.formulas.tokens import MOST_CHARACTERS

_PERF_TEXT = re.compile(rb"^(?:Metrics|Metric Groups):[ \t]*\r?$", re.MULTILINE)
_HEAD = 20_000
_PERF_LIST = "perf list --details"
_JSON_MARKS = {
    "perf list -j": re.compile(r'^\s*\[.*"(?:MetricExpr|EventType|MetricGroup)"', re.DOTALL),
    "Intel's metrics": re.compile(r'^\s*\{.*"MetricName".*"Formula"', re.DOTALL),
    "Intel's events": re.compile(r'^\s*[\[{].*"EventName".*"Counter"', re.DOTALL),
    "Arm's telemetry": re.compile(r'^\s*\{.*"product_configuration"', re.DOTALL),
    "metrics as JSON": re.compile(r'^\s*[\[{].*"formula"\s*:', re.DOTALL),
}
_WITHOUT_METRICS = ("Intel's events",)
# An event, next to the metrics that the same list holds.
_EVENT_LISTED = re.compile(rb"^[ \t]{0,4}[^\s\[][^\n\[]{0,300}\[[^\]\n]*event\]", re.MULTILINE)
_AS_EVENTS = "the format HEMs to read"
_OLD_MAC = re.compile(rb"\r(?!\n)")


def recognise(files: Sequence[UploadedFile]) -> tuple[float, str]:
    """(score, why) if each file holds metrics or events in a known form, and at least one metrics; else 0."""
    kinds = [_kind(file) for file in files]
    if not kinds or "" in kinds or not set(kinds) - set(_WITHOUT_METRICS):
        return 0.0, ""
    lists = [file for file, kind in zip(files, kinds, strict=True) if kind == _PERF_LIST]
    if len(lists) == len(files) == 1 and _EVENT_LISTED.search(files[0].content) and not perf_list.has_formulas(files[0].content):
        return 0.0, ""  # a list of events
    also = f"; to plan with its events, choose {_AS_EVENTS}" if any(_EVENT_LISTED.search(file.content) for file in lists) else ""
    return 0.95, f"definitions of metrics: {', '.join(dict.fromkeys(kinds))}{also}"


def read(files: Sequence[UploadedFile], options: NoOptions = NO_OPTIONS) -> ReadResult[MetricDefinitions]:
    """The metrics and events of all `files`. The same metric in two files is taken once. What does not parse is left out and listed.

    Raises ReadError for a file in none of the forms, no metric, or more than 20,000 metrics; TableError for metrics in a circle.
    """
    found = Found()
    kinds: list[str] = []
    for file in files:
        kind = _kind(file)
        text = decoding.text_of(file.name, file.content, remedy=REMEDY)
        before = len(found.metrics)
        if kind == _PERF_LIST:
            perf_list.read_text(file.name, text, found)
            for event, meaning in perf_list.event_descriptions(text):
                found.event(event, meaning)
        elif kind == "LIKWID group":
            likwid_groups.read_group(file.name, text, found)
        elif kind == "a table of metrics":
            _read_table(file.name, text, found)
        elif kind:
            _read_json(file.name, text, found)
        else:
            raise ReadError(f"{file.name}: no definitions of metrics. {REMEDY}")
        kinds.append(kind)
        if len(found.metrics) > before and not kind.startswith("LIKWID"):
            found.notes.append(f"{PurePath(file.name).name}: {len(found.metrics) - before:,} metrics ({kind}).")
        if kind == _PERF_LIST and _EVENT_LISTED.search(file.content):
            found.notes.append(f"{PurePath(file.name).name} lists events too. To plan with them, add it again as {_AS_EVENTS}.")
    name = files[0].name if files else "metrics"
    return read_result(found.table(name), found.repairs, found.notes)


def _kind(file: UploadedFile) -> str:
    """What form a file has; "" for none of them."""
    head = decoding.head_text(file.content, _HEAD)
    if "\x00" in head[:4096]:
        return ""
    if head.lstrip()[:1] in ("[", "{"):
        return next((kind for kind, mark in _JSON_MARKS.items() if mark.search(head)), "")
    plain = decoding.plain_lines(head)
    if likwid_groups.is_group(plain):
        return "LIKWID group"
    if _PERF_TEXT.search(_OLD_MAC.sub(b"\n", decoding.utf8(file.content))):
        return _PERF_LIST
    lines = [line for line in plain.split("\n") if line.strip()]
    return "a table of metrics" if lines and {"name", "formula"} <= set(_cells(lines[0])) else ""


def _read_json(name: str, text: str, found: Found) -> None:
    try:
        content = decoding.JSON.decode(text)
    except (ValueError, RecursionError) as error:
        raise ReadError(f"{name}: not valid JSON ({str(error)[:80]}). Was the file cut off? {REMEDY}") from None
    if isinstance(content, list) and any(
        isinstance(each, Mapping) and ("EventType" in each or "MetricName" in each) for each in content[:50]
    ):
        perf_list.read_json(name, text, found)
    elif vendors.is_intel_metrics(content):
        vendors.read_intel_metrics(name, content, found)
    elif vendors.is_intel_events(content):
        vendors.read_intel_events(content, found)
    elif vendors.is_arm(content):
        vendors.read_arm(name, content, found)
    else:
        _read_own(name, content, found)


def _read_own(name: str, content: object, found: Found) -> None:
    """Our own form: a list of metrics, or an object with "metrics" and, if wanted, "events" and "constants" (name -> value)."""
    rows = content.get("metrics") if isinstance(content, Mapping) else content
    if not isinstance(rows, list) or not all(isinstance(each, Mapping) for each in rows):
        raise ReadError(f"{name}: a list of metrics is needed, each an object with name and formula. {REMEDY}")
    for row in rows:
        _add(name, {str(key).lower(): value for key, value in row.items()}, found)
    if isinstance(content, Mapping):
        events, constants = content.get("events"), content.get("constants")
        for event, meaning in events.items() if isinstance(events, Mapping) else ():
            found.event(str(event), str(meaning))
        for constant, value in constants.items() if isinstance(constants, Mapping) else ():
            if isinstance(value, int | float) and not isinstance(value, bool):
                found.constant(str(constant), float(value), name)
            else:
                raise ReadError(f"{name}: constant {str(constant)[:60]!r} is {str(value)[:40]!r}; it must be a number. Correct it.")


def _read_table(name: str, text: str, found: Found) -> None:
    """A CSV with the columns name, formula and, if wanted, the others of MetricDefinitions."""
    first = next(line for line in text.split("\n") if line.strip())
    header = _cells(first)
    try:
        rows = list(csv.reader(io.StringIO(text), delimiter=_separator(first), skipinitialspace=True))
    except csv.Error as error:
        if "larger than" in str(error):
            raise ReadError(f"{name}: a cell is longer than a formula may be ({MOST_CHARACTERS:,} characters). Name its parts.") from None
        raise ReadError(f"{name}: not a table ({error}). {REMEDY}") from None
    rows = [row for row in rows if any(cell.strip() for cell in row)]
    if len(rows) - 1 > MOST_METRICS:
        raise ReadError(f"{name}: {len(rows) - 1:,} metrics; at most {MOST_METRICS:,} are read. Leave some out.")
    for number, row in enumerate(rows[1:], start=2):
        if len(row) > len(header):
            raise ReadError(
                f"{name}, row {number}: {len(row)} cells in {len(header)} columns. Put formulas with {_separator(first)!r} in quotes."
            )
        _add(name, dict(zip(header, row, strict=False)), found)


def _add(name: str, row: Mapping[str, object], found: Found) -> None:
    if not row.get("name") and not row.get("formula"):
        return
    more = {column: row[column] for column in COLUMNS[2:] if row.get(column) not in (None, "")}
    for column in ("scale", "level"):
        try:
            if column in more:
                more[column] = float(str(more[column]))
        except ValueError:
            raise ReadError(
                f"{name}: metric {str(row.get('name'))[:60]!r}: {column} {str(row[column])[:40]!r} is no number. Correct it."
            ) from None
    if isinstance(more.get("group"), list):
        more["group"] = ";".join(map(str, more["group"]))  # type: ignore[call-overload]
    found.metric(name, str(row.get("name") or "").strip(), str(row.get("formula") or ""), **more)


def _separator(line: str) -> str:
    return max(",;\t", key=line.count)


def _cells(line: str) -> list[str]:
    return [cell.strip().strip('"').lower() for cell in re.split("[,;\t]", line)]


FORMAT = Format(
    key="metric_definitions",
    title="Metrics: formulas over events (perf list --details, Intel, Arm, LIKWID, CSV)",
    kind="MetricDefinitions",
    recognise=recognise,
    read=read,
    options=NoOptions,
    example={
        "metrics.csv": "name,formula,unit,description\nIPC,instructions / cycles,,Instructions per cycle\n"
        '"L1 MPKI","1000 * ""L1-dcache-load-misses"" / instructions",per 1000 instructions,Misses of the data cache\n',
    },
)
