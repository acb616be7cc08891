"""The headline figures and the verdicts of predictions."""

import math

import numpy as np

from hemcore.headline import Card, Trust, Verdict
from hemcore.prediction.cost_stack import CostStack
from hemcore.prediction.evaluate import MEASURED_PHASES, Evaluation
from hemcore.prediction.intervals import JACKKNIFE, Intervals

# Errors of a phase that leave no doubt that a prediction serves, and that leave little of it.
_GOOD, _POOR = 0.10, 0.35


def cards(found: Evaluation) -> list[Card]:
    """The best model's error a phase and a program, the median program, what copying would be off by, the worst program."""
    best = found.best
    of = f"{found.target}, {best['granularity']}, {best['load']}"
    copied = found.summary[~found.summary["model"].isin(found.learnt)]
    linear = found.summary[found.summary["model"].isin(("Lasso", "Ridge"))]
    better = f"Lasso or Ridge: {linear['mape_mean'].min():.1%}" if len(linear) else f"{int(best['programs'])} programs"
    shown = [
        Card(
            label="Error a phase",
            value=float(best["mape_mean"]),
            form=".1%",
            note=f"{best['model']}, mean program; {better}",
            help="Of a phase of a program that the model has not seen: |predicted - measured| / measured, the mean over its phases.",
            better="lower",
            of=of,
        ),
        Card(
            label="Median program",
            value=float(best["mape_median"]),
            form=".1%",
            note=f"{_best_median(found)} is best there",
            help="Half of the programs are predicted better than this. The model with the best mean may not have the best median.",
            better="lower",
            of=of,
        ),
        Card(
            label="Whole program",
            value=float(best["whole_mean"]),
            form=".1%",
            note=f"median {best['whole_median']:.1%}; sum over phases",
            help="The error of the sum over a program's phases: ups and downs of its phases cancel in part.",
            better="lower",
            of=of,
        ),
        Card(
            label="Worst program",
            value=float(best["worst"]),
            form=".0%",
            text=f"{best['worst']:.0%}",
            note=str(best["worst_program"]),
            help="The program with the largest error a phase.",
            better="lower",
            of=of,
        ),
    ]
    if len(copied):
        shown.append(
            Card(
                label="Copied",
                value=float(copied["mape_mean"].iloc[0]),
                form=".1%",
                note="the other load's, no prediction",
                help="How far off the same phase is under the other load: what reading the program once, under any load, would give.",
                better="lower",
                of=of,
            )
        )
    return shown


def verdict(found: Evaluation) -> Verdict:
    """To within what a program nobody has seen is predicted, and what would do better."""
    best = found.best
    whom = "A program nobody has seen is" if found.params.group == "program" else f"Phases of a {found.params.group} nobody has seen are"
    phase, whole = _percent(best["mape_mean"]), _percent(best["whole_mean"])
    answer = f"{whom} predicted to within {phase} a phase, {whole} as a whole, by {best['model']}{_instead(found)}."
    median = _best_median(found)
    words = [f"{best['worst_program']} is worst, {_percent(best['worst'])} a phase."]
    if median != best["model"]:
        words.append(f"In the median program {median} is better.")
    level: Trust = "good" if best["mape_mean"] <= _GOOD else "limited" if best["mape_mean"] <= _POOR else "poor"
    warned = next((note for note in found.notes if "another name" in note), "")
    if warned:
        words.insert(0, warned)
        level = "poor"
    if int(best["programs"]) < 8:
        words.append(f"Only {int(best['programs'])} programs were there to learn from and to judge by.")
        level = "limited" if level == "good" else level
    return Verdict(answer=answer, trust=" ".join(words), level=level)


def interval_cards(found: Intervals) -> list[Card]:
    """What the 80 % and 90 % intervals cover, how wide they are, and which programs are far from what was learnt."""
    own = found.coverage[found.coverage["way"] == JACKKNIFE].set_index("promised")
    far = found.programs.loc[found.programs["far"], "program"].tolist()
    shown = []
    for promised, row in own.iterrows():
        covered, programs = int(row["covered"]), int(row["programs"])
        shown.append(
            Card(
                label=f"{promised:.0%} intervals",
                value=covered / programs,
                form=".0%",
                text=f"{covered} of {programs}",
                note=f"programs covered; half width {row['half_width']:.0%}" if math.isfinite(row["half_width"]) else "programs covered",
                help="Programs whose whole target lies within the interval that was computed without them, by jackknife+ over programs.",
                of=f"{programs} programs",
            )
        )
    shown.append(
        Card(
            label="Far from the others",
            value=len(far),
            note=", ".join(far[:3]) if far else "every program has its like",
            help="Programs whose phases are, on average, farther from every training phase than nine in ten programs are by a quarter.",
            of=f"{len(found.programs)} programs",
        )
    )
    return shown


def interval_verdict(found: Intervals) -> Verdict:
    """Whether the intervals keep what they promise for programs that were not seen."""
    row = found.coverage[found.coverage["way"] == JACKKNIFE].iloc[0]
    far = found.programs.loc[found.programs["far"], "program"].tolist()
    answer = (
        f"Of {int(row['programs'])} programs nobody had seen, {int(row['covered'])} lie within intervals that promise "
        f"{row['promised']:.0%} of them."
    )
    trust = f"{', '.join(far[:3])} {'is' if len(far) == 1 else 'are'} unlike every other program: an extrapolation." if far else ""
    kept = int(row["covered"]) / int(row["programs"]) >= row["promised"] - 0.1
    return Verdict(answer=answer, trust=trust, level="good" if kept and not far else "limited" if kept else "poor")


def stack_cards(found: CostStack) -> list[Card]:
    """The share of each group with its interval."""
    return [
        Card(
            label=str(group)[:1].upper() + str(group)[1:],
            value=float(row["share"]) if math.isfinite(row["share"]) else None,
            form=".0%",
            note=f"{row['low']:.0%} to {row['high']:.0%} over programs" if math.isfinite(row["low"]) else "not known",
            help=f"The share of {found.target} that events of this group account for, the mean program; 90 % of a bootstrap over programs.",
            of=found.target,
        )
        for group, row in found.overall.iterrows()
    ]


def stack_verdict(found: CostStack) -> Verdict:
    """Where most of the target goes."""
    known = found.overall["share"].dropna().sort_values(ascending=False)
    if known.empty:
        return Verdict(answer=f"No counter accounts for any of {found.target}.", level="poor")
    most = str(known.index[0])
    first = found.overall.loc[most]
    answer = f"{most[:1].upper()}{most[1:]} takes {known.iloc[0]:.0%} of {found.target}"
    others = [f"{group} {share:.0%}" for group, share in known.iloc[1:].items() if round(share, 2) > 0]
    answer += f", {', '.join(others)}." if others else "."
    trust = f"Over programs, {most} is {first['low']:.0%} to {first['high']:.0%}. Groups are stable, single counters trade places."
    return Verdict(answer=answer, trust=trust, level="good" if first["high"] - first["low"] < 0.25 else "limited")


def _best_median(found: Evaluation) -> str:
    own = found.summary[found.summary["model"].isin(found.learnt)]
    return str(own["model"].iloc[int(own["mape_median"].to_numpy().argmin())])


def _instead(found: Evaluation) -> str:
    """What measuring some phases of a program would give; nothing where its rows are not one program's."""
    if found.params.group != "program":
        return ""
    return f"; measuring {MEASURED_PHASES} of its phases instead: {_percent(float(np.median(found.by_measuring)))}"


def _percent(share: float) -> str:
    return f"{share:.0%}" if share >= 0.095 else f"{share:.1%}"
