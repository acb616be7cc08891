"""What files hold, shown before they are read: `inspect` gives a Preview with a guessed recipe, `apply` reads files by a recipe."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from hemcore.datasets.importing import tool_totals
from hemcore.datasets.importing.guessing import fault_questions
from hemcore.datasets.importing.guessing.cut_prints import CutShortError
from hemcore.datasets.importing.guessing.documents import is_called_document, is_document
from hemcore.datasets.importing.guessing.open_questions import Doubt, doubts_of
from hemcore.datasets.importing.guessing.table_lines import TableLines, tables_in
from hemcore.datasets.importing.header_search import NO_NAMES, NoTableError
from hemcore.datasets.importing.other_forms import json_lines
from hemcore.datasets.importing.parts import Part
from hemcore.datasets.importing.plain_tables import Looked, look_at, read_tables, table_of
from hemcore.datasets.importing.raw_grid import HEAD_BYTES
from hemcore.datasets.importing.recipe import ColumnRole, ImportRecipe
from hemcore.datasets.importing.results.first_rows import cut, first_lines, rows_of
from hemcore.datasets.importing.results.odd_rows import without_odd_rows
from hemcore.datasets.importing.results.result_doubts import doubts_of_result
from hemcore.datasets.readers.answers.own_answers import answer_of
from hemcore.datasets.readers.format import ReadResult
from hemcore.datasets.readers.formats import PLAIN, AnyFormat, format_of
from hemcore.datasets.readers.profilers.refused_tools import why_refused
from hemcore.datasets.readers.recognition import Match, Unpacked, unpack, why_not_recognised
from hemcore.datasets.readers.uploaded_files import UploadedFile, UploadLimits
from hemcore.datasets.tables.kinds import KINDS, Table, beginning, shape
from hemcore.datasets.tables.typed_table import Repairs
from hemcore.errors import HemError, UnclearNumbersError
from hemcore.params import Params

_PARTS_SHOWN, _RESULT_ROWS = 50, 5


@dataclass(frozen=True, kw_only=True)
class PartPreview:
    """One file or sheet as it is. rows: 30 from row `first_shown` (from 1) on, each up to 60 cells, as texts; of the first 50 files alone.
    header_row, units_row, first_row: from 1; 0 = none.

    columns: the role of each of its columns, in order; empty for a tool's format. used: whether it is read; why_not: why it is not.
    """

    name: str
    rows: tuple[tuple[str, ...], ...]
    header_row: int = 0
    header_rows: int = 1
    units_row: int = 0
    first_row: int = 0
    columns: tuple[ColumnRole, ...] = ()
    used: bool = True
    why_not: str = ""
    first_shown: int = 1


@dataclass(frozen=True, kw_only=True)
class Preview:
    """What files were recognised as, and what would come out of them.

    title, why: what they are, and why, as sentences; title is "" where nothing fits. parts: each file or sheet. recipe: as guessed, or as
    given and completed; None where nothing fits. repairs: what will be left out or changed, one sentence each. result: the table, checked;
    None where `fault`, one sentence, says why not. summary: the table in words, "1 application, 3 runs, ..."; "" without one. beginning:
    the name and first rows of its first frame. whole: whether the table is of the whole files, or of their first rows. matches: the formats
    that fit. doubts: what is not certain in the guess, as questions.
    """

    title: str
    why: str
    parts: tuple[PartPreview, ...] = ()
    recipe: ImportRecipe | None = None
    repairs: tuple[str, ...] = ()
    result: ReadResult[Table] | None = None
    summary: str = ""
    beginning: tuple[str, pd.DataFrame] | None = None
    fault: str = ""
    whole: bool = True
    matches: tuple[Match, ...] = ()
    doubts: tuple[Doubt, ...] = ()


def inspect(
    files: Sequence[UploadedFile], recipe: ImportRecipe | None = None, *, limits: UploadLimits | None = None, head: int = HEAD_BYTES
) -> Preview:
    """Look at files, archives or workbooks as they were sent: what they are, their first rows, the recipe and the table that results.

    recipe: as chosen; what it leaves open is guessed. head: bytes of each file that are looked at; larger files give the table of their
    first rows (Preview.whole is False). Never raises for what is in the files.
    """
    try:
        return inspect_unpacked(unpack(files, limits), recipe, head=head)
    except HemError as error:
        return Preview(title="", why="The files could not be opened.", fault=str(error))


def inspect_unpacked(
    unpacked: Unpacked, recipe: ImportRecipe | None = None, *, head: int = HEAD_BYTES, why_not: str = "", options: Params | None = None
) -> Preview:
    """`inspect` for files out of their archives. why_not: as why_not_recognised, where it is known. options: of the recipe's format.

    Never raises for what is in them."""
    found = _inspected(unpacked, recipe, head, why_not, options)
    unpacked.keep(found.recipe, found.result if found.whole and options is None else None)
    return found


def _inspected(unpacked: Unpacked, recipe: ImportRecipe | None, head: int, why_not: str, options: Params | None) -> Preview:
    files, matches = unpacked.files, unpacked.matches
    whole = all(file.size <= head for file in files)
    heads = tuple(file if file.size <= head else UploadedFile(file.name, json_lines.beginning(file, head), file.encoding) for file in files)
    if recipe is None and not matches and (found := _beside_documents(files)) is not None:
        recipe, matches = found
    tool = format_of(recipe.format) if recipe is not None and recipe.format else _tool(matches)
    if tool is not None and (recipe is None or recipe.format):
        return _of_tool(tool, files, heads, recipe, matches, whole, options)
    if recipe is None and not matches and any(why_refused(file, alone=len(heads) == 1) is not None for file in heads):
        refused = Preview(title="", why="", parts=_raw_parts(heads), fault=why_not or why_not_recognised(files), whole=whole)
        return replace(refused, doubts=fault_questions.refused_lines(_readable(heads[0], unpacked, head))) if len(heads) == 1 else refused
    looked_at = files if head == HEAD_BYTES else heads  # look_at takes no more of them, and knows that there is more
    try:
        looked = look_at(looked_at, recipe, limit=HEAD_BYTES if head <= HEAD_BYTES else None)
    except HemError as error:
        if recipe is None and len(heads) == 1 and not isinstance(error, CutShortError):
            within = _table_within(heads[0], unpacked, head, str(error)) or (
                _without_names(unpacked, head) if NO_NAMES in str(error) else None
            )
            if within is not None:
                return within
        known = matches or recipe is not None or not isinstance(error, NoTableError)
        fault = str(error) if known else why_not or why_not_recognised(files)
        shown = Preview(title="", why="", parts=_raw_parts(heads), recipe=recipe, fault=fault, whole=whole, matches=matches)
        if not isinstance(error, UnclearNumbersError):
            return shown
        recipe = recipe or ImportRecipe()  # what the decimal sign is can be chosen
        return replace(shown, recipe=recipe, doubts=(fault_questions.decimal_sign(recipe),))
    parts = _parts(looked, looked.tables or looked_at)
    title = f"{'A table' if len(looked.parts) == 1 else f'{len(looked.parts):,} tables'} of {KINDS[looked.recipe.kind].words}"
    shown = Preview(title=title, why=f"{looked.why}.", parts=parts, recipe=looked.recipe, whole=whole, matches=matches)
    checked = _checked(shown, looked.asks, lambda: table_of(looked))
    if checked.fault:
        doubts = fault_questions.choices(looked.recipe, looked.asks, checked.fault)
        alone = recipe is None and not doubts and len(heads) == 1
        odd = without_odd_rows(lambda other: inspect_unpacked(unpacked, other, head=head), checked.fault) if alone else None
        if odd is not None:
            return replace(odd[0], doubts=(odd[1], *odd[0].doubts))
        within = _table_within(heads[0], unpacked, head, checked.fault) if alone else None
        return within or replace(checked, doubts=doubts)
    return replace(checked, doubts=doubts_of(looked.parts, looked.recipe) or doubts_of_result(checked.result, looked.parts, looked.recipe))


def _without_names(unpacked: Unpacked, head: int) -> Preview | None:
    """Rows of numbers without names above them, with the question whether that is so; None where they cannot be read so."""
    if unpacked.files[0].content.lstrip()[:1] in (b"{", b"[", b"<"):
        return None
    shown = inspect_unpacked(unpacked, ImportRecipe(header_row=-1), head=head)
    if shown.result is None or shown.recipe is None:
        return None
    return replace(shown, doubts=(fault_questions.without_names(shown.recipe), *shown.doubts))


def _table_within(file: UploadedFile, unpacked: Unpacked, head: int, fault: str) -> Preview | None:
    """The largest table among the lines of a text that is none as a whole, with the question whether it is meant; None where none can be
    read. fault: why it is none as a whole."""
    fits: list[tuple[TableLines, Preview]] = []
    for lines in tables_in(file):
        apart = all(lines.last < other.first or lines.first > other.last for other, _ in fits)
        if apart and (shown := inspect_unpacked(unpacked, fault_questions.of_lines(lines), head=head)).result is not None:
            fits.append((lines, shown))
    if not fits or (recipe := fits[0][1].recipe) is None:
        return None
    question = fault_questions.which_lines([lines for lines, _ in fits], recipe)
    return replace(fits[0][1], why=fault, doubts=(question, *fits[0][1].doubts))


def _readable(file: UploadedFile, unpacked: Unpacked, head: int) -> list[TableLines]:
    first = tables_in(file)[:1] if not answer_of(file) else []  # an answer is not offered as readings
    return [one for one in first if inspect_unpacked(unpacked, fault_questions.of_lines(one), head=head).result is not None]


def doubts_about(unpacked: Unpacked, result: ReadResult[Table]) -> tuple[Doubt, ...]:
    """What is not certain in `result`, where the files are plain tables; nothing for what a tool wrote, and where they cannot be read."""
    if not unpacked.matches or unpacked.matches[0].key not in PLAIN:
        return ()
    try:
        looked = look_at(unpacked.files)
    except HemError:
        return ()
    return doubts_of(looked.parts, looked.recipe) or doubts_of_result(result, looked.parts, looked.recipe)


def apply(recipe: ImportRecipe, files: Sequence[UploadedFile], limits: UploadLimits | None = None) -> ReadResult[Table]:
    """The table of `files` (archives and workbooks too) by `recipe`: the same files and recipe always give the same table.

    Raises HemError, one sentence with its remedy, for files that do not fit.
    """
    return apply_unpacked(recipe, unpack(files, limits))


def apply_unpacked(recipe: ImportRecipe, unpacked: Unpacked) -> ReadResult[Table]:
    """`apply` for files out of their archives."""
    if unpacked.made is not None and unpacked.made[0] == recipe:
        return unpacked.made[1]
    if not recipe.format:
        return read_tables(unpacked.files, recipe)
    return tool_totals.as_kind(_of_format(unpacked.files, recipe), recipe.kind)


def _of_format(files: Sequence[UploadedFile], recipe: ImportRecipe, options: Params | None = None) -> ReadResult[Table]:
    """The table of a tool's files as its reader gives it; what the recipe leaves out is noted."""
    kept = [file for file in files if file.name not in recipe.leave_out]
    result = format_of(recipe.format).read_with(kept, options or recipe)
    gone = (f"{file.name}: left out: it holds no data." for file in files if file.name in recipe.leave_out)
    return result._replace(notes=(*result.notes, *gone))


