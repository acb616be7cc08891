"""One job in time: its loops as a path over the roofline, and its classes and its power one after another."""

from itertools import pairwise

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import CLASS_COLOURS, MUTED, SERIES
from hemcore.charts.look import figure, plain
from hemcore.charts.picture import Scene
from hemcore.charts.point_groups import in_front, lean, scatter
from hemcore.charts.series import boxes
from hemcore.charts.signatures.points import by_class, drawable, log_axis
from hemcore.charts.signatures.roofline import X_TITLE, Y_TITLE, axes, path_traces
from hemcore.charts.signatures.view import uirevision
from hemcore.signatures.class_rules import TABLE_CLASSES
from hemcore.signatures.headline_usage import job_verdict
from hemcore.signatures.results import ClassifiedSignatures, JobInTime

_NODES = 6


def draw(scene: Scene[ClassifiedSignatures]) -> list[go.Figure]:
    """The path, and the strip of classes with the power."""
    found: JobInTime | None = scene.more
    return [] if found is None else [_path(scene, found), _strip(scene, found)]


def _path(scene: Scene[ClassifiedSignatures], found: JobInTime) -> go.Figure:
    loops = found.loops
    x, y = loops["intensity"].to_numpy(), loops["GFLOPS"].to_numpy()
    shown = drawable(x, y)
    across, up = axes(x[shown], y[shown], found.params.peaks)
    traces = path_traces(found.params, across, up)
    for node in list(dict.fromkeys(loops["node"]))[:_NODES]:
        own = np.flatnonzero((loops["node"] == node).to_numpy() & shown)[:5_000]
        if len(own):
            traces.append(_line(lean(x[own]), lean(y[own]), MUTED, plain(f"path on {str(node)[:40]}")))
    more = [loops["row"].to_numpy(), loops["time_s"].to_numpy(), loops["power_w"].to_numpy()]
    hover = "%{x:,.3~r} FLOP/byte, %{y:,.4~r} GFLOPS<br>after %{customdata[1]:,.0f} s, %{customdata[2]:,.4~r} W"
    traces += scatter(x, y, by_class(loops["class"]), in_front(shown), hover=hover, more=more)
    return figure(
        traces,
        title="Which way does the job go under the roof?",
        subtitle=f"job {found.job[:60]}, {len(loops):,} loops by {found.strategy.name}",
        height=380,
        legend=True,
        uirevision=uirevision(scene, "path", found.job),
        xaxis=log_axis(X_TITLE, across),
        yaxis=log_axis(Y_TITLE, up),
    )


def _line(x: np.ndarray, y: np.ndarray, colour: str, name: str) -> dict[str, object]:
    return {"type": "scatter", "x": x, "y": y, "mode": "lines", "line": {"color": colour, "width": 1}, "name": name, "hoverinfo": "skip"}


def _strip(scene: Scene[ClassifiedSignatures], found: JobInTime) -> go.Figure:
    nodes = list(dict.fromkeys(found.loops["node"]))[:_NODES]
    traces: list[dict[str, object]] = []
    powered = False
    for number, node in enumerate(nodes):
        own = found.loops[found.loops["node"] == node]
        stamps = own["time_s"].to_numpy()
        # A row tells of the time before it was written.
        begins = np.where(own["seconds"].notna(), stamps - own["seconds"].fillna(0).to_numpy(), stamps)
        codes = own["class"].cat.codes.to_numpy()
        for place, name in enumerate(TABLE_CLASSES):
            runs = _stretches(codes, place)
            if len(runs):
                first, last = np.array(runs).T
                low, high = np.full(len(first), number - 0.4), np.full(len(first), number + 0.4)
                trace = boxes(begins[first], stamps[last], low, high, CLASS_COLOURS[name], name)
                shown = name not in {each["name"] for each in traces}
                traces.append(trace | {"yaxis": "y2", "legendgroup": name, "showlegend": shown})
        power = own["power_w"].to_numpy()
        if np.isfinite(power).any():
            powered = True
            places = np.linspace(0, len(own) - 1, min(len(own), 5_000)).astype(int)
            traces.append(
                {
                    "type": "scatter",
                    "x": lean(stamps[places]),
                    "y": lean(power[places]),
                    "mode": "lines+markers" if len(own) < 200 else "lines",
                    "marker": {"size": 4},
                    "line": {"color": SERIES[number % len(SERIES)], "width": 1.5},
                    "name": plain(f"power of {str(node)[:40]}"),
                    "hovertemplate": "after %{x:,.0f} s: %{y:,.4~r} W<extra></extra>",
                }
            )
    return figure(
        traces,
        title="How do the job's class and power change over time?",
        subtitle=f"{len(nodes)} of {found.loops['node'].nunique()} nodes"
        if found.loops["node"].nunique() > _NODES
        else f"job {found.job[:60]}",
        height=380,
        legend=True,
        uirevision=uirevision(scene, "strip", found.job),
        xaxis={"title": "time since the first loop, s", "anchor": "y2"},
        yaxis={"title": "power of the node, W" if powered else "power was not read", "domain": [0.3 if len(nodes) < 3 else 0.42, 1]},
        yaxis2={
            "domain": [0, 0.2 if len(nodes) < 3 else 0.36],
            "tickvals": list(range(len(nodes))),
            "ticktext": [plain(str(node)[:16]) for node in nodes],
            "showgrid": False,
            "range": [len(nodes) - 0.5, -0.5],
        },
    )


def _stretches(codes: np.ndarray, code: int) -> list[tuple[int, int]]:
    """(first, last) places of each stretch of `code`."""
    own = np.concatenate([[False], codes == code, [False]]).astype(int)
    edges = np.flatnonzero(np.diff(own))
    return [(int(first), int(stop) - 1) for first, stop in list(pairwise(edges))[::2]]


def table(scene: Scene[ClassifiedSignatures]) -> pd.DataFrame | None:
    """The loops in the order of time."""
    found: JobInTime | None = scene.more
    return None if found is None else found.loops.drop(columns=["row"]).iloc[:1_000]


def caption(scene: Scene[ClassifiedSignatures]) -> str:
    """The verdict on the job, and the meaning of a segment."""
    found: JobInTime | None = scene.more
    if found is None:
        return ""
    verdict = job_verdict(found)
    jobs = len(found.jobs)
    many = f" {jobs:,} jobs have loops; choose one on the left." if jobs > 1 else ""
    shown = int(drawable(found.loops["intensity"].to_numpy(), found.loops["GFLOPS"].to_numpy()).sum())
    lost = f" {len(found.loops) - shown:,} loops cannot be drawn on logarithmic axes." if shown < len(found.loops) else ""
    return f"{verdict.text} A segment ends when its loop was recorded; the time before the first is unknown.{many}{lost}"
