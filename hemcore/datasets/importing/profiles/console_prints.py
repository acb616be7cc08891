"""What tools print or export of one measurement, as the text of a CSV: numastat, free, kubectl top, AIX's hpmcount, the monitor of ESP-IDF,
Vivado's logic analyser, Criterion's samples.

Sources: numastat(8); procps, free(1); Kubernetes, kubectl top; IBM, hpmcount of AIX 7.3; ESP-IDF, components/perfmon
(xtensa_perfmon_view_cb); Vivado, UG908, write_hw_ila_data -csv_file; the user guide of Criterion.rs, "CSV output".
"""

import csv
import re
from collections.abc import Callable, Iterator
from itertools import groupby, islice

from hemcore.datasets.importing.date_times import kind_of
from hemcore.datasets.importing.other_forms.written_csv import csv_of_records, csv_of_rows
from hemcore.datasets.importing.units.cell_kinds import is_missing
from hemcore.datasets.importing.units.united_numbers import without_prefix
from hemcore.datasets.readers.decoding import lines_of

_HEAD = 60
_NODES = re.compile(r"\s+node ?\d+(?:\s+node ?\d+)*(?:\s+total)?\s*", re.IGNORECASE)
_NODE = re.compile(r"node ?\d+|total", re.IGNORECASE)
_OF_NODES = re.compile(r"(\S+)((?:\s+\d+(?:\.\d+)?)+)\s*")
_HAS_DIGIT = re.compile(r"\d")
_FREE = re.compile(r"\s+total\s+used\s+free\b[\w\s/]*")
_OF_FREE = re.compile(r"([A-Z]\w+(?:/Lo|/Hi)?):((?:\s+\d[\d.]*[A-Za-z]{0,2})+)\s*")
_OF_SWAP = 3  # numbers in its line, total, used and free
_PODS = re.compile(
    r"(?:(?:NAMESPACE|POD|NODE)\s+)*NAME\s+CPU\(cores\)\s+(?:CPU[%(]\S*\s+)?MEMORY\(bytes\)(?:\s+MEMORY[%(]\S*)?\s*|POD\s+NAME\s+CPU.*"
)
_QUANTITY = re.compile(r"(\d+(?:\.\d+)?)([a-zA-Z]{0,2})")
_QUANTITIES: dict[str, tuple[str, Callable[[str], float]]] = {
    "CPU(cores)": ("CPU [cores]", lambda unit: {"": 1.0, "m": 1e-3, "u": 1e-6, "n": 1e-9}.get(unit, float("nan"))),
    "MEMORY(bytes)": ("memory [bytes]", without_prefix),
}
_HPM = re.compile(r"\s*Execution time \(wall clock time\)\s*:\s*([\d.]+) seconds.*")
_OF_HPM = re.compile(r"\s*(PM_\w+|[A-Z][A-Z0-9]*_\w+) \([^:]*\)\s*:\s*(\d[\d,]*)\s*")
_NEAR_HPM = re.compile(r"\bPM_|\w_\w+ \(")
_PERFMON = re.compile(r"Value = +(\d+), select = +(\d+), mask = ([0-9a-fA-F]+)\. +(\S[^=]*?)\.?\s*")
_NEAR_PERFMON = re.compile(r"\bValue\b|\bselect\b|\bmask\b")
_DATED, _FEWEST_DATED = re.compile(r"\s*([A-Za-z_][\w./()-]*)(?::|=|\s)\s*(\d[\d.]*)(?:\s+([A-Za-z]{1,3}))?\s*"), 3
_ILA = re.compile(r"Sample in Buffer,Sample in Window,TRIGGER\b.*")
_BASES = {"HEX": 16, "BINARY": 2, "OCTAL": 8}
_CRITERION = re.compile(
    r"group,function,value,(?:throughput_num,throughput_type,)?(?:sample_measured_value,unit|sample_time_nanos),iteration_count"
)


