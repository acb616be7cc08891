"""The analyses of subexperiments: the merges, how far each can be trusted, and which HEMs dep_lvl keeps."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.analysis import Analysis, Kept, Progress
from hemcore.datasets.tables.phase_table import PhaseTable, merged_runs
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.headline import FEW_RUNS, few_counts
from hemcore.merge.copula.copula_table import merge_copula
from hemcore.merge.headline import verdict
from hemcore.merge.hrm_table import merge_hrm
from hemcore.merge.merge_cards import cards
from hemcore.merge.much.arrange import correlation_of_columns
from hemcore.merge.much.independent import dep_lvl_path
from hemcore.merge.much.much_table import merge_much
from hemcore.merge.pair_correlation import correlation_matrix, pair_readings
from hemcore.merge.params import CopulaParams, HrmParams, MergeParams, MuchParams
from hemcore.merge.results import Checks, MergeReport
from hemcore.merge.trust.correlation_intervals import measured_intervals, outside, with_merged
from hemcore.merge.trust.fidelity import mean_squared_difference, worst_pair
from hemcore.merge.trust.outlier_shift import OutlierEffect
from hemcore.merge.trust.sampling_noise import Noise, noise_of, truth_error, typical_error
from hemcore.merge.trust.subexperiment_agreement import agreement


def hrm_report(
    table: Subexperiments,
    params: HrmParams,
    progress: Progress | None = None,
    noise: Noise | None = None,
    checks: Checks | None = None,
) -> MergeReport:
    """`merge_hrm` of the table, compared with the correlations of the pairs read together. Raises as merge_hrm does.

    noise, checks: of the table, if already computed.
    """
    _report_progress(progress, table)
    result = merge_hrm(table, params)
    left_out = pd.DataFrame(
        {
            "hem": result.duplicates["hem"],
            "because": "also read in " + result.duplicates["subexperiment"] + "; taken from " + result.duplicates["kept_from"],
            "r": float("nan"),
        }
    )
    target, readings = correlation_matrix(table), pair_readings(table)
    return _merge_report(
        table, result.merged, left_out, result.params, target, correlation_of_columns(result.merged), readings, noise, checks
    )


def much_report(
    table: Subexperiments,
    params: MuchParams,
    progress: Progress | None = None,
    noise: Noise | None = None,
    checks: Checks | None = None,
) -> MergeReport:
    """`merge_much` of the table, compared with the measured correlations. Raises as merge_much does. noise, checks: as for hrm_report."""
    _report_progress(progress, table)
    result = merge_much(table, params)
    cause = result.dropped["because_of"].astype(str)
    because = result.dropped["why"].astype(str) + cause.where(cause == "", " with " + cause)
    left_out = pd.DataFrame({"hem": result.dropped["hem"], "because": because, "r": result.dropped["r"]})
    measured, achieved = result.measured_correlation, result.achieved_correlation
    together = result.pair_readings
    report = _merge_report(table, result.merged, left_out, params, measured, achieved, together, noise, checks, result.outliers)
    return replace(report, completable=result.completable)


def copula_report(
    table: Subexperiments,
    params: CopulaParams,
    progress: Progress | None = None,
    noise: Noise | None = None,
    checks: Checks | None = None,
) -> MergeReport:
    """`merge_copula` of the table, compared with the correlations of all runs that read both HEMs. Raises as merge_copula does."""
    result = merge_copula(table, params, progress)
    none = pd.DataFrame({"hem": [], "because": [], "r": []})
    measured, achieved = result.measured_correlation, result.achieved_correlation
    return _merge_report(table, result.merged, none, params, measured, achieved, result.pair_readings, noise, checks)


def checks_report(table: Subexperiments, params: MergeParams, progress: Progress | None = None) -> Checks:
    """What is known about the readings before they are merged."""
    return Checks(intervals=measured_intervals(table), agreement=agreement(table))


def dep_lvl_curve(table: Subexperiments, params: MuchParams, progress: Progress | None = None) -> pd.DataFrame:
    """`dep_lvl_path` of the measured correlations."""
    return dep_lvl_path(correlation_matrix(table, outlier_zscore=params.zscore), absolute=params.absolute)


def noise_report(table: Subexperiments, params: MergeParams, progress: Progress | None = None) -> Noise:
    """`noise_of` the correlations that the merge is fitted to; independent of what is merged."""
    if isinstance(params, CopulaParams):
        return noise_of(table, math.inf)
    return noise_of(table, params.zscore) if isinstance(params, MuchParams) else noise_of(table)


def _phases(report: MergeReport, table: Subexperiments) -> PhaseTable:
    """The merged table as phases: one row per merged run, granularity "whole run"."""
    return merged_runs(report.merged)


def _report_progress(progress: Progress | None, table: Subexperiments) -> None:
    if progress is not None:
        progress(0.02, f"merging {sum(len(frame) for frame in table.frames):,} runs")


def _merge_report(
    table: Subexperiments,
    merged: pd.DataFrame,
    left_out: pd.DataFrame,
    params: HrmParams | MuchParams | CopulaParams,
    measured: pd.DataFrame,
    achieved: pd.DataFrame,
    readings: pd.DataFrame,
    noise: Noise | None,
    checks: Checks | None = None,
    outliers: OutlierEffect | None = None,
) -> MergeReport:
    hems = list(merged.columns)
    not_read = pd.DataFrame({"hem": table.not_read, "because": "left out of the dataset, or not measured: see Repairs", "r": np.nan})
    target = measured.loc[hems, hems]
    noise = noise if noise is not None else noise_report(table, params)
    checks = checks if checks is not None else checks_report(table, params)
    intervals = with_merged(checks.intervals, merged, achieved)
    return MergeReport(
        merged=merged,
        target=target,
        achieved=achieved,
        readings=readings.loc[hems, hems],
        mse=mean_squared_difference(achieved, target),
        worst=worst_pair(achieved, target),
        left_out=pd.concat([left_out, not_read], ignore_index=True) if table.not_read else left_out,
        n_hems=len(table.hems) + len(table.not_read),
        n_subexperiments=len(table.frames),
        params=params,
        outliers=outliers,
        noise=typical_error(noise.errors.loc[hems, hems]),
        truth=truth_error(achieved, noise, readings),
        intervals=intervals,
        outside=outside(intervals),
        agreement=checks.agreement,
        sparse=_sparse(table, hems),
        n_pmcs=table.n_pmcs,
    )


# The variance of a HEM rests on at least as many runs as that of 30 normal ones does: (sum d^2)^2 / sum d^4 is a third of their number.
_FEW_EXTREME = FEW_RUNS / 3


def _sparse(table: Subexperiments, hems: Sequence[str]) -> str:
    """The first of `hems` whose readings are too few or rest on a few extreme runs, a sentence; "" if there is none."""
    read: dict[str, list[NDArray[np.float64]]] = {hem: [] for hem in hems}
    for frame in table.frames:
        for hem, column in zip(frame.columns, frame.to_numpy(dtype=float).T, strict=True):
            if hem in read:
                read[hem].append(column)
    few = (few_counts(hem, np.concatenate(parts)) for hem, parts in read.items())
    extreme = (f"{hem}: a few extreme runs decide its correlations." for hem, parts in read.items() if _behind(parts) < _FEW_EXTREME)
    return next(filter(None, (*few, *extreme)), "")


def _behind(parts: Sequence[NDArray[np.float64]]) -> float:
    """The runs that a HEM's variance rests on, in the subexperiment with the fewest; infinite if it never changes."""
    if len({len(part) for part in parts}) == 1 and len(parts[0]) and np.isfinite(together := np.stack(parts)).all():
        of_parts = (together - together.mean(axis=1, keepdims=True)) ** 2  # of many small subexperiments, all at once
        of_parts = of_parts[of_parts.any(axis=1)]
        return float((of_parts.sum(axis=1) ** 2 / (of_parts**2).sum(axis=1)).min(initial=np.inf))
    squares = [(part[np.isfinite(part)] - np.nanmean(part)) ** 2 for part in parts if np.isfinite(part).any()]
    return min((float(each.sum() ** 2 / (each**2).sum()) for each in squares if each.any()), default=np.inf)


