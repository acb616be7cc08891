"""Correlations of counters: with each other as a heatmap, with the target as bars."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import MUTED, sign_colours
from hemcore.charts.correlation_matrices import correlation_heatmap
from hemcore.charts.dots_and_rings import baseline_ticks
from hemcore.charts.look import figure, label_width, plain, short, short_names
from hemcore.charts.picture import Scene
from hemcore.charts.prediction.view import uirevision, view_of
from hemcore.headline import counted_noun, formatted
from hemcore.prediction.explore.results import Explored, PhaseCorrelations

MOST = 60  # counters in a picture
SIGNS = {"pearson": "r", "spearman": "rank correlation", "kendall": "tau-b"}


def shown_of(found: PhaseCorrelations) -> list[str]:
    """The counters shown: all in the table's order, or the target and those most correlated with it."""
    if len(found.found.counters) <= MOST:
        return found.found.counters
    closest = {found.target, *(str(name) for name in found.against["counter"].iloc[: MOST - 1])}
    return [name for name in found.found.counters if name in closest]


def draw(scene: Scene) -> list[go.Figure]:
    """The heatmap, and the bars for the target; none before the result is available."""
    found: PhaseCorrelations | None = scene.more
    return [] if found is None else [_heatmap(scene, found), _bars(scene, found)]


def _heatmap(scene: Scene, found: PhaseCorrelations) -> go.Figure:
    names, view = shown_of(found), view_of(scene)
    phases = f"{counted_noun(found.n_rows, 'phase')} of {counted_noun(found.n_programs, 'program')}"
    return correlation_heatmap(
        found.found.matrix.loc[names, names],
        title="Which counters are redundant?",
        subtitle=f"{SIGNS[found.params.method]} over {phases}; {found.of}",
        readings=found.found.rows.loc[names, names],
        marked=(view.across, view.up) if view.across and view.up else None,
        uirevision=uirevision(scene, "matrix"),
    )


def _bars(scene: Scene, found: PhaseCorrelations) -> go.Figure:
    against = found.against.dropna().iloc[: MOST - 1]
    names = [str(name) for name in against["counter"]]
    shown = short_names(names, 18)
    traces: list[dict[str, object]] = [
        {
            "type": "bar",
            "orientation": "h",
            "x": against["r"].to_numpy(dtype=np.float32),
            "y": list(range(len(names))),
            "marker": {"color": sign_colours(against["r"].tolist())},
            "customdata": np.array([[name, found.target] for name in names], dtype=object) if names else None,
            "hovertext": [
                f"{plain(name)}<br>{formatted(r, '+.4f')} over {rows:,} phases" for name, r, rows in against.itertuples(index=False)
            ],
            "hovertemplate": "%{hovertext}<extra></extra>",
            "name": "now",
            "showlegend": False,
        }
    ]
    before = _before(scene, found)
    if before is not None:
        places = [place for place, name in enumerate(names) if name in before.index]
        ticked = before[[names[place] for place in places]].to_numpy(dtype=float)
        traces.append(baseline_ticks(ticked, np.array(places), f"baseline: {plain(scene.baseline_words[:60])}", form="+.4f"))
    return figure(
        traces,
        title=f"What correlates with {short(found.target, 24)}?",
        subtitle=f"{SIGNS[found.params.method]} of each counter with {found.target}",
        height=max(180, 60 + 22 * len(names)),
        legend=before is not None,
        uirevision=uirevision(scene, "bars", found.target),
        sides=(label_width(shown, 11) + 12, 44),
        shapes=[{"type": "line", "x0": 0, "x1": 0, "y0": 0, "y1": 1, "yref": "paper", "line": {"color": MUTED, "width": 1}}],
        xaxis={"title": SIGNS[found.params.method], "range": [-1.02, 1.02]},
        yaxis={"tickvals": list(range(len(names))), "ticktext": shown, "range": [max(len(names), 1) - 0.4, -0.6], "showgrid": False},
    )


def _before(scene: Scene, found: PhaseCorrelations) -> pd.Series | None:
    pinned = scene.baseline.phases if isinstance(scene.baseline, Explored) else None
    if pinned is None or pinned.target != found.target:
        return None
    return pinned.against.dropna().set_index("counter")["r"]


def table(scene: Scene) -> pd.DataFrame | None:
    """The correlation of each counter with the target."""
    found: PhaseCorrelations | None = scene.more
    return None if found is None else found.against


def caption(scene: Scene) -> str:
    """What is shown, and its limits."""
    found: PhaseCorrelations | None = scene.more
    if found is None:
        return ""
    constant = [str(name) for name in found.against.loc[found.against["r"].isna(), "counter"]]
    n = len(found.found.counters)
    parts = [
        f"Gray: no correlation, because constant or fewer than two common rows: {', '.join(constant[:6])}." if constant else "",
        f"The {len(shown_of(found)):,} of {n:,} counters most correlated with {found.target} are shown." if n > MOST else "",
        "Longer phases have more of every event, which raises all correlations.",
    ]
    return " ".join(each for each in parts if each)
