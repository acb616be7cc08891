"""A small SVG of an answer, drawn without plotly: a heatmap of correlations, steps of segments, or bars."""

from html import escape

import numpy as np
import pandas as pd
from numpy.typing import NDArray

_WIDTH, _HEIGHT, _MOST = 260, 90, 60


def thumbnail(result: object, table: pd.DataFrame) -> str:
    """The SVG; "" if there is nothing to draw. The only text from the data is its escaped title."""
    square = getattr(result, "achieved", None)
    if isinstance(square, pd.DataFrame) and square.shape[0] == square.shape[1] and len(square) > 1:
        return _heatmap(square)
    if {"start", "stop", "mean"} <= set(table.columns):
        return _steps(table)
    numbers = [name for name in table.columns if pd.api.types.is_float_dtype(table[name])]
    return _bars(table[numbers[0]]) if numbers and len(table) > 1 else ""


def _heatmap(square: pd.DataFrame) -> str:
    values = square.to_numpy(dtype=float)[:_MOST, :_MOST]
    side = (_HEIGHT + 30) / len(values)
    cells = "".join(
        f'<rect x="{column * side:.1f}" y="{row * side:.1f}" width="{side + 0.2:.1f}" height="{side + 0.2:.1f}" fill="{_colour(value)}"/>'
        for (row, column), value in np.ndenumerate(values)
    )
    return _svg(cells, f"Correlations of {len(square)} counters", _HEIGHT + 30, _HEIGHT + 30)


def _colour(value: float) -> str:
    """From blue at -1 over white to red at 1; gray if unknown."""
    if not np.isfinite(value):
        return "#bbbbbb"
    end = np.array([178, 24, 43]) if value > 0 else np.array([33, 102, 172])
    return "#" + "".join(f"{round(255 + (each - 255) * min(abs(value), 1)):02x}" for each in end)


def _steps(table: pd.DataFrame) -> str:
    keys = [name for name in ("application", "event", "run") if name in table.columns]
    first = table if not keys else table[(table[keys] == table[keys].iloc[0]).all(axis=1)]
    start, stop, mean = (first[name].to_numpy(dtype=float) for name in ("start", "stop", "mean"))
    if not len(first) or not np.isfinite(mean).all() or stop[-1] <= start[0]:
        return ""
    x = (np.column_stack([start, stop]).ravel() - start[0]) / (stop[-1] - start[0]) * _WIDTH
    y = np.repeat(_down(mean), 2)
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True))
    drawn = f'<polyline points="{points}" fill="none" stroke="#0F6E84" stroke-width="1.5"/>'
    return _svg(drawn, f"The mean of {len(first)} segments")


def _bars(column: pd.Series) -> str:
    values = column.to_numpy(dtype=float)[:_MOST]
    if not np.isfinite(values).any():
        return ""
    width, zero = _WIDTH / len(values), float(_down(np.append(values, 0.0))[-1])
    wide = max(width - 1, 0.5)
    bars = "".join(
        f'<rect x="{place * width:.1f}" y="{min(y, zero):.1f}" width="{wide:.1f}" height="{abs(zero - y):.1f}" fill="#0F6E84"/>'
        for place, y in enumerate(_down(np.append(values, 0.0))[:-1])
        if np.isfinite(y)
    )
    more = f", the first {_MOST} rows" if len(column) > _MOST else ""
    return _svg(bars, f"{column.name}{more}")


def _down(values: NDArray[np.float64]) -> NDArray[np.float64]:
    low, high = np.nanmin(values), np.nanmax(values)
    return 4 + (high - values) / ((high - low) or 1.0) * (_HEIGHT - 8)


def _svg(drawn: str, title: str, width: float = _WIDTH, height: float = _HEIGHT) -> str:
    size = f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img"><title>{escape(title)}</title>{drawn}</svg>'
