"""Digits on the cells of a heatmap, as bars without a colour: those are left out where they do not fit."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hemcore.charts.colours import BLACK, NOTHING, WHITE
from hemcore.charts.look import DIGITS


def cell_digits(words: list[str], black: NDArray[np.bool_], down: NDArray[np.int64], across: NDArray[np.int64]) -> list[dict[str, Any]]:
    """The two traces, one an ink, that write `words` on the cells at `down`, `across`; shape (cells,) each. black: which are in black.

    Both traces know all cells, so that they change in place; a cell of the other ink has an empty text.
    """
    return [_written(words, chosen, down, across, ink) for chosen, ink in ((black, BLACK), (~black, WHITE))]


def _written(words: list[str], chosen: NDArray[np.bool_], down: NDArray[np.int64], across: NDArray[np.int64], ink: str) -> dict[str, Any]:
    return {
        "type": "bar",
        "name": DIGITS,
        "x": across.astype(np.int16),
        "base": (down - 0.5).astype(np.float32),
        "y": np.ones(len(words), dtype=np.int8),
        "width": 1,
        "marker": {"color": NOTHING, "line": {"width": 0}},
        "text": [word if here else "" for word, here in zip(words, chosen.tolist(), strict=True)],
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
