"""The runs of a plan of measurement: the folder that a plan's script fills, zipped; a run is what `perf stat -x ';'` or PAPI wrote.

`plan.txt` says which HEMs each subexperiment reads, in the order of the events that perf was given:

    HEM Workbench plan 1
    n_pmcs<TAB>6
    runs<TAB>500
    subexperiment<TAB>1<TAB>cycles<TAB>instructions

Beside it lie `subexperiment_0001/run_00001.perf` and so on, of PAPI `run_00001.json`. Opened, the runs of a subexperiment are one file of
that name, run after run.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

import numpy as np
import pandas as pd

from hemcore.datasets.readers import decoding
from hemcore.datasets.readers.archives import RUN_BEGINS
from hemcore.datasets.readers.format import Format, ReadResult, SubexperimentOptions
from hemcore.datasets.readers.papi import papi_output
from hemcore.datasets.readers.perf import csv as perf_csv
from hemcore.datasets.readers.raw_experiments import subexperiments_from_frames
from hemcore.datasets.readers.reading_limits import check_columns, check_readings
from hemcore.datasets.readers.repairs import Repair, repairs_table
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.checks import listed
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import ReadError
from hemcore.events.spelling import EventColumns

MANIFEST = "plan.txt"
FIRST_LINE = "HEM Workbench plan 1"
_NUMBERED = re.compile(r"subexperiment_(\d{1,6})(?:\.perf|\.json)?", re.ASCII)
_REMEDY = "Send the folder that the plan's script filled, zipped as it is."
_MOST_GROUPS = 100_000
_DEFAULTS = SubexperimentOptions()


@dataclass(frozen=True)
class _Planned:
    n_pmcs: int
    groups: dict[int, tuple[str, ...]]


def manifest(n_pmcs: int, runs: int, groups: Sequence[Sequence[str]]) -> str:
    """The text of `plan.txt`."""
    lines = [FIRST_LINE, f"n_pmcs\t{n_pmcs}", f"runs\t{runs}"]
    return "\n".join([*lines, *("\t".join(["subexperiment", str(at), *group]) for at, group in enumerate(groups, start=1))]) + "\n"


def recognise(files: Sequence[UploadedFile]) -> tuple[float, str]:
    """(1, why) where one of the files is a plan.txt and the others are its runs; else 0."""
    plans = [file for file in files if _is_manifest(file)]
    runs = [file for file in files if _number(file) is not None]
    if len(plans) != 1 or not runs or len(plans) + len(runs) != len(files):
        return 0.0, ""
    return 1.0, f"{MANIFEST} and the runs of {len(runs)} subexperiments"


def read(files: Sequence[UploadedFile], options: SubexperimentOptions = _DEFAULTS) -> ReadResult[Subexperiments]:
    """The subexperiments, one row per run; of the options it takes min_mean.

    A run that lacks a reading is left out and listed, and so is a subexperiment that was planned and has no run. Raises ReadError for no
    plan.txt or several, one that is damaged, runs of a subexperiment that was not planned, a run with other events than planned, and as
    the readers of perf stat -x and of PAPI's JSON do; TableError where no run is complete. Of PAPI the regions that are in no other one
    are added up, over threads and ranks too.
    """
    plans = [file for file in files if _is_manifest(file)]
    if len(plans) != 1:
        raise ReadError(f"runs of a plan: {len(plans)} files {MANIFEST} that begin with {FIRST_LINE!r}; exactly one is needed. {_REMEDY}")
    planned = _planned(plans[0])
    parts: dict[int, UploadedFile] = {}
    for file in files:
        if file is plans[0]:
            continue
        number = _number(file)
        if number is None or number not in planned.groups:
            what = "is not a run of the plan" if number is None else f"belongs to subexperiment {number}, which is not in {MANIFEST}"
            raise ReadError(f"{file.name}: it {what}. {_REMEDY}")
        if number in parts:
            raise ReadError(f"{file.name}: subexperiment {number} appears twice ({parts[number].name}). {_REMEDY}")
        parts[number] = file
    if not parts:
        raise ReadError(f"{plans[0].name}: no run next to it. Run the plan's script, then send its folder, zipped.")
    repairs: list[Repair] = []
    notes: list[str] = []
    frames, labels = [], []
    for number in sorted(parts):
        frame_of = _frame_of_papi if parts[number].name.endswith(".json") else _frame
        frames.append(frame_of(parts[number], planned.groups[number], repairs, notes))
        labels.append(f"subexperiment {number}")
    missing = [number for number in planned.groups if number not in parts]
    if missing:
        notes.append(f"{len(missing)} of {len(planned.groups)} subexperiments have no run yet: {listed(missing)}.")
    check_readings("runs of a plan", sum(len(frame) for frame in frames), max(frame.shape[1] for frame in frames))
    raw = subexperiments_from_frames(frames, min_mean=options.min_mean, labels=labels)
    every = repairs_table([*repairs, *(Repair(*row) for row in raw.repairs.itertuples(index=False))])
    widest = max(frame.shape[1] for frame in raw.subexperiments)
    n_pmcs = max(planned.n_pmcs, widest)
    planned_hems = dict.fromkeys(hem for hems in planned.groups.values() for hem in hems)
    table = Subexperiments(frames=raw.subexperiments, n_pmcs=n_pmcs, labels=raw.labels, not_read=(*raw.not_read, *planned_hems))
    return ReadResult(table, every, (*notes, *raw.notes))


def _frame(file: UploadedFile, hems: tuple[str, ...], repairs: list[Repair], notes: list[str]) -> pd.DataFrame:
    """One row per run, one column per HEM; NaN where a HEM was not counted."""
    rows = perf_csv.rows_of(file)
    found = rows.frame()
    repairs += rows.repairs
    notes += rows.notes
    runs = found.groupby("segment", sort=True)
    kept = []
    for segment, run in runs:
        if len(run) != len(hems):
            if len(run) < len(hems) and segment == found["segment"].iloc[-1]:
                repairs.append(Repair(f"{file.name}, run {int(str(segment)) + 1}", "", "cut off: left out", 1))
                continue
            raise ReadError(
                f"{file.name}: run {int(str(segment)) + 1} has {len(run)} readings, but {MANIFEST} plans {len(hems)} HEMs "
                f"({listed(hems)}) for it. Run the script of this plan."
            )
        kept.append(run["count"].to_numpy(dtype=float)[_order(list(run["event"]), hems, file.name, int(str(segment)) + 1)])
    if not kept:
        raise ReadError(f"{file.name}: no complete run. Run the plan's script to its end.")
    counts = np.vstack(kept)
    return pd.DataFrame(np.where(counts < 0, np.nan, counts), columns=list(hems))


def _frame_of_papi(file: UploadedFile, hems: tuple[str, ...], repairs: list[Repair], notes: list[str]) -> pd.DataFrame:
    """One row per run in PAPI's JSON, one column per HEM."""
    said = decoding.text_of(file.name, file.content, remedy=_REMEDY)
    runs = [part.partition("\n")[2] for part in said.split(RUN_BEGINS.decode())[1:]] or [said]
    counts = np.empty((len(runs), len(hems)))
    added = 0
    for at, run in enumerate(runs):
        name = f"{file.name}, run {at + 1}"
        found, regions = papi_output.counts_of_run(name, run)
        lacking = [hem for hem in hems if hem not in found]
        if lacking:
            raise ReadError(
                f"{name}: no {listed(lacking)} in it, which {MANIFEST} plans. PAPI leaves out an event that it cannot count beside the "
                "others: see papi_event_chooser, give it a counter or a limit in the plan, and measure that plan."
            )
        counts[at] = [found[hem] for hem in hems]
        added = max(added, regions)
    if added > 1:
        notes.append(f"{file.name}: a run is the sum of up to {added:,} regions, over threads and ranks too.")
    return pd.DataFrame(counts, columns=list(hems))


