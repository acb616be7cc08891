"""Lists of HEMs: what `perf list` or `papi_avail` prints, a table with their counters and limits, or names alone."""

import csv
import io
import re
from collections.abc import Sequence

import pandas as pd

from hemcore.datasets.importing.header_words import plain
from hemcore.datasets.importing.other_forms.listed_events import (
    CALLED,
    COLUMNS_OF_LISTS,
    COUNTED,
    EVENT,
    FEWEST,
    ListedEvents,
    are_counts,
    below_titles,
    names_alone,
)
from hemcore.datasets.importing.raw_grid import HEAD_BYTES, grid_of
from hemcore.datasets.readers import decoding
from hemcore.datasets.readers.format import NO_OPTIONS, Format, NoOptions, ReadResult, read_result
from hemcore.datasets.readers.known_files import remembered
from hemcore.datasets.readers.metrics.tool_lists import listed_by_tool
from hemcore.datasets.readers.papi.papi_avail import read_papi_avail
from hemcore.datasets.readers.repairs import Repair
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.hem_list import COLUMNS, METRICS, HemList
from hemcore.errors import HemError, ReadError
from hemcore.events.t2080 import T2080_EVENTS

MOST_NAMES = 10_000
_MOST_LINES = 1_000_000
_LONGEST_NAME = 500
_LOOKED_AT = 20
_REMEDY = "Send HEM names, one per line, the output of perf list or papi_avail, or a CSV with the columns hem, counters, limit."
_PERF = re.compile(r"^ {1,6}(\S+(?: OR \S+)*) +\[[^\[\]]*event\b[^\[\]]*\]\s*$", re.IGNORECASE)
_PERF_SECTION = re.compile(r"^List of pre-defined events")
_PERF_BARE = re.compile(r"^ {2,6}([A-Za-z0-9_][A-Za-z0-9_.:/=,\-]*)\s*$")
_PAPI = re.compile(r"^[ \t]*PAPI_\w+\s+0x[0-9a-fA-F]+", re.MULTILINE)
_METRICS = re.compile(r"(?:Metrics|Metric Groups):\s*")
_NAMED = re.compile(r"PAPI_\w+|[A-Z][A-Z0-9]+[._][A-Z0-9_.]+|\w+/[^/]*/\w*|[\w.-]+:[ukhp]+")
_ALONE = re.compile(r"[A-Za-z](?:[\w.:=-]|/[^/\s]*/)*")
_RANGE = re.compile(r"\b(\d{1,2})-(\d{1,2})\b")
_CODE = re.compile(r"X?(\d{1,9})", re.ASCII)


def recognise(files: Sequence[UploadedFile]) -> tuple[float, str]:
    """(score, why) where the one file is a table whose first column is "hem", a column of events, or what perf list or papi_avail print."""
    if len(files) != 1:
        return 0.0, ""
    found = _as_it_is(files[0])
    return found if found[0] or _written(files[0]) is None else (1.0, "a list of HEMs")


