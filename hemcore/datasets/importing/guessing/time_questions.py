"""What is not certain of times: numbers that may be some, their unit, and what 12:30 is."""

import re
from collections.abc import Iterator, Sequence

import numpy as np

from hemcore.datasets.importing import date_times
from hemcore.datasets.importing.guessing.column_facts import BELOW, JOBS, Facts, grows_evenly, lasts, names_rows, rises_evenly
from hemcore.datasets.importing.guessing.doubt import Doubt, epoch_form, event_columns, has, settled, with_role
from hemcore.datasets.importing.guessing.numbering import are_uneven
from hemcore.datasets.importing.header_words import is_called_cumulative
from hemcore.datasets.importing.recipe import ColumnRole, ImportRecipe, TimeUnit
from hemcore.events.hardware_tree import is_momentary

# Seconds between readings that are hardly meant.
_LONG_STEP = 10_000
_FEWEST_RISES, _FEWEST_OF_CALLED = 8, 2  # that are no chance; of what is called cumulative
# A year among numbers, or hours and minutes.
_LIKE_TIMES = re.compile(r"(?=(?:.*\d+){3})(?:.*(?<!\d)(?:19|20|25)\d\d(?!\d).*|.*(?<!\d)\d{1,2}[:.h]\d{2}[:.m]\d{2}(?!\d).*)")
_MOST_FORMS = 2  # of morning and afternoon
_FEWEST_TIMES, _MILLI = 3, 50  # the last: steps that may be milliseconds


def times(facts: Sequence[Facts], columns: dict[int, ColumnRole], recipe: ImportRecipe) -> Iterator[Doubt]:
    if has(recipe, "time", "interval") or any(column.why == JOBS for column in recipe.columns):
        return
    named = any(map(names_rows, facts))  # rows of functions or kernels are no instants
    below = (fact for fact in facts if fact.place in columns and columns[fact.place].why == BELOW and rises_evenly(fact.numbers))
    rows = [fact for fact in facts if fact.place in columns and columns[fact.place].why == "it numbers the rows" and _is_no_number(fact)]
    for fact in (*rows, *event_columns(facts, columns), *below):
        epoch = epoch_form(fact)
        if (epoch or fact in rows or (rises_evenly(fact.numbers) and not named)) and not lasts(fact, facts) and not is_momentary(fact.name):
            key = f"time {fact.name}"
            shown = ", ".join(fact.texts.iloc[:3])
            unit: TimeUnit = epoch or fact.unit or "s"
            units: tuple[TimeUnit, ...] = (
                (unit, "ms") if not epoch and not fact.unit and fact.numbers.diff().median() >= _MILLI else (unit,)
            )
            made = tuple((f"The time ({each})", with_role(recipe, fact.name, "time", each, "intervals")) for each in units)
            called = repr(fact.name) if fact.name else "The column without a name"
            how = "as instants since 1970 do" if epoch else "evenly" if rises_evenly(fact.numbers) else "in every row"
            yield Doubt(
                key=key,
                question=f"{called} rises {how} ({shown}): is it the time?",
                answers=(*made, *_row_number(fact, recipe), ("A count", settled(recipe, key))),
            )
            return


def _is_no_number(fact: Facts) -> bool:
    """Whether what may number the rows rises in every row, and not by whole steps of any size: 0.5, 1.0, 1.5, or 100, 200, 300."""
    steps = fact.numbers.diff().iloc[1:]
    rises = fact.is_numeric and len(steps) > 1 and bool((steps > 0).all())
    return rises and (not fact.is_whole or (rises_evenly(fact.numbers) and float(steps.iloc[0]) != 1))


def cumulative(facts: Sequence[Facts], columns: dict[int, ColumnRole], recipe: ImportRecipe) -> Iterator[Doubt]:
    """Rows without a time or a number of a run, in which every count grows from row to row: counters that were read in turn."""
    if recipe.layout != "runs" or has(recipe, "time", "interval", "run", "program", "subexperiment", "event name"):
        return
    events = list(event_columns(facts, columns))
    steps = [fact.numbers.diff().iloc[1:] for fact in events]
    grow = all(bool((each > 0).all()) for each in steps)
    called = all(is_called_cumulative(fact.name) for fact in events)
    sized = any(rises_evenly(fact.numbers) or grows_evenly(fact.numbers) or is_momentary(fact.name) for fact in events)
    if grow and not sized and sum(map(len, steps)) >= (_FEWEST_OF_CALLED if called else _FEWEST_RISES):
        made = recipe.but(layout="intervals", kind="", per_interval="cumulative", blanks="", settled=(*recipe.settled, "cumulative"))
        yield Doubt(
            key="cumulative",
            question="Every count grows from row to row: are these cumulative counters, read one after the other?",
            answers=(("Cumulative: take their differences", made), ("Counts of one run each", settled(recipe, "cumulative"))),
        )


