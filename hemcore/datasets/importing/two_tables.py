"""Two tables or series in one, next to each other or among each other: their rows must not be mixed."""

import re
from collections.abc import Sequence
from itertools import pairwise

import pandas as pd

from hemcore.datasets.importing.date_times import duration_of, kind_of
from hemcore.datasets.importing.guessing.column_facts import BELOW, Facts
from hemcore.datasets.importing.guessing.layouts import DAYS
from hemcore.datasets.importing.guessing.statistics_columns import STATISTIC
from hemcore.datasets.importing.header_search import NoTableError
from hemcore.datasets.importing.header_words import meaning_of
from hemcore.datasets.importing.parts import Part
from hemcore.datasets.importing.raw_grid import first_row
from hemcore.datasets.importing.recipe import ColumnRole, ImportRecipe
from hemcore.datasets.importing.units.cell_kinds import filled
from hemcore.datasets.tables.counter_series import run_of
from hemcore.errors import ReadError

# What tells runs apart at the end of their names: "Run 1", "Run A".
_FEWEST_NUMERIC, _FEW_COLUMNS = 2, 3
# Columns of the bounds of bins, and cells such as "[2, 4)", "4 -> 7", "1K..2K".
_LOW = re.compile(r"(?:bin|bucket|range)[\W_]*(?:left|lower|low|start|from)|(?:left|lower|low)(?:[\W_]*(?:edge|bound|limit))?", re.I)
_HIGH = re.compile(r"(?:bin|bucket|range)[\W_]*(?:right|upper|high|end|to)|(?:right|upper|high)(?:[\W_]*(?:edge|bound|limit))?", re.I)
_RANGE = re.compile(
    r"[\[(]?\s*(\d+(?:\.\d+)?)\s*([KMGT])?\s*(?:,|\.\.|->|-|–|to|…)\s*(\d+(?:\.\d+)?)\s*([KMGT])?\s*[\])]?(?:\s*[nmuµ]?s)?", re.IGNORECASE
)
_PERCENTILE = re.compile(r"(?:percentage served|percentiles?|quantiles?|perzentile?|quantile|centile)(?:\W.*)?", re.IGNORECASE)
_FEWEST_BINS, _MOST_BINS = 3, 200
_WORD = r"^[^\W\d_]"
_LABEL = re.compile(r"[\s_.#-]*(?:\d+|[A-Z])$")


class SideBySideError(ReadError):
    """Two tables in one."""


class StatisticsError(ReadError):
    """A table of statistics, whose rows are no readings."""


def check_counts(part: Part, layout: str, columns: Sequence[ColumnRole], parts: Sequence[Part]) -> None:
    """Raise ReadError for one of `parts` in which no column holds several numbers, that holds statistics, two tables or two times: what it
    is cannot be guessed."""
    check_no_statistics(part)
    check_one_table(part)
    check_one_run(part)
    check_one_time(part, columns)
    check_times_read(part, columns)
    check_no_times(part, layout, columns)
    counts = [place for place, column in enumerate(columns) if column.role in ("event", "value")]
    if len(counts) >= _FEW_COLUMNS or any(int(Facts(part, place).numbers.notna().sum()) > 1 for place in counts):
        return
    if counts and len(parts) > 1 and all(other.names == part.names for other in parts):
        return  # each may be one run
    if below := [column.name for column in columns if column.why == BELOW]:
        raise NoTableError(
            f"{part.name}: {', '.join(below)[:80]} swing below 0, and what is read here are counts and readings from 0 on. Send their"
            " absolute values, or the root of their mean square per interval."
        )
    raise NoTableError(f"{part.name}: no column holds several numbers that could be counts. Choose the roles of its columns.")


def check_no_statistics(part: Part) -> None:
    """Raise StatisticsError where the rows are count, mean, std, min and so on, as describe() of pandas gives them, or correlations."""
    rows = [row[0].strip().lower() for row in part.grid.rows[part.found.first : part.found.first + 12] if row]
    if {"mean", "min", "max"} <= set(rows) and {"std", "sd", "stddev"} & set(rows):
        raise StatisticsError(
            f"{part.name}: its rows are statistics ({', '.join(rows[:4])} ...), as describe() of pandas gives them, not readings."
            " Send the table that they were made of."
        )
    _check_no_correlations(part)
    _check_no_bins(part)
    _check_no_percentiles(part)


