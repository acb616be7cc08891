"""A series in CSV whose columns are raw counters, read again and again and never set back: the counts are the differences."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.datasets.readers.format import NO_OPTIONS, Format, NoOptions, ReadResult, read_result
from hemcore.datasets.readers.known_files import remembered
from hemcore.datasets.readers.repairs import Repair
from hemcore.datasets.readers.series.column_roles import head_of, is_number
from hemcore.datasets.readers.series.readings import unit_of
from hemcore.datasets.readers.series.table import SeriesTable, read_table
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ReadError

# The counters of x86, Armv8 and e6500 that a driver hands out raw have 48 bits.
_WRAP = 1 << 48
_HALF = _WRAP >> 1
# Of 32 bits are counters of networks, disks and microcontrollers: one that falls by nearly all of its range wrapped.
_NARROW, _NEARLY = 1 << 32, (1 << 32) - (1 << 28)
# Fewer rises may be chance: two counters over three readings rise together once in 36 times.
_RISES = 8
# In doubt: at most one fall to so many rises.
_FEW = 8
_DIGITS = 300
_EXACT = 1 << 53


def recognise(files: Sequence[UploadedFile]) -> tuple[float, str]:
    """(0.97, why) where every file has a column of time or interval and, over its first lines, every counter only grows, apart from wraps
    (one that stays 0 may stand among them); else 0."""
    readings = 0
    for file in files:
        found = _growth(file)
        if found.rises is None or found.rises < _RISES:
            return 0.0, ""
        readings += found.readings
    return (0.97, f"every counter only grows over the first {readings} readings: cumulative counters, whose differences are the counts")


def doubt(files: Sequence[UploadedFile]) -> str:
    """Why it must be asked whether `files`, taken for counts, are cumulative counters with wrong cells: a sentence; "" where it is clear.

    In doubt are columns that rise all along but in a few places; a single digit that is lost makes such a place.
    """
    return next((found.doubt for file in files if (found := _growth(file)).doubt), "")


class _Growth(NamedTuple):
    """rises: how often the counters of a file grew; None where one fell, stands still above 0, or is none. readings: the rows looked at."""

    rises: int | None = None
    readings: int = 0
    doubt: str = ""


@remembered(most=10_000)
def _growth(file: UploadedFile) -> _Growth:
    columns, rows = head_of(file)
    if not columns.events or not {"time", "interval"} & set(columns.roles):
        return _Growth()
    identity = [columns.roles[role] for role in ("application", "run") if role in columns.roles]
    found = _steps_of_each(rows, identity, list(columns.events))
    still = any(falls or (not rises and above) for rises, falls, above in found)
    return _Growth(
        rises=None if still else sum(rises for rises, _, _ in found),
        readings=len(rows),
        doubt=_doubt(file.name, list(columns.events.values()), found, len(rows)),
    )


def _doubt(file: str, names: Sequence[str], found: Sequence[tuple[int, int, bool]], rows: int) -> str:
    steps = {name: each for name, each in zip(names, found, strict=True) if each[0] >= _RISES and each[1] * _FEW <= each[0]}
    others = sum(not (rises >= _RISES and falls * _FEW <= rises) for rises, falls, _ in found)
    fallen = [name for name, (_, falls, _) in steps.items() if falls]
    if 2 * others > len(names) or not (fallen or others):
        return ""
    name = (fallen or list(steps))[0]
    rises, falls, _ = steps[name]
    return (
        f"{file}: column {name!r} rises {rises} times and falls {falls} times in the first {rows} rows."
        " Are these cumulative counters with wrong or reset readings, or counts per interval? Choose the format."
    )


def read(files: Sequence[UploadedFile], options: NoOptions = NO_OPTIONS) -> ReadResult[CounterSeries]:
    """The files as one series, mode OCOE, in the layout of wide_series_csv; n readings of a run give n - 1 intervals.

    A count is the difference to the reading before in the same run, exact for readings below 2**63. A fall is a wrap of 48 bits (2**48 is
    added) where the difference mended so is below 2**47 (the value before was then above 2**47), or one of 32 bits where it is below 2**28
    and no reading reaches 2**32; else a reset, and the interval is not counted.
    Each is a repair: value is the reading that fell, bound the one before. Around a missing reading nothing is counted.

    interval, time (s) and stage are those of the reading that ends the interval; intervals are numbered from 1 where the file does not.
    Raises ReadError as read_table does, for a negative reading, a run of one reading, and a time or interval that goes back.
    """
    table = read_table(files)
    runs = table.intervals.groupby(["application", "run"], sort=False)
    _check(table, runs.ngroup().to_numpy())
    before = pd.Series(np.arange(len(table.intervals))).groupby(runs.ngroup().to_numpy()).shift(1).to_numpy()
    ends = np.flatnonzero(~np.isnan(before))
    starts = before[ends].astype(np.int64)
    intervals = table.intervals.iloc[ends].reset_index(drop=True)
    for file, first, after in zip(table.files, table.first_rows, [*table.first_rows[1:], len(before)], strict=True):
        if "interval" not in head_of(file)[0].roles:
            intervals.loc[(ends >= first) & (ends < after), "interval"] -= 1
    repairs = list(table.repairs)
    counts = {name: differences(table.readings[name], starts, ends, intervals, repairs) for name in table.readings.columns}
    series = CounterSeries(intervals=intervals, counts=pd.DataFrame(counts), mode="OCOE", interval_unit=unit_of(table.intervals))
    return read_result(series, repairs, table.notes)


def _check(table: SeriesTable, run: np.ndarray) -> None:
    negative = (table.readings < 0).fillna(False).to_numpy(dtype=bool)
    if negative.any():
        row, column = (int(place[0]) for place in negative.nonzero())
        value = str(table.readings.iloc[row, column])
        raise ReadError(f"{table.place(row)}, column {table.readings.columns[column]!r}: {value} must be at least 0. Correct it.")
    alone = np.bincount(run)[run] == 1
    if alone.any():
        row = int(alone.argmax())
        application, number = table.intervals["application"].iloc[row], table.intervals["run"].iloc[row]
        raise ReadError(
            f"{table.place(row)}: run {number} of {application!r} has 1 reading; a cumulative counter needs at least 2."
            " Send the whole run, or choose the format with one column per event."
        )
    for name in ("interval", "time"):
        if name not in table.intervals:
            continue
        values = table.intervals[name]
        back = (values.groupby(run).diff() < 0).to_numpy()
        if back.any():
            row = int(back.argmax())
            raise ReadError(
                f"{table.place(row)}: {name} {float(values.iloc[row]):.12g} comes after a larger one of the same run."
                " Sort the readings, or number the runs in a column named run."
            )


def differences(readings: pd.Series, starts: np.ndarray, ends: np.ndarray, intervals: pd.DataFrame, repairs: list[Repair]) -> np.ndarray:
    """The counts between readings `starts` and `ends` of a cumulative counter, wraps mended and resets not counted, as `read` says.

    intervals: of each count its application, run and interval. What is mended or not counted is added to `repairs`.
    """
    name = str(readings.name)
    whole = pd.api.types.is_integer_dtype(readings)
    values = readings.to_numpy(dtype=np.int64 if whole else float, na_value=0)
    missing = readings.isna().to_numpy()
    unknown = missing[starts] | missing[ends]
    found = values[ends] - values[starts]
    fell = (found < 0) & ~unknown
    mended = found + _WRAP
    wrapped = fell & (mended >= 0) & (mended < _HALF)
    narrow = wraps(found, np.max(values, initial=0)) & fell & ~wrapped
    reset = fell & ~wrapped & ~narrow
    found = np.where(wrapped, mended, np.where(narrow, found + _NARROW, found))
    for row in np.flatnonzero(fell):
        application, run, interval = (intervals[key].iloc[row] for key in ("application", "run", "interval"))
        what = f"wrapped, 2**{48 if wrapped[row] else 32} added" if not reset[row] else "reset, not counted"
        where = f"{application}, run {run}, interval {interval}"
        repairs.append(Repair(where, name, what, 1, float(values[ends[row]]), float(values[starts[row]])))
    if unknown.any():
        repairs.append(Repair("all runs", name, "a reading at its start or end is missing, not counted", int(unknown.sum())))
    counts = found.astype(float)
    counts[unknown | reset] = np.nan
    return counts


def wraps(steps: np.ndarray, largest: np.ndarray) -> np.ndarray:
    """Which steps of counters are wraps of 32 bits: falls by nearly 2**32, where no reading is larger. largest: the largest reading, of
    each column."""
    return (steps < -_NEARLY) & (largest < _NARROW)


def _steps(readings: Sequence[tuple[tuple[str, ...], str]]) -> tuple[int, int, bool]:
    """(how often it grew from one (run, value) to the next of that run, how often it fell and did not wrap, whether one is above 0)."""
    last: dict[tuple[str, ...], float] = {}
    rises = falls = 0
    for run, cell in readings:
        if not is_number(cell):
            continue
        value = int(cell) if cell.isdecimal() and len(cell) < _DIGITS else float(cell)
        before = last.get(run, value)
        fell = value < before and not 0 <= value - before + _WRAP < _HALF
        falls += fell
        rises += value != before and not fell
        last[run] = value
    return rises, falls, any(last.values())


def _steps_of_each(rows: Sequence[Sequence[str]], identity: Sequence[int], places: Sequence[int]) -> list[tuple[int, int, bool]]:
    """_steps of the cells in each of `places`; identity: the places of what tells runs apart."""
    numbers = None if identity else _plain_numbers(rows, places)
    if numbers is None:
        return [_steps([(tuple(row[each] for each in identity), row[place]) for row in rows]) for place in places]
    steps = np.diff(numbers, axis=0)
    fell = (steps < 0) & ~((steps + _WRAP >= 0) & (steps + _WRAP < _HALF))
    rises = ((steps != 0) & ~fell).sum(axis=0)
    return list(zip(rises.tolist(), fell.sum(axis=0).tolist(), (numbers[-1] != 0).tolist(), strict=True))


def _plain_numbers(rows: Sequence[Sequence[str]], places: Sequence[int]) -> NDArray[np.float64] | None:
    """The cells as numbers, shape (rows, places), where a float holds each of them exactly enough to subtract; else None."""
    try:
        found = np.array([[float(row[place]) for place in places] for row in rows])
    except ValueError:
        return None
    return found if len(found) and bool((np.abs(found) < _EXACT).all()) else None


FORMAT = Format(
    key="series_cumulative",
    title="series in CSV, cumulative counters",
    kind="CounterSeries",
    recognise=recognise,
    read=read,
    options=NoOptions,
    example={
        "raw_counters.csv": "time,cycles\n"
        + "".join(f"{number / 2:.1f},{100_000 + 810_000 * number + 900 * number**2}\n" for number in range(10)),
    },
)
