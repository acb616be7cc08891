"""The headline figures and the verdicts of predictions."""

import math

import numpy as np

from hemcore.errors import Remedy
from hemcore.headline import Card, Trust, Verdict, counted_noun, doubted, percent, with_step
from hemcore.prediction.derived_features import TARGET_AS_FEATURE, leave_out_first, target_as_feature
from hemcore.prediction.error_levels import (
    ADD_PROGRAMS,
    EXPLORE,
    FEW_PROGRAMS,
    MEASURE,
    alike,
    as_good_as_none,
    doubts_of_rows,
    level_of_error,
    stands_out,
    unseen,
)
from hemcore.prediction.evaluate.by_program import MEASURED_PHASES, Evaluation
from hemcore.prediction.evaluate.cycle_costs import CostStack
from hemcore.prediction.evaluate.prediction_intervals import JACKKNIFE, Intervals
from hemcore.prediction.wording import first_names, rounded

# A covered share this far below the promised one can be chance.
_SHORTFALL = 0.1
# The widest 90% interval of a share that is still narrow.
NARROW = 0.25
# Fits every pair of programs: the picture shows what it has until then.
_ALL_FITS = Remedy(label="Wait for all fits", choose={"view": "Predicted and measured"})
GROUP_NAMES = {
    "base": "base work",
    "branches": "branch mispredictions",
    "L1": "L1 misses",
    "TLB": "TLB misses",
    "last level": "last-level misses",
}


def cards(found: Evaluation) -> list[Card]:
    """The best model's error per phase and per program, the median program, the worst program, and the error of copying another load."""
    best = found.best
    of = f"{found.target}, {best['granularity']}, {best['load']}"
    copied = found.summary[~found.summary["model"].isin(found.trained)]
    linear = found.summary[found.summary["model"].isin(("Lasso", "Ridge"))]
    context = f"Lasso or Ridge: {percent(linear['mape_mean'].min(), 1)}" if len(linear) else counted_noun(int(best["programs"]), "program")
    shown = [
        Card(
            label="Error per phase",
            value=float(best["mape_mean"]),
            form=".1%",
            note=f"{best['model']}, mean program; {context}",
            help="|predicted − measured| / measured for each phase of an unseen program; the mean over its phases, then over programs.",
            better="lower",
            of=of,
        ),
        Card(
            label="Median program",
            value=float(best["mape_median"]),
            form=".1%",
            note=_median_note(found),
            help="Half of the programs have a smaller error per phase. The model with the best mean may not have the best median.",
            better="lower",
            of=of,
        ),
        Card(
            label="Error per program",
            value=float(best["whole_mean"]),
            form=".1%",
            note=f"median {percent(best['whole_median'], 1)}; sum over phases",
            help="The error of the sum over a program's phases. Errors of single phases cancel in part.",
            better="lower",
            of=of,
        ),
        Card(
            label="Worst program",
            value=float(best["worst"]),
            form=".1%",
            note=str(best["worst_program"]),
            help="The program with the largest error per phase.",
            better="lower",
            of=of,
        ),
    ]
    if len(copied):
        shown.append(
            Card(
                label="Copied load",
                value=float(copied["mape_mean"].iloc[0]),
                form=".1%",
                note="a measurement, not a prediction",
                help="The error of taking the value of the same phase under the other load. It requires one measurement of the program.",
                better="lower",
                of=of,
            )
        )
    return shown


