"""Reads what PAPI's high-level API writes: a JSON file a rank (papi_hl_output/rank_000000.json), the counts of each instrumented region.

PAPI 6: `{"threads": [{"id": "1", "regions": [{"NAME": {"region_count": "1", "EVENT": "123"}}]}]}`; PAPI 7: threads and regions are
objects by number, and a region says its name and the region around it. All numbers are texts. The tables that papi_hl_output_writer.py
makes of them are read too where they hold the raw counts.
Source: PAPI, src/high-level/papi_hl.c and scripts/papi_hl_output_writer.py; https://github.com/icl-utk-edu/papi/wiki/PAPI-HL.
"""

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from hemcore.datasets.readers.decoding import JSON, RepeatedKeyError, head_text, is_text, text_of
from hemcore.datasets.readers.format import NO_OPTIONS, Format, NoOptions, ReadResult, read_result
from hemcore.datasets.readers.papi.papi_regions import Region, RegionTable, series_of_threads
from hemcore.datasets.readers.reading_limits import check_values
from hemcore.datasets.readers.repairs import Repair
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.errors import ReadError

_HEAD_BYTES = 20_000
# In Python an object of JSON takes some 500 bytes, however short it is written: 100 MB.
_MOST_OBJECTS = 200_000
# A number of threads may stand in any file of settings.
_MARKS = re.compile(r'"(?:threads|ranks|regions)"\s*:\s*[\[{]|"[rR]egion[_ ]count"\s*:')
_START = re.compile(r"\s*\{")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
_DERIVED = re.compile(r"real time in s|cpu time in s|ipc|.*/s|region count", re.IGNORECASE)
# Of a region read between its ends too (PAPI_hl_read): the whole of it.
_WHOLE = ("total", "region_value", "region")
_LABELS = ("id", "name", "parent_region_id", "region_count")
_AGAIN = "Send the files of papi_hl_output as the program wrote them, or make the table with `papi_hl_output_writer.py --notation=raw`."


class _Source(NamedTuple):
    """A file: its name, its text, its events that are values of a moment and no counts, and, filled on reading, metrics left out."""

    name: str
    text: str
    instant: frozenset[str]
    derived: dict[str, None]

    def line_of(self, word: str) -> int:
        """The line in which `word` first stands in quotes."""
        return self.text.count("\n", 0, max(self.text.find(f'"{word}"'), 0)) + 1


def recognise(files: Sequence[UploadedFile]) -> tuple[float, str]:
    """(0.97, why) where each file is a JSON object that names threads, ranks or regions at its beginning, else 0."""
    for file in files:
        head = head_text(file.content, _HEAD_BYTES)
        if not _START.match(head) or not _MARKS.search(head):
            return 0.0, ""
    return (0.97, "JSON of PAPI's high-level API: counts by thread and region") if files else (0.0, "")


