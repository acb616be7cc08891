"""What IPM prints at the end of a run of MPI, its banner, as the text of a CSV: totals over the tasks of the run and of each region.

Source: the user's guide of IPM 2, "Report banner"; that of IPM 0.98 names each task's wall clock in the same table.
"""

import re
from collections.abc import Iterator
from itertools import islice

from hemcore.datasets.importing.other_forms.written_csv import csv_of_records
from hemcore.datasets.readers.decoding import lines_of

_HEAD = 200
_BANNER = re.compile(r"#+\s*IPM ?v?\d", re.IGNORECASE)
_COMMAND = re.compile(r"#\s*command\s*:\s*(\S.*?)\s*(?:\(completed\)\s*)?")
_REGION = re.compile(r"#\s*region\s*:\s*(\S.*?)\s*(?:\[ntasks\].*)?")
_TOTALS = re.compile(r"#\s*:?\s*\[total\]\s+<avg>\s+min\s+max\s*")
_ROW = re.compile(r"#\s*([^\s:#][^:]*?)\s*:?((?:\s+\d[\d.]*(?:[eE][+-]?\d+)?){4})\s*")
_TIMES = ("wallclock", "user", "system", "mpi")
_NO_COUNTS = re.compile(r"%|/|gbytes|mem\b|entries", re.IGNORECASE)


def as_table(text: str) -> str | None:
    """CSV with commas, a header and a row per banner, or per region of it: the command, its times in s and its counts over all tasks; None
    where `text` is none of IPM. Means, extremes, shares and rates are left out, and the calls of MPI."""
    if not any(map(_BANNER.match, islice(lines_of(text), _HEAD))):
        return None
    return csv_of_records(_reports(text))


def _reports(text: str) -> Iterator[dict[str, str]]:
    command, region, found, within = "", "", dict[str, str](), False
    for line in lines_of(text):
        if (told := _COMMAND.fullmatch(line)) is not None:
            command, region = told[1], ""
        elif (told := _REGION.fullmatch(line)) is not None:
            region = "" if told[1] == "*" else told[1]
        elif _TOTALS.fullmatch(line) is not None:
            program = f"{command or 'IPM'} ({region})" if region else command or "IPM"
            within, found = True, {"program": program, "granularity": "region" if region else "whole run"}
        elif within and (row := _ROW.fullmatch(line)) is not None:
            name = f"{row[1]} of all tasks [s]" if row[1].lower() in _TIMES else row[1]
            found |= {} if _NO_COUNTS.search(name) else {name: row[2].split()[0]}
        elif (within and "[time]" in line) or not line.startswith("#"):
            yield from [found] * (len(found) > 2)
            found, within = {}, False
    yield from [found] * (len(found) > 2)
