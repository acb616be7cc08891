"""How far off each model is, program by program, and over all programs."""

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import GRID, QUIET
from hemcore.charts.look import label_width, made, plain, short, short_names
from hemcore.charts.picture import Scene
from hemcore.charts.prediction import models
from hemcore.charts.prediction.models import colour_of_model, drawn_models, symbol_of_model
from hemcore.charts.prediction.view import kept, view_of
from hemcore.prediction.evaluate.by_program import Evaluation

MOST = 60  # programs in a picture


def draw(scene: Scene) -> list[go.Figure]:
    """Dots by program, and bars by model."""
    return [_dots(scene), _bars(scene)]


def errors_of(found: Evaluation, score: str) -> pd.DataFrame:
    """The errors by program (rows) and model (columns), the program that the best model predicts worst first."""
    column = "mape" if score == "a phase" else "whole_error"
    wide = found.programs.pivot_table(index="program", columns="model", values=column, sort=False).abs()
    best = str(found.best["model"])
    return wide.sort_values(best, ascending=False, kind="stable") if best in wide.columns else wide


def _dots(scene: Scene) -> go.Figure:
    found: Evaluation = scene.result
    view = view_of(scene)
    errors, drawn = errors_of(found, view.score), drawn_models(found, view.drawn)
    shown = errors.iloc[:MOST]
    places, names = np.arange(len(shown)), short_names([str(each) for each in shown.index], 20)
    # From the least to the largest error of a program, behind its dots.
    ends = shown[[name for name in drawn if name in shown.columns]]
    traces: list[dict[str, Any]] = [
        {
            "type": "scatter", "mode": "lines", "hoverinfo": "skip", "showlegend": False, "line": {"color": GRID, "width": 5},
            "x": np.column_stack([ends.min(axis=1), ends.max(axis=1), np.full(len(ends), np.nan)]).ravel().astype(np.float32),
            "y": np.repeat(places, 3).astype(np.float32),
        }
    ]  # fmt: skip
    for name in (each for each in drawn if each in shown.columns):
        traces.append(
            {
                "type": "scatter", "mode": "markers", "name": plain(name), "x": shown[name].to_numpy(dtype=np.float32), "y": places,
                "marker": {"color": colour_of_model(name), "symbol": symbol_of_model(name), "size": 9, "opacity": 0.9},
                "customdata": np.array([str(each) for each in shown.index], dtype=object)[:, None],
                "hovertemplate": f"%{{text}}<br>{plain(name)}: off by %{{x:.1%}}<extra></extra>",
                "text": [plain(str(each)) for each in shown.index],
            }
        )  # fmt: skip
    whose = "its phases, on average" if view.score == "a phase" else "the sum over its phases"
    return made(
        traces,
        title="Which programs are predicted well by models that have not seen them?",
        subtitle=f"error of {short(found.target, 20)}: {whose}; each program left out in turn",
        height=max(170, 54 + 19 * len(shown)),
        legend=True,
        kept=kept(scene, "programs", view.score),
        sides=(label_width(names, 11) + 12, 72),
        xaxis={"title": "absolute error", "tickformat": ".0%", "range": [0.0, 1.04 * _largest(ends)]},
        yaxis={"tickvals": places, "ticktext": names, "range": [len(shown) - 0.4, -0.6], "showgrid": False},
    )


def _largest(errors: pd.DataFrame) -> float:
    return float(np.nanmax(errors.to_numpy(dtype=float), initial=0.02))


def _bars(scene: Scene) -> go.Figure:
    found: Evaluation = scene.result
    view = view_of(scene)
    mean, median = ("mape_mean", "mape_median") if view.score == "a phase" else ("whole_mean", "whole_median")
    rows = found.summary.sort_values(mean, kind="stable")
    names = [str(name) for name in rows["model"]]
    traces = [
        models.bars(names, rows[mean], "mean program {:.1%}", name="mean program", written=[f"{value:.1%}" for value in rows[mean]]),
        models.diamonds(rows[median], "median program %{x:.1%}", name="median program"),
    ]
    before = _before(scene, mean)
    if before is not None:
        own = [place for place, name in enumerate(names) if name in before.index]
        traces.append(
            {
                "type": "scatter", "mode": "markers", "name": f"baseline: {plain(scene.baseline_words[:60])}",
                "x": [float(before[names[place]]) for place in own], "y": own,
                "marker": {"symbol": "line-ns-open", "size": 16, "color": QUIET, "line": {"width": 3}},
                "hovertemplate": "baseline %{x:.1%}<extra></extra>",
            }
        )  # fmt: skip
    return made(
        traces,
        title="Which model is best?",
        subtitle=f"bars: the mean over {int(rows['programs'].max())} programs; grey: copied from another load",
        legend=True,
        kept=kept(scene, "models", view.score),
        xaxis={"title": f"absolute error {view.score}", "tickformat": ".0%", "range": [0, 1.25 * _largest(rows[[mean, median]])]},
        **models.rows(names, 22),
    )


def _before(scene: Scene, column: str) -> pd.Series | None:
    pinned = scene.baseline
    if not isinstance(pinned, Evaluation) or pinned.target != scene.result.target:
        return None
    return pinned.summary.set_index("model")[column]


def table(scene: Scene) -> pd.DataFrame | None:
    """The errors of every model over all programs."""
    found: Evaluation = scene.result
    columns = ["model", "mape_mean", "mape_median", "whole_mean", "whole_median", "worst", "worst_program"]
    return found.summary[columns].reset_index(drop=True)


def caption(scene: Scene) -> str:
    """What was left out, of how many, and what the copy is."""
    found: Evaluation = scene.result
    n = len(errors_of(found, view_of(scene).score))
    said = [*found.notes]
    if n > MOST:
        said.append(f"Of {n:,} programs the {MOST} that are predicted worst are drawn.")
    if len(found.learnt) < len(found.models):
        said.append("The copy is what reading each program once, under the other load, would give: no prediction of a program unseen.")
    said.append("The mean program and the median one may have different best models: a few programs are hard for all.")
    return " ".join(said)


def settings(scene: Scene) -> pd.DataFrame | None:
    """What was chosen for each model with each program left out."""
    found: Evaluation = scene.result
    chosen = found.settings[found.settings["settings"] != ""]
    return chosen[["model", "program", "settings"]].reset_index(drop=True) if len(chosen) else None


def settings_caption(scene: Scene) -> str:
    """Where the settings are from."""
    return (
        "Chosen anew for each program, by the other programs' errors when each of those is left out in turn: no row of the program that is "
        "predicted is in a fit, in a scaler or in a choice."
    )
