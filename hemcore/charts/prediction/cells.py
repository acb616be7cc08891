"""Correlations with the target at every granularity and load: one panel per load, one color per granularity."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import MUTED, QUIET, SERIES
from hemcore.charts.look import Layout, figure, label_width, plain, short, short_names, wrapped
from hemcore.charts.picture import Scene
from hemcore.charts.prediction.correlation import SIGNS
from hemcore.charts.prediction.view import uirevision
from hemcore.headline import formatted
from hemcore.prediction.explore.results import CellCorrelations

_PANELS, _COUNTERS = 4, 40
_SYMBOLS = ("circle", "diamond", "square", "triangle-up", "cross", "x", "star", "triangle-down")


def draw(scene: Scene) -> list[go.Figure]:
    """The panels; none before the result is available."""
    found: CellCorrelations | None = scene.more
    return [] if found is None else [_panels(scene, found)]


def _panels(scene: Scene, found: CellCorrelations) -> go.Figure:
    counters = _counters(found)
    loads, shown = found.loads[:_PANELS], short_names(counters, 16)
    place = {name: number for number, name in enumerate(counters)}
    traces: list[dict[str, object]] = []
    axes: Layout = {}
    room = 1 / max(1, len(loads))
    heads = max((wrapped(load, 10).count("<br>") + 1 for load in loads), default=1)
    height = 70 + 24 * len(counters)
    top = 1 - 14 * heads / height
    for number, load in enumerate(loads):
        suffix = "" if number == 0 else str(number + 1)
        axes[f"xaxis{suffix}"] = {
            "title": SIGNS[found.params.method],
            "range": [-1.05, 1.05],
            "domain": [number * room + (0.012 if number else 0), (number + 1) * room - (0.012 if number < len(loads) - 1 else 0)],
            "tickvals": [-1, 0, 1],
            "anchor": "y",
        }
        own = found.known[found.known["load"] == load]
        for size, granularity in enumerate(found.granularities):
            part = own[(own["granularity"] == granularity) & own["counter"].isin(counters)]
            if not len(part):
                continue
            traces.append(
                {
                    "type": "scatter",
                    "x": part["r"].to_numpy(dtype=np.float32),
                    "y": np.array([place[name] for name in part["counter"]], dtype=np.int16),
                    "xaxis": f"x{suffix}",
                    "mode": "markers",
                    "name": _size(granularity),
                    "legendgroup": granularity,
                    "showlegend": granularity not in {each["legendgroup"] for each in traces},
                    "marker": {"color": SERIES[size % len(SERIES)], "symbol": _SYMBOLS[size % len(_SYMBOLS)], "size": 8, "opacity": 0.85},
                    "text": [
                        f"{plain(str(name))}<br>{formatted(r, '+.3f')} over {rows:,} phases"
                        for name, r, rows in zip(part["counter"], part["r"], part["rows"], strict=True)
                    ],
                    "hovertemplate": f"%{{text}}<br>{plain(_size(granularity))}, {plain(load)}<extra></extra>",
                }
            )
    return figure(
        traces,
        title=f"Which counters correlate with {found.target[:16]}?",
        subtitle=f"{SIGNS[found.params.method]} with {found.target}, by load (panels) and granularity (colors)",
        height=height,
        legend=True,
        uirevision=uirevision(scene, "cells", found.target),
        sides=(label_width(shown, 11) + 12, 70),
        annotations=[
            {
                "text": wrapped(load, 10),
                "x": (number + 0.5) * room,
                "y": top,
                "xref": "paper",
                "yref": "paper",
                "yanchor": "bottom",
                "showarrow": False,
                "font": {"size": 11, "color": QUIET},
            }
            for number, load in enumerate(loads)
        ],
        shapes=[
            {
                "type": "line",
                "x0": 0,
                "x1": 0,
                "xref": f"x{'' if number == 0 else number + 1}",
                "y0": 0,
                "y1": top,
                "yref": "paper",
                "line": {"color": MUTED, "width": 1},
            }
            for number in range(len(loads))
        ],
        yaxis={"tickvals": list(range(len(counters))), "ticktext": shown, "range": [len(counters) - 0.5, -0.5], "domain": [0, top]},
        **axes,
    )


def _counters(found: CellCorrelations) -> list[str]:
    """The counters, largest mean |correlation| with the target first."""
    sizes = found.known.assign(size=found.known["r"].abs()).groupby("counter", sort=False)["size"].mean()
    return [str(name) for name in sizes.sort_values(ascending=False, kind="stable").index[:_COUNTERS]]


def _size(granularity: str) -> str:
    return f"{int(granularity):,} blocks" if granularity.isdigit() else short(granularity, 24)


def table(scene: Scene) -> pd.DataFrame | None:
    """Every known correlation: one row per counter and load, one column per granularity."""
    found: CellCorrelations | None = scene.more
    if found is None or not len(found.known):
        return None
    wide = found.known.pivot(index=["counter", "load"], columns="granularity", values="r")
    wide = wide[[each for each in found.granularities if each in wide.columns]].rename(columns=_size)
    order = {name: number for number, name in enumerate(_counters(found))}
    return (
        wide.reset_index()
        .sort_values(["counter", "load"], key=lambda each: each.map(order).fillna(0), kind="stable")
        .reset_index(drop=True)
        .rename_axis(columns=None)
    )


def caption(scene: Scene) -> str:
    """What is shown, and what is not."""
    found: CellCorrelations | None = scene.more
    if found is None:
        return ""
    more = len(found.loads) - _PANELS
    shown = f" The first {_PANELS} of {len(found.loads):,} loads are shown; the table has all." if more > 0 else ""
    return f"Counters are sorted by their mean absolute correlation.{shown} Constant counters have no point."
