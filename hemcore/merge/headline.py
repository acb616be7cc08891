"""The verdict of a merge."""

from dataclasses import replace

import numpy as np
from scipy.special import bdtrc

from hemcore.errors import Remedy
from hemcore.headline import ADD_RUNS, FEW_RUNS, Doubt, Trust, Verdict, amount, counted_noun, doubted, percent, with_step
from hemcore.merge.outlier_words import outlier_reasons, shifts_of, short_name
from hemcore.merge.params import NO_RUN_OUT, CopulaParams, HrmParams, MuchParams
from hemcore.merge.remedies import BY_COPULA, PLAN_UNREAD
from hemcore.merge.results import MergeReport
from hemcore.merge.trust.correlation_intervals import LEVEL, on_few_runs
from hemcore.merge.trust.subexperiment_agreement import Agreement

# A pair off by less than _GOOD can be read by itself; one off by _POOR or more cannot.
_GOOD, _POOR = 0.05, 0.15
# A merge is as good as one more full measurement while its MSE against the truth is at most this multiple of the sampling noise.
_AS_GOOD = 1.25
# Largest fraction of pairs whose merged r may lie outside its 90% interval: twice what is expected by chance.
_MOST_OUTSIDE = 0.2
# The largest standard error of a measured r behind a "good" merge, and the probability below which chance does not explain outliers.
_NOISY, _BY_CHANCE = 0.1, 0.05
# An interval of a measured r reaches this far to either side at most, but for one pair in ten: nine of ten pairs are within 0.1.
_WIDE, _MOST_WIDE = 0.1, 0.1
_ALL_RUNS = Remedy(label="Leave no run out", choose={"outlier_zscore": NO_RUN_OUT})
_ADD_HEMS = Remedy(label="Add HEMs", page="data")
_CHECK = "Check that they were measured of the same program, at the same clock and in the same units."
_READ_AGAIN = Remedy(label="Replace readings", page="data")


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
            trust=f"Runs left out as outliers move {shifts_of(report.outliers)[-1]}.",
            why=(*outlier_reasons(report.outliers), *(found.why or (found.trust,))),
            level="poor" if far or found.level == "poor" else "limited",
            remedies=(_ALL_RUNS, *found.remedies),
        )
    found = doubted(found, _doubts(report))
    if report.truth is None and report.noise >= _POOR:
        unknown = f"Too few runs: a measured r is uncertain by ±{amount(report.noise, 2)}."
        others = tuple(each for each in found.remedies if each != ADD_RUNS)
        found = replace(found, trust=unknown, why=(found.trust, *found.why), level="poor", remedies=(ADD_RUNS, *others))
    if report.agreement is not None and report.agreement.named:
        why = (report.agreement.text, _CHECK, *(found.why or (found.trust,)))
        found = replace(found, trust=_disagreement(report.agreement), why=why, level="poor", remedies=(_READ_AGAIN, *found.remedies))
    return with_step(found, ADD_RUNS)


