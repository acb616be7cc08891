"""The headline figures and the verdicts of predictions."""

import math

import numpy as np

from hemcore.headline import Card, Trust, Verdict, counted_noun, percent
from hemcore.prediction.evaluate.by_program import MEASURED_PHASES, Evaluation
from hemcore.prediction.evaluate.cycle_costs import CostStack
from hemcore.prediction.evaluate.prediction_intervals import JACKKNIFE, Intervals
from hemcore.prediction.evaluate.scenarios import WhatIf
from hemcore.prediction.models.trained_models import EVERYTHING, FittedModels
from hemcore.prediction.wording import first_names, rounded

# Errors per phase up to which a prediction is accurate, and above which it is of little use.
_GOOD, _POOR = 0.10, 0.35
# With fewer programs than this neither training nor errors are representative.
_FEW_PROGRAMS = 8
# A covered share this far below the promised one can be chance.
_SHORTFALL = 0.1
# The widest 90% interval of a share that is still narrow.
_NARROW = 0.25
_TARGET_AS_FEATURE = "Do not rely on this: a feature is the target under another name."
_GROUPS = {
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
            note=f"best model here: {_best_median(found)}",
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
            form=".0%",
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
    unseen = "unseen programs" if group == "program" else "unseen groups"
    answer = f"{phase} error per phase, {rounded(best['whole_mean'])} per program, on {unseen}."
    level = _level(float(best["mape_mean"]), n, found.notes)
    worst = f"the worst has an error of {rounded(best['worst'])} per phase."
    if _target_as_feature(found.notes):
        trust = _TARGET_AS_FEATURE
    elif n < _FEW_PROGRAMS:
        trust = f"Only {counted_noun(n, 'program')} to train and test on; {worst}"
    elif level == "poor":
        trust = f"Too inaccurate to rely on. Over {n} programs, {worst}"
    else:
        trust = f"Over {n} programs, each left out of training, {worst}"
    why = [f"{phase} is the mean over programs of {best['model']}, the best model; the worst program is {best['worst_program']}."]
    if group != "program":
        why.append(f"Phases with the same {group} are left out of training together.")
    else:
        measuring = rounded(float(np.median(found.by_measuring)))
        why.append(f"{measuring} is the median error per program of measuring {MEASURED_PHASES} of its phases instead.")
    median = _best_median(found)
    if median != best["model"]:
        why.append(f"In the median program {median} is more accurate.")
    return Verdict(answer=answer, trust=trust, why=(*_target_as_feature(found.notes), *why), level=level)


def interval_cards(found: Intervals) -> list[Card]:
    """What the 80% and 90% intervals cover, how wide they are, and which programs are far from the training programs."""
    own = found.coverage[found.coverage["way"] == JACKKNIFE].set_index("promised")
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
    row = found.coverage[found.coverage["way"] == JACKKNIFE].iloc[0]
    n, covered, promised = int(row["programs"]), int(row["covered"]), percent(row["promised"])
    far = _far(found)
    answer = f"{covered} of {n} unseen programs lie within their {promised} intervals."
    level: Trust
    if round(row["promised"] - covered / n, 9) > _SHORTFALL:
        level, trust = "poor", f"Fewer than the promised {promised}: the intervals are too narrow."
    elif n < _FEW_PROGRAMS:
        level, trust = "limited", f"Only {n} programs, so the coverage is uncertain."
    elif far:
        unlike = "1 program is" if len(far) == 1 else f"{len(far)} programs are"
        level, trust = "limited", f"{unlike} unlike all others: an extrapolation."
    else:
        level, trust = "good", "About as many as promised, and every program has similar ones."
    why = [f"{first_names(far)}: farther from every training phase than other programs are from each other."] if far else []
    why.append("Each interval is computed without the program, from the errors on the other programs (jackknife+).")
    return Verdict(answer=answer, trust=trust, why=tuple(why), level=level)


def stack_cards(found: CostStack) -> list[Card]:
    """The share of each group with its interval."""
    return [
        Card(
            label=str(group)[:1].upper() + str(group)[1:],
            value=float(row["share"]) if math.isfinite(row["share"]) else None,
            form=".0%",
            note=f"{rounded(row['low'])} to {rounded(row['high'])} over programs" if math.isfinite(row["low"]) else "not known",
            help=f"Mean share of {found.target} explained by events of this group, with a 90% interval from a bootstrap over programs.",
            of=found.target,
        )
        for group, row in found.overall.iterrows()
    ]


def stack_verdict(found: CostStack) -> Verdict:
    """Which groups of events account for most of the target."""
    known = found.overall["share"].dropna().sort_values(ascending=False)
    if known.empty:
        return Verdict(answer=f"No counter accounts for any of {found.target}.", level="poor")
    shares = [f"{rounded(float(share))} to {_GROUPS[str(group)]}" for group, share in known.items()]
    most = str(known.index[0])
    first, *others = shares
    share, _, group = first.partition(" to ")
    answer = f"{share} of {found.target} goes to {group}{f', {others[0]}' if others else ''}."
    low, high = (float(found.overall[end].loc[most]) for end in ("low", "high"))
    between = f"from {rounded(low)} to {rounded(high)} over programs"
    level: Trust
    if _target_as_feature(found.notes):
        level, trust = "poor", _TARGET_AS_FEATURE
    elif found.programs["program"].nunique() < _FEW_PROGRAMS:
        level, trust = "limited", f"Only {found.programs['program'].nunique()} programs; the first share is {between}."
    elif high - low < _NARROW:
        level, trust = "good", f"The first share is {between}; costs of single counters are less certain."
    else:
        level, trust = "limited", f"The first share is uncertain: {between}."
    rest = [f"Further shares: {', '.join(others[1:])}."] if len(others) > 1 else []
    counters = "Counters that rise together share one cost, so single costs vary between sets of programs while sums of groups do not."
    return Verdict(answer=answer, trust=trust, why=(*_target_as_feature(found.notes), *rest, counters), level=level)


def models_cards(found: WhatIf) -> list[Card]:
    """How many models answer, the best one's error on programs left out, the number of training programs, and the program held out."""
    scores = found.ready.summary
    known = scores.dropna(subset=["mape"])
    return [
        Card(
            label="Models",
            value=len(found.summary),
            note=f"including {counted_noun(len(found.kept), 'saved one')}" if found.kept else "ready to answer",
        ),
        Card(
            label="Error per phase",
            value=float(known["mape"].iloc[0]) if len(known) else None,
            form=".1%",
            note=f"{known['model'].iloc[0]}, on programs left out" if len(known) else "one program: none could be left out",
            help="The mean relative error of the best model on programs it was not fitted on.",
            better="lower",
            of=found.ready.target,
        ),
        Card(
            label="Training programs",
            value=len(found.ready.programs),
            note="programs",
            help="All programs with phases at this granularity and load, without the held-out one.",
        ),
        Card(label="Starting phases", value=len(found.ready.example), note=f"of {_held_out(found.ready)}"),
    ]


def models_verdict(found: WhatIf) -> Verdict:
    """Which models answer, and how large the best one's error is on unseen programs."""
    ready = found.ready
    known = ready.summary.dropna(subset=["mape"])
    n, on_all = len(ready.programs), ready.params.held_out == EVERYTHING
    models = f"{counted_noun(len(found.summary), 'model')} predict{'s' if len(found.summary) == 1 else ''}"
    answer = f"{models} {ready.target} for changed counts"
    trained = f"Trained on {counted_noun(n, 'program')}"
    if known.empty:
        return Verdict(answer=f"{answer}.", trust=f"{trained}: none could be left out, so the error is not known.", level="poor")
    best = known.iloc[0]
    answer += f"; the best is {rounded(best['mape'])} off."
    if _target_as_feature(ready.notes):
        trust = _TARGET_AS_FEATURE
    elif on_all:
        trust = f"{trained}, these included: their own predictions look better than those of unseen programs."
    else:
        trust = f"{trained}; the error is on programs left out of training."
    why = [
        f"{rounded(best['mape'])} is the error per phase of {best['model']} on programs left out of training.",
        "Predictions for a phase far from every training phase are marked as extrapolations.",
    ]
    if not on_all:
        why.append(f"{_held_out(ready)} was left out of training.")
    level = _level(float(best["mape"]), n, ready.notes)
    return Verdict(answer=answer, trust=trust, why=(*_target_as_feature(ready.notes), *why), level=level)


def _held_out(ready: FittedModels) -> str:
    """The program held out, or the number of all programs if none is."""
    codes = np.unique(ready.example.group)
    return ready.example.groups[int(codes[0])] if len(codes) == 1 else counted_noun(len(codes), "program")


def _far(found: Intervals) -> list[str]:
    return [str(name) for name in found.programs.loc[found.programs["far"], "program"]]


def _target_as_feature(notes: tuple[str, ...]) -> list[str]:
    """The note that makes every error meaningless, if there is one."""
    return [note for note in notes if "another name" in note][:1]


def _level(error: float, programs: int, notes: tuple[str, ...]) -> Trust:
    if _target_as_feature(notes) or not error <= _POOR:
        return "poor"
    return "good" if error <= _GOOD and programs >= _FEW_PROGRAMS else "limited"


def _best_median(found: Evaluation) -> str:
    own = found.summary[found.summary["model"].isin(found.trained)]
    return str(own["model"].iloc[int(own["mape_median"].to_numpy().argmin())])
