"""Costs of functions and benchmarks as profilers write them, as the text of a CSV: Valgrind, pprof, gprof, TAU, Score-P, Go, CrayPat."""

import re
from collections.abc import Iterator
from itertools import islice, takewhile

from hemcore.datasets.importing.other_forms.written_csv import csv_of_records, csv_of_rows
from hemcore.datasets.importing.profiles import gpu_profiles
from hemcore.datasets.readers.decoding import lines_of

_HEAD, _FEWEST_WITHOUT_TOTAL = 200, 2
# Of Valgrind's "Cachegrind file format" and "Callgrind format specification"; a name may be given once, as "(3) name".
_NAMED = re.compile(r"(c?(?:fl|fi|fe|fn|ob))=(?:\((\d+)\)\s*)?(.*)")
_COST = re.compile(r"(?:[+-]?\d+|\*|0x[0-9a-f]+)(?:\s+\S+)*")
# "8,821,482", "8,821,482 (31.80%)" and ".", which is 0 for cg_annotate; what follows is the name.
_CELL = re.compile(r"\s*(?P<number>\d[\d,]*(?:\.\d+)?|\.(?=\s))(?:\s+\([\d.%, ]+\))?(?=\s)")
_ANNOTATED = re.compile(r"(?P<events>(?:\w+\s+)+)(?:file:function|function:file)")
_TOTALS = "PROGRAM TOTALS"
_PPROF = re.compile(r"\s*(\d[\d.]*\w*)\s+[\d.]+%\s+[\d.]+%\s+(\d[\d.]*\w*)\s+[\d.]+%\s+(\S.*)")
_PPROF_HEAD = re.compile(r"^(?:[ \t]*flat\s+flat%\s+sum%\s+cum\s+cum%|Total: [\d.]+ ?\S+)\s*$", re.MULTILINE)
_TAU_PART = re.compile(r"NODE (\d+);CONTEXT (\d+);THREAD (\d+):")
_TAU = re.compile(r"\s*[\d.]+\s+([\d,.:E+]+)\s+([\d,.:E+]+)\s+([\d.E+]+)\s+([\d.E+]+)\s+[\d.E+]+\s+(\S.*)")
# Under its header: what exclusive and inclusive are in. Of several metrics, each has a folder.
_TAU_COUNTS = re.compile(r"^\s*counts\s+total counts\b", re.MULTILINE)
_TAU_METRIC = re.compile(r"Reading Profile files in \S*MULTI__(\w+)")
# A thread's own file: "5 templated_functions_MULTI_PAPI_TOT_CYC", then "name" calls subroutines exclusive inclusive profiles.
_TAU_FILE = re.compile(r"\d+ templated_functions(?:_MULTI_)?(\w*)\s*\n#\s*Name Calls Subrs Excl Incl")
_TAU_ROW = re.compile(r'"(.*)" ([\d.eE+]+) ([\d.eE+]+) ([\d.eE+]+) ([\d.eE+]+) [\d.eE+]+ GROUP=')
# A group of CrayPat's tables by function: a rule, its name, a rule, then "NAME  RATE  VALUE unit" lines.
_CRAY = re.compile(r"^CrayPat/X:", re.MULTILINE)
_CRAY_GROUP = re.compile(r"^={20,}\n[ ]+(\S[^\n]*)\n-{20,}\n((?:[ ]{2,}\S[^\n]*\n)+)", re.MULTILINE)
_CRAY_ROW = re.compile(r"\s+(\S.*?)\s{2,}(?:\S+/\S+\s{2,})?([\d.][\d,.]*%?)(?: (\S+))?\s*")
# Two lines over the flat profile of gprof, of which the second ends in "name"; a function that was not counted has no calls.
_GPROF = re.compile(r"^[ ]+%[ ]+cumulative[ ]+self\b.*\n[ ]*time[ ]+seconds[ ]+seconds[ ]+calls\b.*\bname[ ]*\n", re.MULTILINE)
_GPROF_ROW = re.compile(r"\s*[\d.]+\s+[\d.]+\s+([\d.]+)\s+(?:(\d+)\s+[\d.]+\s+[\d.]+\s+)?(\S.*?)\s*")
_SCOREP = re.compile(r"\s*flt\s+type\s+max_buf\[B\]\s+visits\s+(?:hits\s+)?time\[s\]\s+time\[%\]\s+time/visit\[us\]\s+region\s*")
_SCOREP_ROW = re.compile(
    r"\s*(?:[-+*]\s+)?(?P<type>[A-Z_]+)\s+([\d,]+)\s+([\d,]+)\s+(?:[\d,]+\s+)?([\d.]+)\s+[\d.]+\s+[\d.]+\s+(?P<region>\S.*?)\s*"
)
_GO = re.compile(r"(Benchmark\S*)\s+\d+((?:\s+[\d.]+(?:e[+-]?\d+)? [^\s\d]\S*)+)\s*")
_GO_VALUE = re.compile(r"([\d.]+(?:e[+-]?\d+)?) (\S+)")


