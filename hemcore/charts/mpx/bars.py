"""Estimators side by side for one application: RA and WA with the ceiling drawn in, and what each does to the totals."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import MUTED, SERIES, TEXT
from hemcore.charts.look import figure, legend_line, plain
from hemcore.charts.mpx.view import counting, title_of, uirevision
from hemcore.charts.picture import Scene
from hemcore.mpx.headline import USABLE
from hemcore.mpx.results import Multiplexed


def has_scores(scene: Scene[Multiplexed]) -> bool:
    """Whether anything is scored."""
    return bool(len(scene.result.scores)) and bool(scene.result.by_method["ra"].notna().any())


def draw(scene: Scene[Multiplexed]) -> list[go.Figure]:
    """Two figures: accuracies, and totals."""
    return [_accuracies(scene), _totals(scene)]


def _accuracies(scene: Scene[Multiplexed]) -> go.Figure:
    found: Multiplexed = scene.result
    rows = found.by_method
    names = [title_of(str(each)) for each in rows["method"]]
    pinned = _before(scene)
    traces: list[dict[str, object]] = []
    for score, colour, label in (("ra", SERIES[0], "RA"), ("wa", SERIES[1], "WA")):
        traces.append(_bars(names, rows[score], colour, label, "%{x}: " + label + " %{y:.1%}"))
        if pinned is not None:
            before = pinned.set_index("method")[score].reindex(rows["method"])
            offset = -0.2 if score == "ra" else 0.2
            traces.append(_ticks(before, offset, score == "ra"))
    lines = [(USABLE, TEXT, "dash", "usable")]
    perfect_ra, _ = found.perfect
    if np.isfinite(perfect_ra):
        lines.append((perfect_ra, MUTED, "dot", "ceiling of RA"))
    traces += [legend_line(label, colour, dash) for _, colour, dash, label in lines]
    return figure(
        traces,
        title="Which estimator is most accurate?",
        subtitle=f"{found.application}, {counting(scene)} counted, {_runs(found)}",
        height=360,
        legend=True,
        uirevision=uirevision(scene, "bars"),
        barmode="group",
        bargap=0.25,
        xaxis={"title": "estimator", "showgrid": False, "tickangle": -45},
        yaxis={"title": "accuracy", "range": [min(0.0, float(rows["wa"].min())), 1], "tickformat": ".0%"},
        shapes=[
            {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": at, "y1": at, "line": {"color": colour, "dash": dash, "width": 1.5}}
            for at, colour, dash, _ in lines
        ],
    )


def _totals(scene: Scene[Multiplexed]) -> go.Figure:
    found: Multiplexed = scene.result
    rows = found.by_method
    names = [title_of(str(each)) for each in rows["method"]]
    traces = [
        _bars(names, rows["total"], SERIES[2], "signed, mean", "%{x}: %{y:+.2%} on average"),
        _bars(names, rows["off"], SERIES[7], "absolute, per run", "%{x}: run totals are off by %{y:.2%}"),
    ]
    return figure(
        traces,
        title="How far off are run totals?",
        subtitle="low guesses raise RA and lower the total",
        height=360,
        legend=True,
        uirevision=uirevision(scene, "totals"),
        barmode="group",
        bargap=0.25,
        xaxis={"title": "estimator", "showgrid": False, "tickangle": -45},
        yaxis={"title": "error of run totals", "tickformat": "+.0%", "zeroline": True},
    )


def _bars(names: list[str], values: pd.Series, colour: str, label: str, hover: str) -> dict[str, object]:
    return {
        "type": "bar",
        "x": names,
        "y": values.to_numpy(dtype=float),
        "name": label,
        "marker": {"color": colour},
        "hovertemplate": hover + "<extra></extra>",
    }


def _ticks(before: pd.Series, offset: float, legend: bool) -> dict[str, object]:
    return {
        "type": "scatter",
        "x": np.arange(len(before)) + offset,
        "y": before.to_numpy(dtype=float),
        "mode": "markers",
        "marker": {"symbol": "line-ew", "size": 14, "line": {"color": TEXT, "width": 2}},
        "name": "baseline",
        "hovertemplate": "baseline %{y:.1%}<extra></extra>",
        "showlegend": legend,
    }


def _before(scene: Scene[Multiplexed]) -> pd.DataFrame | None:
    pinned: Multiplexed | None = scene.baseline
    return pinned.by_method if pinned is not None and len(pinned.scores) else None


def _runs(found: Multiplexed) -> str:
    n = len(found.runs)
    of = f" of {found.all_runs:,}" if n < found.all_runs else ""
    return f"{n:,}{of} run{'' if found.all_runs == 1 else 's'}"


def caption(scene: Scene[Multiplexed]) -> str:
    """What the means cover, and what the ceiling is."""
    found: Multiplexed = scene.result
    first = found.by_method.iloc[0]
    n, left = int(first["series"]), int(first["left_out"])
    text = f"Means over {n:,} series (one event in one run)"
    text += f"; {left:,} more have fewer than 20 hidden counts above 0 and are left out." if left else "."
    perfect_ra, perfect_wa = found.perfect
    if np.isfinite(perfect_ra):
        text += (
            f" Ceiling: scored against another OCOE run (Wang et al. 2022), perfect counts reach RA {plain(f'{perfect_ra:.2f}')} and WA "
            f"{perfect_wa:.2f}; the bars are scored against the same run."
        )
    return text


def table(scene: Scene[Multiplexed]) -> pd.DataFrame:
    """The figures of the bars."""
    rows = scene.result.by_method
    names = {"ra": "RA", "wa": "WA", "total": "total, signed", "off": "total, absolute", "series": "series", "left_out": "left out"}
    return rows.assign(method=[title_of(str(each)) for each in rows["method"]])[["method", *names]].rename(columns=names).round(4)