def verdict(found: Evaluation) -> Verdict:
    """How accurately an unseen program is predicted, and what would be more accurate."""
    best, group = found.best, found.params.group
    n, phase = int(best["programs"]), rounded(best["mape_mean"])
    answer = f"{phase} error per phase, {rounded(best['whole_mean'])} per program, on {unseen(group, found.notes)}."
    level = level_of_error(float(best["mape_mean"]), n, found.notes)
    worst = f"the worst is {rounded(best['worst'])} off."
    if target_as_feature(found.notes):
        trust = TARGET_AS_FEATURE
    elif n < FEW_PROGRAMS:
        trust = f"Only {counted_noun(n, 'program')} to train and test on; {worst}"
    elif level == "poor":
        trust = f"Too inaccurate: {worst}"
    else:
        trust = f"Of {n} left out in turn, {worst}"
    why = [f"{phase} is the mean over programs of {best['model']}, the best model; the worst program is {best['worst_program']}."]
    if group != "program":
        why.append(f"Phases with the same {group} are left out of training together.")
    else:
        measuring = rounded(float(np.median(found.by_measuring)))
        why.append(f"{measuring} is the median error per program of measuring {MEASURED_PHASES} of its phases instead.")
    median = _best_median(found)
    if median != best["model"]:
        why.append(f"In the median program {median} is more accurate.")
    steps = leave_out_first(found.notes, found.params)
    shown = Verdict(answer=answer, trust=trust, why=(*target_as_feature(found.notes), *why), level=level, remedies=steps)
    error, doubts = float(best["mape_mean"]), list(doubts_of_rows(found.notes, found.params))
    doubts += alike(found.independent) if level == "good" else []
    doubts += as_good_as_none(error, found.control) if level != "poor" else []
    doubts += stands_out(error, float(best["worst"])) if level == "good" else []
    shown = doubted(shown, doubts)
    fewer = n >= FEW_PROGRAMS and float(np.median(found.by_measuring)) < best["whole_mean"]
    return with_step(shown, MEASURE if fewer and group == "program" else ADD_PROGRAMS)


def interval_cards(found: Intervals) -> list[Card]:
    """What the 80% and 90% intervals cover, how wide they are, and which programs are far from the training programs."""
    own = found.coverage[found.coverage["way"] == found.way].set_index("promised")
    far = _far(found)
    shown = []
    for promised, row in own.iterrows():
        covered, programs = int(row["covered"]), int(row["programs"])
        width = f"; half-width {rounded(row['half_width'])}" if math.isfinite(row["half_width"]) else ""
        shown.append(
            Card(
                label=f"{percent(float(str(promised)))} intervals",
                value=covered / programs,
                form=".0%",
                text=f"{covered} of {programs}",
                note=f"programs covered{width}",
                help="Programs whose total lies within its interval, which was computed without the program (jackknife+ over programs).",
                of=f"{programs} programs",
            )
        )
    shown.append(
        Card(
            label="Outlying programs",
            value=len(far),
            note=first_names(far, 3) if far else "every program has similar ones",
            help="Programs whose mean distance to the nearest training phase is more than 1.25 times the 90th percentile over programs.",
            of=f"{len(found.programs)} programs",
        )
    )
    return shown


def interval_verdict(found: Intervals) -> Verdict:
    """Whether the intervals cover as many unseen programs as they promise."""
    row = found.coverage[found.coverage["way"] == found.way].iloc[0]
    n, covered, promised = int(row["programs"]), int(row["covered"]), percent(row["promised"])
    far = _far(found)
    answer = f"{covered} of {n} {unseen(found.params.group, found.notes)} lie within their {promised} intervals."
    level: Trust
    if target_as_feature(found.notes):
        level, trust = "poor", TARGET_AS_FEATURE
    elif round(row["promised"] - covered / n, 9) > _SHORTFALL:
        level, trust = "poor", f"Fewer than the promised {promised}: the intervals are too narrow."
    elif found.way != JACKKNIFE:
        level, trust = "limited", "Provisional: the fits without each pair of programs are still to come."
    elif n < FEW_PROGRAMS:
        level, trust = "limited", f"Only {n} programs, so the coverage is uncertain."
    elif far:
        unlike = "1 program is" if len(far) == 1 else f"{len(far)} programs are"
        level, trust = "limited", f"{unlike} unlike all others: an extrapolation."
    else:
        level, trust = "good", "About as many as promised, and every program has similar ones."
    why = [f"{first_names(far)}: farther from every training phase than other programs are from each other."] if far else []
    why.append(f"Each interval is computed without the program, from the errors on the other programs ({found.way}).")
    steps = leave_out_first(found.notes, found.params)
    shown = Verdict(answer=answer, trust=trust, why=(*target_as_feature(found.notes), *why), level=level, remedies=steps)
    return with_step(doubted(shown, doubts_of_rows(found.notes, found.params)), ADD_PROGRAMS if found.way == JACKKNIFE else _ALL_FITS)