_KEEPS = (Kept(name="merged runs", description="the merged table, one row per run, for Prediction", kind="PhaseTable", make=_phases),)
HRM_NOISE: Analysis[Subexperiments, HrmParams, Noise] = Analysis(
    name="merge.hrm_noise", title="uncertainty of r", params=HrmParams, reads=(), compute=noise_report
)
MUCH_NOISE: Analysis[Subexperiments, MuchParams, Noise] = Analysis(
    name="merge.much_noise", title="uncertainty of r", params=MuchParams, reads=("outlier_zscore",), compute=noise_report
)
COPULA_NOISE: Analysis[Subexperiments, CopulaParams, Noise] = Analysis(
    name="merge.copula_noise", title="uncertainty of r", params=CopulaParams, reads=(), compute=noise_report
)
CHECKS: Analysis[Subexperiments, MergeParams, Checks] = Analysis(
    name="merge.checks",
    title="whether the subexperiments agree",
    params=MergeParams,
    reads=(),
    compute=checks_report,
)
HRM: Analysis[Subexperiments, HrmParams, MergeReport] = Analysis(
    name="merge.hrm",
    title="HRM merge",
    params=HrmParams,
    reads=("anchor_hem",),
    named_by=("anchor_hem",),
    compute=hrm_report,
    inputs=(HRM_NOISE, CHECKS),
    gives="merged",
    keeps=_KEEPS,
    cards=cards,
    verdict=verdict,
)
MUCH: Analysis[Subexperiments, MuchParams, MergeReport] = Analysis(
    name="merge.much",
    title="MUCH merge",
    params=MuchParams,
    reads=("dep_lvl", "n_runs", "n_sims", "method", "seed", "absolute", "outlier_zscore", "unmeasured"),
    named_by=("dep_lvl",),
    compute=much_report,
    repeats=("n_runs", "n_sims"),
    inputs=(MUCH_NOISE, CHECKS),
    gives="merged",
    keeps=_KEEPS,
    cards=cards,
    verdict=verdict,
)
COPULA: Analysis[Subexperiments, CopulaParams, MergeReport] = Analysis(
    name="merge.copula",
    title="Copula merge",
    params=CopulaParams,
    reads=("n_runs", "components", "features", "swaps", "seed"),
    named_by=("seed",),
    compute=copula_report,
    repeats=("n_runs", "components", "features", "swaps"),
    inputs=(COPULA_NOISE, CHECKS),
    gives="merged",
    keeps=_KEEPS,
    cards=cards,
    verdict=verdict,
)
DEP_LVL: Analysis[Subexperiments, MuchParams, pd.DataFrame] = Analysis(
    name="merge.dep_lvl",
    title="HEMs kept by dep_lvl",
    params=MuchParams,
    reads=("absolute", "outlier_zscore"),
    compute=dep_lvl_curve,
)
