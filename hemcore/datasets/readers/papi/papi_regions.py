"""The regions that PAPI counted, as columns: as objects they would take ten times the memory of their files."""

import math
import sys
from array import array
from collections.abc import Mapping, Sequence
from itertools import repeat
from typing import NamedTuple

import numpy as np
import pandas as pd

from hemcore.datasets.readers.reading_limits import check_values
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.hardware_levels import PROGRAM, place_name


class Region(NamedTuple):
    """One region of one thread.

    thread: its id, "" where the program has one thread. calls: NaN where PAPI does not say. nested: within another. counts: by event;
    NaN = none.
    """

    program: str
    name: str
    calls: float
    nested: bool
    counts: Mapping[str, float]
    reads: int
    thread: str = ""


class RegionTable:
    """The regions of all files, in their order."""

    def __init__(self) -> None:
        self.programs: list[str] = []
        self.regions: list[str] = []
        self.threads: list[str] = []
        self.within: list[bool] = []
        self.calls = array("d")
        self.counts: dict[str, array[float]] = {}
        self.reads = 0

    def __len__(self) -> int:
        return len(self.calls)

    def add(self, region: Region, where: str) -> None:
        """One more row. Raises ReadError, which calls the files `where`, where the columns would take too much."""
        if not region.counts.keys() <= self.counts.keys():
            check_values(where, len(self) + 1, len(self.counts.keys() | region.counts.keys()), of="regions")
        for event, count in region.counts.items():
            column = self.counts.setdefault(event, array("d"))
            column.extend(repeat(math.nan, len(self) - len(column)))
            column.append(count)
        self.programs.append(sys.intern(region.program))
        self.regions.append(sys.intern(region.name))
        self.calls.append(region.calls)
        self.threads.append(sys.intern(region.thread))
        self.within.append(region.nested)
        self.reads += region.reads

    def frame(self) -> pd.DataFrame:
        """Columns program, region, region_count, thread, within (another region), then the events; NaN where a region has none."""
        for column in self.counts.values():
            column.extend(repeat(math.nan, len(self) - len(column)))
        counts = {event: np.array(column) for event, column in self.counts.items()}
        rows = {"program": self.programs, "region": self.regions, "region_count": np.array(self.calls)}
        return pd.DataFrame({**rows, "thread": self.threads, "within": self.within, **counts})


def series_of_threads(frame: pd.DataFrame, counters: Sequence[str], where: str) -> CounterSeries:
    """Regions of threads (columns of RegionTable.frame) as a series: each thread is an application with its place in the machine, and the
    intervals of all threads of a program are its regions, in the order of their first appearance, a region that comes again once more.

    Regions within others are left out, since the outer ones include their counts. A thread counts 0 in a region that it did not enter.
    Raises ReadError, which calls the files `where`, where threads times regions are too many.
    """
    rows = frame[~frame["within"]].reset_index(drop=True)
    again = rows.groupby(["program", "thread", "region"], sort=False).cumcount()
    rows["interval"] = rows.assign(again=again).groupby(["program", "region", "again"], sort=False).ngroup()
    steps = rows[["program", "interval", "region"]].drop_duplicates(["program", "interval"])
    places = rows[["program", "thread"]].drop_duplicates()
    check_values(where, int(places["program"].map(steps["program"].value_counts()).sum()), len(counters), of="regions")
    keys = ["program", "thread", "interval"]
    whole = places.merge(steps, on="program", how="left").merge(rows[[*keys, *counters]], on=keys, how="left", indicator="entered")
    counts = whole[list(counters)]
    counted = counts.notna().groupby([whole["program"], whole["thread"]], sort=False).transform("any")
    not_entered = (whole["entered"] == "left_only").to_numpy()[:, None]
    named = whole["program"] + whole["thread"].map(lambda each: each and f" {place_name('thread', each)}")
    intervals = pd.DataFrame({"application": named, "run": 1, "interval": whole["interval"] + 1, "stage": whole["region"]})
    intervals = intervals.assign(**{PROGRAM: whole["program"], "thread": whole["thread"]})
    return CounterSeries(intervals=intervals, counts=counts.mask(counted & not_entered, 0.0), mode="OCOE", interval_unit="region")
