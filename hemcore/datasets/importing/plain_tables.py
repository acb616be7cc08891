"""Plain tables and sheets by a recipe: what it leaves open is guessed from the first rows, then the whole files are read."""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary

import pandas as pd

from hemcore.datasets.importing.built_runs import phases_of, subexperiments_of
from hemcore.datasets.importing.built_series import levels_of, places_of, series_of
from hemcore.datasets.importing.guessing import documents, role_guess
from hemcore.datasets.importing.guessing.growth import with_counters
from hemcore.datasets.importing.guessing.name_tables import with_names
from hemcore.datasets.importing.guessing.role_guess import PartGuess
from hemcore.datasets.importing.header_search import NoTableError
from hemcore.datasets.importing.header_words import are_parts, are_programs, is_continental
from hemcore.datasets.importing.one_pass.alike_parts import AlikeParts
from hemcore.datasets.importing.parts import Part
from hemcore.datasets.importing.raw_grid import HEAD_BYTES
from hemcore.datasets.importing.recipe import KIND_OF_LAYOUT, ColumnRole, ImportRecipe, Kind, Layout
from hemcore.datasets.importing.sheets.sheet_tables import note_of, single_tables
from hemcore.datasets.importing.two_tables import StatisticsError, check_counts
from hemcore.datasets.readers.format import ReadResult
from hemcore.datasets.readers.repairs import Repair, over_files, repairs_table
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.kinds import Table
from hemcore.errors import HemError, ReadError

_ROW_OF: dict[Layout, str] = {
    "intervals": "one row per interval", "runs": "one row per run", "phases": "one row per phase", "long": "one row per reading",
    "hems_as_rows": "one row per event",
}  # fmt: skip
_ALIKE = 8
_HELD = 50  # parts that are held as they were read


@dataclass(frozen=True, eq=False)
class Looked:
    """What plain tables are, from their first rows. recipe: complete. left_out: (name, why) of files that hold no data.

    asks: a sentence on what must be chosen before they are read, "" for nothing. why: what they are. tables: as single_tables has them, ()
    where they are read as they came.
    """

    parts: tuple[Part, ...]
    recipe: ImportRecipe
    left_out: tuple[tuple[str, str], ...]
    why: str
    asks: str = ""
    tables: tuple[UploadedFile, ...] = ()


# By the first file and the number of files: what it is alone does not push out what all are together.
_looked: WeakKeyDictionary[UploadedFile, dict[int, tuple[list[UploadedFile], Looked | HemError]]] = WeakKeyDictionary()


def look_at(files: Sequence[UploadedFile], recipe: ImportRecipe | None = None, *, limit: int | None = HEAD_BYTES) -> Looked:
    """What the files are, from the first `limit` bytes of each (None: all); what `recipe` leaves open is guessed.

    Without a recipe and at the usual limit the answer is remembered.

    Raises HemError, one sentence with its remedy, where they are no plain tables that belong together.
    """
    if recipe is not None or limit != HEAD_BYTES:
        return _look(files, recipe or ImportRecipe(), limit)
    if not files:
        raise ReadError("0 files. Send at least one.")
    of_first = _looked.setdefault(files[0], {})
    known = of_first.get(len(files))
    if known is None or known[0] != list(files[1:]):
        try:
            found: Looked | HemError = _look(files, ImportRecipe(), limit)
        except HemError as error:
            found = error
        # The first file must not be kept alive by its own entry.
        of_first[len(files)] = (list(files[1:]), found)
    else:
        found = known[1]
    if isinstance(found, HemError):
        raise found
    return found


def read_tables(files: Sequence[UploadedFile], recipe: ImportRecipe) -> ReadResult[Table]:
    """The table of `files` by `recipe`; what it leaves open is guessed from their first rows, as look_at does.

    The same recipe and files always give the same table. Raises as look_at, and for what is wrong further down.
    """
    looked = look_at(files, recipe)
    if looked.asks or all(part.grid.whole for part in looked.parts):
        return table_of(looked)
    left_out = {name for name, _ in looked.left_out}
    reader = AlikeParts(looked.recipe, limit=None)
    kept = (file for file in single_tables(files, looked.recipe) if file.name not in left_out)
    parts = [part if number < _HELD else part.in_little_memory() for number, part in enumerate(map(reader.read, kept))]
    return _built(with_names(parts)[0], looked.recipe, looked.left_out)


def table_of(looked: Looked) -> ReadResult[Table]:
    """The table of the rows that were looked at: of files that are not larger, what read_tables gives. Raises as that does."""
    if looked.asks:
        raise ReadError(looked.asks)
    parts = [replace(part, repairs=list(part.repairs), notes=list(part.notes)) for part in looked.parts]
    return _built(parts, looked.recipe, looked.left_out)


