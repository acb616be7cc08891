"""What the readers of `perf stat` output share: the rows that they find, and a series of them.

Source: perf-stat manual (tools/perf/Documentation/perf-stat.txt, CSV FORMAT and JSON FORMAT), tools/perf/util/stat-display.c.
"""

import re
from array import array
from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.datasets.readers.repairs import Repair
from hemcore.datasets.tables.checks import listed

LISTED = 50
_STEADY = 0.02  # of one run, the events read first and last are counted for times that differ by less
Values = NDArray[np.float64]
_WORDS = ("program", "aggregate", "event")
# What some versions of perf say of an event's kind behind its name: "task-clock [software]" is task-clock.
_KIND_OF_EVENT = re.compile(
    r"(?<=\S)\s+\[(?:software|hardware|hardware cache|kernel pmu|raw hardware|tracepoint)(?: event)?\]$", re.IGNORECASE
)


class Remarks:
    """What a reader says of one file: notes, one sentence each, and what it left out or mended of single lines."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.repairs: list[Repair] = []
        self.notes: list[str] = []
        self._repaired = 0
        self._outside, self._first_outside = 0, ""

    def outside(self, line: str) -> None:
        """A line that stands around the tool's blocks: those with a number in them are counted, since they may be readings."""
        if any(map(str.isdigit, line)):
            self._outside += 1
            self._first_outside = self._first_outside or line.strip()[:60]

    def repair(self, line: int, event: str, what: str) -> None:
        """Something of a line that was left out or mended; after LISTED of them they are only counted."""
        self._repaired += 1
        if self._repaired <= LISTED:
            self.repairs.append(Repair(f"{self.name}, line {line}", event, what, 1))

    def every_repair(self) -> list[Repair]:
        """The repairs, and how many more lines there were."""
        more = self._repaired - LISTED
        counted = [Repair(self.name, "", "more lines like these: left out or repaired", more)] if more > 0 else []
        around = Repair(self.name, "", f"lines with numbers around its blocks, as {self._first_outside!r}: left out", self._outside)
        return [*self.repairs, *counted, *([around] if self._outside else [])]


