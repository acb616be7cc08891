"""Reads what OProfile's `ocount` prints: a block of events, their counts and the share of the time in which each was counted.

"Events were actively counted for S seconds.", "Event counts (actual) for COMMAND:" ("scaled" where events took turns), a header
"Event Count % time counted" and one row per event. With --time-interval, "Current time (seconds since epoch): N" stands above each block.
With --brief-format each line is "event,count,percent", with the time in front where there are intervals.
Source: OProfile manual (https://oprofile.sourceforge.io/doc), ocount; libop and pe_counting in its sources.
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

_HEAD_BYTES, _LONGEST, _LOOKED_AT = 200_000, 1_000, 50
_REMEDY = "Count with `ocount -f FILE -e EVENT,... COMMAND`, and send the file as it is."
_BLOCK = re.compile(r"Event counts \((?:actual|scaled)\) for (.*?):?\s*", re.IGNORECASE)
_TIME = re.compile(r"Current time \(seconds since epoch\): (\d+)\s*")
_HEADER = re.compile(r"\s*Event\s+Count\s+% time (?:counted|enabled)\s*")
_BRIEF = re.compile(r"(?:(?P<at>\d{9,11}),)?((?=[\d:.+-]{0,200}[A-Za-z_])[\w:.+-]{1,200}),(\d+),((?:100|\d{1,2})\.\d\d)")
_ROW = re.compile(r"\s+(\S+)\s+(\d[\d,.' ]*?)\s+(\d+(?:[.,]\d+)?)\s*")


def recognise(files: Sequence[UploadedFile]) -> tuple[float, str]:
    """(0.95, why) where each file has the header of ocount, else 0."""
    for file in files:
        head = decoding.head_text(file.content, _HEAD_BYTES)
        whole = "Event counts (" in head and any(map(_HEADER.fullmatch, head.split("\n")))
        if not whole and not _is_brief(head):
            return 0.0, ""
    return (0.95, "a block of events of ocount, with counts and the share of time counted") if files else (0.0, "")


def read(files: Sequence[UploadedFile], options: NoOptions = NO_OPTIONS) -> ReadResult[CounterSeries]:
    """The blocks of `files`: each a run of one interval, or an interval where ocount printed the time above it.

    Scaled counts are estimates of ocount: their share of time is kept, so the table is MPX. Raises ReadError for a file without a block,
    for a table of another form (--separate-cpu), and for a row that is none, naming the line.
    """
    return readings([_rows(file) for file in files])


def _is_brief(head: str) -> bool:
    """Whether the first lines are those of --brief-format: an event, its count and a percentage, without a header."""
    lines = [line for line in head.strip().split("\n")[:_LOOKED_AT] if _TIME.fullmatch(line) is None]
    return len(lines) > 0 and all(map(_BRIEF.fullmatch, lines))


def _rows(file: UploadedFile) -> Rows:
    text = decoding.text_of(file.name, file.content, remedy=_REMEDY)
    rows = Rows(file.name, shares_cut=False, separate_segments=True, tool="ocount")
    long = next((number for number, line in enumerate(decoding.lines_of(text), start=1) if len(line) > _LONGEST), 0)
    if long:
        raise ReadError(f"{file.name}: line {long} has more than {_LONGEST:,} characters, as none of ocount has. {_REMEDY}")
    commands = {found[1] for line in decoding.lines_of(text) if (found := _BLOCK.fullmatch(line)) is not None}
    start, time, inside = np.nan, np.nan, False
    for number, line in enumerate(decoding.lines_of(text), start=1):
        if (at := _TIME.fullmatch(line)) is not None:
            start = float(at[1]) if np.isnan(start) else start
            time, inside = float(at[1]) - start, False
        elif (block := _BLOCK.fullmatch(line)) is not None:
            inside = False
            if np.isnan(time):
                rows.start_again(block[1] if len(commands) > 1 else "")
        elif (brief := _BRIEF.fullmatch(line)) is not None:
            share = float(brief[4])
            if brief["at"]:
                start = float(brief["at"]) if np.isnan(start) else start
                time = float(brief["at"]) - start
            rows.add(time, "", brief[2], float(brief[3]) if share else np.nan, share)
        elif _HEADER.fullmatch(line) is not None:
            inside = True
        elif re.match(r"\s*Event\b.*\bCount\b", line) is not None:
            raise ReadError(f"{file.name}: line {number}, {line.strip()[:60]!r}, is a table by CPU or thread. {_REMEDY}")
        elif not line.strip() or line.startswith("Events were actively counted"):
            inside = inside and bool(line.strip())
        elif inside:
            found = _ROW.fullmatch(line)
            if found is None:
                raise ReadError(f"{file.name}: line {number}, {line.strip()[:60]!r}, is not an event, a count and a percentage. {_REMEDY}")
            share = float(found[3].replace(",", "."))
            rows.add(time, "", found[1], float(re.sub(r"\D", "", found[2])) if share else np.nan, share)
        else:
            rows.outside(line)
    if not len(rows):
        raise ReadError(f"{file.name}: line 1: no row of ocount under 'Event Count % time counted'. {_REMEDY}")
    return rows


FORMAT = Format(
    key="ocount",
    title="ocount (OProfile)",
    kind="CounterSeries",
    recognise=recognise,
    read=read,
    options=NoOptions,
    example={
        "ocount.txt": "Events were actively counted for 1.3 seconds.\nEvent counts (actual) for /usr/bin/sort:\n"
        "\tEvent                    Count                    % time counted\n"
        "\tcpu_clk_unhalted         812,000                  100.00\n\tinst_retired             640,100                  100.00\n"
    },
)
