"""Scatter plots of many points in groups: thinned, drawn in turns, and small to send."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hemcore.charts.colours import TEXT
from hemcore.charts.look import Layout, plain, short_names

MOST = 5_000  # points of a figure
_LARGEST = 1e38  # of float32
_TURNS = 4


@dataclass(frozen=True, kw_only=True)
class Groups:
    """codes: the group number of each row, shape (rows,); names, colours, symbols: of each group."""

    codes: NDArray[np.int64]
    names: Sequence[str]
    colours: Sequence[str]
    symbols: Sequence[str]


def in_front(shown: NDArray[np.bool_], chosen: NDArray[np.bool_] | None = None, most: int = MOST) -> NDArray[np.int64]:
    """Indices of at most `most` points, evenly spaced: of the chosen ones if any is shown, otherwise of all `shown`."""
    places = np.flatnonzero(shown if chosen is None or not (chosen & shown).any() else chosen & shown)
    if len(places) <= most:
        return places
    return places[np.linspace(0, len(places) - 1, most).astype(np.int64)]


def scatter(
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    groups: Groups,
    places: NDArray[np.int64],
    *,
    hover: str,
    more: Sequence[NDArray] = (),
    turns: int = _TURNS,
) -> list[Layout]:
    """Traces of each group, in turns, so that no group covers all others. more: customdata; the first is sent on a click."""
    traces: list[Layout] = []
    named: set[int] = set()
    shown = short_names([str(each) for each in groups.names], 24)
    for turn in range(turns):
        for number, name in enumerate(groups.names):
            own = places[turn::turns]
            own = own[groups.codes[own] == number]
            if not len(own):
                continue
            traces.append(
                {
                    "type": "scattergl",
                    "x": lean(x[own]),
                    "y": lean(y[own]),
                    "mode": "markers",
                    "name": shown[number],
                    "legendgroup": str(number),
                    "legendrank": number + 1,
                    "showlegend": number not in named,
                    "marker": {"color": groups.colours[number], "symbol": groups.symbols[number], "size": 5, "opacity": 0.65},
                    "customdata": lean(np.column_stack([each[own] for each in more])) if len(more) else None,
                    "hovertemplate": f"{plain(str(name)[:60])}<br>{hover}<extra></extra>",
                }
            )
            named.add(number)
    return traces


def ringed(x: NDArray[np.float64], y: NDArray[np.float64], places: NDArray[np.int64], name: str) -> dict[str, object]:
    """Rings around the points at `places`, thinner if there are many."""
    size, width = (9, 1.2) if len(places) <= 200 else (6, 0.5)
    return {
        "type": "scattergl",
        "x": lean(x[places]),
        "y": lean(y[places]),
        "mode": "markers",
        "name": name,
        "marker": {"symbol": "circle-open", "size": size, "color": TEXT, "line": {"width": width}},
        "hoverinfo": "skip",
    }


def lean(values: NDArray) -> NDArray:
    """`values` as float32, unless they are too large for it."""
    large = float(np.nanmax(np.abs(values), initial=0)) > _LARGEST
    return values if large else values.astype(np.float32)
