"""What looks wrong in a table that was read without a question: names, gaps, times and rows that few right tables have.

Each check here would have found several of the files that were once read wrongly without a word.
"""

import re
from collections.abc import Iterator, Sequence

import pandas as pd

from hemcore.datasets.importing import date_times
from hemcore.datasets.importing.built_runs import stems_of
from hemcore.datasets.importing.guessing.column_facts import INSTANTS, Facts, rises_evenly
from hemcore.datasets.importing.guessing.doubt import Doubt, has, settled, with_role
from hemcore.datasets.importing.guessing.two_levels import labels_beside_events
from hemcore.datasets.importing.header_words import are_runs, meaning_of
from hemcore.datasets.importing.other_forms.listed_events import COUNTED
from hemcore.datasets.importing.parts import Part
from hemcore.datasets.importing.recipe import CHOSEN, ColumnRole, ImportRecipe, Layout
from hemcore.datasets.importing.units.cell_kinds import is_number
from hemcore.datasets.readers.format import ReadResult
from hemcore.datasets.readers.repairs import Note
from hemcore.datasets.tables.counter_series import CounterSeries, run_of
from hemcore.datasets.tables.kinds import Table
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.events.usual_names import cycles_of, instructions_of

_NEITHER = "it is neither the event nor its value"
_LABEL = re.compile(r"([^\W\d_]*)[\s_.#=-]*\d+(?:[.,]\d+)?(?:\s*[mnuµ]?s)?")
_AGAIN, _NAMELESS = re.compile(r"(.+) \(\d+\)"), re.compile(r"column \d+")
# Shares of the rows: without length, of blank values, of changes between patterns of blank values where they rotate.
_NO_LENGTH, _BLANK, _ROTATES = 0.5, 0.3, 1 / 3
_FEWEST, _FEWEST_LONG, _SHOWN, _MOST_CELLS = 6, 4, 3, 2_000_000


def doubts_of_result(result: ReadResult[Table] | None, parts: Sequence[Part], recipe: ImportRecipe) -> tuple[Doubt, ...]:
    """The first question about the table that `parts` gave by `recipe`, where it looks unlike a right one; none that the recipe has
    settled, nor without a table.

    Asked are: rows of numbers above the names; names of events that are numbers or called as runs are, that come twice or have no
    name; programs that are called as events are; labels before or behind the same events in the names of all columns; sets
    of runs that all read the same events; numbers left out beside the names of events; values missing in blocks; columns that end long
    before the others; events that are instants; intervals without length.
    """
    counts = _counts_of(result.table) if result is not None else []
    if result is None or not counts or not parts or sum(frame.size for frame in counts) > _MOST_CELLS:
        return ()
    table, names = result.table, list(dict.fromkeys(str(name) for frame in counts for name in frame))
    found = [
        *_skipped(parts, recipe),
        *_names(names, recipe),
        *_programs(table, recipe),
        *_levels(names, recipe),
        *_sets(table, parts, recipe),
        *_left_out(parts, recipe),
        *_blocks(table, counts[0], recipe),
        *_short(table, counts[0], recipe),
        *_times(table, recipe),
        *_nameless(names, parts, recipe),
    ]
    return tuple(each for each in found if each.key not in recipe.settled)[:1]


def _counts_of(table: Table) -> list[pd.DataFrame]:
    if isinstance(table, CounterSeries):
        return [table.counts]
    if isinstance(table, Subexperiments):
        return list(table.frames)
    return [table.frame[list(table.counters)]] if isinstance(table, PhaseTable) else []


def _asked(recipe: ImportRecipe, key: str, question: str, answer: str, *others: tuple[str, ImportRecipe]) -> Doubt:
    return Doubt(key=key, question=question, answers=(*others, (answer, settled(recipe, key))))


def _listed(names: Sequence[str]) -> str:
    return ", ".join(name[:30] for name in names[:_SHOWN])


def _skipped(parts: Sequence[Part], recipe: ImportRecipe) -> Iterator[Doubt]:
    """Rows of numbers above the names of the columns, or between these and the data."""
    for part in parts:
        for number in part.found.skipped if not recipe.header_row else ():
            cells = [cell for cell in part.grid.rows[number] if cell]
            if len(cells) > 1 and is_number(cells[0]) and 2 * sum(map(is_number, cells)) > len(cells):
                question = f"{part.name}, row {number + 1} holds numbers ({_listed(cells)}) and is skipped as a title: is that right?"
                yield _asked(recipe, "skipped", question, "Yes, it is no row of the table")
                return


