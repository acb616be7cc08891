"""Runs as people have them: one row per run of one command, as one table, several files or sheets, HEMs as rows, or programs in rows."""

from collections.abc import Sequence

from tests.core.datasets.importing.people.cases import Expected, Made, Row, shape
from tests.core.datasets.importing.people.dialects import Cell, Dialect, Grid, file_of, word, workbook
from tests.core.datasets.importing.people.series_shapes import events, rows_of

RUNS = 8
CYCLES = [812_000 + 977 * (i * 3 % 7) for i in range(RUNS)]
INSTRUCTIONS = [640_100 + 313 * (i * 5 % 8) for i in range(RUNS)]
MISSES = [2140 + 17 * (i * i % 9) for i in range(RUNS)]
VALUES = [list(row) for row in zip(CYCLES, INSTRUCTIONS, MISSES, strict=True)]


def expected(*frames: Sequence[Row], said: tuple[str, ...] = ()) -> Expected:
    return Expected(kind="Subexperiments", rows=frames, said=said)


def totals(dialect: Dialect) -> list[Row]:
    return rows_of(events(dialect), VALUES)


def one(dialect: Dialect, grid: Grid, **changed: tuple[str, ...]) -> Made:
    return [file_of("qsort", grid, dialect)], expected(totals(dialect), **changed)


@shape
def run_column(dialect: Dialect) -> Made:
    return one(dialect, [[word("run", dialect), *events(dialect)], *([i + 1, *row] for i, row in enumerate(VALUES))])


@shape
def iteration_column_last(dialect: Dialect) -> Made:
    return one(dialect, [[*events(dialect), word("iteration", dialect)], *([*row, i] for i, row in enumerate(VALUES))])


@shape
def runs_with_title_and_units(dialect: Dialect) -> Made:
    head: Grid = [[word("title", dialect)], [word("run", dialect), *events(dialect)], ["", "count", "count", "count"]]
    return one(dialect, [*head, *([i + 1, *row] for i, row in enumerate(VALUES))])


@shape
def run_names(dialect: Dialect) -> Made:
    return one(dialect, [[word("run", dialect), *events(dialect)], *([f"R{i + 1}", *row] for i, row in enumerate(VALUES))])


@shape
def row_names(dialect: Dialect) -> Made:
    return one(dialect, [["", *events(dialect)], *([str(i + 1), *row] for i, row in enumerate(VALUES))])


@shape
def same_command(dialect: Dialect) -> Made:
    head = [word("command", dialect), *events(dialect)]
    return one(dialect, [head, *(["./qsort 1000", *row] for row in VALUES)])


@shape
def runs_with_comments(dialect: Dialect) -> Made:
    comment = word("comment", dialect)
    head = [word("run", dialect), *events(dialect), comment]
    return one(dialect, [head, *([i + 1, *row, "ok" if i else "first"] for i, row in enumerate(VALUES))], said=(comment,))


@shape
def mean_at_the_end(dialect: Dialect) -> Made:
    mean: list[Cell] = [word("mean", dialect), *(sum(column) / RUNS for column in zip(*VALUES, strict=True))]
    grid = [[word("run", dialect), *events(dialect)], *([i + 1, *row] for i, row in enumerate(VALUES)), mean]
    return one(dialect, grid, said=(word("mean", dialect),))


def parts(dialect: Dialect, *, named: bool) -> tuple[list[tuple[str, Grid]], Expected]:
    """Three tables of runs that share their first event."""
    names = events(dialect)
    extra = ["branches", "dTLB-misses", "page-faults"]
    grids: list[tuple[str, Grid]] = []
    frames = []
    for number in range(3):
        own = [names[0], extra[number], names[1 + number % 2]]
        values = [[row[0] + number, row[1] + number, row[2] + number] for row in VALUES[: 6 + number]]
        head = [word("run", dialect), *own] if named else own
        grids.append((f"set {number + 1}", [head, *([i + 1, *row] if named else row for i, row in enumerate(values))]))
        frames.append(rows_of(own, values))
    return grids, expected(*frames)


@shape
def files_are_subexperiments(dialect: Dialect) -> Made:
    grids, table = parts(dialect, named=True)
    return [file_of(name, grid, dialect) for name, grid in grids], table


@shape
def files_without_run_column(dialect: Dialect) -> Made:
    grids, table = parts(dialect, named=False)
    return [file_of(name, grid, dialect) for name, grid in grids], table


@shape
def sheets_are_subexperiments(dialect: Dialect) -> Made | None:
    grids, table = parts(dialect, named=True)
    return ([("plan.xlsx", workbook(dict(grids)))], table) if dialect.is_workbook else None


@shape
def sheets_with_titles(dialect: Dialect) -> Made | None:
    grids, table = parts(dialect, named=True)
    titled = {name: [[word("title", dialect)], [], *grid] for name, grid in grids}
    return (
        ([("plan.xlsx", workbook({**titled, "Info": [["Operator", "A. B."], ["Room", "3.14"]]}))], table) if dialect.is_workbook else None
    )