@remembered(most=64)
def _as_it_is(file: UploadedFile) -> tuple[float, str]:
    """As `recognise`, for what hems_in reads."""
    head = decoding.head_text(file.content, 200_000)
    lines = [line for line in decoding.plain_lines(head).split("\n") if line.strip()]
    if not lines or "\x00" in head[:4096]:
        return 0.0, ""
    if _is_one_column(lines):
        return 1.0, "a table of HEMs: hem"
    if _are_names(lines):
        return 0.9, "names of events, one per line"
    if _is_table(lines[0]) and not _has_counts(lines):
        return 1.0, "a table of HEMs: " + ", ".join(dict.fromkeys(each or "description" for each in _meanings(lines[0])))
    if _PERF_SECTION.match(lines[0]) or sum(_PERF.match(line) is not None for line in lines) >= max(2, len(lines) // 4):
        return 0.9, "output of perf list"
    if "PAPI_" in head and "Avail" in head and _PAPI.search(head):
        return 0.9, "output of papi_avail"
    return 0.0, ""


def read(files: Sequence[UploadedFile], options: NoOptions = NO_OPTIONS) -> ReadResult[HemList]:
    """The HEMs of one file. Raises ReadError as `hems_in`."""
    if len(files) != 1:
        raise ReadError(f"HEMs: {len(files)} files; one list is read at a time. Send them one by one.")
    if (written := _written(files[0])) is not None:
        return read_result(*_listed(files[0].name, written), [])
    said = decoding.text_of(files[0].name, files[0].content, remedy=_REMEDY)
    return read_result(*hems_in(said, name=files[0].name))


@remembered(most=64)
def _written(file: UploadedFile) -> ListedEvents | None:
    """A list in another form: under a title, as JSON, HTML, markdown or print, with codes before its names, names alone, or as a tool lists
    them; None where it is none, and for what hems_in reads as it is."""
    if file.size > HEAD_BYTES or _as_it_is(file)[0]:
        return None
    try:
        text = decoding.plain_lines(decoding.text_of(file.name, file.content, remedy=_REMEDY))
        if (listed := listed_by_tool(text)) is not None:
            return listed
        lines = [line.strip() for line in text.split("\n") if line.strip() and not line.startswith("#")]
        if (names := names_alone(lines, _names(lines), in_one_line=not file.name.lower().endswith((".csv", ".tsv")))) is not None:
            return ListedEvents(["hem"], ["hem"], [[name] for name in names])
        if CALLED.search(text) is None:
            return None
        for separator in ("", "aligned"):
            rows = [list(row) for row in grid_of(file, separator, limit=None).rows if row]
            if (found := below_titles(rows)) is not None:
                return found
    except HemError:
        pass
    return None


def hems_in(said: str, *, name: str = "HEMs") -> tuple[HemList, list[Repair], list[str]]:
    """The HEMs that a text names: what `perf list` or `papi_avail` prints, a table with the columns hem, counters, limit, or names between
    line ends, semicolons, tabs or commas. Event numbers of the T2080 become their names. A name that comes twice is taken once and listed.

    Raises ReadError for no name, over 10,000 of them or one that is too long; TableError for a table that is no list of HEMs.
    """
    said = decoding.plain_lines(said)
    if (tools := listed_by_tool(said)) is not None and len(tools.cells) <= MOST_NAMES:
        return (*_listed(name, tools), [])
    there = said.count("\n")
    if there > _MOST_LINES:
        raise ReadError(f"{name}: {there:,} lines; at most {MOST_NAMES:,} names are read. Leave some out.")
    lines = [line for line in said.split("\n") if line.strip()]
    if not lines:
        raise ReadError(f"{name}: no HEM found. {_REMEDY}")
    if _is_table(lines[0]) or _is_one_column(lines):
        return (*_table(name, lines), [])
    if _PAPI.search(said):
        names, how = read_papi_avail(name, said.encode(errors="replace")).counters, "papi_avail"
    elif _PERF_SECTION.match(lines[0]) or any(_PERF.match(line) for line in lines):
        names, how = _perf_list(lines), "perf list"
    else:
        names, how = _names(lines), ""
    names = [_of_t2080(each) for each in names]
    if not names:
        raise ReadError(f"{name}: no HEM that can be counted. {_REMEDY}")
    if len(names) > MOST_NAMES:
        raise ReadError(f"{name}: {len(names):,} names; at most {MOST_NAMES:,} are read. Leave some out.")
    long = next((each for each in names if len(each) > _LONGEST_NAME), None)
    if long is not None:
        raise ReadError(f"{name}: {long[:60]!r}… has {len(long):,} characters; a HEM name has at most {_LONGEST_NAME}. {_REMEDY}")
    once = list(dict.fromkeys(names))
    repairs = [Repair(name, "", "duplicate names: kept once", len(names) - len(once))] if len(once) < len(names) else []
    notes = [f"{len(once):,} events in the output of {how}."] if how else []
    return HemList(frame=pd.DataFrame({"hem": once})), repairs, notes


def _is_table(line: str) -> bool:
    """Whether a line is the header of a list: its first column is "hem", or it has one of names and nothing but what a list may have."""
    found = _meanings(line)
    own = found[0] == "hem" and _cells(line)[0].lower() == "hem" and set(_cells(line)) <= {*COLUMNS, METRICS}
    return own or (len(found) > 1 and found.count("hem") == 1 and None not in found and "" in found)


def _is_one_column(lines: Sequence[str]) -> bool:
    """Whether a text is one column of events' names, one of them at least of what is often counted, under "event" or "name"."""
    names = [line.strip().strip('"') for line in lines]
    events = len(names) > FEWEST and _meanings(lines[0]) == ["hem"] and all(map(EVENT.fullmatch, names[1:]))
    return events and any(map(COUNTED.search, names[1:]))


def _are_names(lines: Sequence[str]) -> bool:
    """Whether a text is names alone, one per line, remarks behind "#" aside, and at least half of them are written as those of events."""
    names = [name for line in lines if (name := line.partition("#")[0].strip())]
    return (
        len(names) >= FEWEST
        and _meanings(names[0]) != ["hem"]  # a header
        and all(map(_ALONE.fullmatch, names))
        and 2 * sum(bool(_NAMED.fullmatch(name) or COUNTED.search(name)) for name in names) >= len(names)
    )


def _has_counts(lines: Sequence[str]) -> bool:
    """Whether a column of a list holds what was counted, not the counters that a HEM may be counted by."""
    found = _meanings(lines[0])
    return are_counts(found, [row for row in map(_cells, lines[1:_LOOKED_AT]) if len(row) == len(found)])


def _cells(line: str) -> list[str]:
    return [cell.strip().strip('"').strip().lower() for cell in re.split("[,;\t]", line)]


def _meanings(line: str) -> list[str | None]:
    """The column of a list that each cell names, "" for one that a list does not hold, None for any other."""
    return [COLUMNS_OF_LISTS.get(plain(cell)) for cell in _cells(line)]


def _table(name: str, lines: Sequence[str]) -> tuple[HemList, list[Repair]]:
    if len(lines) > MOST_NAMES + 1:
        raise ReadError(f"{name}: {len(lines) - 1:,} rows; at most {MOST_NAMES:,} are read. Leave some out.")
    separator = next((each for each in ";\t," if each in lines[0]), ",")
    try:
        rows = list(csv.reader(io.StringIO("\n".join(lines)), delimiter=separator, skipinitialspace=True))
    except csv.Error as error:
        raise ReadError(f"{name}: not a table ({error}). {_REMEDY}") from None
    header = _meanings(lines[0])
    kept = [place for place, column in enumerate(header) if column]
    columns = [str(header[place]) for place in kept]
    if len(set(columns)) < len(columns):
        raise ReadError(f"{name}: a column appears twice ({', '.join(columns)}). Remove one.")
    for number, row in enumerate(rows[1:], start=2):
        if len(row) > len(header):
            raise ReadError(f"{name}, row {number}: {len(row)} cells in {len(header)} columns. Put names with {separator!r} in quotes.")
    cells = [[*row, *[""] * (len(header) - len(row))] for row in rows[1:]]
    return _listed(name, ListedEvents([cell.strip() for cell in rows[0]], [each or "" for each in header], cells))


def _listed(name: str, rows: ListedEvents) -> tuple[HemList, list[Repair]]:
    kept = [place for place, column in enumerate(rows.meanings) if column]
    columns = [rows.meanings[place] for place in kept]
    left = [rows.names[place] for place, column in enumerate(rows.meanings) if not column and rows.names[place]]
    repairs = [Repair(name, each, "column left out: a list of HEMs does not hold it", len(rows.cells)) for each in left]
    frame = pd.DataFrame([[row[place] for place in kept] for row in rows.cells], columns=columns)
    if "counters" in columns:
        frame["counters"] = frame["counters"].str.replace(",", " ").str.replace(_RANGE, _each_of, regex=True)
    return HemList(frame=frame), repairs


def _each_of(found: re.Match[str]) -> str:
    """The counters of a range: "0-3" is "0 1 2 3"."""
    return " ".join(map(str, range(int(found[1]), int(found[2]) + 1))) or found[0]


def _perf_list(lines: Sequence[str]) -> list[str]:
    """The events of `perf list`: of several spellings the first; tracepoints and patterns that need more than a name are left out."""
    found = []
    for line in lines:
        if _METRICS.fullmatch(line):  # those of `perf list --details` are formulas, no events
            break
        match = _PERF.match(line) or _PERF_BARE.match(line)
        if (
            match is None
            or "<" in match[1]
            or "Tracepoint" in line
            or "breakpoint" in line
            or "Raw hardware" in line
            or "metric" in line.lower()
        ):
            continue
        found.append(match[1].partition(" OR ")[0])
    return found


def _names(lines: Sequence[str]) -> list[str]:
    """Names between line ends, semicolons and tabs; and commas, unless they stand in an event such as cpu/event=0x3c,umask=0x1/."""
    found = []
    for line in lines:
        for part in re.split("[;\t]", line.partition("#")[0]):
            pieces = re.findall(r"(?:[^,/]|/[^/]*/)+", part)
            found += [piece.strip().strip("\"'").strip() for piece in pieces]
    return [each for each in found if each]


def _of_t2080(name: str) -> str:
    code = _CODE.fullmatch(name)
    return T2080_EVENTS.get(int(code[1]), name) if code else name


FORMAT = Format(
    key="hem_list",
    title="HEMs to read (perf list, papi_avail, CSV)",
    kind="HemList",
    recognise=recognise,
    read=read,
    options=NoOptions,
    example={
        "hems.csv": "hem,counters,limit\ncycles,fixed1,\ninstructions,fixed0,\nLLC-misses,,offcore:2\nLLC-loads,,offcore:2\n"
        "dTLB-load-misses,0 1,\nbranch-misses,,\n",
    },
)
