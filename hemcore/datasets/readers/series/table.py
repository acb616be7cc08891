"""CSV files of a series as they stand: which interval each row is, and the readings with whole numbers kept whole."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
import pandas as pd

from hemcore.datasets.readers import csv_text
from hemcore.datasets.readers.number_marks import plain_numbers
from hemcore.datasets.readers.reading_limits import check_runs, check_values
from hemcore.datasets.readers.repairs import Repair
from hemcore.datasets.readers.series.column_roles import NOT_COUNTED, Columns, columns_of, is_measure, is_number, setting_unit
from hemcore.datasets.readers.series.readings import GAP, GAP_S, runs_of_files
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.reading_progress import passed
from hemcore.datasets.tables.checks import listed
from hemcore.errors import ReadError

# A governor that changes the frequency all the time makes no runs of one frequency.
_MOST_SETTINGS = 20
_FEWEST_READINGS = 10
_LARGEST = np.iinfo(np.int64).max


@dataclass(frozen=True, kw_only=True)
class SeriesTable:
    """Rows of one or more files; row i of both frames is the same.

    intervals: application, run and interval (numbered from 1 in each run where the files do not say), and time (s) and stage where known.
    readings: columns are events, counters first and then what has a unit in its name (MHz, C, V, A, W); Int64 where all are whole, else
        Float64; <NA> = not counted.
    """

    intervals: pd.DataFrame
    readings: pd.DataFrame
    repairs: list[Repair]
    notes: list[str]
    files: tuple[UploadedFile, ...]
    first_rows: tuple[int, ...]

    def place(self, row: int) -> str:
        """Where row `row` (from 0) stands: "f.csv: line 7"."""
        number = int(np.searchsorted(self.first_rows, row, side="right")) - 1
        file = self.files[number]
        return f"{file.name}: line {_line(file, row - self.first_rows[number])}"


def read_table(files: Sequence[UploadedFile]) -> SeriesTable:
    """The rows of all `files`, each a run (see runs_of_files) unless its columns say more. Events that a file does not have: not counted.

    A column of frequencies ("CPU(4) Frequency(MHz)") or of how many cores were on ("Cores(#)") becomes part of the application, "f 2000 MHz
    4 cores", and is left out, where it has at most 20 values and each run goes through them in stretches, one a value, of 10 readings or
    more in the mean.

    Raises ReadError for a file that is not text, empty, or without an event or a row; a row with more or fewer cells than the header; a
    cell that is not a number; a column of text that is none of application, run, interval, stage; an event that stands twice; a missing
    application, run or interval; one run in two files.
    """
    repairs: list[Repair] = []
    notes: list[str] = []
    intervals, readings, first_rows = [], [], [0]
    taken: dict[tuple[str, int], str] = {}
    events: dict[str, None] = {}
    for file, label in zip(files, runs_of_files([file.name for file in files]), strict=True):
        of_rows, of_events = _read_file(file, label, taken, repairs, notes)
        intervals.append(of_rows)
        readings.append(of_events)
        first_rows.append(first_rows[-1] + len(of_rows))
        events |= dict.fromkeys(of_events.columns)
        if len(files) > 1:
            check_values(file.name, first_rows[-1], len(events))
            passed(file.size)
        check_runs(file.name, len({application for application, _ in taken}), len(taken))
    if any(columns_of(csv_text.header_of(file.name, file.content)[0]).since_first for file in files):
        notes.append("Times are seconds since the first reading of each run.")
    together = pd.concat(readings, ignore_index=True)
    return SeriesTable(
        intervals=pd.concat(intervals, ignore_index=True),
        readings=together[sorted(together.columns, key=lambda name: is_measure(str(name)))],
        repairs=repairs,
        notes=notes,
        files=tuple(files),
        first_rows=tuple(first_rows[:-1]),
    )


def _read_file(
    file: UploadedFile, label: tuple[str, int], taken: dict[tuple[str, int], str], repairs: list[Repair], notes: list[str]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    cells, separator, text = csv_text.header_of(file.name, file.content)
    columns = columns_of(cells)
    _check_header(file.name, cells, columns)
    csv_text.check_widths(file.name, text, separator, len(cells))
    text, marks = plain_numbers(file.name, cells, text, separator)
    notes += marks
    kinds = {columns.roles[role]: "string" for role in ("application", "stage") if role in columns.roles}
    try:
        frame = pd.read_csv(
            csv_text.source_of(text), sep=separator, header=None, skiprows=csv_text.header_line(text), skipinitialspace=True,
            names=range(len(cells)), index_col=False, low_memory=False, skip_blank_lines=True, on_bad_lines="error", na_values=NOT_COUNTED,
            dtype_backend="numpy_nullable", dtype=kinds,
        )  # fmt: skip
    except (pd.errors.ParserError, pd.errors.EmptyDataError, ValueError, OverflowError) as error:
        raise ReadError(f"{file.name}: the rows do not fit the {len(cells)} columns of the header ({error}). Correct the line.") from None
    if frame.empty:
        raise ReadError(f"{file.name}: a header and no row. Send the file with the readings.")
    for number, kind in enumerate(frame.dtypes):
        if isinstance(kind, pd.StringDtype):
            stripped = frame[number].str.strip()
            frame[number] = stripped.mask(stripped.isin(["", "NA", *NOT_COUNTED]).fillna(False))
    given = dict(frame.items())  # of a thousand files, whatever is done for each column takes seconds
    numbers = {position: _numbers(given[position]) for position in columns.events}
    words = {position for position, values in numbers.items() if _is_text(given[position]) and values.isna().all()}
    texts = {name: frame[position] for position, name in columns.events.items() if position in words}
    if texts:
        column = next(iter(texts.values()))
        row = int(column.notna().to_numpy().argmax())
        raise ReadError(
            f"{file.name}: column {listed(texts)}: text ({str(column.iloc[row])[:60]!r} in line {_line(file, row)}), and none of"
            " application, run, interval, stage or time. Rename the column to one of these, or leave it out."
        )
    events = {}
    for position, name in columns.events.items():
        events[name] = numbers[position]
        if numbers[position] is given[position]:
            continue
        infinite = _infinite(given[position])
        _check_cells(file, name, given[position], numbers[position].isna() & given[position].notna() & ~infinite)
        if infinite.any():
            repairs.append(Repair(file.name, name, "infinite: treated as not counted", int(infinite.sum())))
    if columns.again:
        notes.append(f"{file.name}: column {listed(columns.again)} left out: an earlier column has the same role.")
    if cells[0] == "":
        notes.append(f"{file.name}: the first column has no name and was read as row numbers.")
    identity = _identity(file, frame, columns, label)
    identity["part"] = _parts(frame, columns)
    for name in _constant_settings(identity, events):
        values, unit = events.pop(name), setting_unit(name)
        said = {value: f"{value:.12g} {unit.removesuffix('s') if value == 1 else unit}" for value in dict.fromkeys(values)}
        identity["application"] = [f"{before} {said[value]}" for before, value in zip(identity["application"], values, strict=True)]
        notes.append(
            f"{file.name}: column {name!r} became part of the application, because"
            f" it stays the same for long stretches: {', '.join(said.values())}."
        )
    _name_parts(file, identity, repairs)
    return _intervals(file, frame, columns, identity.drop(columns="part"), taken, notes), pd.DataFrame(
        {name: values.array for name, values in events.items()}, index=frame.index
    )


def _parts(frame: pd.DataFrame, columns: Columns) -> pd.Series:
    """Which stretch of measuring each row of a logger's table belongs to, from 0: a new one begins where the clock jumps."""
    if not columns.since_first or "time" not in columns.roles:
        return pd.Series(0, index=frame.index)
    apart = _numbers(frame[columns.roles["time"]]).astype(float).diff()
    usual = apart[apart > 0].median()
    return ((apart < 0) | (apart > max(GAP_S * columns.per_second, GAP * usual))).cumsum()


