"""Several tables in one sheet, below or beside one another: each as a file of its own, like the sheets of a workbook."""

import csv
import io
import re
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from hemcore.datasets.importing.footers import is_summary
from hemcore.datasets.importing.guessing.across import Row, melted_rows
from hemcore.datasets.importing.guessing.two_levels import are_in_two
from hemcore.datasets.importing.header_words import is_unit, meaning_of, plain
from hemcore.datasets.importing.one_pass.number_tables import headed, numbers_alone
from hemcore.datasets.importing.other_forms import written_blocks
from hemcore.datasets.importing.other_forms.document_tables import tables_of_document
from hemcore.datasets.importing.raw_grid import HEAD_BYTES, filled_up, grid_of, trimmed
from hemcore.datasets.importing.recipe import ImportRecipe
from hemcore.datasets.importing.sheets import asides, event_sheets
from hemcore.datasets.importing.units.cell_kinds import is_missing, is_reading
from hemcore.datasets.readers.decoding import head_lines, text_of
from hemcore.datasets.readers.series.readings import begun_alike
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.errors import HemError

_LARGEST = 8 << 20  # bytes; larger files are no sheets that a person arranged
_MOST, _FEWEST_ROWS, _DEEPEST = 60, 2, 40  # the last: rows above a header
_ALIKE, _NAMED = 4, 5
_KEYS = ("time", "interval", "run", "row", "date")
_LABEL = re.compile(r"[\s_.#-]*(?:\d+|[A-Z])$")
_BARE = re.compile(r"[A-Z]|\d{1,2}")  # bare labels are those of groups that read other events


class _Table(NamedTuple):
    """rows: of the file, by number from 0, as they are in the table; all others are blank in it."""

    title: str
    rows: dict[int, Row]


def single_tables(files: Sequence[UploadedFile], recipe: ImportRecipe) -> list[UploadedFile]:
    """`files`, where the recipe says so with each table of a sheet as a file of its own."""
    if recipe.tables != "each":
        return list(files)
    alone: Counter[Hashable] = Counter()
    return list(_events_joined(files)) or [table for file in files for table in _tables_or_itself(file, alone)]


def _tables_or_itself(file: UploadedFile, alone: Counter[Hashable]) -> tuple[UploadedFile, ...]:
    """alone: by their key, how many files of numbers below one head were one table; after a few, all are."""
    found = headed(file)
    if found is None or found.begins_again:
        return tables_of(file) or tables_of_document(file) or (file,)
    if alone[found.key] >= _ALIKE:
        return (file,)
    tables = tables_of(file) or tables_of_document(file) or (file,)
    alone[found.key] += tables == (file,)
    return tables


def _events_joined(files: Sequence[UploadedFile]) -> tuple[UploadedFile, ...]:
    """The one table of files or sheets that each hold one event; () where they are none."""
    if not 1 < len(files) <= _MOST or sum(file.size for file in files) > _LARGEST:
        return ()
    read = [_rows(file) for file in files]
    names = [file.name for file in files]
    tables = [rows for rows, _ in read]
    rows = event_sheets.joined(names, tables) if all(tables) else None
    name = begun_alike(names).rstrip(" _-.") or "events.csv"
    return () if rows is None else (UploadedFile(name, _written(dict(enumerate(rows)), len(rows), read[0][1])),)


def note_of(files: Sequence[UploadedFile], tables: Sequence[UploadedFile]) -> str:
    """What single_tables did to `files`, which are not as they were."""
    if len(tables) > len(files):
        return f"{f'{len(files)} files or sheets hold' if len(files) > 1 else 'one sheet holds'} {len(tables)} tables; read"
    if len(tables) < len(files):
        return f"one table of {len(files)}"
    cut = any(melted_rows(_rows(file)[0]) is None for file, table in zip(files, tables, strict=True) if file is not table)
    if cut:
        return "what stands beside the table, as remarks or statistics, is left out"
    return "turned, so that events stand across" + "".join(map(_short_rows, files))


