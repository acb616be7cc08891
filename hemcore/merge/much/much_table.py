"""MUCH: subexperiments in which every pair of HEMs was read -> one table that preserves all correlations."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from hemcore.merge.inputs import SubexperimentsLike, complete_subexperiments
from hemcore.merge.much.arrange import correlation_of_columns
from hemcore.merge.much.calibrate import calibrated_merge
from hemcore.merge.much.gaussian import MvgParams
from hemcore.merge.much.matrices import matrix_mse
from hemcore.merge.much.repaired_matrix import nearest_correlation
from hemcore.merge.much.simulate import simulate_and_merge
from hemcore.merge.much.target import much_target
from hemcore.merge.params import Method, MuchParams, Unmeasured
from hemcore.merge.trust.fidelity import worst_pair
from hemcore.merge.trust.outlier_shift import OutlierEffect, outlier_effect
from hemcore.merge.trust.outliers import OUTLIER_ZSCORE


@dataclass(frozen=True, kw_only=True, eq=False)
class MuchResult:
    """One merged table and how well it preserves the correlations.

    merged: shape (n_runs, kept HEMs), counts per run.
    target_correlation: of the kept HEMs, measured pair by pair (or completed); achieved_correlation: Pearson's r in `merged`, NaN for a
        HEM whose n_runs values happen to be all equal.
    mse: mean squared difference of the two over all entries; NaN if an entry is NaN.
    dropped: hem, because_of (a kept HEM, or ""), r (NaN if none was compared), why.
    measured_correlation: of all HEMs, before any was dropped; NaN for a pair without a correlation.
    pair_readings: number of runs that read both HEMs of a pair, all HEMs; 0: never read together.
    completed: pairs that were filled: hem_a, hem_b, r. completable: whether a positive definite matrix has all measured pairs, which makes
        the filled pairs those of largest determinant; True if nothing was filled.
    nearest_distance: Frobenius distance from the target to the nearest correlation matrix, which was used; 0 if the target is one.
    mvg_params: means, standard deviations, covariance and pooled readings of the kept HEMs.
    outliers: the effect of the runs left out, for the kept HEMs.
    repairs: rows left out because of a missing value. params: the parameters.
    """

    merged: pd.DataFrame
    target_correlation: pd.DataFrame
    achieved_correlation: pd.DataFrame
    mse: float
    dropped: pd.DataFrame
    measured_correlation: pd.DataFrame
    pair_readings: pd.DataFrame
    completed: pd.DataFrame
    completable: bool
    nearest_distance: float
    mvg_params: MvgParams
    outliers: OutlierEffect
    repairs: pd.DataFrame
    params: MuchParams

    @property
    def seed(self) -> int:
        """The seed that reproduces the table."""
        return self.params.seed

    @property
    def worst_pair(self) -> tuple[str, str, float] | None:
        """The two HEMs whose achieved r is furthest from the target, and achieved minus target; None if there is no such pair."""
        return worst_pair(self.achieved_correlation, self.target_correlation)


def much_merge(
    subexperiments: SubexperimentsLike,
    n_runs: int,
    n_sims: int,
    dep_lvl: float,
    *,
    method: Method = "calibrated",
    seed: int = 0,
    absolute: bool = False,
    outlier_zscore: float = OUTLIER_ZSCORE,
    unmeasured: Unmeasured = "error",
) -> MuchResult:
    """`merge_much` with its parameters as arguments; raises ParameterError if one is out of bounds."""
    params = MuchParams(
        dep_lvl=dep_lvl,
        n_runs=n_runs,
        n_sims=n_sims,
        method=method,
        seed=seed,
        absolute=absolute,
        outlier_zscore=outlier_zscore,
        unmeasured=unmeasured,
    )
    return merge_much(subexperiments, params)


def merge_much(subexperiments: SubexperimentsLike, params: MuchParams) -> MuchResult:
    """Merge subexperiments, preserving the correlation of every pair of HEMs.

    Correlations are measured pair by pair (`correlation_matrix`); HEMs that never change and those above dep_lvl
    (`get_independent_matrix`) are left out; the readings of each HEM without outliers are arranged by the ranks of a Gaussian sample:
    adjusted until the correlations fit (method "calibrated", `calibrated_merge`), or the best of n_sims as in R ("simulated",
    `simulate_and_merge`).

    Raises TableError for bad input, for a pair never read together (unless `unmeasured` allows it), and if no HEM changes.
    Source: BSC, mergingTools vignette.
    """
    table = complete_subexperiments(subexperiments)
    chosen = much_target(table, params)
    target = chosen.correlation.to_numpy()
    nearest = nearest_correlation(target)
    if params.method == "calibrated":
        merged = calibrated_merge(chosen.mvg_params, params.n_runs, nearest, seed=params.seed)
    else:
        merged = simulate_and_merge(chosen.mvg_params, params.n_runs, params.n_sims, chosen.correlation, seed=params.seed)
    achieved = correlation_of_columns(merged)
    return MuchResult(
        merged=merged,
        target_correlation=chosen.correlation,
        achieved_correlation=achieved,
        mse=matrix_mse(achieved.to_numpy(), target),
        dropped=chosen.dropped,
        measured_correlation=chosen.measured,
        pair_readings=chosen.pair_readings,
        completed=chosen.completed,
        completable=chosen.completable,
        nearest_distance=float(np.linalg.norm(target - nearest)),
        mvg_params=chosen.mvg_params,
        outliers=outlier_effect(table, chosen.mvg_params, chosen.measured),
        repairs=table.repairs,
        params=params,
    )
