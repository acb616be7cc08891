"""One file or sheet as named columns of texts: header found, rows that are no data left out and listed, numbers written plainly."""

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.datasets.importing.footers import has_open_end, without_cut_line, without_footers, without_remarks, without_rows
from hemcore.datasets.importing.guessing.cut_prints import check_not_cut_short
from hemcore.datasets.importing.guessing.merged_cells import without_merged
from hemcore.datasets.importing.guessing.row_kinds import is_header_again, short_rows, told_short
from hemcore.datasets.importing.guessing.subtotal_rows import without_subtotals
from hemcore.datasets.importing.guessing.table_lines import only_lines
from hemcore.datasets.importing.header_search import FoundTable, find_table, usual_table
from hemcore.datasets.importing.header_words import meaning_of
from hemcore.datasets.importing.one_pass.number_tables import NumbersAlone, ends_in_sums, numbers_alone
from hemcore.datasets.importing.one_pass.packed_cells import PackedCells, packed
from hemcore.datasets.importing.raw_grid import HEAD_BYTES, HEAD_ROWS, RawGrid, body_of, filled_up, first_row, grid_of, numbers_of
from hemcore.datasets.importing.recipe import ImportRecipe
from hemcore.datasets.importing.units.cell_kinds import plain_columns
from hemcore.datasets.importing.units.count_scales import are_scaled, multiplied
from hemcore.datasets.importing.units.united_columns import columns_without_units
from hemcore.datasets.importing.units.united_numbers import FEW
from hemcore.datasets.readers.decoding import lines_of
from hemcore.datasets.readers.letters.encodings import note_of_letters
from hemcore.datasets.readers.number_marks import decimal_sign, note_of_commas
from hemcore.datasets.readers.repairs import Repair
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.errors import ReadError
from hemcore.events.hardware_tree import is_momentary

_BEGINNING = 12  # rows of which it is known how they begin
_JUDGED = 2_000  # lines that say what the decimal sign is
_ANNOTATIONS = ("#group", "#datatype", "#default")  # of InfluxDB, above each table
# Of samplers without a time: turbostat, nvidia-smi dmon, intel_gpu_top, dstat, collectl, dcgmi dmon, iostat -c and -x, pcm-pcie.
_SAMPLED = (
    {"Avg_MHz", "Bzy_MHz"},
    {"pwr", "sm", "mclk"},
    {"usr", "sys", "idl"},
    {"inter", "ctxsw"},
    {"requested", "actual"},
    {"SMACT"},
    {"%user", "%idle"},
    {"r/s", "w/s", "%util"},
    {"PCIeRdCur", "ItoM"},
)
_NAMED = "the word under the header read as the name of the first column, as pandas writes that of its index"
_PER_READING = 100  # bytes of a row that is one reading, beside those of every row: it is put in order before the table is made
_GROUP = re.compile(r"-+[^\W\d_][\w/-]*-+")


