"""The headline figures and the verdict of a comparison."""

import numpy as np
import pandas as pd

from hemcore.compare.order_notes import NOT_COMPARED
from hemcore.compare.results import Comparison
from hemcore.errors import Remedy
from hemcore.events.hardware_tree import MACHINE
from hemcore.headline import ADD_RUNS, Card, Doubt, Verdict, amount, counted_noun, doubted, few_runs, formatted, percent

# A bound above a quarter tells that the runs are too few or too unlike, not that nothing changed.
_TELLING = 0.25
# Of AR(1) runs with a correlation of 0.6, 90% intervals hold the change in 82% of cases with 10 runs, 90% with 30.
_FEWEST_TO_SEE = 30
_MACHINE = Remedy(label="Whole machine", choose={"machine_level": MACHINE})
_IN_ORDER = Remedy(label="Show runs in order", choose={"view": "Runs in order"})
_BEFORE = Remedy(label="Add runs from before", page="data")


def cards(result: Comparison) -> list[Card]:
    """The headline figures of a comparison."""
    table, changed = result.table, result.changed
    relative = changed[changed["measure"] == "relative"]
    most = None if not len(relative) else relative.iloc[int(relative["change"].abs().to_numpy().argmax())]
    needed = table["runs_needed"].dropna()
    return [
        Card(
            label="HEMs changed",
            value=len(changed),
            text=f"{len(changed):,} of {len(table):,}",
            note=f"at most {percent(result.params.rate)} of them by chance",
            help="HEMs whose change chance does not explain, with the false discovery rate controlled over all HEMs (Benjamini-Hochberg).",
        ),
        Card(
            label="Largest change",
            value=None if most is None else float(most["change"]),
            form="+.1%",
            note="no HEM changed" if most is None else f"{named(most, 30)}, {_range(most)}",
            help="The largest relative change among the HEMs that changed, with its interval.",
            of="" if most is None else str(most["hem"]),
        ),
        Card(
            label="Largest undecided change",
            value=None if not np.isfinite(result.bound) else bound_shown(result.bound),
            form=".1%",
            note="of a HEM whose change may be noise",
            help="The intervals of the HEMs that are not known to have changed exclude any change larger than this.",
            better="lower",
        ),
        Card(
            label="Runs to settle the rest",
            value=int(np.ceil(needed.median())) if len(needed) else None,
            note=f"per set, median of {counted_noun(len(needed), 'undecided HEM')}" if len(needed) else "nothing is undecided",
            help="Further runs of each set after which the interval of an undecided HEM would exclude zero, if its change stays the same.",
            better="lower",
        ),
    ]


def verdict(result: Comparison) -> Verdict:
    """What changed most, by how much and how surely; or what these runs would have shown."""
    table, changed = result.table, result.changed
    relative = changed[changed["measure"] == "relative"]
    if len(relative):
        most = relative.iloc[int(relative["change"].abs().to_numpy().argmax())]
        answer = _most(most, f" in the {mean_of(result)}" if result.programs > 1 else _others(len(changed) - 1))
    elif len(changed):
        first = changed.iloc[0]
        answer = f"{named(first)} changed by {amount(float(first['change']))} counts per run."
    elif result.bound <= _TELLING:
        answer = f"Nothing changed by more than {percent(bound_shown(result.bound), 1)}: these runs would have shown it."
    else:
        answer = "No change is larger than chance."
    sure = f"{len(changed):,} of {counted_noun(len(table), 'HEM')} changed" if len(changed) else "No HEM changed"
    trust = f"{sure}; at most {percent(result.params.rate)} of such findings are chance."
    doubts = _doubts(result)
    why = [_sentence(row, result.params.level) for _, row in changed.head(5).iterrows()]
    if result.programs > 1 and len(relative):
        together = formatted(float(most["after"] / most["before"] - 1), "+.1%")
        why.insert(
            0, f"In a geometric mean each counts alike, however much it counts; counted together, {named(most)} changed by {together}."
        )
    if result.over == "programs":
        why.append(f"Intervals are over {result.programs:,} programs: they hold for programs like these.")
    elif _fewest(table) < _FEWEST_TO_SEE:
        why.append(
            f"With fewer than {_FEWEST_TO_SEE} runs, runs that depend on their neighbours are seldom noticed, and intervals are then too"
            " narrow. Alternate the runs of both sets."
        )
    return doubted(Verdict(answer=answer, trust=trust, why=(*why, *result.notes)), doubts)


