"""Rows and records as the text of a CSV: commas, a header, lines that end with a line feed."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence


def csv_of_rows(names: Sequence[str], rows: Iterable[Sequence[object]]) -> str | None:
    """The header `names`, then `rows`; None without a row."""
    made = io.StringIO()
    writer = csv.writer(made, lineterminator="\n")
    writer.writerow(names)
    empty = made.tell()
    writer.writerows(rows)
    return made.getvalue() if made.tell() > empty else None


def csv_of_records(records: Iterable[Mapping[str, str]]) -> str | None:
    """One row per record, the columns in the order in which they first come; what a record lacks is empty. None without a record."""
    rows = list(records)
    names = list(dict.fromkeys(key for row in rows for key in row))
    return csv_of_rows(names, ([row.get(key, "") for key in names] for row in rows))
