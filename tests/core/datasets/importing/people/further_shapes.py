"""Files as exports and shared folders have them: Grafana, archives with a README, repeated headers, quotes, marks and footers."""

from dataclasses import replace
from datetime import timedelta

from tests.core.datasets.importing.people.cases import Expected, Made, shape
from tests.core.datasets.importing.people.dialects import Cell, Dialect, Grid, file_of, word, workbook, written
from tests.core.datasets.importing.people.runs_shapes import parts
from tests.core.datasets.importing.people.series_shapes import (
    START,
    N,
    counts,
    events,
    halves,
    keys_of,
    plain,
    rows_of,
    series,
)
from tests.core.datasets.zipped import zipped


@shape
def grafana_series_to_columns(dialect: Dialect) -> Made | None:
    if dialect.is_workbook:
        return None
    names = ['{__name__="cycles", instance="node07"}', '{__name__="instructions", instance="node07"}']
    stamps = [(START + timedelta(seconds=2 * i)).strftime("%Y-%m-%d %H:%M:%S") for i in range(N)]
    values = [row[:2] for row in counts()]
    dates = [(START + timedelta(seconds=2 * i)).isoformat() for i in range(N)]
    rows = rows_of(names, values)
    grid = [["Time", *names], *([at, *row] for at, row in zip(stamps, values, strict=True))]
    return series(dialect, grid, rows=rows, dates=dates, times=[2.0 * (i + 1) for i in range(N)])


@shape
def grafana_rows(dialect: Dialect) -> Made | None:
    """ "Series joined by row": Time, Metric, Value, one block per series."""
    if dialect.language != "en":
        return None
    stamps = [(START + timedelta(seconds=2 * i)).isoformat(timespec="milliseconds") + "Z" for i in range(N)]
    body = [[stamp, name, row[place]] for place, name in enumerate(events(dialect)) for stamp, row in zip(stamps, counts(), strict=True)]
    dates = [(START + timedelta(seconds=2 * i)).isoformat() for i in range(N)]
    return series(dialect, [["Time", "Metric", "Value"], *body], dates=dates, times=[2.0 * (i + 1) for i in range(N)])


@shape
def grafana_semicolons_with_sep_line(dialect: Dialect) -> Made | None:
    if dialect.delimiter != ";":
        return None
    made = series(dialect, [])
    grid = plain(dialect, word("time", dialect), halves())
    mark = "\ufeff" if dialect.encoding == "utf-8-sig" else ""
    body = written(grid, replace(dialect, encoding="utf-8")).decode()
    return [("qsort.csv", f"{mark}sep=;{dialect.line_end}{body}".encode())], made[1]


@shape
def archive_with_readme_and_plan(dialect: Dialect) -> Made:
    grids, table = parts(dialect, named=True)
    files = dict(file_of(name, grid, dialect) for name, grid in grids)
    readme = b"# Measurements\n\nThree sets, made on 12 March.\n\n- set 1: branches\n"
    return [("all.zip", zipped({"README.md": readme, "plan.txt": b"set 1: cycles, branches\nset 2: cycles, dTLB\n", **files}))], table


@shape
def archive_of_runs_with_log(dialect: Dialect) -> Made:
    head = [word("time", dialect), *events(dialect)]
    files, keys, values = {"log/notes.log": b"started\nfinished\n"}, [], []
    for run in (1, 2):
        grid: Grid = [head, *([0.5 * (i + 1), *row] for i, row in enumerate(counts(5, run)))]
        name, content = file_of(f"data/fft_{run}", grid, dialect)
        files[name] = content
        keys += keys_of(5, "fft", run)
        values += counts(5, run)
    made = Expected(kind="CounterSeries", rows=rows_of(events(dialect), values), keys=keys, times=halves(5) * 2)
    return [("all.zip", zipped(files))], made


@shape
def header_again_within(dialect: Dialect) -> Made:
    grid = plain(dialect, word("time", dialect), halves())
    return series(dialect, [*grid[:7], grid[0], *grid[7:]], said=("header",))