def as_table(text: str) -> str | None:
    """CSV with commas, a header and one row for each function, benchmark or launch of a kernel; None where `text` is no such profile.

    Of Valgrind's files the costs of a function are summed over its lines, without those of what it calls; totals of the program and
    shares in percent are left out. Of pprof: flat and cum. Of CrayPat the first table by function, its totals beside one function alone.
    Of gprof the flat profile. Of scorep-score the regions, or, without these, their groups. Of TAU each thread has its functions, times in
    ms or counts; of a thread's own file what it counted, by the metric's name. Of Go's benchmarks every repetition is a row.
    """
    head = "\n".join(islice(lines_of(text), _HEAD))
    if re.search(r"^events:\s", head, re.MULTILINE) and re.search(r"^fn=", text, re.MULTILINE):
        return _of_valgrind(text)
    if _TOTALS in head or "Events shown" in head or (head.startswith("--") and "file:function" in head):
        return _of_annotation(text)
    if (kernels := gpu_profiles.as_table(head, text)) is not None:
        return kernels
    if (metric := _TAU_FILE.match(head)) is not None:
        rows = [
            [each[1].strip(), "function", each[4], each[5], each[2], each[3]] for line in lines_of(text) if (each := _TAU_ROW.match(line))
        ]
        return csv_of_rows(["function", "granularity", metric[1], f"{metric[1]} inclusive", "calls", "subroutines"], rows)
    if _TAU_PART.search(head) is not None:
        return _of_tau(text)
    if _CRAY.match(head) is not None:
        return _of_craypat(text)
    if (flat := _GPROF.search(head)) is not None:
        below = takewhile(str.strip, lines_of(text[flat.end() :]))
        named = [[row[3], "function", row[1], row[2] or ""] for line in below if (row := _GPROF_ROW.fullmatch(line)) is not None]
        return csv_of_rows(["function", "granularity", "self [s]", "calls"], named)
    if any(map(_SCOREP.fullmatch, head.splitlines())):
        return _of_scorep(text)
    if _PPROF_HEAD.search(head) is not None:
        rows = [[found[3].strip(), "function", found[1], found[2]] for line in lines_of(text) if (found := _PPROF.fullmatch(line))]
        return csv_of_rows(["function", "granularity", "flat", "cum"], rows)
    if re.search(r"^Benchmark\S*\s+\d+\s+[\d.]+ ", head, re.MULTILINE):
        return _of_go(text)
    return None


def _of_valgrind(text: str) -> str | None:
    events: list[str] = []
    positions, called = 1, False
    known: dict[tuple[str, str], str] = {}
    file, function = "", ""
    costs: dict[str, list[int]] = {}
    for line in lines_of(text):
        if (named := _NAMED.match(line)) is not None:
            kind = named[1][-2:] if named[1][-2:] in ("fn", "ob") else "file"
            name = known.setdefault((kind, named[2]), named[3].strip()) if named[2] else named[3].strip()
            if named[1] == "fl":
                file = name
            elif named[1] == "fn":
                function = name
        elif line.startswith("events:"):
            events = line.removeprefix("events:").split()
        elif line.startswith("positions:"):
            positions = len(line.split()) - 1
        elif line.startswith("calls="):
            called = True  # the next line is what the callee cost
        elif function and _COST.fullmatch(line.strip()) is not None:
            cells, own = line.split()[positions:], not called
            called = False
            if own and all(cell.isdigit() for cell in cells):
                sums = costs.setdefault(f"{file}:{function}" if file else function, [0] * len(events))
                for place, cell in enumerate(cells[: len(events)]):
                    sums[place] += int(cell)
    return csv_of_rows(["function", "granularity", *events], ([name, "function", *sums] for name, sums in costs.items()))


