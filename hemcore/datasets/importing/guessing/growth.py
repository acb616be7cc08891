"""Whether the counters of a series are cumulative, and whether its blanks rotate, from the first rows."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from hemcore.datasets.importing.built_series import events_of, places_of, series_of
from hemcore.datasets.importing.cumulative_counts import rises_and_falls, states_beside
from hemcore.datasets.importing.date_times import PER_SECOND
from hemcore.datasets.importing.header_words import is_called_cumulative
from hemcore.datasets.importing.parts import Part
from hemcore.datasets.importing.recipe import ColumnRole, ImportRecipe
from hemcore.datasets.tables.counter_series import run_of
from hemcore.errors import HemError

_FEWEST_RISES = 8
# Of what is called cumulative, fewer readings are enough.
_FEWEST_OF_CALLED = 2
# In doubt: at most one fall to so many rises; of those that are called cumulative.
_FEW_FALLS, _FEW_OF_CALLED = 8, 3
_MOST_TRIED = 12


def with_counters(parts: Sequence[Part], recipe: ImportRecipe) -> tuple[ImportRecipe, str]:
    """`recipe` with whether values are cumulative and blanks rotate, from the first rows; and what must be asked about it."""
    tables = []
    for part in parts[:_MOST_TRIED]:
        try:
            tables.append(_of_one_run(part, recipe) or _of_any_runs(part, recipe))
        except HemError:  # the reader says what is wrong
            return recipe.but(per_interval=recipe.per_interval or "counts", blanks=recipe.blanks or "missing"), ""
    turns = any(rotates(table.counts, table.runs) for table in tables)
    recipe = recipe.but(blanks=recipe.blanks or ("in turns" if turns else "missing"))
    if recipe.per_interval:
        return recipe, ""
    ordered = any(column.role in ("time", "interval") and column.unit not in ("year", "date") for column in recipe.columns)
    # A rate, a power or a percentage that rises is no counter.
    may_add_up = [
        [name for name in map(str, table.counts) if not part.is_momentary(name)] for part, table in zip(parts, tables, strict=False)
    ]
    if not ordered or turns or not any(may_add_up) or any(table.are_shared for table in tables):
        return recipe.but(per_interval="counts"), ""
    judged = [(part, table.counts[names], table.runs) for part, table, names in zip(parts, tables, may_add_up, strict=False) if names]
    grow = [only_grows(counts, run) for _, counts, run in judged]
    if any(grow) and not all(grow):
        one, other = (judged[grow.index(each)][0].name for each in (True, False))
        return recipe, (
            f"{one} holds cumulative counters, which only grow; {other} holds counts. Import them separately, or choose what both are."
        )
    doubts = (growth_doubt(part.name, counts, run) for part, counts, run in judged)
    return recipe.but(per_interval="cumulative" if any(grow) else "counts"), "" if any(grow) else next(filter(None, doubts), "")


class _Counts(NamedTuple):
    """The counts of a part; the run of each row, as a number; whether some were counted for a share of their interval."""

    counts: pd.DataFrame
    runs: pd.Series
    are_shared: bool


def _of_any_runs(part: Part, recipe: ImportRecipe) -> _Counts:
    """Raises HemError as series_of does."""
    table = series_of([replace(part, repairs=[], notes=[])], recipe.but(per_interval="counts", blanks="missing")).table
    return _Counts(table.counts, run_of(table.intervals), table.share is not None)


def _of_one_run(part: Part, recipe: ImportRecipe) -> _Counts | None:
    """The same of a table of numbers alone, of events and of times that go on; None for any other. Of a thousand files, each is one."""
    roles = {column.role for name in part.names if (column := recipe.role_of(name)) is not None}
    if not part.is_numbers_alone or not roles <= {"time", "event", "ignore"}:
        return None
    events, times = events_of(part, recipe), places_of(part, recipe)
    names = [part.names[place] for place in events]
    unit = (recipe.role_of(part.names[times["time"]]) or ColumnRole()).unit if times else ""
    counts = part.plain_counts(events)
    if unit not in PER_SECOND or counts is None or len(set(names)) < len(names):
        return None
    if times and bool((part.numbers(times["time"]).diff() < 0).any()):
        return None
    return _Counts(pd.DataFrame(counts, columns=names), pd.Series(np.zeros(len(counts), np.int8)), are_shared=False)


def rotates(counts: pd.DataFrame, runs: pd.Series) -> bool:
    """Whether the blanks of `counts` go around among the events from row to row, as when they are counted in turns."""
    counted = counts.notna().to_numpy()
    if counted.shape[1] < 2 or counted.shape[0] < 4 or counted.all():
        return False
    patterns, which, times = np.unique(counted, axis=0, return_inverse=True, return_counts=True)
    if not 2 <= len(patterns) <= max(counted.shape[1], 2) + 1 or not counted.any(axis=0).all():
        return False
    some_blank = ~patterns.all(axis=1)
    if not some_blank.all() and times[some_blank].max() < 2:
        return False  # one reading was lost: nothing came back
    same_run = runs.to_numpy()[1:] == runs.to_numpy()[:-1]
    changes = (which.ravel()[1:] != which.ravel()[:-1])[same_run]
    often = np.sort(times)[-2] * 2 * len(patterns) >= len(counted)
    return bool(often and len(changes) and changes.mean() >= 0.5 and (~counted).mean() >= 0.1)


def only_grows(counts: pd.DataFrame, runs: pd.Series) -> bool:
    """Whether every counter grows from row to row within each run, often enough that it is no chance (one may stay 0). Where some are
    called cumulative, these grow, one at least twice, and each of the others does so as often as ones without such names, or is a state."""
    rises, falls = rises_and_falls(counts, runs)
    called = np.array([is_called_cumulative(str(name)) for name in counts])
    if called.any():
        others = counts.columns[~called].difference(list(states_beside(counts, runs)))
        return bool(not falls[called].any() and rises[called].max() >= _FEWEST_OF_CALLED and (rises[others] >= _FEWEST_RISES).all())
    still = (rises == 0) & (counts.max() > 0)
    return bool(not falls.any() and not still.any() and rises.sum() >= _FEWEST_RISES and rises.max() * 2 >= len(counts))


def growth_doubt(name: str, counts: pd.DataFrame, runs: pd.Series) -> str:
    """Why it must be asked whether columns that mostly grow are cumulative; "" where it is clear. As the CSV reader asks it."""
    rises, falls = (found.to_dict() for found in rises_and_falls(counts, runs))
    rising = [str(event) for event in counts.columns if _FEWEST_RISES <= rises[str(event)] >= falls[str(event)] * _FEW_FALLS]
    called = [
        event for event in falls if is_called_cumulative(str(event)) and _FEWEST_OF_CALLED <= rises[event] >= falls[event] * _FEW_OF_CALLED
    ]
    fallen = [event for event in called or rising if falls[event]]
    if called or (2 * len(rising) >= counts.shape[1] and (fallen or len(rising) < counts.shape[1])):
        event = (fallen or called or rising)[0]
        return (
            f"{name}: column {event!r} rises {rises[event]} times and falls {falls[event]} times in the first {len(counts)} rows."
            " Are these cumulative counters with wrong or reset readings, or counts per interval? Choose one of the two."
        )
    return ""
