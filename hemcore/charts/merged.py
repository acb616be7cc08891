"""What a merged table is like: a pair of its HEMs, what moves with one of them, the margins."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from hemcore.charts.look import MUTED, SERIES, TOP_LEGEND, finished, plain, short

_POINTS = 4_000


def pair_scatter(first: str, second: str, merged: pd.DataFrame, read: pd.DataFrame | None, *, title: str) -> go.Figure:
    """The pair in the merged table, over the pair as it was really read (None: never read together). At most 4,000 points of each."""
    figure = go.Figure()
    if read is not None and len(read):
        shown = _thinned(read)
        figure.add_trace(_points(shown, first, second, f"read together ({len(read):,})", MUTED, 0.35))
    figure.add_trace(_points(_thinned(merged), first, second, f"merged ({len(merged):,})", SERIES[0], 0.6))
    figure.update_xaxes(title=f"{short(first, 60)}, counts a run")
    figure.update_yaxes(title=f"{short(second, 60)}, counts a run")
    return finished(figure, title=title, height=460, legend=TOP_LEGEND)


def anchor_ranking(correlations: pd.Series, *, anchor: str, title: str) -> go.Figure:
    """Bars of r of the anchor with each other HEM, the strongest |r| on top; `correlations` comes ranked."""
    shown = correlations.dropna()[::-1]
    figure = go.Figure(
        go.Bar(
            x=shown.to_numpy(),
            y=[short(str(name), 44) for name in shown.index],
            orientation="h",
            marker={"color": np.where(shown.to_numpy() >= 0, SERIES[3], SERIES[5])},
            text=[f"{value:+.2f}" for value in shown],
            textposition="outside",
            cliponaxis=False,
            hovertemplate="%{y}<br>r = %{x:.4f}<extra></extra>",
        )
    )
    figure.update_xaxes(title=f"Pearson r with {short(anchor, 60)}", range=[-1.15, 1.15])
    return finished(figure, title=title, height=max(300, 110 + 24 * len(shown)))


def margins(hems: list[str], before: dict[str, np.ndarray], merged: pd.DataFrame, *, title: str) -> go.Figure:
    """Quantiles of each HEM's pooled readings and of its merged column: the same curve where the merge kept the distribution."""
    columns = min(3, len(hems))
    rows = -(-len(hems) // columns)
    figure = make_subplots(rows=rows, cols=columns, subplot_titles=[short(hem, 40) for hem in hems], vertical_spacing=min(0.12, 0.5 / rows))
    share = np.linspace(0, 100, 101)
    for number, hem in enumerate(hems):
        place = {"row": number // columns + 1, "col": number % columns + 1}
        for values, name, colour, dash in (
            (before[hem], "all readings", MUTED, "solid"),
            (merged[hem].to_numpy(), "merged", SERIES[0], "dot"),
        ):
            figure.add_trace(
                go.Scatter(
                    x=np.percentile(values, share).astype(np.float32),
                    y=share,
                    name=name,
                    legendgroup=name,
                    showlegend=number == 0,
                    line={"color": colour, "dash": dash, "width": 3 if dash == "solid" else 2},
                    hovertemplate=f"{plain(hem)}<br>%{{y:.0f}} % of runs are below %{{x:,.0f}}<extra>{name}</extra>",
                ),
                **place,
            )
        if place["col"] == 1:
            figure.update_yaxes(title="runs below, %", **place)
    figure.update_annotations(font_size=11)
    # Below the last row: above the first, the legend would lie on the subplots' names.
    legend = {"orientation": "h", "y": -60 / (190 * rows), "yanchor": "top", "x": 0}
    return finished(figure, title=title, height=150 + 190 * rows, legend=legend)


def _points(frame: pd.DataFrame, first: str, second: str, name: str, colour: str, opacity: float) -> go.Scattergl:
    return go.Scattergl(
        x=frame[first].to_numpy(dtype=np.float32),
        y=frame[second].to_numpy(dtype=np.float32),
        mode="markers",
        name=name,
        marker={"color": colour, "opacity": opacity, "size": 5},
    )


def _thinned(frame: pd.DataFrame) -> pd.DataFrame:
    return frame if len(frame) <= _POINTS else frame.sample(_POINTS, random_state=0)
