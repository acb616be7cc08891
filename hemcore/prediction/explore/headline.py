"""The headline figures and the verdicts of looking at phases."""

import math

import numpy as np
import pandas as pd

from hemcore.headline import Card, Trust, Verdict
from hemcore.prediction.explore.results import Explored, MeasuredPhases, MeasuredPrograms, PhaseCorrelations

# Correlations that make a counter tell about the target, or two counters the same thing.
_TELLS, _SAME = 0.7, 0.98
_GOOD, _POOR = 0.02, 0.1
_FEW = 30
_METHODS = {"pearson": "Pearson's r", "spearman": "Spearman's rank correlation", "kendall": "Kendall's tau-b"}


def correlation_cards(found: PhaseCorrelations) -> list[Card]:
    """Phases, the closest counter, how many tell about the target, and pairs that say the same."""
    against, pairs = found.against, found.pairs
    known = against[against["r"].notna()]
    telling = int((known["r"].abs() >= _TELLS).sum())
    same = pairs[pairs["r"].abs() >= _SAME]
    constant = [str(name) for name in against.loc[against["r"].isna(), "counter"]]
    of = f"{found.params.method}, {found.target}"
    return [
        Card(
            label="Phases",
            value=found.n_rows,
            note=f"of {_many(found.n_programs, 'program')}; {found.of}",
            help="The rows of the chosen granularity and load.",
        ),
        Card(
            label="Closest counter",
            value=float(known["r"].iloc[0]) if len(known) else None,
            form="+.2f",
            text=f"{_short(str(known['counter'].iloc[0]))} {known['r'].iloc[0]:+.2f}".replace("-", "−") if len(known) else "",
            note=f"{_METHODS[found.params.method]} with {_short(found.target)}",
            help="Of all counters the one whose correlation with the target is the largest, whatever its sign.",
            of=of + (str(known["counter"].iloc[0]) if len(known) else ""),
        ),
        Card(
            label="Counters that tell",
            value=telling,
            text=f"{telling} of {len(against)}",
            note=f"go with {_short(found.target)} at {_TELLS} or more",
            help="Counters that go up and down with the target. A long phase has more of everything, so counts alone flatter this figure.",
            of=of,
        ),
        Card(
            label="Pairs that say the same",
            value=len(same),
            note=_pair(same) or f"none at {_SAME} or more",
            help=f"Two counters with a correlation of {_SAME} or more: a linear model cannot tell their costs apart.",
            of=of,
        ),
        *_without(constant),
    ]


def _without(constant: list[str]) -> list[Card]:
    if not constant:
        return []
    return [Card(label="Without a correlation", value=len(constant), note=_some(constant), help="Constant, or not counted.")]


def correlation_verdict(found: PhaseCorrelations) -> Verdict:
    """Which counter goes with the target most closely, over how many phases."""
    known = found.against.dropna()
    over = f"{_many(found.n_rows, 'phase')} of {_many(found.n_programs, 'program')}, {found.of}"
    if not len(known):
        answer = f"No counter has a correlation with {found.target} ({over})."
        return Verdict(answer=answer, trust="Each is constant, or they were not counted together twice.", level="poor")
    name, r = str(known["counter"].iloc[0]), float(known["r"].iloc[0])
    answer = f"{name} goes with {found.target} most closely ({_signed(r)}; {over})."
    words, level = [], _level_of(found)
    if found.n_rows < _FEW:
        words.append("They are few.")
    same = found.pairs
    same = same[same["r"].abs() >= _SAME]
    if len(same):
        words.append(f"{_pair(same)} say the same, so a linear model cannot tell their costs apart.")
    return Verdict(answer=answer, trust=" ".join(words), level=level)


def measured_cards(found: MeasuredPrograms) -> list[Card]:
    """The error of a program's whole from n of its phases: median, mean, worst, and of as many at random."""
    n = found.params.n_measured
    told = f"{_many(len(found.programs), 'program')}, {found.errors.shape[1]} seeds"
    of = f"{found.target}, {found.of}, {n}"
    worst = found.programs.sort_values("largest", ascending=False, kind="stable").iloc[0]
    return [
        Card(label="Median error", value=found.median, form=".1%", note=told, better="lower", of=of, help=_HELP),
        Card(label="Mean error", value=found.mean, form=".1%", note=told, better="lower", of=of, help=_HELP),
        Card(label="Largest error", value=found.worst, form=".1%", note=str(worst["program"]), better="lower", of=of, help=_HELP),
        Card(
            label="At random",
            value=found.random_median,
            form=".1%",
            note=f"median, {_many(n, 'phase')} drawn at random",
            help="As many phases drawn at random, weighted by executed instructions.",
            of=of,
        ),
    ]


_HELP = (
    "How far the sum that the measured phases stand for is from the program's own. The phases are chosen by their events per instruction, "
    "without a look at the target."
)


