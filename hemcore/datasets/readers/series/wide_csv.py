"""A series in CSV, one column per event and one row per interval, with columns of time and identity if the file has them."""

import re
from collections.abc import Sequence

from hemcore.datasets.importing.one_pass.number_tables import like
from hemcore.datasets.readers.format import NO_OPTIONS, Format, NoOptions, ReadResult, read_result
from hemcore.datasets.readers.hem_columns import propose_n_pmcs
from hemcore.datasets.readers.known_files import remembered
from hemcore.datasets.readers.series import cumulative_csv
from hemcore.datasets.readers.series.column_roles import Columns, head_of, is_reading, words_alone
from hemcore.datasets.readers.series.readings import check_ascending, interval_ends, unit_of
from hemcore.datasets.readers.series.table import read_table
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.signature_table import METRICS
from hemcore.errors import ReadError
from hemcore.events.hardware_tree import level_of_column


def recognise(files: Sequence[UploadedFile]) -> tuple[float, str]:
    """(0.95, why) where every file has a column of time, interval or identity; 0.3 where one has only columns of numbers; else 0.

    0 too where some of the files hold cumulative counters and others do not: read together, one or the other would be wrong.
    """
    found = [_recognise_one(file) for file in files]
    if len({cumulative for _, _, cumulative in found}) > 1:
        return 0.0, ""
    least, why, _ = min(found, key=lambda each: each[0], default=(0.0, "", False))
    return (least, why) if least > 0 else (0.0, "")


def read(files: Sequence[UploadedFile], options: NoOptions = NO_OPTIONS) -> ReadResult[CounterSeries]:
    """The files as one series, mode OCOE: each a run (see runs_of_files) unless its columns tell application and run.

    Columns: time, timestamp, seconds, t, elapsed, interval_end (s, or as named: "time_ms", "Timestamp(ns)"), application (program,
    benchmark), run, interval (slot, sample), stage (phase), in small or capital letters; every other column is an event. Tables of the
    Cortex-A15 logger (#Timestamp, Benchmark, Run(#)) too: its columns of frequency, voltage and the like are kept as readings.
    A column of frequencies may become part of the application, as read_table says; columns with a unit come after the counters.

    time is the end of an interval. Where a run starts at 0 its times are the starts: each interval ends at the next one, the last after
    the median distance. Empty, NA and <not counted> are NaN. Raises ReadError as read_table does, for a negative count and for times that
    go back, TableError as CounterSeries does.
    """
    table = read_table(files)
    counts = table.readings.astype(float)
    negative = (counts < 0).to_numpy()
    if negative.any():
        row, column = (int(place[0]) for place in negative.nonzero())
        value = float(counts.to_numpy()[row, column])
        raise ReadError(
            f"{table.place(row)}, column {counts.columns[column]!r}: {value:.15g} must be at least 0."
            " Correct it. Is it a cumulative counter? Then choose the cumulative format."
        )
    notes = list(table.notes)
    intervals = table.intervals
    check_ascending(intervals, table.place)
    if "time" in intervals.columns:
        intervals = intervals.assign(time=interval_ends(intervals, notes))
    series = CounterSeries(intervals=intervals, counts=counts, mode="OCOE", interval_unit=unit_of(intervals))
    return read_result(series, table.repairs, notes)


@remembered(most=10_000)
def _recognise_one(file: UploadedFile) -> tuple[float, str, bool]:
    """(score, why, whether its counters are cumulative)."""
    alike = like(file)
    names = head_of(alike)[0].events.values()
    return *_alone(file if any(map(_may_be_places, names)) else alike), cumulative_csv.recognise([file])[0] > 0


@remembered(most=10_000)
def _alone(file: UploadedFile) -> tuple[float, str]:
    columns, rows = head_of(file)
    names = list(columns.events.values())
    if not names or set(METRICS[:3]) <= set(names):
        return 0.0, ""
    if words_alone(rows) or _numbers_places(columns, rows):
        return 0.0, ""
    cells = [is_reading(row[position]) for row in rows for position in columns.events]
    if columns.roles:
        # A wrong cell is told by the reader; a table of mostly text is something else.
        known = ", ".join(columns.roles)
        return (0.95, f"one column per event ({len(names)}), and columns of {known}") if sum(cells) * 2 >= len(cells) else (0.0, "")
    if not cells or not all(cells) or propose_n_pmcs(names) < len(names):
        return 0.0, ""
    return 0.3, f"{len(names)} columns of numbers and none with the time or the run: each row would be an interval of one run"


def _may_be_places(name: str) -> bool:
    return level_of_column(re.sub(r"[\W_]", "", name.lower())) != ""


def _numbers_places(columns: Columns, rows: Sequence[Sequence[str]]) -> bool:
    """Whether a column such as "core" says which of several parts of the machine a row is of: that is no event, and the rows are no
    intervals of one run."""
    known = [tuple(row[position] for position in columns.roles.values()) for row in rows]
    for position, name in columns.events.items():
        cells = {row[position] for row in rows}
        if not _may_be_places(name) or len(cells) < 2 or not all(cell.isdecimal() for cell in cells):
            continue
        numbers = {int(cell) for cell in cells}
        if {"time", "interval"} & set(columns.roles):
            if len(set(known)) < len(known):
                return True
        elif numbers == set(range(min(numbers), max(numbers) + 1)) and min(numbers) <= 1:
            return True
    return False


FORMAT = Format(
    key="series_wide",
    title="series in CSV, one column per event",
    kind="CounterSeries",
    recognise=recognise,
    read=read,
    options=NoOptions,
    example={
        "series.csv": "time,phase,cycles,instructions\n0.5,init,812000,640100\n1.0,init,808400,\n1.5,main,821700,641000\n",
    },
)
