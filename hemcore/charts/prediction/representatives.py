"""Which phases of a program to measure: over its course, and the error against their number."""

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import MUTED, SERIES, TEXT, faint
from hemcore.charts.look import made, short
from hemcore.charts.picture import Scene
from hemcore.charts.points import in_front, lean
from hemcore.charts.prediction.view import kept
from hemcore.prediction.explore.headline import measured_verdict, phases_verdict
from hemcore.prediction.explore.results import MeasuredPhases

_MOST = 3_000
_SYMBOLS = ("circle", "diamond", "square")


def draw(scene: Scene) -> list[go.Figure]:
    """The program's course, and the curve where the target is known; nothing before the answer is there."""
    found: MeasuredPhases | None = scene.more
    if found is None:
        return []
    return [_course(scene, found), *([_curve(scene, found)] if len(found.curve.curve) else [])]


def _course(scene: Scene, found: MeasuredPhases) -> go.Figure:
    known = np.isfinite(found.cost)
    some, per = bool(known.any()), bool((found.work > 1).any())
    values = found.cost if some else found.work
    with np.errstate(over="ignore"):
        y = np.where(np.isfinite(values), values / found.work if per and some else values, np.nan)
    places = in_front(np.isfinite(y), most=_MOST)
    measured = found.weights.index.to_numpy()
    unit = (
        f"{short(found.target, 22)} an instruction"
        if per and some
        else f"{short(found.target, 22)} a phase"
        if some
        else "instructions a phase"
    )
    traces: list[dict[str, Any]] = []
    for number, medoid in enumerate(measured):
        own = places[found.stands_for[places] == medoid]
        colour, symbol = SERIES[number % len(SERIES)], _SYMBOLS[number // len(SERIES) % len(_SYMBOLS)]
        if len(own):
            traces.append(
                {
                    "type": "scattergl", "x": lean(found.phase[own].astype(float)), "y": lean(y[own]), "mode": "markers",
                    "legendgroup": str(number), "name": f"like phase {found.phase[medoid]:,}", "showlegend": False,
                    "marker": {"color": colour, "symbol": symbol, "size": 6, "opacity": 0.75},
                    "hovertemplate": f"phase %{{x:,}}: %{{y:,.4~g}}<br>like phase {found.phase[medoid]:,}<extra></extra>",
                }
            )  # fmt: skip
        if np.isfinite(y[medoid]):
            share = float(found.work[found.stands_for == medoid].sum() / found.work.sum())
            traces.append(
                {
                    "type": "scattergl", "x": [float(found.phase[medoid])], "y": [float(y[medoid])], "mode": "markers",
                    "legendgroup": str(number), "name": f"phase {found.phase[medoid]:,}: {share:.0%}",
                    "marker": {"color": colour, "symbol": symbol, "size": 13, "line": {"width": 2, "color": TEXT}},
                    "hovertemplate": f"measure phase %{{x:,}}: %{{y:,.4~g}}<br>stands for {share:.1%} of the work<extra></extra>",
                }
            )  # fmt: skip
    return made(
        traces,
        title=f"Which phases stand for {short(found.program, 20)}?",
        subtitle=f"{len(measured):,} of {len(found.rows):,} phases ({found.curve.of}); ringed: to be measured",
        height=330,
        legend=len(measured) <= 12,
        kept=kept(scene, "course", found.program, found.curve.of),
        xaxis={"title": "phase"},
        yaxis={"title": unit, "rangemode": "tozero"},
    )


def _curve(scene: Scene, found: MeasuredPhases) -> go.Figure:
    curve = found.curve.curve
    n = curve["n"].to_numpy()
    clicks = n.tolist()

    def line(name: str, values: pd.Series, colour: str, dash: str, told: str) -> dict[str, Any]:
        return {
            "type": "scatter", "x": n, "y": lean(values.to_numpy()), "mode": "lines+markers", "name": name, "customdata": clicks,
            "line": {"color": colour, "dash": dash, "width": 2}, "marker": {"size": 6, "color": colour},
            "hovertemplate": f"%{{x}} phases: {told} %{{y:.2%}}<extra></extra>",
        }  # fmt: skip

    band = {
        "type": "scatter", "x": np.concatenate([n, n[::-1]]),
        "y": lean(np.concatenate([curve["random_largest"].to_numpy(), np.zeros(len(n))])),
        "mode": "lines", "fill": "toself", "fillcolor": faint(MUTED, 0.16), "line": {"width": 0}, "hoverinfo": "skip",
        "name": "9 in 10 random draws",
    }  # fmt: skip
    chosen = len(found.weights)
    return made(
        [
            band,
            line("drawn at random", curve["random"], MUTED, "dash", "at random off by"),
            line("chosen", curve["error"], SERIES[0], "solid", "off by"),
        ],
        title="How many phases are enough?",
        subtitle=f"error of {found.target} of the whole program",
        height=330,
        legend=True,
        kept=kept(scene, "curve", found.program, found.curve.of),
        shapes=[
            {
                "type": "line",
                "x0": chosen,
                "x1": chosen,
                "y0": 0,
                "y1": 1,
                "yref": "paper",
                "line": {"color": TEXT, "width": 1, "dash": "dot"},
            }
        ],
        xaxis={"title": "measured phases"},
        yaxis={"title": "absolute error, median", "tickformat": ".1%", "rangemode": "tozero"},
    )


def table(scene: Scene) -> pd.DataFrame | None:
    """The phases to measure, with their weights."""
    found: MeasuredPhases | None = scene.more
    return None if found is None else found.measured


def caption(scene: Scene) -> str:
    """How well this program is given, and all of them."""
    found: MeasuredPhases | None = scene.more
    if found is None:
        return ""
    every = f" All programs: {measured_verdict(found.every).text}" if found.every is not None else ""
    n = len(found.rows)
    few = f" Of {n:,} phases {_MOST:,} are drawn, evenly." if n > _MOST else ""
    return f"{phases_verdict(found).text}{every}{few} Sum of weight times {found.target} of the listed phases: the program's."
