"""The colours and the layout that every figure shares."""

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

SERIES = ("#0F6E84", "#E08E0B", "#7A5195", "#D1495B", "#4C956C", "#3E6BB0", "#8D6E63", "#5C6B7A")
MUTED = "#7C8A97"
BAND = "rgba(124, 138, 151, 0.16)"  # every second segment, numbers within bounds: shows on both grounds
TRUTH = "#C026D3"  # of no event: what is known to be so
CORRELATION_SCALE = "RdBu_r"
DIFFERENCE_SCALE = "PuOr"
TOP_LEGEND = {"orientation": "h", "y": 1.01, "yanchor": "bottom", "x": 0, "xanchor": "left"}
# The same colours where the ground is dark.
_DARK = {
    "#0F6E84": "#4FB3C8",
    "#7A5195": "#B58AD0",
    "#D1495B": "#EC8793",
    "#4C956C": "#76C59A",
    "#3E6BB0": "#84AAEA",
    "#8D6E63": "#C0A398",
    "#5C6B7A": "#9AA9B8",
    "#7C8A97": "#A9B6C2",
    "#C026D3": "#E879F9",
}


def finished(figure: go.Figure, *, title: str, height: int, **layout: object) -> go.Figure:
    """`figure` with a title that says what it answers, thin margins and no toolbar clutter; a legend stands in a row under the title."""
    return figure.update_layout(_layout(title, height, layout))


def made(traces: Sequence[Any], *, title: str, height: int, **layout: object) -> go.Figure:
    """As `finished`, of a figure with these traces; in one piece, which is quicker than changing a figure part by part."""
    return go.Figure(list(traces), _layout(title, height, layout))


def _layout(title: str, height: int, rest: dict[str, Any]) -> dict[str, Any]:
    words = {"text": plain(title), "font": {"size": 14}, "x": 0, "xanchor": "left", "y": 1, "yref": "container", "yanchor": "top"}
    return {
        "title": words | {"pad": {"t": 12}},
        "height": height + (24 if "legend" in rest else 0),
        "margin": {"l": 8, "r": 8, "t": 72 if "legend" in rest else 48, "b": 8},
        "hoverlabel": {"align": "left"},
        **rest,
    }


def themed(figure: go.Figure, dark: bool) -> go.Figure:
    """`figure` as it is drawn on the light ground; on the dark one a copy with the colours that show there."""
    return go.Figure(_lighter(figure.to_dict())) if dark else figure


def _lighter(part: Any) -> Any:
    if isinstance(part, dict):
        return {
            name: _DARK.get(value, value) if name == "color" and isinstance(value, str) else _lighter(value) for name, value in part.items()
        }
    if isinstance(part, list | tuple) and part and isinstance(part[0], dict):
        return [_lighter(each) for each in part]
    return part


def legend_line(name: str, colour: str, dash: str) -> go.Scatter:
    """An entry in the legend for lines that are shapes of the layout."""
    return go.Scatter(x=[None], y=[None], mode="lines", name=name, line={"color": colour, "dash": dash, "width": 1.5})


def plain(words: str) -> str:
    """Text that plotly shows as it is: it reads a little HTML in titles, ticks and hovers."""
    return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def short(name: str, length: int = 30) -> str:
    """A name short enough for a tick: the middle of a long one is left out."""
    if len(name) <= length:
        return plain(name)
    half = (length - 1) // 2
    return plain(f"{name[:half]}…{name[-half:]}")


def counted_title(event: str) -> str:
    """The title of an axis of `event`: counts per interval, unless its name carries a unit, as "Power(W)" does."""
    return short(event, 60) if event.rstrip().endswith(")") else f"{short(event, 60)}, counts per interval"


def event_colour(events: Sequence[str], event: str) -> str:
    """The colour that `event` of a dataset has on every page."""
    return SERIES[list(events).index(event) % len(SERIES)]


def faint(colour: str) -> str:
    """A colour (#rrggbb) thin enough to lie over others."""
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, 0.18)"
