"""The headline figures and the verdicts of exploring phases."""

import math
from dataclasses import replace

import pandas as pd

from hemcore.headline import Card, Doubt, Trust, Verdict, amount, counted_noun, doubted, percent, with_step
from hemcore.prediction.derived_features import is_the_target
from hemcore.prediction.error_levels import ADD_PROGRAMS, FEW_PROGRAMS, PREDICT
from hemcore.prediction.explore.headline_totals import enough_text, few_saved, more_phases
from hemcore.prediction.explore.results import Explored, MeasuredPhases, MeasuredPrograms, PhaseCorrelations
from hemcore.prediction.explore.total_errors import PROMISED
from hemcore.prediction.wording import first_names, rounded, shortened

# |r| from which a counter is strongly correlated with the target, and from which two counters carry the same information.
_STRONG, _REDUNDANT = 0.7, 0.98
# Errors of a program's total up to which measuring a few phases is accurate, and above which it is of little use.
_GOOD, _POOR = 0.02, 0.1
_FEW_PHASES = 30
_METHODS = {"pearson": "Pearson's r", "spearman": "Spearman's rank correlation", "kendall": "Kendall's tau-b"}
_SYMBOLS = {"pearson": "r", "spearman": "rho", "kendall": "tau-b"}
_ERROR_HELP = (
    "The difference between the program's total and its estimate from the measured phases. Phases are chosen only by their counts per "
    "instruction; the target is not used."
)


def correlation_cards(found: PhaseCorrelations) -> list[Card]:
    """Phases, the counter most correlated with the target, how many are strongly correlated with it, and redundant pairs."""
    against, pairs = found.against, found.pairs
    known = against[against["r"].notna()]
    strong = int((known["r"].abs() >= _STRONG).sum())
    redundant = pairs[pairs["r"].abs() >= _REDUNDANT]
    constant = [str(name) for name in against.loc[against["r"].isna(), "counter"]]
    of = f"{found.params.method}, {found.target}"
    return [
        Card(
            label="Phases",
            value=found.n_rows,
            note=f"of {counted_noun(found.n_programs, 'program')}; {found.of}",
            help="The rows with the chosen granularity and load.",
        ),
        Card(
            label="Most correlated",
            value=float(known["r"].iloc[0]) if len(known) else None,
            form="+.2f",
            text=f"{shortened(str(known['counter'].iloc[0]))} {_signed(known['r'].iloc[0])}" if len(known) else "",
            note=f"{_METHODS[found.params.method]} with {shortened(found.target)}",
            help="The counter whose correlation with the target is largest in absolute value.",
            of=of + (str(known["counter"].iloc[0]) if len(known) else ""),
        ),
        Card(
            label=f"Counters with |{_SYMBOLS[found.params.method]}| ≥ {_STRONG}",
            value=strong,
            text=f"{strong} of {len(against)}",
            note=f"correlated with {shortened(found.target)}",
            help="Counters that rise or fall with the target. Longer phases have more of every event, which raises correlations of counts.",
            of=of,
        ),
        Card(
            label=f"Pairs with |{_SYMBOLS[found.params.method]}| ≥ {_REDUNDANT}",
            value=len(redundant),
            note=_pair(redundant) or "no counter says the same as another",
            help=f"Pairs of counters with a correlation of {_REDUNDANT} or more. A linear model cannot separate their costs.",
            of=of,
        ),
        *_without(constant),
    ]


def _without(constant: list[str]) -> list[Card]:
    if not constant:
        return []
    return [
        Card(label="No correlation", value=len(constant), note=first_names(constant), help="Counters that are constant or not counted.")
    ]


def correlation_verdict(found: PhaseCorrelations) -> Verdict:
    """Which counter is most correlated with the target, over how many phases."""
    known = found.against.dropna()
    phases = counted_noun(found.n_rows, "phase")
    rows = f"{phases} of {counted_noun(found.n_programs, 'program')}, {found.of}."
    if not len(known):
        trust = "Every counter is constant, or fewer than two rows have it and the target."
        answer = f"No counter has a correlation with {found.target}."
        return Verdict(answer=answer, trust=trust, why=(rows,), level="poor", remedies=(ADD_PROGRAMS,))
    name, r = str(known["counter"].iloc[0]), float(known["r"].iloc[0])
    answer = (
        f"{shortened(name)} correlates most with {shortened(found.target)}: {_SYMBOLS[found.params.method]} {_signed(r)} over {phases}."
    )
    few = found.n_rows < _FEW_PHASES
    trust = "One program only: others may differ." if found.n_programs < 2 else ""
    if few:
        trust = f"Only {phases}: the order of counters is uncertain."
    why = [rows]
    redundant = found.pairs[found.pairs["r"].abs() >= _REDUNDANT]
    if len(redundant):
        why.append(f"{_pair(redundant)}: correlated at {_REDUNDANT} or more, so a linear model cannot separate their costs.")
    why.append("Longer phases have more of every event, which raises all correlations of counts.")
    shown = Verdict(answer=answer, trust=trust, why=tuple(why), level="limited" if few or found.n_programs < 2 else "good")
    weak = f"{_signed(r)} is not a strong correlation ({_STRONG} or more)."
    weak = f"Alone it explains {percent(r * r)} of the variance of {found.target}." if found.params.method == "pearson" else weak
    doubts = [Doubt(sentence=weak, remedy=PREDICT)] if abs(r) < _STRONG else is_the_target(name, found.target, r, PREDICT)
    if alike := found.not_told_apart:
        sentence = f"{first_names(alike, 2)} cannot be told from it: the difference is within the noise of {phases}."
        doubts.append(Doubt(sentence=sentence, remedy=ADD_PROGRAMS))
    if 1 < found.n_programs < FEW_PROGRAMS:
        doubts.append(Doubt(sentence=f"Only {found.n_programs} programs: others may differ.", remedy=ADD_PROGRAMS))
    return with_step(doubted(shown, doubts), ADD_PROGRAMS)


