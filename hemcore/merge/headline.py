"""The headline figures and the verdict of a merge: first its error, then its fit to the measured pairs."""

from dataclasses import replace

import numpy as np

from hemcore.errors import Remedy
from hemcore.headline import Card, Trust, Verdict, percent
from hemcore.merge.params import NO_RUN_OUT, CopulaParams, HrmParams, MuchParams
from hemcore.merge.remedies import BY_COPULA
from hemcore.merge.results import MergeReport
from hemcore.merge.trust.correlation_intervals import LEVEL
from hemcore.merge.trust.outlier_shift import OutlierEffect
from hemcore.merge.trust.subexperiment_agreement import Agreement

# A pair off by less than _GOOD can be read by itself; one off by _POOR or more cannot.
_GOOD, _POOR = 0.05, 0.15
# A merge is as good as one more full measurement while its MSE against the truth is at most this multiple of the sampling noise.
_AS_GOOD = 1.25
# Largest fraction of pairs whose merged r may lie outside its 90% interval: twice what is expected by chance.
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
            + (" HEMs whose r with a kept HEM exceeds dep_lvl are left out." if isinstance(report.params, MuchParams) else ""),
        ),
        Card(
            label="Merged runs",
            value=len(report.merged),
            note=f"from {report.n_subexperiments} subexperiment{'' if report.n_subexperiments == 1 else 's'}",
            help="Rows of the merged table. Each row stands for one run in which all HEMs were read.",
        ),
        Card(
            label="Correlation MSE",
            value=None if np.isnan(report.mse) else report.mse,
            form=".1e",
            note="fit to the measured pairs",
            help="Mean squared difference between the correlations of the merged table and those of the pairs read together."
            " It measures the fit to the readings, not the distance from the truth.",
            better="lower",
        ),
        Card(
            label="Worst pair, |Δr|",
            value=None if worst is None else abs(worst[2]),
            form=".2g" if worst is not None and abs(worst[2]) < 0.0005 else ".3f",
            note="no pair has a measured correlation" if worst is None else f"{_short(worst[0])} with {_short(worst[1])}",
            help="The pair of HEMs whose merged correlation is furthest from the measured one.",
            better="lower",
        ),
        *outliers,
    ]


def verdict(report: MergeReport) -> Verdict:
    """How far the merge can be trusted.

    By its error against the truth where that is known, otherwise by its fit to the measured pairs and their sampling noise; then by pairs
    never read together, HEMs left out, runs left out as outliers (which the fit cannot show) and subexperiments that disagree.
    """
    found = _with_the_copula(report, _verdict(report))
    if report.outliers is not None and report.outliers.matters:
        moved = report.outliers.r_moved
        far = moved is not None and abs(moved[3] - moved[2]) >= _POOR
        found = replace(
            found,
            trust=f"Leaving runs out as outliers changes {_shifts(report.outliers)[-1]}.",
            why=(*_outlier_reasons(report.outliers), *(found.why or (found.trust,))),
            level="poor" if far or found.level == "poor" else "limited",
            remedies=(_ALL_RUNS, *found.remedies),
        )
    if report.agreement is not None and report.agreement.named:
        why = (report.agreement.text, *(found.why or (found.trust,)))
        return replace(found, trust=_disagreement(report.agreement), why=why, level="poor")
    return found


def _with_the_copula(report: MergeReport, found: Verdict) -> Verdict:
    """For other merges of several HEMs: an offer of the copula, whose rows are closest to rows read together."""
    if isinstance(report.params, CopulaParams) or report.merged.shape[1] < 2:
        return found
    return replace(found, remedies=(*found.remedies, BY_COPULA))


