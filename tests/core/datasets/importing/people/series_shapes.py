"""Series as people have them: one row per interval, with times, dates, indices, titles, units and comments in many forms."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from tests.core.datasets.importing.people.cases import Expected, Made, Row, shape
from tests.core.datasets.importing.people.dialects import Cell, Dialect, Grid, file_of, word, workbook, written

N = 12
CYCLES = [81200 + 37 * (i * i % 11) for i in range(N)]
INSTRUCTIONS = [64010 + 91 * (i * 7 % 5) for i in range(N)]
MISSES = [214 + (i * 5 % 7) for i in range(N)]
START = datetime(2026, 3, 12, 14, 30, 0)


def events(dialect: Dialect) -> list[str]:
    return [word(key, dialect) for key in ("cycles", "instructions", "misses")]


def counts(number: int = N, shift: int = 0) -> list[list[int]]:
    return [[CYCLES[i] + shift, INSTRUCTIONS[i] + shift, MISSES[i] + shift] for i in range(number)]


def rows_of(names: Sequence[str], values: Sequence[Sequence[float | None]]) -> list[Row]:
    return [dict(zip(names, row, strict=True)) for row in values]


def keys_of(number: int = N, application: str = "qsort", run: int = 1, first: int = 1) -> list[tuple[str, int, int]]:
    return [(application, run, first + i) for i in range(number)]


def halves(number: int = N) -> list[float]:
    return [0.5 * (i + 1) for i in range(number)]


def series(dialect: Dialect, grid: Grid, **changed: object) -> Made:
    """One file "qsort" of a plain series of N intervals, as far as nothing is changed."""
    usual = {"rows": rows_of(events(dialect), counts()), "keys": keys_of(), "times": halves()}
    return [file_of("qsort", grid, dialect)], Expected(kind="CounterSeries", **{**usual, **changed})  # type: ignore[arg-type]


def plain(dialect: Dialect, time: str, times: Sequence[Cell]) -> list[list[Cell]]:
    return [[time, *events(dialect)], *([at, *row] for at, row in zip(times, counts(), strict=True))]


@shape
def time_in_s(dialect: Dialect) -> Made:
    return series(dialect, plain(dialect, word("time", dialect), halves()))


@shape
def time_in_ms(dialect: Dialect) -> Made:
    return series(dialect, plain(dialect, f"{word('time', dialect)} (ms)", [500 * (i + 1) for i in range(N)]))


@shape
def time_unit_after_underscore(dialect: Dialect) -> Made:
    return series(dialect, plain(dialect, f"{word('time', dialect)}_us", [500_000 * (i + 1) for i in range(N)]))


@shape
def title_row(dialect: Dialect) -> Made:
    return series(dialect, [[word("title", dialect)], *plain(dialect, word("time", dialect), halves())])


@shape
def title_rows_and_blank(dialect: Dialect) -> Made:
    head: Grid = [[word("title", dialect)], ["PC 7", "gcc 12"], []]
    return series(dialect, [*head, *plain(dialect, word("time", dialect), halves())])


@shape
def units_row(dialect: Dialect) -> Made:
    grid = plain(dialect, word("time", dialect), [500 * (i + 1) for i in range(N)])
    return series(dialect, [grid[0], ["ms", "-", "-", "-"], *grid[1:]])


@shape
def title_and_units_row(dialect: Dialect) -> Made:
    grid = plain(dialect, word("time", dialect), halves())
    return series(dialect, [[word("title", dialect)], [], grid[0], ["[s]", "[1]", "[1]", "[1]"], *grid[1:]])


@shape
def two_header_rows(dialect: Dialect) -> Made:
    a, b = "Core 0", "Core 1"
    names = events(dialect)[:2]
    grid: Grid = [["", a, "", b, ""], [word("time", dialect), *names, *names]]
    body = [[at, row[0], row[1], row[0] + 5, row[1] + 5] for at, row in zip(halves(), counts(), strict=True)]
    full = [f"{a} {names[0]}", f"{a} {names[1]}", f"{b} {names[0]}", f"{b} {names[1]}"]
    return series(dialect, [*grid, *body], rows=rows_of(full, [row[1:] for row in body]))


@shape
def comment_column(dialect: Dialect) -> Made:
    grid = plain(dialect, word("time", dialect), halves())
    comment = word("comment", dialect)
    texts = ["warm", "", "", "door open", *[""] * (N - 4)]
    return series(dialect, [[*grid[0], comment], *([*row, text] for row, text in zip(grid[1:], texts, strict=True))], said=(comment,))


@shape
def text_columns(dialect: Dialect) -> Made:
    grid = plain(dialect, word("time", dialect), halves())
    body = [[row[0], "node07", *row[1:], (i % 2 == 0 and "TRUE") or "FALSE"] for i, row in enumerate(grid[1:])]
    return series(dialect, [[grid[0][0], "host", *grid[0][1:], "turbo"], *body], said=("host", "turbo"))


@shape
def stage_column(dialect: Dialect) -> Made:
    grid = plain(dialect, word("time", dialect), halves())
    stages = ["init"] * 4 + ["main"] * 6 + ["end"] * 2
    body = [[row[0], stage, *row[1:]] for row, stage in zip(grid[1:], stages, strict=True)]
    return series(dialect, [[grid[0][0], word("stage", dialect), *grid[0][1:]], *body], stages=stages)


def dated(dialect: Dialect, stamps: Sequence[Cell], name: str, **changed: object) -> Made:
    """Dates 2 s apart: the times are seconds since the first, each interval ending at the next."""
    dates = [(START + timedelta(seconds=2 * i)).isoformat() for i in range(N)]
    return series(dialect, plain(dialect, name, stamps), **{"times": [2.0 * (i + 1) for i in range(N)], "dates": dates, **changed})


@shape
def date_times_iso(dialect: Dialect) -> Made:
    return dated(dialect, [(START + timedelta(seconds=2 * i)).isoformat() for i in range(N)], word("timestamp", dialect))


@shape
def date_times_with_zone(dialect: Dialect) -> Made:
    stamps = [(START + timedelta(seconds=2 * i, hours=1)).isoformat() + "+01:00" for i in range(N)]
    return dated(dialect, stamps, word("timestamp", dialect))


@shape
def date_times_utc_milliseconds(dialect: Dialect) -> Made:
    stamps = [(START + timedelta(seconds=2 * i)).isoformat(timespec="milliseconds") + "Z" for i in range(N)]
    return dated(dialect, stamps, "time")


@shape
def date_times_of_the_country(dialect: Dialect) -> Made:
    form = {"en": "%Y-%m-%d %H:%M:%S", "de": "%d.%m.%Y %H:%M:%S", "fr": "%d/%m/%Y %H:%M:%S"}[dialect.language]
    return dated(dialect, [(START + timedelta(seconds=2 * i)).strftime(form) for i in range(N)], word("date", dialect))


@shape
def date_times_american(dialect: Dialect) -> Made | None:
    stamps = [(START + timedelta(days=5, seconds=2 * i)).strftime("%m/%d/%Y %I:%M:%S %p") for i in range(N)]
    dates = [(START + timedelta(days=5, seconds=2 * i)).isoformat() for i in range(N)]
    return dated(dialect, stamps, "Date/Time", dates=dates) if dialect.language == "en" else None


@shape
def date_cells(dialect: Dialect) -> Made | None:
    stamps = [START + timedelta(seconds=2 * i) for i in range(N)]
    return dated(dialect, stamps, word("timestamp", dialect)) if dialect.is_workbook else None


@shape
def date_and_clock(dialect: Dialect) -> Made:
    form = {"en": "%Y-%m-%d", "de": "%d.%m.%Y", "fr": "%d/%m/%Y"}[dialect.language]
    stamps = [START + timedelta(seconds=2 * i) for i in range(N)]
    body = [[at.strftime(form), at.strftime("%H:%M:%S"), *row] for at, row in zip(stamps, counts(), strict=True)]
    grid = [[word("date", dialect), word("clock", dialect), *events(dialect)], *body]
    dates = [at.isoformat() for at in stamps]
    return series(dialect, grid, times=[2.0 * (i + 1) for i in range(N)], dates=dates)


def epoch(dialect: Dialect, scale: int) -> Made:
    first = 1_773_325_800  # 2026-03-12 14:30:00 UTC
    return dated(dialect, [(first + 2 * i) * scale for i in range(N)], word("timestamp", dialect))


@shape
def epoch_s(dialect: Dialect) -> Made:
    return epoch(dialect, 1)


@shape
def epoch_ms(dialect: Dialect) -> Made:
    return epoch(dialect, 1_000)


@shape
def epoch_us(dialect: Dialect) -> Made | None:
    return None if dialect.is_workbook else epoch(dialect, 1_000_000)


@shape
def epoch_ns(dialect: Dialect) -> Made | None:
    return None if dialect.is_workbook else epoch(dialect, 1_000_000_000)


@shape
def years(dialect: Dialect) -> Made:
    grid = plain(dialect, word("year", dialect), [1899 + i for i in range(N)])
    return series(dialect, grid, keys=keys_of(first=1899), times=None, unit="year")


@shape
def bare_index(dialect: Dialect) -> Made:
    grid = plain(dialect, word("index", dialect), list(range(100, 100 + N)))
    return series(dialect, grid, keys=keys_of(first=100), times=None)


@shape
def runs_of_intervals(dialect: Dialect) -> Made:
    body: list[list[Cell]] = [[run, 0.5 * (i + 1), *counts(4, shift=run)[i]] for run in (1, 2, 3) for i in range(4)]
    keys = [key for run in (1, 2, 3) for key in keys_of(4, run=run)]
    rows = rows_of(events(dialect), [row[2:] for row in body])  # type: ignore[misc]
    grid = [[word("run", dialect), word("time", dialect), *events(dialect)], *body]
    return series(dialect, grid, keys=keys, rows=rows, times=halves(4) * 3)


@shape
def programs_and_runs(dialect: Dialect) -> Made:
    pairs = [("fft", 1), ("fft", 2), ("sha", 1)]
    body: list[list[Cell]] = [[program, run, 0.5 * (i + 1), *counts(4, run)[i]] for program, run in pairs for i in range(4)]
    keys = [key for program, run in pairs for key in keys_of(4, program, run)]
    rows = rows_of(events(dialect), [row[3:] for row in body])  # type: ignore[misc]
    grid = [[word("program", dialect), word("iteration", dialect), word("time", dialect), *events(dialect)], *body]
    return series(dialect, grid, keys=keys, rows=rows, times=halves(4) * 3)


@shape
def files_are_runs(dialect: Dialect) -> Made:
    head = [word("time", dialect), *events(dialect)]
    files, keys, values = [], [], []
    for run in (1, 2, 3):
        body = [[0.5 * (i + 1), *row] for i, row in enumerate(counts(4, run))]
        files.append(file_of(f"qsort_run{run}", [[word("title", dialect)], head, *body], dialect))
        keys += keys_of(4, run=run)
        values += counts(4, run)
    return files, Expected(kind="CounterSeries", rows=rows_of(head[1:], values), keys=keys, times=halves(4) * 3)


@shape
def sheet_of_notes(dialect: Dialect) -> Made | None:
    if not dialect.is_workbook:
        return None
    notes: Grid = [[word("title", dialect)], ["Version", 3], ["Machine", "node07"], ["Please ask before you use these."]]
    content = workbook({"Notes": notes, "Data": plain(dialect, word("time", dialect), halves())})
    expected = series(dialect, [], keys=keys_of(application="qsort Data"), said=("Notes",))[1]
    return [("qsort.xlsx", content)], expected


@shape
def long_table(dialect: Dialect) -> Made:
    body: list[list[Cell]] = []
    for i, row in enumerate(counts()):
        body += [[0.5 * (i + 1), name, value] for name, value in zip(events(dialect), row, strict=True)]
    return series(dialect, [[word("time", dialect), word("event", dialect), word("value", dialect)], *body])


@shape
def long_table_with_dates(dialect: Dialect) -> Made:
    body: list[list[Cell]] = []
    for i, row in enumerate(counts()):
        at = (START + timedelta(seconds=2 * i)).isoformat(sep=" ")
        body += [[at, name, value] for name, value in zip(events(dialect), row, strict=True)]
    grid = [[word("timestamp", dialect), word("counter", dialect), word("value", dialect)], *body]
    dates = [(START + timedelta(seconds=2 * i)).isoformat() for i in range(N)]
    return series(dialect, grid, times=[2.0 * (i + 1) for i in range(N)], dates=dates)


@shape
def negative_temperatures(dialect: Dialect) -> Made:
    grid = plain(dialect, word("time", dialect), halves())
    name = word("temperature", dialect)
    body = [[*row, 0.5 * (i % 5) - 1.25] for i, row in enumerate(grid[1:])]
    return series(dialect, [[*grid[0], name], *body], said=(name,))


@shape
def total_at_the_end(dialect: Dialect) -> Made:
    grid = plain(dialect, word("time", dialect), halves())
    total: list[Cell] = [word("total", dialect), sum(CYCLES), sum(INSTRUCTIONS), sum(MISSES)]
    return series(dialect, [*grid, total], said=(word("total", dialect),))


@shape
def footer(dialect: Dialect) -> Made:
    return series(
        dialect, [*plain(dialect, word("time", dialect), halves()), [], [word("source", dialect)]], said=(word("source", dialect),)
    )


def thousands(dialect: Dialect, mark: str) -> Made:
    grouped = Dialect(**{**vars(dialect), "thousands": mark})
    return [("qsort.csv", written(plain(dialect, word("time", dialect), halves()), grouped))], series(dialect, [])[1]


@shape
def thousands_spaces(dialect: Dialect) -> Made | None:
    return None if dialect.is_workbook else thousands(dialect, "\u00a0")


@shape
def thousands_points_or_commas(dialect: Dialect) -> Made | None:
    if dialect.is_workbook or dialect.quoted:
        return None
    return thousands(dialect, "." if dialect.decimal == "," else ",")


@shape
def missing_cells(dialect: Dialect) -> Made:
    values: list[list[Cell]] = [list(row) for row in counts()]
    values[3][1] = values[7][2] = None
    grid = [[word("time", dialect), *events(dialect)], *([at, *row] for at, row in zip(halves(), values, strict=True))]
    return series(dialect, grid, rows=rows_of(events(dialect), values))  # type: ignore[arg-type]


@shape
def cumulative(dialect: Dialect) -> Made:
    sums = [[1000 * (k + 1) + sum(row[k] for row in counts()[: i + 1]) for k in range(3)] for i in range(N)]
    grid = [[f"{word('time', dialect)} [s]", *events(dialect)], *([at, *row] for at, row in zip(halves(), sums, strict=True))]
    rows = rows_of(events(dialect), counts()[1:])
    return series(dialect, grid, rows=rows, keys=keys_of(N - 1), times=halves()[1:], said=("per interval",))


@shape
def blanks_that_rotate(dialect: Dialect) -> Made:
    values: list[list[Cell]] = [[value if i % 3 == place else None for place, value in enumerate(row)] for i, row in enumerate(counts())]
    grid = [[word("time", dialect), *events(dialect)], *([at, *row] for at, row in zip(halves(), values, strict=True))]
    return series(dialect, grid, mode="MPX", rows=rows_of(events(dialect), values), said=("in turns",))  # type: ignore[arg-type]