def measured_cards(found: MeasuredPrograms) -> list[Card]:
    """The error of a program's total from n of its phases: median, mean, largest, and that of as many random phases."""
    n = found.params.n_measured
    runs = f"{counted_noun(len(found.programs), 'program')}, {found.errors.shape[1]} seeds"
    of = f"{found.target}, {found.of}, {n}"
    worst = found.programs.sort_values("largest", ascending=False, kind="stable").iloc[0]
    return [
        Card(label="Median error", value=found.median, form=".1%", note=runs, better="lower", of=of, help=_ERROR_HELP),
        Card(label="Mean error", value=found.mean, form=".1%", note=runs, better="lower", of=of, help=_ERROR_HELP),
        Card(label="Largest error", value=found.worst, form=".1%", note=str(worst["program"]), better="lower", of=of, help=_ERROR_HELP),
        Card(
            label="Random phases",
            value=found.random_median,
            form=".1%",
            note=f"median error of {counted_noun(n, 'random phase')}",
            help="The same number of phases chosen at random, weighted by executed instructions.",
            of=of,
        ),
    ]


def measured_verdict(found: MeasuredPrograms) -> Verdict:
    """How accurate a program's total is from a few measured phases."""
    n = counted_noun(found.params.n_measured, "phase")
    off = f"typically {rounded(found.median)} off, at worst {rounded(found.worst)}"
    answer = f"{n} per program {_give(found.params.n_measured)} its {found.target}: {off}."
    trust = f"Random phases are typically {rounded(found.random_median)} off."
    why = [f"{counted_noun(len(found.programs), 'program')} and {found.errors.shape[1]} seeds; the target was not used to choose phases."]
    if found.not_counted:
        why.append(f"Without {first_names(list(found.not_counted))}: {found.target} was not counted in every phase.")
    shown = Verdict(answer=answer, trust=trust, why=tuple(why), level=_by_error(found.median, found.worst))
    return with_step(doubted(shown, _saved(found)), more_phases(found.params.n_measured, float(found.programs["phases"].median())))


def _saved(found: MeasuredPrograms) -> list[Doubt]:
    return few_saved(found.params.n_measured, float(found.programs["phases"].median()))


def phases_cards(found: MeasuredPhases) -> list[Card]:
    """The program's error, how many phases are measured, their share of its work, and the number that is sufficient."""
    n, every = len(found.weights), len(found.rows)
    share = float(found.work[found.weights.index.to_numpy()].sum() / found.work.sum())
    enough = found.curve.curve[found.curve.curve["largest"] <= _GOOD]
    return [
        Card(
            label="Error of the total",
            value=abs(found.error) if math.isfinite(found.error) else None,
            form=".2%",
            note="too high" if found.error > 0 else "too low" if found.error < 0 else f"{found.target} is not known in all phases",
            help=_ERROR_HELP,
            better="lower",
            of=f"{found.program}, {found.target}",
        ),
        *_interval_card(found),
        Card(label="Measured", value=n, text=f"{n:,} of {every:,}", note=f"phases of {found.program}"),
        Card(
            label="Share of the work",
            value=share,
            form=".1%",
            note="in the measured phases",
            help="The measured phases' share of the program's executed instructions.",
        ),
        Card(
            label="Sufficient",
            value=float(enough["n"].iloc[0]) if len(enough) else None,
            form=".0f",
            note=f"phases: within {percent(_GOOD)} for every seed",
            help=f"The smallest number of phases whose largest error over all seeds is {percent(_GOOD)} or less.",
        ),
    ]


