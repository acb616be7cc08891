"""Records whose keys and values stand on lines of their own, and blocks of names and numbers, as the text of a CSV."""

import re
from collections import Counter
from collections.abc import Iterator

from hemcore.datasets.importing.other_forms.line_pairs import FEWEST_PAIRS, FEWEST_RECORDS, MOST_TITLES, Pairs, filled
from hemcore.datasets.importing.other_forms.written_csv import csv_of_records

# One key and its value on a line, "key: value", "key = value" or "key | value", and what stands between records.
_ENTRY = re.compile(r"\s*(?:- )?((?:@?[^\W\d]|@\[)[^|]{0,80}?)\s*[:=|]\s+(\S(?:.*\S)?)\s*")
# A name, a tab or blanks, and its number, under a line such as "--- run 3 ---", which says what block it is.
_COUNTED = re.compile(r"\s*([A-Za-z][\w.:/%-]{0,80})(?:\t[ \t]*|[ ]{2,})([+-]?\d[\d.,]*(?:[eE][+-]?\d+)?)\s*")
_TITLE = re.compile(r"[-=*#]{2,}[ ]*(?:([A-Za-z][\w .-]{0,40}?)[ #:]*)?(\d{1,9})?[ ]*[-=*#:]*")
_CLOCK = re.compile(r"\d{1,2}:\d\d:\d\d")
# A section of INI or TOML begins a record.
_SECTION = re.compile(r"\s*(?:\[([\w .:/-]+)\]|\[\[[\w .:/-]+\]\])\s*")
_OF_SECTION = "\0name"
_GROUPED = re.compile(r"\d{1,3}(?:_\d{3})+")
_HEADING = re.compile(r"[\w.-]+:\s*")
_BETWEEN = re.compile(
    r"\.\.\.|[-=#]{2,} *[\w .:-]+ *[-=#]{2,}|(?:- )?\s*[\w .-]+:\s*"
    r"|\s*[*-]+\s*(?:\[ RECORD \d+ \]|\d+\. row)?\s*[*+-]*\s*|[;#].*"
)
_MAP = re.compile(r"(@?[^\[\]]*)\[([^\[\]]+)\]")
_NUMBER = re.compile(r"[+-]?\d[\d.,]*(?:[eE][+-]?\d+)?")


_MOMENT, _FEWEST_BESIDE = re.compile(r"\d{1,2}:\d{2}:\d{2}|\d{4}-\d{2}-\d{2}"), 5


class _OtherLineError(Exception):
    """A line stands among records that is of none."""


def of_records(text: str, notes: list[str]) -> str | None:
    """One row for each record, whose keys and values stand on lines of their own: of YAML, INI, mysql, psql, sqlite, bpftrace.

    None where another line stands among them; a few may stand above. Of the records, one at a time is held.
    """
    sets = Counter[tuple[str, ...]]()  # the keys of records of several pairs -> how many have them
    known: list[Pairs] = []

    def seen() -> Iterator[dict[str, str]]:
        for record in _records(text):
            known.extend([record] * (len(known) < 2))
            if len(record) > 1:
                sets[tuple(key for key, _ in record if key != _OF_SECTION)] += 1
                yield dict(record)

    try:
        table = csv_of_records(seen())
    except _OtherLineError:
        return None
    if len(known) == 1 and len(known[0]) > 1 and all(map(_MAP.fullmatch, dict(known[0]))):
        return csv_of_records(map(dict, _of_maps(known[0], notes)))
    if len(known) == 1 and len(known[0]) > 1 + any(map(_is_other, filled(text))) and all(_NUMBER.fullmatch(value) for _, value in known[0]):
        return csv_of_records(map(dict, known))  # one run, as scripts write them
    if len(known) == 1 and (numbers := _beside_times(known[0])):
        return csv_of_records([dict(numbers)])
    keys = Counter[str]()
    for names, times in sets.items():
        keys.update(dict.fromkeys(names, times))
    most = max(keys.values(), default=0)
    usual = {names for names in sets if any(keys[name] == most for name in names)}  # without sections on the whole
    if sum(sets[names] for names in usual) < FEWEST_RECORDS or len(set.intersection(*map(set, usual))) < FEWEST_PAIRS:
        return None
    if len(usual) < len(sets):
        others = [key for names in sets if names not in usual for key in names]
        notes.append(f"records of other keys left out: {', '.join(dict.fromkeys(others))[:100]}.")
        table = csv_of_records(dict(record) for record in _records(text) if tuple(key for key, _ in record if key != _OF_SECTION) in usual)
    return table.replace(_OF_SECTION, "name", 1) if table is not None else None


