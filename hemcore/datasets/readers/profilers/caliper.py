"""Reads the regions of a Caliper profile as CSV, json-split, or in its `expand` format (`region=main,count=1,sum#time.duration=0.52`).

The CSV is what cali-query's records, or Hatchet's and Caliper's Python readers, make with pandas: a column of the path, region, function or
kernel, and columns such as `time`, `count`, `sum#papi.PAPI_TOT_INS`.
Source: Caliper (https://software.llnl.gov/Caliper), Output formatting.
"""

import re
from collections.abc import Sequence

import pandas as pd

from hemcore.datasets.readers.decoding import JSON, head_of, text_of
from hemcore.datasets.readers.format import NO_OPTIONS, Format, NoOptions, ReadResult
from hemcore.datasets.readers.known_files import remembered_alone
from hemcore.datasets.readers.perf.lines import sample_of
from hemcore.datasets.readers.profilers.tool_tables import ToolTable, head_cells, phases_of, stems, tool_table
from hemcore.datasets.readers.repairs import Repair
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.errors import ReadError

# What a row is of, the most telling first.
_REGIONS = ("path", "kernel", "kernel.name", "region", "function", "loop", "annotation", "phase", "name", "node")
# Only Caliper names columns so.
_MARK = re.compile(
    r"(?:sum|min|max|avg|any|scale|count|inclusive|inclusive_scale|percent_total|first|ratio|histogram|variance)#\S.*|papi\.\S+|libpfm\.\S+"
    r"|(?:time|sum#time|time\.(?:inclusive|exclusive))\.?(?:inclusive|exclusive)?\.duration(?:\.ns)?|\S+#cali\.\S+|cali\.\S+|mpi\.rank"
    r"|aggregate\.slot|time \(inc\)"
)
_THREADS = ("mpi.rank", "rank", "omp.thread.id", "thread", "thread_id", "pthread.id")
_IDS = ("nid", "path_id", "aggregate.slot", "depth", "level", "column", "parent", "iteration#mainloop")
_PAIR = re.compile(r"(?:^|,)([^,=]+)=((?:[^,\\]|\\.)*)")
_HEAD_BYTES = 4_096
_QUERY = "SELECT path, count(), sum(time.duration) GROUP BY path FORMAT expand"
_REMEDY = f"Write it with `cali-query -q '{_QUERY}' FILE.cali`, or as CSV from Hatchet."


def _region_of(cells: Sequence[str]) -> str:
    plain = {cell.lower().removeprefix("event.end#"): cell for cell in cells}
    return next((plain[name] for name in _REGIONS if name in plain), "")


def _is_header(cells: Sequence[str]) -> bool:
    return len(cells) > 1 and bool(_region_of(cells)) and any(_MARK.fullmatch(cell) for cell in cells)


def _is_expanded(file: UploadedFile) -> bool:
    lines = [line for line in sample_of(file) if line.strip()]
    pairs = [dict(_PAIR.findall(line)) if "=" in line else {} for line in lines]
    return bool(pairs) and all(pairs) and any(_is_header(list(each)) for each in pairs)


def _is_split(file: UploadedFile) -> bool:
    head = head_of(file.content, _HEAD_BYTES).lstrip()
    return head.startswith(b"{") and b'"column_metadata"' in file.content and b'"nodes"' in file.content and b'"data"' in head


@remembered_alone
def recognise(files: Sequence[UploadedFile]) -> tuple[float, str]:
    """(0.985, why) where each file has a column of regions and one that only Caliper names so, else 0."""
    if files and all(head_cells(file, _is_header) or _is_split(file) or _is_expanded(file) for file in files):
        return 0.985, "a Caliper profile: one phase per region"
    return 0.0, ""


