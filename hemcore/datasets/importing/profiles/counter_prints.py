"""What three small tools print of counters and sensors, as the text of a CSV: LinuxPerf.jl, the simulator of Ibex, MSI Afterburner.

Sources: LinuxPerf.jl, src/LinuxPerf.jl (printing of Stats); lowRISC Ibex, dv/verilator/pcount; the head of Afterburner's monitoring log.
"""

import re
from collections.abc import Iterator

from hemcore.datasets.importing.other_forms.written_csv import csv_of_records, csv_of_rows
from hemcore.datasets.readers.decoding import lines_of

# "┌ instructions   4.12e+09   75.0%  #  3.4 insns per cycle"; before it the thread, where the counts are per thread.
_COUNTED = re.compile(r"\s*[╶┌│├└]\s+(?P<name>\S++(?: \S++)*+)\s{2,}+(?P<count>\d[\d.]*(?:e[+-]?\d+)?)\s+[\d.]+%(?:\s.*)?")
_RULE = re.compile(r"\s*━{10,}\s*")
_THREAD = re.compile(r"\s*Thread #(\d+)\b.*")
_IBEX = re.compile(r"^Performance Counters\n=+\n(?P<lines>(?:[A-Z][\w /]*:[ ]+\d+\n?)+)", re.MULTILINE)
_LOG = re.compile(r"\s*00, \d\d-\d\d-\d{4} \d\d:\d\d:\d\d, Hardware monitoring log")
_STAMP = re.compile(r"(\d\d)-(\d\d)-(\d{4}) (\d\d:\d\d:\d\d)")
_NAMES, _SENSOR, _READING = "02", "03", "80"


def as_table(text: str) -> str | None:
    """CSV with commas and a header: a row per print or thread of LinuxPerf.jl, one of Ibex, one per reading of Afterburner; None where
    `text` is of none of them. Counters that LinuxPerf.jl could not read have an empty cell; Ibex's without a name are left out."""
    if _LOG.match(text) is not None:
        return _of_afterburner(text)
    if any(_RULE.fullmatch(line) for line in lines_of(text[:4_000])) and any(map(_COUNTED.fullmatch, lines_of(text[:8_000]))):
        return csv_of_records(_of_julia(text))
    if (found := _IBEX.search(text)) is not None:
        pairs = (line.partition(":") for line in lines_of(found["lines"]) if line)
        return csv_of_records([{name: count.strip() for name, _, count in pairs if name != "NONE"}])
    return None


def _of_julia(text: str) -> Iterator[dict[str, str]]:
    """A row ends where a thread or a print does."""
    row: dict[str, str] = {}
    thread = ""
    for line in (*lines_of(text), "━" * 10):
        begins = _THREAD.fullmatch(line)
        if (begins is not None or _RULE.fullmatch(line)) and row:
            yield {"thread": thread} | row if thread else row
            row = {}
        thread = begins[1] if begins is not None else thread
        if (found := _COUNTED.fullmatch(line)) is not None:
            row[found["name"]] = found["count"]


def _of_afterburner(text: str) -> str | None:
    """Its days are written before its months, whatever the system's language is."""
    names: list[str] = []
    units: list[str] = []
    rows: list[list[str]] = []
    for line in lines_of(text):
        kind, _, rest = line.partition(",")
        stamp, _, rest = rest.strip().partition(",")
        cells = [cell.strip() for cell in rest.split(",")]
        if kind.strip() == _NAMES:
            names, units = cells, []
        elif kind.strip() == _SENSOR:
            units += cells[2:3]
        elif kind.strip() == _READING and (found := _STAMP.fullmatch(stamp.strip())) is not None:
            day, month, year, clock = found.groups()
            rows.append([f"{year}-{month}-{day} {clock}", *("" if cell == "N/A" else cell for cell in cells)])
    units += [""] * (len(names) - len(units))
    return csv_of_rows(["time", *(f"{name} [{unit}]" if unit else name for name, unit in zip(names, units, strict=False))], rows)