def read(files: Sequence[UploadedFile], options: NoOptions = NO_OPTIONS) -> ReadResult[PhaseTable | CounterSeries]:
    """The regions, one row each, in the order of the files; where a program has several threads, a series of them (series_of_threads).

    program: the file, with the rank where it has several; granularity "region"; load "as read"; phase: the number of the
    region in its program, from 0; region: its name; region_count: how often it was entered, missing where PAPI does not say. Counters:
    the events, cycles and real_time_nsec of the region, NaN where a region does not have one. Events of type "instant" and reads between
    the ends of a region are left out and noted.

    Raises ReadError, naming the line, for a file that is no JSON or has no region, for derived metrics in place of counts, and
    for a value that is no number of at least 0.
    """
    notes: list[str] = []
    repairs: list[Repair] = []
    found = RegionTable()
    together = files[0].name if len(files) == 1 else "all files"
    instant: set[str] = set()
    derived: dict[str, None] = {}
    for file, program in zip(files, _programs(files), strict=True):
        text = text_of(file.name, file.content, remedy=_AGAIN)
        content = _object(file.name, text)
        definitions = content.get("event_definitions")
        if isinstance(definitions, dict):
            instant |= {name for name, said in definitions.items() if isinstance(said, dict) and said.get("type") == "instant"}
        before = len(found)
        for region in _regions(_Source(file.name, text, frozenset(instant), derived), program, content):
            found.add(region, together)
        if len(found) == before:
            raise ReadError(
                f"{file.name}: no region, from line 1 on. Was PAPI_hl_region_end called? Run the program again and send its file."
            )
        del content
    check_values(together, len(found), len(found.counts), of="regions")
    if not found.counts:
        raise ReadError(f"{files[0].name}: region {found.regions[0]!r} has no event. Name events in PAPI_EVENTS and run the program again.")
    frame, counters = found.frame(), list(found.counts)
    empty = [name for name in counters if frame[name].isna().all()]
    repairs += [Repair("all regions", name, "no value in any region: left out", len(frame)) for name in empty]
    threads, nested = bool((frame["thread"] != "").any()), int(frame["within"].sum())
    if nested and threads:
        notes.append(f"Regions within others left out, because the counts of the outer ones include theirs: {nested:,}.")
    elif nested:
        notes.append("Counts of a region include those of the regions within it.")
    if instant:
        notes.append(f"Left out because they are momentary values, not counts: {', '.join(sorted(instant))}.")
    if derived:
        notes.append(f"Left out because PAPI computes them from the counts: {', '.join(derived)}.")
    if found.reads:
        reads = f"{found.reads:,}"
        notes.append(f"Reads between the ends of a region (PAPI_hl_read) left out, because the region's counts include them: {reads}.")
    counters = [name for name in counters if name not in empty]
    if threads:
        return read_result(series_of_threads(frame, counters, together), repairs, notes)
    if frame["region_count"].isna().all():
        frame = frame.drop(columns="region_count")
    frame.insert(1, "granularity", "region")
    frame.insert(2, "load", "as read")
    frame.insert(3, "phase", frame.groupby("program", sort=False).cumcount())
    frame = frame.drop(columns=[*empty, "thread", "within"])
    return read_result(PhaseTable(frame=frame, counters=tuple(counters)), repairs, notes)


def counts_of_run(name: str, text: str) -> tuple[dict[str, float], int]:
    """(event -> its count in one run, how many regions that is the sum of).

    text: the JSON of one rank, or of several one after the other. Of regions within another one the outer one counts. NaN where a region
    has no count of an event. Raises ReadError as `read` does.
    """
    total: dict[str, float] = {}
    regions = 0
    for each in _objects(name, text):
        content = _object(name, each)
        definitions = content.get("event_definitions")
        said = definitions.items() if isinstance(definitions, dict) else ()
        instant = frozenset(event for event, how in said if isinstance(how, dict) and how.get("type") == "instant")
        for region in _regions(_Source(name, each, instant, {}), name, content):
            if not region.nested:
                regions += 1
                for event, count in region.counts.items():
                    total[event] = total.get(event, 0.0) + count
    if not regions:
        raise ReadError(f"{name}: no region. Was PAPI_hl_region_end called? Run the program again.")
    return total, regions


def _objects(name: str, text: str) -> list[str]:
    """The JSON objects that stand one after the other in `text`; `text` itself where it is no such thing."""
    found = []
    decoder, at = json.JSONDecoder(), 0
    try:
        while (start := text.find("{", at)) >= 0 and not text[at:start].strip():
            _, at = decoder.raw_decode(text, start)
            found.append(text[start:at])
    except (ValueError, RecursionError):
        return [text]
    return found if found and not text[at:].strip() else [text]


def _programs(files: Sequence[UploadedFile]) -> list[str]:
    stems = [PurePosixPath(file.name).name.removesuffix(".json") for file in files]
    return stems if len(set(stems)) == len(stems) else [file.name.removesuffix(".json") for file in files]


