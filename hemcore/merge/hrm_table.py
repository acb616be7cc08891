"""HRM: subexperiments that share an anchor HEM -> one table, with runs matched by the anchor's order."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.datasets.tables.checks import listed
from hemcore.errors import ParameterError, UnknownNameError
from hemcore.merge.inputs import CompleteSubexperiments, SubexperimentsLike, complete_subexperiments
from hemcore.merge.params import HrmParams
from hemcore.merge.ranks import even_quantiles, stable_order
from hemcore.merge.remedies import BY_COPULA, BY_PAIRS


@dataclass(frozen=True, kw_only=True, eq=False)
class HrmResult:
    """One merged table and the sources of its columns.

    merged: shape (runs, HEMs), counts per run; the anchor first, then the HEMs in the order of first reading.
    sources: one row per HEM other than the anchor: hem, subexperiment, runs (complete runs of that subexperiment).
    duplicates: readings not used because the HEM is taken from another subexperiment: hem, subexperiment, runs, kept_from.
    repairs: rows left out because of a missing value: subexperiment, HEM, what, rows, value, bound.
    params: the parameters, with the anchor that was used.
    """

    merged: pd.DataFrame
    sources: pd.DataFrame
    duplicates: pd.DataFrame
    repairs: pd.DataFrame
    params: HrmParams

    @property
    def n_runs(self) -> int:
        """Number of rows of the merged table."""
        return len(self.merged)


def hrm_merge(subexperiments: SubexperimentsLike, anchor_hem: str) -> pd.DataFrame:
    """The merged table of `merge_hrm`, shape (runs, HEMs), anchor first. Raises as it does, and ParameterError for an empty name."""
    if not anchor_hem:
        raise ParameterError("anchor_hem: the name is empty. Name the HEM that every subexperiment reads.")
    return merge_hrm(subexperiments, HrmParams(anchor_hem=anchor_hem)).merged


def merge_hrm(subexperiments: SubexperimentsLike, params: HrmParams) -> HrmResult:
    """Merge subexperiments by the order of the anchor HEM, which each of them reads.

    Each subexperiment is sorted by the anchor (ties stay in order), and the other HEMs are put side by side; the anchor's column is the
    type 2 quantiles of all its readings at even probabilities from 0 to 1.

    If numbers of runs differ, the table has as many rows as the smallest subexperiment, n. From m > n sorted runs, those at the ranks
    i * (m - 1) / (n - 1), rounded, are taken: the lowest, the highest and evenly spaced ones between, each a whole run, none twice.
    A HEM other than the anchor that several subexperiments read is taken from the one with most complete runs, the first if equal.

    Raises UnknownNameError if no subexperiment reads the anchor, ParameterError if one of them does not, TableError for bad input.
    Source: BSC, mergingTools vignette.
    """
    table = complete_subexperiments(subexperiments)
    anchor = params.anchor_hem or next(iter(_common(table)), "")
    _check_anchor(table, anchor)
    params = params.but(anchor_hem=anchor)
    n_runs = min(len(frame) for frame in table.frames)
    readers = {hem: numbers for hem, numbers in table.readers().items() if hem != anchor}
    # The first of the largest: max keeps the first of equals.
    source = {hem: max(numbers, key=lambda number: len(table.frames[number])) for hem, numbers in readers.items()}
    columns: dict[str, NDArray[np.number]] = dict.fromkeys([anchor, *source], np.empty(0))
    columns[anchor] = even_quantiles(np.concatenate([frame[anchor].to_numpy() for frame in table.frames]), n_runs)
    for number, frame in enumerate(table.frames):
        rows = stable_order(frame[anchor].to_numpy())[_even_ranks(len(frame), n_runs)]
        for hem in frame.columns:
            if source.get(hem) == number:
                # Contiguous first: rows are taken in random order, which is faster within the cache.
                columns[hem] = np.ascontiguousarray(frame[hem].to_numpy())[rows]
    return HrmResult(
        merged=pd.DataFrame(columns, copy=False),
        sources=pd.DataFrame(
            [(hem, table.labels[number], len(table.frames[number])) for hem, number in source.items()],
            columns=["hem", "subexperiment", "runs"],
        ),
        duplicates=pd.DataFrame(
            [
                (hem, table.labels[other], len(table.frames[other]), table.labels[number])
                for hem, number in source.items()
                for other in readers[hem]
                if other != number
            ],
            columns=["hem", "subexperiment", "runs", "kept_from"],
        ),
        repairs=table.repairs,
        params=params,
    )


def _common(table: CompleteSubexperiments) -> list[str]:
    return [hem for hem in table.hems if all(hem in frame.columns for frame in table.frames)]


def _check_anchor(table: CompleteSubexperiments, anchor: str) -> None:
    lacking = [label for label, frame in zip(table.labels, table.frames, strict=True) if anchor not in frame.columns]
    if not lacking:
        return
    common = _common(table)
    remedy = f"Choose one of {listed(common)}." if common else "HRM needs a HEM that all of them read; use the copula or MUCH."
    if not anchor:
        raise ParameterError(
            f"anchor_hem: the {len(table.frames)} subexperiments have no HEM in common. {remedy}", remedies=(BY_COPULA, BY_PAIRS)
        )
    if anchor not in table.hems:
        raise UnknownNameError(f"anchor_hem: {anchor!r} is not read in any subexperiment. {remedy}")
    raise ParameterError(
        f"anchor_hem: {anchor!r} is not read in {listed(lacking)}; an anchor must be read in each of the {len(table.frames)} "
        f"subexperiments. {remedy}"
    )


def _even_ranks(size: int, n: int) -> NDArray[np.int64]:
    """n of the ranks 0 ... size - 1, evenly spaced from first to last; the middle one for n = 1, all of them for n = size."""
    if n == 1:
        return np.array([(size - 1) // 2])
    return (2 * np.arange(n, dtype=np.int64) * (size - 1) + n - 1) // (2 * (n - 1))
