"""The colours and the layout that every figure shares."""

import plotly.graph_objects as go

SERIES = ("#0F6E84", "#E08E0B", "#7A5195", "#D1495B", "#4C956C", "#3E6BB0", "#8D6E63", "#5C6B7A")
MUTED = "#7C8A97"
TRUTH = "#C026D3"  # of no event: what is known to be so
CORRELATION_SCALE = "RdBu_r"
DIFFERENCE_SCALE = "PuOr"
TOP_LEGEND = {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 1, "xanchor": "right"}


def finished(figure: go.Figure, *, title: str, height: int, **layout: object) -> go.Figure:
    """`figure` with a title that says what it answers, thin margins and no toolbar clutter."""
    figure.update_layout(
        title={"text": plain(title), "font": {"size": 14}, "x": 0, "xanchor": "left"},
        height=height,
        margin={"l": 8, "r": 8, "t": 48, "b": 8},
        hoverlabel={"align": "left"},
        **layout,
    )
    return figure


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