def _order(events: list[str], hems: tuple[str, ...], name: str, run: int) -> list[int]:
    """Where the reading of each HEM stands: by name where perf prints the HEMs' names in any spelling, else in the order of the plan.

    perf may print what it was given under another name (cycles as cpu_core/cycles/), and groups in another order than they were given.
    """
    printed = EventColumns(events)
    found = [printed.find(hem) for hem in hems]
    if None not in found and len({*found}) == len(events):
        return [events.index(str(event)) for event in found]
    moved = next((event for at, event in enumerate(events) if event in hems and hems[at] != event), None)
    if moved is not None:
        raise ReadError(f"{name}: run {run} reads {listed(events)}, but {MANIFEST} plans {listed(hems)}. Run the script of this plan.")
    return list(range(len(hems)))


def _planned(file: UploadedFile) -> _Planned:
    lines = decoding.text_of(file.name, file.content, remedy=_REMEDY).splitlines()
    n_pmcs = 0
    groups: dict[int, tuple[str, ...]] = {}
    for at, line in enumerate(lines[1:], start=2):
        name, *cells = map(str.strip, line.split("\t"))
        if name == "n_pmcs" and len(cells) == 1 and re.fullmatch(r"[1-9]\d{0,2}", cells[0], re.ASCII):
            n_pmcs = int(cells[0])
        elif name == "subexperiment" and len(cells) > 1 and re.fullmatch(r"[1-9]\d{0,5}", cells[0], re.ASCII):
            hems = tuple(cells[1:])
            number = int(cells[0])
            if number in groups or len(set(hems)) < len(hems) or not all(hem and hem.isprintable() for hem in hems):
                raise ReadError(
                    f"{file.name}, line {at}: subexperiment {number} appears twice, or one of its HEMs does or has no name. {_REMEDY}"
                )
            groups[number] = hems
        elif line.strip() and name != "runs":
            raise ReadError(f"{file.name}, line {at}: {line[:60]!r} is not a line of a plan. {_REMEDY}")
        if len(groups) > _MOST_GROUPS:
            raise ReadError(f"{file.name}: more than {_MOST_GROUPS:,} subexperiments. {_REMEDY}")
    if not groups:
        raise ReadError(f"{file.name}: no subexperiment. {_REMEDY}")
    check_columns(file.name, len({hem for hems in groups.values() for hem in hems}), "HEMs")
    return _Planned(n_pmcs, groups)


