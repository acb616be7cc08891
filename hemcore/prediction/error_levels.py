"""How far the error of a prediction allows to trust it."""

from hemcore.errors import Remedy
from hemcore.headline import FEW_RUNS, LITTLE_EXPLAINED, Doubt, Trust, percent
from hemcore.prediction.derived_features import nearly_the_target, target_as_feature
from hemcore.prediction.params import PredictionParams

# Errors per phase up to which a prediction is accurate, and above which it is of little use.
GOOD, POOR = 0.10, 0.35
# With fewer programs than this neither training nor errors are representative.
FEW_PROGRAMS = 8
# The note about rows whose programs are cores, threads, sockets or nodes under fewer programs.
PARTS = "Each part of the machine stands as a program: they say little of other programs."
# A program this many times as far off as the mean has an error of its own kind, and the mean depends on how many such programs are met.
STANDS_OUT = 5
ADD_PROGRAMS = Remedy(label="Add programs", page="data")
# A few phases of a program say more of its total than any model, where their error is smaller.
MEASURE = Remedy(label="Measure phases", analysis="prediction.explore", choose={"view": "Which phases to measure"})
EXPLORE = Remedy(label="Explore the counters", analysis="prediction.explore", choose={"view": "Correlation"})
PREDICT = Remedy(label="Predict with all counters", analysis="prediction.evaluation")


def level_of_error(error: float, programs: int, notes: tuple[str, ...]) -> Trust:
    """The level that a relative error per phase on so many programs allows; "poor" if the target is among the features."""
    if target_as_feature(notes) or not error <= POOR:
        return "poor"
    return "good" if error <= GOOD and programs >= FEW_PROGRAMS else "limited"


def alike(independent: int) -> list[Doubt]:
    """The doubt about a mean error with fewer than FEW_RUNS independent errors behind it (`independent_errors`); none otherwise."""
    sentence = f"Errors differ by program, and {independent} programs say little of others; {FEW_RUNS} or more are needed."
    return [Doubt(sentence=sentence, remedy=ADD_PROGRAMS)] if independent < FEW_RUNS else []


def as_good_as_none(error: float, control: float) -> list[Doubt]:
    """The doubt about an error that is more than half of what the mean of the other programs has: the target hardly varies, or the counters
    say little of it; none otherwise."""
    sentence = f"Without counters, the mean of the others is {percent(control, 1)} off."
    return [Doubt(sentence=sentence, remedy=EXPLORE)] if error > LITTLE_EXPLAINED * control else []


def stands_out(error: float, worst: float) -> list[Doubt]:
    """The doubt about a mean error where the worst program is inaccurate and has over STANDS_OUT times as much; none otherwise."""
    sentence = f"One program is {percent(worst)} off, over {STANDS_OUT} times the mean: others may be, too."
    return [Doubt(sentence=sentence, remedy=ADD_PROGRAMS)] if worst > max(GOOD, STANDS_OUT * error) else []


def unseen(group: str, notes: tuple[str, ...]) -> str:
    """What was left out in turn, as the answer names it."""
    if group != "program":
        return "unseen groups"
    return "unseen parts of the machine" if PARTS in notes else "unseen programs"


def doubts_of_rows(notes: tuple[str, ...], params: PredictionParams) -> list[Doubt]:
    """The doubts about the rows that the notes name: a feature that is nearly the target; programs that are parts of one."""
    parts = [Doubt(sentence=PARTS, remedy=ADD_PROGRAMS)] if PARTS in notes else []
    return [*nearly_the_target(notes, params), *parts]
