"""The appearance of a model in every picture: color, symbol, row and bar; and which models are shown by default."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from hemcore.charts.colours import MUTED, SERIES, TEXT
from hemcore.charts.dots_and_rings import dumbbells
from hemcore.charts.look import Layout, label_width, plain, short_names
from hemcore.prediction.evaluate.by_program import Evaluation
from hemcore.prediction.models.model_names import MODEL_NAMES

_SYMBOLS = ("circle", "diamond", "square", "triangle-up")
_MOST = 5


def colour_of_model(name: str) -> str:
    """The color of the model on every page; gray for a copy."""
    known = _place(name)
    return MUTED if name.startswith("copy") or known is None else SERIES[known % len(SERIES)]


def symbol_of_model(name: str) -> str:
    """The symbol that distinguishes models of the same color."""
    known = _place(name)
    return "x" if name.startswith("copy") else _SYMBOLS[(known or 0) // len(SERIES) % len(_SYMBOLS)]


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
    """Traces of two fractions per model, a dot in its color and a ring. meanings: their names in legend and hover."""
    colours = [colour_of_model(each.partition(", saved")[0]) for each in names]
    return dumbbells(names, (first, second), meanings, (colours, colours))


def _place(name: str) -> int | None:
    return MODEL_NAMES.index(name) if name in MODEL_NAMES else None