def _object(name: str, text: str) -> dict[str, object]:
    objects = text.count("{")
    if objects > _MOST_OBJECTS:
        raise ReadError(
            f"{name}: {objects:,} objects in JSON, threads and regions together; at most {_MOST_OBJECTS:,} of one rank are read."
            " Instrument fewer regions."
        )
    try:
        content = JSON.decode(text)
    except RepeatedKeyError as error:
        raise ReadError(f"{name}: {error}") from None
    except json.JSONDecodeError as error:
        line = text.split("\n")[error.lineno - 1].strip()[:60] if text else ""
        raise ReadError(f"{name}: line {error.lineno}, {line!r} is not JSON ({error.msg}). Was the file cut off? {_AGAIN}") from None
    except ValueError as error:
        raise ReadError(f"{name}: not readable as JSON, from line 1 on ({error}). {_AGAIN}") from None
    except RecursionError:
        raise ReadError(f"{name}: line 1: nested too deep for a file of PAPI. {_AGAIN}") from None
    half = _SURROGATE.search(text)
    if half is not None and not is_text(json.dumps(content, ensure_ascii=False)):
        number = text.count("\n", 0, half.start()) + 1
        raise ReadError(f"{name}: line {number}: {half[0]!r} is half a character. Correct the name of the region or event.")
    if not isinstance(content, dict):
        raise ReadError(f"{name}: line 1: a {type(content).__name__} instead of an object with threads. {_AGAIN}")
    return content


def _regions(source: _Source, program: str, content: dict[str, object]) -> Iterator[Region]:
    ranks = [content] if "threads" in content else _items(content.get("ranks"))
    if not ranks and "ranks" not in content:
        # The sums over threads that papi_hl_output_writer.py makes: region -> events.
        ranks = [{"threads": [{"regions": [{name: value} for name, value in content.items() if isinstance(value, dict)]}]}]
    for rank in ranks:
        threads = _items(rank.get("threads"))
        for number, thread in enumerate(threads):
            of = program
            if len(ranks) > 1:
                of += f" rank {rank.get('id', '')}"
            id = str(thread.get("id", number)) if len(threads) > 1 else ""
            for entry in _items(thread.get("regions")):
                named = (
                    [(str(entry["name"]), entry)]
                    if isinstance(entry.get("name"), str)
                    else [(k, v) for k, v in entry.items() if isinstance(v, dict)]
                )
                for region, values in named:
                    raw = {event: value for event, value in values.items() if not _DERIVED.fullmatch(event)}
                    if len(raw) < len(values) and not raw.keys() - set(_LABELS):
                        derived = next(event for event in values if event not in raw)
                        where = f"{source.name}: line {source.line_of(derived)}, region {region!r}"
                        raise ReadError(f"{where}, has the metric {derived!r} instead of raw counts. {_AGAIN}")
                    source.derived.update(dict.fromkeys(event for event in values if event not in raw and event != "Region count"))
                    raw = {"region_count": values["Region count"], **raw} if "Region count" in values else raw
                    nested = str(values.get("parent_region_id", "-1")) != "-1"
                    yield Region(of, region, _number(raw.get("region_count")), nested, *_counts(source, region, raw), id)


def _items(value: object) -> list[dict[str, object]]:
    """The objects of a list, or of an object by number; each of the latter with its number as id. Empty for anything else."""
    if isinstance(value, dict):
        return [{"id": key, **each} for key, each in value.items() if isinstance(each, dict)]
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _counts(source: _Source, region: str, values: Mapping[str, object]) -> tuple[dict[str, float], int]:
    """(event -> count of the whole region, NaN where it has none; how many reads between its ends there were)."""
    found = {}
    reads = 0
    for event, value in values.items():
        if event in _LABELS or event in source.instant:
            continue
        if isinstance(value, dict):
            reads += len(value) - 1
            value = next((value[key] for key in _WHOLE if key in value), None)
        count = math.nan if value is None else _number(value)
        if value is not None and not 0 <= count < math.inf:
            raise ReadError(
                f"{source.name}: line {source.line_of(event)}, region {region!r}, event {event!r}: {str(value)[:40]!r} must be a number of"
                " at least 0. Is it an event that does not count? Leave it out of PAPI_EVENTS and run the program again."
            )
        found[event] = count
    return found, reads


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return math.nan
    try:
        return float(value)
    except (ValueError, OverflowError):
        return math.nan


FORMAT = Format(
    key="papi_hl",
    title="PAPI high-level API (JSON)",
    kind="PhaseTable",
    recognise=recognise,
    read=read,
    options=NoOptions,
    example={
        "rank_000000.json": '{"cpu in mhz": "2300", "threads": [{"id": "18470", "regions": [\n'
        '  {"init": {"region_count": "1", "cycles": "812000", "PAPI_TOT_INS": "640100"}},\n'
        '  {"computation": {"region_count": "12", "cycles": "9821700", "PAPI_TOT_INS": "7641000"}}]}]}\n'
    },
)
