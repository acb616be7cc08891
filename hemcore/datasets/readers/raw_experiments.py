"""Raw readings -> subexperiments: columns cut into groups of n_pmcs, named, and cleaned; every drop is listed."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from hemcore.datasets.readers.hem_columns import Names, hem_names, propose_n_pmcs
from hemcore.datasets.readers.repairs import Repair, complete_rows, number_columns, repairs_table
from hemcore.datasets.tables.checks import check_column_names, check_counts, check_has_rows, listed
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import ParameterError, TableError

MIN_MEAN = 0.0  # a HEM that was never counted tells nothing; mergingTools drops those with a mean of at most 100


@dataclass(frozen=True, kw_only=True, eq=False)
class RawExperiments:
    """What a raw file holds.

    subexperiments: one DataFrame per subexperiment, rows are runs, columns HEM names, no value missing.
    labels: the name of each ("subexperiment 1", or the file's name).
    n_pmcs: HEMs read at once.
    repairs: every drop, with the columns of Repair; no row when nothing was dropped.
    not_read: the HEMs that are in no subexperiment any more because of their mean.
    notes: one sentence that names them; empty where there are none.
    """

    subexperiments: tuple[pd.DataFrame, ...]
    labels: tuple[str, ...]
    n_pmcs: int
    repairs: pd.DataFrame
    notes: tuple[str, ...] = ()
    not_read: tuple[str, ...] = ()

    @property
    def table(self) -> Subexperiments:
        """The same as the checked table that `merge_hrm` and `merge_much` take. Raises TableError for a negative count."""
        return Subexperiments(frames=self.subexperiments, n_pmcs=self.n_pmcs, labels=self.labels, not_read=self.not_read)


def process_raw_experiments(
    data: pd.DataFrame, n_pmcs: int, *, names: Names | None = None, min_mean: float = MIN_MEAN
) -> list[pd.DataFrame]:
    """The subexperiments of a raw table, as `split_raw_experiments` finds them, without the list of what was dropped."""
    return list(split_raw_experiments(data, n_pmcs, names=names, min_mean=min_mean).subexperiments)


def split_raw_experiments(data: pd.DataFrame, n_pmcs: int, *, names: Names | None = None, min_mean: float = MIN_MEAN) -> RawExperiments:
    """Cut the columns of `data` into subexperiments of n_pmcs columns, in order, and clean each.

    data: rows are runs; columns `X24`, `X24.3`, `24`, `24.3` or plain names (see `hem_names`); values are counts per run.
    names: event number -> HEM; default: the e6500/T2080 table.
    min_mean: rows with a missing value are left out per subexperiment, then HEMs whose mean is at most this (counts per run; -inf keeps
    all).

    Raises TableError (no row, text among the numbers, a HEM twice in a group, no complete row, nothing above min_mean), ParameterError
    (n_pmcs below 1 or not a divisor of the number of columns), UnknownNameError (unknown event numbers).
    Source: mergingTools vignette.
    """
    if not isinstance(data, pd.DataFrame):
        raise TableError(f"data: a {type(data).__name__}; it must be a DataFrame with one row per run and one column per HEM.")
    check_has_rows(data, "data")
    width = data.shape[1]
    if isinstance(n_pmcs, bool) or not isinstance(n_pmcs, int | np.integer) or n_pmcs < 1:
        raise ParameterError(f"n_pmcs: {n_pmcs!r} must be a whole number of at least 1: the number of HEMs read at once.")
    n_pmcs = int(n_pmcs)
    if width % n_pmcs:
        divisors = ", ".join(str(size) for size in range(1, width + 1) if width % size == 0)
        raise ParameterError(
            f"n_pmcs: {n_pmcs} does not divide the {width} columns; it must be one of {divisors}. The columns' names suggest "
            f"{propose_n_pmcs(data.columns)}. Is there a column that is not a HEM (a row number, a time)? Remove it."
        )
    hems = hem_names(data.columns, names)
    starts = range(0, width, n_pmcs)
    frames = [data.iloc[:, start : start + n_pmcs].set_axis(hems[start : start + n_pmcs], axis=1) for start in starts]
    return _cleaned(frames, tuple(f"subexperiment {number}" for number in range(1, len(frames) + 1)), n_pmcs, min_mean)


def subexperiments_from_frames(
    frames: Sequence[pd.DataFrame], *, names: Names | None = None, min_mean: float = MIN_MEAN, labels: Sequence[str] = ()
) -> RawExperiments:
    """The same where each subexperiment is a table (a file) of its own; their numbers of rows may differ.

    frames: at least one; columns named as in `split_raw_experiments`. labels: one a frame; default "subexperiment 1" and so on.
    n_pmcs of the result is the largest number of columns. Raises as `split_raw_experiments`.
    """
    if isinstance(frames, pd.DataFrame) or not frames:
        raise TableError(
            "frames: give a list with one DataFrame per subexperiment, at least one; for one raw table, use split_raw_experiments."
        )
    if labels and len(labels) != len(frames):
        raise TableError(f"labels: {len(labels)} labels for {len(frames)} frames. Give one label per subexperiment, or none.")
    called = tuple(labels) or tuple(f"subexperiment {number}" for number in range(1, len(frames) + 1))
    known = {str(column) for frame in frames for column in frame.columns}
    for label, frame in zip(called, frames, strict=True):
        check_has_rows(frame, label)
    named = [frame.set_axis(hem_names(frame.columns, names, known=known), axis=1) for frame in frames]
    return _cleaned(named, called, max(frame.shape[1] for frame in named), min_mean)


def _cleaned(frames: Sequence[pd.DataFrame], labels: Sequence[str], n_pmcs: int, min_mean: float) -> RawExperiments:
    if math.isnan(min_mean):
        raise ParameterError(
            "min_mean: it is not a number; give the mean, in counts per run, that a HEM must exceed (-inf keeps every HEM)."
        )
    kept: dict[str, pd.DataFrame] = {}
    repairs: list[Repair] = []
    for label, frame in zip(labels, frames, strict=True):
        check_column_names(frame.columns, label)
        complete, rows_left_out = complete_rows(number_columns(frame, label), label)
        check_counts(complete, label)
        repairs += rows_left_out
        means = complete.mean()
        low = means <= min_mean
        repairs += [
            Repair(label, str(hem), "HEM left out: its mean is not above the bound", len(complete), float(mean), min_mean)
            for hem, mean in means[low].items()
        ]
        if low.all():
            repairs.append(Repair(label, "", "subexperiment left out: none of its HEMs remains", len(complete)))
        else:
            kept[label] = complete.loc[:, ~low.to_numpy()]
    if not kept:
        highest = max(repair.value for repair in repairs if not math.isnan(repair.value))
        raise TableError(f"no HEM has a mean above min_mean = {min_mean:g} (the highest mean is {highest:g}). Lower min_mean.")
    left = {str(hem) for frame in kept.values() for hem in frame.columns}
    every = dict.fromkeys(str(hem) for frame in frames for hem in frame.columns)
    gone = [hem for hem in every if hem not in left]
    notes: tuple[str, ...] = ()
    if gone:
        what = f"{len(gone)} of {len(every)} HEMs left out, because their mean is at most {min_mean:g}: {listed(gone)}."
        notes = (f"{what} Lower the minimum mean to keep them.",)
    return RawExperiments(
        subexperiments=tuple(kept.values()),
        labels=tuple(kept),
        n_pmcs=n_pmcs,
        repairs=repairs_table(repairs),
        notes=notes,
        not_read=tuple(gone),
    )
