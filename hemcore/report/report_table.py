"""A frame as the rows of a report's table."""

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from hemcore.charts.headings import heading, is_share
from hemcore.headline import amount, percent
from hemcore.report.render import TEMPLATES

_TABLE = TEMPLATES.from_string('{% from "item.html" import table %}{{ table(rows, label) }}')
ROWS = 50
PRINTED_ROWS = 20
_COLUMNS = 40
_PRINTED_COLUMNS = 9
_CELL = 300
_DIGITS = 4


@dataclass(frozen=True, kw_only=True)
class Column:
    """A column of the table. kind: its CSS classes."""

    name: str
    kind: str


@dataclass(frozen=True, kw_only=True)
class TableRows:
    """The first 50 rows and 40 columns of a frame as text. n_rows: of the whole frame; printed_columns: "" = all are printed."""

    columns: tuple[Column, ...]
    cells: tuple[tuple[str, ...], ...]
    how_many: str
    n_rows: int
    printed_columns: str

    @property
    def printed(self) -> str:
        """Which part is printed where nothing else is on the page, "" = all."""
        rows = f"the first {PRINTED_ROWS} of {self.n_rows:,} rows" if self.n_rows > PRINTED_ROWS else ""
        return " and ".join(each for each in (rows, self.printed_columns) if each)


def table_rows(frame: pd.DataFrame) -> TableRows:
    """`frame` as text: decimals per column; – = not measured."""
    # Numbers of rows that have no name are not for readers.
    numbered = frame.index.name is None and pd.api.types.is_integer_dtype(frame.index)
    named = frame if numbered else frame.reset_index()
    shown = named.iloc[:ROWS, :_COLUMNS]
    columns = []
    for place, (name, dtype) in enumerate(shown.dtypes.items()):
        number = pd.api.types.is_numeric_dtype(dtype) and not pd.api.types.is_bool_dtype(dtype)
        kind = " ".join([*(["number"] if number else []), *(["far"] if place >= _PRINTED_COLUMNS else [])])
        columns.append(Column(name=_cut(heading(str(name))), kind=kind))
    texts = [_texts(str(name), shown.iloc[:, place]) for place, name in enumerate(shown.columns)]
    cells = tuple(zip(*texts, strict=True))
    far = f"the first {_PRINTED_COLUMNS} of {named.shape[1]:,} columns" if named.shape[1] > _PRINTED_COLUMNS else ""
    return TableRows(columns=tuple(columns), cells=cells, how_many=how_many(frame), n_rows=len(frame), printed_columns=far)


def table_html(frame: pd.DataFrame, label: str) -> str:
    """`frame` as an HTML table, at most 50 rows and 40 columns of it, everything escaped. label: what a screen reader calls it."""
    return _TABLE.render(rows=table_rows(frame), label=label)


def how_many(frame: pd.DataFrame) -> str:
    """The part of `frame` that the report shows: "50 rows"."""
    rows = f"the first {ROWS} of {len(frame):,} rows" if len(frame) > ROWS else f"{len(frame):,} row{'' if len(frame) == 1 else 's'}"
    return rows if frame.shape[1] <= _COLUMNS else f"{rows}, the first {_COLUMNS} of {frame.shape[1]:,} columns"


def _texts(name: str, column: pd.Series) -> list[str]:
    values = column.tolist()
    if is_share(name) and pd.api.types.is_float_dtype(column.dtype):
        return [percent(value, 1) for value in values]
    if not pd.api.types.is_float_dtype(column.dtype):
        return [_text(value) for value in values]
    known = [abs(value) for value in values if value is not None and math.isfinite(value)]
    if all(value == int(value) for value in known):
        return [_number(value, 0) for value in values]
    decimals = min(6, max(0, _DIGITS - 1 - math.floor(math.log10(max(known)))))
    return [_number(value, decimals) for value in values]


def _number(value: float, decimals: int) -> str:
    if value is None or math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if value and abs(value) < 0.5 * 10.0**-decimals:
        return amount(value, 2)
    return amount(value, 4) if abs(value) >= 1e15 else f"{value:,.{decimals}f}"


def _text(value: object) -> str:
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, int | np.integer):
        return f"{value:,}"
    if isinstance(value, list | tuple):
        return _cut(", ".join(_text(each) for each in value[:_CELL]))
    if isinstance(value, float):
        return _number(value, 4)
    return "–" if value is None or value is pd.NaT or value is pd.NA else _cut(str(value))


def _cut(text: str) -> str:
    return text if len(text) <= _CELL else f"{text[: _CELL - 1]}…"
