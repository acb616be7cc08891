"""A file as rows of cells, before anything is known of them: its separator, its first rows, and its body as a frame of texts."""

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.datasets.importing.other_forms import blank_columns, json_lines
from hemcore.datasets.importing.other_forms.aligned_columns import tabbed_by_place
from hemcore.datasets.importing.other_forms.any_form import as_csv
from hemcore.datasets.importing.units.cell_kinds import are_numbers, is_missing, is_number, is_reading, missing
from hemcore.datasets.importing.units.united_numbers import FEW
from hemcore.datasets.readers import csv_text, decoding
from hemcore.datasets.readers.letters.encodings import note_of_letters
from hemcore.datasets.readers.number_marks import plain_numbers
from hemcore.datasets.readers.reading_limits import check_columns, check_memory, check_readings
from hemcore.datasets.readers.repairs import Note
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.reading_progress import passed
from hemcore.errors import ReadError

HEAD_ROWS = 400
HEAD_BYTES = 256 << 10
# Cells turned into numbers at once.
_AT_ONCE = 50_000
_PER_CELL = 26  # bytes, of a large file, until it is a number
_JUDGED = 10_000  # cells that say what separates them
SEPARATORS = (",", ";", "\t", "|", " ")
_SAID = re.compile(r'"?sep=([,;\t|])"?[ ]*(?=[\r\n]|\Z)', re.IGNORECASE)
_RULE = re.compile(r"^[ |+:=-]*(?:---|===)[ |+:=-]*$|^[ ]*\|(?:[ ]*:?-+:?[ ]*\|)+[ ]*$", re.MULTILINE)
# Bold and code of Markdown; the header of Jira and Confluence, each of whose bars is doubled.
_MARKUP = re.compile(r"\*\*|`|\\(?=[_*#~<>`-])")
_WRAPPED = re.compile(r"\b(?:np|numpy)\.(?:float|u?int)\d{1,3}\(([-+\w.]+)\)")  # as numpy 2 writes its numbers in lists
_MARKDOWN, _BARRED = re.compile(r"^[ ]*\|(?:[ ]*:?-+:?[ ]*\|)+[ ]*$", re.MULTILINE), re.compile(r"^[ ]*\|.*", re.MULTILINE)
_HEADS = re.compile(r"^(?:\|\|[^|\n]+)+\|\|[ ]*$", re.MULTILINE)
# Of DuckDB and polars: the beginning of a box, its rules, its rows of types, its bars.
_BOX = re.compile(r"\s*(?:shape: \(.*\)\s*)?[┌╭╔┏]")
_BOX_RULE = re.compile(r"^[ \t]*[┌├└╞╭╰╔╠╚┏┣┗┡┢].*$", re.MULTILINE)
_BOX_TYPES = re.compile(
    r"^[ |]*\|(?:[ ]*(?:-+|str|[iuf]\d+|double|float|u?int\w*|\w*int|varchar|bool\w*|date\w*|timestamp\w*)[ ]*\|)+[ ]*$", re.MULTILINE
)
_BARS = str.maketrans("│┆║┃", "||||")


@dataclass(frozen=True, eq=False)
class RawGrid:
    """The first rows of a file. text: of the whole file, a newline at each end of line. rows: as they are, blank ones too.

    lines: the line (from 0) at which each row begins. whole: whether these are all rows. blanks: whether blanks part the cells.
    notes: what of the file stands in no row, one sentence each. remarks: lines between the rows of data that begin with "#" and are not
    among the rows. is_corner_clear: whether the places of names show that the first cells of rows stand under no name.
    """

    name: str
    text: str
    separator: str
    rows: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]
    whole: bool
    blanks: bool = False
    notes: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    is_corner_clear: bool = False

    @property
    def width(self) -> int:
        """The cells of the widest row."""
        return max(map(len, self.rows), default=0)


def first_row(wrong: pd.Series) -> int:
    """The number of the first row that is marked; one is."""
    return int(wrong.index[int(wrong.to_numpy(dtype=bool).argmax())])


def numbers_of(texts: pd.Series) -> pd.Series:
    """The cells as float; NaN where one is none. Percentages are fractions of 100, as they are written."""
    # pandas makes an object of each cell on the way.
    parts = [_floats(texts.iloc[first : first + _AT_ONCE]) for first in range(0, max(len(texts), 1), _AT_ONCE)]
    return pd.Series(np.concatenate(parts), index=texts.index, copy=False)


def _floats(texts: pd.Series) -> NDArray[np.float64]:
    plain = np.array(pd.to_numeric(texts, errors="coerce"), dtype=float)
    if (others := np.isnan(plain)).any():
        cells = texts[others]
        plain[others] = pd.to_numeric(cells.mask(missing(cells)).str.removesuffix("%").str.strip(), errors="coerce").to_numpy(dtype=float)
    return plain


