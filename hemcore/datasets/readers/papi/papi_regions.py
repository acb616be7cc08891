"""The regions that PAPI counted, as columns: as objects they would take ten times the memory of their files."""

import math
import sys
from array import array
from collections.abc import Mapping
from itertools import repeat
from typing import NamedTuple

import numpy as np
import pandas as pd

from hemcore.datasets.readers.reading_limits import check_values


class Region(NamedTuple):
    """One region of one thread. calls: NaN where PAPI does not say. nested: within another. counts: by event; NaN = none."""

    program: str
    name: str
    calls: float
    nested: bool
    counts: Mapping[str, float]
    reads: int


class RegionTable:
    """The regions of all files, in their order."""

    def __init__(self) -> None:
        self.programs: list[str] = []
        self.regions: list[str] = []
        self.calls = array("d")
        self.counts: dict[str, array[float]] = {}
        self.nested = False
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
        self.nested |= region.nested
        self.reads += region.reads

    def frame(self) -> pd.DataFrame:
        """Columns program, region, region_count, then the events; NaN where a region has none."""
        for column in self.counts.values():
            column.extend(repeat(math.nan, len(self) - len(column)))
        counts = {event: np.array(column) for event, column in self.counts.items()}
        return pd.DataFrame({"program": self.programs, "region": self.regions, "region_count": np.array(self.calls), **counts})
