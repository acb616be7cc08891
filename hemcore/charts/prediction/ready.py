"""The models that are ready, and how far off each is on programs that it was not fitted on."""

import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.look import made, short
from hemcore.charts.picture import Scene
from hemcore.charts.prediction import models
from hemcore.charts.prediction.view import kept
from hemcore.prediction.evaluate.scenarios import WhatIf


def draw(scene: Scene) -> list[go.Figure]:
    """A bar a model; nothing where no program could be left out."""
    found: WhatIf = scene.result
    rows = found.summary.dropna(subset=["mape"]).sort_values("mape", kind="stable")
    if rows.empty:
        return []
    names, written = [str(name) for name in rows["model"]], [f"{value * 100:.1f} %" for value in rows["mape"]]
    return [
        made(
            [models.bars(names, rows["mape"], "off by {:.1%}", name="error", written=written)],
            title="Which of the models is worth keeping?",
            subtitle=f"error of {short(found.ready.target, 20)} a phase, on programs left out",
            kept=kept(scene, "ready"),
            xaxis={"title": "absolute error, mean program", "tickformat": ".0%", "range": [0, 1.2 * float(rows["mape"].max())]},
            **models.rows(names, 26, below=48),
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
