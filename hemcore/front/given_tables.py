"""Plain frames to typed tables: column roles are guessed from names, as in a CSV; every column left out is listed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from hemcore.datasets.readers.eacct import current_names
from hemcore.datasets.readers.hem_columns import propose_n_pmcs
from hemcore.datasets.readers.hem_lists import hems_in
from hemcore.datasets.readers.phases.wide import roles_of
from hemcore.datasets.readers.raw_experiments import RawExperiments, split_raw_experiments, subexperiments_from_frames
from hemcore.datasets.readers.repairs import Repair, repairs_table
from hemcore.datasets.readers.series.readings import unit_of
from hemcore.datasets.shelf import samples
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.hem_list import HemList
from hemcore.datasets.tables.kinds import KINDS, kind_of
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.datasets.tables.signature_table import METRICS, SignatureTable
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.datasets.tables.typed_table import Repairs, TypedTable, with_repairs
from hemcore.errors import TableError
from hemcore.front.frames import Key, counters_of, frame_of, is_pieces, unrolled
from hemcore.front.given_columns import check_column, intervals_of, only_text, texts_of, times_by
from hemcore.front.read_files import load, read_as

_SUBEXPERIMENT = ("subexperiment", "experiment", "group", "batch")


@dataclass(frozen=True, kw_only=True)
class Given:
    """A typed table of the input. times: the times of its rows by (application, run) or (program, load), if known."""

    table: Any
    times: Mapping[Key, pd.DatetimeIndex] = field(default_factory=dict)


class _Part(NamedTuple):
    name: str
    data: object


def subexperiments(data: object) -> Given:
    """Subexperiments from a typed table, frames (a list, or a mapping by name), files, or one frame with all columns side by side.

    One frame is split where its first HEM repeats, by a column "subexperiment", or by which columns each row fills.
    """
    data = _opened(data, Subexperiments)
    if isinstance(data, Subexperiments):
        return Given(table=data)
    if isinstance(data, list | tuple) and data and all(isinstance(each, Subexperiments) for each in data):
        frames = [frame for each in data for frame in each.frames]
        not_read = tuple(hem for each in data for hem in each.not_read)
        return Given(table=Subexperiments(frames=tuple(frames), n_pmcs=max(each.n_pmcs for each in data), not_read=not_read))
    _refuse_other_kinds(data, Subexperiments)
    repairs: list[Repair] = []
    if is_pieces(data):
        parts = [(name, _hems(each, name, repairs)) for name, each in _named_parts(data, "subexperiment")]
        raw = subexperiments_from_frames([each for _, each in parts], min_mean=0.0, labels=[name for name, _ in parts])
    else:
        raw = _one_frame(frame_of(data, "merge").frame, repairs)
    table = with_repairs(raw.table, Repairs(frame=repairs_table([*repairs, *map(Repair._make, raw.repairs.itertuples(index=False))])))
    return Given(table=table)


def series(data: object, *, program: str | None = None, counters: Sequence[str] = ()) -> Given:
    """A CounterSeries from a typed table, a file, a Series, an array, a frame (a row per interval), or several: a list holds runs of one
    application, a mapping one application per key.

    program: the column that names the application; default: by its name (application, program, benchmark ...). Times come from a
    DatetimeIndex or a column of times. Missing values were not counted.
    """
    data = _opened(data, CounterSeries)
    if isinstance(data, CounterSeries):
        return Given(table=data)
    _refuse_other_kinds(data, CounterSeries)
    repairs: list[Repair] = []
    by_name = isinstance(data, Mapping)
    parts = _named_parts(data, "run") if is_pieces(data) else [_Part("", data)]
    rows = []
    for number, part in enumerate(parts, start=1):
        default = (part.name, 1) if by_name and part.name else ("data", number)
        rows.append(intervals_of(part.data, part.name or "data", default, program, counters, repairs))
    intervals = pd.concat([each for each, _, _ in rows], ignore_index=True)
    counts = pd.concat([each for _, each, _ in rows], ignore_index=True)
    if "time" in intervals.columns and intervals["time"].isna().any():
        intervals = intervals.drop(columns="time")
    table = CounterSeries(
        intervals=intervals, counts=counts, mode="MPX" if counts.isna().any(axis=None) else "OCOE", interval_unit=unit_of(intervals)
    )
    stamps = [pd.Series(times) if times is not None else pd.Series(pd.NaT, index=each.index) for each, _, times in rows]
    together = pd.concat([each for each in stamps if each.notna().any()] or stamps[:1], ignore_index=True)
    times = together if len(together) == len(intervals) else pd.Series(pd.NaT, index=intervals.index)
    return Given(table=with_repairs(table, _repairs_of(repairs)), times=times_by(times, intervals[["application", "run"]]))


def phases(data: object, *, program: str | None = None, counters: Sequence[str] = ()) -> Given:
    """A PhaseTable from a typed table, a file, a frame (a row per phase), or a mapping from program to frame.

    program: the column that names the program; default: by its name (program, application, benchmark ...), else the only column of text.
    Without the columns granularity, load and phase, every row is a phase. Raises TableError if no column names the program.
    """
    data = _opened(data, PhaseTable)
    if isinstance(data, PhaseTable):
        return Given(table=data)
    _refuse_other_kinds(data, PhaseTable)
    if is_pieces(data):
        made = []
        for name, each in _named_parts(data, "program"):
            frame = frame_of(each, name).frame
            made.append(frame if not isinstance(data, Mapping) else frame.assign(program=name))
        data = pd.concat(made, ignore_index=True)
    frame, times = frame_of(data, "phases")
    roles = roles_of(list(frame.columns))
    notes: list[str] = []
    if program is not None:
        check_column(frame, program, "program")
        roles["program"] = program
    elif "program" not in roles:
        roles["program"] = only_text(frame)
        notes.append(f"Column {roles['program']!r} was used as the program: it is the only text column.")
    chosen = [str(name) for name in counters]
    counts, repairs = counters_of(frame, roles.values(), "phases", chosen)
    negative = [] if chosen else [name for name in counts.columns if bool((counts[name] < 0).any())]
    repairs += [Repair("phases", name, "not used as a counter: it has negative values", len(frame)) for name in negative]
    counts = counts.drop(columns=negative)
    keys = pd.DataFrame(
        {
            "program": texts_of(frame[roles["program"]]),
            "granularity": frame[roles["granularity"]] if "granularity" in roles else "phase",
            "load": texts_of(frame[roles["load"]]) if "load" in roles else "as read",
        },
        index=frame.index,
    )
    of_each = keys.groupby(["program", "granularity", "load"], sort=False).cumcount()
    keys["phase"] = frame[roles["phase"]] if "phase" in roles else of_each
    table = PhaseTable(frame=pd.concat([keys, counts], axis=1), counters=tuple(counts.columns))
    stamps = pd.Series(times) if times is not None else pd.Series(pd.NaT, index=frame.index)
    return Given(table=with_repairs(table, _repairs_of(repairs, notes)), times=times_by(stamps, keys[["program", "load"]]))


def signatures(data: object) -> Given:
    """A SignatureTable from a typed table, a file, or a frame with the columns CPI, TPI, MEM_GBS and GFLOPS in any of EAR's spellings."""
    data = _opened(data, SignatureTable)
    if isinstance(data, SignatureTable):
        return Given(table=data)
    _refuse_other_kinds(data, SignatureTable)
    frame, times = frame_of(data, "signatures")
    frame = frame.rename(columns=current_names(list(frame.columns)))
    spelt = {name.upper().replace(" ", "_"): name for name in frame.columns}
    frame = frame.rename(columns={spelt[name]: name for name in METRICS if name in spelt and name not in frame.columns})
    numbers = {
        name: pd.to_numeric(frame[name], errors="coerce").to_numpy(dtype=float, na_value=np.nan) for name in METRICS if name in frame
    }
    table = SignatureTable(frame=frame.assign(**numbers))
    stamps: dict[Key, pd.DatetimeIndex] = {("", ""): times} if times is not None else {}
    return Given(table=table, times=stamps)


