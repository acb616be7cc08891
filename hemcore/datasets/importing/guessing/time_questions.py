"""What is not certain of times: numbers that may be some, their unit, and what 12:30 is."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from hemcore.datasets.importing import date_times
from hemcore.datasets.importing.guessing.column_facts import Facts
from hemcore.datasets.importing.guessing.doubt import Doubt, epoch_form, event_columns, has, settled, with_role
from hemcore.datasets.importing.recipe import ColumnRole, ImportRecipe, TimeUnit

_FEWEST, _EVEN = 6, 1e-6
# Seconds between readings that are hardly meant.
_LONG_STEP = 10_000


def rises_evenly(numbers: pd.Series) -> bool:
    """Whether numbers rise by one step throughout; False for fewer than 6."""
    values = numbers.to_numpy(dtype=float)
    if len(values) < _FEWEST or not np.isfinite(values).all():
        return False
    steps = np.diff(values)
    return bool(steps[0] > 0) and bool((np.abs(steps - steps[0]) <= _EVEN * np.abs(values).max()).all())


def times(facts: Sequence[Facts], columns: dict[int, ColumnRole], recipe: ImportRecipe) -> Iterator[Doubt]:
    if has(recipe, "time", "interval"):
        return
    for fact in event_columns(facts, columns):
        epoch = epoch_form(fact)
        if epoch or rises_evenly(fact.numbers):
            key = f"time {fact.name}"
            shown = ", ".join(fact.texts.iloc[:3])
            unit: TimeUnit = epoch or fact.unit or "s"
            made = with_role(recipe, fact.name, "time", unit, "intervals")
            yield Doubt(
                key=key,
                question=f"{fact.name!r} rises {'as instants since 1970 do' if epoch else 'evenly'} ({shown}): is it the time?",
                answers=((f"The time ({unit})", made), *_row_number(fact, recipe), ("A count", settled(recipe, key))),
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


def units(facts: Sequence[Facts], columns: dict[int, ColumnRole], recipe: ImportRecipe) -> Iterator[Doubt]:
    for fact in facts:
        column = columns.get(fact.place)
        if column is None or column.role != "time" or column.unit or not fact.is_numeric:
            continue
        step = float(fact.numbers.diff().abs().replace(0, np.nan).median())
        if step >= _LONG_STEP:
            units: tuple[TimeUnit, ...] = ("ns", "us", "ms")
            made = tuple((unit, with_role(recipe, fact.name, "time", unit)) for unit in units)
            yield Doubt(
                key="unit",
                question=f"{fact.name!r} has no unit and its steps are {step:,.0f}: which unit is it?",
                answers=(*made, ("s", settled(recipe, "unit"))),
            )
