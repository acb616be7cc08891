"""Why what may be output of perf cannot be read, and what to ask perf for instead: one sentence, with the line."""

import re
from collections.abc import Iterable, Sequence
from itertools import islice

from hemcore.datasets.readers import decoding
from hemcore.datasets.readers.perf.lines import from_heading, is_remark, sample_of
from hemcore.datasets.readers.uploaded_files import UploadedFile

_NAMED = 5
_LINES = 2_000
_SEARCHED, _SEARCHED_BELOW_WORDS = 8_000_000, 1_000_000
_COLUMNS = re.compile(rb"[,;|\t]")
_VALUE = r"(?:\d+(?:[.,]\d+)?|<not (?:counted|supported)>)"
_SHORT_VALUE = r"(?:\d+(?:\.\d+|,\d\d)?|<not (?:counted|supported)>)"
_COMMA_VALUE = r"(?:\d+(?:,\d\d)?|<not (?:counted|supported)>)"
_METRIC = r"(?:GHz|insn per cycle|stalled cycles per insn|(?:front|back)end cycles idle|CPUs utilized|[\w-]+ of all [\w -]+|% +\w+)"
# What a line is -> what perf is to be asked for. The first that fits is taken.
_KNOWN = (
    (
        r"\s*event syntax error|\s*\\___ |Run 'perf list'",
        "is perf's error about an event name, so nothing was counted. Use names from `perf list`, and measure again",
    ),
    (
        r"\s*(?:Error:\s*)?(?:Access to performance monitoring|You may not have permission|No permission to enable)",
        "is perf's error about missing rights. Lower kernel.perf_event_paranoid (sysctl) or ask for CAP_PERFMON, and measure again",
    ),
    (r"\s*(?:Error:|Usage: perf|Workload failed)", "is perf's message that it did not run. Correct the command, and measure again"),
    (
        r"#?\s*Overhead\s|# Samples:|#\s*Total Lost Samples|\s*\d+\.\d+%\s+\S+\s+\S+\s+\[[.k]\]",
        "comes from perf report, which holds samples, not counts. Count with `perf stat -x';' -o FILE` (-I 100 for a series)",
    ),
    (
        r"\s*.{1,16}\s+\d+(?:/\d+)?\s+(?:\[\d+\]\s+)?\d+\.\d{6}:\s",
        "comes from perf script or perf trace without the period of each sample. Print it with `perf script -F"
        " comm,tid,cpu,time,event,period`, or count with `perf stat -x';' -o FILE` (-I 100 for a series)",
    ),
    (
        rf"\s*(?:\d+[.,]\d{{9}},)?(?:[^,]*-\d+,|(?:CPU|[SN])\d+[^,]*,(?:\d+,(?=\d|<))?)?{_COMMA_VALUE},[A-Za-z]*,"
        r"(?=[^,]*[A-Za-z_])[^,]+(?:,\d+,\d+%)?,\d+,\d{1,3},\d\d(?:,|\s*$)",
        "uses commas both as the separator and as the decimal mark. Measure again with LC_ALL=C, or with `perf stat -x';'`",
    ),
    (
        rf"\s*(?:\d+\.\d{{9}}\s*(?P<time>[^\w.\s]))?(?:(?:CPU|S|N)\d+[^,;|]*[,;|])?\s*{_SHORT_VALUE}(?P<sep>[,;|:\t!])[A-Za-z]*(?P=sep)[^\d\s,;|:!][^,;|]*$",
        "has a count and an event, but no running time and percentage after it: were the last columns cut off?"
        " Send the lines as `perf stat -x';' -o FILE` writes them",
    ),
    (
        rf"\s*(?:(?:time|core|socket|node|CPU|cpu|cpus|die|cluster|cache|comm-pid|thread)[,;|:\t])*(?:{_METRIC}[,;|:\t])+\s*$"
        r"|(?:\{\}|\{\"interval\" : [\d.]+\})*\{(?!.*\"counter-value\")"
        rf"(?:\"[\w -]+\" : [^,{{}}]+, )*\"(?:{_METRIC}|metric-value)\" : [^,{{}}]+[,}}]"
        r"|\s*time(?:[,;|]\s*)+$|\s*(?:\d+\.\d{9}[,;|])?(?:(?:CPU|S|N)\d+[^,;|]*[,;|](?:\d+[,;|])?)?(?:\d+\.\d+[,;|]){2,}\s*$"
        r"|\s*(?:\d+[.,]\d{9},)?(?:CPU|[SN])\d+[^,]*,(?:\d+,)?(?:\d+,\d\d,){2,}\s*$"
        r"|\s*\d+\.\d{9}[,;|]{2,}\s*$|\s*#\s+time\s+(?:GHz|insn per cycle|%)",
        "comes from perf stat --metric-only, which prints metrics, not counts. Run it without --metric-only",
    ),
)
_CUT_COLUMNS = "has a count and an event"
_BARE = re.compile(r"[\s,;|]*time[\s,;|]*|[\d\s.,;|]+")
# A row of `perf stat -x`, to be found anywhere in a file.
_ROW = re.compile(
    rb"^ *(?:\d+\.\d{9}[,;|\t:!])?(?:[^\r\n]{0,40}?[,;|\t:!](?:\d*[,;|\t:!])?)?(?:\d+(?:[.,]\d+)?|<not counted>)(?P<sep>[,;|\t:!])"
    rb"[A-Za-z]*(?P=sep)[A-Za-z][^\r\n]{0,100}?(?P=sep)\d+(?P=sep)\d{1,3}[.,]\d\d(?:(?P=sep)|\s*$)",
    re.MULTILINE,
)
_PATTERNS = tuple((re.compile(pattern), what) for pattern, what in _KNOWN)
_STARTED = re.compile(r"\s*# started on |\s*Performance counter stats")
_WROTE = "the program's own output is apart from perf's with `perf stat -o FILE`"


