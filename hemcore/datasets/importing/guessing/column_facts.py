"""What the cells of one column are: numbers, dates, times of day, durations, names; and what that makes likely."""

import re
from collections.abc import Sequence
from functools import cached_property

import numpy as np
import pandas as pd

from hemcore.datasets.importing import date_times
from hemcore.datasets.importing.header_words import ROW_NAMES, Meaning, are_programs, are_runs, meaning_of, plain, time_unit_of_cell
from hemcore.datasets.importing.other_forms.listed_events import COUNTED
from hemcore.datasets.importing.parts import Part
from hemcore.datasets.importing.recipe import TimeUnit
from hemcore.datasets.importing.units.cell_kinds import filled
from hemcore.datasets.importing.units.united_columns import ERRORS
from hemcore.errors import HemError
from hemcore.events.usual_names import cycles_of, instructions_of

_LOOKED_AT = 2_000
_MOSTLY, _HALF = 0.9, 0.5
_YEARS = 1500, 2200
_FEWEST_STEPS, _CLOSE = 5, 1e-6
# Seconds from 1970 to 2010 and 2035; how many times longer ago 1970 is than the file is long.
_LIKE, FALLS, _DAYS, _YEAR = 0.01, 0.2, (36_526, 55_153), 366
# Numbers that grow by less may be a slope.
_FEWEST_EVEN, _LEAST_FACTOR, _MOSTLY_FALLS = 6, 1.2, 0.5
INSTANTS, _SPANS = (1_262_304_000, 2_051_222_400), 20


# What tells events apart beside one column of values, as dashboards and loggers call it.
_LABELS = frozenset(
    "name entityid sensor sensorname signal signalname channel tag item parameter quantity label legend measurement series".split()
)
_NUMBERED_LABELS = frozenset("itemid metricid counterid sensorid signalid eventid channelid".split())
_LENGTH = re.compile(
    r"(?:sampl(?:ing|e)[\W_]*)?(?:intervall?[eo]?|period|dt|delta[\W_]*t|abtastintervall|duration|dauer|dur[e\u00e9]e)"
    r"(?:[\W_]*(?:length|l[a\u00e4]e?nge))?(?:[\W_]*[mun\u00b5]?s\W?)?", re.I)  # fmt: skip
JOBS = "each row is a job of its own"
BELOW = "it has values below 0, so it is no count"


class Facts:
    """What is known of column `place` of a part, from its first rows, each found where it is asked for."""

    def __init__(self, part: Part, place: int) -> None:
        self._part = part
        self.place = place
        self.name = part.names[place]
        self.meaning: Meaning = meaning_of(self.name)

    @cached_property
    def texts(self) -> pd.Series:
        """The cells."""
        return self._part.column(self.place).iloc[:_LOOKED_AT]

    @cached_property
    def _filled(self) -> pd.Series:
        return filled(self.texts)

    @cached_property
    def _values(self) -> pd.Series:
        return self._part.numbers(self.place).iloc[:_LOOKED_AT]

    @cached_property
    def numbers(self) -> pd.Series:
        """The cells as numbers, durations too; NaN where one is none."""
        if not self.duration:
            return self._values
        return pd.Series([(date_times.duration_of(cell) or (np.nan, ""))[0] for cell in self.texts], index=self.texts.index)

    @cached_property
    def number(self) -> float:
        """The share of the filled cells that are numbers."""
        return (
            1.0 if self._part.is_numbers_alone else float(np.count_nonzero(~np.isnan(self._values.to_numpy())) / max(len(self._filled), 1))
        )

    @cached_property
    def date(self) -> TimeUnit:
        """The form of most cells: "date-time", "date" or "clock"; "" where they are none."""
        if self.meaning.role == "date" and len(self._filled) and all(map(date_times.is_day_alone, self._filled.iloc[:200])):
            return "date"
        kinds = [date_times.kind_of(cell) for cell in self._filled.iloc[:200]] if self.number < _MOSTLY else []
        forms: tuple[TimeUnit, ...] = ("date-time", "date", "clock")
        if set(kinds) == {"date-time"} and all(map(date_times.is_midnight, self._filled)):
            return "date"  # a workbook's cell of a day
        return next((kind for kind in forms if kinds and kinds.count(kind) >= _MOSTLY * len(kinds)), "")

    @cached_property
    def duration(self) -> TimeUnit:
        """The unit of all cells, where each is a number with one."""
        if self.number >= _MOSTLY or self.date:
            return ""
        found = [date_times.duration_of(cell) for cell in self._filled.iloc[:200]]
        units = {each[1] for each in found if each is not None}
        return units.pop() if found and None not in found and len(units) == 1 else ""

    @property
    def unit(self) -> TimeUnit:
        """Of a time: the unit that its cells say, or its name, or the row of units."""
        return self.duration or self.meaning.unit or time_unit_of_cell(self._part.unit_cell(self.place))

    @cached_property
    def distinct(self) -> int:
        """How many different cells there are."""
        return int(self._filled.nunique())

    @property
    def is_empty(self) -> bool:
        """Whether no cell says anything."""
        return not self._part.is_numbers_alone and self._filled.empty

    @property
    def below_zero(self) -> tuple[int, int]:
        """(how many numbers are below zero, how many there are)."""
        if self._part.is_numbers_alone:
            return 0, len(self._part.rows)
        values = self.numbers.to_numpy()
        return int(np.count_nonzero(values < 0)), int(np.count_nonzero(~np.isnan(values)))

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
    def is_computed(self) -> bool:
        """Whether it is a formula's: cells were errors of a spreadsheet, and half of the others at least are not whole."""
        errors = any(repair.column == self.name and repair.what.startswith(ERRORS) for repair in self._part.repairs)
        return errors and float((self.numbers.dropna() % 1 != 0).mean()) >= 0.5

    @property
    def ascends(self) -> bool:
        """Whether they are whole numbers, each larger than the one before."""
        return self.is_whole and bool((self.numbers.diff().dropna() > 0).all())