def _fewest(table: pd.DataFrame) -> int:
    return int(table[["runs_before", "runs_after"]].min().min())


def _doubts(result: Comparison) -> list[Doubt]:
    table = result.table
    fewest = _fewest(table)
    doubts = []
    if not len(result.changed) and np.isfinite(result.bound) and result.bound > _TELLING:
        size = (
            f"of up to {percent(bound_shown(result.bound), 1)}" if result.bound <= 9 else f"by a factor of {np.ceil(1 + result.bound):,.0f}"
        )
        doubts.append(Doubt(sentence=f"A change {size} could hide in these runs.", remedy=ADD_RUNS))
    if result.over == "runs" and fewest < _FEWEST_TO_SEE and (table["autocorrelation"] != 0).any():
        doubts.append(Doubt(sentence="Runs depend on their neighbours and are few, so intervals may be too narrow.", remedy=ADD_RUNS))
    if max(result.sets) > 1:
        which, n, opened = ("After", result.sets[1], "") if result.sets[1] > 1 else ("Before", result.sets[0], result.params.before)
        split = Remedy(label=f"Split into {n:,} sets to compare", page="data", choose={"opened": opened})
        doubts.insert(0, Doubt(sentence=f"{which} holds {n:,} sets of runs of the same HEMs, compared here as one.", remedy=split))
    if result.places > 1:
        sentence = f"Its {result.places:,} parts share each run: intervals are too narrow."
        doubts.append(Doubt(sentence=sentence, remedy=_MACHINE))
    doubts += [] if result.over == "programs" and result.places == 1 else few_runs(fewest // result.places)
    if (table["drift"] != 0).any():
        doubts.append(Doubt(sentence="Counts drift over the runs: time, not the program, may be the cause.", remedy=_IN_ORDER))
    if result.halves:
        doubts.append(Doubt(sentence="Compared: the two halves of these runs.", remedy=_BEFORE))
    if any(note.startswith(NOT_COMPARED) for note in result.notes):
        doubts.append(Doubt(sentence="The sets do not hold the same HEMs: is this the right set before?", remedy=_BEFORE))
    if unknown := int(table["probability"].isna().sum()):
        verb = "has" if unknown == 1 else "have"
        doubts.append(Doubt(sentence=f"{counted_noun(unknown, 'HEM')} {verb} too few runs for an interval.", remedy=ADD_RUNS))
    return doubts


def mean_of(result: Comparison) -> str:
    """The mean that a change of several programs, or parts of the machine, is: "geometric mean of 4 parts"."""
    return f"geometric mean of {result.programs:,} {'parts' if result.places > 1 else 'programs'}"


def _most(row: pd.Series, more: str) -> str:
    return f"{named(row)}: {_range(row)} {'more' if row['change'] > 0 else 'less'}{more}."


def _others(number: int) -> str:
    return f", {counted_noun(number, 'other')} changed too" if number else ""


def _range(row: pd.Series) -> str:
    """ "12% to 15%", without signs."""
    ends = sorted(abs(float(row[name])) for name in ("low", "high")) if row["low"] * row["high"] > 0 else [abs(float(row["change"]))] * 2
    texts = [percent(each, 1) for each in ends]
    return texts[0] if texts[0] == texts[1] else f"{texts[0]} to {texts[1]}"


def _sentence(row: pd.Series, level: float) -> str:
    if row["measure"] != "relative":
        return f"{named(row)}: {amount(float(row['change']))} counts per run more or less than before."
    way = "more" if row["change"] > 0 else "less"
    return f"{named(row)}: {_range(row)} {way} ({percent(level)} interval), unlikely to be noise."


def bound_shown(bound: float) -> float:
    """Rounded up to tenths of a percent (below 1%: to two digits), so that neither sentence nor figure claims too much."""
    step = min(10.0 ** (np.floor(np.log10(bound)) - 1), 1e-3) if bound > 0 else 1.0
    return float(np.ceil(bound / step - 1e-9) * step)


def named(row: pd.Series, most: int = 40) -> str:
    """The HEM of a row, on one line; the middle of a name of more than `most` characters is left out."""
    name, half = " ".join(str(row["hem"]).split()), most // 2
    return name if len(name) <= most else f"{name[: half - 1]}…{name[-half:]}"
