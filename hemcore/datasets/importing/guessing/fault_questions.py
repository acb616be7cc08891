"""Questions about files that cannot be read as they are, or in two ways: what a fault leaves to choose, what points in numbers are, and
where in a text its table is."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from hemcore.datasets.importing.date_times import ORDER_ASKED
from hemcore.datasets.importing.guessing.column_facts import Facts
from hemcore.datasets.importing.guessing.doubt import Doubt, event_columns, settled
from hemcore.datasets.importing.guessing.table_lines import LOOKED_AT, TableLines
from hemcore.datasets.importing.header_words import is_continental, meaning_of
from hemcore.datasets.importing.parts import Part
from hemcore.datasets.importing.recipe import CHOSEN, ColumnRole, ImportRecipe, Role

LINES = "lines"
_UNCLEAR = re.compile(r"[1-9]\d{0,2}\.\d{3}")


def decimal_sign(recipe: ImportRecipe) -> Doubt:
    """What the decimal sign is."""
    signs = (("A comma: 1,5 is one and a half", recipe.but(decimal=",")), ("A point: 1.5 is one and a half", recipe.but(decimal=".")))
    return Doubt(key="decimal", question="What is the decimal sign of this file?", answers=signs)


def points(parts: Sequence[Part], facts: Sequence[Facts], columns: dict[int, ColumnRole], recipe: ImportRecipe) -> Iterator[Doubt]:
    """Whether points such as that of "1.234" are decimal signs, in files with semicolons or German or French names, where no number shows
    it."""
    part = parts[0] if parts else None
    if part is None or part.decimal or recipe.decimal or not (part.grid.separator == ";" or is_continental(part.names)):
        return
    pointed = (fact.texts[fact.texts.str.contains(".", regex=False)] for fact in event_columns(facts, columns))
    number = next((texts.iloc[0] for texts in pointed if len(texts)), "")
    if _UNCLEAR.fullmatch(number):
        anew = recipe.but(decimal=",", columns=(), layout="", kind="", per_interval="", blanks="")
        question = f"Every number with a point has three digits behind it ({number}): is the point a decimal sign?"
        answers = ((f"Between thousands: {number.replace('.', '')}", anew), (f"A decimal sign: {number}", settled(recipe, "points")))
        yield Doubt(key="points", question=question, answers=answers)


def choices(recipe: ImportRecipe, asks: str, fault: str) -> tuple[Doubt, ...]:
    """What a fault asks for, with a button for each choice; nothing where it asks for no choice. asks: as of plain_tables.Looked."""
    if asks:
        made = (("Counts per interval", recipe.but(per_interval="counts")), ("Cumulative counters", recipe.but(per_interval="cumulative")))
        return (Doubt(key="counters", question="What do the counters hold?", answers=made),)
    if ORDER_ASKED in fault:
        orders = (("The day", recipe.but(dates="day first")), ("The month", recipe.but(dates="month first")))
        return (Doubt(key="dates", question="What comes first in these dates?", answers=orders),)
    return ()


def without_names(recipe: ImportRecipe) -> Doubt:
    """Whether no row names the columns; of names and one number each, whether they are events. recipe: that reads them so."""
    question = "No row names the columns, so they are called 'column 1', 'column 2' and so on. Read them so?"
    answers = (("Yes, without names", settled(recipe, "names")),)
    if [column.role for column in recipe.columns] != ["program", "event"]:
        return Doubt(key="names", question=question, answers=answers)
    of_role: dict[Role, Role] = {"program": "event name", "event": "value"}
    columns = tuple(column.but(role=of_role[column.role], why=CHOSEN) for column in recipe.columns)
    events = settled(recipe.but(columns=columns, layout="hems_as_rows", kind="Subexperiments"), "names")
    programs = ("Yes: each name is a program", settled(recipe, "names"))
    return Doubt(key="names", question=question, answers=(("Yes: the names are events of one run", events), programs))


def of_lines(lines: TableLines) -> ImportRecipe:
    """The recipe that reads some lines of a text."""
    return ImportRecipe(first_line=lines.first, last_line=lines.last, delimiter=lines.delimiter, skip_rows=lines.between, settled=(LINES,))


def _as_runs(tables: Sequence[TableLines]) -> tuple[tuple[str, ImportRecipe], ...]:
    """The answer that reads tables under one row of names, which begins with a time, as runs of one table; none for other tables.

    What stands between them is skipped; times that begin again part the runs.
    """
    first = tables[0]
    alike = [each for each in tables if (each.names, each.delimiter) == (first.names, first.delimiter)]
    alike.sort(key=lambda each: each.first)
    timed = meaning_of(re.split("[,;\t|]", first.names)[0].strip(' "')).role == "time"
    apart = all(above.last < below.first for above, below in pairwise(alike))
    if len(alike) < 2 or not timed or not apart or alike[-1].last >= LOOKED_AT:
        return ()
    between = tuple(line for above, below in pairwise(alike) for line in range(above.last + 1, below.first))
    recipe = ImportRecipe(
        first_line=alike[0].first, last_line=alike[-1].last, delimiter=first.delimiter, skip_rows=between, settled=(LINES,)
    )
    return ((f"All {len(alike)} tables of these names, as runs (lines {alike[0].first} to {alike[-1].last})", recipe),)


def which_lines(tables: Sequence[TableLines], recipe: ImportRecipe) -> Doubt:
    """Which of `tables` in a text is meant, the first being read. recipe: that reads it."""
    best, *rest = tables
    others = tuple((f"Lines {each.first} to {each.last}: {each.names[:40]}", of_lines(each)) for each in rest)
    question = (
        f"The file is no table as a whole. Read are lines {best.first} to {best.last}, under {best.names[:60]!r}; the lines around them are"
        " left out. Is this the table?"
    )
    yes = (f"Yes, lines {best.first} to {best.last}", settled(recipe, LINES))
    return Doubt(key=LINES, question=question, answers=(*_as_runs(tables), *others, yes))


def refused_lines(tables: Sequence[TableLines]) -> tuple[Doubt, ...]:
    """Whether the largest of `tables`, in what a tool wrote that is refused, is read all the same; nothing where there is none."""
    found = tuple((f"Read lines {each.first} to {each.last}: {each.names[:40]}", of_lines(each)) for each in tables[:1])
    return (Doubt(key=LINES, question="Some lines look like a table. Read them as one all the same?", answers=found),) if found else ()
