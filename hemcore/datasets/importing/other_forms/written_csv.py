"""Rows and records as the text of a CSV: commas, a header, lines that end with a line feed."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence

from hemcore.datasets.readers import decoding


def csv_of_rows(names: Sequence[str], rows: Iterable[Sequence[object]]) -> str | None:
    """The header `names`, then `rows`; None without a row."""
    made = io.StringIO()
    writer = csv.writer(made, lineterminator="\n")
    writer.writerow(names)
    empty = made.tell()
    writer.writerows(rows)
    return made.getvalue() if made.tell() > empty else None


def csv_of_records(records: Iterable[Mapping[str, str]]) -> str | None:
    """One row per record, the columns in the order in which they first come; what a record lacks is empty. None without a record.

    Of the records, one at a time is held.
    """
    body, places, narrowest = io.StringIO(), dict[str, int](), -1
    writer = csv.writer(body, lineterminator="\n")
    for record in records:
        cells = {places.setdefault(key, len(places)): cell for key, cell in record.items()}
        writer.writerow([cells.get(place, "") for place in range(len(places))])
        narrowest = len(places) if narrowest < 0 else narrowest
    if narrowest < 0:
        return None
    if narrowest < len(places):  # a column came later: the rows before it lack its cell
        rows = csv.reader(decoding.lines_of(body.getvalue(), ends=True))
        return csv_of_rows(list(places), ([*row, *[""] * (len(places) - len(row))] for row in rows))
    head = io.StringIO()
    csv.writer(head, lineterminator="\n").writerow(list(places))
    text = body.getvalue()
    body.close()  # of a large one, no third copy
    return head.getvalue() + text