@dataclass(frozen=True, eq=False)
class Part:
    """A file or sheet.

    names: of the columns; one name may come again; columns without a name and a value are gone. cells: as `texts`, packed, or numbers
    alone. decimal: the sign that its numbers prove, "" where none does. repairs, notes: what was left out or changed. units: those that
    the cells of a column had, by its name. ends_open: whether the file ends without an end of line.
    """

    name: str
    grid: RawGrid
    found: FoundTable
    names: tuple[str, ...]
    cells: pd.DataFrame | NumbersAlone | PackedCells
    decimal: str = ""
    repairs: list[Repair] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    units: dict[str, str] = field(default_factory=dict)
    ends_open: bool = False

    @cached_property
    def _few(self) -> dict[int, pd.Series]:
        return {}

    @property
    def texts(self) -> pd.DataFrame:
        """The cells as texts: column i is names[i]; the index is the row's number, from 1. Packed or numbers alone, they are made anew."""
        return self.cells if isinstance(self.cells, pd.DataFrame) else self.cells.texts()

    @property
    def rows(self) -> pd.Index:
        """The numbers of the rows in the file, from 1."""
        return self.cells.index

    @property
    def is_numbers_alone(self) -> bool:
        """Whether each cell is a number of at least 0."""
        return isinstance(self.cells, NumbersAlone)

    @cached_property
    def _plain(self) -> dict[Hashable, NDArray[np.float64]]:
        return plain_columns(self.cells) if isinstance(self.cells, pd.DataFrame) else {}

    def _plain_at(self, place: int) -> NDArray[np.float64] | None:
        cells = self.cells
        return self._plain.get(cells.columns[place]) if isinstance(cells, pd.DataFrame) else cells.plain(place)

    def unit_cell(self, place: int) -> str:
        """The cell of the units row over column `place`; "" without one."""
        position = int(self.cells.columns[place])
        return self.found.unit_cells[position] if position < len(self.found.unit_cells) else ""

    @property
    def is_sampled(self) -> bool:
        """Whether a row is an interval, although it has no time: what vmstat, dstat, turbostat, collectl, nvidia-smi and DCGM print."""
        return self.is_vmstat or any(columns <= {name.rpartition(" ")[2] for name in self.names} for columns in _SAMPLED)

    @property
    def is_vmstat(self) -> bool:
        """Whether the row above the header names groups between dashes ("---memory---")."""
        above = self.grid.rows[self.found.header - 1] if self.found.header > 0 else ()
        return sum(_GROUP.fullmatch(cell) is not None for cell in above) > 1

    def column(self, place: int) -> pd.Series:
        """The texts of column `place`."""
        return self.cells.iloc[:, place] if isinstance(self.cells, pd.DataFrame) else self.cells.column(place)

    def numbers(self, place: int) -> pd.Series:
        """numbers_of column `place`. Of a few rows they are kept, since such a file may have thousands of columns."""
        known = self._plain_at(place)
        if known is not None:
            return pd.Series(known, index=self.rows, copy=False)
        if len(self.rows) > FEW:
            return numbers_of(self.column(place))
        if place not in self._few:
            self._few[place] = numbers_of(self.column(place))
        return self._few[place]

    def is_plain(self, place: int) -> bool:
        """Whether each cell of column `place` is a number or says that there is none; False where that is not known, as of a long table."""
        return self._plain_at(place) is not None

    def plain_counts(self, places: Sequence[int]) -> NDArray[np.float64] | None:
        """The columns, shape (rows, places), where every cell is a count or says that there is none (NaN); else None."""
        if isinstance(self.cells, NumbersAlone):
            first, after = places[0], places[-1] + 1
            return self.cells.numbers[:, slice(first, after) if list(places) == list(range(first, after)) else places]
        found = [column for place in places if (column := self._plain_at(place)) is not None]
        if len(found) < len(places):
            return None
        counts = np.column_stack(found)
        return counts if bool((np.isnan(counts) | (np.isfinite(counts) & (counts >= 0))).all()) else None

    def is_momentary(self, name: str) -> bool:
        """Whether column `name` holds states at moments, by its name, the unit of its cells, or the row of units: no cumulative counter."""
        place = self._places.get(name, -1)
        units = [self.units.get(name, ""), self.unit_cell(place).strip("[]()") if place >= 0 else ""]
        return is_momentary(name) or any(unit and is_momentary(f"[{unit}]") for unit in units)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: place for place, name in reversed(list(enumerate(self.names)))}

    def forget_cells(self) -> None:
        """Let go of the cells, of which the table was made; the numbers of the rows stay."""
        self.__dict__.pop("_plain", None)
        self.__dict__.pop("_few", None)
        if not isinstance(self.cells, NumbersAlone):
            object.__setattr__(self, "cells", pd.DataFrame(index=self.cells.index))

    def in_little_memory(self) -> "Part":
        """The same of a small table, but for the rows below the first few: only how these begin is kept."""
        cells = packed(self.cells, self._plain) if isinstance(self.cells, pd.DataFrame) and len(self.rows) <= FEW else None
        if cells is None:
            return self
        head, body = self.grid.rows[: self.found.first], self.grid.rows[self.found.first :][:_BEGINNING]
        rows = (*head, *((row[:1] + ("",) * (len(row) - 1)) for row in body))
        return replace(self, cells=cells, grid=replace(self.grid, rows=rows, lines=self.grid.lines[: len(rows)]))

    def where(self, place: int) -> str:
        """ "f.csv, column 'a'", for messages."""
        return f"{self.name}, column {self.names[place]!r}"


