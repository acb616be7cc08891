"""Counter series that the tests of segmentation make."""

import math
from typing import Any

import numpy as np
import pandas as pd

from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.segmentation import SegmentationParams

LEVELS = (10.0, 1000.0, 50.0)  # 20 intervals each
NAN = math.nan


def counts_of(run: int) -> np.ndarray:
    """Three levels with little noise; a change every 20 intervals."""
    return np.rint(np.repeat(LEVELS, 20) * np.random.default_rng(run).uniform(0.9, 1.1, 60))


def table(*, stages: bool = True, times: bool = True) -> CounterSeries:
    """Two applications; `prog` has runs 4 and 2: A with gaps in run 4, B counted in run 2 alone, C never."""
    frames, counts = [], []
    for application, run in (("prog", 4), ("prog", 2), ("other", 1)):
        rows = pd.DataFrame({"application": application, "run": run, "interval": np.arange(100, 160)})
        if stages:
            rows["stage"] = np.repeat(["start", "work", "end"], 20)
        if times:
            rows["time"] = 5 + 0.5 * np.arange(60)  # ends of intervals of half a second
        a = counts_of(run)
        if run == 4:
            a[[0, 5, 6, 30, 59]] = NAN
        frames.append(rows)
        counts.append(pd.DataFrame({"A": a, "B": counts_of(run) if run == 2 else NAN, "C": NAN}))
    return CounterSeries(
        intervals=pd.concat(frames, ignore_index=True), counts=pd.concat(counts, ignore_index=True), mode="OCOE", interval_unit="0.5 s"
    )


def made(columns: dict[str, object], **counts: object) -> CounterSeries:
    return CounterSeries(intervals=pd.DataFrame({"application": "p", **columns}), counts=pd.DataFrame(counts), mode="OCOE")


def params_of(**changes: Any) -> SegmentationParams:
    """Event A of `prog`; run 4 where a run is asked for."""
    return SegmentationParams(**{"application": "prog", "event": "A", "run": 4, "threshold": 10.0, **changes})


def two_levels(**columns: object) -> CounterSeries:
    """One run `p` of 20 intervals whose counts change in the middle."""
    return made({"run": 1, "interval": np.arange(20), **columns}, A=np.repeat([10.0, 900.0], 10))