class Rows(Remarks):
    """The rows of one file, one a reading, as a reader finds them; `readings` makes a series of those of all files."""

    def __init__(self, name: str, *, shares_cut: bool = True, separate_segments: bool = False, tool: str = "perf") -> None:
        """shares_cut: percentages are truncated to whole numbers, as perf prints them except in its plain text. separate_segments: the
        file marks where a run starts; otherwise rows that repeat may be runs appended without a separator. tool: whose they are, for notes.
        """
        super().__init__(name)
        self._tool = tool
        self._separate_segments = separate_segments
        # Where the first reading stands; 0 where a reader does not say.
        self.first_line = 0
        self._shares_cut = shares_cut
        # Arrays, since a file of 200 MB has some 4 million rows.
        self._numbers = {column: array("d") for column in ("segment", "time", "count", "share", "running")}
        # Numbers of texts: each different text is kept once, not for each row.
        self._words = {column: array("i") for column in _WORDS}
        self._numbers_of: dict[str, dict[str, int]] = {column: {} for column in _WORDS}
        self._segment = 0
        self._program = ""

    def __len__(self) -> int:
        return len(self._words["event"])

    def start_again(self, program: str = "") -> None:
        """What follows is another run; `program` is added to the name of the application."""
        if len(self):
            self._segment += 1
        self._program = program

    def add(self, time: float, aggregate: str, event: str, count: float, per_cent: float, *, running_ns: float = np.nan) -> None:
        """One reading: time in s (NaN: no -I), id of CPU, thread or cgroup ("": none), count (NaN: not counted; NOT_SUPPORTED), running
        share in per cent and running time in ns (NaN: not known)."""
        numbers, words = self._numbers, self._words
        numbers["segment"].append(self._segment)
        numbers["time"].append(time)
        numbers["count"].append(count)
        numbers["share"].append(per_cent)
        numbers["running"].append(running_ns)
        for column, text in zip(_WORDS, (self._program, aggregate, event), strict=True):
            words[column].append(self._number(column, text))

    def add_many(
        self,
        times: Values,
        aggregates: NDArray[np.object_],
        events: NDArray[np.object_],
        counts: Values,
        per_cents: Values,
        running_ns: Values,
    ) -> None:
        """Readings as `add` takes them, all of the same length; a running time in ns of NaN is not known."""
        rows = len(times)
        for column, values in (
            ("segment", np.full(rows, self._segment)),
            ("time", times),
            ("count", counts),
            ("share", per_cents),
            ("running", running_ns),
        ):
            self._numbers[column].frombytes(np.ascontiguousarray(values, dtype=float).tobytes())
        for column, texts in (("aggregate", aggregates), ("event", events)):
            codes, names = pd.factorize(np.asarray(texts, dtype=object))
            own = np.array([self._number(column, str(name)) for name in names], dtype=np.intc)
            self._words[column].frombytes(own[codes].tobytes())
        self._words["program"].frombytes(np.full(rows, self._number("program", self._program), dtype=np.intc).tobytes())

    def _number(self, column: str, text: str) -> int:
        known = self._numbers_of[column]
        return known.setdefault(text, len(known))

    def _texts(self, column: str) -> np.ndarray:
        """The text of each row."""
        return np.array(list(self._numbers_of[column]), dtype=object)[np.asarray(self._words[column])]

    def name_events(self, named: Mapping[str, tuple[str, str]]) -> None:
        """Give each event that `named` has its (name, cgroup); the cgroup is added to the id."""
        parts = [named.get(event, (event, "")) for event in self._numbers_of["event"]]
        codes = np.asarray(self._words["event"])
        if any(cgroup for _, cgroup in parts):
            places = pd.Series(self._texts("aggregate"))
            cgroups = np.array([cgroup for _, cgroup in parts], dtype=object)[codes]
            self._rename("aggregate", (places + " " + cgroups).str.strip().where(cgroups != "", places).to_numpy(dtype=object))
        self._rename("event", np.array([event for event, _ in parts], dtype=object)[codes])

    def _rename(self, column: str, texts: np.ndarray) -> None:
        codes, names = pd.factorize(texts)
        self._words[column] = array("i", codes.astype(np.intc).tobytes())
        self._numbers_of[column] = {str(name): number for number, name in enumerate(names)}

    def frame(self) -> pd.DataFrame:
        """Columns segment (0 on), program, aggregate, time, event, count, share; totals left out and each run a segment. To be asked once:
        the numbers go with it, since of millions of rows they are not held twice."""
        rows = pd.DataFrame({column: np.frombuffer(self._numbers.pop(column)) for column in tuple(self._numbers)})
        plain = [_KIND_OF_EVENT.sub("", name) for name in self._numbers_of["event"]]
        if plain != list(self._numbers_of["event"]):
            self._rename("event", np.array(plain, dtype=object)[np.asarray(self._words["event"])])
        rows = rows.assign(**{column: self._texts(column) for column in _WORDS}).astype({"segment": int})
        infinite = np.isinf(rows["count"].to_numpy())
        if infinite.any():
            rows.loc[infinite, "count"] = np.nan
            self.repairs.append(Repair(self.name, "", "infinite value: treated as not counted", int(infinite.sum()), np.inf))
        rows["share"] = self._shares(rows)
        timed = rows["time"].notna().to_numpy()
        if timed.any():
            other = ~timed & ~rows["event"].isin(rows["event"][timed].unique()).to_numpy()
            if other.any():
                self.notes.append(
                    f"{self.name}: rows without a time left out, of events in no interval: {listed(rows['event'][other].unique())}."
                )
            if total := int((~timed & ~other).sum()):
                self.notes.append(f"{self.name}: rows of the total (--summary) left out, because the intervals add up to it: {total:,}.")
            if not timed.all():
                rows = rows[timed].reset_index(drop=True)
            back = (rows["time"].diff() < 0) & (rows["segment"].diff() == 0)
            again = int(back.sum())
            rows["segment"] += back.cumsum()
            if again:
                self.notes.append(f"{self.name}: the time goes backwards, read as the start of a new run: {again:,} times.")
        else:
            self._repeats(rows)
        return rows

    def _shares(self, rows: pd.DataFrame) -> pd.Series:
        per_cent = rows["share"]
        counted = rows["count"] >= 0
        over = counted & (per_cent > 100)
        if over.any():
            most = float(per_cent[over].max())
            self.repairs.append(Repair(self.name, "", "running share over 100%: treated as 100%", int(over.sum()), most, 100))
        unknown = counted & (per_cent <= 0)
        if unknown.any():
            # perf cuts 0.6 % to 0: a share, but not known.
            what = "counted, but a running share of 0% (below 1%): share not known"
            self.repairs.append(Repair(self.name, "", what, int(unknown.sum()), 0, 1))
        if (counted & (per_cent > 0) & (per_cent < 100)).any():
            whole = self._shares_cut and bool((per_cent[per_cent < 100] % 1 == 0).all())
            cut = f" (this {self._tool} cuts it to whole per cent, so that it may be up to 1 point too small)" if whole else ""
            self.notes.append(
                f"{self.name}: {self._tool} has already scaled values that were counted for part of an interval; share is as printed{cut}."
            )
        # A value never asked for (a sleeping thread) is printed with 100 %, one that never got a counter with 0 %.
        known = (counted & (per_cent > 0)) | (~counted & (per_cent == 0))
        return (per_cent / 100).clip(0, 1).where(known)

    def _repeats(self, rows: pd.DataFrame) -> None:
        """Runs appended to one file without a line between: the same events again in the same order, with another running time."""
        if self._separate_segments or len(rows) == 0 or rows["segment"].iloc[-1] > 0:
            return
        aggregates, events = (np.asarray(self._words[column]) for column in ("aggregate", "event"))
        keys = pd.factorize(aggregates.astype(np.int64) * len(self._numbers_of["event"]) + events)[0]
        period = int(keys.max()) + 1
        # One event again and again is left as it is: perf prints that for the boxes of an uncore unit too.
        if not 2 <= period <= len(keys) // 2 or not np.array_equal(keys, np.arange(len(keys)) % period):
            return
        if _is_one_run(rows, period):
            self.notes.append(
                f"{self.name}: the same {period:,} rows repeat with the same running times: events listed twice (-e a,b,a,b),"
                " not another run. The second is named NAME (2)."
            )
            return
        rows["segment"] = np.arange(len(keys)) // period
        self.notes.append(f"{self.name}: the same {period:,} rows repeat; they were read as {int(rows['segment'].iloc[-1]) + 1:,} runs.")


