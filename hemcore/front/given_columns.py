"""The columns of a plain frame by their roles: intervals, programs, runs, times; a wrong cell is told with its row."""

from collections.abc import Sequence

import pandas as pd

from hemcore.datasets.readers.repairs import Repair
from hemcore.datasets.readers.series.column_roles import columns_of
from hemcore.datasets.tables.checks import listed
from hemcore.errors import TableError
from hemcore.front.frames import Key, counters_of, frame_of


def intervals_of(
    data: object, where: str, default: tuple[str, int], program: str | None, counters: Sequence[str], repairs: list[Repair]
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DatetimeIndex | None]:
    """Intervals, counts and times of one frame; default: its application and run if no column names them."""
    frame, times = frame_of(data, where)
    names = list(frame.columns)
    roles = {} if names == ["value"] else {role: names[place] for role, place in columns_of(names).roles.items()}
    if program is not None:
        check_column(frame, program, "program")
        roles["application"] = program
    stamped = (
        next((name for name in names if pd.api.types.is_datetime64_any_dtype(frame[name])), None) if len(set(names)) == len(names) else None
    )
    if times is None and stamped is not None:
        times = pd.DatetimeIndex(frame[stamped])
        roles["time"] = stamped
    counts, left_out = counters_of(frame, roles.values(), where, [str(name) for name in counters])
    repairs += left_out
    found = pd.DataFrame({"application": default[0], "run": default[1]}, index=frame.index)
    if "application" in roles:
        found["application"] = texts_of(frame[roles["application"]])
    if "run" in roles:
        found["run"] = whole_numbers(frame[roles["run"]], where)
    of_run = found.groupby(["application", "run"], sort=False)
    found["interval"] = whole_numbers(frame[roles["interval"]], where) if "interval" in roles else of_run.cumcount()
    if "stage" in roles:
        found["stage"] = frame[roles["stage"]].astype(object).where(frame[roles["stage"]].notna(), None)
    if times is not None:
        seconds = pd.Series((times - times[0]).total_seconds(), index=frame.index)
        if (seconds.groupby([found["application"], found["run"]], sort=False).diff() < 0).any():
            raise TableError(f"{where}: its times are not ascending. Sort it first: frame.sort_index()")
        # Times in a CounterSeries are the ends of intervals; those in an index usually the starts.
        since = seconds - seconds.groupby([found["application"], found["run"]], sort=False).transform("first")
        steps = since.diff()
        usual = float(steps[steps > 0].median()) if bool((steps > 0).any()) else 1.0
        found["time"] = since + usual
    elif "time" in roles:
        found["time"] = pd.to_numeric(frame[roles["time"]], errors="coerce") / columns_of(names).per_second
    return found, counts, times


def check_column(frame: pd.DataFrame, name: object, role: str) -> None:
    """Raises TableError where `frame` has no column `name` for `role`."""
    if name not in frame.columns:
        raise TableError(f"{role}: no column {str(name)[:60]!r}; the columns are {listed(frame.columns)}. Name one of them.")


def only_text(frame: pd.DataFrame) -> str:
    """The one column of text, which names the program of each row. Raises TableError where there is none or more than one."""

    def is_text(name: str) -> bool:
        column = frame[name]
        text = pd.api.types.is_object_dtype(column) or pd.api.types.is_string_dtype(column) or isinstance(column.dtype, pd.CategoricalDtype)
        return (
            text and not pd.api.types.is_numeric_dtype(column) and bool(pd.to_numeric(column.astype(object), errors="coerce").isna().any())
        )

    found = [name for name in dict.fromkeys(frame.columns) if frame.columns.to_list().count(name) == 1 and is_text(name)]
    if len(found) != 1:
        raise TableError(
            f"phases: no column names the program of each row; the columns are {listed(frame.columns)}. Name it:"
            " hem.evaluate(frame, program='column')"
        )
    return found[0]


def texts_of(column: pd.Series) -> pd.Series:
    """`column` as texts. Raises TableError where one is empty."""
    if column.isna().any():
        row = int(column.isna().to_numpy().argmax()) + 1
        raise TableError(f"column {column.name!r}, row {row} is empty, but it identifies the row. Fill it in, or leave the row out.")
    return column.astype(str).astype(object)


def whole_numbers(column: pd.Series, where: str) -> pd.Series:
    """`column` as integers. Raises TableError where a cell is none."""
    numbers = pd.to_numeric(column, errors="coerce")
    wrong = (numbers.isna() | (numbers % 1 != 0)).to_numpy()
    if wrong.any():
        row = int(wrong.argmax())
        raise TableError(
            f"{where}: column {column.name!r}, row {row + 1}: {str(column.iloc[row])[:60]!r} is not a whole number. Correct or rename it."
        )
    return numbers.astype("int64")


def times_by(times: pd.Series, keys: pd.DataFrame) -> dict[Key, pd.DatetimeIndex]:
    """The times of each pair of keys, shape (rows of the pair,); none where no time is known."""
    if times.isna().all():
        return {}
    return {
        (first, second): pd.DatetimeIndex(part)
        for (first, second), part in times.groupby([keys.iloc[:, 0].to_numpy(), keys.iloc[:, 1].to_numpy()], sort=False)
    }
