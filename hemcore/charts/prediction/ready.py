"""The trained models, with the error of each on programs left out of training."""

import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.look import figure, short
from hemcore.charts.picture import Scene
from hemcore.charts.prediction import models
from hemcore.charts.prediction.view import uirevision
from hemcore.headline import percent
from hemcore.prediction.evaluate.scenarios import WhatIf


def draw(scene: Scene) -> list[go.Figure]:
    """One bar per model; none if no program could be left out."""
    found: WhatIf = scene.result
    rows = found.summary.dropna(subset=["mape"]).sort_values("mape", kind="stable")
    if rows.empty:
        return []
    names, written = [str(name) for name in rows["model"]], [percent(value, 1) for value in rows["mape"]]
    return [
        figure(
            [models.bars(names, rows["mape"], "error {:.1%}", name="error", written=written)],
            title="Which model is worth saving?",
            subtitle=f"error of {short(found.ready.target, 20)} per phase, on programs left out"
            + ("; saved models on the phases here" if found.kept else ""),
            uirevision=uirevision(scene, "ready"),
            xaxis={"title": "absolute error, mean program", "tickformat": "~%", "range": [0, 1.2 * float(rows["mape"].max())]},
            **models.rows(names, 26, below=48),
        )
    ]


def table(scene: Scene) -> pd.DataFrame | None:
    """The models with their chosen settings."""
    return scene.result.summary


def caption(scene: Scene) -> str:
    """How the errors were computed."""
    found: WhatIf = scene.result
    return " ".join(
        [
            "Errors on programs left out several at a time, with settings chosen on all programs, so slightly optimistic. Predict chooses "
            "settings without the predicted program.",
            *found.notes,
        ]
    )
