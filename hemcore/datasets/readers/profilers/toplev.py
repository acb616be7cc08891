"""Reads `toplev.py` of pmu-tools, with -x, or as it prints for people: a row per metric, of an interval (-I) and a core where they are told
apart.

`Timestamp,CPUs,Area,Value,Unit,Description,Sample,Stddev,Multiplex,Bottleneck,Idle`; versions before 4.0 write no header, and begin with
`# VERSION on CPU`, as does what is printed for people: `[time] [place] area metric unit value [share] <==`. The unit says `<` where a
metric is below its threshold.
Source: pmu-tools (https://github.com/andikleen/pmu-tools), tl_output.py and the toplev manual.
"""

import re
from collections.abc import Sequence

import pandas as pd

from hemcore.datasets.readers import decoding
from hemcore.datasets.readers.format import NO_OPTIONS, Format, NoOptions, ReadResult, read_result
from hemcore.datasets.readers.known_files import remembered_alone
from hemcore.datasets.readers.profilers.tool_tables import ToolTable, head_cells, tool_table
from hemcore.datasets.readers.repairs import Repair
from hemcore.datasets.readers.series.readings import runs_of_files, with_places
from hemcore.datasets.readers.series.sampled_values import series_of_samples
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ReadError

_LOOKED_AT = 6  # lines
_ALWAYS = ["Area", "Value", "Unit", "Description"]
# The first line of perf's files, "# started on ...", is none of toplev.
_OLD = re.compile(r"#,? ?(?!started on )\S.* on .+")
_OLD_TIME, _OLD_PLACE = re.compile(r"\d+\.\d+|SUMMARY"), re.compile(r"(?:S\d+-)?C\d+(?:-T\d+)?|S\d+|CPU\d+")
_PRINTED = re.compile(
    r"(?:(\d+\.\d+)\s+)?(?:((?:S\d+-)?C\d+(?:-T\d+)?|S\d+|CPU\d+)\s+)?([A-Z][\w/.+-]*)\s+([A-Z]\S*)\s{2,}(\S(?: ?\S)*?)\s{2,}"
    r"(-?[\d,]+(?:\.\d+)?)(?:\s*[<?]*)?(?:\s*\[\s*[\d.]+%\])?(?:\s*<==.*)?\s*"
)
_BELOW = re.compile(r"[\s<?]+$")
_REMEDY = "Send what `toplev.py -x, -o FILE.csv COMMAND` wrote."


def _is_header(cells: Sequence[str]) -> bool:
    return [cell for cell in cells if cell in _ALWAYS] == _ALWAYS


def _is_old(file: UploadedFile) -> bool:
    lines = decoding.first_lines(file.content, _LOOKED_AT).decode("utf-8", errors="replace").split("\n")
    begins = next((number for number, line in enumerate(lines) if _OLD.match(line)), None)
    return begins is not None and any(map(_row_of, lines[begins + 1 : begins + 3]))


@remembered_alone
def recognise(files: Sequence[UploadedFile]) -> tuple[float, str]:
    """(0.99, why) where each file has toplev's header, or the first line of versions that wrote none; else 0."""
    if files and all(head_cells(file, _is_header) or _is_old(file) for file in files):
        return 0.99, "metrics of toplev (pmu-tools), one row per metric and interval"
    return 0.0, ""