def phases_verdict(found: MeasuredPhases) -> Verdict:
    """How accurate the program's target is from the measured phases."""
    n = len(found.weights)
    listed = first_names([str(each) for each in found.measured["phase"]], 3)
    unseen = _interval_text(found)
    if not math.isfinite(found.error):
        return Verdict(
            answer=f"Measure {counted_noun(n, 'phase')} of {found.program}: {listed}.",
            trust=f"{unseen}." if unseen else f"The error is not known: {found.target} was not counted in every phase.",
            level="limited",
            remedies=(ADD_PROGRAMS,),
        )
    phases, error = f"{n:,} of {counted_noun(len(found.rows), 'phase')}", rounded(abs(found.error))
    answer = f"{phases} {_give(n)} {found.target} of {found.program} within {error.removeprefix('<')}."
    own = found.curve.curve[found.curve.curve["n"] <= n].tail(1)
    trust, why = "", [f"Phases to measure: {listed}."]
    if len(own):
        drawn, seeds, random = counted_noun(int(own["n"].iloc[0]), "phase"), float(own["largest"].iloc[0]), float(own["random"].iloc[0])
        trust = f"{drawn}: up to {rounded(seeds).removeprefix('<')} over seeds; {rounded(random)} if chosen at random."
        why.append("The error at random is the median over random choices.")
    if unseen:
        trust, why = f"{unseen}.", [*([trust] if trust else []), *why]
    # One seed can be lucky; a good one is not.
    worst = max(abs(found.error), float(own["largest"].iloc[0])) if len(own) else abs(found.error)
    # Nor is the error of this program that of others with as many phases measured.
    usual = max(abs(found.error), found.half_width if unseen else 0.0)
    shown = Verdict(answer=answer, trust=trust, why=tuple(why), level=_by_error(usual, worst))
    return with_step(doubted(shown, few_saved(n, len(found.rows), f"{shortened(found.program)} has")), more_phases(n, len(found.rows)))


def explored_cards(found: Explored) -> list[Card]:
    """The correlations, and the error from measuring a few phases if it was computed."""
    shown = correlation_cards(found.phases)
    if found.measured is not None:
        n = found.params.n_measured
        shown.append(
            Card(
                label=f"Error with {counted_noun(n, 'phase')} measured",
                value=found.measured.median,
                form=".1%",
                note=f"median over programs; random phases: {rounded(found.measured.random_median)}",
                help=_ERROR_HELP,
                better="lower",
                of=f"{found.measured.target}, {found.measured.of}, {n}",
            )
        )
    return shown


def explored_verdict(found: Explored) -> Verdict:
    """The counter most correlated with the target, and how accurate measuring a few phases is."""
    first = correlation_verdict(found.phases)
    if found.measured is None:
        return first
    measuring, saved = measured_verdict(found.measured), _saved(found.measured)
    if found.totals is not None and (enough := enough_text(found.totals)):
        whole = f"{enough} for {percent(PROMISED)} of unseen programs."
        measuring = replace(measuring, answer=whole, why=(measuring.answer, *measuring.why))
        saved = few_saved(found.totals.enough() or 0, found.totals.usual_size)
    if first.trust:
        return replace(first, why=(*first.why, measuring.text, *measuring.why))
    return doubted(replace(first, trust=measuring.answer, why=(*first.why, measuring.trust, *measuring.why)), saved)


def _interval_text(found: MeasuredPhases) -> str:
    """The interval of an unseen program's total, and how many phases are enough for 2%; "" if that is not known."""
    if found.totals is None or not math.isfinite(found.half_width):
        return ""
    others = len(found.totals.programs) - (found.program in found.totals.programs)
    enough = found.totals.enough()
    more = (
        f"; {'all' if few_saved(enough, found.totals.usual_size) else enough} phases are enough for {percent(_GOOD)}"
        if enough is not None
        else f"; no number tried is enough for {percent(_GOOD)}"
    )
    return f"{percent(PROMISED)} interval ±{rounded(found.half_width)}, from {counted_noun(others, 'other program')}{more}"


def _interval_card(found: MeasuredPhases) -> list[Card]:
    if not math.isfinite(found.half_width):
        return []
    low, high = found.interval
    known = math.isfinite(found.estimate)
    return [
        Card(
            label=f"{percent(PROMISED)} interval",
            value=found.half_width,
            form=".1%",
            text=f"±{percent(found.half_width, 1)}",
            note=f"{amount(low)} to {amount(high)} {found.target}" if known else f"of {found.target} of the whole program",
            help="Of the program's total, from the errors of the other programs' totals, which were measured in full.",
            better="lower",
            of=f"{found.program}, {found.target}",
        )
    ]


def _give(number: int) -> str:
    return "gives" if number == 1 else "give"


def _by_error(usual: float, worst: float) -> Trust:
    return "good" if usual <= _GOOD and worst <= _POOR else "limited" if usual <= _POOR else "poor"


def _pair(redundant: pd.DataFrame) -> str:
    if not len(redundant):
        return ""
    names = f"{shortened(str(redundant['first'].iloc[0]))} and {shortened(str(redundant['second'].iloc[0]))}"
    more = len(redundant) - 1
    return names + (f" (and {counted_noun(more, 'more pair')})" if more else "")


def _signed(r: float) -> str:
    return f"{r:+.2f}".replace("-", "−")