def _beside_times(record: Pairs) -> Pairs:
    """The numbers of one run, where what else stands beside them are moments, as when it began; none where it is something else."""
    numbers = [(key, value) for key, value in record if _NUMBER.fullmatch(value)]
    others = [value for _, value in record if not _NUMBER.fullmatch(value)]
    return numbers if len(numbers) >= _FEWEST_BESIDE and others and all(map(_MOMENT.search, others)) else []


def _is_other(line: str) -> bool:
    return _ENTRY.fullmatch(line) is None and _CLOCK.fullmatch(line.strip()) is None and _BETWEEN.fullmatch(line) is None


def _records(text: str) -> Iterator[Pairs]:
    """The records of `of_records`, the first or the last perhaps without a pair. Raises _OtherLineError for a line that is of none."""
    record: Pairs = []
    titles, begun = 0, False
    for line in filled(text):
        following: Pairs | None = None
        if (entry := _ENTRY.fullmatch(line)) is not None:
            if entry[1] in (key for key, _ in record):
                following = []
        elif _CLOCK.fullmatch(line.strip()) is not None:
            following = [("time", line.strip())]
        elif (section := _SECTION.fullmatch(line)) is not None:
            following = [(_OF_SECTION, section[1].strip())] if section[1] else []
        elif _HEADING.fullmatch(line) is not None and record:
            following = []
        elif _BETWEEN.fullmatch(line) is None:
            titles += 1
            if titles > MOST_TITLES or begun:
                raise _OtherLineError
        if following is not None:
            yield record
            record, begun = following, True
        if entry is not None:
            record.append((entry[1], entry[2].replace("_", "") if _GROUPED.fullmatch(entry[2]) else entry[2]))
            begun = True
    yield record


def of_blocks(text: str) -> str | None:
    """One row for each block of names and numbers, a pair a line, under a line between signs that numbers or names it; what it says stands
    in a column of its own. None where anything else stands among them, a name twice in a block, or blocks have no name in common."""
    records: list[Pairs] = []
    for line in filled(text):
        if (pair := _COUNTED.fullmatch(line)) is not None and records:
            records[-1].append((pair[1], pair[2]))
        elif (title := _TITLE.fullmatch(line.strip())) is not None and (title[1] or title[2]):
            word, number = (title[1] or "run").strip(), title[2]
            records.append([(word, number) if number else ("name", word)])
        else:
            return None
    names = [{key for key, _ in record[1:]} for record in records]
    if len(records) < 2 or not set.intersection(*names) or any(len(dict(record)) < len(record) for record in records):
        return None
    return csv_of_records(map(dict, records))


def _of_maps(entries: Pairs, notes: list[str]) -> list[Pairs]:
    """One row per key of the maps of bpftrace, "@cycles[fft]: 5": its name and its value in each map; of maps that share no key, those with
    the most values, with a sentence in `notes` on the others."""
    maps: dict[str, Pairs] = {}
    for entry, value in entries:
        found = _MAP.fullmatch(entry)
        assert found is not None
        maps.setdefault(found[1].removeprefix("@") or "count", []).append((found[2], value))
    groups: list[tuple[set[str], list[str]]] = []
    for name, each in maps.items():
        keys = {key for key, _ in each}
        group = next((group for group in groups if not group[0].isdisjoint(keys)), (set(), list[str]()))
        groups += [group] if not group[1] else []
        group[0].update(keys)
        group[1].append(name)
    kept = max(groups, key=lambda group: sum(len(maps[name]) for name in group[1]))
    if others := [name for name in maps if name not in kept[1]]:
        notes.append(f"maps with other keys left out: {', '.join(others)[:100]}.")
    named = "name" if not all(key.isdigit() for key in kept[0]) else "program"  # "key 0" of a processor, a process
    rows: dict[str, Pairs] = {}
    for name in kept[1]:
        for key, value in maps[name]:
            rows.setdefault(key, [(named, key if named == "name" else f"key {key}")]).append((name, value))
    return list(rows.values())