def shape_of(parts: Sequence[Part]) -> str:
    """The fingerprint of the shape: the same for files with the same columns, whatever their names and number."""
    shapes = sorted({part.names for part in parts})
    return hashlib.sha256(json.dumps(shapes).encode(errors="replace")).hexdigest()


def _built(parts: Sequence[Part], recipe: ImportRecipe, left_out: Sequence[tuple[str, str]]) -> ReadResult[Table]:
    kinds: dict[str, Callable[[Sequence[Part], ImportRecipe], ReadResult[Any]]]
    kinds = {"CounterSeries": series_of, "Subexperiments": subexperiments_of, "PhaseTable": phases_of}
    result: ReadResult[Table] = kinds[recipe.kind](parts, recipe)
    listed = [Repair(name, "", f"left out: {why}", 0) for name, why in left_out]
    listed += [repair for part in parts for repair in part.repairs] + _ignored(parts, recipe)
    listed, notes = over_files(listed, [note for part in parts for note in part.notes], [part.name for part in parts])
    repairs = pd.concat([repairs_table(listed), result.repairs], ignore_index=True) if listed and len(result.repairs) else (
        repairs_table(listed) if listed else result.repairs
    )  # fmt: skip
    return ReadResult(result.table, repairs, (*dict.fromkeys(notes), *result.notes))


def _ignored(parts: Sequence[Part], recipe: ImportRecipe) -> list[Repair]:
    """The columns that are not used, once each."""
    used = {"event", "share", "value", "event name", *_used_roles(recipe)}
    where: dict[tuple[str, str], list[Part]] = {}
    for part in parts:
        program = places_of(part, recipe).get("program") if recipe.kind == "CounterSeries" else None
        levels = set() if program is None else {part.names[place] for place in levels_of(part, program, recipe).values()}
        for name in dict.fromkeys(part.names):
            if name in levels:
                continue
            column = recipe.role_of(name)
            if column is not None and column.role in _used_roles(recipe) and part.names.count(name) > 1:
                where.setdefault((name, f"an earlier column has this name; one is the {column.role}"), []).append(part)
            if column is None:
                where.setdefault((name, "it is not in the recipe"), []).append(part)
            elif column.role not in used and (name or column.why):
                why = column.why or (
                    "ignored, as chosen" if column.role == "ignore" else f"a {column.role} has no place in this kind of table"
                )
                where.setdefault((name or "(no name)", why), []).append(part)
    return [
        Repair(
            found[0].name if len(found) == 1 else f"{len(found):,} files", name, f"column left out: {why}", sum(len(p.rows) for p in found)
        )
        for (name, why), found in where.items()
    ]


def _used_roles(recipe: ImportRecipe) -> set[str]:
    if recipe.kind == "Subexperiments":
        return {"run", "subexperiment", "program"}
    if recipe.kind == "PhaseTable":
        return {"program", "granularity", "load", "phase", "text", "stage", "run"}
    return {"time", "date", "interval", "length", "run", "program", "stage", "text"}


def _look(files: Sequence[UploadedFile], recipe: ImportRecipe, limit: int | None) -> Looked:
    told = recipe.tables or recipe.columns or recipe.header_row or recipe.first_line or recipe.last_line or recipe.skip_rows
    if (tables := single_tables(files, each := recipe if told else recipe.but(tables="each"))) != list(files):
        try:
            return replace(_look_at_each(tables, each, limit, note_of(files, tables)), tables=tuple(tables))
        except HemError:
            if told or len(tables) == len(files):
                raise
    return _look_at_each(files, recipe, limit)