def _check_no_percentiles(part: Part) -> None:
    """Raise StatisticsError where a column of percentiles goes up from row to row within 0 to 100, and all other numbers with it."""
    place = next((place for place, name in enumerate(part.names) if _PERCENTILE.fullmatch(name.strip())), None)
    if place is None or len(part.rows) < _FEWEST_BINS:
        return
    columns = [part.numbers(each) for each in range(len(part.names))]
    if columns[place].between(0, 100).all() and all(bool((each.diff().iloc[1:] >= 0).all()) for each in columns if each.notna().all()):
        raise StatisticsError(
            f"{part.name}: its rows are percentiles ({part.names[place]}), how a value was distributed, not readings. Send the values"
            " themselves, or choose the roles of the columns."
        )


def _check_no_bins(part: Part) -> None:
    """Raise StatisticsError where each row is a range that begins where the one above ends: the bins of a histogram."""
    bounds = _bounds_of(part)
    if len(bounds) < _FEWEST_BINS or not all(low < high for low, high in bounds):
        return
    gaps = [after[0] - before[1] for before, after in pairwise(bounds)]
    if all(gap == 0 for gap in gaps) or all(gap == 1 for gap in gaps):
        raise StatisticsError(
            f"{part.name}: its rows are the bins of a histogram ({bounds[0][0]:g} to {bounds[0][1]:g}, {bounds[1][0]:g} to"
            f" {bounds[1][1]:g} ...), not readings. Send the readings that were counted, or choose the roles of the columns."
        )


def _bounds_of(part: Part) -> list[tuple[float, float]]:
    """The lower and upper bound of each row, of two columns called so or of one column of ranges; nothing where there are none."""
    low = next((place for place, name in enumerate(part.names) if _LOW.fullmatch(name)), None)
    high = next((place for place, name in enumerate(part.names) if _HIGH.fullmatch(name)), None)
    if low is not None and high is not None and low != high:
        ends = zip(part.numbers(low).tolist(), part.numbers(high).tolist(), strict=True)
        return [(float(one), float(other)) for one, other in ends]
    for place, name in enumerate(part.names):
        if part.is_plain(place) or meaning_of(name).role == "place":
            continue
        cells = part.column(place).tolist()[:_MOST_BINS]
        if not all(map(_RANGE.fullmatch, cells)):
            continue
        found = [_RANGE.fullmatch(cell) for cell in cells]
        bounds = [(_sized(each[1], each[2]), _sized(each[3], each[4])) for each in found if each is not None]
        if meaning_of(name).role not in ("time", "date") or len({high - low for low, high in bounds}) > 1:  # else intervals of time
            return bounds
    return []


def _sized(number: str, unit: str | None) -> float:
    return float(number) * 1024 ** ("KMGT".index(unit.upper()) + 1 if unit else 0)


def _check_no_correlations(part: Part) -> None:
    names = [name for name in part.names[1:] if name]
    if len(part.names) < 3 or len(part.rows) != len(names) or part.column(0).tolist() != names:
        return
    values = [part.numbers(place).to_numpy(dtype=float) for place in range(1, len(part.names))]
    if all(column[place] == 1 and abs(column).max() <= 1 for place, column in enumerate(values)):
        raise StatisticsError(
            f"{part.name}: its rows have the names of its columns and 1 where both are the same, so these are correlations, not readings."
            " Send the table that they were computed from."
        )


def check_one_table(part: Part) -> None:
    """Raise SideBySideError where another header begins among the rows of `part`: words, at least two, in columns of numbers."""
    mixed = [place for place in range(len(part.names)) if not part.is_plain(place)]
    blanks = {place: part.numbers(place).isna() for place in mixed}
    numeric = [place for place, blank in blanks.items() if 2 * int(blank.sum()) < len(blank)]
    if len(numeric) < _FEWEST_NUMERIC:
        return  # no two columns of numbers hold a word
    words = pd.Series(0, index=part.rows)
    for place in numeric:
        texts = filled(part.column(place)[blanks[place]])
        words.loc[texts.index[texts.str.contains(_WORD, regex=True).astype(bool)]] += 1
    plain = (part.numbers(place).isna() for place in range(len(part.names)) if place not in blanks)
    every = len(numeric) + sum(2 * int(blank.sum()) < len(blank) for blank in plain)
    header = (words >= _FEWEST_NUMERIC) & (2 * words > every)
    if bool(header.any()) and not bool(header.iloc[-1]):
        row = first_row(header)
        shown = ", ".join(filter(None, (str(part.column(place)[row]) for place in range(len(part.names)))))
        raise SideBySideError(
            f"{part.name}, row {row}: a second table with other columns begins ({shown[:60]}). Put each in a sheet or file of its own and"
            " send both, or skip the rows of one."
        )


