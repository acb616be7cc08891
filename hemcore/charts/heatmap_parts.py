"""Parts of heatmaps: colored cells, digits, clickable markers, and the layout of square heatmaps.

Rows run from top to bottom: cell (row, column) is at y = row, x = column.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hemcore.charts.colours import BLACK, NOTHING, QUIET, UNKNOWN, WHITE, Scale, takes_black
from hemcore.charts.look import DIGITS, Layout, label_width, short_names

_PLOT = 300  # px left for the cells in a narrow figure


def cells(
    values: NDArray,
    scale: Scale,
    bounds: tuple[float, float],
    *,
    gap_up_to: int = 30,
    first_column: int = 0,
    bar: Layout | None = None,
    hover: str = "",
) -> Layout:
    """The trace of colored cells; values has shape (rows, columns), NaN = no color.

    bounds: the values at the two ends of `scale`. gap_up_to: the most rows (columns) with gaps between them. first_column: x of the first
    column. bar: the color bar, None for none. hover: the hover template, "" for no hover.
    """
    rows, columns = values.shape
    return {
        "type": "heatmap",
        "z": values,
        "x": np.arange(first_column, first_column + columns, dtype=np.int16),
        "y": np.arange(rows, dtype=np.int16),
        "xgap": 1 if columns <= gap_up_to else 0,
        "ygap": 1 if rows <= gap_up_to else 0,
        "zmin": bounds[0],
        "zmax": bounds[1],
        "colorscale": scale,
        **({"showscale": False} if bar is None else {"colorbar": bar}),
        **({"hovertemplate": hover} if hover else {"hoverinfo": "skip"}),
    }


def cell_digits(text: Sequence[str], values: NDArray[np.float64], bound: float, scale: Scale) -> list[dict[str, object]]:
    """Two traces, black and white, that write `text` (row by row) on the cells of `values`, colored from -bound to bound.

    They are transparent bars, because plotly hides bar texts that do not fit (with `digits_layout`). Both traces have an entry per cell, so
    they can be redrawn in place; it is "" where the other color is more readable.
    """
    black = takes_black(np.nan_to_num(values.ravel()), bound, scale)
    down, across = np.divmod(np.arange(values.size), values.shape[1])
    return [_digits(text, chosen, down, across, ink) for chosen, ink in ((black, BLACK), (~black, WHITE))]


def _digits(text: Sequence[str], chosen: NDArray[np.bool_], down: NDArray[np.int64], across: NDArray[np.int64], ink: str) -> Layout:
    return {
        "type": "bar",
        "name": DIGITS,
        "x": across.astype(np.int16),
        "base": (down - 0.5).astype(np.float32),
        "y": np.ones(len(text), dtype=np.int8),
        "width": 1,
        "marker": {"color": NOTHING, "line": {"width": 0}},
        "text": [each if here else "" for each, here in zip(text, chosen.tolist(), strict=True)],
        "textposition": "inside",
        "insidetextanchor": "middle",
        "textangle": 0,
        "textfont": {"size": 10, "color": ink},
        "constraintext": "inside",
        # Clicking a cell would fade the digits of all others.
        "selected": {"textfont": {"color": ink}},
        "unselected": {"textfont": {"color": ink}},
        "hoverinfo": "skip",
        "showlegend": False,
    }


def digits_layout(smallest: int) -> Layout:
    """The layout that `cell_digits` needs; digits are at least `smallest` px."""
    return {"barmode": "overlay", "bargap": 0, "uniformtext": {"mode": "hide", "minsize": smallest}}


def cell_clicks(keys: Sequence[Sequence[str]], hovers: Sequence[str], columns: int, size: int) -> Layout:
    """Transparent markers over the cells, because a heatmap reports no clicks.

    keys: the customdata that a click on each cell reports; hovers: the hover texts; both row by row. size: px of a marker.
    """
    down, across = np.divmod(np.arange(len(hovers), dtype=np.int16), columns)
    return {
        "type": "scatter",
        "x": across,
        "y": down,
        "mode": "markers",
        "marker": {"size": size, "symbol": "square", "opacity": 0},
        "unselected": {"marker": {"opacity": 0}},
        "customdata": np.array(keys, dtype=object),
        "text": hovers,
        "hovertemplate": "%{text}<extra></extra>",
        "showlegend": False,
    }


def cell_axis(size: int, places: Sequence[int] | NDArray, names: Sequence[str]) -> Layout:
    """An axis of cells: `names` in `size` px at `places`, without lines."""
    return {
        "showgrid": False,
        "showline": False,
        "ticks": "",
        "tickfont": {"size": size, "color": QUIET},
        "tickvals": places,
        "ticktext": names,
    }


def square(names: Sequence[str], *, every_row: bool) -> Layout:
    """The layout (as look.figure takes it) of a square heatmap of `names`, the first at the top left; unknown cells are grey.

    Names are shortened. Below the cells only as many as fit a narrow figure; next to the rows all (every_row), or as many as below.
    """
    n = len(names)
    # Short enough for narrow figures; the hover has the full name.
    length, size = (18, 11) if n <= 10 else (16, 10) if n <= 20 else (14, 9)
    shown, places = short_names(names, length), np.arange(n, dtype=np.int16)
    step = max(1, -(-n * size // _PLOT))
    wide = label_width(shown, size)
    across, down = (cell_axis(size, places[::each], shown[::each]) for each in (step, 1 if every_row else step))
    return {
        "height": min(700, max(300, 130 + (26 if n <= 20 else 15) * n)),
        "sides": (wide + 12, 12 + round(wide * 0.71 + size if n <= 12 else wide)),
        "right": 52,
        "plot_bgcolor": UNKNOWN,
        "xaxis": across | {"tickangle": -45 if n <= 12 else -90, "range": [-0.5, n - 0.5]},
        "yaxis": down | {"range": [n - 0.5, -0.5]},
    }


def thinned_square(names: Sequence[str], *, digits: float = 0.0) -> Layout:
    """`square` of `names` with every name that fits its rows, and the meta from which a page fits them, and digits, to its size.

    digits: px that a cell needs for its digits.
    """
    layout = square(names, every_row=True)
    down = layout["yaxis"]
    size = down["tickfont"]["size"]
    each = max(1, -(-len(names) * (size + 3) // (layout["height"] - layout["sides"][1])))
    layout["yaxis"] = down | {"tickvals": down["tickvals"][::each], "ticktext": down["ticktext"][::each]}
    return layout | {"meta": {"names": list(names), "ticks": down["ticktext"], "size": size, "digits": digits}}