def as_table(text: str, unread: list[str]) -> str | None:
    """CSV with commas, a header and a row per node, reading, pod, report or sample; None where `text` is of none of these. `unread` gets
    the lines of readings that do not fit.

    Of numastat what it says of all nodes together is left out; of hpmcount the resources and metrics. Of Criterion, the measured time per
    iteration: how many iterations a sample had was set.
    """
    head = list(islice((line for line in lines_of(text) if line.strip()), _HEAD))
    if any(map(_NODES.fullmatch, head[:3])):
        return csv_of_records(_of_nodes(text, unread))
    if head and _FREE.fullmatch(head[0]) is not None:
        return _numbered(_of_free(text, unread))
    if head and _PODS.fullmatch(head[0]) is not None:
        return csv_of_records(_of_pods(head[0], text, unread))
    if any(map(_HPM.fullmatch, head)):
        return _numbered(_of_hpm(text, unread))
    if any(map(_PERFMON.fullmatch, head)):
        return csv_of_records(_of_perfmon(text, unread))
    if len(head) > 1 and _ILA.fullmatch(head[0]) is not None and head[1].startswith("Radix"):
        return _of_ila(text, unread)
    if len(head) > _FEWEST_DATED and kind_of(head[0].strip()) == "date-time" and _DATED.fullmatch(head[1]) is not None:
        return csv_of_records(records) if len(records := _of_dates(text)) > 1 else None
    if head and _CRITERION.fullmatch(head[0].strip()) is not None:
        return _of_criterion(text, unread)
    return None


def _numbered(reports: list[dict[str, str]]) -> str | None:
    """One row per report; several are intervals."""
    several = len(reports) > 1
    return csv_of_records({"interval": str(number), **report} if several else report for number, report in enumerate(reports, start=1))


def _of_nodes(text: str, unread: list[str]) -> list[dict[str, str]]:
    nodes: list[str] = []
    records: dict[str, dict[str, str]] = {}
    for line in lines_of(text):
        if _NODES.fullmatch(line):
            nodes = [" ".join(node.split()) for node in _NODE.findall(line)]
        elif (row := _OF_NODES.fullmatch(line)) is not None and len(values := row[2].split()) == len(nodes):
            for node, value in zip(nodes, values, strict=True) if row[1] != "Total" else ():
                records.setdefault(node, {"program": node, "granularity": "whole run"})[row[1]] = value
        elif _HAS_DIGIT.search(line) and not line.startswith("Per-node "):
            unread.append(line)
    return [record for node, record in records.items() if node.lower() != "total"]


def _of_free(text: str, unread: list[str]) -> list[dict[str, str]]:
    names: list[str] = []
    reports: list[dict[str, str]] = []
    for line in filter(str.strip, lines_of(text)):
        row = _OF_FREE.fullmatch(line)
        if _FREE.fullmatch(line):
            names = line.split()
            reports.append({})
        elif row is not None and len(values := row[2].split()) in (_OF_SWAP, len(names)):
            if f"{row[1]} {names[0]}" in reports[-1]:  # the names between them are damaged
                reports.append({})
            reports[-1] |= {f"{row[1]} {name}": value for name, value in zip(names, values, strict=False)}
        elif not line.startswith("-/+"):
            unread.append(line)
    return reports


def _of_pods(header: str, text: str, unread: list[str]) -> Iterator[dict[str, str]]:
    names = header.split()
    for line in filter(str.strip, lines_of(text)):
        cells = line.split()
        if len(cells) != len(names):
            unread.append(line)
        if len(cells) != len(names) or cells == names:
            continue
        row = dict(zip(names, cells, strict=True))
        record = {"program": "/".join(row.pop(name) for name in ("NAMESPACE", "POD", "NAME") if name in row), "granularity": "whole run"}
        for name, value in row.items():
            title, scale = _QUANTITIES.get(name, (name, None))
            found = _QUANTITY.fullmatch(value)
            record[title] = value if scale is None else "" if found is None else _plain(float(found[1]) * scale(found[2]))
            if not record[title] and not is_missing(value):
                unread.append(line)
        yield record


def _plain(value: float) -> str:
    return f"{value:.15g}" if value == value else ""


def _of_hpm(text: str, unread: list[str]) -> list[dict[str, str]]:
    reports: list[dict[str, str]] = []
    for line in lines_of(text):
        if _HPM.fullmatch(line) is not None:
            reports.append({})
        elif reports and (row := _OF_HPM.fullmatch(line)) is not None:
            reports[-1][row[1]] = row[2].replace(",", "")
        elif _NEAR_HPM.search(line) is not None:
            unread.append(line)
    return reports