def check_one_time(part: Part, columns: Sequence[ColumnRole]) -> None:
    """Raise SideBySideError where two columns of `part` have the name of its time and differ: a row would mix two instants."""
    first = next((place for place, column in enumerate(columns) if column.role == "time" and column.name), None)
    if first is None:
        return
    for place in range(first + 1, len(part.names)):
        if part.names[place] != part.names[first]:
            continue
        unlike = part.column(place) != part.column(first)
        if bool(unlike.any()):
            row = first_row(unlike)
            one, other = (str(part.column(each).loc[row]) or "empty" for each in (first, place))
            raise SideBySideError(
                f"{part.name}: two columns are called {part.names[first]!r} and differ (row {row}: {one} and {other}), so these are two"
                " tables side by side. Put each in a sheet or file of its own and send both."
            )


def check_one_run(part: Part) -> None:
    """Raise SideBySideError where the columns come in groups that are runs ("Run A", "Run B"), each with the same names."""
    if part.found.header_rows < 2:
        return
    above, names = part.grid.rows[part.found.header - 1], part.grid.rows[part.found.header]
    starts = [place for place, cell in enumerate(above) if cell and meaning_of(_LABEL.sub("", cell)).role == "run"]
    groups = [names[start:end] for start, end in pairwise([*starts, len(names)])]
    if len(groups) > 1 and len(set(groups)) == 1:
        shown = ", ".join(repr(above[start]) for start in starts[:3])
        raise SideBySideError(
            f"{part.name}: its columns come in groups of the same names ({shown}), so these are runs side by side."
            " Put one below the other, with a column 'run', or each in a file of its own and send them together."
        )


def check_told_apart(part: Part, rows: pd.DataFrame, recipe: ImportRecipe) -> None:
    """Raise ReadError where an event comes twice at one time and a column of names that is not used differs: two series would be mixed."""
    keys = ["application", "run", "time", "event"]
    twice = rows[["time", "event"]].assign(run=run_of(rows)).duplicated()  # of millions of rows, fewer texts are compared
    if not twice.any():
        return
    for place, name in enumerate(part.names):
        column = recipe.role_of(name)
        if column is None or column.role != "ignore" or bool(part.numbers(place).notna().any()):
            continue
        unlike = part.column(place).groupby([rows[key] for key in keys], sort=False).transform("nunique") > 1
        if unlike.any():
            row = first_row(unlike)
            raise ReadError(
                f"{part.name}, row {row}: {rows['event'][row]!r} comes several times at one time, with different {name!r}."
                f" Give the column that tells the series apart the role 'program', or export one series at a time."
            )


def check_times_read(part: Part, columns: Sequence[ColumnRole]) -> None:
    """Raise ReadError where a column is called a time, its cells are words with digits that are no time as far as is known, and no other
    column is the time: rows of a series would become runs.
    """
    if any(column.role in ("time", "interval", "run") for column in columns):
        return
    for place, column in enumerate(columns):
        meaning = meaning_of(column.name)
        if column.role != "ignore" or meaning.role not in ("time", "date") or column.why in (DAYS, STATISTIC):
            continue
        cells = [cell for cell in part.column(place).iloc[:20] if cell]
        if len(set(cells)) > 2 and all(re.search(r"\d" if meaning.sure else r"\d:\d\d", cell) for cell in cells):
            raise ReadError(
                f"{part.where(place)}, row {part.rows[0]}: {cells[0][:40]!r} is no time in a form that is known. Write times as 2026-03-12"
                " 14:30:00 or as seconds, or choose the roles of the columns."
            )


def check_no_times(part: Part, layout: str, columns: Sequence[ColumnRole]) -> None:
    """Raise ReadError where HEMs are rows and the columns are times ("0 s", "1 s"): no runs, but a series lying on its side."""
    values = [column.name for column in columns if column.role == "value"]
    if layout == "hems_as_rows" and all(duration_of(name) or kind_of(name) for name in values):
        raise ReadError(
            f"{part.name}: its columns are times ({', '.join(values[:3])}), so each row is a series over time."
            " Transpose the table: one column per event, one row per time."
        )