def _name_parts(file: UploadedFile, identity: pd.DataFrame, repairs: list[Repair]) -> None:
    """Give a run that goes on in a later stretch, another setting of tables put together, an application of its own."""
    keys = ["application", "run"]
    stretches = identity.drop_duplicates([*keys, "part"])
    again = stretches.groupby(keys, sort=False).cumcount().set_axis(stretches.set_index([*keys, "part"]).index)
    number = again.reindex(pd.MultiIndex.from_frame(identity[[*keys, "part"]])).to_numpy()
    if number.any():
        parts = pd.Series(number, index=identity.index).map(lambda place: f" part {place + 1}" if place else "")
        identity["application"] = identity["application"].astype(str) + parts
        what = "the clock jumps within runs: each stretch is an application of its own (part 2 on)"
        repairs.append(Repair(file.name, "", what, int((again > 0).sum())))


def _check_header(name: str, cells: list[str], columns: Columns) -> None:
    blank = [position for position, cell in enumerate(cells, start=1) if not cell and position > 1]
    if blank:
        raise ReadError(f"{name}: line 1, column {blank[0]} has no name; the columns are {listed(cells)}. Name it.")
    if not columns.events:
        raise ReadError(f"{name}: line 1: no event column; the columns are {listed(cells)}. Is the separator a comma, semicolon or tab?")
    names = list(columns.events.values())
    twice = [each for each in dict.fromkeys(names) if names.count(each) > 1]
    if twice:
        raise ReadError(
            f"{name}: line 1: {listed(twice)} appears more than once; in a series each event has one column. Rename or remove one."
        )


def _identity(file: UploadedFile, frame: pd.DataFrame, columns: Columns, label: tuple[str, int]) -> pd.DataFrame:
    """Application and run of each row: of its columns where they say, else `label`."""
    found = pd.DataFrame({"application": label[0], "run": label[1]}, index=frame.index)
    roles = columns.roles
    if "application" in roles:
        column = frame[roles["application"]]
        _check_cells(file, "application", column, column.isna(), "names no application. Fill it in")
        found["application"] = column.astype(object)
    if "run" in roles:
        found["run"] = _whole(file, "run", frame[roles["run"]])
    return found