def hems(data: object) -> Given:
    """A HemList from names (a list, a text, a Series), a frame with a column "hem", a file, or the HEMs of any other table."""
    data = unrolled(data)
    if isinstance(data, str) and not is_path(data) and data not in samples.names():
        table, repairs, notes = hems_in(data)
        return Given(table=with_repairs(table, _repairs_of(repairs, notes)))
    if isinstance(data, str | PurePath):
        data = _opened(data, HemList)
    if isinstance(data, HemList):
        return Given(table=data)
    if isinstance(data, TypedTable):
        names: list[object] = getattr(data, "hems", None) or getattr(data, "events", None) or list(getattr(data, "counters", ()))
        if not names:
            raise TableError(f"plan: {type(data).__name__} has no HEM names. Give them: hem.plan(['CYCLES', 'L1D_MISSES', ...], n_pmcs=4)")
        return Given(table=_hem_list(names))
    if isinstance(data, pd.Series | pd.Index | np.ndarray | list | tuple):
        return Given(table=_hem_list(list(data)))
    if isinstance(data, pd.DataFrame) and not isinstance(data.columns, pd.MultiIndex) and "hem" not in data.columns:
        counts, _ = counters_of(frame_of(data, "plan").frame, (), "plan")
        return Given(table=_hem_list(list(counts.columns)))
    return Given(table=HemList(frame=frame_of(data, "plan").frame))