def _verdict(report: MergeReport) -> Verdict:
    """The verdict before outliers and disagreements are considered."""
    n_merged = report.merged.shape[1]
    answer = f"{n_merged} of {report.n_hems} HEMs merged into one table of {len(report.merged):,} runs."
    together, pairs = report.pairs_read_together
    if not pairs:
        return Verdict(answer=answer, trust="A single HEM has no correlation to check.", level="limited")
    if report.worst is None:
        cause = "was read together" if not together else "has a measured correlation, since one HEM of each never changes"
        return Verdict(answer=answer, trust=f"No pair {cause}: nothing can be checked.", level="poor")
    worst = abs(report.worst[2])
    off = _off(report, worst)
    why = _reasons(report, worst)
    if together < pairs:
        level: Trust = "poor" if off >= _POOR else "limited"
        return Verdict(answer=answer, trust=_apart(report, worst, level), why=why, level=level)
    constant = pairs - report.pairs_compared
    if constant:
        trust = f"{constant:,} of {pairs:,} pairs have no correlation: one HEM of each never changes."
        return Verdict(answer=answer, trust=trust, why=why, level="poor" if off >= _POOR else "limited")
    level = "good" if off < _GOOD else "limited" if off < _POOR else "poor"
    noisy = report.truth is None and report.noise >= _GOOD
    incomplete = n_merged < report.n_hems
    if level == "good" and (noisy or incomplete):
        level = "limited"
    return Verdict(answer=answer, trust=_fit(report, worst, level, noisy, incomplete), why=why, level=level)


def _fit(report: MergeReport, worst: float, level: Trust, noisy: bool, incomplete: bool) -> str:
    """The trust in a merge whose pairs were all read together."""
    if report.truth is not None:
        left_out = report.n_hems - report.merged.shape[1]
        rest = f" {left_out:,} HEM{' is' if left_out == 1 else 's are'} left out." if incomplete else ""
        return f"{_against_truth(report)}.{rest}"
    n_off, n_pairs = len(report.outside), len(report.intervals)
    if isinstance(report.params, CopulaParams) and n_off > _MOST_OUTSIDE * max(1, n_pairs):
        return f"{n_off:,} of {n_pairs:,} merged correlations are outside their {percent(LEVEL)} interval."
    met = f"Measured correlations are met to within {worst:.2g}"
    if level == "poor":
        return f"{met}: too far off to read single pairs."
    if noisy:
        return f"{met}, but are themselves uncertain by ±{report.noise:.2g}."
    if incomplete:
        left_out = report.n_hems - report.merged.shape[1]
        return f"{met}; {left_out:,} HEM{' is' if left_out == 1 else 's are'} left out."
    return f"{met}: every pair can be read." if level == "good" else f"{met}."


def _apart(report: MergeReport, worst: float, level: Trust) -> str:
    """The trust in a merge some of whose pairs were never read together."""
    together, pairs = report.pairs_read_together
    apart = pairs - together
    verb = "was" if apart == 1 else "were"
    if report.truth is not None:
        return f"{_against_truth(report)}; {apart:,} {verb} never read together."
    off = f" Measured ones are off by up to {worst:.2g}." if level == "poor" else ""
    return f"{apart:,} of {pairs:,} pairs {verb} never read together and cannot be checked.{off}"


def _against_truth(report: MergeReport) -> str:
    """How the merged pairs compare with the truth, without a full stop."""
    truth = report.truth
    assert truth is not None
    if truth.mse <= _AS_GOOD * truth.noise:
        return "Correlations are as good as reading all HEMs together once more"
    return f"{truth.n_beyond:,} of {truth.n_pairs:,} pairs are further from the truth than noise explains"


def _off(report: MergeReport, worst: float) -> float:
    """How far a single pair may be off, by the best evidence: the truth, else the intervals, else the worst fit to a measured pair.

    The copula shrinks a measured r by its sampling noise, so its fit alone says little.
    """
    truth = report.truth
    if truth is not None and truth.mse <= _AS_GOOD * truth.noise:
        return truth.excess
    if truth is None and isinstance(report.params, CopulaParams):
        return 0.0 if len(report.outside) <= _MOST_OUTSIDE * max(1, len(report.intervals)) else worst
    return worst if truth is None else max(worst, truth.excess)


