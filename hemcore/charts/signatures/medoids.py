"""k-medoids: two metrics against each other, and the first two principal components, with the medoids marked."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from hemcore.charts.colours import BESIDE_CLASSES, CLASS_COLOURS, TEXT
from hemcore.charts.look import figure
from hemcore.charts.picture import Scene
from hemcore.charts.point_groups import Groups, in_front, scatter
from hemcore.charts.signatures.points import drawable, ends, log_axis
from hemcore.charts.signatures.view import uirevision, view_of
from hemcore.headline import amount, percent
from hemcore.signatures.class_rules import CLASSES, GPU
from hemcore.signatures.headline import cluster_verdict
from hemcore.signatures.results import ClassifiedSignatures, SignatureClusters

UNITS = {
    "CPI": "CPI, cycles per instruction",
    "TPI": "TPI, bytes per instruction",
    "MEM_GBS": "MEM_GBS, GB/s",
    "GFLOPS": "GFLOPS",
}
# Further clusters that are MIX too.
_SYMBOLS = ("circle", "square", "diamond", "cross", "x", "triangle-up", "triangle-down", "star")


def draw(scene: Scene[ClassifiedSignatures]) -> list[go.Figure]:
    """Two metrics, and the PCA view; nothing before the medoids are found."""
    found: SignatureClusters | None = scene.more
    if found is None:
        return []
    return [_metrics(scene, found), _principal(scene, found)]


def _groups(found: SignatureClusters) -> Groups:
    names = list(found.model.names)
    colours = [CLASS_COLOURS.get(name) or BESIDE_CLASSES[number % len(BESIDE_CLASSES)] for number, name in enumerate(names)]
    codes = np.concatenate([found.rows["cluster"].cat.codes.to_numpy().astype(np.int64), np.full(len(found.gpu), len(names))])
    return Groups(
        codes=codes, names=[*names, GPU], colours=[*colours, CLASS_COLOURS[GPU]], symbols=[*_SYMBOLS[: len(names)], "star-triangle-up"]
    )


def _rows(found: SignatureClusters) -> pd.DataFrame:
    """The signatures in clusters, then the GPU jobs."""
    return pd.concat([found.rows, found.gpu], ignore_index=True)


def _metrics(scene: Scene[ClassifiedSignatures], found: SignatureClusters) -> go.Figure:
    first, second = view_of(scene).metrics.split(", ")
    rows = _rows(found)
    x, y = (rows[name].to_numpy() for name in (first, second))
    shown = drawable(x, y)
    medoids = found.model.medoids
    traces = scatter(
        x, y, _groups(found), in_front(shown), hover=f"{first} %{{x:,.4~r}}, {second} %{{y:,.4~r}}", more=[rows["row"].to_numpy()]
    )
    traces.append(_marks(medoids[first].to_numpy(), medoids[second].to_numpy(), found))
    return figure(
        traces,
        title="Which signatures are alike?",
        subtitle=f"{len(found.rows):,} {found.seen.name} in {len(found.model.names)} clusters, {found.model.fit.algorithm}",
        height=400,
        legend=True,
        uirevision=uirevision(scene, first, second),
        xaxis=log_axis(UNITS[first], ends(x[shown])),
        yaxis=log_axis(UNITS[second], ends(y[shown])),
    )


def _principal(scene: Scene[ClassifiedSignatures], found: SignatureClusters) -> go.Figure:
    points, medoids = found.projected, found.projected_medoids
    hover = "%{x:.3~f}, %{y:.3~f}"
    traces = scatter(
        points[:, 0], points[:, 1], _groups(found), in_front(np.ones(len(points), bool)), hover=hover, more=[_rows(found)["row"].to_numpy()]
    )
    traces.append(_marks(medoids[:, 0], medoids[:, 1], found))
    one, two = found.spread_shown
    return figure(
        traces,
        title="How far are the clusters apart?",
        subtitle=f"principal components with {percent(one + two)} of the variance",
        height=400,
        legend=True,
        uirevision=uirevision(scene, "pca", found.params.scale),
        xaxis={"title": f"first principal component ({percent(one)} of the variance)", "range": _middle(points[:, 0], medoids[:, 0])},
        yaxis={"title": f"second component ({percent(two)} of the variance)", "range": _middle(points[:, 1], medoids[:, 1])},
    )


def _middle(values: NDArray[np.float64], medoids: NDArray[np.float64]) -> list[float]:
    low, high = (float(each) for each in np.quantile(values, [0.002, 0.998]))
    low, high = min(low, float(medoids.min())), max(high, float(medoids.max()))
    room = 0.06 * (high - low) or 1.0
    return [low - room, high + room]


def _marks(x: NDArray[np.float64], y: NDArray[np.float64], found: SignatureClusters) -> dict[str, object]:
    names = list(found.model.names)
    words = [
        "<br>".join([f"medoid of {name}", *(f"{metric} {amount(value, 4)}" for metric, value in row.items())])
        for name, (_, row) in zip(names, found.model.medoids.iterrows(), strict=True)
    ]
    return {
        # Of the kind of the points: it would be hidden under them.
        "type": "scattergl",
        "x": x.astype(float),
        "y": y.astype(float),
        "mode": "markers",
        "name": "medoids",
        "marker": {"symbol": "star", "size": 16, "color": TEXT, "line": {"width": 1, "color": "#FFFFFF"}},
        "text": words,
        "hovertemplate": "%{text}<extra></extra>",
    }


def table(scene: Scene[ClassifiedSignatures]) -> pd.DataFrame | None:
    """The profile of each cluster."""
    return None if scene.more is None else scene.more.profile


def caption(scene: Scene[ClassifiedSignatures]) -> str:
    """The verdict on the clusters, and how they are named."""
    found: SignatureClusters | None = scene.more
    if found is None:
        return ""
    verdict = cluster_verdict(found)
    silent = len(set(found.model.names) - set(CLASSES))
    further = " Further clusters are MIX too." if silent else ""
    n = len(found.rows) + len(found.gpu)
    few = f" 5,000 of {n:,} points are drawn, evenly chosen." if n > 5_000 else ""
    rule = "The cluster with the highest MEM_GBS is MEMORY-bound; among the others, the one with the highest GFLOPS is CPU-bound."
    return f"{verdict.text} {rule}{further}{few}"
