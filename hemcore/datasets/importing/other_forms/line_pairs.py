"""Names and numbers within a line, as programs print them: "a=1 b=2", "a: 1, b: 2", "Run 3: a = 1 b = 2", "t=0 ms | misses: 5"."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from hemcore.datasets.importing.other_forms.written_csv import csv_of_records
from hemcore.datasets.importing.units.united_numbers import has_unit
from hemcore.datasets.readers.decoding import lines_of, one_value_each

Pairs = list[tuple[str, str]]
# "key=value", the value with or without quotes; what stands before the first pair may be the time.
_PAIR = re.compile(r'(?:^|(?<=\s))([A-Za-z_][\w./%-]*)=(?:"([^"]*)"|(\S*))')
# "key: value, key: value", as Python and people write them.
_LISTED_PAIR = re.compile(
    r"""(?<![A-Za-z_"])'?([A-Za-z_][\w ./%-]{0,200}?)'?\s{0,80}[:=]\s*"""
    r"""(?:'([^']*)'|"([^"]*)"|([^\s,;={}\[\]'"](?:[^,;={}\[\]'"\t)]*[^\s,;={}\[\]'")])?))\s*(?=[,;}\])\t]|$)"""
)
_SPACED_PAIR = re.compile(
    r"(?<![A-Za-z_])([A-Za-z_][\w./%-]{0,200}):\s+([-+]?\d[\d.]*(?:[eE][-+]?\d+)?[A-Za-z%]{0,4})(?=\s+[A-Za-z_][\w./%-]*:\s|\s*$)"
)
# A name of up to four words, a sign, a number, and words behind it of which the first may be its unit.
_WORDED_PAIR = re.compile(
    r"([A-Za-z_][\w./%-]{0,80}(?: [A-Za-z_][\w./%-]{0,80}){0,3})\s{0,80}[:=]\s{0,80}"
    r"([-+]?\d(?:[\d.]|,(?=\d{3}(?!\d)))*(?:[eE][-+]?\d+)?)(?![\w:/-])(?:\s?([^\W\d][^\s=:]{0,8}|%)(?=\s*(?:[|,;)\]]|$)|\s))?"
)
_ENDS = re.compile(r"\s*(?:[|,;)\]]|$)")
# What numbers a line in front of its pairs: "Run 3:", "[iteration 3]", "#3".
_LABEL = re.compile(r"[\W_]*([A-Za-z]\w{0,30})[ #]{0,3}(\d{1,9})\]?\s{0,3}(?:[:|,;-]|(?=[A-Za-z]|$))\W*")
_DECORATION = re.compile(r"[\W_]*")
_DECORATION_AROUND = re.compile(r"^[\W_]+|(?<![\W_])[\W_]+$")
_VALUE = re.compile(r"=\s{0,80}[-+]?\d")
# "Nov 12 14:30:00" of syslog has no year: the time of day is left.
_SYSLOG = re.compile(r"(?:[A-Z][a-z]{2} {1,2}\d{1,2} )(?=\d\d:\d\d:\d\d )")
_LEADING_TIME = re.compile(
    r"(?:\[\s{0,20})?(\d{4}-\d\d-\d\d[T ][\d:.,]+(?:Z|[+-]\d\d:?\d\d)?|\d{1,2}:\d\d:\d\d(?:[.,]\d+(?:,\d{3})?)?|\d+\.\d+)\]?"
    r"(?:\s+->)?(?=\s)"
)
# Of Zephyr: milliseconds and then microseconds; of ESP-IDF: a level, milliseconds since the start, a name.
_PARTED = re.compile(r"(?<=\.\d{3}),(?=\d{3}$)")
_SINCE_START = re.compile(r"[EWIDV] \((\d+)\) (?=[\w.-]+: )")
_PROBED, MOST_TITLES, FEWEST_PAIRS, FEWEST_RECORDS, _PROBED_OF_LOG = 50, 3, 2, 3, 2_000
_WORD, _FIGURE = re.compile(r"[A-Za-z_][\w./%:-]*"), re.compile(r"[-+]?\d[\d.]*(?:[eE][-+]?\d+)?")
_SOURCE = "source"  # of a line of a log
STAMPS = ("time", "time [ms]")


def as_table(text: str, notes: list[str]) -> str | None:
    """One row for each line that is not blank; None unless each of the first lines has two pairs, and all of these two keys in common, or
    it is a log whose lines begin with times, of which those without these values are left out, with a sentence in `notes`.

    A few lines without pairs at the beginning and at the end are left out, too; one between is a row with its words in a column of their
    own, so that reading tells of it.
    """
    lines = list(filled(text))
    has = [len(pairs_of(line)) >= FEWEST_PAIRS for line in [*lines[:MOST_TITLES], *lines[-MOST_TITLES:]]]
    above = has.index(True) if True in has[:MOST_TITLES] else 0
    below = has[::-1].index(True) if True in has[-MOST_TITLES:] else 0
    aside = [*lines[:above], *lines[len(lines) - below :]]
    if len(lines) < len(aside) + FEWEST_RECORDS:
        aside = []
    made = _rows("\n".join(lines[above : len(lines) - below]) if aside else text, notes)
    if made is not None and aside:
        notes.append(f"{len(aside)} line{'s' * (len(aside) > 1)} without values left out: {aside[0].strip()[:60]!r}.")
    return made


def _rows(text: str, notes: list[str]) -> str | None:
    first = [pairs_of(line) for line in islice(filled(text), _PROBED)]
    keys = set.intersection(*({key for key, _ in pairs} for pairs in first)) if len(first) > 1 and all(first) else set()
    keys = keys if len(keys) >= FEWEST_PAIRS else _keys_of_log(text)
    left: list[str] = []
    made = csv_of_records(_records_of(text, keys - set(STAMPS), left, _has_sources(text, keys))) if keys else None
    if left:
        notes.append(f"{len(left)} line{'s' * (len(left) > 1)} of the log without these values left out: {left[0].strip()[:60]!r}.")
    return made


def _keys_of_log(text: str) -> set[str]:
    """The names of the values in a log whose lines begin with times: those of most of its lines with values; none where others have such,
    or it is no log."""
    lines = [pairs_of(line) for line in islice(filled(text), _PROBED_OF_LOG)]
    stamped = [frozenset(key for key, _ in pairs[1:]) for pairs in lines if pairs and pairs[0][0] in STAMPS]
    said = Counter(keys for keys in stamped if len(keys) >= FEWEST_PAIRS)
    keys, rows = said.most_common(1)[0] if said else (frozenset(), 0)
    others = sum(often for other, often in said.items() if not other & keys)
    return set(keys) if rows >= FEWEST_RECORDS and 10 * len(stamped) >= 9 * len(lines) and 10 * others <= rows else set()


def _has_sources(text: str, keys: set[str]) -> bool:
    """Whether the words in front of the pairs take turns, as the processors or programs that print to one log: each comes again."""
    lines = ((line, pairs_of(line)) for line in islice(filled(text), _PROBED_OF_LOG))
    words = Counter(words_before(line, pairs) for line, pairs in lines if keys <= dict(pairs).keys())
    return len(words) > 1 and "" not in words and min(words.values()) > 1


def _records_of(text: str, keys: set[str], left: list[str], has_sources: bool) -> Iterator[dict[str, str]]:
    """One for each line, with a column of its source; one with a time and none of `keys` is `left` out, one without a time stands in a
    column of its own."""
    for line in filled(text):
        pairs = pairs_of(line)
        if pairs and pairs[0][0] in STAMPS and keys.isdisjoint(key for key, _ in pairs):
            left.append(line)
        elif has_sources and pairs and _SOURCE not in dict(pairs):
            yield one_value_each([*pairs, (_SOURCE, words_before(line, pairs))])
        else:
            yield one_value_each(pairs or [("line without values", line.strip())])


def of_words(text: str, notes: list[str]) -> str | None:
    """One row for each line of names and numbers that blanks alone part, "step 1  cycles 812  misses 5"; None unless at least three have
    the same names, two or more, and no others stand between them. A few lines above and below are left out, with a sentence in `notes`."""
    probed = list(islice(filled(text), _PROBED))
    names = [_names_of(line) for line in probed]
    usual, times = Counter(filter(None, names)).most_common(1)[0] if any(names) else ((), 0)
    if len(usual) < FEWEST_PAIRS or times < FEWEST_RECORDS:
        return None
    first = names.index(usual)
    if first > 0 and len(probed[first - 1].split()) == 2 * len(usual):
        return None  # a header
    aside: list[str] = []
    for line in filled(text):
        if _names_of(line) != usual:
            aside.append(line)
        elif len(aside) > first:
            return None  # rows below other lines
        if len(aside) > 2 * MOST_TITLES:
            return None
    if aside:
        notes.append(f"{len(aside)} line{'s' * (len(aside) > 1)} without values left out: {aside[0].strip()[:60]!r}.")
    rows = (line.split() for line in filled(text) if _names_of(line) == usual)
    return csv_of_records(one_value_each(list(zip(usual, words[1::2], strict=True))) for words in rows)


def _names_of(line: str) -> tuple[str, ...]:
    """The names of a line that holds names and numbers in turn; () for any other."""
    words = line.split()
    paired = len(words) % 2 == 0 and all(map(_WORD.fullmatch, words[::2])) and all(map(_FIGURE.fullmatch, words[1::2]))
    return tuple(words[::2]) if paired else ()


def filled(text: str) -> Iterator[str]:
    """The lines that are not blank."""
    return (line for line in lines_of(text) if line.strip())


def pairs_of(line: str) -> Pairs:
    """The pairs of one line, with blanks, commas, semicolons or bars between them; "time" in front of them, or "time [ms]" where ESP-IDF
    prints milliseconds since the start. What numbers the line in front of pairs that blanks part ("Run 3:") is one of them. Words left
    beside numbers with blanks between stand in a column of their own."""
    line = _SYSLOG.sub("", line, count=1)
    time = _LEADING_TIME.match(line) or _SINCE_START.match(line)
    line = line if time is None else line[time.end() :]
    found: Pairs = [(each[1], each[2] if each[2] is not None else each[3]) for each in _PAIR.finditer(line)]
    listed = [(each[1].strip(), (each[2] or each[3] or each[4] or "").strip()) for each in _LISTED_PAIR.finditer(line)]
    pair = _PAIR
    if len(found) < len(listed) or any(value.endswith(",") for _, value in found[:-1]):
        found, pair = listed, _LISTED_PAIR
    if len(found) < len(spaced := _SPACED_PAIR.findall(line)):
        found, pair = spaced, _SPACED_PAIR
    if len(found) < len(worded := _worded(line)):
        found = worded
    elif "=" in (rest := pair.sub("", line)) and found and _VALUE.search(rest) is not None:
        found.append(("not read as key=value", " ".join(rest.split())))  # words: reading tells of them
    if time is None or "time" in dict(found):
        return found
    return [(STAMPS[time.re is _SINCE_START], _PARTED.sub("", time[1])), *found]


def _worded(line: str) -> Pairs:
    """The pairs of a line that holds nothing else, but what numbers it and words in front; empty for any other line."""
    found: Pairs = []
    place = 0
    while (each := _WORDED_PAIR.search(line, place)) is not None:
        between, name, value, unit = line[place : each.start()], each[1], each[2], each[3] or ""
        if found and _DECORATION.fullmatch(between) is None:
            return []
        if not found:
            found += _labels_of(between)
        place = each.end()
        if unit and not (_ENDS.match(line, place) or has_unit(f"1.5 {unit}") or unit in ("s", "ms", "us", "ns")):
            place, unit = each.start(3), ""  # it begins the next name
        found.append((name, f"{value} {unit}".strip()))
    return found if _DECORATION.fullmatch(line[place:]) is not None else []


def _labels_of(text: str) -> Pairs:
    """What numbers a line, where `text` in front of its pairs is nothing else: "Run 3:", "[rank 0] iter 2:"; [] for other words."""
    labels: Pairs = []
    while (label := _LABEL.match(text)) is not None:
        labels.append((label[1], label[2]))
        text = text[label.end() :]
    return labels if _DECORATION.fullmatch(text) is not None else []


def words_before(line: str, pairs: Pairs) -> str:
    """The words between the time of a line and its first name, without signs at their ends: "x: cpu0" of "[20.5] x: cpu0 a=1 b=2"."""
    time = next((value for key, value in pairs if key in STAMPS), "\0")
    name = next((key for key, _ in pairs if key not in STAMPS), "\0")
    return _DECORATION_AROUND.sub("", line[: max(line.find(name), 0)].replace(time, "", 1))
