"""Metrics of kernels as NVIDIA's profilers write them, as the text of a CSV: Nsight Compute (CSV, raw, text), nvprof --metrics, --events.

Sources: Nsight Compute CLI manual, "Console Output" (https://docs.nvidia.com/nsight-compute/NsightComputeCli/); CUDA profiler user's guide.
"""

import csv
import re

from hemcore.datasets.importing.other_forms.written_csv import csv_of_records, csv_of_rows
from hemcore.datasets.readers.decoding import lines_of

_NCU = re.compile(r'^"?ID"?,"?Process ID"?,.*"?Metric Name"?,', re.MULTILINE)
# --page raw: a row per launch, a column per metric, their units in the second row; what the launch was stands in front.
_NCU_RAW = re.compile(r'^"?ID"?,"?Process ID"?,"?Process Name"?,.*"?Kernel Name"?,', re.MULTILINE)
_OF_LAUNCH = frozenset(
    ("ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Context", "Stream", "Block Size", "Grid Size", "Device", "CC")
)
_NCU_TEXT = re.compile(r"^ +Metric Name +Metric Unit +Metric Value *$", re.MULTILINE)
_LAUNCH = re.compile(r"\s{1,4}(\S.*?)(?: \(\d+, \d+, \d+\)x\(\d+, \d+, \d+\)|, \d{4}-\w{3}-\d+ [\d:]+), Context \d+, Stream \d+.*")
_NVPROF = re.compile(r'^"?Device"?,"?Kernel"?,"?Invocations"?,"?(Metric|Event) Name"?,.*"?Avg"?', re.MULTILINE)
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_SIZES = {"n": 1e-9, "u": 1e-6, "m": 1e-3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
_PREFIXED = re.compile(r"([KMGT])([a-z].*)|([num])(second.*)")
# metric -> its value and unit
Values = dict[str, tuple[str, str]]


def as_table(head: str, text: str) -> str | None:
    """CSV with commas, a header and one row per launch of a kernel, of nvprof one per kernel, with the mean over its calls; None where
    `text`, which begins with `head`, is of neither. A metric in several units is in the unit without prefix."""
    if _NCU.search(head) is not None:
        return _of_launches(_of_ncu(text))
    if (raw := _NCU_RAW.search(head)) is not None:
        return _of_launches(_of_ncu_raw(text[raw.start() :]))
    if _NCU_TEXT.search(head) is not None:
        return _of_launches(_of_ncu_text(text))
    return None if (found := _NVPROF.search(head)) is None else _of_nvprof(text[found.start() :], f"{found[1]} Name")


def _of_ncu(text: str) -> list[tuple[str, Values]]:
    launches: list[tuple[str, Values]] = []
    last: dict[tuple[str, str], Values] = {}
    for row in csv.DictReader(line for line in lines_of(text, ends=True) if not line.startswith("==")):
        if metric := row.get("Metric Name") or "":  # else a remark of its rules
            key = row.get("Process ID") or "", row.get("ID") or ""
            value = row.get("Metric Value") or "", row.get("Metric Unit") or ""
            if metric in last.get(key, {metric: ()}):  # the first of the launch, or another report below
                last[key] = {}
                launches.append((row.get("Kernel Name") or "", last[key]))
            last[key][metric] = value
    return launches


def _of_ncu_raw(text: str) -> list[tuple[str, Values]]:
    rows = csv.DictReader(line for line in lines_of(text, ends=True) if not line.startswith("=="))
    units = next(rows, {})
    names = [name for name in rows.fieldnames or () if name not in _OF_LAUNCH and not name.startswith("launch__")]
    return [(row["Kernel Name"] or "", {name: (row[name] or "", units.get(name) or "") for name in names}) for row in rows]


def _of_ncu_text(text: str) -> list[tuple[str, Values]]:
    launches: list[tuple[str, Values]] = []
    table = False
    for line in lines_of(text):
        cells = re.split(r" {2,}", line.strip())
        if (launch := _LAUNCH.fullmatch(line)) is not None:
            launches.append((launch[1], {}))
        elif _NCU_TEXT.fullmatch(line) is not None:
            table = True
        elif not line.strip():
            table = False
        elif table and launches and 2 <= len(cells) <= 3 and not cells[0].startswith("---"):
            launches[-1][1][cells[0]] = (cells[-1], cells[1] if len(cells) > 2 else "")
    return launches


def _of_nvprof(text: str, name: str) -> str | None:
    kernels: dict[tuple[str, str], dict[str, str]] = {}
    for row in csv.DictReader(line for line in lines_of(text, ends=True) if not line.startswith("==")):
        if row.get(name):
            kernel = kernels.setdefault((row["Device"] or "", row["Kernel"] or ""), {"invocations": row["Invocations"] or ""})
            kernel[row[name] or ""] = row["Avg"] or ""
    several = len({device for device, _ in kernels}) > 1
    named = (
        ({"kernel": f"{kernel} on {device}" if several else kernel, "granularity": "kernel"}, each)
        for (device, kernel), each in kernels.items()
    )
    return csv_of_records(identity | each for identity, each in named)


def _of_launches(launches: list[tuple[str, Values]]) -> str | None:
    units: dict[str, dict[str, None]] = {}
    for _, values in launches:
        for metric, (_, unit) in values.items():
            units.setdefault(metric, {})[unit] = None
    base = {metric: _base(list(found)) for metric, found in units.items()}
    names = [f"{metric} [{base[metric]}]" if base[metric] else metric for metric in units]
    rows = (
        [
            kernel,
            "kernel",
            *(_scaled(_plain(values[metric][0]), values[metric][1], base[metric]) if metric in values else "" for metric in units),
        ]
        for kernel, values in launches
    )
    return csv_of_rows(["kernel", "granularity", *names], rows)


def _plain(value: str) -> str:
    return value.replace(",", "") if _GROUPED.fullmatch(value) else value


def _base(units: list[str]) -> str:
    """The one unit of a metric; of several, that without their prefixes."""
    found = {_split(unit)[1] for unit in units}
    return units[0] if len(units) == 1 else found.pop() if len(found) == 1 else ""


def _split(unit: str) -> tuple[str, str]:
    found = _PREFIXED.fullmatch(unit)
    return ("", unit) if found is None else (found[1] or found[3], found[2] or found[4])


def _scaled(value: str, unit: str, base: str) -> str:
    prefix, stem = _split(unit)
    if unit == base:
        return value
    if stem != base:
        return f"{value} {unit}"  # no number: reading tells of it
    try:
        return f"{float(value) * _SIZES.get(prefix, 1.0):.15g}"
    except ValueError:
        return value