def read(files: Sequence[UploadedFile], options: NoOptions = NO_OPTIONS) -> ReadResult[CounterSeries]:
    """The series of the files, each a run (see runs_of_files); each core or thread is an application of its own.

    Events are the metrics with their unit ("Frontend_Bound [% Slots]"). Rows of the summary of an interval run are left out and noted, as
    is what Multiplex and Stddev say. Raises ReadError as tool_table does.
    """
    repairs: list[Repair] = []
    notes: list[str] = []
    parts = []
    for file, (program, run) in zip(files, runs_of_files([file.name for file in files]), strict=True):
        table = tool_table(file, _is_header, remedy=_REMEDY) if head_cells(file, _is_header) else _old(file)
        texts = table.texts
        unit = texts["Unit"].str.replace(_BELOW, "", regex=True)
        part = pd.DataFrame({"event": texts["Area"].str.strip() + (" [" + unit + "]").where(unit != "", ""), "run": run})
        part["count"] = table.numbers("Value")
        stamps = texts["Timestamp"] if "Timestamp" in texts else pd.Series("", index=texts.index)
        summary = (stamps == "SUMMARY").to_numpy()
        part["time"] = ToolTable(file.name, pd.DataFrame({"Timestamp": stamps.mask(summary, "")})).numbers("Timestamp")
        if summary.any() and not summary.all():
            notes.append(f"{file.name}: rows of the summary left out, because they repeat the intervals: {summary.sum():,}.")
            part = part[~summary]
        place = texts["CPUs"].reindex(part.index) if "CPUs" in texts else pd.Series("", index=part.index)
        placed = with_places(part.assign(application=place), pd.Series(program, index=part.index), place)
        parts.append(placed if "program" in placed else placed.assign(program=program + (" " + place).where(place != "", "")))
        repairs += table.repairs
        notes += table.notes
    rows = pd.concat(parts, ignore_index=True).drop(columns=["application", "core_type"], errors="ignore")
    where = files[0].name if len(files) == 1 else "all files"
    series = series_of_samples(rows, where=where, remedy=_REMEDY, repairs=repairs, notes=notes, ends=True)
    return read_result(series, repairs, notes)


def _row_of(line: str) -> list[str] | None:
    """Timestamp, place, metric, value and unit of a row without a header; None where it is none."""
    if (found := _PRINTED.fullmatch(line)) is not None:
        return [found[1] or "", found[2] or "", found[4], found[6].replace(",", ""), found[5]]
    rest = [cell.strip() for cell in line.split(",")]
    stamp = rest.pop(0) if rest and _OLD_TIME.fullmatch(rest[0]) else ""
    place = rest.pop(0) if rest and _OLD_PLACE.fullmatch(rest[0]) else ""
    if len(rest) < 3 or not rest[0] or re.fullmatch(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?", rest[1]) is None:
        return None
    return [stamp, place, rest[0], rest[1], rest[2]]


def _old(file: UploadedFile) -> ToolTable:
    lines = decoding.text_of(file.name, file.content, remedy=_REMEDY).split("\n")
    rows, numbers = [], []
    repairs: list[Repair] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.startswith("#"):
            continue
        row = _row_of(line)
        if row is None:
            repairs.append(Repair(f"{file.name}, line {number}", "", f"not a row of toplev, {line.strip()[:60]!r}: left out", 1))
            continue
        rows.append(row)
        numbers.append(number)
    if not rows:
        raise ReadError(f"{file.name}: no row of toplev from line 1, {lines[0].strip()[:60]!r}, on. {_REMEDY}")
    return ToolTable(file.name, pd.DataFrame(rows, columns=["Timestamp", "CPUs", "Area", "Value", "Unit"], index=numbers), repairs, [])


FORMAT = Format(
    key="toplev",
    title="toplev -x, (pmu-tools)",
    kind="CounterSeries",
    recognise=recognise,
    read=read,
    options=NoOptions,
    example={
        "toplev.csv": "Timestamp,CPUs,Area,Value,Unit,Description,Sample,Stddev,Multiplex,Bottleneck,Idle\n"
        "0.503247704,C0,Frontend_Bound,21.4,% Slots,,,0.0,100.0,<==,\n"
        "0.503247704,C1,Frontend_Bound,3.1,% Slots <,,,0.0,100.0,,Y\n"
        "1.003992718,C0,Frontend_Bound,22.0,% Slots,,,0.0,100.0,<==,\n"
        "1.003992718,C1,Frontend_Bound,2.9,% Slots <,,,0.0,100.0,,Y\n"
    },
)
