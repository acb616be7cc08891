"""What a machine's own tools log of it, as the text of a CSV: tegrastats of NVIDIA's boards, Intel's EMON, nstat.

Sources: NVIDIA, Jetson Linux Developer Guide, "tegrastats Utility"; Intel, EMON User's Guide, "EMON output"; nstat(8).
"""

import re
from collections.abc import Iterator
from itertools import islice

from hemcore.datasets.importing.other_forms.written_csv import csv_of_records
from hemcore.datasets.readers.decoding import lines_of

_HEAD, _FEWEST = 60, 2
_DAY = r"(?P<month>\d\d)[-/](?P<day>\d\d)[-/](?P<year>\d{4}) (?P<clock>\d\d:\d\d:\d\d(?:\.\d+)?)"  # the month first, wherever it is
_TEGRA = re.compile(rf"(?:{_DAY} )?RAM \d+/\d+MB .*\bCPU \[[^\]]*\].*")
_MEMORY = re.compile(r"\b(RAM|SWAP|IRAM) (\d+)/\d+([kM]B)")
_CORES = re.compile(r"\bCPU \[([^\]]*)\]")
_CORE = re.compile(r"(\d+)%@(\d+)")
_ENGINE = re.compile(r"\b([A-Z][A-Z0-9_]*) (\d+)%")
_HEAT = re.compile(r"\b([A-Za-z][\w-]*)@(-?\d+(?:\.\d+)?)C\b")
_POWER = re.compile(r"\b([A-Z][A-Z0-9_]*) (\d+)(?:mW)?/\d+(?:mW)?(?= |$)")
_EMON_TIME = re.compile(rf"{_DAY}\s*")
_EMON_EVENT = re.compile(r"([A-Za-z][\w.:=-]*)\t([\d,]+)\t((?:[\d,]{1,40}|N/A|-+)(?:\t(?:[\d,]{1,40}|N/A|-+))*)\t?\s*")
_NSTAT = re.compile(r"([A-Z]\w+)\s+(\d+)\s+\d+\.\d+\s*")

Record = dict[str, str]


def as_table(text: str) -> str | None:
    """CSV with commas and a row per moment; None where `text` is of none of these.

    Of EMON each processor is a row, where all events have as many values; else events are added up over what counted them. Of nstat one
    row of counts, without rates.
    """
    head = list(islice((line for line in lines_of(text) if line.strip()), _HEAD))
    if head and all(_TEGRA.match(line) for line in head):
        return csv_of_records(_numbered(list(_of_tegrastats(text))))
    if sum(map(bool, map(_EMON_EVENT.fullmatch, head))) >= _FEWEST and any(map(_EMON_TIME.fullmatch, head)):
        return csv_of_records(_of_emon(text))
    if head and head[0].startswith("#") and len(head) > _FEWEST and all(map(_NSTAT.fullmatch, head[1:])):
        found = map(_NSTAT.fullmatch, filter(str.strip, list(lines_of(text))[1:]))
        return csv_of_records([{"run": "1"} | {each[1]: each[2] for each in found if each is not None}])
    return None


def _time_of(found: re.Match[str]) -> str:
    return "{year}-{month}-{day} {clock}".format(**found.groupdict())


def _numbered(records: list[Record]) -> list[Record]:
    """The records, numbered where they have no times."""
    return [record if "time" in record else {"interval": str(number), **record} for number, record in enumerate(records, start=1)]


def _of_tegrastats(text: str) -> Iterator[Record]:
    for line in filter(str.strip, lines_of(text)):
        begun = _TEGRA.match(line)
        record: Record = {"time": _time_of(begun)} if begun is not None and begun["year"] else {}
        record |= {f"{name} [{unit}]": value for name, value, unit in _MEMORY.findall(line)}
        cores = _CORES.search(line)
        for number, core in enumerate(cores[1].split(",") if cores is not None else ()):
            if (busy := _CORE.fullmatch(core.strip())) is not None:  # else "off"
                record |= {f"CPU {number} [%]": busy[1], f"CPU {number} [MHz]": busy[2]}
        record |= {f"{name} [%]": value for name, value in _ENGINE.findall(line) if name != "CPU"}
        record |= {f"{name} [°C]": value for name, value in _HEAT.findall(line)}
        yield record | {f"{name} [mW]": value for name, value in _POWER.findall(line)}


def _of_emon(text: str) -> Iterator[Record]:
    samples: list[tuple[str, dict[str, list[str]]]] = []
    for line in lines_of(text):
        if (time := _EMON_TIME.fullmatch(line)) is not None and (not samples or samples[-1][1]):
            samples.append((_time_of(time), {}))
        elif (event := _EMON_EVENT.fullmatch(line)) is not None and samples:
            samples[-1][1].setdefault(event[1], [cell.replace(",", "") if cell[0].isdigit() else "" for cell in event[3].split("\t")])
    samples = list(_together(samples))
    several = {len(values) for _, counts in samples for values in counts.values()}
    for time_of, counts in samples:
        if len(several) == 1:
            for number, cells in enumerate(zip(*counts.values(), strict=True)):
                part = {"thread": str(number)} if max(several) > 1 else {}
                yield {"time": time_of, **part, **dict(zip(counts, cells, strict=True))}
        else:
            yield {"time": time_of} | {event: str(sum(map(int, filter(None, values)))) for event, values in counts.items() if any(values)}


def _together(groups: list[tuple[str, dict[str, list[str]]]]) -> Iterator[tuple[str, dict[str, list[str]]]]:
    """The groups of events that were counted one after the other, as one sample: until an event comes again."""
    made: tuple[str, dict[str, list[str]]] | None = None
    for time, counts in groups:
        if made is not None and made[1].keys() & counts.keys():
            yield made
            made = None
        made = (time, dict(counts)) if made is None else (made[0], made[1] | counts)
    if made is not None:
        yield made
