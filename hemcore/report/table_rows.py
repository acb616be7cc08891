"""A frame as the rows of a page."""

import math
from typing import Any

import numpy as np
import pandas as pd

from hemcore.report.plain_text import escaped

ROWS = 50
PRINTED_ROWS = 20
_COLUMNS = 40
_PRINTED_COLUMNS = 9
_CELL = 300
_DIGITS = 4


def table_html(frame: pd.DataFrame, label: str) -> str:
    """The first 50 rows and 40 columns of `frame`, numbers right-aligned, each column with its own decimals; – = not measured."""
    named = frame.reset_index() if frame.index.name is not None or not isinstance(frame.index, pd.RangeIndex) else frame
    shown = named.iloc[:ROWS, :_COLUMNS]
    columns = [_texts(shown.iloc[:, place]) for place in range(shown.shape[1])]
    numeric = [pd.api.types.is_numeric_dtype(kind) and not pd.api.types.is_bool_dtype(kind) for kind in shown.dtypes]
    kinds = [
        " ".join([*(["number"] if number else []), *(["far"] if place >= _PRINTED_COLUMNS else [])]) for place, number in enumerate(numeric)
    ]
    head = "".join(
        f'<th scope="col" class="{kind}">{escaped(_cut(str(name))).replace("_", "_<wbr>")}</th>'
        for name, kind in zip(shown.columns, kinds, strict=True)
    )
    body = "".join(
        "<tr>" + "".join(f'<td class="{kind}">{escaped(text)}</td>' for text, kind in zip(row, kinds, strict=True)) + "</tr>"
        for row in zip(*columns, strict=True)
    )
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div class="scrolled" tabindex="0" role="region" aria-label="{escaped(label)}">{table}</div>{_printed_note(named)}'


def how_many(frame: pd.DataFrame) -> str:
    """How much of `frame` the page shows, in words."""
    rows = f"the first {ROWS} of {len(frame):,} rows" if len(frame) > ROWS else f"{len(frame):,} row{'' if len(frame) == 1 else 's'}"
    return rows if frame.shape[1] <= _COLUMNS else f"{rows}, the first {_COLUMNS} of {frame.shape[1]:,} columns"


def _printed_note(frame: pd.DataFrame) -> str:
    rows = f"the first {PRINTED_ROWS} rows" if len(frame) > PRINTED_ROWS else ""
    columns = f"the first {_PRINTED_COLUMNS} columns" if frame.shape[1] > _PRINTED_COLUMNS else ""
    said = " and ".join(each for each in (rows, columns) if each)
    return f'<p class="on-paper small">On paper {said}; the file has more.</p>' if said else ""


def _texts(column: pd.Series) -> list[str]:
    values = column.tolist()
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
        return f"{value:.1e}"
    return f"{value:.3e}" if abs(value) >= 1e15 else f"{value:,.{decimals}f}"


def _text(value: Any) -> str:
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
