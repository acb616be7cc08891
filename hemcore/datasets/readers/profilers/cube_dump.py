"""Reads `cube_dump -s csv2` of a Score-P or Scalasca profile (.cubex): a row per call path and thread, a column per metric.

`Cnode ID, Thread ID,visits,time,PAPI_TOT_INS`; with `-t aggr` there is no thread, and the values are sums over them.
Source: CubeLib, cube_dump (https://www.scalasca.org/scalasca/software/cube-4.x).
"""

from collections.abc import Sequence

import pandas as pd

from hemcore.datasets.readers.format import NO_OPTIONS, Format, NoOptions, ReadResult
from hemcore.datasets.readers.known_files import remembered_alone
from hemcore.datasets.readers.profilers.tool_tables import head_cells, phases_of, stems, tool_table
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.phase_table import PhaseTable

_CNODE, _THREAD = "cnode id", "thread id"
_NAMES = ("region", "callpath", "call path", "path", "name")
_REMEDY = "Write it with `cube_dump -m all -c all -s csv2 profile.cubex > FILE.csv`."


def _is_header(cells: Sequence[str]) -> bool:
    return len(cells) > 1 and cells[0].lower() == _CNODE


@remembered_alone
def recognise(files: Sequence[UploadedFile]) -> tuple[float, str]:
    """(0.99, why) where each file begins with the header of cube_dump, else 0."""
    if files and all(head_cells(file, _is_header) for file in files):
        return 0.99, "a call-path profile of Score-P, as cube_dump writes it: one phase per call path and thread"
    return 0.0, ""


def read(files: Sequence[UploadedFile], options: NoOptions = NO_OPTIONS) -> ReadResult[PhaseTable]:
    """One phase per call path, in the order of the files; program: the file, with the thread where there are several.

    region: "cnode 12", or the name where a column has it. Raises ReadError as tool_table does.
    """
    tables = [tool_table(file, _is_header, remedy=_REMEDY) for file in files]
    parts = []
    for table, program in zip(tables, stems(tables), strict=True):
        texts = table.texts
        names = {name.lower(): name for name in texts.columns}
        threads = texts[names[_THREAD]] if _THREAD in names else None
        called = next((names[name] for name in _NAMES if name in names), None)
        part = pd.DataFrame(index=texts.index)
        part["program"] = program if threads is None or threads.nunique() < 2 else f"{program} thread " + threads
        part["region"] = "cnode " + texts[names[_CNODE]] if called is None else texts[called]
        for name in texts.columns:
            if name.lower() not in (_CNODE, _THREAD) and name != called:
                part[name] = table.numbers(name)
        parts.append(part)
    rows = pd.concat(parts, ignore_index=True)
    counters = [name for name in rows.columns if name not in ("program", "region")]
    note = "Whether a value includes the call paths below (cube_dump -z incl) is not in the file."
    return phases_of(rows, counters, tables, granularity="call path", remedy=_REMEDY, note=note)


FORMAT = Format(
    key="cube_dump",
    title="Score-P profile (cube_dump -s csv2)",
    kind="PhaseTable",
    recognise=recognise,
    read=read,
    options=NoOptions,
    example={
        "profile.csv": "Cnode ID, Thread ID,visits,time,PAPI_TOT_INS\n"
        "0,0,1,0.52,812000\n0,1,1,0.49,808400\n1,0,12,0.31,640100\n1,1,12,0.3,639800\n"
    },
)