def _reasons(report: MergeReport, worst: float) -> tuple[str, ...]:
    """The figures behind the trust, a sentence each."""
    truth, (together, pairs) = report.truth, report.pairs_read_together
    reasons = []
    if truth is not None:
        reasons.append(
            f"Correlation MSE against the truth: {truth.mse:.1e}; sampling noise alone gives {truth.noise:.1e}. {truth.n_beyond:,} of"
            f" {truth.n_pairs:,} pairs are more than two standard errors from the truth."
        )
    elif np.isfinite(report.noise):
        reasons.append(f"A measured r has a standard error of ±{report.noise:.2g}.")
        if len(report.outside):
            reasons.append(
                f"{len(report.outside):,} of {len(report.intervals):,} merged correlations are outside their {percent(LEVEL)} interval."
            )
    reasons.append(f"Pairs read together: the merged r is within {worst:.2g} of the measured r.")
    if together < pairs:
        apart = pairs - together
        pair, verb = ("pair", "was") if apart == 1 else ("pairs", "were")
        reasons.append(f"{apart:,} {pair} {verb} never read together: {_source_of_r(report)}.")
    elif report.pairs_compared < pairs:
        reasons.append(f"{pairs - report.pairs_compared:,} of {pairs:,} pairs have no correlation: one HEM of each never changes.")
    return tuple(reasons)


def _source_of_r(report: MergeReport) -> str:
    """Where the correlations of pairs never read together come from."""
    if isinstance(report.params, HrmParams):
        return "filled by what the anchor implies"
    if isinstance(report.params, CopulaParams):
        return "filled by the model"
    gap = "" if report.completable else "; no correlation matrix has the measured values, so these were moved until one does"
    return f"filled by the completion of the matrix{gap}"


def _error_card(report: MergeReport) -> Card:
    """The error against the truth; where that is not known, the standard error of a measured correlation."""
    truth, noise = report.truth, report.noise
    if truth is not None:
        return Card(
            label="MSE against the truth",
            value=truth.mse,
            form=".1e",
            note=f"{truth.noise:.1e} is sampling noise",
            help=f"Mean squared difference between the correlations of the merged table and those of {truth.n_runs:,} further runs that"
            " read all HEMs together. Sampling noise: the difference expected if all HEMs had been read together in as many runs as each"
            " pair was.",
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
        help="The typical standard error of a measured correlation: how much it would differ in other runs."
        " The truth is not known for these readings; no merge can be more accurate than this.",
        better="lower",
    )


def _disagreement(agreement: Agreement) -> str:
    """Which subexperiments disagree and what to check, in a sentence."""
    first, *more = (repr(_short(name)) for name in agreement.named)
    if agreement.either:
        return f"{first} and {more[0]} disagree: check the program, clock and unit of both."
    others = f" and {len(more):,} more do" if more else " does"
    return f"{first}{others} not agree with the other subexperiments: check program, clock and unit."


def _shifts(outliers: OutlierEffect) -> list[str]:
    """What the runs left out change, the correlation last."""
    shifts = []
    if outliers.mean_moved is not None:
        hem, ratio = outliers.mean_moved
        shifts.append(f"the mean of {_short(hem)} to {ratio:.2f} of its value")
    if outliers.r_moved is not None:
        one, other, read, used = outliers.r_moved
        shifts.append(f"r of {_short(one)} with {_short(other)} from {read:.2f} to {used:.2f}")
    return shifts


def _outlier_reasons(outliers: OutlierEffect) -> tuple[str, ...]:
    return (
        f"Up to {percent(outliers.left_out, 1)} of the readings of a HEM are left out. This changes {' and '.join(_shifts(outliers))}; the"
        " fit to the measured pairs leaves out the same runs and cannot show it.",
        f"If they are not outliers, set the outlier z-score to {NO_RUN_OUT:,.0f}, which leaves no run out.",
    )


def _outlier_card(outliers: OutlierEffect) -> Card:
    mean, pair = outliers.mean_moved, outliers.r_moved
    if mean is not None:
        note = f"mean of {_short(mean[0])}: {mean[1]:.2f} of the mean read"
    else:
        note = "" if pair is None else f"r of {_short(pair[0])} with {_short(pair[1])}: {pair[2]:.2f} read, {pair[3]:.2f} used"
    return Card(
        label="Left out as outliers",
        value=outliers.left_out,
        form=".1%",
        note=note,
        help="The largest fraction of a HEM's readings that the outlier z-score leaves out. For long-tailed counts this is the tail: the"
        " mean and correlations change, and the other errors here leave out the same runs, so they do not show it.",
        better="lower",
    )


def _short(name: str) -> str:
    return name if len(name) <= 18 else f"{name[:9]}…{name[-8:]}"
