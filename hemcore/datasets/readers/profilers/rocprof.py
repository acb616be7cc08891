"""Reads the counters of AMD's rocprof: each dispatch of a kernel is a phase.

rocprof and rocprofv2's file plugin write a row per dispatch (`Index,KernelName,gpu-id,...` or `Dispatch_ID,...,Kernel_Name,...`, one column
per counter); rocprofv3's counter_collection.csv a row per dispatch and counter (`...,"Kernel_Name",...,"Counter_Name","Counter_Value"`).
Source: ROCm, rocprofiler and rocprofiler-sdk (https://rocm.docs.amd.com/projects/rocprofiler-sdk), "Using rocprofv3".
"""

from collections.abc import Sequence

import pandas as pd

from hemcore.datasets.readers.format import NO_OPTIONS, Format, NoOptions, ReadResult
from hemcore.datasets.readers.known_files import remembered_alone
from hemcore.datasets.readers.profilers.tool_tables import ToolTable, head_cells, phases_of, stems, tool_table
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.errors import ReadError

# Columns that describe a dispatch and count nothing, in small letters without _ and -.
_DESCRIBE = {"index", "dispatchid", "correlationid", "agentid", "gpuid", "queueid", "queueindex", "pid", "tid", "processid", "threadid"}
_DESCRIBE |= {"kernelid", "kernelname", "grd", "gridsize", "wgr", "wgp", "workgroupsize", "lds", "ldsblocksize", "ldsperworkgroup", "scr"}
_DESCRIBE |= {"scratchsize", "scratchperworkitem", "vgpr", "archvgpr", "accumvgpr", "vgprcount", "accumvgprcount", "sgpr", "sgprcount"}
_DESCRIBE |= {"fbar", "sig", "obj", "wavesize", "starttimestamp", "endtimestamp", "dispatchns", "beginns", "endns", "completens"}
_DESCRIBE |= {"countername", "countervalue", "correlationid", "dispatchindex", "xccid"}
_KEPT = {"grd": "grid", "gridsize": "grid", "wgr": "workgroup", "workgroupsize": "workgroup", "gpuid": "gpu", "agentid": "gpu"}
_DURATION = "duration_ns"
_REMEDY = "Send the CSV as `rocprof -i COUNTERS -o FILE.csv` or `rocprofv3 --pmc ... --output-format csv` wrote it."


def _plain(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "")


def _is_header(cells: Sequence[str]) -> bool:
    if not any(cell[:1] in "kK_-" for cell in cells):  # a row of numbers, most often
        return False
    plain = {_plain(cell) for cell in cells}
    return "kernelname" in plain and bool({"gpuid", "agentid", "queueid"} & plain)


@remembered_alone
def recognise(files: Sequence[UploadedFile]) -> tuple[float, str]:
    """(0.99, why) where each file has a header of rocprof with a column that counts, else 0."""
    for file in files:
        cells = head_cells(file, _is_header)
        if not cells or ("Counter_Value" not in cells and not _counters(cells)):
            return 0.0, ""
    return (0.99, "counters of rocprof: one phase per dispatch of a kernel") if files else (0.0, "")


def read(files: Sequence[UploadedFile], options: NoOptions = NO_OPTIONS) -> ReadResult[PhaseTable]:
    """One phase per dispatch, in the order of the files; program: the file.

    kernel, and where they are known grid, workgroup and gpu, describe the phase; counters are those of rocprof and duration_ns, from the
    start of the dispatch to its end. Raises ReadError as tool_table does, and where a counter comes twice for one dispatch.
    """
    tables = [tool_table(file, _is_header, remedy=_REMEDY) for file in files]
    parts = []
    for table, program in zip(tables, stems(tables), strict=True):
        part = _long(table) if "Counter_Value" in table.texts else _wide(table)
        part.insert(0, "program", program)
        parts.append(part)
    rows = pd.concat(parts, ignore_index=True)
    described = ("program", "kernel", *dict.fromkeys(_KEPT.values()))
    counters = [name for name in rows.columns if name not in described]
    return phases_of(rows, counters, tables, granularity="kernel", remedy=_REMEDY)