def grid_of(file: UploadedFile, separator: str = "", *, limit: int | None = HEAD_BYTES) -> RawGrid:
    """The rows of `file` among its first `limit` bytes (None: of all, and the first rows of these). separator: "" = guessed.

    Raises ReadError where it is no text or empty, or says two things of one key.
    """
    content = file.content if limit is None else json_lines.beginning(file, limit)
    is_whole = len(content) == file.size
    text = blank_columns.unquoted(decoding.text_of(file.name, content, remedy="Export it as CSV, or leave it out."))
    if separator == "aligned":
        separator, text = "\t", tabbed_by_place(text)
    if (said := _SAID.match(text)) is not None:
        separator, text = separator or said[1], text[said.end() :]
    text = _WRAPPED.sub(r"\1", text) if "np." in text or "numpy." in text else text
    notes: list[str] = []
    table = as_csv(file.name, text, notes, whole=is_whole)
    if table is not None:
        separator, text = ",", table
    if _BOX.match(text):
        text = _BOX_TYPES.sub("", _BOX_RULE.sub("", text).translate(_BARS))
    if text.lstrip()[:2] in ("+-", "=="):
        text = _RULE.sub("", text)  # a box of mysql or reStructuredText
    if text.lstrip()[:1] == "|":
        text = _HEADS.sub(lambda found: found[0].replace("||", "|"), _MARKUP.sub("", text))
    elif _MARKDOWN.search(text[:HEAD_BYTES]) is not None:  # below other words
        text = _BARRED.sub(lambda line: _MARKUP.sub("", line[0]), text)
    head = "".join(islice(decoding.lines_of(text, ends=True), HEAD_ROWS))
    bars = head.lstrip()[:1] == "|" and all(line.strip()[:1] in ("|", "") for line in decoding.lines_of(head))
    separator = separator or ("|" if bars else _separator_of(head))
    if separator == "|":
        # The rule under the header of a table in Markdown, of psql or of reStructuredText is no row.
        text = _RULE.sub("", text)
        head = "".join(islice(decoding.lines_of(text, ends=True), HEAD_ROWS))
    remarks: tuple[str, ...] = ()
    corner = separator == " " and blank_columns.names_end_over_values(text)
    if blanks := separator == " ":
        text, remarks = blank_columns.tabbed(file.name, text)  # blanks are also thousands separators; tabs are not
        separator = "\t"
        head = "".join(islice(decoding.lines_of(text, ends=True), HEAD_ROWS))
    elif "\n#" in text:
        text, remarks = blank_columns.without_remarks(text, separator)
        head = "".join(islice(decoding.lines_of(text, ends=True), HEAD_ROWS))
    rows, lines = rows_of_lines(head, separator)
    whole = is_whole and len(head) == len(text)
    check_columns(file.name, max(map(len, rows), default=0))
    notes = note_of_letters(file.name, file.encoding) + [
        note.about(file.name) if isinstance(note, Note) else f"{file.name}: {note}" for note in notes
    ]
    return RawGrid(file.name, text, separator, tuple(rows), tuple(lines), whole, blanks, tuple(notes), remarks, corner)


def body_of(grid: RawGrid, first: int, names: Sequence[str], decimal: str, *, per_row: int = 0) -> tuple[pd.DataFrame, list[str]]:
    """(the rows from row `first` (from 0) on, columns numbered, cells as texts and numbers written plainly; notes). The index is the row's
    number in the file, from 1; blank rows are left out, short rows are filled up to `names`, those of the header. per_row: as check_memory
    has it.

    Raises ReadError for a row that is too wide, as check_readings and check_memory do, and for numbers whose marks contradict each other.
    """
    width = max(len(names), 1)
    start = grid.lines[first] if first < len(grid.lines) else grid.text.count("\n") + 1
    place = 0
    for _ in range(start):
        place = grid.text.index("\n", place) + 1
    text, notes = plain_numbers(grid.name, names, "\n" * max(start - 1, 0) + "x\n" + grid.text[place:], grid.separator, decimal)
    # A text of 200 MB: what is not needed any more goes before there is another copy.
    body = text[max(start - 1, 0) + 2 :].replace("\x00", "\ufffd")
    del text
    rows = body.count("\n")
    check_readings(grid.name, rows, width)
    check_memory(grid.name, rows, width, len(body), per_cell=_PER_CELL, per_row=per_row)
    passed(len(body))
    simple = _few_cells(body, grid.separator, width + 1) if rows < FEW else None
    try:
        frame = pd.DataFrame() if simple is not None else pd.read_csv(
            csv_text.source_of(body), sep=grid.separator, header=None, names=range(width + 1), index_col=False,
            dtype=object if rows < FEW else str, keep_default_na=False, skipinitialspace=True, skip_blank_lines=False, on_bad_lines="error",
        )  # fmt: skip
    except (pd.errors.ParserError, pd.errors.EmptyDataError, ValueError) as error:
        raise ReadError(f"{grid.name}: {_too_wide(grid, first, width) or f'its rows do not fit the header ({error})'}.") from None
    del body
    if rows < FEW:
        cells = frame.fillna("").to_numpy() if simple is None else simple
        # Equal cells are one object, those of the grid's rows too: a thousand files of many columns are held at once.
        one = {cell: cell for row in grid.rows for cell in row}
        texts = [one.setdefault(cell, cell) for cell in map(str.strip, cells.ravel())]
        frame = pd.DataFrame(np.array(texts, dtype=object).reshape(cells.shape), dtype=object)
    else:
        stripped = {}
        for place in range(width + 1):
            stripped[place] = frame[place].fillna("").str.strip()
            del frame[place]
        frame = pd.DataFrame(stripped)
    if bool((frame[width] != "").any()):
        raise ReadError(f"{grid.name}: {_too_wide(grid, first, width)}.")
    frame = frame.drop(columns=width).set_axis(range(first + 1, first + 1 + len(frame)), axis=0)
    return frame[(frame != "").any(axis=1)], notes