def measured_verdict(found: MeasuredPrograms) -> Verdict:
    """What measuring a few phases is worth, and against what."""
    answer = f"{_sentence(found)}."
    level = _by_error(found.median, found.worst)
    words = [f"Drawn at random they are off by {_percent(found.random_median)}."]
    if found.not_counted:
        words.append(f"Not judged, since {found.target} is missing: {_some(list(found.not_counted))}.")
    return Verdict(answer=answer, trust=" ".join(words), level=level)


def phases_cards(found: MeasuredPhases) -> list[Card]:
    """The program's error, how many phases are measured, how much of its work they are, and the number that is enough."""
    n, every = len(found.weights), len(found.rows)
    share = float(found.work[found.weights.index.to_numpy()].sum() / found.work.sum())
    enough = found.curve.curve[found.curve.curve["largest"] <= _GOOD]
    return [
        Card(
            label="Error of the whole",
            value=abs(found.error) if math.isfinite(found.error) else None,
            form=".2%",
            note="too much" if found.error > 0 else "too little" if found.error < 0 else f"{found.target} is not known of all phases",
            help=_HELP,
            better="lower",
            of=f"{found.program}, {found.target}",
        ),
        Card(label="Measured", value=n, text=f"{n:,} of {every:,}", note=f"phases of {found.program}"),
        Card(
            label="Share of the work",
            value=share,
            form=".1%",
            note="that is measured",
            help="Executed instructions of the measured phases.",
        ),
        Card(
            label="Enough",
            value=float(enough["n"].iloc[0]) if len(enough) else None,
            form=".0f",
            note=f"phases: within {_GOOD:.0%} whatever the seed",
            help="The fewest phases with which every seed was within 2 %.",
        ),
    ]


def phases_verdict(found: MeasuredPhases) -> Verdict:
    """How well the program's target is known from the measured phases."""
    n = len(found.weights)
    if not math.isfinite(found.error):
        answer = f"Measure {_many(n, 'phase')} of {found.program}: {_some([str(each) for each in found.measured['phase']])}."
        return Verdict(answer=answer, trust=f"How far that is off is not known: {found.target} was not counted in each.", level="limited")
    off = f"within {_percent(abs(found.error))}"
    answer = f"Measuring {_many(n, 'phase')} of {len(found.rows):,} gives {found.target} of {found.program} to {off}."
    own = found.curve.curve[found.curve.curve["n"] <= n].tail(1)
    words = ""
    if len(own):
        words = f"{int(own['n'].iloc[0])} at random: off by {_percent(float(own['random'].iloc[0]))} in the median."
    return Verdict(answer=answer, trust=words, level=_by_error(abs(found.error), abs(found.error)))


def explored_cards(found: Explored) -> list[Card]:
    """Of the correlations, and what measuring a few phases is worth where that is at hand."""
    shown = correlation_cards(found.phases)
    if found.measured is not None:
        n = found.params.n_measured
        shown.append(
            Card(
                label=f"Measuring {n}" if n != 1 else "Measuring one",
                value=found.measured.median,
                form=".1%",
                note=f"median error of a whole program; at random {_percent(found.measured.random_median)}",
                help=_HELP,
                better="lower",
                of=f"{found.measured.target}, {found.measured.of}, {n}",
            )
        )
    return shown


def explored_verdict(found: Explored) -> Verdict:
    """The closest counter, and what measuring a few phases is worth."""
    first = correlation_verdict(found.phases)
    if found.measured is None:
        return first
    return Verdict(answer=f"{first.answer[:-1]}; {_lower(_sentence(found.measured))}.", trust=first.trust, level=first.level)


def _sentence(found: MeasuredPrograms) -> str:
    n = found.params.n_measured
    within = f"{_percent(found.median)} (worst {_percent(found.worst)})"
    return f"Measuring {_many(n, 'phase')} of a program gives its {found.target} to within {within}"


def _lower(words: str) -> str:
    return words[:1].lower() + words[1:]


def _level_of(found: PhaseCorrelations) -> Trust:
    return "good" if found.n_rows >= _FEW and found.n_programs > 1 else "limited"


def _by_error(usual: float, worst: float) -> Trust:
    return "good" if usual <= _GOOD and worst <= _POOR else "limited" if usual <= _POOR else "poor"


def _pair(same: pd.DataFrame) -> str:
    if not len(same):
        return ""
    names = f"{_short(str(same['first'].iloc[0]))} and {_short(str(same['second'].iloc[0]))}"
    more = len(same) - 1
    return names + (f" (and {_many(more, 'more pair')})" if more else "")


def _signed(r: float) -> str:
    return f"r {r:+.2f}".replace("-", "−")


def _percent(share: float) -> str:
    return f"{share:.1%}".replace("%", " %") if np.isfinite(share) else "an unknown share"


def _short(name: str) -> str:
    return name if len(name) <= 24 else f"{name[:23]}…"


def _some(names: list[str]) -> str:
    shown = ", ".join(_short(name) for name in names[:6])
    return f"{shown} and {len(names) - 6} more" if len(names) > 6 else shown


def _many(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
