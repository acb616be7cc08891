"""The Cortex-A15 table of cBench as phases: an interval of half a second is a phase of its benchmark, a frequency a load.

Source: K. Nikov's readings, ../shared/data/cortex_a15_cbench: xu3_cset_perfcpu_cBench_eMMC_big.data, and cbench_split.data, which says
which benchmarks its authors learnt from and which they tried their models on.
"""

import re
from collections.abc import Sequence

import numpy as np
import pandas as pd

from hemcore.datasets.readers.decoding import head_text, text_of
from hemcore.datasets.readers.format import NO_OPTIONS, Format, NoOptions, ReadResult, read_result
from hemcore.datasets.readers.phases.table_cells import check_numbers, numbers, text_cells, whole
from hemcore.datasets.readers.repairs import Repair
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.errors import ReadError

_TIME, _PROGRAM, _RUN = "#Timestamp", "Benchmark", "Run(#)"
_START = "#Timestamp\tBenchmark\tRun(#)\t"
_SPLIT = "#Train Benchmarks\tTest Benchmarks"
_FREQUENCY = re.compile(r".*Freq\w*\s*\((\w*Hz)\)", re.IGNORECASE)
_AGAIN = "Send the table as it was published."


def recognise(files: Sequence[UploadedFile]) -> tuple[float, str]:
    """(0.9, why) where each file is such a table, 0.97 with the list of the split beside them; else 0. As a series it is read too."""
    kinds = [_kind(file) for file in files]
    if "table" not in kinds or "other" in kinds:
        return 0.0, ""
    split = "split" in kinds
    return (
        0.97 if split else 0.9
    ), f"Cortex-A15 table: one phase per interval, one program per benchmark{', and the split' if split else ''}"


def read(files: Sequence[UploadedFile], options: NoOptions = NO_OPTIONS) -> ReadResult[PhaseTable]:
    """program: the benchmark; load: the frequency ("2000 MHz"), else "as read"; granularity "interval"; phase:
    the interval of its benchmark under its load, over all runs in their order; run and time (s since the run's start) describe it, and
    split (train, test) where the list is among the files. Every other column is a counter, voltage, power and frequency too.

    Raises ReadError as text_cells does, for a cell that is no number and for a benchmark on both sides of the split.
    """
    notes: list[str] = []
    parts: list[pd.DataFrame] = []
    counters: dict[str, None] = {}
    for file in (each for each in files if _kind(each) != "split"):
        cells, marks = text_cells(file)
        notes += marks
        missing = [name for name in (_TIME, _PROGRAM, _RUN) if name not in cells.columns]
        if missing:
            raise ReadError(f"{file.name}: line 1: no column {missing[0]!r}, which the Cortex-A15 table has. {_AGAIN}")
        own = [str(name) for name in cells.columns if name not in (_TIME, _PROGRAM, _RUN)]
        found: dict[str, pd.Series] = {}
        for name in own:
            values, wrong = numbers(cells[name])
            check_numbers(file, name, cells[name], wrong)
            found[name] = values
        run = whole(file, _RUN, cells[_RUN], 0)
        frequency = next((name for name in own if _FREQUENCY.fullmatch(name)), None)
        unit = _FREQUENCY.fullmatch(frequency) if frequency else None
        load = [f"{value:g} {unit[1]}" for value in found[frequency]] if frequency and unit else ["as read"] * len(cells)
        keys = pd.DataFrame({"program": cells[_PROGRAM], "granularity": "interval", "load": load, "run": run})
        stamps, wrong = numbers(cells[_TIME])
        check_numbers(file, _TIME, cells[_TIME], wrong)
        whole_stamps = pd.to_numeric(cells[_TIME], errors="coerce")
        start = whole_stamps.groupby([keys["load"], keys["run"]]).transform("min")
        time = ((whole_stamps - start) / 1e9).to_numpy(dtype=float) if stamps.notna().all() else np.full(len(cells), np.nan)
        parts.append(pd.concat([keys.assign(time=time), pd.DataFrame(found)], axis=1))
        counters |= dict.fromkeys(own)
    if not parts:
        raise ReadError(
            f"{files[0].name if files else 'upload'}: not a Cortex-A15 table: the first line must start with {_TIME!r}. {_AGAIN}"
        )
    frame = pd.concat(parts, ignore_index=True)
    frame.insert(3, "phase", frame.groupby(["program", "load"], sort=False).cumcount())
    for file in (each for each in files if _kind(each) == "split"):
        sides = _sides(file)
        frame["split"] = [sides.get(program, "neither") for program in frame["program"]]
        strange = sorted(set(sides) - set(frame["program"]))
        if strange:
            notes.append(f"{file.name}: not in the table: {', '.join(strange[:5])}.")
    empty = [name for name in counters if frame[name].isna().all()]
    repairs = [Repair("all phases", name, "no value in any phase: left out", len(frame)) for name in empty]
    kept = tuple(name for name in counters if name not in empty)
    return read_result(PhaseTable(frame=frame.drop(columns=empty), counters=kept), repairs, notes)


def _kind(file: UploadedFile) -> str:
    first = head_text(file.content, 400).split("\n")[0]
    return "table" if first.startswith(_START) else "split" if first.startswith(_SPLIT) else "other"


def _sides(file: UploadedFile) -> dict[str, str]:
    sides: dict[str, str] = {}
    for number, line in enumerate(text_of(file.name, file.content, remedy=_AGAIN).splitlines()[1:], start=2):
        for side, name in zip(("train", "test"), line.split("\t"), strict=False):
            if name.strip() and sides.setdefault(name.strip(), side) != side:
                raise ReadError(f"{file.name}: line {number}: {name.strip()[:60]!r} is on both sides of the split. Keep it on one.")
    return sides


FORMAT = Format(
    key="cortex_a15_phases",
    title="Cortex-A15 table as phases (TSV)",
    kind="PhaseTable",
    recognise=recognise,
    read=read,
    options=NoOptions,
    example={
        "big.data": "#Timestamp\tBenchmark\tRun(#)\tCPU(4) Frequency(MHz)\tA15 Power(W)\tCPU_CYCLES\tINST_RETIRED\n"
        "1481276182904018774\tbitcount\t1\t2000\t1.181\t626158513\t977984190\n"
        "1481276183412774900\tbitcount\t1\t2000\t2.220\t1001596135\t1577397597\n"
        "1481276183921497379\tbzip2d\t1\t2000\t2.213\t1001223253\t1578593158\n",
        "split.data": "#Train Benchmarks\tTest Benchmarks\nbitcount\tbzip2d\n",
    },
)
