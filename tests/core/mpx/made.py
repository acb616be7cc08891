"""Small series that the tests of mpx share."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from hemcore.datasets import CounterSeries


def series(
    counts: Mapping[str, Sequence[float]],
    *,
    mode: str = "MPX",
    runs: Sequence[int] | None = None,
    truth: Mapping[str, Sequence[float]] | None = None,
) -> CounterSeries:
    """One application, "p"; runs: how many slots each run has, default one run of all."""
    frame = pd.DataFrame(counts, dtype=float)
    lengths = list(runs or [len(frame)])
    intervals = pd.DataFrame(
        {
            "application": "p",
            "run": np.repeat(np.arange(1, len(lengths) + 1), lengths),
            "interval": np.concatenate([np.arange(length) for length in lengths]),
        }
    )
    true = None if truth is None else pd.DataFrame(truth, dtype=float)
    return CounterSeries(intervals=intervals, counts=frame, mode=mode, truth=true)


def bursty(n: int = 240, n_events: int = 4, seed: int = 0, n_runs: int = 3) -> CounterSeries:
    """OCOE runs of levels with noise and bursts; no count is 0."""
    random = np.random.default_rng(seed)
    frame = {}
    for event in range(n_events):
        level = np.repeat(random.uniform(100, 10_000, n // 20), 20)
        frame[f"E{event}"] = np.rint(level * random.lognormal(0, 0.3, n)) + 1
    return series(frame, mode="OCOE", runs=[n // n_runs] * n_runs)