def no_row(name: str, lines: Iterable[str]) -> str:
    """Why none of the `lines` of the file is a row of `perf stat -x`."""
    first: tuple[int, str] | None = None
    for number, line in enumerate(islice(lines, _LINES), start=1):
        if (known := known_line(line)) is not None:
            return f"{name}: no row of perf stat -x: line {number}, {line.strip()[:60]!r}, {known}."
        if first is None and not is_remark(line):
            first = number, line.strip()[:60]
    if first is None:
        return (
            f"{name}: no row of perf stat -x: it has comments only, from line 1 on, as when the command did"
            " not start. Measure again with `perf stat -x';' -o FILE COMMAND`."
        )
    return (
        f"{name}: no row of perf stat -x: line {first[0]}, {first[1]!r}, has no value, unit, event, run time in ns and percentage. "
        "Measure again with `perf stat -x';' -o FILE COMMAND`, without --metric-only."
    )


def no_count(name: str, lines: Iterable[str]) -> str:
    """Why none of the `lines` of the file is a count of what `perf stat` prints for people."""
    first: tuple[int, str] | None = None
    for number, line in enumerate(islice(lines, _LINES), start=1):
        if (known := known_line(line)) is not None:
            return f"{name}: no count of perf stat in it: line {number}, {line.strip()[:60]!r}, {known}."
        if first is None and line.strip():
            first = number, line.strip()[:60]
    number, shown = first or (1, "")
    return (
        f"{name}: no perf stat count from line {number}, {shown!r}, on: expected lines such as '1,234,567  cycles' under "
        "'Performance counter stats for'. Send the complete output of perf stat, or the file from `perf stat -o FILE`."
    )


