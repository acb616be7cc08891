"""Shapes that were written after the guesses were finished, to see how they do on what nobody tuned them for."""

from datetime import timedelta

from tests.core.datasets.importing.people.cases import Expected, Made, shape
from tests.core.datasets.importing.people.dialects import Cell, Dialect, Grid, file_of, word, workbook
from tests.core.datasets.importing.people.runs_shapes import INSTRUCTIONS, RUNS, VALUES, one, totals
from tests.core.datasets.importing.people.series_shapes import (
    CYCLES,
    START,
    N,
    counts,
    dated,
    events,
    halves,
    keys_of,
    plain,
    rows_of,
    series,
)


def of_language(dialect: Dialect, *words: str) -> str:
    return words[("en", "de", "fr").index(dialect.language)]


@shape
def unseen_elapsed_time(dialect: Dialect) -> Made:
    return series(dialect, plain(dialect, of_language(dialect, "Elapsed Time (s)", "Zeit in s", "Temps écoulé (s)"), halves()))


@shape
def unseen_unit_in_brackets(dialect: Dialect) -> Made:
    return series(dialect, plain(dialect, of_language(dialect, "t [ms]", "t [ms]", "t [ms]"), [500 * (i + 1) for i in range(N)]))


@shape
def unseen_date_slash_time(dialect: Dialect) -> Made:
    name = of_language(dialect, "Date Time", "Datum/Uhrzeit", "Date et heure")
    return dated(dialect, [(START + timedelta(seconds=2 * i)).strftime("%Y/%m/%d %H:%M:%S") for i in range(N)], name)


@shape
def unseen_zone_without_colon(dialect: Dialect) -> Made:
    stamps = [(START + timedelta(seconds=2 * i, hours=-5)).isoformat() + "-0500" for i in range(N)]
    return dated(dialect, stamps, "@timestamp")


@shape
def unseen_epoch_with_fraction(dialect: Dialect) -> Made:
    return dated(dialect, [1_773_325_800.0 + 2 * i for i in range(N)], "ts")


@shape
def unseen_pandas_index_and_time(dialect: Dialect) -> Made:
    grid = plain(dialect, word("time", dialect), halves())
    return series(dialect, [["", *grid[0]], *([i, *row] for i, row in enumerate(grid[1:]))])


@shape
def unseen_time_from_zero(dialect: Dialect) -> Made:
    return series(dialect, plain(dialect, word("time", dialect), [0.5 * i for i in range(N)]))


@shape
def unseen_time_begins_again(dialect: Dialect) -> Made:
    body = [[0.5 * (i % 6 + 1), *row] for i, row in enumerate(counts())]
    keys = [*keys_of(6), *keys_of(6, run=2)]
    return series(dialect, [[word("time", dialect), *events(dialect)], *body], keys=keys, times=halves(6) * 2)


@shape
def unseen_blank_lines_first(dialect: Dialect) -> Made:
    return series(dialect, [[], [], *plain(dialect, word("time", dialect), halves())])


@shape
def unseen_two_lines_below(dialect: Dialect) -> Made:
    end: Grid = [[word("mean", dialect), *(sum(column) / N for column in zip(*counts(), strict=True))], [word("total", dialect), 1, 2, 3]]
    return series(dialect, [*plain(dialect, word("time", dialect), halves()), *end])


@shape
def unseen_offset_below_zero(dialect: Dialect) -> Made:
    grid = plain(dialect, word("time", dialect), halves())
    body = [[*row, 3 - i] for i, row in enumerate(grid[1:])]
    return series(dialect, [[*grid[0], "clock offset"], *body], said=("clock offset",))


@shape
def unseen_running_in_percent(dialect: Dialect) -> Made:
    name = events(dialect)[0]
    body = [[at, row[0], 25 + i % 3] for i, (at, row) in enumerate(zip(halves(), counts(), strict=True))]
    share = {name: [(25 + i % 3) / 100 for i in range(N)]}
    grid = [[word("time", dialect), name, f"{name} running"], *body]
    return series(dialect, grid, rows=rows_of([name], [[value] for value in CYCLES]), mode="MPX", share=share)


