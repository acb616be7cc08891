"""Phases in CSV: one row per phase, columns that identify the program, and one column per counter; the counters can be chosen."""

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

import pandas as pd

from hemcore.datasets.readers import csv_text
from hemcore.datasets.readers.decoding import first_lines
from hemcore.datasets.readers.format import Format, PhaseOptions, ReadResult, read_result
from hemcore.datasets.readers.phases.table_cells import check_numbers, names_in, numbers, text_cells, whole
from hemcore.datasets.readers.repairs import Repair
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.hardware_levels import INTERVALS, SEGMENTS_OF, WHOLE
from hemcore.datasets.tables.phase_table import KEYS, PhaseTable
from hemcore.errors import ReadError
from hemcore.events.hardware_tree import TREE

_ROLES = {
    "program": ("program", "application", "app", "benchmark", "workload"),
    "granularity": ("granularity", "granu", "phasesize", "phaselength"),
    "load": ("load", "scenario", "background"),
    "phase": ("phase", "phaseid", "phasenumber"),
}
_HEAD_LINES = 20
_DEFAULTS = PhaseOptions()


def recognise(files: Sequence[UploadedFile]) -> tuple[float, str]:
    """(0.96, why) where each file has a column of programs and one of granularities or loads; 0.5 with programs and phases; else 0."""
    least, why = 1.0, ""
    for file in files:
        roles = roles_of(csv_text.header_of(file.name, first_lines(file.content, _HEAD_LINES))[0])
        if "program" not in roles or len(roles) < 2:
            return 0.0, ""
        score = 0.96 if {"granularity", "load"} & set(roles) else 0.5
        if score < least:
            least, why = score, f"one row per phase, and columns of {', '.join(roles)}"
    return (least, why) if files else (0.0, "")


def read(files: Sequence[UploadedFile], options: PhaseOptions = _DEFAULTS) -> ReadResult[PhaseTable]:
    """One table of all `files`.

    Columns: program (application, benchmark), granularity, load, phase, in small or capital letters. Without a program the file's name is
    the program, without a granularity it is "phase", without a load "as read"; phases without a number are numbered in their order.
    counters: the names of the columns that are counters, semicolons between; "" = every other column of numbers of at least 0. The others
    describe the phase, as do the lengths and places of kept segments (hardware_levels), if they are not named. Empty, NA and <not counted>
    are NaN.

    Raises ReadError as text_cells does, for a counter that is no column or no number, and where there is no counter; TableError as
    PhaseTable does.
    """
    repairs: list[Repair] = []
    notes: list[str] = []
    parts = []
    chosen: dict[str, None] = {}
    for file in files:
        part, own = _read_file(file, options.counters, repairs, notes)
        parts.append(part)
        chosen |= dict.fromkeys(own)
    frame = pd.concat(parts, ignore_index=True)
    if not chosen:
        raise ReadError(f"{files[0].name}: no column of numbers apart from {', '.join(KEYS)}. Send a file with one column per counter.")
    if "phase" not in frame.columns:
        frame["phase"] = frame.groupby(["program", "granularity", "load"], sort=False).cumcount()
    if frame["phase"].isna().any():
        raise ReadError(f"{files[0].name}: some of the files number their phases and others do not. Number all, or none.")
    frame["phase"] = frame["phase"].astype("int64")
    if len({str(value).isdigit() for value in frame["granularity"].unique()}) > 1:
        frame["granularity"] = frame["granularity"].astype(str)
    empty = [name for name in chosen if frame[name].isna().all()]
    repairs += [Repair("all phases", name, "no value in any phase: left out", len(frame)) for name in empty]
    kept = tuple(name for name in chosen if name not in empty)
    if not kept:
        raise ReadError(f"{files[0].name}: no counter has a value in any phase. Send the file with the counts.")
    rest = [name for name in frame.columns if name not in (*KEYS, *chosen)]
    return read_result(PhaseTable(frame=frame[[*KEYS, *kept, *rest]], counters=kept), repairs, notes)


def _read_file(file: UploadedFile, counters: str, repairs: list[Repair], notes: list[str]) -> tuple[pd.DataFrame, list[str]]:
    cells, marks = text_cells(file)
    notes += marks
    roles = roles_of(list(cells.columns))
    taken = set(roles.values())
    asked = names_in(counters, [str(name) for name in cells.columns if name not in taken], f"{file.name}: counters")
    found: dict[str, pd.Series] = {}
    found["program"] = _filled(file, roles["program"], cells) if "program" in roles else _same(cells, PurePosixPath(file.name).stem)
    found["granularity"] = _granularity(file, roles["granularity"], cells) if "granularity" in roles else _same(cells, "phase")
    found["load"] = _filled(file, roles["load"], cells) if "load" in roles else _same(cells, "as read")
    if "phase" in roles:
        found["phase"] = whole(file, roles["phase"], cells[roles["phase"]], 0)
    own = []
    places = {*TREE, WHOLE, SEGMENTS_OF} if WHOLE in cells.columns else set()
    segments = bool((found["granularity"] == "segment").all())
    for name in cells.columns:
        if name in taken:
            continue
        if name in places - {*asked}:
            found[name] = cells[name].astype(object).where(cells[name] != "", None)
            continue
        if name == INTERVALS and segments and name not in asked:
            found[name] = whole(file, name, cells[name], 1)
            continue
        values, wrong = numbers(cells[name])
        if name in asked or (not asked and not (wrong.any() and values.isna().all())):
            check_numbers(file, str(name), cells[name], wrong)
            if name not in asked and bool((values < 0).any()):
                notes.append(f"{file.name}: column {name!r} has values below 0, so it is not a counter.")
                found[str(name)] = values
                continue
            own.append(str(name))
            found[str(name)] = values
        else:
            found[str(name)] = values if not wrong.any() else cells[name]
    return pd.DataFrame(found), own


def roles_of(cells: Sequence[str]) -> dict[str, str]:
    """Role -> the column that has it, the first of several."""
    roles: dict[str, str] = {}
    for cell in cells:
        plain = re.sub(r"[\s_#()\-]", "", cell.lower())
        role = next((role for role, names in _ROLES.items() if plain in names), None)
        if role is not None:
            roles.setdefault(role, cell)
    return roles


def _same(cells: pd.DataFrame, value: str) -> pd.Series:
    return pd.Series([value] * len(cells), index=cells.index)


def _filled(file: UploadedFile, name: str, cells: pd.DataFrame) -> pd.Series:
    texts = cells[name]
    if (texts == "").any():
        row = int((texts == "").to_numpy().argmax())
        raise ReadError(f"{file.name}: row {row + 1} under the header, column {name!r} is empty, but it identifies the phase. Fill it in.")
    return texts


def _granularity(file: UploadedFile, name: str, cells: pd.DataFrame) -> pd.Series:
    texts = _filled(file, name, cells)
    return whole(file, name, texts, 1) if texts.str.fullmatch(r"\d+").all() else texts


FORMAT = Format(
    key="phases_wide",
    title="phases in CSV, one column per counter",
    kind="PhaseTable",
    recognise=recognise,
    read=read,
    options=PhaseOptions,
    example={
        "phases.csv": "program,granularity,load,phase,CYCLES,Ir,Bcm\n"
        "queens,1000,single core,0,9120,6400,71\n"
        "queens,1000,single core,1,8840,6390,52\n"
        "queens,1000,dual core full load,0,9310,6400,71\n",
    },
)