def _is_one_run(rows: pd.DataFrame, period: int) -> bool:
    """Whether rows that come again every `period` rows are of one run: what was counted all the time was so for the same time.

    In one run events differ by the nanoseconds between reading one and the next; two runs by far more. Where no event was counted all
    the time, the time that each was asked for is known within the digits of its per cent: one run where all of them agree.
    """
    known = rows[(rows["running"] > 0) & (rows["share"] > 0)]
    always = known[known["share"] >= 1]
    again = always.index.to_numpy() // period
    if len(set(again)) > 1:
        same = always["running"].groupby(always.index.to_numpy() % period).transform(lambda times: times == times.iloc[0])
        if same[again != again[0]].any():
            return True  # to the nanosecond
        places = always["aggregate"]
        # Of each id on its own, since each CPU or thread has its own time.
        first = always["running"].groupby(places).transform(lambda times: times.iloc[0])
        apart = (always["running"] / first - 1).abs()
        within = float(apart[again == again[0]].max())
        # Where the events of one round ran for other times themselves, as on other units, each is held against its own first time.
        own = always["running"].groupby([places, always.index.to_numpy() % period]).transform(lambda times: times.iloc[0])
        drift = float((always["running"] / own - 1).abs()[again != again[0]].median())
        return drift <= _STEADY and float(apart[again != again[0]].median()) <= max(4 * within, 1e-6)
    if known.empty:
        return False
    digits = 0.01 if (known["share"] * 100 % 1 == 0).all() else 0.0001
    longest, shortest = known["running"] / known["share"], known["running"] / (known["share"] + digits)
    spans = (
        pd.DataFrame({"place": known["aggregate"], "low": shortest, "high": longest}).groupby("place").agg({"low": "max", "high": "min"})
    )
    return bool((spans["low"] <= spans["high"] * (1 + 1e-6)).all())