def read_part(file: UploadedFile, recipe: ImportRecipe, *, limit: int | None = HEAD_BYTES) -> Part:
    """`file` as `recipe` says, what it leaves open as found. limit: bytes of its beginning to look at, None = all.

    Raises ReadError where there is no table in it or a row does not fit.
    """
    if recipe.first_line or recipe.last_line:
        file = only_lines(file, recipe.first_line, recipe.last_line, recipe.skip_rows)
    if (quick := _of_numbers_alone(file, recipe, limit)) is not None:
        return quick
    check_not_cut_short(file)
    grid = grid_of(file, recipe.delimiter, limit=limit)
    if not grid.whole and not grid.remarks:  # in another form, they may be numbers alone
        quick = _of_numbers_alone(UploadedFile(file.name, grid.text.encode(errors="replace")), recipe, limit)
        if quick is not None:
            return replace(quick, notes=[*grid.notes, *quick.notes], ends_open=has_open_end(file, limit))
    found = find_table(grid, recipe)
    start = grid.lines[found.first] if found.first < len(grid.lines) else 0
    beginning = "".join(islice(lines_of(grid.text, ends=True), start, start + _JUDGED))
    decimal = recipe.decimal or decimal_sign(f"x\n{beginning}", grid.separator)
    texts, notes = body_of(grid, found.first, found.names, decimal, per_row=_PER_READING if recipe.layout == "long" else 0)
    short = short_rows(grid, found.first, texts)
    grid, notes = replace(grid, text=""), [*grid.notes, *notes]  # the rows have the text now
    repairs = told_of_head(file.name, found, grid.rows)
    repairs += [Repair(file.name, "", f"a remark between the rows, left out: {remark[:60]!r}", 1) for remark in grid.remarks]
    repairs += _lines_alone(file.name, recipe, len(texts))
    texts = without_rows(texts, list(recipe.skip_rows), repairs, file.name, "skipped, as chosen")
    names = list(found.names)
    above = [filled_up(row, len(names)) for row in grid.rows[: found.first] if len(row) > 1]
    if found.header_rows == 1:
        known = {row[1:] for row in (*above, tuple(names))}
        alike = texts[texts[1].isin({row[0] for row in known})] if len(names) > 1 else texts
        maybe = [row for row in alike.itertuples(name=None) if row[2:] in known] if len(alike) else []  # it takes its time for each column
        again = [int(number) for number, *row in maybe if any(is_header_again(tuple(row), other) for other in (*above, tuple(names)))]
        texts = without_rows(texts, again, repairs, file.name, "the header again, left out")
    titled = texts[0][texts[0].str.endswith(":")]
    means = [row for row, cell in zip(titled.index.tolist(), titled, strict=True) if meaning_of(cell.rstrip(":")).role == "summary"]
    texts = without_rows(texts, means, repairs, file.name, "sums or means of the rows above ('Average:' and such), left out")
    places = [place for place, name in enumerate(names) if meaning_of(name).role == "place"]
    machine = texts[places].isin(("-", "-1", "all", "ALL")).all(axis=1) if places else texts[0] == "\0"  # mpstat's all, sadf's -1
    if bool(machine.any()) and not bool(machine.all()):  # as turbostat writes them, too
        texts = without_rows(texts, texts.index[machine].tolist(), repairs, file.name, "of the whole machine, left out: its parts are read")
    if bool((other := texts[0].isin(_ANNOTATIONS)).any()):
        raise ReadError(
            f"{file.name}, row {first_row(other)}: a second table with other columns begins ({texts[0][other].iloc[0]})."
            " Export each measurement by itself, or cut the file here, and send both files."
        )
    texts = without_cut_line(texts, repairs, file.name) if (ends_open := has_open_end(file, limit)) else texts
    texts = without_subtotals(without_remarks(texts, repairs, file.name), repairs, file.name)
    texts = without_footers(texts, repairs, file.name)
    repairs += told_short(file.name, texts.index.intersection(short).tolist(), blanks=grid.blanks)
    kept = [place for place, name in enumerate(names) if name or bool((texts[place] != "").any())]
    full = tuple(names[place] if names[place] or place == kept[0] else f"column {place + 1}" for place in kept)
    unnamed = [name for name, place in zip(full, kept, strict=True) if not names[place] and name]
    notes += [f"{file.name}: {name} has no name in the header and is called {name!r}." for name in unnamed]
    if texts.empty:
        raise ReadError(f"{file.name}: a header and no row of data. Leave the file out, or send it with its data.")
    units: dict[str, str] = {}
    texts, full = multiplied(without_merged(texts[kept], full, repairs, file.name), full, found.unit_cells, decimal, repairs, file.name)
    texts = columns_without_units(texts, full, recipe.but(decimal=decimal), repairs, file.name, units)
    part = Part(file.name, grid, found, full, texts, decimal, repairs, notes, units, ends_open)
    if part.is_vmstat or any(name.startswith("avg-cpu ") for name in full):
        tool = "vmstat" if part.is_vmstat else "iostat"
        notes.append(f"{file.name}: the first row of {tool} holds means since the machine started (without -y); skip it if it stands out.")
    return part


