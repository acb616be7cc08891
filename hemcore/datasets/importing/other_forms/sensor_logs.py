"""What sensors say again and again, a line each, as the text of a CSV: ipmitool, lm-sensors, powermetrics, and dated lines of these."""

import csv
import io
import re
from itertools import islice

from hemcore.datasets.importing.date_times import duration_of, kind_of, with_numbers
from hemcore.datasets.readers.decoding import lines_of

_UNIT = (
    r"(?P<unit>degrees [CF]|°[CF]|percent|%|RPM|(?:milli|kilo)?[Ww]atts?|[mk]?W|(?:milli)?[Vv]olts?|m?V|(?:milli)?[Aa]mps?|m?A"
    r"|[Jj]oules?|[km]?J|[kMG]?Hz)"
)
_STAMP = r"(?:(?P<stamp>\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?)[\s,;]+)?"
_COLON = re.compile(rf"\s*{_STAMP}(?P<name>[^\W\d][^:|=]{{0,80}}):\s+(?P<value>[+-]?\d+(?:\.\d+)?)\s*{_UNIT}\.?(?:\s+\(.*)?\s*")
# `ipmitool sdr`: name | value unit | ok; elist: with its id and place; `ipmitool sensor`: name | value | unit | ok | six limits.
_STATE = r"(?:ok|ns|na|nc|cr|nr|l?u?n?[ucn][rcn]|0x[0-9a-f]+)"
_SDR = re.compile(rf"(?P<name>[^|]+?)\s*\|\s*(?P<value>[+-]?\d+(?:\.\d+)?) {_UNIT}\s*\|\s*{_STATE}\s*")
_SENSOR = re.compile(rf"(?P<name>[^|]+?)\s*\|\s*(?P<value>[+-]?\d+\.\d+)\s*\|\s*{_UNIT}\s*\|\s*{_STATE}\s*(?:\|[^|]*){{6}}")
_ELIST = re.compile(rf"(?P<name>[^|]+?)\s*\|\s*[0-9A-F]+h\s*\|\s*{_STATE}\s*\|\s*[\d.]+\s*\|\s*(?P<value>[+-]?\d+(?:\.\d+)?) {_UNIT}\s*")
# Of a sensor that says nothing, or is on or off.
_SILENT = re.compile(rf"[^|]+\|[^|]*\|\s*(?:[^|]*\|\s*)?{_STATE}\s*(?:\|[^|]*){{0,6}}")
_CHIP = re.compile(r"[\w-]+-(?:isa|pci|acpi|virtual|i2c|hid|mdio|scsi|nvme|spi)-[\w-]+")
_WITHIN = re.compile(r"\b[A-Z][a-z]{2},? (?:[A-Z][a-z]{2}|\d{1,2}) +(?:\d{1,2}|[A-Z][a-z]{2}) [^()+]*\d{4}\b(?: \d{2}:\d{2}:\d{2})?")
_TIMED = re.compile(r"(?:time|elapsed|elapsed time)\s*[:=]\s*(.+)", re.IGNORECASE)
# Of the whole time since the board was reset, not of the sample.
_HISTORY = re.compile(r"(?:Minimum|Maximum|Average)\b")
_PROBED, _FEWEST, _SHARE, _LONGEST = 60, 3, 4, 300
_OTHERS = "other lines"


def as_table(text: str) -> str | None:
    """CSV with commas, a header and one row per sample; None where fewer than a quarter of the first lines are readings with a unit.

    A sample begins where a reading of a sensor comes again, and at a line with a time where the one before has its time already. The time
    stands in a line of its own or in front of a reading; without any, samples are numbered. Columns are "NAME [unit]", with the chip where
    two chips have a sensor of one name.
    All other lines of a sample stand in a column of their own, so that reading tells of them.
    """
    first = list(islice((line for line in lines_of(text) if line.strip()), _PROBED))
    if _SHARE * sum(_reading(line) is not None for line in first) < len(first) or not first:
        return None
    samples: list[dict[tuple[str, str], str]] = [{}]
    times, others = [""], [[""]]
    chip = ""
    for line in lines_of(text):
        words = line.strip()
        if len(words) > _LONGEST:
            others[-1].append(words[:_LONGEST])
            continue
        found = _reading(words)
        at = _time_of(words) if found is None else found["stamp"] if "stamp" in found.re.groupindex else None
        key = None if found is None or _HISTORY.match(found["name"]) else (chip, f"{' '.join(found['name'].split())} [{found['unit']}]")
        if (samples[-1] and times[-1] and found is None and at) or (key is not None and key in samples[-1]):
            samples.append({})
            times.append("")
            others.append([])
        preamble = len(samples) == 1 and not samples[0]  # "Boot time: ..." stands above the first sample
        times[-1] = at if at and preamble else times[-1] or at or ""
        if key is not None and found is not None:
            samples[-1][key] = found["value"]
        elif _CHIP.fullmatch(words) is not None:
            chip = words
        elif words and not (at and found is None) and _SILENT.fullmatch(words) is None:
            others[-1].append(words)
    if len(samples) < _FEWEST:
        return None
    return _csv(samples, times, others)


def _reading(line: str) -> re.Match[str] | None:
    if len(line) > _LONGEST:
        return None
    return (
        _COLON.fullmatch(line.strip()) or _SDR.fullmatch(line.strip()) or _SENSOR.fullmatch(line.strip()) or _ELIST.fullmatch(line.strip())
    )


def _time_of(words: str) -> str:
    """The time that a line says, "0.5 s" of "Time: 0.5 s"; as ISO where it is within other words, as ctime writes it; "" for none."""
    named = _TIMED.fullmatch(words)
    if named is not None and duration_of(named[1]) is not None:
        return named[1]
    if kind_of(words) in ("date-time", "clock"):
        return words
    found = _WITHIN.search(words)
    return with_numbers(found[0]) if found is not None else ""


def _csv(samples: list[dict[tuple[str, str], str]], times: list[str], others: list[list[str]]) -> str:
    keys = list(dict.fromkeys(key for sample in samples for key in sample))
    names = [name for _, name in keys]
    shown = [f"{chip} {name}" if names.count(name) > 1 else name for chip, name in keys]
    timed = all(times)
    rest = [" / ".join(filter(None, lines))[:200] for lines in others]
    made = io.StringIO()
    writer = csv.writer(made, lineterminator="\n")
    writer.writerow(["time" if timed else "sample", *shown, *([_OTHERS] if any(rest) else [])])
    for number, (sample, time, lines) in enumerate(zip(samples, times, rest, strict=True), start=1):
        cells = [sample.get(key, "").removeprefix("+") for key in keys]
        writer.writerow([time if timed else number, *cells, *([lines] if any(rest) else [])])
    return made.getvalue()
