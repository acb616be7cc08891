"""What dep_lvl and the number of rows do to a merge, over the whole range of their sliders."""

from typing import TypeVar

import pandas as pd

from hemcore.analysis import Analysis, Progress
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.merge.analysis import COPULA, MUCH
from hemcore.merge.params import CopulaParams, MergeParams, MuchParams
from hemcore.merge.results import MergeReport
from hemcore.slider_curve import SliderCurve

MergeT = TypeVar("MergeT", bound=MergeParams)
# Rows of the merged tables that are tried.
TRIED = (30, 100, 300, 1_000, 3_000, 10_000)


def dep_lvl_curves(path: pd.DataFrame) -> tuple[SliderCurve, SliderCurve]:
    """(HEMs kept, smallest eigenvalue of their correlations) by dep_lvl. path: as `dep_lvl_path` gives it."""
    x, kept, eigenvalue = (path[name].to_numpy(dtype=float) for name in ("dep_lvl", "n_kept", "smallest_eigenvalue"))
    return (
        SliderCurve(field="dep_lvl", label="dep_lvl", answer="HEMs kept", x=x, y=kept, form=",.0f", stairs=True),
        SliderCurve(field="dep_lvl", label="dep_lvl", answer="smallest eigenvalue", x=x, y=eigenvalue, form=".2g", stairs=True),
    )


def rows_curve(tried: pd.DataFrame) -> SliderCurve:
    """How far merged correlations are from the measured ones, by the rows of the merged table. tried: as `_by_rows` gives it."""
    rows, off, lower, upper = (tried[name].to_numpy(dtype=float) for name in ("n_runs", "off", "lower", "upper"))
    return SliderCurve(field="n_runs", label="Runs", answer="r off by", x=rows, y=off, low=lower, high=upper, form=".2g", log=True)


def _by_rows(
    analysis: Analysis[Subexperiments, MergeT, MergeReport], table: Subexperiments, params: MergeT, progress: Progress | None
) -> pd.DataFrame:
    """The merge with several numbers of rows: n_runs, off (median |merged minus measured r| of the pairs read together), lower, upper
    (their quartiles). NaN where no pair was read together."""
    found = []
    for number, n_runs in enumerate(TRIED):
        if progress is not None:
            progress(number / len(TRIED), f"{n_runs:,} rows")
        intervals = analysis.of(table, params.but(n_runs=n_runs)).intervals
        off = (intervals["merged"] - intervals["r"]).abs()
        found.append((n_runs, *(float(off.quantile(share)) for share in (0.5, 0.25, 0.75))))
    return pd.DataFrame(found, columns=["n_runs", "off", "lower", "upper"])


def much_by_rows(table: Subexperiments, params: MuchParams, progress: Progress | None = None) -> pd.DataFrame:
    """How far MUCH's correlations are from the measured ones, by the rows of its table; raises as the merge does."""
    return _by_rows(MUCH, table, params, progress)


def copula_by_rows(table: Subexperiments, params: CopulaParams, progress: Progress | None = None) -> pd.DataFrame:
    """How far the copula's correlations are from the measured ones, by the rows of its table; raises as the merge does."""
    return _by_rows(COPULA, table, params, progress)


MUCH_ROWS: Analysis[Subexperiments, MuchParams, pd.DataFrame] = Analysis(
    name="merge.much_rows",
    title="MUCH by rows",
    params=MuchParams,
    reads=tuple(name for name in MUCH.reads if name != "n_runs"),
    repeats=("n_sims",),
    compute=much_by_rows,
    asks=lambda: (MUCH,),
)
COPULA_ROWS: Analysis[Subexperiments, CopulaParams, pd.DataFrame] = Analysis(
    name="merge.copula_rows",
    title="copula merge by rows",
    params=CopulaParams,
    reads=tuple(name for name in COPULA.reads if name != "n_runs"),
    repeats=("components", "features", "swaps"),
    compute=copula_by_rows,
    asks=lambda: (COPULA,),
)
