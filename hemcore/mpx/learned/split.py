"""Which runs are learned from and which are kept apart: by run, as Wang et al. (2022) has it, or by program."""

from collections.abc import Sequence

import numpy as np

from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ParameterError, UnknownNameError
from hemcore.mpx.sampled import rows_of

PAPER = (0.7, 0.1, 0.2)


def split_runs(series: CounterSeries, shares: Sequence[float] = PAPER, seed: int = 0) -> list[CounterSeries | None]:
    """The runs of each application dealt out at random into one series a share (Wang et al. 2022, 3.3: learned, checked, tested).

    shares: at least 0, their sum 1. Each part gets its share of an application's runs, rounded; the first gets what is left, and at
    least one run. None for a part without a run. Raises ParameterError for other shares.
    """
    given = np.asarray(shares, dtype=float)
    if not len(given) or (given < 0).any() or abs(given.sum() - 1) > 1e-9:
        raise ParameterError(f"shares: {list(shares)} must be at least 0 and add up to 1.")
    draw = np.random.default_rng(seed)
    rows = rows_of(series.intervals)
    part = np.zeros(len(rows.keys), dtype=np.int64)
    names = np.array([application for application, _ in rows.keys], dtype=object)
    for name in dict.fromkeys(names.tolist()):
        own = draw.permutation(np.flatnonzero(names == name))
        end = len(own)
        for number in range(len(given) - 1, 0, -1):
            take = min(int(given[number] * len(own) + 0.5), end - 1)
            part[own[end - take : end]] = number
            end -= take
    of_row = np.empty(len(rows.order), dtype=np.int64)
    of_row[rows.order] = np.repeat(part, np.diff(rows.starts))
    return [series.where(of_row == number) if (of_row == number).any() else None for number in range(len(given))]


def without_programs(series: CounterSeries, left_out: Sequence[str]) -> CounterSeries:
    """The series without the runs of these applications. Raises UnknownNameError for one that is not there, ParameterError for all."""
    for name in left_out:
        if name not in series.applications:
            raise UnknownNameError(
                f"left_out: {name!r} is no application of the series; they are {', '.join(map(str, series.applications))}."
            )
    keep = ~series.intervals["application"].isin(list(left_out)).to_numpy()
    if not keep.any():
        raise ParameterError("left_out: every application is left out, so there is nothing to learn from. Keep one.")
    return series.where(keep)