def _few_cells(body: str, separator: str, width: int) -> NDArray[np.object_] | None:
    """The cells of a few lines without quotation marks, each row filled up to `width`; None for others, and where a row is wider: of those
    pandas says what is wrong."""
    if not body.strip("\n") or '"' in body or "\r" in body:
        return None
    rows = [line.split(separator) for line in body.removesuffix("\n").split("\n")]
    if max(map(len, rows)) > width:
        return None
    return np.array([filled_up(row, width) for row in rows], dtype=object)


def _too_wide(grid: RawGrid, first: int, width: int) -> str:
    number = 0
    try:
        for number, row in enumerate(_reader(grid.text, grid.separator), start=1):
            if number > first and len(trimmed(row)) > width:
                return f"row {number} has {len(trimmed(row))} cells, the header {width}. Correct the row, or skip it"
    except csv.Error as error:
        return f"row {number + 1} is not readable as cells ({error}). Close its quotation mark, or leave the row out"
    return ""


def rows_of_lines(head: str, separator: str) -> tuple[list[tuple[str, ...]], list[int]]:
    """(the rows of a text, without empty cells at their ends; the line, from 0, at which each begins)."""
    rows, lines, line = [], [], 0
    reader = _reader(head, separator)
    try:
        for row in reader:
            rows.append(tuple(cell.strip() for cell in trimmed(row)))
            lines.append(line)
            line = reader.line_num
    except csv.Error:
        pass  # what comes before the damage is shown; reading says where it is
    return rows, lines


def _reader(text: str, separator: str) -> Any:
    return csv.reader(decoding.lines_of(text, ends=True), delimiter=separator, skipinitialspace=True)


def trimmed(row: Sequence[str]) -> tuple[str, ...]:
    """Without the empty cells at its end."""
    end = len(row)
    while end and not row[end - 1].strip():
        end -= 1
    return tuple(row[:end])


def filled_up(row: Sequence[str], width: int) -> tuple[str, ...]:
    """With empty cells at its end up to `width`; a longer one as it is."""
    return (*row, *[""] * (width - len(row)))


def _separator_of(head: str) -> str:
    """The separator that makes the most regular table: many rows of one width, whose cells are numbers or names as a whole."""
    found: list[tuple[float, str, list[list[str]]]] = []
    for separator in SEPARATORS:
        rows = _whole_rows(head, separator)
        widths = [len(row) for row in rows]
        usual = max(set(widths), key=lambda width: (widths.count(width), width), default=0)
        if usual < 2 or max(len(trimmed(row)) for row in rows) < 2:
            continue  # it stands at the ends of rows alone
        regular = [row for row in rows if len(row) == usual]
        # Blanks also stand within names and dates: they separate only where nothing else does.
        found.append((len(regular) / len(rows) * (0.5 if separator == " " else 1.0), separator, regular[:100]))
    best, most = ",", -1.0
    for share, separator, rows in sorted(found, key=lambda each: -each[0]):
        if share * 1.2 < most:
            break  # however clean its cells are
        score = share * (0.2 + _clean(rows))
        if score > most or (score == most and SEPARATORS.index(separator) < SEPARATORS.index(best)):
            best, most = separator, score
    return best


def _clean(rows: Sequence[Sequence[str]]) -> float:
    """The share of the first cells that are readings or say that there is none. rows: all of one width."""
    judged, others = _JUDGED, 0
    for row in rows:
        row = row[:judged]
        judged -= len(row)
        others += 0 if are_numbers(row) else sum(not is_number(cell) and not is_reading(cell) and not is_missing(cell) for cell in row)
    return 1 - others / (_JUDGED - judged)


def _whole_rows(head: str, separator: str) -> list[list[str]]:
    """The rows that say something, with the empty cells at their ends. What comes before a quotation mark left open, at least."""
    rows = []
    try:
        for row in _reader(head, separator):
            if trimmed(row):
                rows.append([cell.strip() for cell in row])
    except csv.Error:
        pass
    return rows