def is_place(fact: Facts) -> bool:
    """Whether a column names parts of a machine, each with several rows: "0, 1, 2, 3, 0, 1, ..."."""
    known = not fact.is_numeric or bool((fact.numbers.dropna() % 1 == 0).all())  # "all" of sar stands among numbers
    return known and fact.distinct > 1 and 2 * fact.distinct <= len(fact.texts)


def names_events(fact: Facts, free: Sequence[Facts]) -> bool:
    """Whether a column of words names the event of each row: as it is called, or "name" beside "value"; not where all rows are one."""
    if fact.meaning.role == "event name":
        return fact.distinct > 1 or sum(other.is_numeric and not other.meaning.role for other in free) < 2
    if (word := plain(fact.name)) not in (_NUMBERED_LABELS if fact.is_numeric else _LABELS):
        return False  # before the other columns are looked at: there may be thousands
    values = [other for other in free if other.is_numeric and other is not fact]
    alone = len(values) == 1 and fact.distinct < len(fact.texts) and any(other.date for other in free)
    valued = any(other.meaning.role == "value" for other in values)
    if fact.is_numeric:
        return valued and 1 < fact.distinct < len(fact.texts)
    return (fact.distinct > 1 and (valued or alone)) or (word == "name" and valued)


def lies_across(first: Facts, free: Sequence[Facts]) -> bool:
    """Whether a first column of words names events though it is not called so: runs stand across beside it, or, where it has no name, each
    row has one that is often counted and programs stand across."""
    across = [fact.name for fact in free if fact is not first and fact.meaning.role != "text"]
    if are_runs(across):
        return True
    if first.meaning.role not in ("row", "interval") or first.distinct < len(first.texts) or not are_programs(across):
        return False
    counted, rows = first.texts.map(COUNTED.search).notna(), first.texts.tolist()
    usual = cycles_of(rows) is not None or instructions_of(rows) is not None
    return usual and bool(counted.mean() >= _HALF) and not any(map(COUNTED.search, across))


def names_rows(fact: Facts) -> bool:
    """Whether a column called a name holds several, as of benchmarks or functions."""
    return plain(fact.name) in ROW_NAMES and not fact.is_numeric and fact.distinct > 1


def are_years(fact: Facts) -> bool:
    """Whether what is called a time, without a unit, counts years: 1871, 1872, ..."""
    steps = fact.numbers.diff().dropna()
    one_by_one = not fact.unit and fact.is_whole and len(steps) > 0 and bool((steps == 1).all())
    return one_by_one and _YEARS[0] <= float(fact.numbers.min()) and float(fact.numbers.max()) <= _YEARS[1]


def epoch_unit(fact: Facts) -> TimeUnit:
    """Which epoch the numbers of a column are, "" where they are none."""
    return date_times.epoch_of(fact.numbers.to_numpy()) if fact.number == 1 and fact.is_numeric and fact.distinct else ""