def stack_cards(found: CostStack) -> list[Card]:
    """The share of each group with its interval."""
    return [
        Card(
            label=str(group)[:1].upper() + str(group)[1:],
            value=float(row["share"]) if math.isfinite(row["share"]) else None,
            form=".1%",
            note=f"{rounded(row['low'])} to {rounded(row['high'])}, 90% interval" if math.isfinite(row["low"]) else "not known",
            help=f"Mean share of {found.target} explained by events of this group, with a 90% interval from a bootstrap over programs.",
            of=found.target,
        )
        for group, row in found.overall.iterrows()
    ]


def stack_verdict(found: CostStack) -> Verdict:
    """Which groups of events account for most of the target."""
    known = found.overall["share"].dropna().sort_values(ascending=False)
    if known.empty:
        return Verdict(answer=f"No counter accounts for any of {found.target}.", level="poor", remedies=(EXPLORE,))
    shares = [f"{rounded(float(share))} to {GROUP_NAMES[str(group)]}" for group, share in known.items()]
    most = str(known.index[0])
    first, *others = shares
    share, _, group = first.partition(" to ")
    answer = f"{share} of {found.target} goes to {group}{f', {others[0]}' if others else ''}."
    low, high = (float(found.overall[end].loc[most]) for end in ("low", "high"))
    between = f"mean {rounded(low)} to {rounded(high)}, 90% interval"
    own = found.programs.loc[found.programs["group"] == most, "share"].dropna()
    single = f"single programs {rounded(float(own.min()))} to {rounded(float(own.max()))}" if len(own) else "no program has a share"
    level: Trust
    if target_as_feature(found.notes):
        level, trust = "poor", TARGET_AS_FEATURE
    elif found.programs["program"].nunique() < FEW_PROGRAMS:
        level, trust = "limited", f"Only {found.programs['program'].nunique()} programs: {between}; {single}."
    elif high - low < NARROW:
        level, trust = "good", f"{between[:1].upper()}{between[1:]}; {single}."
    else:
        level, trust = "limited", f"Uncertain: {between}; {single}."
    rest = [f"Further shares: {', '.join(others[1:])}."] if len(others) > 1 else []
    counters = "Counters that rise together share one cost, so single costs vary between sets of programs while sums of groups do not."
    steps = leave_out_first(found.notes, found.params)
    shown = Verdict(answer=answer, trust=trust, why=(*target_as_feature(found.notes), *rest, counters), level=level, remedies=steps)
    return with_step(doubted(shown, doubts_of_rows(found.notes, found.params)), ADD_PROGRAMS)


def _far(found: Intervals) -> list[str]:
    return [str(name) for name in found.programs.loc[found.programs["far"], "program"]]


def _median_note(found: Evaluation) -> str:
    """Whose median is shown, and whose is lowest."""
    own, lowest = str(found.best["model"]), _best_median(found)
    error = found.summary.loc[found.summary["model"] == lowest, "mape_median"].iloc[0]
    return f"{own}; lowest: {lowest}, {percent(error, 1)}" if lowest != own else f"{own}, the lowest"


def _best_median(found: Evaluation) -> str:
    own = found.summary[found.summary["model"].isin(found.trained)]
    return str(own["model"].iloc[int(own["mape_median"].to_numpy().argmin())])
