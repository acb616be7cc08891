"""Errors against granularity: whether longer phases are easier to predict."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.look import figure, plain, short
from hemcore.charts.picture import Scene
from hemcore.charts.prediction.models import colour_of_model, drawn_models, symbol_of_model
from hemcore.charts.prediction.view import SCORES, uirevision, view_of
from hemcore.prediction.evaluate.by_program import Evaluation

_SCORES = {"a phase": ("mape_mean", "mape_median"), "as a whole": ("whole_mean", "whole_median")}


def draw(scene: Scene) -> list[go.Figure]:
    """The mean and the median over programs; none before the result is available."""
    found: Evaluation | None = scene.more
    if found is None:
        return []
    mean, median = _SCORES[view_of(scene).score]
    return [
        _lines(scene, found, mean, "Are longer phases easier to predict?", "mean"),
        _lines(scene, found, median, "Is the median program easier?", "median"),
    ]


def _lines(scene: Scene, found: Evaluation, column: str, title: str, which: str) -> go.Figure:
    view, sizes = view_of(scene), list(dict.fromkeys(found.summary["granularity"]))
    sizes = [each for each in scene.table.granularities if each in sizes]
    place = {each: number for number, each in enumerate(sizes)}
    traces: list[dict[str, object]] = []
    for name in drawn_models(found, view.drawn):
        rows = found.summary[found.summary["model"] == name].sort_values("granularity", key=lambda each: each.map(place), kind="stable")
        traces.append(
            {
                "type": "scatter", "mode": "lines+markers", "name": plain(name), "x": [place[each] for each in rows["granularity"]],
                "y": rows[column].to_numpy(dtype=np.float32),
                "line": {"color": colour_of_model(name), "width": 2, "dash": "dot" if name.startswith("copy") else "solid"},
                "marker": {"color": colour_of_model(name), "symbol": symbol_of_model(name), "size": 8},
                "hovertemplate": f"{plain(name)}: error %{{y:.1%}}<extra></extra>",
            }
        )  # fmt: skip
    return figure(
        traces,
        title=title,
        subtitle=f"error of {short(found.target, 20)} {SCORES[view.score]}, {which} over programs left out",
        height=300,
        legend=True,
        uirevision=uirevision(scene, "sizes", which, view.score),
        xaxis={
            "title": "basic blocks per phase" if all(str(each).isdigit() for each in sizes) else "granularity",
            "tickvals": list(range(len(sizes))),
            "ticktext": [f"{int(each):,}" if str(each).isdigit() else short(str(each), 16) for each in sizes],
            "range": [-0.3, len(sizes) - 0.7],
        },
        yaxis={"title": "absolute error", "tickformat": "~%", "rangemode": "tozero"},
    )


def table(scene: Scene) -> pd.DataFrame | None:
    """Every model at every granularity."""
    found: Evaluation | None = scene.more
    if found is None:
        return None
    columns = ["granularity", "model", "programs", "mape_mean", "mape_median", "whole_mean", "whole_median", "worst", "worst_program"]
    return found.summary[columns].reset_index(drop=True)


def caption(scene: Scene) -> str:
    """What was left out."""
    found: Evaluation | None = scene.more
    return "" if found is None else " ".join([*found.notes, "Models are chosen and fitted separately at each granularity."])


def several(scene: Scene) -> bool:
    """Whether there is more than one granularity."""
    return len(scene.table.granularities) > 1
