"""Limits of one upload, checked before memory is taken: a small file must not fill the whole machine."""

from hemcore.errors import ReadError

# Of a table, as of the events of a series: each costs the same work however short it is.
MOST_COLUMNS = 4_000
# Readings of a file as it stands.
MOST_READINGS = 50_000_000
# Intervals x events of a series made of rows of one reading each: there a file does not hold most of the values.
MOST_VALUES = 10_000_000
# Each is an entry of a list on a page.
MOST_APPLICATIONS = 5_000
MOST_RUNS = 20_000
# What reading may take: so many times the file, and so much more. Of that, bytes of a row whatever its columns: the program, the run, the
# interval and the time are columns too, and one is copied while it is checked.
MOST_TIMES, MOST_MORE = 4, 300 << 20
_PER_ROW = 60


def check_columns(where: str, columns: int, what: str = "columns") -> None:
    """Raise ReadError where `where` has too many columns, events or counters."""
    if columns > MOST_COLUMNS:
        raise ReadError(f"{where}: {columns:,} {what}; at most {MOST_COLUMNS:,} are read. Leave some out, or send the file in parts.")


def check_readings(where: str, rows: int, columns: int) -> None:
    """Raise ReadError where a table as it stands has too many cells."""
    if rows * columns > MOST_READINGS:
        cells = f"{rows:,} rows x {columns:,} columns are {rows * columns:,} cells"
        raise ReadError(f"{where}: {cells}; at most {MOST_READINGS:,} are read. Send the file in parts.")


def check_memory(where: str, rows: int, columns: int, size: int, *, per_cell: int, per_row: int = 0) -> None:
    """Raise ReadError where rows are so short that the table would take far more memory than the file.

    size: bytes of the file. per_cell, per_row: bytes that its way of being read takes; per_row beside what every row takes.
    """
    needed = size + rows * (_PER_ROW + per_row + len(where) + columns * per_cell)  # each row has the name of its program
    if needed > MOST_TIMES * size + MOST_MORE:
        raise ReadError(
            f"{where}: {rows:,} rows of {size / rows:.0f} characters would take {needed / 2**20:,.0f} MiB of memory, more than"
            f" {MOST_TIMES} times the file and {MOST_MORE / 2**20:.0f} MiB. Send the file in parts."
        )


def check_values(where: str, rows: int, columns: int, *, of: str = "intervals", each: str = "events") -> None:
    """Raise ReadError where a table that is to be made of single readings would have too many columns or values."""
    check_columns(where, columns, each)
    if rows * columns > MOST_VALUES:
        values = f"{rows:,} {of} x {columns:,} {each} are {rows * columns:,} values"
        raise ReadError(f"{where}: {values}; at most {MOST_VALUES:,} are read. Leave {each} out, or send {of} in parts.")


def check_runs(where: str, applications: int, runs: int) -> None:
    """Raise ReadError where a series has too many applications, or runs of all of them together."""
    for found, most, what in ((applications, MOST_APPLICATIONS, "applications"), (runs, MOST_RUNS, "runs")):
        if found > most:
            raise ReadError(f"{where}: {found:,} {what}; at most {most:,} are read. Is a column named {what[:-1]!r} that numbers the rows?")