def _is_manifest(file: UploadedFile) -> bool:
    head = decoding.head_text(file.content, 200)
    return PurePosixPath(file.name).name == MANIFEST and [line.strip() for line in head.splitlines()[:1]] == [FIRST_LINE]


def _number(file: UploadedFile) -> int | None:
    match = _NUMBERED.fullmatch(PurePosixPath(file.name).name)
    return int(match[1]) if match else None


FORMAT = Format(
    key="plan_runs",
    title="runs of a plan (its script's folder)",
    kind="Subexperiments",
    recognise=recognise,
    read=read,
    options=SubexperimentOptions,
    example={
        "plan.txt": "HEM Workbench plan 1\nn_pmcs\t2\nruns\t2\n"
        "subexperiment\t1\tcycles\tinstructions\nsubexperiment\t2\tcycles\tbranch-misses\n",
        "subexperiment_0001.perf": "# started on Mon Nov 16 09:12:01 2026\n"
        "812000;;cycles;500000;100.00;;\n640100;;instructions;500000;100.00;;\n"
        "# started on Mon Nov 16 09:12:02 2026\n808400;;cycles;498000;100.00;;\n639800;;instructions;498000;100.00;;\n",
        "subexperiment_0002.perf": "# started on Mon Nov 16 09:12:03 2026\n"
        "815300;;cycles;501000;100.00;;\n2140;;branch-misses;501000;100.00;;\n"
        "# started on Mon Nov 16 09:12:04 2026\n809900;;cycles;499000;100.00;;\n2095;;branch-misses;499000;100.00;;\n",
    },
)
