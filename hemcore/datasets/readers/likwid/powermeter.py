"""Reads what `likwid-powermeter` prints: the energy and the mean power of each domain of each socket.

"Runtime: S s", then for each socket "Measure for socket N on CPU M", and for each domain "Domain PKG:", "Energy consumed: E Joules" and
"Power consumed: P Watt". Source: LIKWID, src/applications/likwid-powermeter.lua.
"""

import re
from collections.abc import Sequence

import numpy as np

from hemcore.datasets.readers import decoding
from hemcore.datasets.readers.format import NO_OPTIONS, Format, NoOptions, ReadResult
from hemcore.datasets.readers.perf.perf_rows import Rows
from hemcore.datasets.readers.perf.rows_to_series import readings
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ReadError

_HEAD_LINES = 400
_REMEDY = "Measure with `likwid-powermeter COMMAND`, and send what it printed."
_RUNTIME = re.compile(r"Runtime: ([\d.eE+-]+) s\s*")
_SOCKET = re.compile(r"Measure (?:for socket (\d+) )?on CPU \d+:?\s*")
_DOMAIN = re.compile(r"Domain:? (\w+):?\s*")
_VALUE = re.compile(r"(Energy|Power) consumed: (\S+) (Joules|Watt)s?\s*")
_LIMIT = re.compile(r"(?:Thermal Spec|Minimum|Maximum) (?:Power|Time Window):")  # of the machine, with -i
_BEGUN, _ENDS_AS_VALUE = re.compile(r"(?:Energy|Power) consumed|Runtime"), re.compile(r"(?:^|\W)[\d.,eE+-]+ (?:Joules?|Watts?|s)\s*$")
_LONGEST = 200


def recognise(files: Sequence[UploadedFile]) -> tuple[float, str]:
    """(0.97, why) where each file has a domain and its energy, else 0."""
    for file in files:
        head = decoding.first_lines(file.content, _HEAD_LINES)
        if b"Energy consumed: " not in head or re.search(rb"^Domain:? \w+", head, re.MULTILINE) is None:
            return 0.0, ""
    return (0.97, "energy and power of domains, as likwid-powermeter prints them") if files else (0.0, "")


def read(files: Sequence[UploadedFile], options: NoOptions = NO_OPTIONS) -> ReadResult[CounterSeries]:
    """The measurements of `files` as a series with one interval per run; each socket is an application of its own where there are several.

    Events are "PKG energy [J]" and "PKG power [W]" of each domain, and "Runtime [s]". Raises ReadError for a file without any, and for a
    value that is no number, naming the line.
    """
    return readings([_rows(file) for file in files])


def _rows(file: UploadedFile) -> Rows:
    text = decoding.text_of(file.name, file.content, remedy=_REMEDY)
    rows = Rows(file.name, separate_segments=True)
    sockets = {found[1] for line in decoding.lines_of(text) if (found := _SOCKET.fullmatch(line)) is not None}
    socket = domain = ""
    measured = False
    behind: list[tuple[int, str]] = []
    runtime = np.nan
    for number, line in enumerate(decoding.lines_of(text), start=1):
        if (took := _RUNTIME.fullmatch(line)) is not None:
            rows.start_again()
            runtime, socket, domain = _number(file.name, number, line, took[1]), "", ""
            if len(sockets) < 2:
                rows.add(np.nan, "", "Runtime [s]", runtime, 100)
        elif (place := _SOCKET.fullmatch(line)) is not None:
            socket = f"S{place[1]}" if len(sockets) > 1 else ""
            domain = ""
            if socket:
                rows.add(np.nan, socket, "Runtime [s]", runtime, 100)
        elif (found := _DOMAIN.fullmatch(line)) is not None:
            domain = found[1]
        elif (value := _VALUE.fullmatch(line)) is not None and domain:
            event = f"{domain} {value[1].lower()} [{value[3][0]}]"
            rows.add(np.nan, socket, event, _number(file.name, number, line, value[2]), 100)
            for lost, said in behind:
                rows.repair(lost, "", f"not read, {said[:60]!r}: left out")
            measured, behind = True, []
        elif _BEGUN.match(line) or (_ENDS_AS_VALUE.search(line[-_LONGEST:]) and not _LIMIT.match(line)):
            rows.repair(number, "", f"no value of a domain, {line.strip()[:60]!r}: left out")
        elif measured and any(map(str.isalnum, line)):
            behind.append((number, line.strip()))
            domain = "" if line.rstrip().endswith(":") else domain  # whose values follow is not known
    if behind:
        rows.repair(behind[0][0], "", f"{len(behind)} line{'s' * (len(behind) > 1)} behind the last value, {behind[0][1][:60]!r}: left out")
    if not measured:
        raise ReadError(f"{file.name}: line 1: no 'Energy consumed: ... Joules' under a domain. {_REMEDY}")
    return rows


def _number(name: str, number: int, line: str, value: str) -> float:
    try:
        found = float(value)
    except ValueError:
        found = -1.0
    if not 0 <= found < np.inf:
        raise ReadError(f"{name}: line {number}, {line.strip()[:60]!r}: {value[:20]!r} is not a number of at least 0. {_REMEDY}")
    return found


FORMAT = Format(
    key="likwid_powermeter",
    title="LIKWID power (likwid-powermeter)",
    kind="CounterSeries",
    recognise=recognise,
    read=read,
    options=NoOptions,
    example={
        "power.txt": "CPU name:\tIntel(R) Xeon(R) CPU\nRuntime: 2.00012 s\nMeasure for socket 0 on CPU 0\nDomain PKG:\n"
        "Energy consumed: 180.25 Joules\nPower consumed: 90.12 Watt\nDomain DRAM:\nEnergy consumed: 20.5 Joules\n"
        "Power consumed: 10.25 Watt\n"
    },
)
