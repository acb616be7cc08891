"""The rows of names above a table: which row is one, which two belong together, and the names that they give."""

from collections.abc import Sequence
from itertools import pairwise

from hemcore.datasets.importing.guessing.row_kinds import CODE
from hemcore.datasets.importing.header_words import meaning_of
from hemcore.datasets.importing.raw_grid import RawGrid, filled_up
from hemcore.datasets.importing.units.cell_kinds import is_reading


def is_header(row: Sequence[str], least: int) -> bool:
    """Whether a row holds names: at least `least` of them, most of them no readings. There may be none over names of rows."""
    filled = [cell for cell in row if cell]
    words = [cell for cell in filled if not is_reading(cell) or CODE.fullmatch(cell)]
    return (
        bool(words) and len(filled) + (not row[0]) >= least and (len(words) * 2 >= len(filled) or meaning_of(row[0]).role == "event name")
    )


def names_rows(grid: RawGrid, header: int, rows: int) -> bool:
    """Whether the row under the header names the first column, as pandas writes the name of its index: one word in the first cell, under
    no name or under a header of several rows."""
    row, above = grid.rows[header + 1], grid.rows[header]
    if not row or not all(row) or any(map(is_reading, row)):
        return False
    if len(row) > 1:  # of several columns of an index, none of which has a name in the header
        return rows == 1 and len(row) < len(above) and not any(above[: len(row)]) and all(above[len(row) :])
    of_columns = meaning_of(above[0] or "row").role == "event name" and meaning_of(row[0]).role != ""  # over it the name of the columns
    return rows > 1 or not any(above[:1]) or of_columns


def is_level(grid: RawGrid, first: int) -> bool:
    """Whether row `first` is the second level of names, as pandas writes a pivot: names that come again above, and the name
    of the rows alone below."""
    if first < 1 or len(grid.rows[first + 1]) != 1:
        return False
    above, row, below = grid.rows[first - 1 : first + 2]
    again = len(set(above)) < len(above) == len(row) and not any(map(is_reading, above))
    return again and not is_reading(row[0]) and not is_reading(below[0])


def is_grouped(grid: RawGrid, header: int, above: Sequence[int]) -> bool:
    """Whether the row above the header names groups of columns: it has blanks, and the names come again under its cells."""
    place = above.index(header)
    if not place or above[place - 1] != header - 1:
        return False
    groups = grid.rows[header - 1]
    names = filled_up(grid.rows[header], len(groups)) if grid.rows[header][:1] == ("",) else grid.rows[header]  # merged cells at both ends
    filled = [cell for cell in groups if cell]
    again = len(set(filter(None, names))) < len([name for name in names if name]) or _is_merged(groups, names)
    if again and len(filled) == len(groups) == len(names) and (names_rows(grid, header, 2) or _are_written_out(groups, names)):
        return True  # two levels of names as pandas writes them, each with a name of its own
    return again and 1 < len(filled) < len(names) and not any(map(is_reading, filled))


def has_second_header(grid: RawGrid, header: int, above: Sequence[int], least: int) -> bool:
    """Whether the row above is the header and this one describes its columns: both are full, and the row above knows more of the words."""
    place = above.index(header)
    if not place or above[place - 1] != header - 1 or not is_header(grid.rows[header - 1], least):
        return False
    upper, lower = grid.rows[header - 1], grid.rows[header]
    known_upper, known_lower = (sum(bool(meaning_of(cell).role) for cell in row if cell) for row in (upper, lower))
    longer = len(upper) - len(lower)
    remark = upper[0].startswith("#") and (longer != 0 or upper[0] == "#" != lower[0])  # above "# time cycles"
    marked = remark or (grid.blanks and longer > 1)
    return len(upper) >= len(lower) and not marked and all(upper) and known_upper >= known_lower and len(set(upper)) == len(upper)


def joined(groups: Sequence[str], names: Sequence[str]) -> list[str]:
    """ "Core 0 cycles" of the group "Core 0", which stands over its first column alone, and "cycles"; times and such as they are."""
    found, group = [], ""
    for place, name in enumerate(filled_up(names, len(groups))):
        own = groups[place] if place < len(groups) else ""
        group = own or group
        name = name or own  # "Time" of two rows of which the lower is blank
        found.append(f"{group} {name}" if group and name != own and meaning_of(name).role not in ("time", "date", "run", "row") else name)
    return found


def _are_written_out(groups: Sequence[str], names: Sequence[str]) -> bool:
    """Whether each cell of a row is the group of the name below it, as PCM writes "Socket 0" over each of its columns: only together they
    tell the columns apart, and the columns of a group stand beside each other."""
    changes = sum(one != other for one, other in pairwise(groups))
    return 1 < len(set(groups)) == changes + 1 < len(names) == len(set(zip(groups, names, strict=True)))


def _is_merged(groups: Sequence[str], names: Sequence[str]) -> bool:
    """Whether a row is of merged cells over `names`: blanks follow each that is none of a time or a run; "Host:", "node7" are none."""
    ends = [place for place, cell in enumerate(groups) if cell]
    tall = [at for at in ends if at < len(names) and not names[at]]  # merged over both rows, as "Time" is
    wide = [at in tall or meaning_of(groups[at]).role != "" or (at + 1 < len(groups) and not groups[at + 1]) for at in ends[:-1]]
    # A title stands over a time too, a group does not.
    wide += [
        meaning_of(names[at]).role not in ("time", "run", "row") or meaning_of(groups[at]).role != "" or 0 != at in tall
        for at in ends
        if at < len(names)
    ]
    over = all(map(any, zip(names, groups, strict=False))) and not any(cell.endswith(":") for cell in groups)
    return over and len(ends) > 1 and all(wide) and "" in groups[ends[0] : ends[-1]] and len(groups) <= len(names)