@shape
def blank_column_and_rows(dialect: Dialect) -> Made:
    grid = plain(dialect, word("time", dialect), halves())
    wide = [[row[0], "", *row[1:]] for row in grid]
    return series(dialect, [*wide[:5], [], *wide[5:]])


@shape
def second_time_column(dialect: Dialect) -> Made:
    grid = plain(dialect, word("time", dialect), halves())
    first = 1_773_325_800
    body = [[row[0], first + 0.5 * (i + 1), *row[1:]] for i, row in enumerate(grid[1:])]
    stamp = word("timestamp", dialect)
    return series(dialect, [[grid[0][0], stamp, *grid[0][1:]], *body])


@shape
def remarks_with_hash(dialect: Dialect) -> Made | None:
    grid = plain(dialect, word("time", dialect), halves())
    return None if dialect.quoted else series(dialect, [["# logger 2.1"], ["# node07"], *grid])


@shape
def duration_with_unit_in_cells(dialect: Dialect) -> Made:
    times: list[Cell] = [f"{500 * (i + 1)} ms" for i in range(N)]
    return series(dialect, plain(dialect, word("time", dialect), times))


@shape
def clock_without_date(dialect: Dialect) -> Made:
    times: list[Cell] = [(START + timedelta(seconds=2 * i)).strftime("%H:%M:%S") for i in range(N)]
    return series(dialect, plain(dialect, word("clock", dialect), times), times=[2.0 * (i + 1) for i in range(N)])


@shape
def pipes(dialect: Dialect) -> Made | None:
    if dialect.is_workbook:
        return None
    grid = plain(dialect, word("time", dialect), halves())
    return [("qsort.txt", written(grid, replace(dialect, delimiter="|")))], series(dialect, [])[1]


@shape
def blanks_between(dialect: Dialect) -> Made | None:
    """As R's write.table: blanks between the cells, and no name over the row names."""
    if dialect.is_workbook or dialect.trailing or dialect.name == "excel_de":
        return None
    lines = [" ".join(f'"{name}"' for name in [word("time", dialect), *events(dialect)])]
    for i, (at, row) in enumerate(zip(halves(), counts(), strict=True), start=1):
        lines.append(" ".join([f'"{i}"', repr(at).replace(".", dialect.decimal), *map(str, row)]))
    return [("qsort.txt", ("\n".join(lines) + "\n").encode(dialect.encoding))], series(dialect, [])[1]


@shape
def share_counted(dialect: Dialect) -> Made:
    names = events(dialect)[:2]
    shares = [[0.25 + 0.05 * (i % 3), 0.5] for i in range(N)]
    head = [word("time", dialect), names[0], f"{names[0]} share", names[1], f"{names[1]} share"]
    body = [[at, row[0], share[0], row[1], share[1]] for at, row, share in zip(halves(), counts(), shares, strict=True)]
    rows = rows_of(names, [row[:2] for row in counts()])
    share = {name: [each[k] for each in shares] for k, name in enumerate(names)}
    return series(dialect, [head, *body], rows=rows, mode="MPX", share=share)


@shape
def three_sheets_are_runs(dialect: Dialect) -> Made | None:
    if not dialect.is_workbook:
        return None
    head = [word("time", dialect), *events(dialect)]
    sheets: dict[str, Grid] = {f"Run {run}": [head, *([0.5 * (i + 1), *row] for i, row in enumerate(counts(5, run)))] for run in (1, 2, 3)}
    keys = [key for run in (1, 2, 3) for key in keys_of(5, "qsort", run)]
    values = [row for run in (1, 2, 3) for row in counts(5, run)]
    made = Expected(kind="CounterSeries", rows=rows_of(events(dialect), values), keys=keys, times=halves(5) * 3)
    return [("qsort.xlsx", workbook(sheets))], made


@shape
def second_table_below_title(dialect: Dialect) -> Made:
    """Lines of settings above the table, as loggers write them."""
    settings: Grid = [["Machine", "node07"], ["Frequency", 2400], ["Runs", 1], []]
    return series(dialect, [*settings, *plain(dialect, word("time", dialect), halves())])