def _short_rows(file: UploadedFile) -> str:
    """Of a table that is turned: its rows that lack cells at their end, as the end of a sentence; "" for none."""
    rows = [(number, len(row)) for number, row in enumerate(_rows(file)[0], start=1) if any(row)]
    usual = Counter(width for _, width in rows).most_common(1)[0][0] if rows else 0
    short = [str(number) for number, width in rows if 1 < width < usual]
    return f" ({file.name}: fewer cells than in others, those at the end read as empty, in row {', '.join(short[:_NAMED])})" * bool(short)


def tables_of(file: UploadedFile) -> tuple[UploadedFile, ...]:
    """The tables in `file`, each with its title in its name and its rows where they are in the file; () where it is one table, or where it
    is not certain what they are.

    Below one another: names over two rows of data each, titles and blank rows between them and nothing else. Beside one another: parted by
    blank columns or by a time or run that comes again, or under "Run 1", "Run 2" or "Group A", "Group B" with one time or run for all.
    One table whose runs, times, cores or programs stand across is given with these below one another (see across.melted_rows).
    """
    if file.size > _LARGEST or file.head(100).lstrip()[:1] in (b"{", b"[", b""):
        return ()
    if file.size > HEAD_BYTES:
        head, _ = _rows(UploadedFile(file.name, head_lines(file.head(HEAD_BYTES), HEAD_BYTES)))
        if melted_rows(head) is None and not _beside(head) and asides.table_alone(head) is None:
            return ()  # of a large one, what comes after the beginning is not looked for
    if (numbers := numbers_alone(file)) is not None and not are_in_two(numbers.names):
        return ()
    if len(blocks := written_blocks.blocks_of(file)) > 1:
        return tuple(
            replace(block, name=name)
            for name, (_, block) in zip(written_blocks.names_of_tables(file.name, [title for title, _ in blocks]), blocks, strict=True)
        )
    rows, separator = _rows(file)
    if (melted := melted_rows(rows)) is not None:
        return (UploadedFile(file.name, _written(dict(enumerate(melted)), len(melted), separator)),)
    tables = _below(rows) or _beside(rows)
    if not tables and (alone := asides.table_alone(rows)) is not None:
        return (UploadedFile(file.name, _written(_cut(rows, *alone, "").rows, len(rows), separator)),)
    if not 1 < len(tables) <= _MOST:
        return ()
    names = written_blocks.names_of_tables(file.name, [table.title for table in tables])
    return tuple(UploadedFile(name, _written(table.rows, len(rows), separator)) for name, table in zip(names, tables, strict=True))


def _rows(file: UploadedFile) -> tuple[list[Row], str]:
    """(the rows of a text, what separates their cells); no row where they are no lines. Of HTML, LaTeX and Markdown, those of its table."""
    try:
        written = file.head(100).lstrip()[:1] in (b"<", b"\\", b"|")
        grid = grid_of(file, limit=None) if written else None
        text = grid.text if grid is not None else text_of(file.name, file.content, remedy="")
        separator = grid.separator if grid is not None else max(",;\t", key=text[:20_000].count)
        cells = csv.reader(io.StringIO(text), delimiter=separator, skipinitialspace=True)
        rows = [tuple(cell.strip() for cell in row) for row in cells] if separator in text else []
    except (HemError, csv.Error):
        return [], ","
    return (rows, separator) if len(rows) == text.count("\n") + (not text.endswith("\n")) else ([], separator)


def _written(rows: dict[int, Row], count: int, separator: str) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, lineterminator="\n")
    for number in range(count):
        cells = rows.get(number, ())
        writer.writerow(cells) if any(cells) else text.write("\n")
    return text.getvalue().encode(errors="surrogateescape")


