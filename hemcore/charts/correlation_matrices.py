"""Correlation matrices as heatmaps with clickable cells."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from hemcore.charts.colours import CORRELATION_SCALE, DIFFERENCE_SCALE, TEXT
from hemcore.charts.heatmap_parts import cell_clicks, cell_digits, cells, digits_layout, thinned_square
from hemcore.charts.look import Layout, colour_bar, figure, plain
from hemcore.headline import formatted

_DIGITS_UP_TO = 20  # HEMs; smaller cells have no room for digits
_RINGS_UP_TO = 40  # HEMs; smaller cells have no room for a ring
_LEAST_DIFFERENCE = 0.02  # the scale covers at least this: small differences must look small
_WIDE = {".": 2.8}  # px of 10 px type; a digit or a minus sign is 5.6


def correlation_heatmap(
    matrix: pd.DataFrame,
    *,
    title: str,
    subtitle: str = "",
    readings: pd.DataFrame | None = None,
    difference: bool = False,
    limit: float | None = None,
    marked: tuple[str, str] | None = None,
    intervals: Mapping[tuple[str, str], str] | None = None,
    filled: bool = False,
    noise: NDArray[np.bool_] | None = None,
    uirevision: str = "",
) -> go.Figure:
    """A square heatmap of `matrix` (HEMs x HEMs; NaN = unknown, grey).

    readings: the number of readings of each pair (0 = never read together), for the hover.
    difference: the matrix is a difference of correlations, with another color scale, symmetric up to `limit` (default: the largest |value|,
        at least 0.02). Correlations are always colored from -1 to 1.
    marked: a pair whose cells are framed. intervals: hover text on the interval of a pair, by its two HEMs. filled: pairs with 0 `readings`
        come from a model and are marked (see `filled_mark`).
    noise: cells that are drawn like 0 and without digits, because their value may be chance; the hover gives it.
    A click on a cell reports the names of its two HEMs as customdata. layout.meta lets a page adapt the text to its width: names (full),
    ticks (shortened), size (px of the tick font), digits (px that a cell needs for its digits).
    """
    names = [str(name) for name in matrix.index]
    n = len(names)
    values = matrix.to_numpy(dtype=float)
    largest = float(np.nanmax(np.abs(values))) if np.isfinite(values).any() else 0.0
    bound = (limit or max(largest, _LEAST_DIFFERENCE)) if difference else 1.0
    scale = DIFFERENCE_SCALE if difference else CORRELATION_SCALE
    room = 0.0
    drawn = values if noise is None else np.where(noise, 0.0, values)
    traces = [cells(drawn.astype(np.float32), scale, (-bound, bound), bar=colour_bar(tickformat=".3~f", nticks=5))]
    if n <= _DIGITS_UP_TO:
        # No digits on the diagonal, where r is always 1.
        digits = ["" if place % (n + 1) == 0 else _digits(value, difference) for place, value in enumerate(values.ravel().tolist())]
        if noise is not None:
            digits = ["" if hidden else digit for digit, hidden in zip(digits, noise.ravel().tolist(), strict=True)]
        # A page hides all digits if the widest does not fit its cell at 9 px.
        room = 7 + 0.9 * max(sum(_WIDE.get(letter, 5.6) for letter in digit) for digit in digits)
        traces += cell_digits(digits, drawn, bound, scale)
    behind = None if readings is None else readings.to_numpy(dtype=float)
    if filled and behind is not None:
        if n <= _RINGS_UP_TO:
            traces.append(_rings(behind, values))
        else:
            traces[:1] = _paler(traces[0], behind, values)
    hovers = _hovers(names, values.tolist(), None if behind is None else behind.tolist(), difference, intervals or {}, filled)
    traces.append(cell_clicks([[row, column] for row in names for column in names], hovers, n, max(6, min(34, 420 // max(1, n)))))
    return figure(
        traces,
        title=title,
        subtitle=subtitle,
        uirevision=f"{uirevision}|{n}" if uirevision else "",
        shapes=_frames(names, marked),
        **digits_layout(9),
        **thinned_square(names, digits=room),
    )


def _frames(names: list[str], marked: tuple[str, str] | None) -> list[Layout]:
    """The frames around both cells of the pair; none if it is not in `names`."""
    if marked is None or not set(marked) <= set(names):
        return []
    first, second = (names.index(hem) for hem in marked)
    return [
        {"type": "rect", "x0": x - 0.5, "x1": x + 0.5, "y0": y - 0.5, "y1": y + 0.5, "line": {"color": TEXT, "width": 2}}
        for x, y in ((first, second), (second, first))
    ]


def filled_mark(n: int) -> str:
    """How a heatmap of n HEMs marks pairs filled by a model."""
    return "ring" if n <= _RINGS_UP_TO else "paler"


def _paler(heatmap: Layout, readings: NDArray[np.float64], values: NDArray[np.float64]) -> list[Layout]:
    """The heatmap as two traces: pairs read together, and the others in paler colors."""
    apart = (readings == 0) & ~np.eye(len(values), dtype=bool)
    parts = (np.where(apart, np.nan, values), np.where(apart, values, np.nan))
    others: Layout = {"showscale": False, "opacity": 0.55}
    return [heatmap | {"z": part.astype(np.float32)} | more for part, more in zip(parts, ({}, others), strict=True)]


def _rings(readings: NDArray[np.float64], values: NDArray[np.float64]) -> Layout:
    """A small ring in the corner of each cell with an r whose pair was never read together."""
    down, across = np.nonzero((readings == 0) & np.isfinite(values) & ~np.eye(len(values), dtype=bool))
    n = len(values)
    return {
        "type": "scatter",
        "x": (across + 0.36).astype(np.float32),
        "y": (down - 0.36).astype(np.float32),
        "mode": "markers",
        "marker": {"symbol": "circle-open", "size": 5 if n <= 30 else 3, "color": TEXT, "line": {"width": 1}},
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _digits(value: float, difference: bool) -> str:
    if value != value:
        return ""
    if difference:
        return formatted(value, ".3f").replace("0.", ".", 1) if abs(value) >= 0.0005 else "0"
    return "1" if value > 0.995 else formatted(value, ".2f").replace("0.", ".", 1)


def _hovers(
    names: list[str],
    values: list[list[float]],
    readings: list[list[float]] | None,
    difference: bool,
    intervals: Mapping[tuple[str, str], str],
    filled: bool,
) -> list[str]:
    shown = [plain(name) for name in names]
    unread = "never read together: filled by the model, no interval" if filled else "never read together"
    sign = "Δr" if difference else "r"
    hovers = []
    for row, first in enumerate(shown):
        for column, second in enumerate(shown):
            value = values[row][column]
            text = f"<b>{first}</b><br><b>{second}</b><br>{sign} = " + (formatted(value, "+.4f") if value == value else "unknown")
            if readings is not None and row != column:
                behind = readings[row][column]
                text += f"<br>{behind:,.0f} runs read both" if behind > 0 else ""
                text += f"<br>{unread if behind == 0 else 'left out of this merge'}" if not behind > 0 else ""
            if (names[row], names[column]) in intervals:
                text += f"<br>{intervals[names[row], names[column]]}"
            hovers.append(text)
    return hovers
