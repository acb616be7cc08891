"""A series of values that monitoring systems and profilers took at moments, by place and metric."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from hemcore.datasets.readers.reading_limits import check_memory, check_readings
from hemcore.datasets.readers.repairs import Repair
from hemcore.datasets.readers.series.readings import combinations, from_rows, interval_ends
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.checks import listed
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.hardware_levels import PROGRAM, place_name
from hemcore.errors import ReadError
from hemcore.events.hardware_tree import TREE

_DESCRIBED = (PROGRAM, *TREE)
# Seconds since 1970 from 2001 to 2096; smaller times are those of a run.
_EPOCH = (1e9, 4e9)
_PER_VALUE = 300  # bytes of a row while it has its place, its moment and its run beside it


def series_of_samples(
    rows: pd.DataFrame, *, where: str, remedy: str, repairs: list[Repair], notes: list[str], ends: bool = False
) -> CounterSeries:
    """A series of `rows`, one a value: columns program, event, count, time (s; since 1970, or since the start) and those of TREE.

    One application per place; run: that of the column, else 1. Moments of all places of a program are its intervals, numbered from 1; time
    counts from the first, date says when (UTC). ends: times are ends of intervals, of which those since 1970 count from the column begin;
    otherwise a run that starts at 0 has starts there.
    Values below 0 and infinite ones are left out and listed, as are events without a value. Raises ReadError where none is left.
    """
    rows = rows.reset_index(drop=True)
    values = rows["count"].to_numpy(dtype=float)
    for broken, what in ((np.isinf(values), "infinite"), (values < 0, "below 0")):
        if broken.any():
            first = int(broken.argmax())
            names = listed(dict.fromkeys(rows["event"][broken]))
            repairs.append(Repair(where, names, f"{what}: no count, treated as missing", int(broken.sum()), float(values[first]), 0))
            values = np.where(broken, np.nan, values)
    rows = rows.assign(count=values)
    for name in ("event", *_DESCRIBED):
        if name in rows:  # numbers of texts: of millions of values, the texts themselves take most of the memory
            rows[name] = pd.Categorical.from_codes(*pd.factorize(rows[name].fillna("")))
    if "run" not in rows:
        rows["run"] = 1
    counted = rows.groupby("event", sort=False, observed=True)["count"].transform("count") > 0
    if not counted.any():
        raise ReadError(f"{where}: no value of any metric ({listed(dict.fromkeys(rows['event']))}). {remedy}")
    if not counted.all():
        gone = rows.loc[~counted, "event"].astype(object).value_counts(sort=False)
        repairs += [Repair(where, str(event), "no value at any time: left out", int(times)) for event, times in gone.items()]
        rows = rows[counted]
    places = [name for name in TREE if name in rows and (rows[name] != "").any()]
    rows = rows.drop(columns=[name for name in TREE if name in rows and name not in places])
    rows["application"] = _applications(rows, places)
    # Places that have no value of any event in a run are no part of it.
    alive = rows.groupby(["application", "run"], sort=False, observed=True)["count"].transform("count") > 0
    if not alive.all():
        dead = rows.loc[~alive, ["application", "run"]].drop_duplicates()
        repairs += [Repair(f"{name}, run {run}", "", "no value of any metric: left out", 1) for name, run in dead.itertuples(index=False)]
        rows = rows[alive]
    del values, counted, alive
    timed = rows["time"].notna().any()
    rows = _timed(rows, notes, ends=ends) if timed else rows.drop(columns="time").assign(interval=1)
    if not places:
        rows = rows.drop(columns=PROGRAM)
    order = np.lexsort((rows["interval"], rows["run"], pd.factorize(rows["application"])[0]))
    rows = rows if bool((order[1:] > order[:-1]).all()) else rows.iloc[order]
    return from_rows(rows, interval_unit=None if "time" in rows else "whole run", where=where)


def _applications(rows: pd.DataFrame, places: Sequence[str]) -> pd.Categorical:
    """The name of each row's program and place."""
    codes, first = combinations(rows[[PROGRAM, *places]])
    names = rows[[PROGRAM, *places]].iloc[first].astype(object)
    texts = names[PROGRAM].astype(str)
    for level in places:
        texts += names[level].map(lambda place, level=level: f" {place_name(level, str(place))}" if place else "").astype(str)
    own, known = pd.factorize(texts)
    return pd.Categorical.from_codes(own[codes], known)


def check_samples(where: str, values: int, files: Sequence[UploadedFile]) -> None:
    """Raise ReadError where `files` have more values than are read, or than fit into memory while they are put in order."""
    check_readings(where, values, 1)
    check_memory(where, values, 1, sum(file.size for file in files), per_cell=8, per_row=_PER_VALUE)


def differences_of(counts: np.ndarray, event: str, where: str, repairs: list[Repair]) -> np.ndarray:
    """The steps of a cumulative counter, shape (values - 1,); NaN, listed, where it starts again."""
    steps = np.diff(counts)
    again = steps < 0
    if again.any():
        row = int(again.argmax())
        what = "starts again: the interval is not counted"
        repairs.append(Repair(where, event, what, int(again.sum()), float(counts[row + 1]), float(counts[row])))
    return np.where(again, np.nan, steps)


def _timed(rows: pd.DataFrame, notes: list[str], *, ends: bool) -> pd.DataFrame:
    keys = [PROGRAM, "run"]
    rows = rows[rows["time"].notna()] if rows["time"].hasnans else rows
    epoch = bool(rows["time"].between(*_EPOCH).all())
    runs = rows.groupby(keys, sort=False, observed=True)
    rows = rows.assign(interval=runs["time"].rank(method="dense").astype(int))
    if epoch:
        rows["date"] = pd.to_datetime((rows["time"] * 1000).round().astype("int64"), unit="ms", utc=True)
        rows["time"] = rows["time"] - runs["begin" if ends else "time"].transform("min")
    if ends:
        return rows
    codes, first = combinations(rows[[*keys, "interval"]])
    moments = rows[[*keys, "interval", "time"]].iloc[first].reset_index(drop=True).sort_values([*keys, "interval"], kind="stable")
    named = moments.rename(columns={PROGRAM: "application"}).astype({"application": object})
    # That of a clock counts from the first value, which is no choice to note.
    found = interval_ends(named, [] if epoch else notes)
    return rows.assign(time=found.sort_index().to_numpy()[codes])
