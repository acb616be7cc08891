"""Which phases of a program to measure: over its phases, and the error against their number."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import MUTED, SERIES, TEXT, faint
from hemcore.charts.look import figure, short
from hemcore.charts.picture import Scene
from hemcore.charts.point_groups import in_front, lean
from hemcore.charts.prediction.view import uirevision
from hemcore.headline import counted_noun, percent
from hemcore.prediction.explore.headline import measured_verdict, phases_verdict
from hemcore.prediction.explore.headline_totals import totals_verdict
from hemcore.prediction.explore.results import MeasuredPhases
from hemcore.prediction.explore.total_errors import ENOUGH, PROMISED, ProgramTotals

_MOST = 3_000
_SYMBOLS = ("circle", "diamond", "square")


def draw(scene: Scene) -> list[go.Figure]:
    """The program's phases, and the error curve if the target is known; none before the result is available."""
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
        f"{short(found.target, 22)} per instruction"
        if per and some
        else f"{short(found.target, 22)} per phase"
        if some
        else "instructions per phase"
    )
    traces: list[dict[str, object]] = []
    for number, medoid in enumerate(measured):
        own = places[found.stands_for[places] == medoid]
        colour, symbol = SERIES[number % len(SERIES)], _SYMBOLS[number // len(SERIES) % len(_SYMBOLS)]
        if len(own):
            traces.append(
                {
                    "type": "scattergl", "x": lean(found.phase[own].astype(float)), "y": lean(y[own]), "mode": "markers",
                    "legendgroup": str(number), "name": f"similar to phase {found.phase[medoid]:,}", "showlegend": False,
                    "marker": {"color": colour, "symbol": symbol, "size": 6, "opacity": 0.75},
                    "hovertemplate": f"phase %{{x:,}}: %{{y:,.4~r}}<br>similar to phase {found.phase[medoid]:,}<extra></extra>",
                }
            )  # fmt: skip
        if np.isfinite(y[medoid]):
            share = float(found.work[found.stands_for == medoid].sum() / found.work.sum())
            traces.append(
                {
                    "type": "scattergl", "x": [float(found.phase[medoid])], "y": [float(y[medoid])], "mode": "markers",
                    "legendgroup": str(number), "name": f"phase {found.phase[medoid]:,}: {percent(share)}",
                    "marker": {"color": colour, "symbol": symbol, "size": 13, "line": {"width": 2, "color": TEXT}},
                    "hovertemplate": f"measure phase %{{x:,}}: %{{y:,.4~r}}<br>represents {percent(share, 1)} of the work<extra></extra>",
                }
            )  # fmt: skip
    return figure(
        traces,
        title=f"Which phases represent {short(found.program, 20)}?",
        subtitle=f"{len(measured):,} of {len(found.rows):,} phases ({found.curve.of}); outlined: to be measured, with its weight",
        height=330,
        legend=len(measured) <= 12,
        uirevision=uirevision(scene, "course", found.program, found.curve.of),
        xaxis={"title": "phase"},
        yaxis={"title": unit, "rangemode": "tozero"},
    )


def _curve(scene: Scene, found: MeasuredPhases) -> go.Figure:
    curve = found.curve.curve
    n = curve["n"].to_numpy()
    clicks = n.tolist()

    def line(name: str, values: pd.Series, colour: str, dash: str, label: str) -> dict[str, object]:
        return {
            "type": "scatter", "x": n, "y": lean(values.to_numpy()), "mode": "lines+markers", "name": name, "customdata": clicks,
            "line": {"color": colour, "dash": dash, "width": 2}, "marker": {"size": 6, "color": colour},
            "hovertemplate": f"%{{x}} phases: {label} %{{y:.1%}}<extra></extra>",
        }  # fmt: skip

    band = {
        "type": "scatter", "x": np.concatenate([n, n[::-1]]),
        "y": lean(np.concatenate([curve["random_largest"].to_numpy(), np.zeros(len(n))])),
        "mode": "lines", "fill": "toself", "fillcolor": faint(MUTED, 0.16), "line": {"width": 0}, "hoverinfo": "skip",
        "name": "90% of random choices",
    }  # fmt: skip
    chosen = len(found.weights)
    return figure(
        [
            band,
            line("random", curve["random"], MUTED, "dash", "random, error"),
            line("chosen", curve["error"], SERIES[0], "solid", "error"),
        ],
        title="How many phases are enough?",
        subtitle=f"error of {found.target} for the whole program",
        height=330,
        legend=True,
        uirevision=uirevision(scene, "curve", found.program, found.curve.of),
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
        yaxis={"title": "absolute error, median", "tickformat": "~%", "rangemode": "tozero"},
    )


def draw_enough(scene: Scene) -> list[go.Figure]:
    """The interval of an unseen program's total, and errors, against the number of phases; none before the result is available."""
    found: ProgramTotals | None = scene.more
    if found is None:
        return []
    curve, enough = found.curve, found.enough()
    n = curve["n"].to_numpy()

    def line(name: str, column: str, colour: str, dash: str) -> dict[str, object]:
        values = curve[column].to_numpy(dtype=float)
        values = np.where(np.isfinite(values) & (values > 0), values, np.nan)
        return {
            "type": "scatter", "x": n, "y": lean(values), "mode": "lines+markers", "name": name, "customdata": n.tolist(),
            "line": {"color": colour, "dash": dash, "width": 2}, "marker": {"size": 6, "color": colour},
            "hovertemplate": f"%{{x}} phases: {name} %{{y:.1%}}<extra></extra>",
        }  # fmt: skip

    def rule(**where: float) -> dict[str, object]:
        across = {"x0": 0, "x1": 1, "xref": "paper"} if "y0" in where else {"y0": 0, "y1": 1, "yref": "paper"}
        return {"type": "line", **across, **where, "line": {"color": TEXT, "width": 1, "dash": "dot"}}

    promised = percent(PROMISED)
    dotted = f"; dotted: {percent(ENOUGH)}, " + (counted_noun(enough, "phase") if enough is not None else "which none reach")
    return [
        figure(
            [
                line("random phases, median error", "random", MUTED, "dash"),
                line("median error", "error", SERIES[0], "solid"),
                line(f"{promised} interval, half-width", "half_width", SERIES[1], "solid"),
            ],
            title=f"How many phases give a total within {percent(ENOUGH)}?",
            subtitle=f"total of {short(found.target, 20)} of an unseen program; {len(found.programs)} programs, {found.of}{dotted}",
            height=330,
            legend=True,
            uirevision=uirevision(scene, "enough", found.of),
            shapes=[rule(y0=ENOUGH, y1=ENOUGH), *([rule(x0=enough, x1=enough)] if enough is not None else [])],
            xaxis={"title": "measured phases per program"},
            yaxis={"title": "share of the total (log scale)", "type": "log", "tickformat": "~%", "dtick": "D2"},
        )
    ]


_COLUMNS = {
    "n": "phases per program",
    "error": "median, error",
    "half_width": "half-width of the interval",
    "covered": "inside the interval",
    "largest": "largest, error",
    "random": "random phases, error",
}


def enough_table(scene: Scene) -> pd.DataFrame | None:
    """Error, interval and coverage by number of phases."""
    found: ProgramTotals | None = scene.more
    return None if found is None else found.curve.rename(columns=_COLUMNS)


def enough_caption(scene: Scene) -> str:
    """How many phases are enough, for which share of programs."""
    found: ProgramTotals | None = scene.more
    return "" if found is None else totals_verdict(found).full_text


def table(scene: Scene) -> pd.DataFrame | None:
    """The phases to measure, with their weights."""
    found: MeasuredPhases | None = scene.more
    return None if found is None else found.measured


def caption(scene: Scene) -> str:
    """The error for this program, and for all programs."""
    found: MeasuredPhases | None = scene.more
    if found is None:
        return ""
    every = f" All programs: {measured_verdict(found.every).text}" if found.every is not None else ""
    n = len(found.rows)
    few = f" {_MOST:,} of {n:,} phases are shown." if n > _MOST else ""
    weights = f"The sum of weight times {found.target} over the listed phases estimates the program's total."
    return f"{phases_verdict(found).text}{every}{few} {weights}"
