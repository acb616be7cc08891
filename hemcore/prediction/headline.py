"""The headline figures and the verdicts of predictions."""

import math

import numpy as np

from hemcore.headline import Card, Trust, Verdict
from hemcore.prediction.evaluate.by_program import MEASURED_PHASES, Evaluation
from hemcore.prediction.evaluate.cycle_costs import CostStack
from hemcore.prediction.evaluate.prediction_intervals import JACKKNIFE, Intervals
from hemcore.prediction.evaluate.scenarios import WhatIf
from hemcore.prediction.models.trained_models import EVERYTHING, FittedModels

# Errors of a phase that leave no doubt that a prediction serves, and that leave little of it.
_GOOD, _POOR = 0.10, 0.35


def cards(found: Evaluation) -> list[Card]:
    """The best model's error a phase and a program, the median program, what copying would be off by, the worst program."""
    best = found.best
    of = f"{found.target}, {best['granularity']}, {best['load']}"
    copied = found.summary[~found.summary["model"].isin(found.learnt)]
    linear = found.summary[found.summary["model"].isin(("Lasso", "Ridge"))]
    better = f"Lasso or Ridge: {tenths(linear['mape_mean'].min())}" if len(linear) else f"{int(best['programs'])} programs"
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
            note=f"median {tenths(best['whole_median'])}; sum over phases",
            help="The error of the sum over a program's phases: ups and downs of its phases cancel in part.",
            better="lower",
            of=of,
        ),
        Card(
            label="Worst program",
            value=float(best["worst"]),
            form=".0%",
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
    phase, whole = percent(best["mape_mean"]), percent(best["whole_mean"])
    answer = f"{whom} predicted to within {phase} a phase, {whole} as a whole, by {best['model']}{_instead(found)}."
    median = _best_median(found)
    words = [f"{best['worst_program']} is worst, {percent(best['worst'])} a phase."]
    if median != best["model"]:
        words.append(f"In the median program {median} is better.")
    level = _level(float(best["mape_mean"]), found.notes)
    words = [*_warned(found.notes), *words]
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
                label=f"{percent(float(str(promised)))} intervals",
                value=covered / programs,
                form=".0%",
                text=f"{covered} of {programs}",
                note=f"programs covered; half width {percent(row['half_width'])}"
                if math.isfinite(row["half_width"])
                else "programs covered",
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
        f"{percent(row['promised'])} of them."
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
            note=f"{percent(row['low'])} to {percent(row['high'])} over programs" if math.isfinite(row["low"]) else "not known",
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
    largest = float(known.max())
    answer = f"{most[:1].upper()}{most[1:]} takes {percent(largest)} of {found.target}"
    others = [f"{group} {percent(float(share))}" for group, share in known.iloc[1:].items() if round(share, 2) > 0]
    answer += f", {', '.join(others)}." if others else "."
    low, high = (float(found.overall[end].loc[most]) for end in ("low", "high"))
    trust = f"Over programs, {most} is {percent(low)} to {percent(high)}. Groups are stable, single counters trade places."
    level: Trust = "poor" if _warned(found.notes) else "good" if high - low < 0.25 else "limited"
    return Verdict(answer=answer, trust=" ".join([*_warned(found.notes), trust]), level=level)


def models_cards(found: WhatIf) -> list[Card]:
    """How many models answer, the best one's error on programs left out, how many programs they learnt from, and the program held out."""
    scores = found.ready.summary
    known = scores.dropna(subset=["mape"])
    example = found.ready.example
    return [
        Card(
            label="Models",
            value=len(found.summary),
            note=f"{_many(len(found.kept), 'kept one')} among them" if found.kept else "ready to answer",
        ),
        Card(
            label="Error a phase",
            value=float(known["mape"].iloc[0]) if len(known) else None,
            form=".1%",
            note=f"{known['model'].iloc[0]}, of programs left out" if len(known) else "one program: none was left out",
            help="The mean relative error of the best model, on programs that it was not fitted on.",
            better="lower",
            of=found.ready.target,
        ),
        Card(
            label="Learnt from",
            value=len(found.ready.programs),
            note="programs",
            help="All programs that have phases here but the one held out.",
        ),
        Card(label="Phases to start from", value=len(example), note=_whose(found.ready)),
    ]


def models_verdict(found: WhatIf) -> Verdict:
    """Which models answer, and how far off the best of them is on what it has not seen."""
    ready = found.ready
    known = ready.summary.dropna(subset=["mape"])
    seen = "" if ready.params.held_out == EVERYTHING else f" without {_whose(ready).removeprefix('of ')}"
    learnt = f"fitted on {_many(len(ready.programs), 'program')}{seen}"
    answer = f"{_many(len(found.summary), 'model')} say what {ready.target} a phase of other counts would take, {learnt}."
    if known.empty:
        return Verdict(answer=answer, trust="With one program none could be left out, so their errors are not known.", level="poor")
    best = known.iloc[0]
    words = [f"{best['model']} is off by {percent(best['mape'])} on programs left out; what is far from every phase learnt from is marked."]
    if not seen:
        words.append("The phases to start from were learnt from too: their own predictions flatter.")
    return Verdict(answer=answer, trust=" ".join([*_warned(found.notes), *words]), level=_level(float(best["mape"]), found.notes))


def _whose(ready: FittedModels) -> str:
    """ "of queens"; of all where none is held out."""
    held = np.unique(ready.example.group)
    return f"of {ready.example.groups[int(held[0])]}" if len(held) == 1 else f"of {len(held)} programs"


def _warned(notes: tuple[str, ...]) -> list[str]:
    """The note that makes every error meaningless, where there is one."""
    return [note for note in notes if "another name" in note][:1]


def _level(error: float, notes: tuple[str, ...]) -> Trust:
    if _warned(notes):
        return "poor"
    return "good" if error <= _GOOD else "limited" if error <= _POOR else "poor"


def _many(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _best_median(found: Evaluation) -> str:
    own = found.summary[found.summary["model"].isin(found.learnt)]
    return str(own["model"].iloc[int(own["mape_median"].to_numpy().argmin())])


def _instead(found: Evaluation) -> str:
    """What measuring some phases of a program would give; nothing where its rows are not one program's."""
    if found.params.group != "program":
        return ""
    return f"; measuring {MEASURED_PHASES} of its phases instead: {percent(float(np.median(found.by_measuring)))}"


def percent(share: float) -> str:
    """ "18 %", small ones with a digit more: "1.2 %"; for people."""
    return f"{share * 100:.0f} %" if share >= 0.095 else f"{share * 100:.1f} %"


def tenths(share: float) -> str:
    """ "17.9 %"."""
    return f"{share * 100:.1f} %"