def _tool(matches: Sequence[Match]) -> AnyFormat | None:
    """The format of the tool that wrote the files; None for plain tables."""
    return matches[0].format if matches and matches[0].key not in PLAIN else None


def _beside_documents(files: Sequence[UploadedFile]) -> tuple[ImportRecipe, tuple[Match, ...]] | None:
    """The recipe of files that a tool wrote and documents lie beside, which are left out; None where that is not so."""
    for suspects in (is_called_document, is_document):  # "notes.txt" beside "perf.txt", then "perf.txt" beside "perf.csv"
        documents = [file for file in files if suspects(file.name)]
        data = [file for file in files if file not in documents]
        matches = Unpacked(data).matches if documents and data else ()
        if (tool := _tool(matches)) is not None:
            return ImportRecipe(format=tool.key, leave_out=tuple(file.name for file in documents)), matches
    return None


def _of_tool(
    tool: AnyFormat, files: Sequence[UploadedFile], heads: Sequence[UploadedFile], recipe: ImportRecipe | None, matches: tuple[Match, ...],
    whole: bool, options: Params | None,
) -> Preview:  # fmt: skip
    match = next((each for each in matches if each.key == tool.key), None)
    recipe = recipe or ImportRecipe(format=tool.key)
    shown = Preview(
        title=tool.title[:1].upper() + tool.title[1:], why=f"{match.why[:1].upper()}{match.why[1:]}." if match else "As chosen.",
        parts=_raw_parts([first_lines(file) for file in heads[:_PARTS_SHOWN]]), recipe=recipe, whole=whole, matches=matches,
    )  # fmt: skip
    try:
        result = _of_format(heads, recipe, options)
    except HemError as error:
        return shown if not whole else replace(shown, fault=str(error))  # a beginning may not be readable by itself
    totals = tool_totals.are_runs_of_one_command(result.table) or tool_totals.are_sets_of_one_command(result.table, heads)
    if not recipe.kind and options is None and totals:
        recipe = recipe.but(kind="Subexperiments")
    return _checked(replace(shown, recipe=recipe), "", lambda: tool_totals.as_kind(result, recipe.kind))