def _of_annotation(text: str) -> str | None:
    """The costs of functions in what cg_annotate and callgrind_annotate print."""
    events: list[str] = []
    rows: list[list[str]] = []
    for line in lines_of(text):
        if (found := _ANNOTATED.fullmatch(" ".join(line.split()))) is not None:
            events = found["events"].split()
        elif events and line.startswith("--") and rows:
            break  # the lines of the sources follow
        elif events and (cells := _costs(line, len(events))) is not None:
            rows.append([cells[0], "function", *cells[1:]])
    return csv_of_rows(["function", "granularity", *events], rows)


def _costs(line: str, number: int) -> list[str] | None:
    """The name and `number` costs before it; None for a line that has not so many."""
    place, found = 0, []
    for _ in range(number):
        cell = _CELL.match(line, place)
        if cell is None:
            return None
        found.append(cell["number"].replace(",", "") if cell["number"] != "." else "0")
        place = cell.end()
    name = line[place:].strip()
    return [name, *found] if name and name != _TOTALS else None


def _of_scorep(text: str) -> str | None:
    found = [each for line in lines_of(text) if (each := _SCOREP_ROW.fullmatch(line)) is not None]
    regions = [each for each in found if each["type"] != each["region"]]
    groups = [each for each in found if each["region"] != "ALL"]  # the sum of the others
    rows = ([each["region"], "function", *(cell.replace(",", "") for cell in each.group(2, 3, 4))] for each in regions or groups)
    return csv_of_rows(["function", "granularity", "max_buf [B]", "visits", "exclusive [s]"], rows)


def _of_tau(text: str) -> str | None:
    threads: dict[str, list[list[str]]] = {}
    rows: list[list[str]] = []
    for line in lines_of(text):
        if (part := _TAU_PART.match(line.strip())) is not None:
            rows = threads.setdefault(f"node {part[1]} context {part[2]} thread {part[3]}", [])
        elif line.startswith("FUNCTION SUMMARY"):
            rows = []  # sums and means over the threads
        elif (found := _TAU.fullmatch(line)) is not None:
            rows.append([found[5].strip(), _milliseconds(found[1]), _milliseconds(found[2]), found[3], found[4]])
    several, counted, metric = len(threads) > 1, _TAU_COUNTS.search(text) is not None, _TAU_METRIC.match(text)
    of = f"{metric[1]} " if metric and counted else ""
    names = [f"{of}{what} [{'counts' if counted else 'ms'}]" for what in ("exclusive", "inclusive")]
    made = ([f"{name} ({thread})" if several else name, "function", *rest] for thread, each in threads.items() for name, *rest in each)
    return csv_of_rows(["function", "granularity", *names, "calls", "subroutines"], made)


def _milliseconds(cell: str) -> str:
    """ "1,234" as TAU writes milliseconds; "1:02.345" are minutes and seconds."""
    parts = cell.replace(",", "").split(":")
    if len(parts) == 1:
        return parts[0]
    seconds = 0.0
    for part in parts:
        seconds = 60 * seconds + float(part or 0)
    return f"{1_000 * seconds:.15g}"


def _of_craypat(text: str) -> str | None:
    functions: dict[str, dict[str, str]] = {}
    for group, lines in _CRAY_GROUP.findall(text):
        found = [row for line in lines.splitlines() if (row := _CRAY_ROW.fullmatch(line)) is not None]
        counts = {f"{row[1]} [s]" if row[3] == "secs" else row[1]: row[2].replace(",", "") for row in found}
        if found:
            functions.setdefault(group.strip(), {"function": group.strip(), "granularity": "function", **counts})
    if len(functions) > _FEWEST_WITHOUT_TOTAL:
        functions.pop("Total", None)
    return csv_of_records(functions.values())


def _of_go(text: str) -> str | None:
    found = [(each[1], _GO_VALUE.findall(each[2])) for line in lines_of(text) if (each := _GO.fullmatch(line)) is not None]
    units = list(dict.fromkeys(unit for _, values in found for _, unit in values))
    rows: Iterator[list[str]] = (
        [name, "benchmark", *({unit: value for value, unit in values}.get(unit, "") for unit in units)] for name, values in found
    )
    return csv_of_rows(["benchmark", "granularity", *units], rows)