def _hem_list(names: list[object]) -> HemList:
    wrong = next((each for each in names if not isinstance(each, str)), None)
    if wrong is not None or not names:
        shown = f"a {type(wrong).__name__}" if names else "an empty list"
        raise TableError(f"plan: {shown} is not a HEM name. Give names: hem.plan(['CYCLES', 'L1D_MISSES', ...], n_pmcs=4)")
    return HemList(frame=pd.DataFrame({"hem": names}))


def _opened(data: object, kind: type) -> Any:
    """`data` itself, or the table of the file or sample that it names. Raises TableError if it has another kind."""
    data = unrolled(data)
    paths = isinstance(data, list | tuple) and bool(data) and all(isinstance(each, str | PurePath) for each in data)
    if isinstance(data, str) and not is_path(data) and data.removeprefix("sample-") in samples.names():
        data = load(data)
    elif isinstance(data, str | PurePath | bytes) or paths or callable(getattr(data, "read", None)):
        data = read_as(data, kind.__name__)
    return data


def _refuse_other_kinds(data: object, kind: type) -> None:
    if isinstance(data, TypedTable):
        have, want = kind_of(data).words, KINDS[kind.__name__].words  # type: ignore[arg-type]
        raise TableError(f"{want}: this is a {type(data).__name__} ({have}); a {kind.__name__} is needed. {REMEDIES[type(data).__name__]}")
    if data is None:
        raise TableError(f"{KINDS[kind.__name__].words}: no data was given. Give a DataFrame, a path, or what hem.read returns.")
    if isinstance(data, list | tuple | Mapping) and not data:
        raise TableError(f"{KINDS[kind.__name__].words}: an empty {type(data).__name__}. Give at least one table.")


REMEDIES = {
    "Subexperiments": "Use hem.merge for it; the merged table works with hem.evaluate if it names programs.",
    "CounterSeries": "Use hem.segment or hem.estimate for it.",
    "PhaseTable": "Use hem.evaluate for it.",
    "SignatureTable": "Use hem.classify for it.",
    "HemList": "Use hem.plan for it.",
    "MetricDefinitions": "Use hem.metrics(readings, definitions=...) with it.",
}


def is_path(text: str) -> bool:
    try:
        return PurePath(text).suffix != "" or "/" in text or Path(text).exists()
    except (OSError, ValueError):  # too long, or with a NUL
        return False


def _named_parts(data: Any, noun: str) -> list[_Part]:
    if isinstance(data, Mapping):
        return [_Part(str(name), each) for name, each in data.items()]
    return [_Part(f"{noun} {number}", each) for number, each in enumerate(data, start=1)]


def _hems(data: object, where: str, repairs: list[Repair]) -> pd.DataFrame:
    counts, left_out = counters_of(frame_of(data, where).frame, (), where)
    repairs += left_out
    return counts


def _one_frame(frame: pd.DataFrame, repairs: list[Repair]) -> RawExperiments:
    column = next((name for name in frame.columns if name.lower().strip() in _SUBEXPERIMENT), None)
    if column is not None:
        parts = {str(name): part.drop(columns=column).dropna(axis="columns", how="all") for name, part in frame.groupby(column, sort=False)}
        made = [_hems(part, name, repairs) for name, part in parts.items()]
        return subexperiments_from_frames(made, min_mean=0.0, labels=list(parts))
    if frame.columns.duplicated().any() or propose_n_pmcs(frame.columns) < frame.shape[1]:
        return split_raw_experiments(frame, propose_n_pmcs(frame.columns), min_mean=0.0)
    counts, left_out = counters_of(frame, (), "merge")
    repairs += left_out
    filled = counts.notna()
    patterns = filled.drop_duplicates()
    if 1 < len(patterns) <= max(len(counts) // 2, 1):
        made = []
        for pattern in patterns.itertuples(index=False, name=None):
            rows = (filled == np.array(pattern)).all(axis=1)
            if any(pattern):
                made.append(counts.loc[rows, np.array(pattern)])
        return subexperiments_from_frames(made, min_mean=0.0)
    raise TableError(
        f"merge: every row of the table has the same {frame.shape[1]} HEMs, so there is nothing to merge. Give one frame per"
        " subexperiment: hem.merge([first, second]), or a column 'subexperiment' that assigns rows."
    )


def _repairs_of(repairs: Sequence[Repair], notes: Sequence[str] = ()) -> Repairs:
    return Repairs(frame=repairs_table(repairs), notes=tuple(notes))
