"""Files of one shape by the hundred: where two of them read the long way as in one pass, the others are read in one pass."""

from collections.abc import Hashable

from hemcore.datasets.importing.footers import has_open_end
from hemcore.datasets.importing.one_pass.number_tables import Headed, ends_in_sums, headed
from hemcore.datasets.importing.parts import Part, read_part, told_of_head
from hemcore.datasets.importing.raw_grid import HEAD_BYTES, HEAD_ROWS, RawGrid, rows_of_lines
from hemcore.datasets.importing.recipe import ImportRecipe
from hemcore.datasets.readers.decoding import text_of
from hemcore.datasets.readers.letters.encodings import note_of_letters
from hemcore.datasets.readers.number_marks import note_of_commas
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.errors import HemError


class AlikeParts:
    """Reads one file after the other as parts.read_part does. recipe, limit: as there."""

    def __init__(self, recipe: ImportRecipe, *, limit: int | None = HEAD_BYTES) -> None:
        self._recipe, self._limit = recipe, limit
        self._once: set[Hashable] = set()
        self._known: dict[Hashable, Part | None] = {}
        self._may_be = not (recipe.skip_rows or recipe.first_line or recipe.last_line)

    def read(self, file: UploadedFile) -> Part:
        """As read_part, whose errors it raises."""
        found = headed(file) if self._may_be else None
        if found is None:
            return read_part(file, self._recipe, limit=self._limit)
        known = self._known.get(found.key)
        if known is not None and (quick := _in_one_pass(file, found, known, self._limit)) is not None:
            return quick
        part = read_part(file, self._recipe, limit=self._limit)
        if found.key not in self._once:
            self._once.add(found.key)
        elif found.key not in self._known:
            quick = _in_one_pass(file, found, part, self._limit)
            self._known[found.key] = part if quick is not None and _are_one(quick, part) else None
        return part


def _in_one_pass(file: UploadedFile, found: Headed, like: Part, limit: int | None) -> Part | None:
    """`file` as its fellow `like` was read; None where it needs a closer look."""
    table, first = found.table, like.found.first
    told_apart = (len(table.numbers[0]), table.separator, table.first) == (len(like.names), like.grid.separator, first + 1)
    if not told_apart or ends_in_sums(table.numbers):
        return None
    try:
        rows, lines = rows_of_lines(text_of(file.name, found.head, remedy=""), table.separator)
    except HemError:
        return None
    shared = tuple(old if old == new else new for old, new in zip(like.grid.rows, rows, strict=False))
    if len(shared) != first:
        return None
    whole = first + len(table.numbers) <= HEAD_ROWS
    letters = note_of_letters(file.name, file.encoding)
    grid = RawGrid(file.name, "", table.separator, (*shared, ("1",) * len(like.names)), (*lines, first), whole, notes=tuple(letters))
    notes = letters + [note_of_commas(file.name, table.proof)] * (table.decimal == ",")
    told = told_of_head(file.name, like.found, shared)
    return Part(file.name, grid, like.found, like.names, table, table.decimal, told, notes, ends_open=has_open_end(file, limit))


def _are_one(quick: Part, part: Part) -> bool:
    """Whether both say the same of one file."""
    heads = [(each.grid.rows[: part.found.first], each.grid.whole, each.grid.notes, each.grid.blanks) for each in (quick, part)]
    said = [(each.repairs, each.notes, each.units, each.decimal, each.ends_open, list(each.rows)) for each in (quick, part)]
    cells = all(list(quick.column(place)) == list(part.column(place)) for place in range(len(part.names)))
    return cells and heads[0] == heads[1] and said[0] == said[1]
