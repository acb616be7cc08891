"""The lines of LIKWID's time line, and a series of them: whole lines, since a line may hold 100,000 counts."""

from array import array
from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.datasets.readers.format import ReadResult, read_result
from hemcore.datasets.readers.perf.perf_rows import Remarks
from hemcore.datasets.readers.perf.rows_to_series import run_of_each
from hemcore.datasets.readers.reading_limits import check_runs, check_values
from hemcore.datasets.readers.repairs import Repair
from hemcore.datasets.readers.series.readings import combinations, runs_of_files, unit_of, with_places
from hemcore.datasets.tables.checks import listed
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ReadError

Counts = NDArray[np.float64]
# Rows up to which applications and places are texts; of more, they are categories, and texts again when the dataset is opened.
_MOST_TEXTS = 1_000_000


class TimeLines(Remarks):
    """The lines of one file: of each its time, and the counts of one group of events on all hardware threads."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.times = array("d")
        self._kinds: dict[tuple[int, tuple[str, ...], tuple[str, ...]], tuple[array[int], array[float]]] = {}

    def __len__(self) -> int:
        return len(self.times)

    @property
    def groups(self) -> int:
        """How many groups of events there are."""
        return len({group for group, _, _ in self._kinds})

    def add(self, time: float, group: int, events: Sequence[str], threads: Sequence[str], counts: Counts) -> None:
        """One line. counts: shape (events x threads,), the threads of an event beside each other; NaN = not counted."""
        lines, values = self._kinds.setdefault((group, tuple(events), tuple(threads)), (array("q"), array("d")))
        lines.append(len(self.times))
        values.frombytes(counts.tobytes())
        self.times.append(time)

    def threads(self) -> list[str]:
        """Every hardware thread, in the order of first appearance."""
        return list(dict.fromkeys(thread for _, _, threads in self._kinds for thread in threads))

    def events(self) -> list[str]:
        """Every event; one that a line has twice is two events, the second "NAME (2)"."""
        return list(dict.fromkeys(event for _, events, _ in self._kinds for event in _told_apart(events)))

    def blocks(self) -> Iterator[tuple[NDArray[np.int64], list[str], tuple[str, ...], Counts]]:
        """(the numbers of lines from 0, events, threads, counts of shape (lines, events, threads)) of the lines that have them; once, and
        then they are gone: of millions of lines, they take as much memory as the table that is made of them."""
        while self._kinds:
            (_, events, threads), (lines, values) = self._kinds.popitem()
            shape = (len(lines), len(events), len(threads))
            yield np.frombuffer(lines, dtype=np.int64), _told_apart(events), threads, np.frombuffer(values).reshape(shape)


def series_of(parts: Sequence[TimeLines]) -> ReadResult[CounterSeries]:
    """A series of the lines of all files: an application per file and hardware thread, an interval per line. MPX with several groups.

    A time that falls starts another run. Events and applications without any value are left out and listed. Raises ReadError where no value
    is left, or where there are more applications, runs, events or values than are read.
    """
    names = runs_of_files([part.name for part in parts])
    where = parts[0].name if len(parts) == 1 else "all files"
    mode: Literal["OCOE", "MPX"] = "MPX" if any(part.groups > 1 for part in parts) else "OCOE"
    order = list(dict.fromkeys(event for part in parts for event in part.events()))
    rows = _rows_of(parts, [base for base, _ in names])
    rows["run"] = run_of_each(rows, [number for _, number in names])
    rows = rows.drop(columns=["file", "segment"])
    check_runs(where, rows["application"].nunique(), len(combinations(rows[["application", "run"]])[1]))
    check_values(where, len(rows), len(order))
    counts, asked, there = _counts(parts, order, len(rows))
    repairs = [repair for part in parts for repair in part.every_repair()]
    counted = np.logical_not(np.isnan(counts).all(axis=0))
    if not counted.any():
        raise ReadError(f"{where}: no event has a value in any line ({listed(order)}). Measure as a user who may read the counters.")
    for place in np.flatnonzero(~counted):
        repairs.append(Repair(where, order[place], "not counted in any interval: left out", int(asked[place])))
    codes, first = combinations(rows[["application", "run"]])
    filled = np.bincount(codes, weights=~np.isnan(counts).all(axis=1), minlength=len(first)) > 0
    lines = np.bincount(codes, weights=there, minlength=len(first))
    for place in np.flatnonzero(~filled):
        application, run = rows["application"].iloc[first[place]], rows["run"].iloc[first[place]]
        repairs.append(Repair(f"{application}, run {run}", "", "no event counted: left out", int(lines[place])))
    kept = filled[codes] & there
    del codes
    if not (kept.all() and counted.all()):
        rows, counts = rows[kept].reset_index(drop=True), counts[np.ix_(kept, counted)]
    found = pd.DataFrame(counts, columns=[order[place] for place in np.flatnonzero(counted)])
    placed = _placed(rows.drop(columns=["base", "aggregate"]), rows[["base", "aggregate"]])
    del rows, counts, kept, there
    if len(placed) <= _MOST_TEXTS:
        placed = placed.astype({name: placed[name].cat.categories.dtype for name in placed.select_dtypes("category")})
    table = CounterSeries(intervals=placed, counts=found, mode=mode, interval_unit=unit_of(placed))
    return read_result(table, repairs, (note for part in parts for note in part.notes))


def _placed(rows: pd.DataFrame, ids: pd.DataFrame) -> pd.DataFrame:
    """with_places of millions of rows: it is asked once for each pair of `ids`, which are few. Its texts are categories."""
    codes, first = combinations(ids)
    own = ids.iloc[first]
    places = with_places(rows.iloc[first].assign(event="", count=0.0), own["base"], own["aggregate"])
    for column in places.columns[len(rows.columns) + 2 :]:
        of_pair, texts = pd.factorize(places[column])
        rows[column] = pd.Categorical.from_codes(of_pair.astype(np.int32)[codes], texts)
    return rows


def _counts(parts: Sequence[TimeLines], order: list[str], rows: int) -> tuple[Counts, NDArray[np.int64], NDArray[np.bool_]]:
    """(counts of shape (rows, events), how many values each event was asked for, which rows a line is of)."""
    counts = np.full((rows, len(order)), np.nan)
    asked, there = np.zeros(len(order), dtype=np.int64), np.zeros(rows, dtype=bool)
    column = {event: place for place, event in enumerate(order)}
    start = 0
    for part in parts:
        threads = part.threads()
        for lines, events, of, values in part.blocks():
            columns = np.array([column[event] for event in events])
            asked[columns] += len(lines) * len(of)
            for place, thread in enumerate(of):
                own = start + lines * len(threads) + threads.index(thread)
                counts[np.ix_(own, columns)] = values[:, :, place]
                there[own] = True
        start += len(part) * len(threads)
    return counts, asked, there


def _rows_of(parts: Sequence[TimeLines], bases: Sequence[str]) -> pd.DataFrame:
    """A row per line and hardware thread, those of a line together: application, interval, time, and what it was found in. Names are
    categories: of millions of rows, their texts take most of the memory."""
    places = list(dict.fromkeys(f"HWThread {thread}" for part in parts for thread in part.threads()))
    names = list(dict.fromkeys(bases))
    applications = list(dict.fromkeys(f"{base} {place}" for base in names for place in places))
    number_of = {application: number for number, application in enumerate(applications)}
    frames = []
    for number, (part, base) in enumerate(zip(parts, bases, strict=True)):
        of_part = [f"HWThread {thread}" for thread in part.threads()]
        own = [number_of[f"{base} {place}"] for place in of_part]
        frame = _rows(part, number, (own, applications), ([places.index(place) for place in of_part], places))
        frame["base"] = pd.Categorical.from_codes(np.full(len(frame), names.index(base), dtype=np.int16), pd.Index(names))
        frames.append(frame)
    return frames[0] if len(frames) == 1 else pd.concat(frames, ignore_index=True)


def _rows(part: TimeLines, number: int, *named: tuple[Sequence[int], list[str]]) -> pd.DataFrame:
    """Those of one file; named: of application and place, the number of each thread's, and their texts."""
    times = np.frombuffer(part.times)
    back = np.flatnonzero(np.diff(times) < 0) + 1
    if len(back):
        part.notes.append(f"{part.name}: the time goes backwards, read as the start of a new run: {len(back):,} times.")
    starts = np.concatenate([[0], back])
    segment = np.searchsorted(back, np.arange(len(times)), side="right")
    each = len(named[0][0])
    texts = [pd.Categorical.from_codes(np.tile(np.array(own, dtype=np.int16), len(times)), pd.Index(all)) for own, all in named]
    return pd.DataFrame(
        {
            "application": texts[0],
            "interval": np.repeat(np.arange(len(times)) - starts[segment] + 1, each),
            "time": np.repeat(times, each),
            "aggregate": texts[1],
            "file": np.full(len(times) * each, number, dtype=np.int32),
            "segment": np.repeat(segment.astype(np.int32), each),
        },
        copy=False,  # columns that are dropped again are not to be held by those that stay
    )


def _told_apart(events: Sequence[str]) -> list[str]:
    seen: dict[str, int] = {}
    found = []
    for event in events:
        seen[event] = seen.get(event, 0) + 1
        found.append(event if seen[event] == 1 else f"{event} ({seen[event]})")
    return found