def _of_dates(text: str) -> list[dict[str, str]]:
    """A row per moment, of names and numbers below it, as a loop of date and grep prints; none where anything else stands there."""
    records: list[dict[str, str]] = []
    for line in filter(str.strip, lines_of(text)):
        if (found := _DATED.fullmatch(line)) is not None and records and found[1] not in records[-1]:
            records[-1][found[1]] = f"{found[2]} {found[3] or ''}".strip()
        elif kind_of(line.strip()) == "date-time":
            records.append({"time": line.strip()})
        else:
            return []
    return records if len({tuple(record) for record in records}) == 1 else []


def _of_perfmon(text: str, unread: list[str]) -> list[dict[str, str]]:
    """A row per turn in which the monitor printed each of its counters; one of an equal name has its select and mask beside it."""
    rows = [found.groups() for line in lines_of(text) if (found := _PERFMON.fullmatch(line)) is not None]
    unread += [line for line in lines_of(text) if _NEAR_PERFMON.search(line) is not None and _PERFMON.fullmatch(line) is None]
    counters = {(select, mask): description for _, select, mask, description in rows}
    named = list(counters.values())
    records: list[dict[str, str]] = [{}]
    for value, select, mask, description in rows:
        name = description if named.count(description) == 1 else f"{description} ({select}:{mask})"
        if name in records[-1]:
            records.append({})
        records[-1][name] = value
    return [{"run": str(number), **record} if len(records) > 1 else record for number, record in enumerate(records, start=1)]


def _of_ila(text: str, unread: list[str]) -> str | None:
    """A row per sample; windows are runs. What is neither a number nor known ("x") is empty."""
    rows = [row for row in csv.reader(lines_of(text, ends=True)) if any(row)]
    names, kinds, *samples = [[*row, *[""] * (len(rows[0]) - len(row))] for row in rows]
    bases = [_BASES.get(kind.split("-")[-1].strip().upper(), 0) for kind in kinds]
    windows = len({tuple(row[1:2]) for row in samples}) < len(samples)
    made = []
    run = 0
    for row in samples:
        run += row[1] == "0"
        values = [_of_base(cell.strip(), base) for cell, base in zip(row[3:], bases[3:], strict=False)]
        lacks = any(not value and "x" not in cell.lower() for value, cell in zip(values, row[3:], strict=False))
        unread += [",".join(row)] * (lacks or len(row) > len(names))
        made.append([*([str(run)] if windows else []), row[1 if windows else 0], *values])
    return csv_of_rows([*(["run"] if windows else []), "interval", *names[3:]], made)


def _of_base(cell: str, base: int) -> str:
    try:
        return str(int(cell, base)) if base else cell
    except ValueError:
        return ""


def _of_criterion(text: str, unread: list[str]) -> str | None:
    rows = list(csv.DictReader(filter(str.strip, lines_of(text, ends=True))))
    unread += [",".join(map(str, row.values())) for row in rows if not _per_iteration(row)]
    rows = [row for row in rows if row["iteration_count"]]
    unit = rows[0].get("unit") or "ns" if rows else "ns"
    named = [("/".join(filter(None, (row["group"], row["function"], row["value"]))), row) for row in rows]
    several = len({name for name, _ in named}) > 1
    made = []
    for name, of_name in groupby(named, key=lambda each: each[0]):
        for number, (_, row) in enumerate(of_name, start=1):
            made.append([*([name, "whole run"] if several else []), str(number), _per_iteration(row)])
    names = [*(["program", "granularity"] if several else []), "run", f"time per iteration [{unit}]"]
    return csv_of_rows(names, made)


def _per_iteration(row: dict[str, str]) -> str:
    """The sample's time over its iterations; "" where one of them is no number, or is 0."""
    try:
        return f"{float(row.get('sample_measured_value') or row.get('sample_time_nanos') or '') / float(row['iteration_count']):.9g}"
    except (TypeError, ValueError, ZeroDivisionError):
        return ""