def told_of_head(name: str, found: FoundTable, rows: Sequence[tuple[str, ...]]) -> list[Repair]:
    """What is said of the rows above the data. rows: of the file `name`, from its first on."""
    told = [Repair(f"{name}, row {found.rows_named + 1}", found.names[0], _NAMED, 1)] * (found.rows_named >= 0)
    told += [
        Repair(f"{name}, row {row + 1}", "", f"{where} the header, skipped: {' | '.join(filter(None, rows[row]))[:80]!r}", 1)
        for row, where in ((row, "above" if row < found.header else "below") for row in found.skipped)
    ]
    if found.units >= 0:
        told.append(Repair(f"{name}, row {found.units + 1}", "", "row of units: used for times, k, M, G and names, not as data", 1))
    return told


def _lines_alone(name: str, recipe: ImportRecipe, rows: int) -> list[Repair]:
    """What says that only some lines are the table, where that is so."""
    lines = f"lines {max(recipe.first_line, 1)} to {recipe.last_line or 'the end'}"
    return [Repair(name, "", f"{lines} are the table, the others are left out", rows)] * bool(recipe.first_line or recipe.last_line)


def _of_numbers_alone(file: UploadedFile, recipe: ImportRecipe, limit: int | None) -> Part | None:
    """`file` where it is a header and numbers and nothing else; of its grid, the first two rows. None for any other."""
    told = recipe.header_row or recipe.header_rows != 1 or recipe.units_row or recipe.skip_rows or recipe.decimal == ","
    if told or (limit is not None and file.size > limit):
        return None
    if (table := numbers_alone(file)) is None or recipe.delimiter not in ("", table.separator) or ends_in_sums(table.numbers):
        return None
    if (recipe.decimal and table.decimal == ",") or are_scaled(table.names) or (found := usual_table(table.names)) is None:
        return None
    grid = RawGrid(file.name, "", table.separator, (table.names, ("1",) * len(table.names)), (0, 1), len(table.numbers) < HEAD_ROWS)
    notes = note_of_letters(file.name, file.encoding) + [note_of_commas(file.name, table.proof)] * (table.decimal == ",")
    repairs = _lines_alone(file.name, recipe, len(table.numbers))
    return Part(
        file.name, grid, found, found.names, table, recipe.decimal or table.decimal, repairs, notes, ends_open=has_open_end(file, limit)
    )