def _constant_settings(identity: pd.DataFrame, events: dict[str, pd.Series]) -> list[str]:
    """The columns of frequencies and core counts that tell runs apart; none where they are all that was read."""
    found = []
    for name, values in events.items():
        if not setting_unit(name) or values.isna().any() or values.nunique() > _MOST_SETTINGS:
            continue
        run = identity.groupby(["application", "run", "part"], sort=False).ngroup()
        rows = pd.DataFrame({"run": run, "value": values.astype(float)})
        pairs = len(rows.drop_duplicates())
        stretches = int((rows.groupby("run")["value"].diff() != 0).sum())
        if stretches == pairs and (values.nunique() == 1 or len(rows) >= _FEWEST_READINGS * stretches):
            found.append(name)
    return found if len(found) < len(events) else []


def _intervals(
    file: UploadedFile, frame: pd.DataFrame, columns: Columns, found: pd.DataFrame, taken: dict[tuple[str, int], str], notes: list[str]
) -> pd.DataFrame:
    """The columns of SeriesTable.intervals, of application and run in `found`."""
    roles = columns.roles
    pairs = list(found[["application", "run"]].drop_duplicates().itertuples(index=False, name=None))
    both = [pair for pair in pairs if pair in taken]
    if both and "run" in roles:
        raise ReadError(f"{file.name}: run {both[0][1]} of {both[0][0]!r} is also in {taken[both[0]]}. Give the runs different numbers.")
    if both:
        names = {application for application, _ in pairs}
        number = 1 + max(run for application, run in taken if application in names)
        found["run"], pairs = number, [(application, number) for application, _ in pairs]
    taken |= dict.fromkeys(pairs, file.name)
    runs = found.groupby(["application", "run"], sort=False)
    found["interval"] = _whole(file, "interval", frame[roles["interval"]]) if "interval" in roles else runs.cumcount() + 1
    if "time" in roles:
        times = _numbers(frame[roles["time"]])
        _check_cells(file, "time", frame[roles["time"]], times.isna() & frame[roles["time"]].notna())
        if columns.since_first:
            times = times - times.groupby([found["application"], found["run"]], sort=False).transform("first")
        found["time"] = times.to_numpy(dtype=float, na_value=np.nan) / columns.per_second
    if "stage" in roles:
        stage = frame[roles["stage"]]
        found["stage"] = stage.astype(object).where(stage.notna(), None)
    return found


def _numbers(column: pd.Series) -> pd.Series:
    """`column` as Int64 (exact) or Float64, itself where it is that; <NA> where it is empty, infinite or no number."""
    if isinstance(column.dtype, pd.Int64Dtype):
        return column
    if pd.api.types.is_bool_dtype(column):
        return pd.Series(pd.NA, index=column.index, dtype="Int64")
    if not pd.api.types.is_numeric_dtype(column):
        column = pd.to_numeric(column, errors="coerce").convert_dtypes()
        if not pd.api.types.is_numeric_dtype(column):
            return pd.Series(pd.NA, index=column.index, dtype="Int64")
    if pd.api.types.is_float_dtype(column):
        if not isinstance(column.dtype, pd.Float64Dtype):
            column = column.astype("Float64")
        infinite = np.isinf(column.to_numpy(dtype=float, na_value=np.nan))
        return column.mask(infinite) if infinite.any() else column
    return column.mask((column > _LARGEST).fillna(False)).astype("Int64")


def _is_text(column: pd.Series) -> bool:
    """Whether `column` holds words: something, and neither a number nor infinite."""
    return not pd.api.types.is_any_real_numeric_dtype(column) and bool(column.notna().any()) and not bool(_infinite(column).any())


def _infinite(column: pd.Series) -> pd.Series:
    if pd.api.types.is_integer_dtype(column) or pd.api.types.is_bool_dtype(column):
        return pd.Series(False, index=column.index)
    floats = pd.to_numeric(column, errors="coerce").to_numpy(dtype=float, na_value=np.nan)
    return pd.Series(np.isinf(floats), index=column.index)


def _whole(file: UploadedFile, name: str, column: pd.Series) -> pd.Series:
    values = _numbers(column)
    wrong = values.isna() | (values % 1 != 0).fillna(True)
    _check_cells(file, name, column, wrong, "is not a whole number. Correct it; times in s belong in a column named time")
    return values.astype("int64")


def _check_cells(file: UploadedFile, name: str, column: pd.Series, wrong: pd.Series, what: str = "") -> None:
    marked = wrong.to_numpy(dtype=bool, na_value=False)
    if marked.any():
        row = int(marked.argmax())
        value = "" if pd.isna(column.iloc[row]) else str(column.iloc[row])[:60]
        what = what or ("is too large: below 2**63" if is_number(value) else "is not a number") + ". Correct it, or leave it empty"
        raise ReadError(f"{file.name}: line {_line(file, row)}, column {name!r}: {value!r} {what}.")


def _line(file: UploadedFile, row: int) -> int:
    _, separator, text = csv_text.header_of(file.name, file.content)
    return next(number for number, _ in islice(csv_text.rows_of(text, separator), row + 1, None))
