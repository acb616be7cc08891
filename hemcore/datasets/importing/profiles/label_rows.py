"""Series of a dashboard with a row for each label above them ("metric.type", "instance_id", "zone"), as the text of a CSV with one header.

Source: Google Cloud, "Metrics Explorer: download chart data as CSV".
"""

import csv
import io
from itertools import islice

from hemcore.datasets.importing.date_times import kind_of
from hemcore.datasets.importing.other_forms.written_csv import csv_of_rows
from hemcore.datasets.readers.decoding import lines_of

_FEWEST, _MOST = 3, 20


def as_table(text: str) -> str | None:
    """CSV with commas: a time, and a column per series, named by its metric and the labels that tell it from others; None for others.

    The first lines, three at least, hold a label each: its name, and its value of each series; below them is a date and time.
    """
    try:
        head = list(csv.reader(islice(lines_of(text, ends=True), _MOST)))
    except csv.Error:
        return None
    first = next((number for number, row in enumerate(head) if row and kind_of(row[0]) == "date-time"), 0)
    labels = [[cell.strip() for cell in row] for row in head[:first]]
    width = len(labels[0]) if labels else 0
    if first < _FEWEST or width < 3 or any(len(row) != width or not all(row) for row in labels):
        return None
    if len({row[0] for row in labels}) < first or sum("." in row[0] for row in labels) < 2:
        return None
    metrics = [cell.rsplit("/", 1)[-1] for cell in labels[0][1:]]
    apart = [row[1:] for row in labels[1:] if len(set(row[1:])) > 1]
    names = [" ".join(dict.fromkeys((metric, *(row[at] for row in apart)))) for at, metric in enumerate(metrics)]
    if len(set(names)) < len(names):
        return None
    rows = csv.reader(io.StringIO(text))
    return csv_of_rows(["time", *names], islice(rows, first, None))
