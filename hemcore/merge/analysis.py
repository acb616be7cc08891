"""One answer for either method: the merged table, and its correlations beside those that were measured."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.merge.correlation import correlation_matrix, pair_readings
from hemcore.merge.fidelity import mean_squared_difference, worst_pair
from hemcore.merge.hrm import hrm
from hemcore.merge.independent import dep_lvl_path
from hemcore.merge.much import much
from hemcore.merge.params import HrmParams, MuchParams


@dataclass(frozen=True, kw_only=True, eq=False)
class MergeReport:
    """A merge as the page shows it.

    merged: shape (runs, HEMs), counts a run.
    target: measured correlations of the merged HEMs, HEMs x HEMs, NaN where a pair was never read together.
    achieved: the merged table's own Pearson correlations.
    readings: readings behind each pair, 0 = never read together.
    mse: mean squared difference of achieved and target over the known entries; NaN when there is none.
    worst: the pair that differs most and its difference; None when no pair is known.
    left_out: one row a HEM or reading that is not in the merged table: hem, because, r (NaN where it is not about r).
    n_hems: HEMs read in all. n_subexperiments: how many subexperiments were merged.
    params: what was asked for.
    """

    merged: pd.DataFrame
    target: pd.DataFrame
    achieved: pd.DataFrame
    readings: pd.DataFrame
    mse: float
    worst: tuple[str, str, float] | None
    left_out: pd.DataFrame
    n_hems: int
    n_subexperiments: int
    params: HrmParams | MuchParams

    @property
    def pairs_read_together(self) -> tuple[int, int]:
        """How many pairs of merged HEMs were read together, and how many pairs there are."""
        n = len(self.readings)
        upper = self.readings.to_numpy()[np.triu_indices(n, 1)]
        return int((upper > 0).sum()), n * (n - 1) // 2


def hrm_report(table: Subexperiments, params: HrmParams) -> MergeReport:
    """`hrm` of the table, compared with the correlations of the pairs that were read together. Raises as hrm does."""
    result = hrm(table, params)
    left_out = pd.DataFrame(
        {
            "hem": result.duplicates["hem"],
            "because": "read again in " + result.duplicates["subexperiment"] + "; taken from " + result.duplicates["kept_from"],
            "r": float("nan"),
        }
    )
    return _report(table, result.merged, left_out, params, 3.0)


def much_report(table: Subexperiments, params: MuchParams) -> MergeReport:
    """`much` of the table, compared with the measured correlations. Raises as much does."""
    result = much(table, params)
    cause = result.dropped["because_of"].astype(str)
    because = result.dropped["why"].astype(str) + cause.where(cause == "", " with " + cause)
    left_out = pd.DataFrame({"hem": result.dropped["hem"], "because": because, "r": result.dropped["r"]})
    return _report(table, result.merged, left_out, params, params.outlier_zscore)


def is_long(table: Subexperiments, params: HrmParams | MuchParams) -> bool:
    """Whether the merge is likely to take over about a second on a laptop, so that it should run as a job."""
    if isinstance(params, HrmParams):
        return sum(frame.size for frame in table.frames) > 5_000_000
    values = params.n_runs * len(table.hems)
    return values > 1_000_000 if params.method == "calibrated" else values * params.n_sims > 10_000_000


def report(table: Subexperiments, params: HrmParams | MuchParams, progress: Callable[[float, str], object] | None = None) -> MergeReport:
    """The merge that `params` ask for, by either method. progress: told the share done (0 to 1) and what is being done."""
    if progress is not None:
        progress(0.02, f"merging {sum(len(frame) for frame in table.frames):,} runs")
    return hrm_report(table, params) if isinstance(params, HrmParams) else much_report(table, params)


def dep_lvl_curve(table: Subexperiments, params: MuchParams) -> pd.DataFrame:
    """`dep_lvl_path` of the measured correlations; only `absolute` and `outlier_zscore` of the parameters matter."""
    return dep_lvl_path(correlation_matrix(table, outlier_zscore=params.outlier_zscore), absolute=params.absolute)


def _report(
    table: Subexperiments, merged: pd.DataFrame, left_out: pd.DataFrame, params: HrmParams | MuchParams, outlier_zscore: float
) -> MergeReport:
    hems = list(merged.columns)
    target = correlation_matrix(table, outlier_zscore=outlier_zscore).loc[hems, hems]
    achieved = merged.corr()
    return MergeReport(
        merged=merged,
        target=target,
        achieved=achieved,
        readings=pair_readings(table).loc[hems, hems],
        mse=mean_squared_difference(achieved, target),
        worst=worst_pair(achieved, target),
        left_out=left_out,
        n_hems=len(table.hems),
        n_subexperiments=len(table.frames),
        params=params,
    )
