"""Plain tables that need more than a header and numbers, as formats of the registry: one per kind of table, a recipe as their options."""

from collections.abc import Sequence

import numpy as np

from hemcore.datasets.importing.date_times import duration_of
from hemcore.datasets.importing.guessing.statistics_columns import STATISTIC
from hemcore.datasets.importing.one_pass.number_tables import like
from hemcore.datasets.importing.parts import Part
from hemcore.datasets.importing.plain_tables import Looked, look_at, read_tables
from hemcore.datasets.importing.recipe import ImportRecipe, Kind, TableOptions, recipe_of
from hemcore.datasets.importing.units.cell_kinds import is_missing
from hemcore.datasets.readers.format import Format, ReadResult
from hemcore.datasets.readers.phases import wide as wide_phases
from hemcore.datasets.readers.series import cumulative_csv
from hemcore.datasets.readers.series.column_roles import NOT_COUNTED, head_of
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.kinds import Table
from hemcore.errors import HemError, ReadError

# Above those of the readers of plain CSV, below those of tools.
_SCORE = 0.98
_SURE = 0.9
_OF_ROLE = {"time": "time", "run": "run", "program": "application", "interval": "interval", "stage": "stage"}
_DEFAULTS = TableOptions()


def _recognised(files: Sequence[UploadedFile], kind: Kind) -> tuple[float, str]:
    """(0.98, why) where the files are tables of `kind` that the readers of plain CSV would not read, or not as what they are; else 0."""
    if not files:
        return 0.0, ""
    looked = look_at(files)
    if looked.recipe.kind != kind or looked.asks or is_plain_csv(files, looked):
        return 0.0, ""
    told = any(part.repairs for part in looked.parts) or any(column.why == STATISTIC for column in looked.recipe.columns)
    if kind == "PhaseTable" and not told and wide_phases.recognise(files)[0] > _SURE:
        return 0.0, ""
    return _SCORE, looked.why


def is_plain_csv(files: Sequence[UploadedFile], looked: Looked) -> bool:
    """Whether the readers of plain CSV see in `files` what `looked` does: one header on top, numbers below it, and roles that they know."""
    recipe = looked.recipe
    if looked.left_out or recipe.tables or recipe.blanks == "in turns" or recipe.layout not in ("intervals", "runs"):
        return False
    if len(files) > 1 and all(len(part.rows) == 1 for part in looked.parts):
        return False  # each is a run, not a subexperiment
    for file, part in zip(files, looked.parts, strict=True):
        try:
            columns, rows = head_of(like(file))
        except HemError:
            return False
        known = {position: role for role, position in columns.roles.items()}
        for place, name in enumerate(part.names):
            column = recipe.role_of(name)
            # A named column without a value is told by their reader.
            role = "ignore" if column is None else "event" if column.why == "it is empty" else column.role
            if not name and place == 0:
                continue
            theirs = known.get(place, "event" if place in columns.events else "ignore")
            if theirs != _OF_ROLE.get(role, role) or (
                role == "time" and (column is None or _per_second(column.unit) != columns.per_second)
            ):
                return False
            if role == "interval" and not theirs:
                return False
            if role in ("time", "event") and _is_beyond(part, place):
                return False
            if role == "time" and float(part.numbers(place).iloc[-1]) < float(part.numbers(place).iloc[0]):
                return False  # the newest row stands first
        if (part.repairs and any("converted" not in repair.what for repair in part.repairs)) or part.found.header_rows > 1 or not rows:
            return False
        if (recipe.layout == "intervals") != bool(columns.roles) or part.grid.separator not in ",;\t":
            return False
        if (recipe.per_interval == "cumulative") != (cumulative_csv.recognise([file])[0] > 0):
            return False
        if recipe.per_interval == "cumulative" and any(map(part.is_momentary, part.names)):
            return False  # not all of its columns add up
        if len({len(row) for row in part.grid.rows if row}) > 1 and any(len(row) > len(part.names) for row in part.grid.rows):
            return False
    return True


def _is_beyond(part: Part, place: int) -> bool:
    """Whether a column has marks for no value, or durations with a unit, which the readers of plain CSV do not know."""
    if part.is_numbers_alone:
        return False
    if part.names[place] in part.units:
        return True  # percentages
    if not (unread := np.isnan(part.numbers(place).to_numpy())).any():
        return False
    others = part.column(place)[unread].unique().tolist()
    return any(cell and cell not in ("NA", *NOT_COUNTED) and (is_missing(cell) or duration_of(cell) is not None) for cell in others)


def _per_second(unit: str) -> float:
    return {"": 1, "s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}.get(unit, 0)


def _read(files: Sequence[UploadedFile], recipe: ImportRecipe, kind: Kind) -> ReadResult[Table]:
    if recipe.kind not in ("", kind):
        raise ReadError(f"kind: the recipe is for {recipe.kind}, the format for {kind}. Choose the format that fits the recipe.")
    layouts = {"CounterSeries": "intervals", "Subexperiments": "runs", "PhaseTable": "phases"}
    if not recipe.layout and not recipe.columns and look_at(files, recipe).recipe.kind != kind:
        recipe = recipe.but(kind=kind, layout=layouts[kind])
    return read_tables(files, recipe)


def _format(kind: Kind, key: str, title: str, example: dict[str, str]) -> Format[TableOptions]:
    def recognise(files: Sequence[UploadedFile]) -> tuple[float, str]:
        return _recognised(files, kind)

    def read(files: Sequence[UploadedFile], options: TableOptions = _DEFAULTS) -> ReadResult[Table]:
        return _read(files, recipe_of(options.recipe or "{}"), kind)

    return Format(key=key, title=title, kind=kind, options=TableOptions, example=example, recognise=recognise, read=read)


SERIES = _format(
    "CounterSeries", "table_series", "a series as people write it (titles, dates, units, comments)",
    {
        "lab.csv": "Messung vom 3. Mai;;;\nZeit (ms);Zyklen;Befehle;Bemerkung\n"
        "500;812000;640100;\n1000;808400;641000;kurz\n1500;821700;639800;\n"
    },
)  # fmt: skip
RUNS = _format(
    "Subexperiments", "table_runs", "runs as people write them (run numbers, comments, HEMs as rows)",
    {"runs.csv": "run,cycles,instructions,comment\n1,812000,640100,\n2,808400,639800,warm\n3,821700,641000,\n"},
)  # fmt: skip
PROGRAMS = _format(
    "PhaseTable", "table_programs", "totals of programs, one row each",
    {"totals.csv": "program,cycles,instructions\nfft,812000,640100\nsha,408400,339800\nqsort,921700,741000\n"},
)  # fmt: skip