def _counters(cells: Sequence[str]) -> list[str]:
    return [cell for cell in cells if cell and _plain(cell) not in _DESCRIBE]


def _described(table: ToolTable) -> pd.DataFrame:
    """The columns that describe the dispatch, and how long it took."""
    names = {_plain(name): name for name in table.texts.columns}
    found: dict[str, pd.Series] = {
        "kernel": table.texts[names["kernelname"]].str.removesuffix(" [clone .kd]").str.removesuffix(".kd").str.strip()
    }
    for plain, called in _KEPT.items():
        if plain in names:
            found[called] = table.texts[names[plain]]
    start = names.get("beginns") or names.get("starttimestamp")
    end = names.get("endns") or names.get("endtimestamp")
    if start and end:
        # Nanoseconds since the machine started need more digits than a float has.
        read = [table.numbers(name).notna() for name in (start, end)]  # what is no number is an error
        begun, ended = (
            pd.to_numeric(table.texts[name].where(there), errors="coerce").astype("Int64")
            for name, there in zip((start, end), read, strict=True)
        )
        took = (ended - begun).astype("Float64")
        found[_DURATION] = took.mask(took < 0).astype(float)
    return pd.DataFrame(found)


def _wide(table: ToolTable) -> pd.DataFrame:
    found = _described(table)
    for name in _counters(list(table.texts.columns)):
        found[name] = table.numbers(name)
    return found


def _long(table: ToolTable) -> pd.DataFrame:
    texts = table.texts
    dispatch = next((name for name in texts.columns if _plain(name) in ("dispatchid", "correlationid")), None)
    if dispatch is None or "Counter_Name" not in texts:
        raise ReadError(f"{table.name}: line 1: no column 'Dispatch_Id' or 'Counter_Name' beside 'Counter_Value'. {_REMEDY}")
    # One number may come again on another agent or process.
    keys = [dispatch, *[name for name in texts.columns if _plain(name) in ("agentid", "processid")]]
    twice = texts.duplicated([*keys, "Counter_Name"])
    if twice.any():
        row = int(twice.to_numpy().argmax())
        raise ReadError(
            f"{table.name}: line {texts.index[row]}: {texts['Counter_Name'].iloc[row]!r} comes twice for dispatch"
            f" {texts[dispatch].iloc[row]}. {_REMEDY}"
        )
    values = texts[keys].assign(counter=texts["Counter_Name"], value=table.numbers("Counter_Value"))
    wide = values.pivot(index=keys, columns="counter", values="value")
    first = pd.concat([texts[keys], _described(table)], axis=1).drop_duplicates(keys).set_index(keys)
    order = list(dict.fromkeys(texts["Counter_Name"]))
    return first.join(wide[order], how="left").reset_index(drop=True)


FORMAT = Format(
    key="rocprof",
    title="rocprof counters (CSV)",
    kind="PhaseTable",
    recognise=recognise,
    read=read,
    options=NoOptions,
    example={
        "counters.csv": "Index,KernelName,gpu-id,queue-id,queue-index,pid,tid,grd,wgr,lds,scr,arch_vgpr,accum_vgpr,sgpr,wave_size,sig,obj,"
        "SQ_WAVES,SQ_INSTS_VALU,DispatchNs,BeginNs,EndNs,CompleteNs\n"
        '0,"bodyForce(Body*, float, int) [clone .kd]",0,0,0,3673,3673,65536,256,0,0,20,4,16,64,0x0,0x7f2b,2048,1212443,100,200,5200,5300\n'
        '1,"integrate(Body*, float, int) [clone .kd]",0,0,1,3673,3673,65536,256,0,0,12,4,16,64,0x0,0x7f2c,2048,40960,6000,6100,7300,7400\n'
    },
)