def foreign_line(name: str, separator: str, wrong: Sequence[tuple[int, str]]) -> str:
    """Of a file of `perf stat -x`: which lines (number, text of the first) are no rows, and why. At least one."""
    number, line = wrong[0]
    more = f" and {len(wrong) - _NAMED:,} more" if len(wrong) > _NAMED else ""
    others = ", ".join(str(other) for other, _ in wrong[1:_NAMED]) + more
    if others:
        others = f"; nor {'is line' if len(wrong) == 2 else 'are lines'} {others}"
    said = known_line(line)
    if said is not None:
        return f"{name}: line {number}, {line[:60]!r}, {said}{others}."
    if len(re.findall(rf"{re.escape(separator)}\d+{re.escape(separator)}\d{{1,3}}[.,]\d\d", line)) > 1:
        return (
            f"{name}: line {number}, {line[:60]!r}, holds two readings{others}: was the end of a line lost? Send the file as"
            " `perf stat -x';' -o FILE` wrote it."
        )
    remedy = f"Measure again: {_WROTE}"
    if separator in line:
        remedy += ", and names of events or threads that hold the separator can be told with another, as `perf stat -x';'`"
    return (
        f"{name}: line {number}, {line[:60]!r}, is not a row of perf stat -x {separator!r}: expected value, unit, event, run time in ns "
        f"and percentage{others}. {remedy}."
    )


def known_line(line: str) -> str | None:
    """What is wrong with a line that perf writes and that holds no count, and what to do; None for any other line."""
    if len(line) > 1_000:
        return None
    return next((what for pattern, what in _PATTERNS if pattern.match(line)), None)


def why_mixed(file: UploadedFile, *, below_words: bool = False) -> str | None:
    """Why a file that holds rows of `perf stat -x` below lines of the program cannot be read; None for any other file.

    below_words: None, too, where the first line or the one above the rows has columns, as a table's header has.
    """
    head = decoding.head_of(file.content, _SEARCHED_BELOW_WORDS if below_words else _SEARCHED)
    if below_words and _COLUMNS.search(decoding.first_lines(head, 1)):
        return None
    found = _ROW.search(head)
    if found is None:
        return None
    above = [line for line in head[: found.start()].splitlines()[-_LINES:] if line.strip() and not line.startswith(b"#")]
    if below_words and (not above or found["sep"] in above[-1]):
        return None
    line = head.count(b"\n", 0, found.start()) + 1
    first = decoding.first_lines(head, 1).decode(errors="replace").strip()
    shown = found[0].decode(errors="replace").strip()
    return (
        f"{file.name}: line {line}, {shown[:60]!r}, is a row of perf stat -x, but what stands before it, {first[:60]!r} in line 1, is not."
        f" Measure again: {_WROTE}."
    )


def why_not_perf(file: UploadedFile) -> str | None:
    """Why a file that looks as if perf had written it is none that can be read, naming the line; None for any other file."""
    if file.content[:8] in (b"PERFILE2", b"2ELIFREP"):
        return (
            f"{file.name}: a perf.data (its first bytes, line 1, say {file.content[:8].decode()!r}), which holds records, not text. Turn"
            " one of perf stat record into text with `perf stat report -i perf.data`; of perf record, count again with"
            " `perf stat -x';' -o FILE`."
        )
    begins, below = from_heading(file)
    for first, lines in ((1, sample_of(file)), (begins, below)):
        top = next((number for number, line in enumerate(lines, start=first) if not is_remark(line)), 0)
        for number, line in enumerate(lines, start=first):
            known = known_line(line)
            # Below a header, a row of a table may look like a count without its last columns, or like metrics without their names; pandas
            # names an index "time" there.
            if known is not None and (number == top or not (known.startswith(_CUT_COLUMNS) or _BARE.fullmatch(line))):
                return f"{file.name}: line {number}, {line.strip()[:60]!r}, {known}."
        # Other loggers write "# started on" too, above their table.
        alone = all(is_remark(line) or _STARTED.match(line) for line in lines)
        began = (number for number, line in enumerate(lines, start=first) if _STARTED.match(line) and (alone or not is_remark(line)))
        started = next(began, None)
        if started is not None:
            return (
                f"{file.name}: line {started} shows that perf started, but no count follows: the command did not start, or perf stat"
                " printed metrics only. Measure again with `perf stat -x';' -o FILE COMMAND`, without --metric-only."
            )
    return None