def _checked(shown: Preview, asks: str, read: Callable[[], ReadResult[Table]]) -> Preview:
    if asks:
        return replace(shown, fault=asks)
    try:
        result = read()
    except HemError as error:
        return replace(shown, fault=str(error))
    shown = replace(shown, result=result, summary=shape(result.table), beginning=beginning(result.table, _RESULT_ROWS))
    return replace(shown, repairs=tuple(Repairs(frame=result.repairs, notes=result.notes).lines))


def _parts(looked: Looked, heads: Sequence[UploadedFile]) -> tuple[PartPreview, ...]:
    of_name, why = {part.name: part for part in looked.parts}, dict(looked.left_out)
    shown = []
    for raw in _raw_parts(heads):
        part = of_name.get(raw.name)
        if part is None:
            shown.append(replace(raw, used=False, why_not=why.get(raw.name, "")))
            continue
        columns = tuple(looked.recipe.role_of(name) or ColumnRole(name=name, why="it is not in the recipe") for name in part.names)
        shown.append(
            replace(
                raw, columns=columns, header_row=part.found.header + 2 - part.found.header_rows, header_rows=part.found.header_rows,
                units_row=part.found.units + 1, first_row=part.found.first + 1, **_from_line(part, looked.recipe),
            )
        )  # fmt: skip
    return tuple(shown)


def _from_line(part: Part, recipe: ImportRecipe) -> dict[str, Any]:
    """Of a table within a text, the rows as they are read."""
    first = max(recipe.first_line - 1, 0)
    return {"rows": cut(part.grid.rows[first:]), "first_shown": first + 1} if first else {}


def _raw_parts(heads: Sequence[UploadedFile]) -> tuple[PartPreview, ...]:
    return tuple(PartPreview(name=file.name, rows=rows_of(file) if place < _PARTS_SHOWN else ()) for place, file in enumerate(heads))