@shape
def unseen_stage_numbers_and_comment(dialect: Dialect) -> Made:
    grid = plain(dialect, word("time", dialect), halves())
    body = [[*row, i // 4, "x" if i == 2 else ""] for i, row in enumerate(grid[1:])]
    return series(dialect, [[*grid[0], "Phase", word("comment", dialect)], *body], stages=[str(i // 4) for i in range(N)])


@shape
def unseen_run_number_sign(dialect: Dialect) -> Made:
    name = of_language(dialect, "Trial #", "Versuch Nr.", "N° essai")
    return one(dialect, [[name, *events(dialect)], *([i + 1, *row] for i, row in enumerate(VALUES))])


@shape
def unseen_runs_with_date(dialect: Dialect) -> Made:
    stamp = word("timestamp", dialect)
    head = [word("iteration", dialect), stamp, *events(dialect)]
    body = [[i + 1, (START + timedelta(minutes=3 * i)).isoformat(sep=" "), *row] for i, row in enumerate(VALUES)]
    return one(dialect, [head, *body], said=(stamp,))


@shape
def unseen_runs_with_three_summaries(dialect: Dialect) -> Made:
    words = [
        of_language(dialect, *each)
        for each in (("Average", "Durchschnitt", "Moyenne"), ("Min", "Minimum", "Min"), ("Max", "Maximum", "Max"))
    ]
    last = [[name, *(float(min(column)) for column in zip(*VALUES, strict=True))] for name in words]
    return one(dialect, [[word("run", dialect), *events(dialect)], *([i + 1, *row] for i, row in enumerate(VALUES)), [], *last])


@shape
def unseen_programs_by_runs(dialect: Dialect) -> Made:
    names = [("fft", "sha")[i // 4] for i in range(RUNS)]
    grid: Grid = [[word("program", dialect), word("run", dialect), *events(dialect)]]
    grid = [*grid, *([name, i % 4 + 1, *row] for i, (name, row) in enumerate(zip(names, VALUES, strict=True)))]
    return [file_of("all", grid, dialect)], Expected(kind="PhaseTable", rows=totals(dialect), keys=names)


@shape
def unseen_long_with_programs(dialect: Dialect) -> Made:
    names = [f"prog{'abcdefgh'[i]}" for i in range(RUNS)]
    body = [
        [name, event, value] for name, row in zip(names, VALUES, strict=True) for event, value in zip(events(dialect), row, strict=True)
    ]
    grid = [[word("program", dialect), word("event", dialect), word("value", dialect)], *body]
    return [file_of("all", grid, dialect)], Expected(kind="PhaseTable", rows=totals(dialect), keys=names)


@shape
def unseen_hems_as_rows_with_units(dialect: Dialect) -> Made:
    head = [word("counter", dialect), of_language(dialect, "Unit", "Einheit", "Unité"), *(f"#{i + 1}" for i in range(RUNS))]
    columns = zip(events(dialect), zip(*VALUES, strict=True), strict=True)
    return one(dialect, [head, *([name, "count", *values] for name, values in columns)])


@shape
def unseen_ratio_column(dialect: Dialect) -> Made:
    names = [*events(dialect), "IPC"]
    values = [[*row, row[1] / row[0]] for row in VALUES]
    grid = [[word("run", dialect), *names], *([i + 1, *row] for i, row in enumerate(values))]
    return [file_of("qsort", grid, dialect)], Expected(kind="Subexperiments", rows=[rows_of(names, values)])


@shape
def unseen_sheets_with_units(dialect: Dialect) -> Made | None:
    if not dialect.is_workbook:
        return None
    time, names = word("time", dialect), events(dialect)
    sheets: dict[str, Grid] = {}
    for run in (1, 2):
        body: list[list[Cell]] = [[500 * (i + 1), *row] for i, row in enumerate(counts(5, run))]
        sheets[f"run{run}"] = [[word("title", dialect)], [time, *names], ["[ms]", "[-]", "[-]", "[-]"], *body]
    keys = [*keys_of(5), *keys_of(5, run=2)]
    rows = rows_of(names, [*counts(5, 1), *counts(5, 2)])
    made = Expected(kind="CounterSeries", rows=rows, keys=keys, times=halves(5) * 2)
    return [("qsort.xlsx", workbook(sheets))], made


@shape
def unseen_one_event_by_year(dialect: Dialect) -> Made:
    grid = [[word("year", dialect), "incidents"], *([1950 + i, 40 + 7 * i] for i in range(N))]
    rows = rows_of(["incidents"], [[40 + 7 * i] for i in range(N)])
    return series(dialect, grid, rows=rows, keys=keys_of(first=1950), times=None, unit="year")


@shape
def unseen_many_decimals(dialect: Dialect) -> Made:
    names = events(dialect)[:2]
    values = [[CYCLES[i] / 7, INSTRUCTIONS[i % RUNS] / 3] for i in range(N)]
    grid = [[word("time", dialect), *names], *([at, *row] for at, row in zip(halves(), values, strict=True))]
    return series(dialect, grid, rows=rows_of(names, values))
