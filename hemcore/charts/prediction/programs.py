"""Each model's error by program, and over all programs."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import GRID
from hemcore.charts.dots_and_rings import baseline_ticks
from hemcore.charts.look import Layout, figure, label_width, plain, short, short_names
from hemcore.charts.picture import Scene
from hemcore.charts.prediction import models
from hemcore.charts.prediction.models import colour_of_model, drawn_models, symbol_of_model
from hemcore.charts.prediction.view import SCORES, uirevision, view_of
from hemcore.prediction.evaluate.by_program import Evaluation

MOST = 60  # programs in the picture


def draw(scene: Scene) -> list[go.Figure]:
    """Dots by program, and means and medians by model."""
    return [_dots(scene), _models(scene)]


def errors_of(found: Evaluation, score: str) -> pd.DataFrame:
    """The errors by program (rows) and model (columns), largest error of the best model first."""
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
    # A line from the smallest to the largest error of each program, behind its dots.
    ends = shown[[name for name in drawn if name in shown.columns]]
    traces: list[Layout] = [
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
                "hovertemplate": f"%{{text}}<br>{plain(name)}: error %{{x:.1%}}<extra></extra>",
                "text": [plain(str(each)) for each in shown.index],
            }
        )  # fmt: skip
    what = "mean over its phases" if view.score == "a phase" else "the sum over its phases"
    return figure(
        traces,
        title="How accurately is each unseen program predicted?",
        subtitle=f"error of {short(found.target, 20)}, {what}; each program left out of training",
        height=max(170, 54 + 19 * len(shown)),
        legend=True,
        uirevision=uirevision(scene, "programs", view.score),
        sides=(label_width(names, 11) + 12, 72),
        xaxis={"title": "absolute error", "tickformat": "~%", "range": [0.0, 1.04 * _largest(ends)]},
        yaxis={"tickvals": places, "ticktext": names, "range": [len(shown) - 0.4, -0.6], "showgrid": False},
    )


def _largest(errors: pd.DataFrame) -> float:
    return float(np.nanmax(errors.to_numpy(dtype=float), initial=0.02))


def _models(scene: Scene) -> go.Figure:
    found: Evaluation = scene.result
    view = view_of(scene)
    mean, median = ("mape_mean", "mape_median") if view.score == "a phase" else ("whole_mean", "whole_median")
    rows = found.summary.sort_values(mean, kind="stable")
    names = [str(name) for name in rows["model"]]
    traces = models.pairs(names, rows[mean], rows[median], ("mean program", "median program"))
    copied = "; gray: copied from another load" if any(name.startswith("copy") for name in names) else ""
    before = _before(scene, mean)
    if before is not None:
        own = np.array([place for place, name in enumerate(names) if name in before.index])
        ticked = before[[names[place] for place in own]].to_numpy(dtype=float)
        traces.insert(1, baseline_ticks(ticked, own, f"baseline: {plain(scene.baseline_words[:60])}"))
    return figure(
        traces,
        title="Which model is best?",
        subtitle=f"{int(rows['programs'].max())} programs, each left out of training{copied}",
        legend=True,
        uirevision=uirevision(scene, "models", view.score),
        xaxis={"title": f"absolute error {SCORES[view.score]}", "tickformat": "~%", "range": [0, 1.06 * _largest(rows[[mean, median]])]},
        **models.rows(names, 26),
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
    """What was left out, and what the copy is."""
    found: Evaluation = scene.result
    n = len(errors_of(found, view_of(scene).score))
    parts = [*found.notes]
    if n > MOST:
        parts.append(f"The {MOST} of {n:,} programs with the largest errors are shown.")
    if len(found.trained) < len(found.models):
        parts.append("The copy takes the measurement of each phase under the other load; it is not a prediction of an unseen program.")
    parts.append("The best model in the mean may not be the best in the median, because a few programs are hard for all models.")
    return " ".join(parts)


def settings(scene: Scene) -> pd.DataFrame | None:
    """The settings chosen for each model with each program left out."""
    found: Evaluation = scene.result
    chosen = found.settings[found.settings["settings"] != ""]
    return chosen[["model", "program", "settings"]].reset_index(drop=True) if len(chosen) else None


def settings_caption(scene: Scene) -> str:
    """How the settings were chosen."""
    return (
        "Chosen separately for each program, by leaving out each of the other programs in turn: no row of the predicted program is used in "
        "a fit, a scaler or a choice."
    )
