"""Parts whose rows are intervals, or readings of one event each, into a CounterSeries."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.datasets.importing.cell_values import counts_of, fraction, names_of, readings_of, run_numbers, texts_of, times_of, whole_of
from hemcore.datasets.importing.cumulative_counts import per_interval
from hemcore.datasets.importing.date_times import PER_SECOND
from hemcore.datasets.importing.header_words import plain
from hemcore.datasets.importing.parts import Part
from hemcore.datasets.importing.recipe import CHOSEN, ColumnRole, ImportRecipe
from hemcore.datasets.importing.stretches import split_at_gaps, split_where_time_begins_again
from hemcore.datasets.importing.two_tables import check_told_apart
from hemcore.datasets.importing.units.named_units import names_with_units, renamed
from hemcore.datasets.readers.format import ReadResult, read_result
from hemcore.datasets.readers.reading_limits import check_runs, check_values
from hemcore.datasets.readers.repairs import Repair
from hemcore.datasets.readers.series.aligned_places import with_program
from hemcore.datasets.readers.series.readings import check_ascending, from_rows, interval_ends, runs_of_files, unit_of
from hemcore.datasets.reading_progress import step
from hemcore.datasets.tables.counter_series import CounterSeries, beyond_gaps, run_of, steps
from hemcore.datasets.tables.hardware_levels import PROGRAM
from hemcore.errors import ReadError
from hemcore.events.hardware_tree import level_of_column

_KEYS = ["application", "run"]
_FEWEST_TO_TURN = 3


def series_of(parts: Sequence[Part], recipe: ImportRecipe) -> ReadResult[CounterSeries]:
    """One series of all parts, each a run (see runs_of_files) unless its columns tell program and run.

    Raises ReadError for a cell that is not what its column is, a column of events that no part has, times that go back, and one run in
    two parts; TableError as CounterSeries does.
    """
    step("putting the series together")
    repairs: list[Repair] = []
    notes: list[str] = []
    intervals, counts, shares, united = [], [], [], []
    labels = runs_of_files([part.name for part in parts])
    momentary = {name for part in parts for name in part.names if recipe.per_interval == "cumulative" and part.is_momentary(name)}
    taken: dict[tuple[str, int], str] = {}
    for part, label in zip(parts, labels, strict=True):
        roles = places_of(part, recipe)
        part = _oldest_first(part, roles, recipe)
        of_rows = _identity(part, roles, label, taken, recipe)
        if "event name" in roles:
            of_rows, of_counts, of_shares = _from_long(part, roles, of_rows, recipe)
        else:
            of_rows = _described(part, roles, of_rows, recipe, alone=len(parts) == 1)
            of_counts, of_shares = _wide(part, recipe)
        intervals.append(of_rows)
        counts.append(of_counts)
        shares.append(of_shares)
        united.append(names_with_units(part, events_of(part, recipe, "value" if "event name" in roles else "event"), roles))
        check_runs(part.name, len({name for name, _ in taken}), len(taken))
        part.forget_cells()
    rows, values = _one_after_the_other(intervals), _one_after_the_other(counts)
    check_values("the files" if len(parts) > 1 else parts[0].name, len(rows), values.shape[1])
    share = pd.concat(shares, ignore_index=True) if any(each.shape[1] for each in shares) else None
    if share is not None:
        share = share.reindex(columns=values.columns).mask(values.isna())
    if "time" in rows and bool(rows["time"].isna().any()):
        rows = rows.drop(columns="time")
        notes.append("Times are left out, because some of the files have none.")
    rows_of = parts[0].rows if len(parts) == 1 else ()
    check_ascending(rows, lambda row: f"{parts[0].name}, row {rows_of[row]}" if row < len(rows_of) else "the files")
    if recipe.per_interval == "cumulative":
        rows, values, share = per_interval(rows, values, momentary, repairs)
    if "time" in rows:
        rows = rows.assign(time=interval_ends(rows, notes))
    programs = {name for name, _ in labels}
    numbered = any(column.role == "interval" for column in recipe.columns)
    name = parts[0].name if len(parts) == 1 else "all files"
    rows = with_program(rows, programs.pop() if len(programs) == 1 else "machine", name, repairs, numbered=numbered)
    year = any(column.role == "interval" and column.unit == "year" for column in recipe.columns)
    sliced = recipe.blanks == "in turns" or (share is not None and bool((share < 1).any(axis=None)))
    if recipe.blanks == "in turns":
        notes.append("Blank cells rotate among the events, so they were counted in turns (MPX), not lost.")
    table = CounterSeries(
        intervals=rows, counts=renamed(values, united), share=renamed(share, united) if share is not None and sliced else None,
        mode="MPX" if sliced else "OCOE", interval_unit="year" if year else unit_of(rows),
    )  # fmt: skip
    return read_result(table, repairs, notes)


def _oldest_first(part: Part, roles: dict[str, int], recipe: ImportRecipe) -> Part:
    """`part` turned round where the newest row stands first, as dashboards and databases export them."""
    if "time" not in roles or "interval" in roles or len(part.rows) < _FEWEST_TO_TURN:
        return part
    time = recipe.role_of(part.names[roles["time"]]) or ColumnRole(role="time")
    seconds, _ = times_of(replace(part, repairs=[], notes=[]), time, roles["time"], roles.get("date"), recipe)
    steps = seconds.diff().iloc[1:]
    if bool((steps > 0).any()) or not bool((steps < 0).any()):
        return part
    falls = steps[steps < 0]
    if time.unit in PER_SECOND and bool(((falls - falls.median()).abs() > -falls.median() / 4).any()):
        return part  # how long each took, not when it was
    part.repairs.append(Repair(part.name, "", "the newest row stands first: turned round", len(part.rows)))
    return replace(part, cells=part.texts.iloc[::-1])


def _one_after_the_other(frames: list[pd.DataFrame]) -> pd.DataFrame:
    """The rows of all, numbered from 0; `frames` is emptied, since a table of millions of rows is not held twice."""
    together = frames[0].reset_index(drop=True) if len(frames) == 1 else pd.concat(frames, ignore_index=True)
    frames.clear()
    return together


def places_of(part: Part, recipe: ImportRecipe) -> dict[str, int]:
    """Role -> the column of `part` that has it; events, shares and values are several and not among them."""
    found: dict[str, int] = {}
    for place, name in enumerate(part.names):
        column = recipe.role_of(name)
        if column is not None and column.role not in ("event", "share", "ignore", "text"):
            found.setdefault(column.role, place)
    return found


def events_of(part: Part, recipe: ImportRecipe, role: str = "event") -> list[int]:
    """The places of the columns of `part` that are events (or of another role). Raises ReadError where there is none."""
    found = [place for place, name in enumerate(part.names) if (column := recipe.role_of(name)) is not None and column.role == role]
    if not found:
        raise ReadError(f"{part.name}: no column of counts; give a column the role 'event'. The columns are {', '.join(part.names)[:200]}.")
    return found


def levels_of(part: Part, program: int, recipe: ImportRecipe) -> dict[str, int]:
    """Level of the machine -> the column that numbers its places, where the column `program` is one, or another has its role beside it;
    those that people ignore are none."""
    chosen = [recipe.role_of(name) for name in part.names]
    programs = [program, *(place for place, column in enumerate(chosen) if column is not None and column.role == "program")]
    program = next((place for place in programs if level_of_column(plain(part.names[place]))), program)
    if not (own := level_of_column(plain(part.names[program]))):
        return {}
    free = [place for place, column in enumerate(chosen) if column is None or column.why != CHOSEN or column.role != "ignore"]
    found = {level: place for place in free if (level := level_of_column(plain(part.names[place])))}
    return {level: place for level, place in found.items() if level != own} | {own: program}


def places_beside(part: Part, program: int, recipe: ImportRecipe) -> dict[str, int]:
    """levels_of, where they stand beside the column `program` of programs, that with its role last; else nothing."""
    return {} if level_of_column(plain(part.names[program])) else levels_of(part, program, recipe)


def _identity(
    part: Part, roles: dict[str, int], label: tuple[str, int], taken: dict[tuple[str, int], str], recipe: ImportRecipe
) -> pd.DataFrame:
    found = pd.DataFrame({"application": label[0], "run": label[1]}, index=part.rows)
    if "program" in roles:
        found["application"] = names_of(part, roles["program"])
        levels = levels_of(part, roles["program"], recipe)
        found = found.assign(**{level: texts_of(part, place) for level, place in levels.items()})
        if places := places_beside(part, roles["program"], recipe):
            found[PROGRAM] = found["application"]
            found["application"] += " " + names_of(part, list(places.values())[-1])
        found["run"] = 1 if "run" not in roles and not any(name == label[0] for name, _ in taken) and label[1] == 1 else label[1]
    if "run" in roles:
        found["run"] = run_numbers(part, roles["run"])
    told = "program" in roles or "run" in roles
    pairs = list(found[_KEYS].drop_duplicates().itertuples(index=False, name=None)) if told else [label]
    both = [pair for pair in pairs if pair in taken]
    if both and "run" in roles and "program" in roles:
        raise ReadError(f"{part.name}: run {both[0][1]} of {both[0][0]!r} is also in {taken[both[0]]}. Give the runs different numbers.")
    if both:
        names = {name for name, _ in pairs}
        first = max(run for name, run in taken if name in names)
        renumbered = {run: first + place for place, run in enumerate(dict.fromkeys(found["run"]), start=1)}
        found["run"] = found["run"].map(renumbered)
        pairs = list(found[_KEYS].drop_duplicates().itertuples(index=False, name=None))
    taken |= dict.fromkeys(pairs, part.name)
    return found


def _described(part: Part, roles: dict[str, int], found: pd.DataFrame, recipe: ImportRecipe, *, alone: bool) -> pd.DataFrame:
    """`found` with interval, and time, date, stage and texts where they are known; runs are told apart where times begin again.

    alone: whether `part` is the only one.
    """
    seconds, stamps, as_it_was = None, None, found
    if "time" in roles:
        time = recipe.role_of(part.names[roles["time"]]) or ColumnRole(role="time")
        seconds, stamps = times_of(part, time, roles["time"], roles.get("date"), recipe)
        if "run" not in roles and "program" not in roles:
            found = split_where_time_begins_again(part, found, seconds)
        if stamps is not None and "interval" not in roles:
            found = split_at_gaps(part, found, seconds, alone=alone and "run" not in roles)
    several = bool({"program", "run"} & set(roles)) or found is not as_it_was
    run = run_of(found) if several else pd.Series(np.zeros(len(found), np.int8), index=found.index)
    found["interval"] = whole_of(part, roles["interval"]) if "interval" in roles else _numbered(run)
    if seconds is not None:
        time = recipe.role_of(part.names[roles["time"]]) or ColumnRole(role="time")
        if stamps is not None or time.unit in ("clock", "mm:ss"):
            seconds = seconds - seconds.groupby(run).transform("first")
        found["time"] = seconds
        if "interval" not in roles and recipe.per_interval != "cumulative":
            found["interval"] += _skipped_before(found, run, recipe.skip_rows)
    elif "length" in roles:  # the end of each interval is the sum of the lengths so far
        length = recipe.role_of(part.names[roles["length"]]) or ColumnRole(role="length")
        part.repairs.append(Repair(part.name, length.name, "lengths of intervals became the times at their ends", len(found)))
        found["time"] = times_of(part, length, roles["length"], None, recipe)[0].groupby(run).cumsum()
    if "date" in roles and stamps is None:
        date = recipe.role_of(part.names[roles["date"]]) or ColumnRole(role="date", unit="date-time")
        _, stamps = times_of(part, date.but(unit=date.unit or "date-time"), roles["date"], None, recipe)
    if stamps is not None:
        found["date"] = stamps
    if "stage" in roles:
        texts = texts_of(part, roles["stage"])
        found["stage"] = texts.where(texts != "", None)
    for place, name in enumerate(part.names):
        column = recipe.role_of(name)
        if column is not None and column.role == "text" and name not in found:
            found[name] = texts_of(part, place)
    return found


def _numbered(run: pd.Series) -> pd.Series:
    """The rows of each run from 1."""
    return run.groupby(run).cumcount() + 1 if run.any() else pd.Series(np.arange(1, len(run) + 1), index=run.index)


def _skipped_before(rows: pd.DataFrame, run: pd.Series, skipped: Sequence[int]) -> pd.Series | int:
    """How many intervals of the run above each row were skipped, as chosen: where a row is left out and the time goes on for it.

    rows: indexed by their numbers in the file, with time in s; run: as run_of gives it.
    """
    if not skipped:
        return 0
    distance = steps(rows["time"], run)
    usual = distance.median()
    left_out = np.diff(np.searchsorted(sorted(skipped), rows.index.to_numpy()), prepend=0) != 0
    missing = left_out & beyond_gaps(distance.to_numpy(), usual)
    return ((distance / usual).round() - 1).where(missing, 0).astype(np.int64).groupby(run).cumsum()


def _wide(part: Part, recipe: ImportRecipe) -> tuple[pd.DataFrame, pd.DataFrame]:
    """(counts, shares of those events that have them)."""
    counts: dict[str, pd.Series | NDArray[np.float64]] = {}
    places = events_of(part, recipe)
    plain = part.plain_counts(places)
    names = [part.names[place] for place in places]
    shared = any((column := recipe.role_of(name)) is not None and column.role == "share" for name in part.names)
    if plain is not None and not shared and len(set(names)) == len(names):
        return pd.DataFrame(plain, index=part.rows, columns=names, copy=False), pd.DataFrame(index=part.rows)
    for which, place in enumerate(places):
        name, number = part.names[place], 1
        while name in counts:
            number += 1
            name = f"{part.names[place]} ({number})"
        if number > 1:
            part.notes.append(f"{part.name}: a second column {part.names[place]!r} is called {name!r}.")
        counts[name] = counts_of(part, place) if plain is None else plain[:, which]
    shares = {}
    for place, name in enumerate(part.names):
        column = recipe.role_of(name)
        if column is not None and column.role == "share" and column.of in counts:
            shares[column.of] = fraction(counts_of(part, place))
    return pd.DataFrame(counts, index=part.rows), pd.DataFrame(shares, index=part.rows)


def _from_long(
    part: Part, roles: dict[str, int], found: pd.DataFrame, recipe: ImportRecipe
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    events = names_of(part, roles["event name"])
    rows = found.assign(event=events, count=readings_of(part, events_of(part, recipe, "value")[0], events))
    keys: list[str] = list(_KEYS)
    if "time" in roles:
        time = recipe.role_of(part.names[roles["time"]]) or ColumnRole(role="time")
        seconds, stamps = times_of(part, time, roles["time"], roles.get("date"), recipe)
        rows["time"] = seconds
        if stamps is not None:
            rows["stage"] = stamps.astype(object)
        check_told_apart(part, rows, recipe)
        ordered = rows.groupby(_KEYS, sort=False)["time"].rank(method="dense").astype("int64")
        rows["interval"] = ordered
    elif "interval" in roles:
        rows["interval"] = whole_of(part, roles["interval"])
    else:
        rows["interval"] = rows.groupby([*keys, "event"], sort=False).cumcount() + 1
    shares = [place for place, name in enumerate(part.names) if (column := recipe.role_of(name)) is not None and column.role == "share"]
    if shares:
        rows["share"] = fraction(part.numbers(shares[0]))
    order = list(dict.fromkeys(rows["event"]))
    rows = rows.sort_values(["application", "run", "interval"], kind="stable", key=_appearance)
    made = from_rows(rows, where=part.name)
    of_rows = made.intervals.rename(columns={"stage": "date"}) if "stage" in made.intervals else made.intervals
    if "date" in of_rows:
        of_rows["date"] = pd.to_datetime(of_rows["date"])
    counts = made.counts[[*[name for name in order if name in made.counts], *[name for name in made.counts if name not in order]]]
    return of_rows, counts, made.share if made.share is not None else pd.DataFrame(index=counts.index)


def _appearance(column: pd.Series) -> pd.Series:
    """A key that keeps programs and runs in the order of appearance, and sorts intervals."""
    return column if column.name == "interval" else pd.Series(pd.factorize(column)[0], index=column.index)
