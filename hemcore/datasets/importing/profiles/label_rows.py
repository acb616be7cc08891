"""What is said of columns elsewhere than in one header, as the text of a CSV with one: a row for each label above the series of a dashboard
("metric.type", "instance_id", "zone"); the unit of each value in a column of its own.

Source: Google Cloud, "Metrics Explorer: download chart data as CSV".
"""

import csv
import io
import re
from itertools import islice

from hemcore.datasets.importing.date_times import kind_of
from hemcore.datasets.importing.other_forms.written_csv import csv_of_rows
from hemcore.datasets.readers.decoding import lines_of

_FEWEST, _MOST, _LINE = 3, 20, 10_000
_CLOCK = re.compile(r"\d:\d\d")
_NO_UNIT = ("", "1", "-", "count", "counts")


def as_table(text: str) -> str | None:
    """CSV with commas: a time, and a column per series, named by its metric and the labels that tell it from others; None for others.

    The first lines, three at least, hold a label each: its name, and its value of each series; below them is a date and time. Or columns
    called "unit", two at least, hold one text each, which joins the name at their left.
    """
    if text[:_LINE].partition("\n")[0].lower().count("unit") > 1:
        return _with_units(text)
    try:
        head = list(csv.reader(islice(lines_of(text, ends=True), _MOST)))
    except csv.Error:
        return None
    first = next((number for number, row in enumerate(head) if row and kind_of(row[0]) == "date-time"), 0)
    labels = [[cell.strip() for cell in row] for row in head[:first]]
    width = len(labels[0]) if labels else 0
    if first < _FEWEST or width < 3 or any(len(row) != width or not all(row) for row in labels):
        return None
    if len({row[0] for row in labels}) < first or sum("." in row[0] for row in labels) < 2 or any(_CLOCK.search(row[0]) for row in labels):
        return None
    metrics = [cell.rsplit("/", 1)[-1] for cell in labels[0][1:]]
    apart = [row[1:] for row in labels[1:] if len(set(row[1:])) > 1]
    names = [" ".join(dict.fromkeys((metric, *(row[at] for row in apart)))) for at, metric in enumerate(metrics)]
    if len(set(names)) < len(names):
        return None
    rows = csv.reader(io.StringIO(text))
    return csv_of_rows(["time", *names], islice(rows, first, None))


def _with_units(text: str) -> str | None:
    first = text[:_LINE].partition("\n")[0]
    separator = max(",;\t|", key=first.count)
    try:
        names, *rows = csv.reader(lines_of(text, ends=True), delimiter=separator)
    except (csv.Error, ValueError):
        return None
    units = [at for at, name in enumerate(names) if name.strip().lower() in ("unit", "units")]
    rows = [row for row in rows if any(row)]
    if len(units) < 2 or not rows or any(len(row) != len(names) for row in rows) or any(at == 0 or at - 1 in units for at in units):
        return None
    said = {at - 1: rows[0][at].strip() for at in units}
    if any(row[at].strip() != said[at - 1] for row in rows for at in units):
        return None
    kept = [at for at in range(len(names)) if at not in units]
    called = [f"{names[at].strip()} [{said[at]}]" if said.get(at, "") not in _NO_UNIT else names[at].strip() for at in kept]
    return csv_of_rows(called, ([row[at] for at in kept] for row in rows))
