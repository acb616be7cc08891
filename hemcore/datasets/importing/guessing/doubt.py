"""What a question about a guess is, and the recipes that its answers make."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hemcore.datasets.importing import date_times
from hemcore.datasets.importing.guessing.column_facts import INSTANTS, Facts, grows
from hemcore.datasets.importing.recipe import CHOSEN, ColumnRole, ImportRecipe, Layout, Role, TimeUnit


@dataclass(frozen=True, kw_only=True)
class Doubt:
    """A question about the guess.

    key: its name in ImportRecipe.settled. answers: (label, the recipe that it makes); the last is the guess.
    """

    key: str
    question: str
    answers: tuple[tuple[str, ImportRecipe], ...]

    @property
    def remark(self) -> str:
        """The question with what was assumed, for those who cannot click."""
        return f"Check: {self.question} Read as: {self.answers[-1][0].lower()}."


def with_role(recipe: ImportRecipe, name: str, role: Role, unit: TimeUnit = "", layout: Layout | None = None) -> ImportRecipe:
    """The recipe with one column's role chosen, and what a row is."""
    chosen = ColumnRole(name=name, role=role, unit=unit, why=CHOSEN)
    columns = tuple(chosen if column.name == name else column for column in recipe.columns)
    rows = {} if layout is None else {"layout": layout, "kind": "", "per_interval": "", "blanks": ""}
    return recipe.but(columns=columns, **rows)


def settled(recipe: ImportRecipe, key: str) -> ImportRecipe:
    return recipe.but(settled=(*recipe.settled, key))


def has(recipe: ImportRecipe, *roles: Role) -> bool:
    return any(column.role in roles for column in recipe.columns)


def event_columns(facts: Sequence[Facts], columns: dict[int, ColumnRole]) -> Iterator[Facts]:
    return (fact for fact in facts if fact.place in columns and columns[fact.place].role == "event" and fact.is_numeric)


def epoch_form(fact: Facts) -> TimeUnit:
    """Which epoch of 2010 to 2035 numbers that never fall are; "" for others."""
    return date_times.epoch_of(fact.numbers.to_numpy(), *INSTANTS) if grows(fact) else ""
