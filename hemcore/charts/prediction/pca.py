"""Phases in the plane of the first two principal components, with the counters as arrows."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import TEXT
from hemcore.charts.look import figure, label_width, short
from hemcore.charts.picture import Scene
from hemcore.charts.point_groups import Groups, in_front, lean
from hemcore.charts.prediction import phases
from hemcore.charts.prediction.view import uirevision
from hemcore.events.event_units import is_counted
from hemcore.headline import formatted, percent
from hemcore.prediction.arrays import Flags, Floats, Whole
from hemcore.prediction.explore.results import PhaseProjection

_ARROWS = 14
_SMALLEST = (300, 260)  # px of the plane in a window of 420 px: names that are apart there are apart in a larger one


def draw(scene: Scene) -> list[go.Figure]:
    """One plane; none before the result is available."""
    found: PhaseProjection | None = scene.more
    if found is None:
        return []
    scores = found.found.scores
    rows = scores.index.to_numpy(dtype=np.int64)
    points = scores.to_numpy()
    if points.shape[1] < 2:
        points = np.column_stack([points, np.zeros(len(points))])
    colour = phases.colour_of(scene)
    groups = phases.groups(scene.table, rows, colour, np.sqrt((points[:, :2] ** 2).sum(axis=1)))
    return [_plane(scene, found, points, rows, groups)]


def _plane(scene: Scene, found: PhaseProjection, points: Floats, rows: Whole, groups: Groups) -> go.Figure:
    x, y = points[:, 0], points[:, 1]
    places = in_front(np.isfinite(x), most=phases.MOST)
    phase = scene.table.frame["phase"].to_numpy()[rows]
    traces = phases.drawn(x, y, groups, places, "phase %{customdata[1]:,}", [rows, phase])
    across, up = _middle(x), _middle(y)
    traces += phases.ring(scene, x, y, rows)
    arrows, names = _arrows(found, across, up)
    return figure(
        [*traces, *arrows],
        title="Which phases are similar, and in which counters?",
        subtitle=f"{len(points):,} phases ({found.of}), {found.params.scale}: near ones count alike, those along an arrow more of it",
        height=430,
        legend=True,
        uirevision=uirevision(scene, "plane", found.params.scale, found.of),
        annotations=names,
        xaxis={"title": _name(found, 0), "range": across},
        yaxis={"title": _name(found, 1), "range": up},
    )


def _arrows(found: PhaseProjection, across: list[float], up: list[float]) -> tuple[list[dict[str, object]], list[dict[str, object]]]:
    """(traces, annotations): the longest loadings as arrows from the origin, scaled to the picture, with the counters at their tips."""
    loadings = found.found.loadings.to_numpy()
    if loadings.shape[1] < 2:
        loadings = np.column_stack([loadings, np.zeros(len(loadings))])
    plane = loadings[:, :2]
    longest = np.argsort(-(plane**2).sum(axis=1), kind="stable")[:_ARROWS]
    ends = plane[longest]
    # One scale for all arrows, so that the arrow closest to an edge stays inside.
    edges = np.where(ends > 0, [across[1], up[1]], [-across[0], -up[0]]) * 0.82
    with np.errstate(divide="ignore"):
        size = float((edges / np.abs(ends)).min())
    tips = ends * size
    lines = np.full((3 * len(tips), 2), np.nan)
    lines[0::3], lines[1::3] = 0.0, tips
    names = [str(found.found.loadings.index[place]) for place in longest]
    hovers = [
        f"{short(name, 40)}<br>{formatted(one, '+.2f')} of PC1, {formatted(other, '+.2f')} of PC2"
        for name, (one, other) in zip(names, ends, strict=True)
    ]
    return [
        {
            "type": "scatter", "x": lean(lines[:, 0]), "y": lean(lines[:, 1]), "mode": "lines", "line": {"color": TEXT, "width": 1.2},
            "hoverinfo": "skip", "showlegend": False,
        },
        {
            "type": "scatter", "x": lean(tips[:, 0]), "y": lean(tips[:, 1]), "mode": "markers",
            "marker": {"symbol": "circle", "size": 5, "color": TEXT}, "hovertext": hovers, "hovertemplate": "%{hovertext}<extra></extra>",
            "showlegend": False,
        },
    ], _names(names, tips, across, up)  # fmt: skip


def _names(names: list[str], tips: Floats, across: list[float], up: list[float]) -> list[dict[str, object]]:
    """The names at the tips, longest arrows first, each on the first free side of its tip; no name where no side is free."""
    said = [short(name, 12) for name in names]
    places = (tips - [across[0], up[0]]) / [across[1] - across[0], up[1] - up[0]]
    sides = _sides(places, tips > 0, np.array([(label_width([each], 13), 18) for each in said], dtype=float) / _SMALLEST)
    return [
        {
            "x": float(x), "y": float(y), "text": f"<b>{each}</b>", "showarrow": False, "font": {"size": 12, "color": TEXT},
            "xanchor": side[0], "yanchor": side[1],
        }
        for each, (x, y), side in zip(said, tips, sides, strict=True)
        if side is not None
    ]  # fmt: skip


def _sides(tips: Floats, outward: Flags, sizes: Floats) -> list[tuple[str, str] | None]:
    """(xanchor, yanchor) of each name, or None. All (names, 2); tips, sizes: in fractions of the picture; outward: right of, above 0."""
    taken: list[Floats] = []
    sides: list[tuple[str, str] | None] = []
    for (x, y), (right, above), (wide, high) in zip(tips, outward, sizes, strict=True):
        chosen = None
        across = [("left", x), ("right", x - wide)][:: 1 if right else -1]
        upward = [("bottom", y), ("top", y - high)][:: 1 if above else -1]
        for xanchor, left in across:
            for yanchor, bottom in upward:
                box = np.array([left, bottom, left + wide, bottom + high])
                inside = box.min() >= 0 and box.max() <= 1
                if chosen is None and inside and not any((box[:2] < each[2:]).all() and (each[:2] < box[2:]).all() for each in taken):
                    chosen = (xanchor, yanchor)
                    taken.append(box)
        sides.append(chosen)
    return sides


def _middle(values: Floats) -> list[float]:
    """The range of an axis: the middle 99% with a margin, including the origin."""
    low, high = (float(each) for each in np.quantile(values, [0.005, 0.995]))
    room = 0.1 * (high - low) or 1.0
    return [min(low, 0.0) - room, max(high, 0.0) + room]


def _name(found: PhaseProjection, number: int) -> str:
    explained = found.found.explained
    share = f" ({percent(explained[number])} of the variance)" if number < len(explained) else " (not available)"
    as_read = "counts" if all(map(is_counted, found.found.loadings.index)) else "values"
    unit = "standard deviations" if found.params.scale != "as counted" else as_read
    return f"PC{number + 1}{share}, {unit}"


def table(scene: Scene) -> pd.DataFrame | None:
    """The counters of the clicked phase, otherwise the weight of each counter in each component."""
    found: PhaseProjection | None = scene.more
    if found is None:
        return None
    listed = phases.table_of(scene, found.found.scores.index.to_numpy(dtype=np.int64))
    if listed is not None:
        return listed
    loadings = found.found.loadings
    order = np.argsort(-np.abs(loadings.iloc[:, 0].to_numpy()), kind="stable")
    return loadings.iloc[order].rename_axis("counter").reset_index()


def caption(scene: Scene) -> str:
    """What is shown, what is left out, and what the table contains."""
    found: PhaseProjection | None = scene.more
    if found is None:
        return ""
    one = found.found
    n = len(one.scores)
    parts = [phases.clicked_text(scene) or "Table: the weight of each counter in each component."]
    if n > phases.MOST:
        parts.append(f"{phases.MOST:,} of {n:,} phases are shown; the components are of all phases.")
    outside = int(((one.scores < [_middle(one.scores[c].to_numpy())[0] for c in one.scores])
                   | (one.scores > [_middle(one.scores[c].to_numpy())[1] for c in one.scores])).any(axis=1).sum())  # fmt: skip
    if outside:
        parts.append(f"{outside:,} are outside the axes.")
    if one.n_missing:
        parts.append(f"{one.n_missing:,} with a missing counter are left out.")
    left = [f"{name} ({why})" for name, why in one.left_out.items()]
    if left:
        parts.append(f"Counters left out: {', '.join(left[:5])}{' and more' if len(left) > 5 else ''}.")
    return " ".join(parts)