def _doubts(report: MergeReport) -> list[Doubt]:
    """What forbids a "good" verdict, whatever the fit says."""
    pairs, n_off = len(report.intervals), len(report.outside)
    # Where the truth is known, it tells more than the spread of the counts.
    doubts = [Doubt(sentence=report.sparse, remedy=ADD_RUNS)] if report.sparse and report.truth is None else []
    runs = int(report.intervals["runs"].min()) if pairs else FEW_RUNS
    if runs < FEW_RUNS:
        doubts.append(Doubt(sentence=f"Only {counted_noun(runs, 'run')} read some pair; {FEW_RUNS} or more are needed.", remedy=ADD_RUNS))
    if report.noise > _NOISY:
        uncertain = f"A measured r is uncertain by ±{amount(report.noise, 2)}."
        doubts.append(Doubt(sentence=uncertain, remedy=ADD_RUNS))
    few = on_few_runs(report.intervals) if pairs and report.truth is None else report.intervals[:0]
    for one, other, behind, n in few[["hem_a", "hem_b", "rests_on", "runs"]].head(1).itertuples(index=False, name=None):
        rests = f"r of {short_name(one)} with {short_name(other)} rests on {behind:,} of {counted_noun(n, 'run')}."
        doubts.append(Doubt(sentence=rests, remedy=ADD_RUNS))
    n_wide = int((~(report.intervals["high"] - report.intervals["low"] <= 2 * _WIDE)).sum()) if pairs and report.truth is None else 0
    if n_wide > _MOST_WIDE * pairs:
        vague = f"{n_wide:,} of {pairs:,} measured r are uncertain by over ±{amount(_WIDE, 1)} ({percent(LEVEL)} interval)."
        doubts.append(Doubt(sentence=vague, remedy=ADD_RUNS))
    if isinstance(report.params, MuchParams):
        doubts.append(Doubt(sentence="MUCH keeps the correlations and nothing else.", remedy=BY_COPULA))
    # One-sided: P(at least n_off of `pairs` outside by chance alone). A pair far beyond its interval is off by more than chance.
    unlikely = bool(n_off) and bdtrc(n_off - 1, int(report.intervals["low"].notna().sum()), 1 - LEVEL) < _BY_CHANCE
    beyond = _beyond(report) if report.truth is None else 0.0
    if unlikely or beyond > _GOOD:
        more = "more than by chance" if unlikely else f"one by {amount(beyond, 2)}"
        sentence = f"{n_off:,} of {pairs:,} merged r are outside their {percent(LEVEL)} interval, {more}."
        doubts.append(Doubt(sentence=sentence, remedy=ADD_RUNS if isinstance(report.params, CopulaParams) else BY_COPULA))
    return doubts


def _beyond(report: MergeReport) -> float:
    """How far the merged r that is furthest outside its interval is from the nearer end of it; 0 where none is outside."""
    off = report.outside
    return float(np.maximum(off["low"] - off["merged"], off["merged"] - off["high"]).max()) if len(off) else 0.0


def _with_the_copula(report: MergeReport, found: Verdict) -> Verdict:
    """For other merges of several HEMs that are not good: an offer to try the copula. Which merge is closest, only halves tell; of pairs
    never read together nothing does, and every merge guesses them."""
    together, pairs = report.pairs_read_together
    if isinstance(report.params, CopulaParams) or not pairs or together < pairs or found.level == "good":
        return found
    return replace(found, remedies=(*found.remedies, BY_COPULA))


def _verdict(report: MergeReport) -> Verdict:
    """The verdict before outliers and disagreements are considered."""
    n_merged = report.merged.shape[1]
    answer = f"{n_merged} of {report.n_hems} HEMs merged into one table of {len(report.merged):,} runs."
    together, pairs = report.pairs_read_together
    if not pairs:
        step = _ADD_HEMS if report.n_hems == 1 else BY_COPULA  # which leaves no HEM out
        return Verdict(answer=answer, trust="A single HEM has no correlation to check.", level="limited", remedies=(step,))
    if report.worst is None:
        cause = "was read together" if not together else "has a measured correlation, since one HEM of each never changes"
        plan = (PLAN_UNREAD,) if not together and report.unread.plan else ()
        return Verdict(answer=answer, trust=f"No pair {cause}: nothing can be checked.", level="poor", remedies=plan)
    worst = _furthest(report, abs(report.worst[2]))
    off = _off(report, worst)
    why = _reasons(report, worst)
    if together < pairs:
        level: Trust = "poor" if off >= _POOR else "limited"
        plan = (PLAN_UNREAD,) if report.unread.plan else ()
        return Verdict(answer=answer, trust=_apart(report, worst, level), why=why, level=level, remedies=plan)
    constant = pairs - report.pairs_compared
    if constant:
        trust = f"{constant:,} of {pairs:,} pairs have no correlation: one HEM of each never changes."
        return Verdict(answer=answer, trust=trust, why=why, level="poor" if off >= _POOR else "limited")
    level = "good" if off < _GOOD else "limited" if off < _POOR else "poor"
    # Where few runs decide an r, that is the doubt: its standard error is theirs too.
    noisy = report.truth is None and report.noise >= _GOOD and on_few_runs(report.intervals).empty
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
    met = f"Measured correlations are met to within {amount(worst, 2)}"
    if level == "poor":
        return f"{met}: too far off to read single pairs."
    if noisy:
        return f"Measured r are met to within {amount(worst, 2)}, but uncertain by ±{amount(report.noise, 2)}."
    if incomplete:
        left_out = report.n_hems - report.merged.shape[1]
        return f"{met}; {left_out:,} HEM{' is' if left_out == 1 else 's are'} left out."
    if level == "good" and n_off:
        return f"{met}; {n_off:,} of {n_pairs:,} {'is' if n_off == 1 else 'are'} outside the {percent(LEVEL)} interval, as chance explains."
    return f"{met}: every pair can be read." if level == "good" else f"{met}."


