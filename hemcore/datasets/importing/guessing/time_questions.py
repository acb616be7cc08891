"""What is not certain of times: numbers that may be some, their unit, and what 12:30 is."""

from collections.abc import Iterator, Sequence

import numpy as np

from hemcore.datasets.importing import date_times
from hemcore.datasets.importing.guessing.column_facts import BELOW, JOBS, Facts, lasts, names_rows, rises_evenly
from hemcore.datasets.importing.guessing.doubt import Doubt, epoch_form, event_columns, has, settled, with_role
from hemcore.datasets.importing.recipe import ColumnRole, ImportRecipe, TimeUnit
from hemcore.events.hardware_tree import is_momentary

# Seconds between readings that are hardly meant.
_LONG_STEP = 10_000
_MILLI = 50  # steps that may be milliseconds


def times(facts: Sequence[Facts], columns: dict[int, ColumnRole], recipe: ImportRecipe) -> Iterator[Doubt]:
    if has(recipe, "time", "interval") or any(column.why == JOBS for column in recipe.columns):
        return
    named = any(map(names_rows, facts))  # rows of functions or kernels are no instants
    below = (fact for fact in facts if fact.place in columns and columns[fact.place].why == BELOW and rises_evenly(fact.numbers))
    for fact in (*event_columns(facts, columns), *below):
        epoch = epoch_form(fact)
        if (epoch or (rises_evenly(fact.numbers) and not named)) and not lasts(fact, facts) and not is_momentary(fact.name):
            key = f"time {fact.name}"
            shown = ", ".join(fact.texts.iloc[:3])
            unit: TimeUnit = epoch or fact.unit or "s"
            units: tuple[TimeUnit, ...] = (
                (unit, "ms") if not epoch and not fact.unit and fact.numbers.diff().median() >= _MILLI else (unit,)
            )
            made = tuple((f"The time ({each})", with_role(recipe, fact.name, "time", each, "intervals")) for each in units)
            yield Doubt(
                key=key,
                question=f"{fact.name!r} rises {'as instants since 1970 do' if epoch else 'evenly'} ({shown}): is it the time?",
                answers=(*made, *_row_number(fact, recipe), ("A count", settled(recipe, key))),
            )
            return


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