def _below(rows: Sequence[Row]) -> list[_Table]:
    """The tables below one another; nothing where there is one, where all have the same names and no title, or where rows fit none."""
    headers = [number for number in range(len(rows)) if _is_header(rows, number)]
    if len(headers) < 2:
        return []
    names = [trimmed(rows[number]) for number in headers]
    tables, titles = [], []
    for place, header in enumerate(headers):
        end = headers[place + 1] if place + 1 < len(headers) else len(rows)
        width = len(names[place])
        last = header
        for number in range(header + 1, end):
            row = trimmed(rows[number])
            if len(row) > 1 and (len(row) > width or not (_is_data(row) or is_summary(row[0]) or all(map(is_unit, row)))):
                return []
            last = number if len(row) > 1 else last
        before = range(headers[place - 1] + 1 if place else 0, header)
        titles.append(next((row[0] for number in reversed(before) if _is_title(row := trimmed(rows[number]))), ""))
        stop = end if place + 1 == len(headers) else last + 1  # remarks below the last table are its own
        tables.append(_Table(titles[-1], {number: rows[number] for number in range(header, stop)}))
    if any(len(trimmed(row)) > 2 for row in rows[: headers[0]]) or (len(set(names)) == 1 and not all(titles)):
        return []
    if len({meaning_of(each[0]).role or plain(each[0]) for each in names}) > 1:
        return []  # what begins with a run and what begins with a host do not belong together
    return tables


def _is_header(rows: Sequence[Row], number: int) -> bool:
    """Whether a row is names over at least two rows of data; one of units may be between them."""
    row = trimmed(rows[number])
    if len(row) < 2 or len(set(row)) < len(row) or any(not cell or is_reading(cell) or is_missing(cell) for cell in row):
        return False
    under = [trimmed(each) for each in rows[number + 1 : number + 2 + _FEWEST_ROWS]]
    if under and len(under[0]) > 1 and all(map(is_unit, under[0])) and not any(map(is_reading, under[0])):
        under = under[1:]
    return len(under) >= _FEWEST_ROWS and all(1 < len(each) <= len(row) and _is_data(each) for each in under[:_FEWEST_ROWS])


def _is_data(row: Row) -> bool:
    """Whether a row has readings and one word at most."""
    words = sum(bool(cell) and not is_reading(cell) and not is_missing(cell) for cell in row)
    return words <= 1 and any(map(is_reading, row))


def _is_title(row: Row) -> bool:
    return len(row) == 1 and not is_reading(row[0])


def _beside(rows: Sequence[Row]) -> list[_Table]:
    """The tables beside one another; nothing where there is one."""
    header = next((number for number in range(min(len(rows), _DEEPEST)) if _names_columns(rows, number)), None)
    if header is None:
        return []
    names = rows[header]
    body = rows[header + 1 :]
    width = max(map(len, (names, *body[:_DEEPEST])))
    names = filled_up(names, width)
    blank = [not names[at] and not any(at < len(row) and row[at] for row in body) for at in range(width)]
    groups = _split_at(blank) if any(blank) else []
    groups = [group for group in groups if any(names[at] for at in group)]
    if len(groups) < 2 or not _begin_alike(names, groups):
        groups = _repeated(names)
    if len(groups) > 1:
        joined = len({names[at] for group in groups for at in group[1:]}) == sum(len(group) - 1 for group in groups)
        firsts = [[row[group[0]] if group[0] < len(row) else "" for row in body] for group in groups]
        if joined and all(each == firsts[0] for each in firsts):
            return []  # one table whose time is written twice
        return [_cut(rows, header, group, _title_over(rows, header, group)) for group in groups]
    return _under_labels(rows, header, names)


def _names_columns(rows: Sequence[Row], number: int) -> bool:
    """Whether a row is one of names, four at least, over a row of data; the name of the rows alone may be between them."""
    filled = [cell for cell in rows[number] if cell]
    if len(filled) < 4 or any(is_reading(cell) or is_missing(cell) for cell in filled):
        return False
    under = [row for row in map(trimmed, rows[number + 1 : number + 4]) if not _is_title(row)]
    return bool(under) and 2 * sum(map(is_reading, under[0])) > len([cell for cell in under[0] if cell]) > 1