@shape
def side_by_side(dialect: Dialect) -> Made:
    first, second, third = events(dialect)
    grid: Grid = [[word("run", dialect), first, second, first, third], *([i + 1, a, b, a + 3, c] for i, (a, b, c) in enumerate(VALUES))]
    one_frame = rows_of([first, second], [row[:2] for row in VALUES])
    other = rows_of([first, third], [[a + 3, c] for a, _, c in VALUES])
    return [file_of("qsort", grid, dialect)], expected(one_frame, other)


@shape
def subexperiment_column(dialect: Dialect) -> Made:
    first, second, third = events(dialect)
    body: list[list[Cell]] = [["A", i + 1, row[0], row[1], None] for i, row in enumerate(VALUES)]
    body += [["B", i + 1, row[0], None, row[2]] for i, row in enumerate(VALUES)]
    grid = [[word("subexperiment", dialect), word("run", dialect), first, second, third], *body]
    frames = rows_of([first, second], [row[:2] for row in VALUES]), rows_of([first, third], [[row[0], row[2]] for row in VALUES])
    return [file_of("qsort", grid, dialect)], expected(*frames)


@shape
def rows_that_fill_other_columns(dialect: Dialect) -> Made:
    first, second, third = events(dialect)
    body: list[list[Cell]] = [[i + 1, row[0], row[1], None] for i, row in enumerate(VALUES)]
    body += [[RUNS + i + 1, row[0], None, row[2]] for i, row in enumerate(VALUES)]
    frames = rows_of([first, second], [row[:2] for row in VALUES]), rows_of([first, third], [[row[0], row[2]] for row in VALUES])
    return [file_of("qsort", [[word("run", dialect), first, second, third], *body], dialect)], expected(*frames)


@shape
def hems_as_rows(dialect: Dialect) -> Made:
    head = [word("event", dialect), *(f"{word('run', dialect)} {i + 1}" for i in range(RUNS))]
    columns = zip(events(dialect), zip(*VALUES, strict=True), strict=True)
    return one(dialect, [head, *([name, *values] for name, values in columns)])


@shape
def hems_as_rows_with_mean(dialect: Dialect) -> Made:
    head = [word("counter", dialect), *(str(i + 1) for i in range(RUNS)), word("mean", dialect)]
    columns = zip(events(dialect), zip(*VALUES, strict=True), strict=True)
    return one(dialect, [head, *([name, *values, sum(values) / RUNS] for name, values in columns)], said=(word("mean", dialect),))


@shape
def long_totals(dialect: Dialect) -> Made:
    body = [[i + 1, name, value] for i, row in enumerate(VALUES) for name, value in zip(events(dialect), row, strict=True)]
    return one(dialect, [[word("run", dialect), word("event", dialect), word("value", dialect)], *body])


@shape
def long_totals_without_run(dialect: Dialect) -> Made:
    body = [[name, value] for row in VALUES for name, value in zip(events(dialect), row, strict=True)]
    return one(dialect, [[word("event", dialect), word("value", dialect)], *body])


@shape
def long_totals_of_two_sets(dialect: Dialect) -> Made:
    first, second, third = events(dialect)
    body = [[i + 1, name, value] for i, row in enumerate(VALUES) for name, value in zip((first, second), row[:2], strict=True)]
    body += [[RUNS + i + 1, name, row[k]] for i, row in enumerate(VALUES) for name, k in ((first, 0), (third, 2))]
    frames = rows_of([first, second], [row[:2] for row in VALUES]), rows_of([first, third], [[row[0], row[2]] for row in VALUES])
    grid = [[word("iteration", dialect), word("counter", dialect), word("value", dialect)], *body]
    return [file_of("qsort", grid, dialect)], expected(*frames)


@shape
def small_counts_are_kept(dialect: Dialect) -> Made:
    names = [*events(dialect), "context-switches"]
    values = [[*row, 3 + i % 2] for i, row in enumerate(VALUES)]
    grid = [[word("run", dialect), *names], *([i + 1, *row] for i, row in enumerate(values))]
    return [file_of("qsort", grid, dialect)], expected(rows_of(names, values))


@shape
def program_totals(dialect: Dialect) -> Made:
    programs = [f"prog{chr(97 + i)}" for i in range(RUNS)]
    grid = [[word("program", dialect), *events(dialect)], *([name, *row] for name, row in zip(programs, VALUES, strict=True))]
    return [file_of("totals", grid, dialect)], Expected(kind="PhaseTable", rows=totals(dialect), keys=programs)


@shape
def phases_with_load(dialect: Dialect) -> Made:
    programs = [("fft", "sha")[i % 2] for i in range(RUNS)]
    grid = [[word("program", dialect), word("load", dialect), *events(dialect)]]
    grid += [[name, "idle", *row] for name, row in zip(programs, VALUES, strict=True)]  # type: ignore[list-item]
    return [file_of("phases", grid, dialect)], Expected(kind="PhaseTable", rows=totals(dialect), keys=programs)