def instants(free: Sequence[Facts]) -> list[Facts]:
    """The first column of numbers, if its name is unknown and it holds instants since 1970: of 2010 to 2035, rising by steps nearly alike.

    Cumulative counts of that size began lower, or rise less evenly.
    """
    clock = [each for each in free if plain(each.name) == "clock" and epoch_unit(each)]  # of Zabbix
    if clock:
        return clock
    fact = next((each for each in free if each.is_numeric), None)
    if fact is None or fact.meaning.role not in ("", "row") or not date_times.epoch_of(fact.numbers.to_numpy(), *INSTANTS):
        return []
    low, high, steps = float(fact.numbers.min()), float(fact.numbers.max()), fact.numbers.diff().dropna()
    even = bool((steps > 0).all()) and bool(((steps - steps.median()).abs() <= steps.median() / 4).mean() >= _MOSTLY)
    return [fact] if even and low > _SPANS * (high - low) and fact.distinct >= _FEWEST_STEPS else []


def are_instants_of(fact: Facts, stamped: Facts) -> bool:
    """Whether numbers are the instants since 1970 that the date-times `stamped` hold, whatever their zone: "key" and "key_as_string"."""
    unit = epoch_unit(fact)
    if not unit or not date_times.epoch_of(fact.numbers.to_numpy(), *INSTANTS) or len(stamped.texts) != len(fact.texts):
        return False
    try:
        both = [
            date_times.stamps_of("", each.texts, form, "", "day first").astype("int64").to_numpy()
            for each, form in ((fact, unit), (stamped, "date-time"))
        ]
    except HemError:
        return False
    return bool((np.abs(np.diff(both[0]) - np.diff(both[1])) < 1_000_000_000).all())


def is_length_of(fact: Facts, time: Facts) -> bool:
    """Whether a column holds how long each interval took: the steps of the time, or one length that all steps have."""
    steps = time.numbers.diff().iloc[1:].to_numpy(dtype=float)
    held = fact.numbers.to_numpy(dtype=float)
    if len(steps) < 2 or len(held) != len(steps) + 1:
        return False
    return bool(np.allclose(held[1:], steps, rtol=_LIKE) or np.allclose(held[:-1], steps, rtol=_LIKE))


def mostly_falls(fact: Facts) -> bool:
    """Whether at least a fifth of the steps go down: no time, not even of several runs."""
    return bool((fact.numbers.diff().iloc[1:] < 0).mean() >= FALLS)


def lasts(fact: Facts, free: Sequence[Facts]) -> bool:
    """Whether numbers called a time say how long each row took: the first column is a size that grows by one factor, as of a sweep, or they
    mostly fall, or fall at all beside a name for each row, by uneven steps, and no other column tells runs or programs apart, which may
    begin anew.
    """
    first = free[0] if free else fact
    if first is not fact and first.is_numeric and grows_evenly(first.numbers) and first.meaning.role not in ("time", "interval"):
        return True
    steps = fact.numbers.diff().iloc[1:]
    named = not first.is_numeric and not first.date and first.meaning.role in ("", "row") and first.distinct == len(first.texts) > 2
    falls = fact.is_numeric and float((steps < 0).mean()) > (0 if named else _MOSTLY_FALLS)
    if not falls or any(each.meaning.role in ("run", "program", "place", "event name", "subexperiment") for each in free):
        return False
    return not fact.date and bool((steps - steps.median()).abs().max() > _CLOSE * fact.numbers.abs().max())


def is_length(fact: Facts) -> bool:
    """Whether a column is how long each row took: "interval_s", "dt", with one number in all rows."""
    return _LENGTH.fullmatch(fact.name) is not None and fact.is_numeric and fact.distinct == 1


def rises_evenly(numbers: pd.Series) -> bool:
    """Whether numbers rise by one step throughout; False for fewer than 6."""
    values = numbers.to_numpy(dtype=float)
    if len(values) < _FEWEST_EVEN or not np.isfinite(values).all():
        return False
    steps = np.diff(values)
    return bool(steps[0] > 0) and bool((np.abs(steps - steps[0]) <= _CLOSE * np.abs(values).max()).all())


def grows_evenly(numbers: pd.Series) -> bool:
    """Whether numbers above 0, after a 0 perhaps, grow by one factor throughout, of at least 1.2: 64, 128, 256; False for fewer than 6."""
    numbers = numbers.iloc[1:] if bool(numbers.iloc[:1].eq(0).any()) else numbers
    return bool((numbers > 0).all()) and rises_evenly(np.log(numbers)) and float(numbers.iloc[1]) >= _LEAST_FACTOR * float(numbers.iloc[0])


def are_serial_days(fact: Facts) -> bool:
    """Whether what is called a date or a time are days since 1899, as spreadsheets keep them: of 2000 to 2051, not whole, within a year."""
    if fact.meaning.role not in ("time", "date") or fact.number < 1 or fact.is_whole or not grows(fact):
        return False
    low, high = float(fact.numbers.min()), float(fact.numbers.max())
    return _DAYS[0] <= low and high <= _DAYS[1] and high - low <= _YEAR


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
