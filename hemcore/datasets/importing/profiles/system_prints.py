"""What tools of the system print of sensors, tasks and networks, as the text of a CSV: pmrep, intel_gpu_top, netperf, cyclictest, FreeRTOS,
stress-ng, sysbench.

Sources: pmrep(1) of Performance Co-Pilot; intel_gpu_top(1), `-l`; netperf's manual, 5 and 6; rt-tests,
cyclictest.c; FreeRTOS, vTaskGetRunTimeStats; stress-ng, stress-ng.c (metrics); sysbench, report_intermediate.
"""

import re
from collections.abc import Iterator
from itertools import islice, pairwise

from hemcore.datasets.importing.other_forms.written_csv import csv_of_records, csv_of_rows
from hemcore.datasets.readers.decoding import lines_of

_HEAD = 60
_TIME = re.compile(r"\d{2}:\d{2}:\d{2}(?:\.\d+)?")
_WORDS = re.compile(r"\S+")
_PMREP_NAME = re.compile(r"(?:[a-z]\w*\.)+[A-Za-z_]\w*")
_GPU = re.compile(r"\s*Freq MHz\s+IRQ\s+RC6\s+(?:Power W\s+)?(?:(?:IMC|MEM) \S+\s+)*[A-Z]{2,5}\b.*")
_GPU_PARTS = re.compile(r"Freq MHz|Power W|(?:IMC|MEM) \S+|\S+")
_NETPERF = re.compile(
    r"(?:MIGRATED )?(?P<test>TCP STREAM|TCP MAERTS|TCP SENDFILE|(?:TCP|UDP) REQUEST/RESPONSE|TCP Connect/Request/Response) TEST\b.*"
)
_STREAM = ("receive socket [bytes]", "send socket [bytes]", "message [bytes]", "", "throughput [10^6bits/s]")
_REQUESTS = ("send socket [bytes]", "receive socket [bytes]", "request [bytes]", "response [bytes]", "", "transactions [1/s]")
_THREAD = re.compile(
    r"T:\s*(?P<thread>\d+) \(\s*\d+\) P:\s*\d+ I:\s*(?P<interval>\d+) C:\s*(?P<loops>\d+) Min:\s*(?P<min>\d+) Act:\s*(?P<last>\d+)"
    r" Avg:\s*(?P<mean>\d+) Max:\s*(?P<max>-?\d+)\s*"
)
_LATENCY = re.compile(r"\s*(\d+):\s*(\d+):\s*(-?\d+)\s*")
_TASKS = re.compile(r"\|?\s*Task\s*\|?\s+(?:Abs|Run) Time\s*\|?\s+(?:% Time|Percentage)\s*\|?\s*")
_TASK = re.compile(r"\|?\s*(\S.*?)\s*(?:\||[ \t])\s*(\d+)\s*(?:\||[ \t])\s*(<?\d+)%\s*\|?\s*")
_STRESS = re.compile(
    r"stress-ng: (?:info|metrc):\s+\[\d+\] (?P<name>[a-z][\w-]*)\s+(?P<ops>\d+)\s+(?P<real>[\d.]+)\s+(?P<usr>[\d.]+)\s+(?P<sys>[\d.]+)"
    r"\s+(?P<rate>[\d.]+)\s+[\d.]+(?:\s.*)?"
)
_SYSBENCH = re.compile(
    r"\[ (?P<time>\d+)s \] (?:\[[\d-]+\] )?thds: \d+ (?:tps: (?P<tps>[\d.]+) qps|eps): (?P<rate>[\d.]+)(?: \(.*?\))?"
    r" lat \((?P<unit>m?s),(?P<which>\d+%)\): (?P<latency>[\d.]+).*"
)
_FEWEST = 3


