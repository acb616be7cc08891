"""What is not certain of names: those of rows and columns, whether they name events or programs, and periods that are called like runs."""

import re
from collections.abc import Iterator, Sequence

import numpy as np

from hemcore.datasets.importing.built_runs import stems_of
from hemcore.datasets.importing.footers import unsure_summaries
from hemcore.datasets.importing.guessing.column_facts import Facts
from hemcore.datasets.importing.guessing.doubt import Doubt, has, settled, with_role
from hemcore.datasets.importing.header_words import are_programs, plain
from hemcore.datasets.importing.parts import Part
from hemcore.datasets.importing.recipe import ColumnRole, ImportRecipe
from hemcore.datasets.importing.units.cell_kinds import is_number, is_reading

# "2026Q1", "2026-W07", "Q1/2026": a year among few signs.
_PERIOD = re.compile(r"(?=.*(?:19|20)\d\d)(?=.*[A-Za-z])[\w/ .-]{5,10}$")
_TOTAL = re.compile(r"total|sum|summe|gesamt|somme", re.IGNORECASE)
_SUMMARY = "its name is that of a comment or a summary"
_BY_PLACE = "By the places of the columns"


def keys(facts: Sequence[Facts], columns: dict[int, ColumnRole], recipe: ImportRecipe) -> Iterator[Doubt]:
    """Names beside one value each, which may be those of events or of what was counted."""
    names = next((fact for fact in facts if _has_role(fact, columns, "event name")), None)
    value = next((fact for fact in facts if _has_role(fact, columns, "value")), None)
    if recipe.layout != "long" or names is None or value is None or has(recipe, "interval", "run", "program"):
        return
    timed = has(recipe, "time", "date")
    if names.meaning.role == "event name" or (plain(names.name) != "series" if timed else names.distinct < len(names.texts)):
        return
    made = with_role(with_role(recipe, names.name, "program"), value.name, "event", layout="intervals" if timed else "phases")
    yield Doubt(
        key="keys",
        question=f"{names.name!r} ({', '.join(names.texts.drop_duplicates().iloc[:3])}): are these programs or events?",
        answers=(("Programs", made), ("Events", settled(recipe, "keys"))),
    )


def names_of_rows(parts: Sequence[Part], recipe: ImportRecipe) -> Iterator[Doubt]:
    """Whether the first cells of a text name its rows, where there is one cell more than there are names."""
    part = parts[0] if parts else None
    if part is None or not part.grid.blanks or part.grid.is_corner_clear or part.names[0] or len(part.names) < 3 or recipe.header_row:
        return
    first = part.column(0).iloc[0]
    if not is_number(first):
        question = f"The rows have one cell more than there are names: {first[:30]!r} stands under no name. Is it the name of its row?"
        yield Doubt(key="corner", question=question, answers=((_BY_PLACE, _by_place(recipe)), ("Yes", settled(recipe, "corner"))))


def names_above(parts: Sequence[Part], recipe: ImportRecipe) -> Iterator[Doubt]:
    """Whether a line of words right above the names of a text, about as many, belongs to them."""
    part = parts[0] if parts else None
    header = part.found.header if part is not None else 0
    if part is None or not part.grid.blanks or recipe.header_row or header - 1 not in part.found.skipped:
        return
    above, names = part.grid.rows[header - 1], part.grid.rows[header]
    if 2 * len(above) > len(names) and len(above) <= len(names) + 1 and not any(map(is_reading, above)):
        question = f"{' '.join(names)[:40]!r} is read as the names of the columns, and {' '.join(above)[:40]!r} above it is left out."
        answers = ((_BY_PLACE, _by_place(recipe)), ("Yes", settled(recipe, "above")))
        yield Doubt(key="above", question=f"{question} Is that right?", answers=answers)


