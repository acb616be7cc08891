"""The Gaussian used by MUCH: means, standard deviations and covariance of the HEMs."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.datasets.tables.checks import listed
from hemcore.errors import UnknownNameError
from hemcore.merge.inputs import SubexperimentsLike, complete_subexperiments
from hemcore.merge.much.matrices import check_cor_matrix
from hemcore.merge.trust.outliers import OUTLIER_ZSCORE, check_outlier_zscore, inliers, squared_deviations


@dataclass(frozen=True, kw_only=True, eq=False)
class MvgParams:
    """Parameters of the multivariate Gaussian over k HEMs, and the readings they are computed from.

    means, sds: counts per run, indexed by HEM; sds with n - 1, NaN for a HEM with a single reading.
    sigma_matrix: covariance, r * sd * sd, shape (k, k), counts squared.
    hems: the HEMs, in the order of the correlation matrix.
    counts: number of readings of each HEM without outliers.
    readings: those readings, sorted, read-only.
    """

    means: pd.Series
    sds: pd.Series
    sigma_matrix: pd.DataFrame
    hems: tuple[str, ...]
    counts: pd.Series
    readings: Mapping[str, NDArray[np.number]]


def generate_mvg_params(
    subexperiments: SubexperimentsLike, cor_matrix: pd.DataFrame, *, outlier_zscore: float = OUTLIER_ZSCORE
) -> MvgParams:
    """Mean and standard deviation of each HEM of `cor_matrix` over all subexperiments that read it, and the covariance matrix.

    Outliers are left out in each subexperiment by the rule of `correlation_matrix`, applied to one HEM. NaN in `cor_matrix` is NaN in
    sigma_matrix. An empty matrix gives empty parameters. Raises UnknownNameError for a HEM that no subexperiment reads, TableError for
    bad input, ParameterError for outlier_zscore <= 0. Source: BSC, mergingTools vignette.
    """
    check_outlier_zscore(outlier_zscore)
    check_cor_matrix(cor_matrix)
    table = complete_subexperiments(subexperiments)
    hems = tuple(cor_matrix.columns)
    readers = table.readers()
    unread = [hem for hem in hems if hem not in readers]
    if unread:
        raise UnknownNameError(f"cor_matrix: {listed(unread)} is read in no subexperiment; those read are {listed(table.hems)}.")
    readings: dict[str, NDArray[np.number]] = {}
    means, sds = np.empty(len(hems)), np.empty(len(hems))
    # Sums of narrow floats lose digits; the readings keep their own type.
    inside = [inliers(squared_deviations(np.stack(list(columns.values()))), outlier_zscore) for columns in table.floats]
    kept_runs = [dict(zip(columns, kept, strict=True)) for columns, kept in zip(table.floats, inside, strict=True)]
    for at, hem in enumerate(hems):
        parts = [table.readings[number][hem] for number in readers[hem]]
        kept = [kept_runs[number][hem] for number in readers[hem]]
        pooled = np.sort(np.concatenate([part[stays] for part, stays in zip(parts, kept, strict=True)]))
        pooled.flags.writeable = False
        readings[hem] = pooled
        ordered = pooled.astype(float, copy=False)
        means[at], sds[at] = float(ordered.mean()), _sd(ordered)
    return MvgParams(
        means=pd.Series(means, index=list(hems), name="mean"),
        sds=pd.Series(sds, index=list(hems), name="sd"),
        sigma_matrix=cor_matrix * np.outer(sds, sds),
        hems=hems,
        counts=pd.Series([len(readings[hem]) for hem in hems], index=list(hems), dtype=np.int64, name="n"),
        readings=readings,
    )


def _sd(ordered: NDArray[np.float64]) -> float:
    if len(ordered) < 2:
        return np.nan
    return float(ordered.std(ddof=1)) if ordered[0] < ordered[-1] else 0.0