def as_table(text: str) -> str | None:
    """CSV with commas, a header and a row per reading, report, thread or task; None where `text` is of none of these tools.

    Of pmrep the three rows above the values name a column: metric, instance, unit. Of intel_gpu_top an engine's name stands before its "%",
    "se" and "wa". Of netperf one row per report, without its length. Of stress-ng a row per stressor, of sysbench one per interval. Of
    cyclictest a row per thread, or with -v per wake-up. Of FreeRTOS the time of each task; its share is left out.
    """
    head = list(islice(lines_of(text), _HEAD))
    if any(_GPU.fullmatch(line) for line in head):
        return _of_gpu(text)
    if (rows := _of_pmrep(head, text)) is not None:
        return rows
    if any(map(_STRESS.fullmatch, head)):
        stressors = (each for line in lines_of(text) if (each := _STRESS.fullmatch(line)) is not None)
        names = ["program", "granularity", "bogo ops", "real [s]", "usr [s]", "sys [s]", "bogo ops/s"]
        return csv_of_rows(names, ([each["name"], "whole run", *each.group("ops", "real", "usr", "sys", "rate")] for each in stressors))
    if any(map(_SYSBENCH.fullmatch, head)):
        found = [each for line in lines_of(text) if (each := _SYSBENCH.fullmatch(line)) is not None]
        return csv_of_records(map(_of_sysbench, found))
    if any(_NETPERF.match(line) for line in head):
        return csv_of_records(_of_netperf(text))
    if any(_THREAD.fullmatch(line) for line in head):
        found = [each for line in lines_of(text) if (each := _THREAD.fullmatch(line)) is not None]
        names = ["program", "granularity", "loops", "interval [us]", "mean latency [us]", "last latency [us]"]
        return csv_of_rows(
            names, ([f"thread {each['thread']}", "whole run", *each.group("loops", "interval", "mean", "last")] for each in found)
        )
    body = [line for line in head if line.strip() and not line.startswith(("#", "policy:"))]
    if len(body) >= _FEWEST and all(map(_LATENCY.fullmatch, body)):
        wakes = [each.groups() for line in lines_of(text) if (each := _LATENCY.fullmatch(line)) is not None]
        return csv_of_rows(["program", "interval", "latency [us]"], ([f"thread {thread}", *rest] for thread, *rest in wakes))
    return _of_tasks(body, text)


def _of_sysbench(line: re.Match[str]) -> dict[str, str]:
    rates = {"tps": line["tps"], "qps": line["rate"]} if line["tps"] else {"eps": line["rate"]}
    return {"time [s]": line["time"], **rates, f"latency {line['which']} [{line['unit']}]": line["latency"]}


def _of_gpu(text: str) -> str | None:
    names: list[str] = []
    rows: list[list[str]] = []
    for above, line in pairwise(lines_of(text)):
        if _GPU.fullmatch(above) is not None:
            names = _under(above, line)
        elif names and len(cells := line.split()) == len(names) and cells[0].isdigit():
            rows.append([str(len(rows) + 1), *cells])
    return csv_of_rows(["interval", *names], rows)


def _under(groups: str, names: str) -> list[str]:
    """Each name behind the title of its group, which ends where its last name does, or stands over the middle of its names."""
    spans = [(each.start(), each.end(), each[0]) for each in _GPU_PARTS.finditer(groups)]
    found = []
    for each in _WORDS.finditer(names):
        title = next((title for _, end, title in spans if end >= each.end() - 1), spans[-1][2])
        found.append(f"{title} {each[0]}")
    return found


def _of_pmrep(head: list[str], text: str) -> str | None:
    first = next((place for place, line in enumerate(head) if _TIME.match(line)), 0)
    above = [line for line in head[:first] if line.strip()]
    top = next((place for place, line in enumerate(above) if all(map(_PMREP_NAME.fullmatch, line.split()))), None)
    time = _TIME.match(head[first]) if top is not None else None
    if top is None or time is None:
        return None
    ends = [each.end() for each in _WORDS.finditer(above[top])]
    names = []
    for start, end in zip([time.end(), *ends], ends, strict=False):
        name, *below = (line[start:end].strip() for line in above[top:])
        unit = f" [{below[-1]}]" if below and below[-1] else ""
        names.append(" ".join(filter(None, (name, *below[:-1]))) + unit)
    rows = [line.split() for line in lines_of(text) if _TIME.match(line)]
    if any(len(row) != len(names) + 1 for row in rows):
        return None
    return csv_of_rows(["time", *names], ([row[0], *("" if cell in ("N/A", "?") else cell for cell in row[1:])] for row in rows))


def _of_netperf(text: str) -> Iterator[dict[str, str]]:
    names: tuple[str, ...] = ()
    tests = {each["test"] for line in lines_of(text) if (each := _NETPERF.match(line)) is not None}
    test, run = "", 0
    for line in lines_of(text):
        if (begun := _NETPERF.match(line)) is not None:
            test, names = begun["test"], _REQUESTS if "REQUEST" in begun["test"].upper() else _STREAM
        elif names and len(cells := line.split()) == len(names) and all(cell.replace(".", "", 1).isdigit() for cell in cells):
            run += 1
            counts = {name: cell for name, cell in zip(names, cells, strict=True) if name}
            yield {"run": str(run), **({"program": test} if len(tests) > 1 else {}), **counts}
            names = ()


def _of_tasks(body: list[str], text: str) -> str | None:
    titled = bool(body) and _TASKS.fullmatch(body[0]) is not None
    lines = [line for line in lines_of(text) if line.strip() and not line.startswith("*")][titled:]
    if len(lines) < _FEWEST or not all("%" in line and _TASK.fullmatch(line) is not None for line in lines):
        return None
    found = map(_TASK.fullmatch, lines)
    return csv_of_rows(["task", "granularity", "run time [ticks]"], ([each[1], "whole run", each[2]] for each in found if each is not None))
