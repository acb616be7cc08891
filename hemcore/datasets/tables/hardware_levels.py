"""A counter series by node, socket, core, hardware thread, or as a whole: counts summed, ratios and temperatures averaged.

Which place of the machine an application of the series is, its readers write into the columns of TREE beside the intervals, and into
`program` what is measured there. One application per place stays one until a level is chosen. Phases that were kept from such a series
have these columns too: there each place is a program, and the column WHOLE names what is measured.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.datasets.tables.checks import listed
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.phase_table import KEYS as PHASE_KEYS
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import UnknownNameError
from hemcore.events.hardware_tree import MACHINE, TREE, is_intensive, is_of_package

PROGRAM = "program"
# Columns of phases: the program whose places their programs are, the application whose segments they are, and the intervals of each.
WHOLE, SEGMENTS_OF, INTERVALS = "whole program", "segments of", "intervals"
TableT = TypeVar("TableT", bound=CounterSeries | PhaseTable)
_KEYS = ["application", "run", "interval"]


def tree_columns(intervals: pd.DataFrame) -> list[str]:
    """The columns of TREE that `intervals` has, from the coarsest; empty where places are not known."""
    return [name for name in TREE if name in intervals.columns] if PROGRAM in intervals.columns else []


def levels(table: object) -> list[str]:
    """The levels that at_level takes for `table`, from the coarsest ("machine") to the finest; empty where it tells no two places apart,
    and of other tables. A level is offered where it has several places, and fewer than the level below it.

    Of subexperiments that know the places of their runs: "machine", and the name of each place of each level below it.
    """
    if isinstance(table, Subexperiments):
        by_place = levels(table.places)
        below = [name for level in by_place[1:] for name in at_level(cast(CounterSeries, table.places), level).applications]
        return [*by_place[:1], *dict.fromkeys(below)]
    if isinstance(table, PhaseTable):
        intervals = _intervals_of(table)
    elif isinstance(table, CounterSeries):
        intervals = table.intervals
    else:
        return []
    known = tree_columns(intervals)
    offered: list[str] = []
    fewest = 0
    for last in range(len(known), 0, -1):
        places = intervals[[PROGRAM, *known[:last]]].drop_duplicates()
        most = int(places.groupby(PROGRAM, sort=False).size().max())
        if most > 1 and len(places) != fewest:
            offered.append(known[last - 1])
            fewest = len(places)
    return [MACHINE, *reversed(offered)] if offered else []


def at_level(table: TableT, level: str) -> TableT:
    """`table` with one application (of phases: program) per place of `level`: the sum of the counts of what lies within it.

    Ratios, shares, frequencies, temperatures and voltages (is_intensive) are averaged, never summed. A sum over a place that did not count
    an event in an interval is NaN, unless that place never counted the event in the run (as with the events of the other kind of core), or
    is a task (comm-4711), which counts nothing while it does not run.
    share: of a sum, the mean. truth: summed as the counts. finer: the series itself, for what compares the parts of a sum.

    Raises UnknownNameError for a level that `levels` does not list.
    """
    known = levels(table)
    if level not in known:
        offered = f"its levels are {listed(known)}" if known else "it does not tell cores apart"
        what = "series" if isinstance(table, CounterSeries) else "table"
        raise UnknownNameError(f"level: {level!r} is not a level of this {what}; {offered}.")
    if level == known[-1]:
        return table
    if isinstance(table, CounterSeries):
        return cast(TableT, _summed(table, level))
    whole = _summed(CounterSeries(intervals=_intervals_of(table), counts=table.frame[list(table.counters)], mode="OCOE"), level)
    keys = whole.intervals.rename(columns={PROGRAM: WHOLE}).rename(columns={"application": "program", "interval": "phase"})
    ordered = keys[[*PHASE_KEYS, *(name for name in keys if name not in (*PHASE_KEYS, "run"))]]
    return cast(TableT, PhaseTable(frame=pd.concat([ordered, whole.counts], axis=1), counters=table.counters))


def level_of_segments(table: object) -> str:
    """The level at which the segments were found that the phases `table` are, "" where it does not say so."""
    if not isinstance(table, PhaseTable) or SEGMENTS_OF not in table.frame:
        return ""
    name = table.frame[SEGMENTS_OF].iloc[0]
    return next((level for level in levels(table) if name in at_level(table, level).programs), "")


def _intervals_of(phases: PhaseTable) -> pd.DataFrame:
    """What describes the phases, as a series describes intervals: a program is an application, a granularity and load a run."""
    described = phases.frame.drop(columns=list(phases.counters))
    run = described.groupby(["granularity", "load"], sort=False).ngroup()
    return described.rename(columns={"program": "application", "phase": "interval"}).rename(columns={WHOLE: PROGRAM}).assign(run=run)


def _summed(series: CounterSeries, level: str) -> CounterSeries:
    columns = tree_columns(series.intervals)
    kept = [] if level == MACHINE else columns[: columns.index(level) + 1]
    keys = [PROGRAM, *kept, "run", "interval"]
    intervals = series.intervals
    group = intervals.groupby(keys, sort=False, dropna=False)
    described = [name for name in intervals.columns if name not in (*keys, *columns, "application", "core_type")]
    made = group[described].first().reset_index() if described else group.size().reset_index()[keys]
    if "time" in described:  # an interval of the sum ends with the last of its parts
        made["time"] = group["time"].max().to_numpy()
    made.insert(0, "application", _names(made, kept))
    order = made.groupby(["application", "run"], sort=False).ngroup().to_numpy()
    sort = np.lexsort((made["interval"].to_numpy(), order))
    rows = group.ngroup().to_numpy()
    places = intervals[[PROGRAM, *kept, "run"]].groupby([PROGRAM, *kept, "run"], sort=False, dropna=False).ngroup().to_numpy()
    members = intervals.groupby(["application", "run"], sort=False).ngroup().to_numpy()
    free = tasks(series)
    whose = [name for name in columns if name in ("node", "socket")]
    packages = intervals.groupby([PROGRAM, *whose, "run"], sort=False, dropna=False).ngroup().to_numpy()
    combined = {
        name: _combined(frame, rows, len(made), places, members, packages, free, mean=name == "share")
        for name, frame in (("counts", series.counts), ("share", series.share), ("truth", series.truth))
        if frame is not None
    }
    sorted_frames = {name: frame.iloc[sort].reset_index(drop=True) for name, frame in combined.items()}
    known_rows = sorted_frames["counts"].notna().any(axis=1).to_numpy()
    whole = replace(
        series,
        intervals=made[["application", "run", "interval", *[name for name in made if name not in _KEYS]]].iloc[sort].reset_index(drop=True),
        counts=sorted_frames["counts"],
        share=sorted_frames.get("share"),
        truth=sorted_frames.get("truth"),
        finer=series.finer or series,
    )
    return whole.where(known_rows) if known_rows.any() else whole


def tasks(series: CounterSeries) -> NDArray[np.bool_]:
    """Which rows are of a task (perf --per-thread), which counted nothing where it has no count: it did not run. shape (intervals,).

    Not those whose event was starved of a counter.
    """
    if "thread" not in series.intervals or not tree_columns(series.intervals):
        return np.zeros(len(series.intervals), dtype=bool)
    named = ~series.intervals["thread"].fillna("0").astype(str).str.fullmatch(r"T?-?\d+|").to_numpy(dtype=bool)
    if series.share is None:
        return named
    return named & ~((series.share == 0) & series.counts.isna()).any(axis=1).to_numpy()


def place_name(level: str, place: str) -> str:
    """A place in words: "core 3", "thread 7"; a place that has a name of its own keeps it ("die 1", "comm-4711")."""
    return f"{level} {place}" if place[:1].isdigit() else place


def _names(made: pd.DataFrame, kept: Sequence[str]) -> pd.Series:
    names = made[PROGRAM].astype(str)
    for level in kept:
        places = made[level].fillna("").astype(str)
        names = names + places.map(lambda place, level=level: f" {place_name(level, place)}" if place else "")
    return names


def _combined(
    frame: pd.DataFrame,
    rows: np.ndarray,
    n_rows: int,
    places: np.ndarray,
    members: np.ndarray,
    packages: np.ndarray,
    free: NDArray[np.bool_],
    *,
    mean: bool,
) -> pd.DataFrame:
    """Sums (of intensive events, or where `mean`: means) of the values of one row of the result.

    rows: which row of the result each belongs to. places: which place and run. members: which part of it (an application) and run.
    packages: which package and run; what is read of a package is counted once, however many of its threads say it. free: those that may be
    missing.
    """
    of_all = rows, places, members, free
    found = {}
    for name in frame.columns:
        values = frame[name].to_numpy(dtype=float)
        rows, places, members, free = of_all
        if is_of_package(str(name)):
            values, first = _once_per_package(values, rows, packages)
            rows, places, members, free = rows[first], places[first], packages[first], free[first]
        there = np.isfinite(values)
        counted = np.bincount(rows, weights=there, minlength=n_rows)
        total = np.bincount(rows, weights=np.where(there, values, 0.0), minlength=n_rows)
        # How many parts of the place count this event in this run at all.
        part_counts = np.bincount(members, weights=there) > 0
        of_place = pd.DataFrame({"place": places, "part": members})[part_counts[members] & ~free].drop_duplicates()
        expected_of = np.bincount(of_place["place"], minlength=int(places.max()) + 1)
        expected = np.zeros(n_rows)
        expected[rows] = expected_of[places]
        with np.errstate(invalid="ignore", divide="ignore"):
            value = total / counted if mean or is_intensive(str(name)) else total
        # Of the parts that may not be missing, as many as there are.
        firm = np.bincount(rows, weights=there & ~free, minlength=n_rows)
        found[name] = np.where((counted > 0) & (firm >= expected), value, np.nan)
    return pd.DataFrame(found, columns=frame.columns)


def _once_per_package(values: np.ndarray, rows: np.ndarray, packages: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(the mean of what the parts of each package say in each row of the result, the place of the first of them)."""
    both = rows.astype(np.int64) * (int(packages.max()) + 1) + packages
    _, first, which = np.unique(both, return_index=True, return_inverse=True)
    there = np.isfinite(values)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.bincount(which, weights=np.where(there, values, 0.0)) / np.bincount(which, weights=there)
    return means, first
