"""The headline figures and the verdict of program totals from few phases: how many are enough."""

import math

from hemcore.errors import Remedy
from hemcore.headline import Card, Doubt, Trust, Verdict, counted_noun, doubted, percent, with_step
from hemcore.params import control
from hemcore.prediction.error_levels import ADD_PROGRAMS, FEW_PROGRAMS, PREDICT
from hemcore.prediction.explore.params import ExploreParams
from hemcore.prediction.explore.total_errors import ENOUGH, PROMISED, ProgramTotals
from hemcore.prediction.wording import first_names, rounded

_HELP = (
    "The smallest number of phases from which on the 80% interval of an unseen program's total is at most 2% wide on either side. Phases "
    "are chosen without the target."
)


def totals_cards(found: ProgramTotals) -> list[Card]:
    """How many phases are enough, and interval, error and coverage at that number (or the largest tried)."""
    enough = found.enough()
    n = enough if enough is not None else found.numbers[-1]
    row = found.curve.iloc[found.numbers.index(n)]
    of = f"{found.target}, {found.of}"
    at = f"{counted_noun(n, 'phase')} per program"
    return [
        Card(
            label=f"Enough for {percent(ENOUGH)}",
            value=float(enough) if enough is not None else None,
            form=".0f",
            text=f"{enough}" if enough is not None else f">{found.numbers[-1]}",
            note="phases per program, most of them" if few_saved(n, found.usual_size) else "phases per program",
            help=_HELP,
            better="lower",
            of=of,
        ),
        Card(
            label=f"{percent(PROMISED)} interval",
            value=float(row["half_width"]) if math.isfinite(row["half_width"]) else None,
            form=".1%",
            text=f"±{percent(row['half_width'], 1)}" if math.isfinite(row["half_width"]) else "",
            note=at,
            help="Of the total of an unseen program, from the errors of the other programs' totals.",
            better="lower",
            of=of,
        ),
        Card(
            label="Covered",
            value=float(row["covered"]) if math.isfinite(row["covered"]) else None,
            form=".0%",
            note=f"of {counted_noun(len(found.programs), 'program')}, each left out",
            help=f"Programs (and seeds) whose total lies in the {percent(PROMISED)} interval that the other programs give.",
            of=of,
        ),
        Card(label="Median error", value=float(row["error"]), form=".1%", note=at, better="lower", of=of),
        Card(label="Random phases", value=float(row["random"]), form=".1%", note=f"median error, {at}", of=of),
    ]


def totals_verdict(found: ProgramTotals) -> Verdict:
    """How many phases of an unseen program give its total to within 2%."""
    enough, curve = found.enough(), found.curve
    last, programs = found.numbers[-1], len(found.programs)
    row = curve.iloc[found.numbers.index(enough if enough is not None else last)]
    why = [f"{counted_noun(programs, 'program')} with every phase measured, {found.errors.shape[2]} seeds; the target chose no phase."]
    if found.not_counted:
        why.append(f"Without {first_names(list(found.not_counted))}: {found.target} was not counted in every phase.")
    if not math.isfinite(curve["half_width"].iloc[-1]):
        answer = f"{last} phases: typically {rounded(curve['error'].iloc[-1])} off in {found.target}."
        trust = f"{counted_noun(programs, 'program')} measured in full: too few for an interval of an unseen one."
        return Verdict(answer=answer, trust=trust, why=tuple(why), level="poor", remedies=(ADD_PROGRAMS,))
    covered = percent(float(row["covered"])) if math.isfinite(row["covered"]) else "an unknown share"
    level: Trust
    if enough is None:
        width = rounded(float(curve["half_width"].iloc[-1]))
        answer = f"Even {last} phases per program do not give {found.target} within {percent(ENOUGH)}."
        level, trust = "limited", f"They are within {width} for {percent(PROMISED)} of unseen programs."
    else:
        answer = f"{enough_text(found)}."
        level = "good" if programs >= FEW_PROGRAMS else "limited"
        trust = f"For {percent(PROMISED)} of unseen programs: of {programs}, each left out in turn, {covered} are inside."
    why.append(f"The largest error over all programs and seeds is {rounded(float(row['largest']))}: one program in five is outside.")
    shown = Verdict(answer=answer, trust=trust, why=tuple(why), level=level)
    if enough is None:
        return with_step(shown, PREDICT)
    return with_step(doubted(shown, few_saved(enough, found.usual_size)), ADD_PROGRAMS)


def enough_text(found: ProgramTotals) -> str:
    """How many phases are enough, as a clause: "8 phases per program give its CYCLES within 2%"; "" if 20 are not."""
    n = found.enough()
    if n is None:
        return ""
    within = f"its {found.target} within {percent(ENOUGH)}"
    if found.usual_size == 1 or not few_saved(n, found.usual_size):
        return f"{counted_noun(n, 'phase')} per program {'gives' if n == 1 else 'give'} {within}"
    usual = found.usual_size
    return f"Only all phases of a program give {within}" if n >= usual else f"{n} of a program's at most {usual:g} phases give {within}"


def few_saved(n: int, usual: float, has: str = "Most programs have at most") -> list[Doubt]:
    """The doubt about measuring n phases of programs of usually that many (inf: unknown), if n is more than half; none otherwise."""
    if 2 * n <= usual:
        return []
    if usual == 1:
        return [Doubt(sentence="Most programs have 1 phase, or phases that are all alike: nothing is estimated.", remedy=PREDICT)]
    saves = "all are measured, so nothing is estimated" if n >= usual else "measuring most of them saves little"
    return [Doubt(sentence=f"{has} {counted_noun(math.ceil(usual), 'phase')}: {saves}.", remedy=PREDICT)]


def more_phases(n: int, usual: float) -> Remedy:
    """To measure twice as many phases; if that is more than half of a program's, to predict instead."""
    more = min(2 * n, int(control(ExploreParams, "n_measured").high))
    return Remedy(label=f"Measure {more} phases", choose={"n_measured": more}) if n < more <= usual / 2 else PREDICT