def read(files: Sequence[UploadedFile], options: NoOptions = NO_OPTIONS) -> ReadResult[PhaseTable]:
    """One phase per row, in the order of the files; program: the file, with the rank or thread where there are several.

    region: the path, kernel, region or function; counters: every column of numbers. Rows without a region (what was outside of all) are
    kept as "(outside)". Raises ReadError as tool_table does.
    """
    tables = [_table(file) for file in files]
    repairs: list[Repair] = []
    parts = []
    counters: dict[str, None] = {}
    for table, program in zip(tables, stems(tables), strict=True):
        texts = table.texts
        region = _region_of(list(texts.columns))
        part = pd.DataFrame({"program": program, "region": texts[region].where(texts[region] != "", "(outside)")}, index=texts.index)
        for name in texts.columns:
            plain = name.lower()
            if name == region or plain in _IDS or not name:
                continue
            if plain in _THREADS:
                if texts[name].nunique() > 1:
                    part["program"] += f" {plain.removeprefix('mpi.').removeprefix('omp.').removesuffix('.id')} " + texts[name]
                continue
            if pd.to_numeric(texts[name].replace("", None), errors="coerce").notna().any():
                part[name] = table.numbers(name)
                counters[name] = None
            else:
                repairs.append(Repair(table.name, name, "column left out: it holds text", len(texts)))
        parts.append(part)
    rows = pd.concat(parts, ignore_index=True)
    return phases_of(rows, list(counters), tables, granularity="region", remedy=_REMEDY, repairs=repairs)


def _table(file: UploadedFile) -> ToolTable:
    if _is_split(file):
        return _split(file)
    return _expanded(file) if _is_expanded(file) else tool_table(file, _is_header, remedy=_REMEDY)


def _split(file: UploadedFile) -> ToolTable:
    """A table of rows whose regions are numbers of nodes, each with a label and the node above it; the first such column is the path."""
    try:
        found = JSON.decode(text_of(file.name, file.content, remedy=_REMEDY))
        columns, nodes = [str(name) for name in found["columns"]], found["nodes"]
        values = [bool(each.get("is_value")) for each in found["column_metadata"]]
        paths: list[str] = []
        for node in nodes:  # a node comes after the one above it
            above = f"{paths[node['parent']]}/" if "parent" in node else ""
            paths.append(f"{above}{node['label']}")
        rows = [
            ["" if cell is None else str(cell) if value else paths[cell] for cell, value in zip(row, values, strict=True)]
            for row in found["data"]
        ]
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError) as error:
        raise ReadError(f"{file.name}: line 1: no json-split of Caliper that can be read ({error}). {_REMEDY}") from None
    path = next((name for name, value in zip(columns, values, strict=True) if not value), "")
    names = ["path" if name == path and not _region_of(columns) else name for name in columns]
    if not rows or not path:
        raise ReadError(f"{file.name}: line 1: no row with a region. {_REMEDY}")
    return ToolTable(file.name, pd.DataFrame(rows, columns=names, index=range(1, len(rows) + 1), dtype=str), [], [])


def _expanded(file: UploadedFile) -> ToolTable:
    """A table of a file of `key=value,key=value` lines; what a line does not have is empty."""
    rows, numbers = [], []
    repairs: list[Repair] = []
    for number, line in enumerate(text_of(file.name, file.content, remedy=_REMEDY).split("\n"), start=1):
        if not line.strip():
            continue
        pairs = _PAIR.findall(line.strip())
        if not pairs or "".join(f",{key}={value}" for key, value in pairs)[1:] != line.strip():
            repairs.append(Repair(f"{file.name}, line {number}", "", f"not 'key=value,...', {line.strip()[:60]!r}: left out", 1))
            continue
        rows.append({key.strip(): value.replace("\\", "").strip() for key, value in pairs})
        numbers.append(number)
    if not rows:
        raise ReadError(f"{file.name}: line 1: no record of Caliper. {_REMEDY}")
    return ToolTable(file.name, pd.DataFrame(rows, index=numbers).fillna("").astype(str), repairs, [])


FORMAT = Format(
    key="caliper",
    title="Caliper profile (CSV, json-split or expand)",
    kind="PhaseTable",
    recognise=recognise,
    read=read,
    options=NoOptions,
    example={
        "profile.csv": "path,count,sum#time.duration,sum#papi.PAPI_TOT_INS\n"
        "main,1,0.52,812000\nmain/init,1,0.11,64010\nmain/solve,12,0.4,741000\n"
    },
)