def _split_at(blank: Sequence[bool]) -> list[list[int]]:
    groups: list[list[int]] = [[]]
    for at, none in enumerate(blank):
        if none and groups[-1]:
            groups.append([])
        elif not none:
            groups[-1].append(at)
    return [group for group in groups if group]


def _begin_alike(names: Row, groups: Sequence[Sequence[int]]) -> bool:
    """Whether each group is of two columns or more, the first of which is the time, or the run, of each."""
    roles = {meaning_of(names[group[0]]).role if names[group[0]] else "" for group in groups}
    return len(roles) == 1 and roles <= set(_KEYS) and all(len(group) > 1 for group in groups)


def _repeated(names: Row) -> list[list[int]]:
    """Groups that each begin with the name of the first column, a time or a run."""
    first = next((at for at, name in enumerate(names) if name), 0)
    if meaning_of(names[first]).role not in _KEYS or not names[first]:
        return []
    starts = [at for at, name in enumerate(names) if plain(name) == plain(names[first])]
    groups = [list(range(start, end)) for start, end in pairwise([*starts, len(names)])]
    return groups if len(groups) > 1 and all(len(group) > 1 for group in groups) else []


def _title_over(rows: Sequence[Row], header: int, group: Sequence[int]) -> str:
    above = rows[header - 1] if header else ()
    return next((above[at] for at in group if at < len(above) and above[at]), "")


def _under_labels(rows: Sequence[Row], header: int, names: Row) -> list[_Table]:
    """The groups under labels of runs or of subexperiments, each with the columns to the left of the first label."""
    above = filled_up(rows[header - 1], len(names)) if header else ()
    if len(above) > len(names):
        return []  # a label without names below it
    starts = [at for at, cell in enumerate(above) if cell and names[at] and _is_label(cell) and cell not in above[:at]]
    keys = list(range(starts[0])) if starts else []
    of_key = trimmed(rows[header + 1])
    key_names = [names[at] or above[at] or (of_key[0] if at == 0 and _is_title(of_key) else "") for at in keys]
    if len(starts) < 2 or len(keys) != 1 or any(cell and cell not in [above[at] for at in starts] for cell in above[starts[0] :]):
        return []
    groups = [[at for at in range(start, end) if names[at]] for start, end in pairwise([*starts, len(names)])]
    of_names = {tuple(names[at] for at in group) for group in groups}
    if (min(map(len, groups)) < 2 or len(of_names) == 1) and all(_BARE.fullmatch(above[start]) for start in starts):
        return []  # columns that are numbered, or have their letters; parts of names
    of_runs = {meaning_of(_LABEL.sub("", above[start])).role for start in starts} == {"run"}
    if of_runs and len(of_names) > 1:
        return []
    tables = []
    for start, group in zip(starts, groups, strict=True):
        made = _cut(rows, header, [*keys, *group], above[start], keys=len(keys))
        made.rows[header] = (*key_names, *(names[at] for at in group))
        if _is_title(of_key):
            made.rows[header + 1] = ()
        tables.append(made)
    return tables


def _is_label(cell: str) -> bool:
    labelled = _LABEL.search(cell) is not None
    return _BARE.fullmatch(cell) is not None or (labelled and meaning_of(_LABEL.sub("", cell)).role in ("run", "subexperiment"))


def _cut(rows: Sequence[Row], header: int, places: Sequence[int], title: str, *, keys: int = 0) -> _Table:
    """Columns `places` from the header on; rows without a cell in them, the first `keys` aside, are blank."""
    cut = {number: tuple(row[at] if at < len(row) else "" for at in places) for number, row in enumerate(rows) if number >= header}
    return _Table(title, {number: row for number, row in cut.items() if any(row[keys:])})
