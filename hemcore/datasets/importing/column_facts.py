"""What the cells of one column are: numbers, dates, times of day, durations, names; and what that makes likely."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from hemcore.datasets.importing import date_times
from hemcore.datasets.importing.header_words import Meaning, meaning_of, plain
from hemcore.datasets.importing.parts import Part, filled, time_unit_of_cell
from hemcore.datasets.importing.recipe import TimeUnit

_LOOKED_AT = 2_000
_MOSTLY = 0.9
_YEARS = 1500, 2200
_FEWEST_STEPS, _CLOSE = 5, 1e-6
# Seconds from 1970 to 2010 and 2035; how many times longer ago 1970 is than the file is long.
_INSTANTS, _SPANS = (1_262_304_000, 2_051_222_400), 20


@dataclass(frozen=True, eq=False)
class Facts:
    """What is known of a column. number: share of its filled cells that are numbers. date: the form of most cells. duration: their unit."""

    place: int
    name: str
    meaning: Meaning
    texts: pd.Series
    numbers: pd.Series
    number: float
    date: TimeUnit
    duration: TimeUnit
    distinct: int

    @property
    def is_numeric(self) -> bool:
        """Whether at least half of the filled cells are numbers."""
        return self.number >= 0.5

    @property
    def is_whole(self) -> bool:
        """Whether every cell is a whole number."""
        there = self.numbers.dropna()
        return self.is_numeric and len(there) == len(self.numbers) and bool((there % 1 == 0).all())

    @property
    def ascends(self) -> bool:
        """Whether they are whole numbers, each larger than the one before."""
        return self.is_whole and bool((self.numbers.diff().dropna() > 0).all())


def facts_of(part: Part, place: int) -> Facts:
    """What is known of column `place` of `part`, from its first rows."""
    texts = part.column(place).iloc[:_LOOKED_AT]
    there = filled(texts)
    values = part.numbers(place).iloc[:_LOOKED_AT]
    number = float(values.notna().sum() / max(len(there), 1))
    sample = there.iloc[:200]
    kinds = [date_times.kind_of(cell) for cell in sample] if number < _MOSTLY else []
    date = next((kind for kind in ("date-time", "date", "clock") if kinds and kinds.count(kind) >= _MOSTLY * len(kinds)), "")
    durations = [date_times.duration_of(cell) for cell in sample] if number < _MOSTLY and not date else []
    units = {found[1] for found in durations if found is not None}
    duration = units.pop() if durations and None not in durations and len(units) == 1 else ""
    if duration:
        values = pd.Series([(date_times.duration_of(cell) or (np.nan, ""))[0] for cell in texts], index=texts.index)
    return Facts(place, part.names[place], meaning_of(part.names[place]), texts, values, number, date, duration, there.nunique())  # type: ignore[arg-type]


def is_place(fact: Facts) -> bool:
    """Whether a column names parts of a machine, each with several rows: "0, 1, 2, 3, 0, 1, ..."."""
    known = not fact.is_numeric or bool((fact.numbers.dropna() % 1 == 0).all())  # "all" of sar stands among numbers
    return known and fact.distinct > 1 and 2 * fact.distinct <= len(fact.texts)


def names_events(fact: Facts, free: Sequence[Facts]) -> bool:
    """Whether a column of words names the event of each row: as it is called, or "name" beside "value"; not where all rows are one."""
    if fact.meaning.role != "event name":
        return plain(fact.name) == "name" and any(other.meaning.role == "value" and other.is_numeric for other in free)
    return fact.distinct > 1 or sum(other.is_numeric and not other.meaning.role for other in free) < 2


def numbers_parts(fact: Facts, free: Sequence[Facts]) -> bool:
    """Whether each row is a part of the machine, as the ranks of a run are: all differ, and what is called a time does not grow."""
    times = [other for other in free if other.meaning.role == "time" or other.date]
    each = fact.meaning.role == "place" and fact.is_whole and 1 < fact.distinct == len(fact.texts)
    return each and not any(other.date or grows(other) for other in times)


def counts_up(fact: Facts) -> bool:
    """Whether its numbers are names: whole, without a gap from 0 or 1 on, each as often, as in 0, 1, 2, 0, 1, 2."""
    least, most = fact.numbers.min(), fact.numbers.max()
    return fact.is_whole and least in (0, 1) and most - least == fact.distinct - 1 and fact.texts.value_counts().nunique() == 1


def are_years(fact: Facts, part: Part) -> bool:
    """Whether what is called a time, without a unit, counts years: 1871, 1872, ..."""
    unit = fact.duration or fact.meaning.unit or time_unit_of_cell(part.unit_cell(fact.place))
    steps = fact.numbers.diff().dropna()
    one_by_one = not unit and fact.is_whole and len(steps) > 0 and bool((steps == 1).all())
    return one_by_one and _YEARS[0] <= float(fact.numbers.min()) and float(fact.numbers.max()) <= _YEARS[1]


def epoch_unit(fact: Facts) -> TimeUnit:
    """Which epoch the numbers of a column are, "" where they are none."""
    return date_times.epoch_of(fact.numbers.to_numpy()) if fact.number == 1 and fact.is_numeric and fact.distinct else ""


def is_instants(fact: Facts, free: Sequence[Facts]) -> bool:
    """Whether the first column of numbers, of an unknown name, holds instants since 1970: of 2010 to 2035, rising by steps nearly alike.

    Cumulative counts of that size began lower, or rise less evenly.
    """
    first = next((other for other in free if other.is_numeric), None)
    if fact is not first or fact.meaning.role not in ("", "row") or fact.distinct < _FEWEST_STEPS:
        return False
    low, high = float(fact.numbers.min()), float(fact.numbers.max())
    steps = fact.numbers.diff().dropna()
    even = bool((steps > 0).all()) and bool(((steps - steps.median()).abs() <= steps.median() / 4).mean() >= _MOSTLY)
    in_time = any(_INSTANTS[0] * scale <= low and high <= _INSTANTS[1] * scale for scale in (1, 10**3, 10**6, 10**9))
    return even and in_time and low > _SPANS * (high - low)


def grows(fact: Facts) -> bool:
    """Whether no number is below the one before, and not all are the same."""
    return bool((fact.numbers.diff().dropna() >= 0).all()) and fact.distinct > 1


def step_of(fact: Facts) -> float:
    """The step by which the numbers of a column rise, if it is the same everywhere and the first is 0 or one step; else 0.

    0 for fewer than 5 numbers, which may do so by chance, and where one is missing.
    """
    if not fact.is_numeric or len(fact.numbers) < _FEWEST_STEPS or bool(fact.numbers.isna().any()):
        return 0.0
    first, steps = float(fact.numbers.iloc[0]), fact.numbers.diff().iloc[1:]
    step = float(steps.median())
    close = _CLOSE * abs(step)
    alike = step > 0 and bool(((steps - step).abs() <= close).all()) and min(abs(first), abs(first - step)) <= close
    return step if alike else 0.0


def takes_turns(fact: Facts) -> bool:
    """Whether a column called an index goes round: 0, 1, 0, 1, as nvidia-smi numbers the GPUs of each reading."""
    turn = fact.texts.iloc[: fact.distinct].tolist()
    rounds = -(-len(fact.texts) // max(fact.distinct, 1))
    return (
        plain(fact.name) in ("index", "idx") and fact.is_whole and 1 < fact.distinct <= len(fact.texts) / 2
        and len(set(turn)) == len(turn) and fact.texts.tolist() == (turn * rounds)[: len(fact.texts)]
    )  # fmt: skip
