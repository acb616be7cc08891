"""Leakage: the error with shuffled rows and the error on programs left out."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import GRID, SERIES
from hemcore.charts.look import figure, label_width, plain
from hemcore.charts.picture import Scene
from hemcore.charts.prediction.view import uirevision
from hemcore.headline import percent
from hemcore.prediction.evaluate.leakage import Leak


def draw(scene: Scene) -> list[go.Figure]:
    """Two dots per model; none before the result is available."""
    found: Leak | None = scene.more
    if found is None:
        return []
    rows, places = found.scores, np.arange(len(found.scores))
    names = [str(name) for name in rows["model"]]
    traces: list[dict[str, object]] = [
        {
            "type": "scatter", "mode": "lines", "hoverinfo": "skip", "showlegend": False, "line": {"color": GRID, "width": 6},
            "x": np.column_stack([rows["shuffled"], rows["by_program"], np.full(len(rows), np.nan)]).ravel().astype(np.float32),
            "y": np.repeat(places, 3).astype(np.float32),
        }
    ]  # fmt: skip
    for column, label, colour, symbol in (
        ("shuffled", "shuffled rows: too optimistic", SERIES[3], "x"),
        ("by_program", "programs left out", SERIES[0], "circle"),
    ):
        values = rows[column].to_numpy(dtype=float)
        traces.append(
            {
                "type": "scatter", "mode": "markers+text", "name": label, "x": values.astype(np.float32), "y": places,
                "marker": {"color": colour, "symbol": symbol, "size": 12}, "textposition": "top center",
                "text": [percent(value, 1) for value in values], "textfont": {"size": 12},
                "hovertext": [f"{plain(name)}, {label}: error {percent(value, 1)}" for name, value in zip(names, values, strict=True)],
                "hovertemplate": "%{hovertext}<extra></extra>",
            }
        )  # fmt: skip
    largest = float(rows[["shuffled", "by_program"]].to_numpy().max(initial=0.01))
    return [
        figure(
            traces,
            title="How optimistic are shuffled rows?",
            subtitle="error per phase, mean over programs; same models and phases, different rows left out",
            height=90 + 70 * len(names),
            legend=True,
            uirevision=uirevision(scene, "leak"),
            sides=(label_width(names, 11) + 12, 72),
            xaxis={"title": "absolute error", "tickformat": "~%", "range": [0, 1.15 * largest]},
            yaxis={"tickvals": places, "ticktext": [plain(name) for name in names], "range": [len(names) - 0.5, -0.7], "showgrid": False},
        )
    ]


def table(scene: Scene) -> pd.DataFrame | None:
    """Both errors of each model."""
    found: Leak | None = scene.more
    return None if found is None else found.scores.rename(columns={"shuffled": "shuffled rows", "by_program": "programs left out"})


def caption(scene: Scene) -> str:
    """Why not to trust the error with shuffled rows."""
    found: Leak | None = scene.more
    if found is None:
        return ""
    return " ".join(
        [
            found.sentence,
            "A new program has no phases in the training set, so only the error on programs left out applies to it.",
            *found.notes,
        ]
    )
