"""What stands around rows of `perf stat -x` that a script gathered: a cell before each row, or a line before each run; and the rows of
perf before 3.13, which have no unit and no running time.
"""

import re
from collections import Counter
from collections.abc import Collection
from itertools import groupby, islice

from hemcore.datasets.readers.decoding import lines_of
from hemcore.datasets.readers.perf.lines import is_remark

_LOOKED_AT, _MOST = 50, 200_000  # lines
_STARTED = "# started on "
# "n=1", "run 3", "--- run 1 ---", "5": a line that numbers the run below it.
_LINE = re.compile(r"[-=*\s]*((?:[A-Za-z_][\w ]{0,30}?)?\s*[:=]?\s*)\d{1,9}[-=*:\s]*")
_CELL = r"\s*([\w.+ -]{1,40}?)\s*"
# Names that perf has had since 2.6.31: they tell its counts from other pairs of a number and a word.
_GENERIC = re.compile(
    r"(?:cpu-)?cycles|instructions|cache-(?:references|misses)|branches|branch-(?:instructions|misses)|bus-cycles|ref-cycles"
    r"|(?:task|cpu)-clock|faults|(?:page|major|minor)-faults|context-switches|cs|(?:cpu-)?migrations|(?:alignment|emulation)-faults"
    r"|stalled-cycles-(?:front|back)end|(?:L1-[di]cache|LLC|[di]TLB|branch|node)-(?:loads|stores|prefetches|load-misses|store-misses)"
)
_OLD = re.compile(
    r" *(?P<time>(?:\d+\.\d{9}[,;\t|:] *)?)(?:(?P<place>(?:CPU|S)\d[\w-]*)(?P<a>[,;\t|:])(?:\d+(?P=a))?)?"
    r"(?P<value>\d+(?:\.\d+)?|<not (?:counted|supported)>)"
    r"(?P<sep>[,;\t|:])(?P<event>[A-Za-z][\w.:/=-]*)(?:(?P=sep)\d+\.\d+%)?(?:(?P=sep)(?P<share>\d{1,3}\.\d\d))?\s*"
)


def as_new_rows(text: str) -> str:
    """Lines "value,event" of perf before 3.13, of -I with a time before them, as rows with a unit, a running time (0: not known) and a per
    cent; other texts as they are.

    All lines must be such, and half of the events names that perf itself has.
    """
    found = [_OLD.fullmatch(line) for line in islice((line for line in lines_of(text) if not is_remark(line)), _LOOKED_AT)]
    if None in found or not are_perfs({each["event"] for each in found if each is not None}):
        return text
    return "\n".join(line if is_remark(line) else _new(line) for line in lines_of(text))


def are_perfs(events: Collection[str]) -> bool:
    """Whether there are events, and half of them have names that perf itself has."""
    known = sum(_GENERIC.fullmatch(event.partition(":")[0]) is not None for event in events)
    return bool(events) and 2 * known >= len(events)


def _new(line: str) -> str:
    found = _OLD.fullmatch(line)
    if found is None:
        return line
    sep, place = found["sep"], f"{found['place']}{found['sep']}" if found["place"] else ""
    share = found["share"] or ("0.00" if found["value"].startswith("<") else "100.00")
    return f"{found['time']}{place}{found['value']}{sep}{sep}{found['event']}{sep}0{sep}{share}"


def without_marks(name: str, text: str, separator: str, row: re.Pattern[str]) -> tuple[str, list[str]]:
    """(`text` with a remark that a run starts in place of each mark; notes of what was read as one). Other texts are as they were.

    Marks are lines that differ in a number alone, each above rows, or a first cell that is one more than perf writes and the same in all
    rows of a run; a first cell of words names a program. Every run must have the same events.
    """
    first = next((line for line in lines_of(text) if not is_remark(line)), "")
    if row.match(first) or text.count("\n") > _MOST:
        return text, []
    lines = text.split("\n")
    made = _from_lines(lines, row) if _LINE.fullmatch(first) else _from_cells(lines, separator, row)
    if made is None:
        return text, []
    marks, unmarked = made
    shown = ", ".join(repr(mark.strip()) for mark in list(dict.fromkeys(marks))[:3]) + (" ..." if len(set(marks)) > 3 else "")
    return "\n".join(unmarked), [f"{name}: {shown} stands before rows of perf stat: read as the beginning of another run, in their order."]


def program_of(line: str) -> str:
    """The program that a remark of `without_marks` names; "" for none."""
    return line.removeprefix(f"{_STARTED}program ").strip() if line.startswith(f"{_STARTED}program ") else ""


def _from_lines(lines: list[str], row: re.Pattern[str]) -> tuple[list[str], list[str]] | None:
    marks = [line for line in lines if _LINE.fullmatch(line)]
    stems = {(found := _LINE.fullmatch(line)) is not None and found[1].strip() for line in marks}
    if len(stems) != 1 or len(marks) < 2:
        return None
    unmarked = [_STARTED + line.strip() if _LINE.fullmatch(line) else line for line in lines]
    return (marks, unmarked) if _are_runs(unmarked, row) else None


def _from_cells(lines: list[str], separator: str, row: re.Pattern[str]) -> tuple[list[str], list[str]] | None:
    cell = re.compile(_CELL + re.escape(separator))
    cells = [(cell.match(line), line) for line in lines if not is_remark(line)]
    parts = [(found[1], line[found.end() :]) for found, line in cells if found is not None]
    if not parts or len(parts) < len(cells):
        return None
    marks, unmarked = [], []
    for mark, rows in groupby(parts, key=lambda part: part[0]):
        marks.append(mark)
        unmarked += [_STARTED + (mark if mark[-1:].isdigit() else f"program {mark}"), *(line for _, line in rows)]
    return (marks, unmarked) if _are_runs(unmarked, row) else None


def _are_runs(lines: list[str], row: re.Pattern[str]) -> bool:
    """Whether all lines between the remarks are rows, and each run has the same events."""
    runs: list[Counter[str]] = []
    for line in lines:
        if line.startswith(_STARTED):
            runs.append(Counter())
        elif not is_remark(line):
            found = row.match(line)
            if found is None or not runs:
                return False
            runs[-1][found[4]] += 1
    return len(runs) > 1 and bool(runs[0]) and all(run == runs[0] for run in runs)