def files_of_programs(parts: Sequence[Part], recipe: ImportRecipe) -> Iterator[Doubt]:
    """Whether files or sheets of runs that all read the same events, and are not called runs or groups, are of one program each."""
    if recipe.kind != "Subexperiments" or len(parts) < 2 or has(recipe, "program", "subexperiment"):
        return
    names = stems_of(parts)
    alike = {frozenset(_events_of(part, recipe)) for part in parts}
    if len(alike) > 1 or not are_programs(names) or all(len(part.rows) == 1 for part in parts):
        return
    anew = {"kind": "PhaseTable", "per_interval": "", "blanks": "", "settled": (*recipe.settled, "files of programs")}
    made = recipe.but(layout="phases" if recipe.layout == "runs" else recipe.layout, **anew)
    shown = ", ".join(names[:3])
    yield Doubt(
        key="files of programs",
        question=f"{shown} have the same events: is each a program, or a set of runs of one program?",
        answers=(("Programs", made), ("Sets of runs of one program", settled(recipe, "files of programs"))),
    )


def _events_of(part: Part, recipe: ImportRecipe) -> list[str]:
    """The events of a part, whether they stand across or name its rows."""
    roles = {name: column.role for name in part.names if (column := recipe.role_of(name)) is not None}
    rows = next((place for place, name in enumerate(part.names) if roles.get(name) == "event name"), None)
    return [name for name, role in roles.items() if role == "event"] if rows is None else part.column(rows).unique().tolist()


def _by_place(recipe: ImportRecipe) -> ImportRecipe:
    """A recipe that parts columns by where they stand, the rest guessed anew."""
    return recipe.but(delimiter="aligned", columns=(), layout="", kind="", per_interval="", blanks="")


def totals(facts: Sequence[Facts], columns: dict[int, ColumnRole], recipe: ImportRecipe) -> Iterator[Doubt]:
    """Whether a column called a total, which is left out, counts something: it is no sum of the others."""
    events = [fact.numbers for fact in facts if fact.place in columns and columns[fact.place].role == "event" and fact.is_numeric]
    for fact in facts:
        column = columns.get(fact.place)
        if column is None or column.why != _SUMMARY or not fact.is_numeric or not _TOTAL.match(plain(fact.name)) or fact.distinct < 2:
            continue
        if len(events) and np.allclose(sum(events), fact.numbers, rtol=1e-3, equal_nan=True):
            continue
        key = f"total {fact.name}"
        answers = (("A count of its own", with_role(recipe, fact.name, "event")), ("Leave out", settled(recipe, key)))
        yield Doubt(key=key, question=f"{fact.name!r} is left out, but it is no sum of the other columns. What is it?", answers=answers)
        return


def periods(facts: Sequence[Facts], columns: dict[int, ColumnRole], recipe: ImportRecipe) -> Iterator[Doubt]:
    """Whether rows that are called by years, "2026Q1", are intervals of one run."""
    rows = next((fact for fact in facts if fact.place in columns and columns[fact.place].role in ("run", "program")), None)
    if rows is None or has(recipe, "time", "interval") or rows.is_numeric or rows.distinct < len(rows.texts):
        return
    if bool(rows.texts.str.match(_PERIOD).all()):
        question = f"Rows are called {', '.join(rows.texts.iloc[:3])}: is each an interval of one run?"
        made = with_role(recipe, rows.name, "text", layout="intervals")
        yield Doubt(key="periods", question=question, answers=(("An interval", made), ("Not so", settled(recipe, "periods"))))


def summary_rows(facts: Sequence[Facts], columns: dict[int, ColumnRole], recipe: ImportRecipe) -> Iterator[Doubt]:
    """Whether rows that are named as summaries of the others, and are not by their values, are rows of their own."""
    named = next((fact for role in ("event name", "program", "run") for fact in facts if _has_role(fact, columns, role)), None)
    if named is None or named.is_numeric or not (rows := unsure_summaries(named.texts)):
        return
    shown = ", ".join(f"{named.texts[row]!r} (row {row})" for row in rows[:3])
    question = f"{shown} {'is' if len(rows) == 1 else 'are'} named as a summary of the others, but its values do not show it. Leave out?"
    made = recipe.but(skip_rows=(*recipe.skip_rows, *rows), settled=(*recipe.settled, "summaries"))
    yield Doubt(key="summaries", question=question, answers=(("Leave out", made), ("Keep", settled(recipe, "summaries"))))


def _has_role(fact: Facts, columns: dict[int, ColumnRole], role: str) -> bool:
    return fact.place in columns and columns[fact.place].role == role
