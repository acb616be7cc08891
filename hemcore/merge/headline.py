"""The headline figures and the verdict of a merge: the error that matters first, the fit to the measured pairs after it."""

from dataclasses import replace

import numpy as np

from hemcore.errors import Remedy
from hemcore.headline import Card, Trust, Verdict
from hemcore.merge.params import NO_RUN_OUT, CopulaParams, HrmParams, MuchParams
from hemcore.merge.remedies import BY_COPULA
from hemcore.merge.results import MergeReport
from hemcore.merge.trust.correlation_intervals import LEVEL
from hemcore.merge.trust.outlier_shift import OutlierEffect

# Largest |Δr| of a pair that leaves single correlations readable, and that spoils them.
_GOOD, _POOR = 0.05, 0.15
# Largest correlation MSE against the truth, in units of what sampling makes, that reading all HEMs together once more may well have had.
_AS_GOOD = 1.25
# Share of the pairs whose merged r may lie outside its 90 % interval: twice what the true ones do.
_MOST_OUTSIDE = 0.2
_ALL_RUNS = Remedy(label="Leave no run out", choose={"outlier_zscore": NO_RUN_OUT})


def cards(report: MergeReport) -> list[Card]:
    """The headline figures of a merge."""
    n_merged, worst = report.merged.shape[1], report.worst
    outliers = [_outlier_card(report.outliers)] if report.outliers is not None and report.outliers.matters else []
    return [
        _error_card(report),
        Card(
            label="HEMs merged",
            value=n_merged,
            text=f"{n_merged} of {report.n_hems}",
            note=f"{report.n_hems - n_merged} left out",
            help="HEM: hardware event monitor, one counted event."
            + (" Those above dep_lvl with another are left out." if isinstance(report.params, MuchParams) else ""),
        ),
        Card(
            label="Merged runs",
            value=len(report.merged),
            note=f"from {report.n_subexperiments} subexperiment{'' if report.n_subexperiments == 1 else 's'}",
            help="Rows of the merged table, each as if one run had read all of its HEMs.",
        ),
        Card(
            label="Correlation MSE",
            value=None if np.isnan(report.mse) else report.mse,
            form=".1e",
            note="fit to the measured pairs",
            help="Mean squared difference between the merged table's correlations and those of the pairs that were read together."
            " It says how well the merge does what it was told, not how far that is from the truth.",
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
    """What the merge is good for: its error against the truth where that is known, else what a measured r is worth; then the fit to the
    measured pairs, how many pairs nobody measured, and what the runs left out as outliers move, which the fit cannot show."""
    said = _with_the_copula(report, _verdict(report))
    if report.agreement is not None and report.agreement.named:
        return replace(said, trust=f"{report.agreement.words} {said.trust}", level="poor")
    if report.outliers is None or not report.outliers.matters:
        return said
    moved = report.outliers.r_moved
    far = moved is not None and abs(moved[3] - moved[2]) >= _POOR
    level: Trust = "poor" if far or said.level == "poor" else "limited"
    trust = said.trust.replace(", so every pair can be read from it.", ".")
    return Verdict(
        answer=said.answer, trust=f"{trust} {_outlier_sentence(report.outliers)}", level=level, remedies=(_ALL_RUNS, *said.remedies)
    )


def _with_the_copula(report: MergeReport, said: Verdict) -> Verdict:
    """Of another merge of more than one HEM: the offer of the one whose rows come nearest to rows read together."""
    if isinstance(report.params, CopulaParams) or report.merged.shape[1] < 2:
        return said
    return replace(said, remedies=(*said.remedies, BY_COPULA))


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
    fit = f"{_error_sentence(report)}Correlations of the pairs read together are met to {worst:.2g} at worst"
    off = _off(report, worst)
    if together < pairs:
        carried = _carried(report)
        apart = pairs - together
        others = "that of the other pair is" if apart == 1 else f"those of the other {apart:,} pairs are"
        # The truth checks them all.
        checked = ", which no reading checks" if report.truth is None else ""
        return Verdict(answer=answer, trust=f"{fit}; {others} {carried}{checked}.", level="poor" if off >= _POOR else "limited")
    constant = pairs - report.pairs_compared
    if constant:
        trust = f"{fit}; {constant:,} of the {pairs:,} pairs have none, since one HEM of them does not change."
        return Verdict(answer=answer, trust=trust, level="poor" if off >= _POOR else "limited")
    level: Trust = "good" if off < _GOOD else "limited" if off < _POOR else "poor"
    # What the truth says of single pairs is said before.
    readable = ", so every pair can be read from it." if report.truth is None else "."
    reservation = {"good": readable, "limited": ".", "poor": ": too far for single pairs to be read from it."}
    return Verdict(answer=answer, trust=f"{fit}{reservation[level]}", level=level)


def _off(report: MergeReport, worst: float) -> float:
    """How far a single pair may be off, by what is known best: the truth, else the intervals, else the worst fit to a measured pair.

    The copula takes a measured r back by its sampling noise, so that its fit alone says little of it.
    """
    truth = report.truth
    if truth is not None and truth.mse <= _AS_GOOD * truth.noise:
        return truth.excess
    if truth is None and isinstance(report.params, CopulaParams):
        return 0.0 if len(report.outside) <= _MOST_OUTSIDE * max(1, len(report.intervals)) else worst
    return worst if truth is None else max(worst, truth.excess)


def _carried(report: MergeReport) -> str:
    """What the pairs that nobody read together are made of."""
    if isinstance(report.params, HrmParams):
        return "what the anchor carries"
    if isinstance(report.params, CopulaParams):
        return "filled by the model"
    gap = "" if report.completable else ", of pairs moved until they fit: no correlation matrix has those measured"
    return f"the completion of the matrix{gap}"


def _error_card(report: MergeReport) -> Card:
    """The error that matters: against the truth; where nobody knows it, what the readings let a correlation be known to."""
    truth, noise = report.truth, report.noise
    if truth is not None:
        return Card(
            label="MSE against the truth",
            value=truth.mse,
            form=".1e",
            note=f"{truth.noise:.1e} is sampling noise",
            help=f"Mean squared difference between the merged table's correlations and those of {truth.n_runs:,} further runs that read"
            " all HEMs together. Noise: what it would be had as many runs as stand behind the pairs read all HEMs together.",
            better="lower",
        )
    together, pairs = report.pairs_read_together
    known = bool(np.isfinite(noise))
    return Card(
        label="Error of measured r",
        value=noise if known else None,
        form=".2g",
        text=f"±{noise:.2g}" if known else "",
        note=f"sampling noise, {together:,} of {pairs:,} pairs" if known else "no pair has a measured correlation",
        help="The standard error of a measured correlation, typical of the pairs: how far it would be from itself with other runs."
        " No truth is known of these readings, and no merge is nearer to it than this.",
        better="lower",
    )


def _error_sentence(report: MergeReport) -> str:
    """How far the correlations are off, and a space; "" where nothing can be said."""
    truth = report.truth
    if truth is not None and truth.mse <= _AS_GOOD * truth.noise:
        return (
            f"Its correlations are as good as reading all HEMs together once more: MSE {truth.mse:.1e} against the truth, where sampling"
            f" noise alone makes {truth.noise:.1e}. "
        )
    if truth is not None:
        return (
            f"Against the truth its correlation MSE is {truth.mse:.1e}, where sampling noise alone makes {truth.noise:.1e};"
            f" {truth.n_beyond:,} of {truth.n_pairs:,} pairs are farther off than noise explains. "
        )
    known = f"A measured r is itself known to ±{report.noise:.2g}" if np.isfinite(report.noise) else ""
    n_off, n_pairs = len(report.outside), len(report.intervals)
    if not known or not n_off:
        return f"{known}. " if known else ""
    return f"{known}; {n_off:,} of {n_pairs:,} merged ones lie outside its {LEVEL:.0%} interval. "


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
