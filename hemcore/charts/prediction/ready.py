"""The models that are ready, and how far off each is on programs that it was not fitted on."""

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import TEXT
from hemcore.charts.look import label_width, made, plain, short, short_names
from hemcore.charts.picture import Scene
from hemcore.charts.prediction.models import colour_of_model
from hemcore.charts.prediction.view import kept
from hemcore.prediction.what_if import WhatIf


def draw(scene: Scene) -> list[go.Figure]:
    """A bar a model; nothing where no program could be left out."""
    found: WhatIf = scene.result
    rows = found.summary.dropna(subset=["mape"]).sort_values("mape", kind="stable")
    if rows.empty:
        return []
    names, places = [str(name) for name in rows["model"]], np.arange(len(rows))
    shown = short_names(names, 26)
    traces: list[dict[str, Any]] = [
        {
            "type": "bar", "orientation": "h", "x": rows["mape"].to_numpy(dtype=np.float32), "y": places, "showlegend": False,
            "marker": {"color": [colour_of_model(name.partition(", kept")[0]) for name in names]}, "name": "error",
            "text": [f"{value * 100:.1f} %" for value in rows["mape"]], "textposition": "outside", "cliponaxis": False,
            "textfont": {"size": 12, "color": TEXT},
            "hovertext": [f"{plain(name)}: off by {value:.1%}" for name, value in zip(names, rows["mape"], strict=True)],
            "hovertemplate": "%{hovertext}<extra></extra>",
        }
    ]  # fmt: skip
    return [
        made(
            traces,
            title="Which of the models is worth keeping?",
            subtitle=f"error of {short(found.ready.target, 20)} a phase, on programs left out",
            height=70 + 30 * len(names),
            kept=kept(scene, "ready"),
            sides=(label_width(shown, 11) + 12, 48),
            xaxis={"title": "absolute error, mean program", "tickformat": ".0%", "range": [0, 1.2 * float(rows["mape"].max())]},
            yaxis={"tickvals": places, "ticktext": shown, "range": [len(names) - 0.4, -0.6], "showgrid": False},
        )
    ]


def table(scene: Scene) -> pd.DataFrame | None:
    """The models with the settings that were chosen for them."""
    return scene.result.summary


def caption(scene: Scene) -> str:
    """How the errors were found."""
    found: WhatIf = scene.result
    return " ".join(
        [
            "Errors with programs left out some at a time, at the settings that all of them chose, so a little flattered: Predict chooses "
            "settings anew without each program.",
            *found.notes,
        ]
    )