def _apart(report: MergeReport, worst: float, level: Trust) -> str:
    """The trust in a merge some of whose pairs were never read together."""
    together, pairs = report.pairs_read_together
    apart = pairs - together
    verb = "was" if apart == 1 else "were"
    if report.truth is not None:
        return f"{_against_truth(report)}; {apart:,} {verb} never read together."
    off = f" Measured ones are off by up to {amount(worst, 2)}." if level == "poor" else ""
    return f"{apart:,} of {pairs:,} pairs {verb} never read together and cannot be checked.{off}"


def _against_truth(report: MergeReport) -> str:
    """How the merged pairs compare with the truth, without a full stop."""
    truth = report.truth
    assert truth is not None
    if truth.mse <= _AS_GOOD * truth.noise:
        return "Correlations are as good as reading all HEMs together once more"
    return f"{truth.n_beyond:,} of {truth.n_pairs:,} pairs are further from the truth than noise explains"


def _furthest(report: MergeReport, worst: float) -> float:
    """How far a merged r is from the measured one at most, on the scale of its interval; `worst` for other merges or if the truth is known.

    By ranks, where a few runs decide Pearson's r: whether a merge meets that says nothing of it.
    """
    if report.truth is not None or not isinstance(report.params, CopulaParams):
        return worst
    return float((report.intervals["merged"] - report.intervals["r"]).abs().max()) if len(report.intervals) else worst


def _off(report: MergeReport, worst: float) -> float:
    """How far a single pair may be off, by the best evidence: the truth, else the intervals, else the worst fit to a measured pair.

    The copula shrinks a measured r by its sampling noise, so its fit alone says little: where more than chance are outside their intervals,
    the one furthest outside tells.
    """
    truth = report.truth
    if truth is not None and truth.mse <= _AS_GOOD * truth.noise:
        return truth.excess
    if truth is None and isinstance(report.params, CopulaParams):
        return 0.0 if len(report.outside) <= _MOST_OUTSIDE * max(1, len(report.intervals)) else max(_GOOD, _beyond(report))
    return worst if truth is None else max(worst, truth.excess)


def _reasons(report: MergeReport, worst: float) -> tuple[str, ...]:
    """The figures behind the trust, a sentence each."""
    truth, (together, pairs) = report.truth, report.pairs_read_together
    reasons = []
    if truth is not None:
        reasons.append(
            f"Correlation MSE against the truth: {amount(truth.mse, 2)}; sampling noise alone gives {amount(truth.noise, 2)}. "
            f"{truth.n_beyond:,} of {truth.n_pairs:,} pairs are more than two standard errors from the truth."
        )
    elif np.isfinite(report.noise):
        reasons.append(f"A measured r has a standard error of ±{amount(report.noise, 2)}.")
        if len(report.outside):
            reasons.append(
                f"{len(report.outside):,} of {len(report.intervals):,} merged correlations are outside their {percent(LEVEL)} interval."
            )
    reasons.append(f"Pairs read together: the merged r is within {amount(worst, 2)} of the measured r.")
    if together < pairs:
        apart = pairs - together
        pair, verb = ("pair", "was") if apart == 1 else ("pairs", "were")
        reasons.append(f"{apart:,} {pair} {verb} never read together: {_source_of_r(report)}.")
        reasons += filter(None, [report.unread.plan])
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


def _disagreement(agreement: Agreement) -> str:
    """Which subexperiments disagree, a sentence."""
    first, *more = (repr(short_name(name)) for name in agreement.named)
    if agreement.either:
        return f"{first} and {more[0]} disagree."
    others = f" and {len(more):,} more disagree" if more else " disagrees"
    return f"{first}{others} with the other subexperiments."
