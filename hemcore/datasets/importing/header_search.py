"""Where the table is in a sheet or file: titles above it, its header in one or two rows, a row of units, and where its data begin."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, pairwise

from hemcore.datasets.importing.date_times import kind_of
from hemcore.datasets.importing.guessing.row_kinds import is_data, is_header_again, is_part_of_data, is_units
from hemcore.datasets.importing.header_rows import has_second_header, is_grouped, is_header, is_level, joined, names_rows
from hemcore.datasets.importing.header_words import meaning_of, plain
from hemcore.datasets.importing.raw_grid import RawGrid
from hemcore.datasets.importing.recipe import ImportRecipe
from hemcore.datasets.importing.units.cell_kinds import is_missing, is_reading
from hemcore.datasets.readers import decoding
from hemcore.datasets.readers.reading_limits import MOST_COLUMNS
from hemcore.errors import ReadError

_MOST_TITLES = 100
_LOOKED_AT = 30
_LONGEST = 1_000
_MARKS = ("#", "%", "//", ";", "!")  # of remarks, among which the names of the columns may stand
# What dashboards write in the first cell of rows above the data that say of each column how it was made.
_ATTRIBUTES = frozenset("statistic statistics stat period metricnamespace namespace region accountid aggregation dimensions".split())
# A counter as a column, and what it counted as a line above says: "cpustat -c pic0=Cycle_cnt,pic1=Instr_cnt".
_COUNTER = re.compile(r"(?:pic|pmc|pmn|fixc|ctr|cntr|counter|perfctr|pmx?evcntr|m?hpmcounter)_?\d+", re.IGNORECASE)
_COUNTED = re.compile(r"([A-Za-z]\w*)=([A-Za-z][\w.:-]*)")
_CALLED = re.compile(r"(?:columns?|fields?|header|spalten|colonnes)\s*:\s*(?=\S)", re.IGNORECASE)
NO_NAMES = "Choose the header row, or say that there is none."


class NoTableError(ReadError):
    """A file in which there is nothing like a table of counts."""


@dataclass(frozen=True, kw_only=True)
class FoundTable:
    """Rows are numbered from 0. header: the last header row, -1 for none. units: the row of units, -1 for none. first: the first of data.

    names: of the columns, "" where one has none. unit_cells: of the units row. skipped: rows above the data that are none of these.
    rows_named: the row that names the first column, under the header; -1 for none.
    """

    header: int
    header_rows: int
    units: int
    first: int
    names: tuple[str, ...]
    unit_cells: tuple[str, ...]
    skipped: tuple[int, ...]
    rows_named: int = -1


def find_table(grid: RawGrid, recipe: ImportRecipe | None = None) -> FoundTable:
    """The table of `grid`, as `recipe` says where it is, else where its rows begin to look alike.

    Raises ReadError, one sentence, where there is no row of names above rows of data.
    """
    if recipe is not None and recipe.header_row > 0:
        return _as_told(grid, recipe)
    if recipe is not None and not recipe.header_row and recipe.units_row > recipe.header_rows:
        return _as_told(grid, recipe.but(header_row=recipe.units_row - recipe.header_rows))
    if recipe is not None and recipe.header_row < 0:
        first = next((number for number, row in enumerate(grid.rows) if row and number + 1 not in recipe.skip_rows), 0)
        names = tuple(f"column {number}" for number in range(1, grid.width + 1))
        return FoundTable(header=-1, header_rows=1, units=-1, first=first, names=names, unit_cells=(), skipped=())
    first = _first_of_data(grid)
    if is_level(grid, first - 2):
        return _found(grid, first - 2, 2, -1, first)
    above = [number for number in range(first) if len(grid.rows[number])]
    units = -1
    if above and len(above) > 1 and is_units(grid.rows[above[-1]]) and is_header(grid.rows[above[-2]], 2):
        units = above.pop()
    wide = max((len(row) for row in grid.rows[first : first + _LOOKED_AT]), default=0)
    least = max(2, (wide + 1) // 2)
    headers = [number for number in reversed(above) if is_header(grid.rows[number], least)]
    headers = [number for number in headers if plain(grid.rows[number][0]) not in _ATTRIBUTES] or headers
    # Origin writes units and a remark on each column between the names and the data.
    of_index = {number + 1 for number in headers if len(grid.rows[number + 1]) > 1 and names_rows(grid, number, 1)}
    named = (each for each in headers if len(set(grid.rows[each])) > 1 and not is_units(grid.rows[each]) and each not in of_index)
    header = next(named, headers[0] if headers else None)
    if header is not None and units < 0:
        units = next((number for number in headers if number > header and is_units(grid.rows[number])), -1)
    if header is None:
        shown = " ".join(grid.rows[first][:4]) if first < len(grid.rows) else ""
        raise ReadError(f"{grid.name}: no row of column names above the first row of data (row {first + 1}, {shown[:60]!r}). {NO_NAMES}")
    two = recipe is not None and recipe.header_rows == 2 and header > 0 and len(grid.rows[header - 1]) > 1
    rows = 2 if two or is_grouped(grid, header, above) else 1
    if rows == 1 and has_second_header(grid, header, above, least):
        header = above[above.index(header) - 1]
    return _found(grid, header, rows, units, first)


@lru_cache(maxsize=256)
def usual_table(header: tuple[str, ...]) -> FoundTable | None:
    """The table of a file of this header in its first row and numbers alone below it; None where its beginning is elsewhere."""
    width = len(header)
    if width > MOST_COLUMNS:
        return None
    try:
        found = find_table(RawGrid("", "", ",", (header, *[("1",) * width] * 2), (0, 1, 2), True))
    except ReadError:
        return None
    usual = (found.header, found.header_rows, found.units, found.first, len(found.names)) == (0, 1, -1, 1, width)
    return found if usual and not found.skipped else None


def _as_told(grid: RawGrid, recipe: ImportRecipe) -> FoundTable:
    header = recipe.header_row - 2 + recipe.header_rows
    if header >= len(grid.rows) or not grid.rows[header]:
        raise ReadError(f"{grid.name}: the header row {recipe.header_row} is empty or below the end. Choose another row.")
    units, first = recipe.units_row - 1, max(header, recipe.units_row - 1) + 1
    words = [number for number in range(first, _after_words(grid, first)) if number + 1 not in recipe.skip_rows]
    if units < 0:
        units = next((number for number in words if is_units(grid.rows[number])), -1)
    while first < len(grid.rows) and (
        not grid.rows[first] or first + 1 in recipe.skip_rows or first in words
        or (first == header + 1 and names_rows(grid, header, recipe.header_rows))
    ):  # fmt: skip
        first += 1
    return _found(grid, header, recipe.header_rows, units, first)


def _after_words(grid: RawGrid, first: int) -> int:
    """The row after the rows from `first` on that hold several words and no reading; `first` where no reading follows them."""
    after = first
    while after < len(grid.rows) and (row := grid.rows[after]) and len(row) > 1 and not any(map(is_reading, row)):
        if all(map(is_missing, row)):
            break
        after += 1
    return after if after < len(grid.rows) and any(map(is_reading, grid.rows[after])) else first


def _ends_without_a_name(grid: RawGrid, header: int) -> bool:
    """Whether the header is written with an empty cell at its end, which is the place of the column without a name."""
    line = next(islice(decoding.lines_of(grid.text), grid.lines[header], None), "")
    return bool(grid.separator.strip() or grid.separator == "\t") and line.rstrip(" \r\n").endswith((grid.separator, f'{grid.separator}""'))


def _are_cells_below(grid: RawGrid, header: int, first: int) -> bool:
    """Whether the first row of data is written with as many signs between its cells as the header: the last are empty, none is lacking."""
    if grid.blanks or first >= len(grid.lines):
        return False
    lines = list(islice(decoding.lines_of(grid.text), grid.lines[header], grid.lines[first] + 1))
    return lines[0].count(grid.separator) <= lines[-1].count(grid.separator)


def _found(grid: RawGrid, header: int, rows: int, units: int, first: int) -> FoundTable:
    names = list(grid.rows[header])
    body = grid.rows[first : first + _LOOKED_AT]
    widths = [len(row) for row in body if row]
    usual = max(set(widths), key=widths.count) if widths else len(names)
    filled = [row for row in body if len(row) == usual]
    unnamed = usual == len(names) + 1 and bool(filled) and all(names) and not _ends_without_a_name(grid, header)
    if unnamed:
        names = ["", *names]  # as R writes row names, without a name over them
    if usual == len(names) - 1 and (names[0] in _MARKS or names[0].endswith(":")) and not _are_cells_below(grid, header, first):
        del names[0]  # "# t cycles", "avg-cpu: %user %idle": a mark before the names, under which nothing stands
    if grid.blanks and rows == 1 and filled and usual != len(names):
        raise ReadError(
            f"{grid.name}: row {header + 1}, {' '.join(names)[:60]!r}, has {len(names)} names and the rows below it {usual} cells: blanks"
            " part both. Put tabs or commas between the columns, or write each name without a blank."
        )
    if rows == 2:
        names = joined(grid.rows[header - 1], names)
    under = header + 1 < first and not (header + 1 == units and names and names[0])  # a unit under "Time" names nothing
    rows_named = header + 1 if under and names_rows(grid, header, rows + unnamed) else -1
    if rows_named >= 0 and names:
        names[: len(grid.rows[rows_named])] = grid.rows[rows_named]
    names += [""] * (max(widths, default=0) - len(names))
    long = next((name for name in names if len(name) > _LONGEST), None)
    if long is not None:
        raise ReadError(f"{grid.name}: a column name has {len(long):,} characters, {long[:30]!r}...; at most {_LONGEST:,}. Shorten it.")
    used = {header, header - rows + 1, units, rows_named}
    skipped = tuple(number for number in range(first) if grid.rows[number] and number not in used)
    cells = (*(grid.rows[units] if units >= 0 else ()), *[""] * len(names))[: len(names)]
    cells = (cells[0].lstrip("#%/ ") or cells[0], *cells[1:]) if cells else ()
    above = [grid.rows[number][0] for number in skipped]
    mark = next((each for each in _MARKS if names and names[0].startswith(each) and names[0].lstrip(f"{each} ")), "#")
    if names and (mark == "#" or grid.separator in ",;" or (above and all(cell.startswith(mark) for cell in above))):
        names[0] = _CALLED.sub("", names[0].lstrip(f"{mark} ")) or names[0]  # but "% time" of a profile is a share
    if names and names[0].isdigit() and [row[0] for row in filled[:3]] == [str(int(names[0]) + more) for more in (1, 2, 3)]:
        names[0] = ""  # the numbers of the rows of a sheet, its header among them
    if names and kind_of(names[0]) == "clock":
        names[0] = "time"  # sar writes the time at which it printed the header over its column of times
    names = _what_was_counted(names, [grid.rows[number] for number in skipped])
    return FoundTable(
        header=header, header_rows=rows, units=units, first=first, names=tuple(names), unit_cells=cells, skipped=skipped,
        rows_named=rows_named,
    )  # fmt: skip


def _what_was_counted(names: list[str], above: Sequence[Sequence[str]]) -> list[str]:
    """`names`, those of counters replaced by what they counted where lines above say one event for each."""
    pairs = {pair for row in above for pair in _COUNTED.findall(" ".join(row)) if _COUNTER.fullmatch(pair[0])}
    events = dict(pairs)
    if len(events) < len(pairs) or len(set(events.values())) < len(events) or not set(events) <= set(names):
        return names
    return [events.get(name, name) for name in names]


def _first_of_data(grid: RawGrid) -> int:
    """The row at which the longest stretch of rows of data begins; raises ReadError where there is none."""
    usual = _usual_width(grid.rows)
    begun, best, length, run = None, None, 0, 0
    for number, row in enumerate(grid.rows):
        if not row:
            continue
        if is_data(row, usual) and not (row[0] and plain(row[0]) in _ATTRIBUTES and _is_timed(grid, number + 1)):
            begun = number if begun is None else begun
            run += 1
        elif begun is not None and (is_part_of_data(row) or _same_header(grid, begun, row)):
            pass  # readings were lost in it, or the header comes again within the data
        else:
            begun, run = None, 0
        if run > length:
            best, length = begun, run
    best = _below_labels(grid, usual) if best is None else best
    if best is None or best > _MOST_TITLES * 4:
        raise NoTableError(f"{grid.name}: no rows of numbers under a row of names. Is it a text? Leave it out, or choose its format.")
    if best and is_units(grid.rows[best]) and is_header(grid.rows[best - 1], 2):
        rest = next((number for number in range(best + 1, len(grid.rows)) if grid.rows[number]), best)
        over = zip(grid.rows[best], grid.rows[rest], strict=False)
        if any(unit[:1].isalpha() and (is_reading(cell) or kind_of(cell)) for unit, cell in over) and not is_units(grid.rows[rest]):
            return rest  # "ms, 1, 1": units, of which some are numbers; but "a, 1" over "b, 5" is a program
    return best


def _is_timed(grid: RawGrid, number: int) -> bool:
    """Whether the row from `number` on that says something begins with a date or a time."""
    row = next((row for row in grid.rows[number:] if row), ("",))
    return plain(row[0]) in _ATTRIBUTES or kind_of(row[0]) != ""


def _below_labels(grid: RawGrid, usual: int) -> int | None:
    """The row under "program,event,unit,value", whose rows hold more words than numbers; None where no column is called a value."""
    filled = [number for number, row in enumerate(grid.rows) if row]
    for header, first in pairwise(filled[: _MOST_TITLES + 1]):
        values = [place for place, cell in enumerate(grid.rows[header]) if meaning_of(cell).role == "value"]
        rows = [grid.rows[number] for number in filled if number >= first] if len(values) == 1 else []
        if len(rows) > 1 and all(len(row) == usual and is_reading(row[values[0]]) for row in rows):
            return first
    return None


def _usual_width(rows: Sequence[Sequence[str]]) -> int:
    widths = [len(row) for row in rows if len(row) > 1]
    return max(set(widths), key=lambda width: (widths.count(width), width)) if widths else 2


def _same_header(grid: RawGrid, begun: int, row: Sequence[str]) -> bool:
    return any(is_header_again(row, other) for other in grid.rows[max(0, begun - 3) : begun])