def _look_at_each(files: Sequence[UploadedFile], recipe: ImportRecipe, limit: int | None, note: str = "") -> Looked:
    parts: list[Part] = []
    guesses: list[PartGuess] = []
    of_shape: dict[tuple[str, ...], list[PartGuess]] = {}
    left_out: list[tuple[str, str]] = []
    faults: list[tuple[UploadedFile, HemError]] = []
    reader = AlikeParts(recipe, limit=limit)
    for file in files:
        if file.name in recipe.leave_out:
            left_out.append((file.name, "as chosen"))
            continue
        try:
            part = reader.read(file)
        except HemError as error:
            faults.append((file, error))
            continue
        alike = of_shape.setdefault(part.names, [])
        parts.append(part)
        # Of a thousand runs of one shape, the first few say what their columns are.
        guesses.append(alike[0] if len(alike) >= _ALIKE else role_guess.guess(part))
        alike.append(guesses[-1])
        if len(parts) > _HELD:
            parts[-1] = part.in_little_memory()
    for file, fault in faults:
        if not parts or not documents.is_no_loss(file.name, fault, [each.name for each in files]):
            raise fault
        left_out.append((file.name, "it holds no table"))
    if not parts:
        raise ReadError("every file is left out. Tick at least one.")
    parts, named = with_names(parts)
    if named:
        left_out += named
        guesses = [role_guess.guess(part) for part in parts]
    aside = _beside_readings(parts, guesses, check=not recipe.columns)
    left_out += [(parts[number].name, why) for number, why in aside.items()]
    parts = [part for number, part in enumerate(parts) if number not in aside]
    guesses = [guess for number, guess in enumerate(guesses) if number not in aside]
    if not recipe.columns:
        recipe = recipe.but(columns=_together(parts, guesses, recipe))
    if not recipe.dates and parts[0].names[0].startswith("(PDH-CSV"):  # Windows writes these logs in one form, wherever it is
        recipe = recipe.but(dates="month first")
    if not recipe.dates and any(part.decimal == "," or part.grid.separator == ";" or is_continental(part.names) for part in parts):
        recipe = recipe.but(dates="day first")
    layout = recipe.layout or _layout_of(parts, guesses)
    recipe = recipe.but(layout=layout, kind=recipe.kind or _kind_of(layout, parts, recipe), shape=shape_of(parts))
    asks = ""
    if recipe.kind == "CounterSeries" and not (recipe.per_interval and recipe.blanks):
        recipe, asks = with_counters(parts, recipe)
    parts[0].notes.extend([f"{note}: {', '.join(part.name for part in parts)[:200]}."] if note else [])
    why = f"{'A table' if len(parts) == 1 else f'{len(parts)} tables'}: {guesses[0].why}"
    return Looked(tuple(parts), recipe, tuple(left_out), why, asks)


def _beside_readings(parts: Sequence[Part], guesses: Sequence[PartGuess], *, check: bool) -> dict[int, str]:
    """The parts, by their place, that are left out beside others, and why. check: whether each must hold counts; HemError where not."""
    found: dict[int, str] = {}
    for number, (part, guess) in enumerate(zip(parts, guesses, strict=True)):
        if documents.is_of_notes(part, guess.columns, parts):
            found[number] = "a few lines that share no column with the others"
        elif len(parts) > 1 and check and documents.is_of_statistics(part):
            found[number] = "statistics, no readings"
        elif guess.layout in ("runs", "phases") and documents.is_of_sums(part, guess.columns, [each for each in parts if each is not part]):
            found[number] = "the sums of the others, or their means"
        elif check:
            try:
                check_counts(part, guess.layout, guess.columns, parts)
            except (NoTableError, StatisticsError) as error:
                if len(parts) == 1 or not documents.is_no_loss(part.name, error, ()):
                    raise
                found[number] = "no readings"
    if len(found) < len(parts):
        return found
    if check:
        check_counts(parts[0], guesses[0].layout, guesses[0].columns, parts)
    return {}


def _together(parts: Sequence[Part], guesses: Sequence[PartGuess], recipe: ImportRecipe) -> tuple[ColumnRole, ...]:
    """One role per name over all parts; a column that is empty in one part is what it is in the others."""
    found: dict[str, ColumnRole] = {}
    for guess in guesses:
        for column in guess.columns:
            known = found.get(column.name)
            if known is None or (known.role == "ignore" and column.role != "ignore"):
                found[column.name] = column
    return tuple(found.values())


def _layout_of(parts: Sequence[Part], guesses: Sequence[PartGuess]) -> Layout:
    layouts = dict.fromkeys(guess.layout for guess in guesses)
    if len(layouts) > 1:
        said = "; ".join(
            f"{next(part.name for part, guess in zip(parts, guesses, strict=True) if guess.layout == layout)} has {_ROW_OF[layout]}"
            for layout in layouts
        )
        raise ReadError(f"{said}. Import them separately, or leave the others out.")
    return guesses[0].layout


def _kind_of(layout: Layout, parts: Sequence[Part], recipe: ImportRecipe) -> Kind:
    if layout in KIND_OF_LAYOUT:
        return KIND_OF_LAYOUT[layout]
    roles = {column.role for column in recipe.columns}
    if roles & {"time", "interval"}:
        return "CounterSeries"
    values = [column.name for column in recipe.columns if column.role == "value"]
    if _programs(parts, recipe) > 1 or (layout == "hems_as_rows" and (are_programs(values) or are_parts(values))):
        return "PhaseTable"
    names = next(column.name for column in recipe.columns if column.role == "event name")
    place = parts[0].names.index(names) if names in parts[0].names else 0
    once = parts[0].column(place).is_unique
    return "Subexperiments" if layout == "hems_as_rows" or not once or len(parts) > 1 else "CounterSeries"


def _programs(parts: Sequence[Part], recipe: ImportRecipe) -> int:
    """How many programs the first rows name."""
    name = next((column.name for column in recipe.columns if column.role == "program"), None)
    return len({text for part in parts if name in part.names for text in part.column(part.names.index(name)).unique()})