def _names(names: Sequence[str], recipe: ImportRecipe) -> Iterator[Doubt]:
    """Events that are called as runs or instants are, and columns of one name."""
    labels = [name for name in names if _is_label(name)]
    if len(names) > 1 and 2 * len(labels) >= len(names):
        question = f"Events are called {_listed(labels)}, as runs, times or parts are. Are these events?"
        yield _asked(recipe, "labels", question, "Events", *_rows_as_events(recipe, names))
    again = [found[1] for name in names if (found := _AGAIN.fullmatch(name)) is not None and found[1] in names]
    if again:
        question = f"Several columns are called {_listed(list(dict.fromkeys(again)))}. Is each an event of its own?"
        yield _asked(recipe, "again", question, "Events of their own")


def _is_label(name: str) -> bool:
    found = _LABEL.fullmatch(name.strip())
    numbered = found is not None and (not found[1] or meaning_of(found[1]).role in ("run", "time"))
    return numbered or date_times.kind_of(name) != ""


def _rows_as_events(recipe: ImportRecipe, names: Sequence[str]) -> tuple[tuple[str, ImportRecipe], ...]:
    """The answer that rows, which were read as programs, name events."""
    program = next((column.name for column in recipe.columns if column.role == "program"), None)
    if recipe.layout != "phases" or program is None:
        return ()
    roles = {program: "event name"} | dict.fromkeys(names, "value")
    columns = tuple(each.but(role=roles[each.name], why=CHOSEN) if each.name in roles else each for each in recipe.columns)
    return (("Rows are events", recipe.but(columns=columns, layout="hems_as_rows", kind="", per_interval="", blanks="")),)


def _programs(table: Table, recipe: ImportRecipe) -> Iterator[Doubt]:
    """Programs that are called as events are."""
    if isinstance(table, PhaseTable):
        programs, events = table.programs, list(table.counters)
    elif isinstance(table, CounterSeries):
        programs, events = table.intervals["application"].astype(str).unique().tolist(), table.events
    else:
        return
    named = [each for each in programs if cycles_of([each]) or instructions_of([each])]
    if len(programs) > 1 and named and 2 * sum(COUNTED.search(each) is not None for each in programs) >= len(programs):
        question = f"Programs are called {_listed(programs)}, as events are. Are these programs?"
        yield _asked(recipe, "programs", question, "Programs", *_rows_as_events(recipe, events))


def _levels(names: Sequence[str], recipe: ImportRecipe) -> Iterator[Doubt]:
    """The same events under each of several labels in the names of columns."""
    if labels := labels_beside_events(names):
        question = (
            f"{_listed(labels)} stand in the names of the same events. For programs or runs, put one below the other. Are they events?"
        )
        yield _asked(recipe, "levels", question, "Parts of the events' names")


def _sets(table: Table, parts: Sequence[Part], recipe: ImportRecipe) -> Iterator[Doubt]:
    """Several subexperiments that all read the same events, not called as runs are, or have one run each."""
    if not isinstance(table, Subexperiments) or len(table.frames) < 2:
        return
    called = has(recipe, "subexperiment") or are_runs(stems_of(parts))
    same = not called and len({frozenset(frame) for frame in table.frames}) == 1
    if same or all(len(frame) == 1 for frame in table.frames):
        what = "read the same events" if same else "have one run each"
        question = f"The {len(table.frames):,} subexperiments {what}. Are they sets of runs of one program?"
        yield _asked(recipe, "same events", question, "Sets of runs of one program")


def _left_out(parts: Sequence[Part], recipe: ImportRecipe) -> Iterator[Doubt]:
    """Numbers that are left out: a fifth of those of JSON at least, or columns beside the names of events and their values."""
    much = next((note for part in parts for note in part.notes if isinstance(note, Note) and note.kind == "much"), None)
    if much is not None and "lost" not in recipe.settled:
        yield _asked(recipe, "lost", f"{much} Is the rest the table?", "Yes")
        return
    names = {column.name for column in recipe.columns if column.role == "ignore" and column.why == _NEITHER}
    facts = [Facts(parts[0], place) for place, name in enumerate(parts[0].names) if name in names]
    known = ("row", "place", "identifier")
    lost = [
        fact.name for fact in facts if fact.is_numeric and fact.distinct > 1 and fact.meaning.role not in known and fact.name != "table"
    ]
    if lost:
        yield _asked(recipe, "left out", f"{_listed(lost)}: numbers beside the values are left out. Is that right?", "Leave out")


