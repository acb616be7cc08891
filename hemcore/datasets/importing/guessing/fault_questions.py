"""Questions about files that cannot be read as they are: what a fault leaves to choose, and where in a text its table is."""

from collections.abc import Sequence

from hemcore.datasets.importing.date_times import ORDER_ASKED
from hemcore.datasets.importing.guessing.doubt import Doubt, settled
from hemcore.datasets.importing.guessing.table_lines import TableLines
from hemcore.datasets.importing.recipe import ImportRecipe

LINES = "lines"


def decimal_sign(recipe: ImportRecipe) -> Doubt:
    """What the decimal sign is."""
    signs = (("A comma: 1,5 is one and a half", recipe.but(decimal=",")), ("A point: 1.5 is one and a half", recipe.but(decimal=".")))
    return Doubt(key="decimal", question="What is the decimal sign of this file?", answers=signs)


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
    """Whether no row names the columns. recipe: that reads them so."""
    question = "No row names the columns, so they are called 'column 1', 'column 2' and so on. Read them so?"
    return Doubt(key="names", question=question, answers=(("Yes, without names", settled(recipe, "names")),))


def of_lines(lines: TableLines) -> ImportRecipe:
    """The recipe that reads some lines of a text."""
    return ImportRecipe(first_line=lines.first, last_line=lines.last, delimiter=lines.delimiter, settled=(LINES,))


def which_lines(tables: Sequence[TableLines], recipe: ImportRecipe) -> Doubt:
    """Which of `tables` in a text is meant, the first being read. recipe: that reads it."""
    best, *rest = tables
    others = tuple((f"Lines {each.first} to {each.last}: {each.names[:40]}", of_lines(each)) for each in rest)
    question = (
        f"The file is no table as a whole. Read are lines {best.first} to {best.last}, under {best.names[:60]!r}; the lines around them are"
        " left out. Is this the table?"
    )
    yes = (f"Yes, lines {best.first} to {best.last}", settled(recipe, LINES))
    return Doubt(key=LINES, question=question, answers=(*others, yes))


def refused_lines(tables: Sequence[TableLines]) -> tuple[Doubt, ...]:
    """Whether the largest of `tables`, in what a tool wrote that is refused, is read all the same; nothing where there is none."""
    found = tuple((f"Read lines {each.first} to {each.last}: {each.names[:40]}", of_lines(each)) for each in tables[:1])
    return (Doubt(key=LINES, question="Some lines look like a table. Read them as one all the same?", answers=found),) if found else ()
