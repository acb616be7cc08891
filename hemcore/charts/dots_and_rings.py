"""Two values per row: a dot and a ring, joined by a line."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.charts.colours import BASELINE, GRID
from hemcore.charts.look import Layout, plain

Colours = str | list[str]  # one, or one per row


def dumbbells(
    names: Sequence[str],
    values: tuple[pd.Series, pd.Series],
    meanings: tuple[str, str],
    colours: tuple[Colours, Colours],
    form: str = ".1%",
) -> list[Layout]:
    """The traces, row 0 at y = 0. names: of the rows; meanings: of dot and ring, in legend and hover; form: of the values, in d3."""
    rows = np.arange(len(names))
    ends = [each.to_numpy(dtype=np.float32) for each in values]
    joined = np.column_stack([*ends, np.full(len(names), np.nan, dtype=np.float32)]).ravel()
    line: Layout = {"x": joined, "y": np.repeat(rows, 3), "line": {"color": GRID, "width": 5}, "hoverinfo": "skip", "showlegend": False}
    markers: tuple[Layout, Layout] = ({"symbol": "circle"}, {"symbol": "circle-open", "line": {"width": 2}})
    texts = [plain(each) for each in names]
    return [
        {"type": "scatter", "mode": "lines", **line},
        *(
            {
                "type": "scatter", "mode": "markers", "name": meaning, "x": each, "y": rows, "text": texts,
                "marker": {"size": 11, "color": colour, **marker}, "hovertemplate": f"%{{text}}: {meaning} %{{x:{form}}}<extra></extra>",
            }
            for each, marker, meaning, colour in zip(ends, markers, meanings, colours, strict=True)
        ),
    ]  # fmt: skip


def baseline_ticks(x: NDArray[np.floating], y: NDArray[np.generic], name: str, *, legend: bool = True, form: str = ".1%") -> Layout:
    """The trace of a baseline's values: upright ticks that leave what is new in sight. form: of the values, in d3."""
    return {
        "type": "scatter", "mode": "markers", "name": name, "x": x, "y": y, "showlegend": legend,
        "marker": {"symbol": "line-ns-open", "size": 16, "color": BASELINE, "line": {"width": 3}},
        "hovertemplate": f"baseline %{{x:{form}}}<extra></extra>",
    }  # fmt: skip
