"""What dep_lvl and the number of rows do to a merge, over the whole range of their sliders."""

from collections.abc import Callable
from typing import TypeVar

import pandas as pd

from hemcore.analysis import Analysis, Progress
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.merge.analysis import COPULA, MUCH
from hemcore.merge.copula.copula_table import MergeResult, merge_copula
from hemcore.merge.much.much_table import MuchResult, merge_much
from hemcore.merge.params import CopulaParams, MergeParams, MuchParams
from hemcore.merge.results import MergeReport
from hemcore.merge.trust.correlation_intervals import measured_intervals, with_merged
from hemcore.slider_curve import SliderCurve

MergeT = TypeVar("MergeT", bound=MergeParams)
# Rows of the merged tables that are tried.
TRIED = (30, 100, 300, 1_000, 3_000, 10_000)
_COLUMNS = ["n_runs", "off", "lower", "upper"]


def dep_lvl_curves(path: pd.DataFrame) -> tuple[SliderCurve, SliderCurve]:
    """(HEMs kept, smallest eigenvalue of their correlations) by dep_lvl. path: as `dep_lvl_path` gives it."""
    x, kept, eigenvalue = (path[name].to_numpy(dtype=float) for name in ("dep_lvl", "n_kept", "smallest_eigenvalue"))
    return (
        SliderCurve(field="dep_lvl", label="dep_lvl", answer="HEMs kept", x=x, y=kept, form=",.0f", stairs=True),
        SliderCurve(field="dep_lvl", label="dep_lvl", answer="smallest eigenvalue", x=x, y=eigenvalue, form=".2g", stairs=True),
    )


def rows_curve(tried: pd.DataFrame | None, *answers: MergeReport) -> SliderCurve:
    """How far merged correlations are from the measured ones, by the rows of the merged table.

    tried: as `much_by_rows` gives it, None while it is being computed. answers: merges of the same readings with the same other parameters,
    whose numbers of rows are points of the curve too.
    """
    found = pd.DataFrame([_off(len(each.merged), each.intervals) for each in answers], columns=_COLUMNS)
    rows = found if tried is None else pd.concat([tried, found]).drop_duplicates("n_runs")
    n_runs, off, lower, upper = (rows.sort_values("n_runs")[name].to_numpy(dtype=float) for name in _COLUMNS)
    return SliderCurve(field="n_runs", label="Runs", answer="r off by", x=n_runs, y=off, low=lower, high=upper, form=".2g", log=True)


def _off(n_runs: int, intervals: pd.DataFrame) -> tuple[float, ...]:
    """A row of the merges tried. intervals: as `with_merged` gives them."""
    off = (intervals["merged"] - intervals["r"]).abs()
    return (n_runs, *(float(off.quantile(share)) for share in (0.5, 0.25, 0.75)))


def _by_rows(
    merge: Callable[[Subexperiments, MergeT], MergeResult | MuchResult], table: Subexperiments, params: MergeT, progress: Progress | None
) -> pd.DataFrame:
    """The merge with several numbers of rows: n_runs, off (median |merged minus measured r| of the pairs read together), lower, upper
    (their quartiles). NaN where no pair was read together."""
    found, measured = [], measured_intervals(table)
    for number, n_runs in enumerate(TRIED):
        if progress is not None:
            progress(number / len(TRIED), f"{n_runs:,} rows")
        result = merge(table, params.but(n_runs=n_runs))
        found.append(_off(n_runs, with_merged(measured, result.merged, result.achieved_correlation)))
    return pd.DataFrame(found, columns=_COLUMNS)


def much_by_rows(table: Subexperiments, params: MuchParams, progress: Progress | None = None) -> pd.DataFrame:
    """How far MUCH's correlations are from the measured ones, by the rows of its table; raises as the merge does."""
    return _by_rows(merge_much, table, params, progress)


def copula_by_rows(table: Subexperiments, params: CopulaParams, progress: Progress | None = None) -> pd.DataFrame:
    """How far the copula's correlations are from the measured ones, by the rows of its table; raises as the merge does."""
    return _by_rows(merge_copula, table, params, progress)


MUCH_ROWS: Analysis[Subexperiments, MuchParams, pd.DataFrame] = Analysis(
    name="merge.much_rows",
    title="MUCH by rows",
    params=MuchParams,
    reads=tuple(name for name in MUCH.reads if name != "n_runs"),
    repeats=("n_sims",),
    compute=much_by_rows,
)
COPULA_ROWS: Analysis[Subexperiments, CopulaParams, pd.DataFrame] = Analysis(
    name="merge.copula_rows",
    title="copula merge by rows",
    params=CopulaParams,
    reads=tuple(name for name in COPULA.reads if name != "n_runs"),
    repeats=("components", "features", "swaps"),
    compute=copula_by_rows,
)
