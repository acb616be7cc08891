"""How files are imported, as data: which rows and columns are what. It is kept in the lineage, and applied to other files of its shape."""

import json
from collections import Counter
from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import Any, Literal, Self, get_args

from pydantic import model_validator

from hemcore.datasets.readers.raw_experiments import MIN_MEAN
from hemcore.errors import ParameterError
from hemcore.events.hardware_tree import level_of_column
from hemcore.params import Params, parameter

VERSION = 1
CHOSEN = "chosen"  # ColumnRole.why of what a person said
Role = Literal[
    "time", "date", "interval", "length", "run", "program", "subexperiment", "stage", "load", "granularity", "phase",
    "event", "event name", "value", "share", "text", "ignore",
]  # fmt: skip
TimeUnit = Literal[
    "",
    "s",
    "ms",
    "us",
    "ns",
    "min",
    "h",
    "date-time",
    "date",
    "clock",
    "mm:ss",
    "serial day",
    "epoch s",
    "epoch ms",
    "epoch us",
    "epoch ns",
    "year",
]  # fmt: skip
Layout = Literal["", "intervals", "runs", "phases", "long", "hems_as_rows"]
Kind = Literal["", "CounterSeries", "Subexperiments", "PhaseTable"]
ROLES: tuple[Role, ...] = get_args(Role)
# The kind of table that each layout gives; the other two layouts can give several.
KIND_OF_LAYOUT: dict[Layout, Kind] = {"intervals": "CounterSeries", "runs": "Subexperiments", "phases": "PhaseTable"}
# Roles that one column at most can have.
_ONCE: tuple[Role, ...] = ("time", "date", "interval", "length", "run", "program", "subexperiment", "stage", "load", "granularity", "phase")
_ONCE += ("event name",)


class ColumnRole(Params):
    """What one column is, in every file that has it."""

    name: str = parameter("", title="Column", description="The column's name in the header; two header rows are joined by a blank.")
    role: Role = parameter("ignore", title="Role", description="What the column holds. Ignored columns are listed.")
    unit: TimeUnit = parameter(
        "", title="Unit", description="Of a time: its unit, or how date-times are written; 'year' of an interval. Empty: seconds."
    )
    zone: str = parameter(
        "", title="Time zone", description="Of date-times without one: a name such as Europe/Berlin. Empty: kept as local.", longest=60
    )
    of: str = parameter("", title="Event of the share", description="Of a share: the event that was counted for this part of the interval.")
    why: str = parameter("", title="Why", description="Why the role was guessed, or why the column is ignored.")


@lru_cache(maxsize=8_192)
def column_role(name: str, role: Role, why: str, unit: TimeUnit, of: str) -> ColumnRole:
    """A ColumnRole; of a thousand files of one shape, each is made once."""
    return ColumnRole(name=name, role=role, why=why, unit=unit, of=of)


