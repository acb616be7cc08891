"""The appearance of a model in every picture: color, symbol, row and bar; and which models are shown by default."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from hemcore.charts.colours import MUTED, SERIES, TEXT
from hemcore.charts.dots_and_rings import dumbbells
from hemcore.charts.look import Layout, label_width, plain, short_names
from hemcore.prediction.evaluate.by_program import Evaluation

_MOST = 5
# Each model has a symbol of its own, for the color-blind and where two of one kind share a color; no two default models do.
_LOOKS = {
    "OLS": (SERIES[0], "circle"),
    "Lasso": (SERIES[1], "square"),
    "Ridge": (SERIES[2], "triangle-up"),
    "CLSLR": (SERIES[3], "triangle-down"),
    "CLSLR, one size": (SERIES[3], "triangle-left"),
    "CLSLR, thesis": (SERIES[3], "triangle-right"),
    "cost per event": (SERIES[6], "pentagon"),
    "cost per event, 3 counters": (SERIES[7], "cross"),
    "cost per event, curves": (SERIES[6], "hexagon"),
    "boosting": (SERIES[4], "star"),
    "kNN10": (SERIES[1], "hourglass"),
    "blend": (SERIES[5], "diamond"),
}


def colour_of_model(name: str) -> str:
    """The color of the model on every page; gray for a copy."""
    return _LOOKS[name][0] if name in _LOOKS else MUTED


def symbol_of_model(name: str) -> str:
    """The symbol of the model on every page; a cross for a copy."""
    return "x" if name.startswith("copy") else _LOOKS[name][1] if name in _LOOKS else "circle"


def usual_models(found: Evaluation) -> list[str]:
    """The models shown by default: the best one, well-known ones, and the copy of another load."""
    wanted = [str(found.best["model"]), "cost per event", "CLSLR", "Lasso", *(name for name in found.models if name.startswith("copy"))]
    return [name for name in dict.fromkeys(wanted) if name in found.models][:_MOST]


def drawn_models(found: Evaluation, chosen: Sequence[str]) -> list[str]:
    """The models to show: the chosen ones that exist, otherwise the default ones."""
    return [name for name in chosen if name in found.models] or usual_models(found)


def rows(names: Sequence[str], letters: int, *, below: int = 72, least: int = 0) -> Layout:
    """The layout (for `look.figure`) of a picture with one row per model, the first at the top.

    letters: maximum length of a name. below: px under the rows; least: minimum height in px.
    """
    shown = short_names(names, letters)
    return {
        "height": max(least, 70 + 30 * len(names)),
        "sides": (label_width(shown, 11) + 12, below),
        "yaxis": {"tickvals": np.arange(len(names)), "ticktext": shown, "range": [len(names) - 0.4, -0.6], "showgrid": False},
    }


def bars(names: Sequence[str], values: pd.Series, hover: str, *, name: str, written: Sequence[str] = ()) -> dict[str, object]:
    """The trace of one bar per model in the model's color; a saved model has the color of its original.

    values: fractions, in the order of names. hover: the hover's text, a format of the value. written: labels at the ends of the bars.
    """
    ends = {
        "text": written, "textposition": "outside", "cliponaxis": False, "textfont": {"size": 12, "color": TEXT},
    }  # fmt: skip
    return {
        "type": "bar", "orientation": "h", "x": values.to_numpy(dtype=np.float32), "y": np.arange(len(names)), "name": name,
        "marker": {"color": [colour_of_model(each.partition(", saved")[0]) for each in names]}, "showlegend": False,
        "hovertext": [f"{plain(each)}: {hover.format(value)}" for each, value in zip(names, values, strict=True)],
        "hovertemplate": "%{hovertext}<extra></extra>",
    } | (ends if written else {})  # fmt: skip


def pairs(names: Sequence[str], first: pd.Series, second: pd.Series, meanings: tuple[str, str]) -> list[Layout]:
    """Traces of two fractions per model, its mark filled and open. meanings: their names in legend and hover."""
    own = [each.partition(", saved")[0] for each in names]
    colours, symbols = [colour_of_model(each) for each in own], [symbol_of_model(each) for each in own]
    line, *marks = dumbbells(names, (first, second), meanings, (colours, colours))
    marks[0]["marker"] |= {"symbol": symbols}
    marks[1]["marker"] |= {"symbol": [f"{each}-open" for each in symbols]}
    # The legend's marks are of no model.
    looks: tuple[Layout, Layout] = ({"symbol": "circle"}, {"symbol": "circle-open", "line": {"width": 2}})
    legend: list[Layout] = [
        {"type": "scatter", "mode": "markers", "x": [None], "y": [None], "name": name, "marker": look | {"size": 11, "color": MUTED}}
        for name, look in zip(meanings, looks, strict=True)
    ]
    return [line, *(each | {"showlegend": False} for each in marks), *legend]