def durations(facts: Sequence[Facts], columns: dict[int, ColumnRole], recipe: ImportRecipe) -> Iterator[Doubt]:
    """A time that grows by uneven steps may be how long each row took, sorted: next to a name or a size for each row, or where its own name
    may mean both."""
    time = next((fact for fact in facts if fact.place in columns and columns[fact.place].role == "time" and fact.is_numeric), None)
    first = columns.get(0)
    if time is None or recipe.layout != "intervals" or len(time.texts) < _FEWEST_TIMES:
        return
    steps = time.numbers.diff().iloc[1:]
    is_named = first is not None and first.why == "it holds text" and facts[0].distinct == len(facts[0].texts)
    if is_named and facts[0].meaning.role in ("", "row") and steps.round(9).nunique() == len(steps):
        shown = ", ".join(text[:30] for text in facts[0].texts.iloc[:3])
        made = with_role(with_role(recipe, facts[0].name, "program"), time.name, "event", layout="phases")
        said = f"Each row has a name ({shown}): is {time.name!r}"
    elif (
        (not time.meaning.sure or _are_sizes(facts[0], columns))
        and not has(recipe, "interval", "run", "program", "date", "stage")
        and are_uneven(steps)
    ):
        made, said = with_role(recipe, time.name, "event", layout="runs"), f"{time.name!r} grows by uneven steps: is it"
    else:
        return
    yield Doubt(
        key="durations",
        question=f"{said} how long each took, or the time at which it was read?",
        answers=(("How long each took", made), ("The time", settled(recipe, "durations"))),
    )


def _are_sizes(first: Facts, columns: dict[int, ColumnRole]) -> bool:
    """Whether the first column, an event or a number of rows as it seems, holds whole numbers that rise in every row, as sizes and numbers
    of threads do."""
    column = columns.get(first.place)
    numbers = column is not None and column.why == "it numbers the rows" and _is_no_number(first)
    return first.ascends and column is not None and (column.role == "event" or numbers)


def _row_number(fact: Facts, recipe: ImportRecipe) -> list[tuple[str, ImportRecipe]]:
    """The answer that numbers which begin with 0 or 1 and rise by 1 number the rows."""
    counts = fact.numbers.iloc[0] in (0, 1) and fact.numbers.iloc[1] == fact.numbers.iloc[0] + 1
    return [("It numbers the rows: leave it out", with_role(recipe, fact.name, "ignore"))] if counts else []


def clocks(facts: Sequence[Facts], columns: dict[int, ColumnRole], recipe: ImportRecipe) -> Iterator[Doubt]:
    for fact in facts:
        column = columns.get(fact.place)
        alone = column is not None and column.role == "time" and column.unit == "clock" and not has(recipe, "date")
        if alone and date_times.may_be_minutes(fact.texts):
            shown = ", ".join(fact.texts.iloc[:3])
            yield Doubt(
                key="clock",
                question=f"{fact.name!r} ({shown}): are these minutes and seconds, or hours and minutes?",
                answers=(
                    ("Minutes and seconds", with_role(recipe, fact.name, "time", "mm:ss")),
                    ("Hours and minutes", settled(recipe, "clock")),
                ),
            )


def forms(facts: Sequence[Facts], columns: dict[int, ColumnRole], recipe: ImportRecipe) -> Iterator[Doubt]:
    """What texts that are dates or times, or look like some, are."""
    yield from clocks(facts, columns, recipe)
    yield from date_orders(facts, columns, recipe)
    yield from unknown_times(facts, columns, recipe)


def date_orders(facts: Sequence[Facts], columns: dict[int, ColumnRole], recipe: ImportRecipe) -> Iterator[Doubt]:
    """Which number of dates such as 05/06/2026 is the day, where all are of one day, so that it decides on nothing but the date."""
    dates = (fact for fact in facts if fact.place in columns and columns[fact.place].role in ("time", "date") and fact.date)
    fact = next((fact for fact in dates if not recipe.dates and date_times.is_one_unclear_day(fact.texts)), None)
    if fact is not None:
        question = f"What comes first in these dates ({fact.texts.iloc[0]})?"
        answers = (("The day", recipe.but(dates="day first")), ("The month", recipe.but(dates="month first")))
        yield Doubt(key="dates", question=question, answers=answers)


def unknown_times(facts: Sequence[Facts], columns: dict[int, ColumnRole], recipe: ImportRecipe) -> Iterator[Doubt]:
    """Whether texts that look like dates or times in an unknown form, which are read as names of the rows, are times."""
    if has(recipe, "time", "interval", "event name"):
        return
    named = (fact for fact in facts if fact.place in columns and columns[fact.place].role in ("program", "run", "ignore"))
    fact = next((fact for fact in named if look_like_times(fact)), None)
    if fact is not None:
        made = with_role(recipe, fact.name, "text", layout="intervals")
        yield Doubt(
            key="unknown times",
            question=f"{fact.name!r} looks like times in an unknown form ({fact.texts.iloc[0][:40]}): are rows intervals in this order?",
            answers=(("Intervals, one after the other", made), ("No, these are names", settled(recipe, "unknown times"))),
        )


def look_like_times(fact: Facts) -> bool:
    """Whether texts, all different, hold a year or hours, minutes and seconds, and are alike but for their numbers."""
    if fact.is_numeric or fact.date or not fact.distinct == len(fact.texts) >= _FEWEST_TIMES:
        return False
    first = fact.texts.iloc[:200]
    return len({re.sub(r"\d+", "0", text) for text in first}) <= _MOST_FORMS and all(map(_LIKE_TIMES.search, first))


def unit_doubts(facts: Sequence[Facts], columns: dict[int, ColumnRole], recipe: ImportRecipe) -> Iterator[Doubt]:
    for fact in facts:
        column = columns.get(fact.place)
        if column is None or column.role != "time" or column.unit or not fact.is_numeric:
            continue
        step = float(fact.numbers.diff().abs().replace(0, np.nan).median())
        if step >= _LONG_STEP:
            sizes: tuple[TimeUnit, ...] = ("ns", "us", "ms")
            made = tuple((unit, with_role(recipe, fact.name, "time", unit)) for unit in sizes)
            yield Doubt(
                key="unit",
                question=f"{fact.name!r} has no unit and its steps are {step:,.0f}: which unit is it?",
                answers=(*made, ("s", settled(recipe, "unit"))),
            )