def _short(table: Table, counts: pd.DataFrame, recipe: ImportRecipe) -> Iterator[Doubt]:
    """Columns with values in the first rows alone, half of all at most, beside whole ones: they may stand beside the table."""
    there = counts.notna().to_numpy()
    rows = there.sum(axis=0)
    first = [bool(rows[place] and there[: rows[place], place].all()) for place in range(len(rows))]
    short = [str(name) for name, count, begins in zip(counts, rows, first, strict=True) if begins and 2 * count <= len(there)]
    if len(there) < _FEWEST_LONG or not short or not there.all(axis=0).any():
        return
    if isinstance(table, CounterSeries) and int(run_of(table.intervals).max()) > 0:
        return
    question = f"{_listed(short)}: values in the first rows alone, of {len(there):,}. Part of the table?"
    made = tuple(ColumnRole(name=each.name, role="ignore", why=CHOSEN) if each.name in short else each for each in recipe.columns)
    yield _asked(recipe, "short", question, "Part of the table", ("Leave out", recipe.but(columns=made)))


def _blocks(table: Table, counts: pd.DataFrame, recipe: ImportRecipe) -> Iterator[Doubt]:
    """Values that are missing in blocks of rows, as where two tables were put one below the other; in turns, or in each run of one program,
    they are of groups."""
    blank = counts.isna().to_numpy()
    if len(blank) < _FEWEST or blank.mean() < _BLANK:
        return
    if isinstance(table, CounterSeries) and counts.isna().groupby(table.intervals["application"]).nunique().gt(1).any(axis=None):
        return
    changes = int((blank[1:] != blank[:-1]).any(axis=1).sum())
    if changes < _ROTATES * len(blank) and not blank.all(axis=0).any():
        question = f"{blank.mean():.0%} of the values are missing, in blocks of rows. Do all rows belong to one table?"
        yield _asked(recipe, "blocks", question, "One table")


def _times(table: Table, recipe: ImportRecipe) -> Iterator[Doubt]:
    """Events that rise as instants since 1970 do, and intervals without length."""
    if not isinstance(table, CounterSeries) or "time" not in table.intervals:
        return
    run = run_of(table.intervals)
    steps = table.intervals["time"].groupby(run, sort=False).diff().dropna()
    time = next((column.name for column in recipe.columns if column.role == "time"), None)
    if len(steps) >= _FEWEST and float((steps == 0).mean()) >= _NO_LENGTH:
        layout: Layout = "phases" if has(recipe, "program") else "runs"
        runs = () if time is None else (("Rows are runs", with_role(recipe, time, "ignore", layout=layout)),)
        question = f"{float((steps == 0).mean()):.0%} of the rows have the time of the row before. Are they intervals of one run?"
        yield _asked(recipe, "no length", question, "Intervals", *runs)
    even = [
        name for name in table.events if rises_evenly(table.counts[name]) and date_times.epoch_of(table.counts[name].to_numpy(), *INSTANTS)
    ]
    if even and recipe.per_interval != "cumulative":
        out = ("Leave out", with_role(recipe, even[0], "ignore"))
        yield _asked(recipe, "even", f"{even[0]!r} rises by one step, as instants since 1970 do. Is it a count?", "A count", out)


def _nameless(names: Sequence[str], parts: Sequence[Part], recipe: ImportRecipe) -> Iterator[Doubt]:
    """Events in columns that have no name in the header, where others have."""
    none = [name for name in names if _NAMELESS.fullmatch(name)]
    if 0 < len(none) < len(names) and parts[0].found.header >= 0:
        question = f"{_listed(none)}: no name stands over these numbers. Did the columns shift, or is it an event?"
        yield _asked(recipe, "nameless", question, "An event", ("Leave out", with_role(recipe, none[0], "ignore")))