class ImportRecipe(Params):
    """How files become one table. Every field left at its default is guessed from the files.

    `format`: a tool's format, which needs no columns; "" for plain tables. `shape`: the fingerprint of the files that it was made for.
    """

    version: int = parameter(VERSION, title="Version", description="The version of this description.", ge=1, le=VERSION)
    format: str = parameter("", title="Format", description="The key of a tool's format. Empty: a plain table.", longest=60)
    kind: Kind = parameter("", title="Kind of table", description="The kind of table that results. Empty: guessed.")
    layout: Layout = parameter("", title="Layout", description="What a row is. Empty: guessed.")
    delimiter: Literal["", ",", ";", "\t", "|", " ", "aligned"] = parameter(
        "",
        title="Separator",
        description="The character between cells; 'aligned' parts columns of a text by their places. Empty: guessed for each file.",
    )
    decimal: Literal["", ".", ","] = parameter("", title="Decimal sign", description="The decimal sign of numbers. Empty: guessed.")
    header_row: int = parameter(
        0, title="Header row", description="The row of column names, from 1. 0: found in each file; -1: there is none.", ge=-1, le=10_000
    )
    header_rows: int = parameter(1, title="Header rows", description="2 if the names of columns take two rows.", ge=1, le=2)
    units_row: int = parameter(0, title="Units row", description="The row of units, below the header. 0: none.", ge=0, le=10_000)
    first_line: int = parameter(
        0, title="First line", description="The line at which the table begins, from 1. 0: the whole file.", ge=0, le=1_000_000
    )
    last_line: int = parameter(0, title="Last line", description="The line at which the table ends. 0: the end.", ge=0, le=100_000_000)
    tables: Literal["", "each", "one"] = parameter(
        "", title="Tables in a sheet", description="'each': tables below or beside one another are read by themselves. Empty: guessed."
    )
    skip_rows: tuple[int, ...] = parameter((), title="Rows to skip", description="Rows that are left out, from 1.")
    leave_out: tuple[str, ...] = parameter((), title="Files to leave out", description="Names of files and sheets that hold no data.")
    columns: tuple[ColumnRole, ...] = parameter((), title="Columns", description="The role of each column. Empty: guessed.")
    per_interval: Literal["", "counts", "cumulative"] = parameter(
        "", title="Counters", description="Whether values are counts per interval, or cumulative counters whose differences are the counts."
    )
    blanks: Literal["", "missing", "in turns"] = parameter(
        "", title="Blank cells", description="Of a series: values that are missing, or events counted in turns (MPX)."
    )
    small_m: Literal["", "millions", "thousandths", "minutes"] = parameter(
        "", title="Numbers such as 7.42m", description="What a small m behind numbers means. Empty: such columns are left out."
    )
    dates: Literal["", "day first", "month first"] = parameter(
        "", title="Dates such as 03/04/2026", description="Which number is the day. Empty: only if the dates themselves show it."
    )
    min_mean: float = parameter(
        MIN_MEAN, title="Minimum mean", description="HEMs with a mean at or below this are dropped and listed.", ge=0, le=1e15,
        step=10.0, unit="counts per run",
    )  # fmt: skip
    n_pmcs: int | None = parameter(
        None, title="HEMs per subexperiment (n_pmcs)", description="Columns per subexperiment. Empty: guessed.", ge=1, le=1_000
    )
    counters: str = parameter(
        "", title="Counters of phases", description="Of a format of phases: the columns that are counters. Empty: guessed.", longest=10_000
    )
    settled: tuple[str, ...] = parameter((), title="Settled", description="Questions about the guess that were answered.")
    shape: str = parameter("", title="Shape", description="The fingerprint of the files that this was made for.", longest=64)

    @model_validator(mode="after")
    def _fits(self) -> Self:
        fixed = KIND_OF_LAYOUT.get(self.layout)
        if fixed and self.kind not in ("", fixed):
            raise ValueError(f"kind: {self.kind!r} does not fit layout {self.layout!r}, which gives {fixed}. Change one of them.")
        names = [column.name for column in self.columns]
        twice = next((name for name, times in Counter(names).items() if times > 1), None)
        if twice is not None:
            raise ValueError(f"columns: {twice!r} appears more than once. Give each column one role.")
        for role in _ONCE:
            found = [column.name for column in self.columns if column.role == role]
            parts = sum(bool(level_of_column(name)) for name in found)
            if len(found) > 1 and not (role == "program" and len(found) == 2 and parts == 1):  # a program, and where in the machine
                raise ValueError(f"columns: {found[0]!r} and {found[1]!r} are both {role!r}; one column can be. Change one of them.")
        if self.units_row and self.units_row == self.header_row:
            raise ValueError(f"units_row: {self.units_row} is the header row too. Give the row below it, or 0.")
        if 0 < self.last_line <= self.first_line:
            raise ValueError(f"last_line: {self.last_line} must be below line {self.first_line}, where the table begins. Give a later one.")
        wrong = next((row for row in self.skip_rows if row < 1), None)
        if wrong is not None:
            raise ValueError(f"skip_rows: {wrong} must be at least 1; rows are counted from 1. Correct it.")
        return self

    def role_of(self, name: str) -> ColumnRole | None:
        """The role of the column `name`; None where the recipe does not name it."""
        return self._of_name.get(name)

    @cached_property
    def _of_name(self) -> dict[str, ColumnRole]:
        return {column.name: column for column in self.columns}

    def to_json(self) -> str:
        """The recipe as JSON, without what is at its default."""
        return self.model_dump_json(exclude_defaults=True)


class TableOptions(Params):
    """The options of the formats of plain tables: a recipe."""

    recipe: str = parameter(
        "", title="Recipe", description="An ImportRecipe as JSON, from the preview of the import. Empty: guessed.", longest=10_000_000
    )


def recipe_of(given: ImportRecipe | Mapping[str, object] | str) -> ImportRecipe:
    """A recipe from a recipe, its fields, or its JSON. Raises ParameterError, one sentence, for anything else."""
    if isinstance(given, ImportRecipe):
        return given
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except (ValueError, RecursionError) as error:
            raise ParameterError(f"recipe: not JSON ({error}). Give what ImportRecipe.to_json wrote.") from None
    if not isinstance(given, Mapping) or not all(isinstance(name, str) for name in given):
        raise ParameterError(f"recipe: a {type(given).__name__}; it must be an ImportRecipe, its fields by name, or its JSON.")
    fields: dict[str, Any] = dict(given)
    return ImportRecipe(**fields)
