"""What can be asked of subexperiments: the merges HRM and MUCH, and what dep_lvl keeps."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from hemcore.analysis import Analysis, Kept, Progress
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.headline import Card, Trust, Verdict
from hemcore.merge.arrange import correlation_of_columns
from hemcore.merge.correlation import correlation_matrix, pair_readings
from hemcore.merge.fidelity import mean_squared_difference, worst_pair
from hemcore.merge.hrm import hrm
from hemcore.merge.independent import dep_lvl_path
from hemcore.merge.much import much
from hemcore.merge.outlier_effect import OutlierEffect
from hemcore.merge.params import NO_RUN_OUT, HrmParams, MuchParams

# Largest |Δr| of a pair that leaves single correlations readable, and that spoils them.
_GOOD, _POOR = 0.05, 0.15


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
    outliers: what the runs that MUCH left out move; None for HRM, which merges every run.
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
    outliers: OutlierEffect | None = None

    @property
    def pairs_compared(self) -> int:
        """How many pairs of merged HEMs have a correlation that was measured and one in the merged table."""
        differences = (self.achieved - self.target).to_numpy(dtype=float)
        return int(np.isfinite(differences[np.triu_indices(len(differences), 1)]).sum())

    @property
    def pairs_read_together(self) -> tuple[int, int]:
        """How many pairs of merged HEMs were read together, and how many pairs there are."""
        n = len(self.readings)
        upper = self.readings.to_numpy()[np.triu_indices(n, 1)]
        return int((upper > 0).sum()), n * (n - 1) // 2


def hrm_report(table: Subexperiments, params: HrmParams, progress: Progress | None = None) -> MergeReport:
    """`hrm` of the table, compared with the correlations of the pairs that were read together. Raises as hrm does."""
    _tell(progress, table)
    result = hrm(table, params)
    left_out = pd.DataFrame(
        {
            "hem": result.duplicates["hem"],
            "because": "read again in " + result.duplicates["subexperiment"] + "; taken from " + result.duplicates["kept_from"],
            "r": float("nan"),
        }
    )
    target, readings = correlation_matrix(table), pair_readings(table)
    return _report(table, result.merged, left_out, result.params, target, correlation_of_columns(result.merged), readings)


def much_report(table: Subexperiments, params: MuchParams, progress: Progress | None = None) -> MergeReport:
    """`much` of the table, compared with the measured correlations. Raises as much does."""
    _tell(progress, table)
    result = much(table, params)
    cause = result.dropped["because_of"].astype(str)
    because = result.dropped["why"].astype(str) + cause.where(cause == "", " with " + cause)
    left_out = pd.DataFrame({"hem": result.dropped["hem"], "because": because, "r": result.dropped["r"]})
    measured, achieved = result.measured_correlation, result.achieved_correlation
    return _report(table, result.merged, left_out, params, measured, achieved, result.pair_readings, result.outliers)


def dep_lvl_curve(table: Subexperiments, params: MuchParams, progress: Progress | None = None) -> pd.DataFrame:
    """`dep_lvl_path` of the measured correlations."""
    return dep_lvl_path(correlation_matrix(table, outlier_zscore=params.zscore), absolute=params.absolute)


def cards(report: MergeReport) -> list[Card]:
    """The headline figures of a merge."""
    n_merged, worst = report.merged.shape[1], report.worst
    outliers = [_outlier_card(report.outliers)] if report.outliers is not None and report.outliers.matters else []
    together, pairs = report.pairs_read_together
    return [
        Card(
            label="HEMs merged",
            value=n_merged,
            text=f"{n_merged} of {report.n_hems}",
            note=f"{report.n_hems - n_merged} left out",
            help="HEM: hardware event monitor, one counted event."
            + (" Those above dep_lvl with another are left out." if isinstance(report.params, MuchParams) else ""),
        ),
        Card(label="Subexperiments", value=report.n_subexperiments, note=f"{together:,} of {pairs:,} pairs read together"),
        Card(label="Merged runs", value=len(report.merged), note="rows of the table"),
        Card(
            label="Correlation MSE",
            value=None if np.isnan(report.mse) else report.mse,
            form=".1e",
            note="merged against measured pairs",
            help="Mean squared difference between the merged table's correlations and those of the pairs that were read together.",
            better="lower",
        ),
        Card(
            label="Worst pair, |Δr|",
            value=None if worst is None else abs(worst[2]),
            form=".2g" if worst is not None and abs(worst[2]) < 0.0005 else ".3f",
            note="no pair has a measured correlation" if worst is None else f"{_short(worst[0])} with {_short(worst[1])}",
            help="The pair of HEMs whose merged correlation lies farthest from the measured one.",
            better="lower",
        ),
        *outliers,
    ]


def verdict(report: MergeReport) -> Verdict:
    """What the merge is good for, from its own figures: the fit to the measured pairs, how many pairs nobody measured, and what the runs
    left out as outliers move, which the fit cannot show."""
    said = _verdict(report)
    if report.outliers is None or not report.outliers.matters:
        return said
    moved = report.outliers.r_moved
    far = moved is not None and abs(moved[3] - moved[2]) >= _POOR
    level: Trust = "poor" if far or said.level == "poor" else "limited"
    trust = said.trust.replace(", so every pair can be read from it.", ".")
    return Verdict(answer=said.answer, trust=f"{trust} {_outlier_sentence(report.outliers)}", level=level)


def _verdict(report: MergeReport) -> Verdict:
    n_merged, n_subexperiments = report.merged.shape[1], report.n_subexperiments
    answer = (
        f"{n_merged} of {report.n_hems} HEMs from {n_subexperiments} subexperiment{'' if n_subexperiments == 1 else 's'} are one table "
        f"of {len(report.merged):,} runs."
    )
    together, pairs = report.pairs_read_together
    if not pairs:
        return Verdict(answer=answer, trust="One HEM alone has no correlation to keep.", level="limited")
    if report.worst is None:
        why = "was read together" if not together else "has a measured correlation: of each, one HEM never changes"
        return Verdict(answer=answer, trust=f"No pair of its HEMs {why}, so none can be checked.", level="poor")
    worst = abs(report.worst[2])
    fit = f"Correlations of the pairs read together are met to {worst:.2g} at worst"
    if together < pairs:
        carried = "what the anchor carries" if isinstance(report.params, HrmParams) else "the completion of the matrix"
        apart = pairs - together
        others = "that of the other pair is" if apart == 1 else f"those of the other {apart:,} pairs are"
        trust = f"{fit}; {others} {carried}, which no reading checks."
        return Verdict(answer=answer, trust=trust, level="poor" if worst >= _POOR else "limited")
    constant = pairs - report.pairs_compared
    if constant:
        trust = f"{fit}; {constant:,} of the {pairs:,} pairs have none, since one HEM of them does not change."
        return Verdict(answer=answer, trust=trust, level="poor" if worst >= _POOR else "limited")
    level: Trust = "good" if worst < _GOOD else "limited" if worst < _POOR else "poor"
    reservation = {"good": ", so every pair can be read from it.", "limited": ".", "poor": ": too far for single pairs to be read from it."}
    return Verdict(answer=answer, trust=f"{fit}{reservation[level]}", level=level)


def _phases(report: MergeReport, table: Subexperiments) -> PhaseTable:
    """The merged table as phases: a row a merged run, granularity "whole run"."""
    merged = report.merged
    rows = pd.DataFrame({"program": "merged", "granularity": "whole run", "load": "as read", "phase": np.arange(len(merged))})
    return PhaseTable(frame=pd.concat([rows, merged.reset_index(drop=True)], axis=1), counters=tuple(merged.columns))


def _seconds(table: Subexperiments, params: HrmParams | MuchParams) -> float:
    if isinstance(params, HrmParams):
        return sum(frame.size for frame in table.frames) / 5e6
    values = params.n_runs * len(table.hems)
    return values / 1e6 if params.method == "calibrated" else values * params.n_sims / 1e7


def _tell(progress: Progress | None, table: Subexperiments) -> None:
    if progress is not None:
        progress(0.02, f"merging {sum(len(frame) for frame in table.frames):,} runs")


def _outlier_sentence(outliers: OutlierEffect) -> str:
    """What the runs left out move, and what to choose."""
    moves = []
    if outliers.mean_moved is not None:
        hem, ratio = outliers.mean_moved
        moves.append(f"the mean of {_short(hem)} to {ratio:.2f} of the mean read")
    if outliers.r_moved is not None:
        one, other, read, used = outliers.r_moved
        moves.append(f"r of {_short(one)} with {_short(other)} from {read:.2f} to {used:.2f}")
    return (
        f"But leaving runs out as outliers (up to {outliers.left_out:.1%} of a HEM's) moves {' and '.join(moves)}, which that fit cannot"
        f" show: where they are no strays, set the outlier z-score to {NO_RUN_OUT:,.0f}, which leaves no run out."
    )


def _outlier_card(outliers: OutlierEffect) -> Card:
    mean, pair = outliers.mean_moved, outliers.r_moved
    if mean is not None:
        note = f"mean of {_short(mean[0])} at {mean[1]:.2f} of the mean read"
    else:
        note = "" if pair is None else f"r of {_short(pair[0])} with {_short(pair[1])}: {pair[2]:.2f} read, {pair[3]:.2f} used"
    return Card(
        label="Left out as outliers",
        value=outliers.left_out,
        form=".1%",
        note=note,
        help="The largest share of a HEM's readings that the outlier z-score left out. Of a HEM with a long tail these are its tail: its"
        " mean and correlations move, and the errors beside this, which leave out the same runs, do not show it.",
        better="lower",
    )


def _short(name: str) -> str:
    return name if len(name) <= 18 else f"{name[:9]}…{name[-8:]}"


def _report(
    table: Subexperiments,
    merged: pd.DataFrame,
    left_out: pd.DataFrame,
    params: HrmParams | MuchParams,
    measured: pd.DataFrame,
    achieved: pd.DataFrame,
    readings: pd.DataFrame,
    outliers: OutlierEffect | None = None,
) -> MergeReport:
    hems = list(merged.columns)
    target = measured.loc[hems, hems]
    return MergeReport(
        merged=merged,
        target=target,
        achieved=achieved,
        readings=readings.loc[hems, hems],
        mse=mean_squared_difference(achieved, target),
        worst=worst_pair(achieved, target),
        left_out=left_out,
        n_hems=len(table.hems),
        n_subexperiments=len(table.frames),
        params=params,
        outliers=outliers,
    )


_KEPT = (Kept(name="merged runs", says="the merged table, a row a run, for Prediction", make=_phases),)
HRM = Analysis(
    name="merge.hrm",
    title="HRM merge",
    params=HrmParams,
    reads=("anchor_hem",),
    named_by=("anchor_hem",),
    compute=hrm_report,
    seconds=_seconds,
    gives="merged",
    keeps=_KEPT,
    cards=cards,
    verdict=verdict,
)
MUCH = Analysis(
    name="merge.much",
    title="MUCH merge",
    params=MuchParams,
    reads=("dep_lvl", "n_runs", "n_sims", "method", "seed", "absolute", "outlier_zscore", "unmeasured"),
    named_by=("dep_lvl",),
    compute=much_report,
    seconds=_seconds,
    gives="merged",
    keeps=_KEPT,
    cards=cards,
    verdict=verdict,
)
DEP_LVL = Analysis(
    name="merge.dep_lvl",
    title="what dep_lvl keeps",
    params=MuchParams,
    reads=("absolute", "outlier_zscore"),
    compute=dep_lvl_curve,
)
