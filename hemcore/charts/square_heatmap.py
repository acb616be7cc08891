"""Square heatmaps, HEMs by HEMs: the grid of their cells, and a layout that fits however many HEMs there are."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from hemcore.charts.colours import QUIET, UNKNOWN
from hemcore.charts.look import label_width, short_names

_PLOT = 300  # px across that names and colour bar leave in a narrow figure


def grid(n: int) -> dict[str, Any]:
    """Where the n x n cells of a heatmap trace stand, with a gap between them where they are large enough for one."""
    places, gap = np.arange(n, dtype=np.int16), 1 if n <= 30 else 0
    return {"x": places, "y": places, "xgap": gap, "ygap": gap}


def square(names: Sequence[str], *, every_row: bool) -> dict[str, Any]:
    """The layout (as look.made takes it) of a square heatmap of `names`, the first at the top left; what is unknown is grey.

    Names are shortened, and across only as many are written as a narrow figure has room for; down every one, or as many as across.
    """
    n = len(names)
    # Long names leave the cells their room in a narrow figure; the whole name is on the hover.
    length, size = (18, 11) if n <= 10 else (16, 10) if n <= 20 else (14, 9)
    shown, places = short_names(names, length), np.arange(n, dtype=np.int16)
    step = max(1, -(-n * size // _PLOT))
    wide = label_width(shown, size)
    axis = {"showgrid": False, "showline": False, "ticks": "", "tickfont": {"size": size, "color": QUIET}}
    across, down = ({"tickvals": places[::each], "ticktext": shown[::each]} for each in (step, 1 if every_row else step))
    return {
        "height": min(700, max(300, 130 + (26 if n <= 20 else 15) * n)),
        "sides": (wide + 12, 12 + round(wide * 0.71 + size if n <= 12 else wide)),
        "right": 52,
        "plot_bgcolor": UNKNOWN,
        "xaxis": axis | across | {"tickangle": -45 if n <= 12 else -90, "range": [-0.5, n - 0.5]},
        "yaxis": axis | down | {"range": [n - 0.5, -0.5]},
    }
