"""How a model looks in every picture: its colour and symbol, its row and bar, and which models are drawn where nobody chose."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from hemcore.charts.colours import MUTED, SERIES, TEXT
from hemcore.charts.look import label_width, plain, short_names
from hemcore.prediction.evaluate.by_program import Evaluation
from hemcore.prediction.models.model_names import MODEL_NAMES

_SYMBOLS = ("circle", "diamond", "square", "triangle-up")
_MOST = 5


def colour_of_model(name: str) -> str:
    """The colour that the model has on every page; grey for a copy."""
    known = _place(name)
    return MUTED if name.startswith("copy") or known is None else SERIES[known % len(SERIES)]


def symbol_of_model(name: str) -> str:
    """The symbol that tells models of one colour apart."""
    known = _place(name)
    return "x" if name.startswith("copy") else _SYMBOLS[(known or 0) // len(SERIES) % len(_SYMBOLS)]


def usual_models(found: Evaluation) -> list[str]:
    """The best model, the better known ones, and the copy of another load."""
    wanted = [str(found.best["model"]), "RelativeNnls", "CLSLR", "Lasso", *(name for name in found.models if name.startswith("copy"))]
    return [name for name in dict.fromkeys(wanted) if name in found.models][:_MOST]


def drawn_models(found: Evaluation, chosen: Sequence[str]) -> list[str]:
    """The models that are drawn: those chosen that there are, else the usual ones."""
    return [name for name in chosen if name in found.models] or usual_models(found)


def rows(names: Sequence[str], letters: int, *, below: int = 72, least: int = 0) -> dict[str, Any]:
    """The layout (as look.made takes it) of a picture with a row a model, the first at the top.

    letters: that a name is cut at. below: px under the rows; least: px that the picture is high at least, where it has few.
    """
    shown = short_names(names, letters)
    return {
        "height": max(least, 70 + 30 * len(names)),
        "sides": (label_width(shown, 11) + 12, below),
        "yaxis": {"tickvals": np.arange(len(names)), "ticktext": shown, "range": [len(names) - 0.4, -0.6], "showgrid": False},
    }


def bars(names: Sequence[str], values: pd.Series, told: str, *, name: str, written: Sequence[str] = ()) -> dict[str, object]:
    """The trace of a bar a model in the model's colour, each in its row; a kept model has the colour of what it was kept from.

    values: shares, in the order of names. told: the hover's words, a format of the value. written: at the bars' ends.
    """
    ends = {
        "text": written, "textposition": "outside", "cliponaxis": False, "textfont": {"size": 12, "color": TEXT},
    }  # fmt: skip
    return {
        "type": "bar", "orientation": "h", "x": values.to_numpy(dtype=np.float32), "y": np.arange(len(names)), "name": name,
        "marker": {"color": [colour_of_model(each.partition(", kept")[0]) for each in names]}, "showlegend": False,
        "hovertext": [f"{plain(each)}: {told.format(value)}" for each, value in zip(names, values, strict=True)],
        "hovertemplate": "%{hovertext}<extra></extra>",
    } | (ends if written else {})  # fmt: skip


def diamonds(values: pd.Series, told: str, *, name: str) -> dict[str, object]:
    """The trace of a second value a model, each in its row. told: the hover's words, with plotly's %{x}."""
    return {
        "type": "scatter", "mode": "markers", "name": name, "x": values.to_numpy(dtype=np.float32), "y": np.arange(len(values)),
        "marker": {"symbol": "diamond-open", "size": 10, "color": TEXT, "line": {"width": 2}},
        "hovertemplate": f"{told}<extra></extra>",
    }  # fmt: skip


def _place(name: str) -> int | None:
    return MODEL_NAMES.index(name) if name in MODEL_NAMES else None
