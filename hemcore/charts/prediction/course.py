"""An unseen program, phase by phase: measured and predicted values with their interval."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import SERIES, TEXT, faint
from hemcore.charts.look import Layout, figure, plain, short
from hemcore.charts.picture import Scene
from hemcore.charts.point_groups import lean
from hemcore.charts.prediction import models
from hemcore.charts.prediction.measured import ends, looked_at
from hemcore.charts.prediction.models import colour_of_model
from hemcore.charts.prediction.view import uirevision, view_of
from hemcore.headline import percent
from hemcore.prediction.evaluate.by_program import Evaluation
from hemcore.prediction.evaluate.prediction_intervals import Intervals

_MOST = 1_200


def draw(scene: Scene) -> list[go.Figure]:
    """The phases in order, and each model's error for this program; none before the intervals are available."""
    found: Intervals | None = scene.more
    return [] if found is None else [_course(scene, found), _errors(scene, looked_at(scene, found))]


def beside_of(scene: Scene, found: Intervals) -> str:
    """The second model shown: as chosen, otherwise the best; "" if that is the model with intervals."""
    result: Evaluation = scene.result
    chosen = view_of(scene).beside
    name = chosen if chosen in result.models else str(result.best["model"])
    return "" if name == found.model else name


def _own(scene: Scene, found: Intervals) -> pd.DataFrame:
    """The program's phases in order, with the prediction of the second model if there is one."""
    program, beside = looked_at(scene, found), beside_of(scene, found)
    rows = found.phases[found.phases["program"] == program]
    result: Evaluation = scene.result
    if beside:
        # Both have the same rows in the same order.
        rows = rows.assign(beside=result.phases.loc[result.phases["program"] == program, beside].to_numpy())
    return rows.sort_values("phase", kind="stable", ignore_index=True)


def _course(scene: Scene, found: Intervals) -> go.Figure:
    program, beside, level = looked_at(scene, found), beside_of(scene, found), ends(scene)
    every = _own(scene, found)
    rows = every.iloc[np.linspace(0, len(every) - 1, min(len(every), _MOST)).astype(np.int64)]
    x = rows["phase"].to_numpy(dtype=float)
    low, high = (lean(rows[f"{end}_{level}"].to_numpy(dtype=float)) for end in ("low", "high"))
    own = colour_of_model(found.model)
    lines = "lines" if len(rows) > 1 else "markers"

    def line(name: str, values: pd.Series, colour: str, width: float, dash: str = "solid") -> Layout:
        return {
            "type": "scatter", "mode": lines, "name": plain(name), "x": lean(x), "y": lean(values.to_numpy(dtype=float)),
            "line": {"color": colour, "width": width, "dash": dash}, "marker": {"color": colour},
            "hovertemplate": f"phase %{{x:,}}<br>{plain(name)} %{{y:,.5~r}}<extra></extra>",
        }  # fmt: skip

    traces: list[Layout] = [
        {"type": "scatter", "mode": "lines", "x": lean(x), "y": low, "line": {"width": 0}, "showlegend": False, "hoverinfo": "skip"},
        {
            "type": "scatter", "mode": "lines", "x": lean(x), "y": high, "line": {"width": 0}, "fill": "tonexty", "hoverinfo": "skip",
            "fillcolor": faint(own, 0.16), "name": f"{level}% interval",
        },
        *([line(beside, rows["beside"], colour_of_model(beside), 1.4, "dash")] if beside else []),
        line(found.model, rows["predicted"], own, 1.8),
        line("measured", rows["measured"], TEXT, 1.6),
    ]  # fmt: skip
    far = rows[rows["far"].to_numpy(dtype=bool)]
    if len(far):
        traces.append(
            {
                "type": "scatter", "mode": "markers", "name": "far from every training phase",
                "x": lean(far["phase"].to_numpy(dtype=float)), "y": np.zeros(len(far), dtype=np.int8),
                "marker": {"symbol": "line-ns-open", "size": 10, "color": SERIES[3]},
                "text": [f"{each:.1f}" for each in far["distance"]],
                "hovertemplate": "phase %{x:,}: distance %{text}, an extrapolation<extra></extra>",
            }
        )  # fmt: skip
    unit = short(scene.result.target, 22)
    return figure(
        traces,
        title=f"How accurately is {short(program, 20)} predicted?",
        subtitle=f"{len(every):,} phases in order; models trained on all other programs",
        height=360,
        legend=True,
        uirevision=uirevision(scene, "unseen", program),
        xaxis={"title": "phase"},
        yaxis={"title": f"{unit} per phase", "rangemode": "tozero"},
    )


def _errors(scene: Scene, program: str) -> go.Figure:
    result: Evaluation = scene.result
    rows = result.programs[(result.programs["program"] == program) & result.programs["mape"].notna()].sort_values("mape", kind="stable")
    names = [str(name) for name in rows["model"]]
    return figure(
        models.pairs(names, rows["mape"], rows["whole_error"].abs(), ("mean over its phases", "its total")),
        title="How large is each model's error?",
        subtitle=f"absolute errors for {short(program, 24)}",
        legend=True,
        uirevision=uirevision(scene, "unseen-models", program),
        xaxis={"title": "absolute error", "tickformat": "~%", "rangemode": "tozero"},
        **models.rows(names, 22, least=200),
    )


def table(scene: Scene) -> pd.DataFrame | None:
    """The program's phases: measured, predicted, interval, distance."""
    found: Intervals | None = scene.more
    if found is None:
        return None
    level, beside = ends(scene), beside_of(scene, found)
    names = {"beside": beside, "predicted": found.model, f"low_{level}": "low", f"high_{level}": "high"}
    columns = ["phase", "measured", "predicted", *(["beside"] if beside else []), f"low_{level}", f"high_{level}", "distance", "far"]
    return _own(scene, found)[columns].rename(columns=names)


def caption(scene: Scene) -> str:
    """The program's error, how many of its phases lie in their intervals, and whether it is an extrapolation."""
    found: Intervals | None = scene.more
    if found is None:
        return ""
    program, level = looked_at(scene, found), ends(scene)
    whole = found.programs[found.programs["program"] == program].iloc[0]
    off = float(whole["predicted"] / whole["measured"] - 1)
    side = "high" if off > 0 else "low"
    covered = percent(float(whole[f"phases_covered_{level}"]))
    parts = [
        f"The total of {program} by {found.model} is {percent(abs(off), 1)} too {side}; {covered} of its phases lie in their {level}% "
        "intervals."
    ]
    if whole["far"]:
        parts.append(f"It is unlike every other program (distance {whole['distance']:.1f}): an extrapolation.")
    if len(_own(scene, found)) > _MOST:
        parts.append(f"{_MOST:,} evenly spaced phases are shown.")
    return " ".join(parts)
